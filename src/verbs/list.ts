// `crm <family> list`: filters, sort and extent into one query, pages out.

import { type Extent, largestPage, listPages } from '../api/paging.ts';
import type { Answer, ApiRequest } from '../api/types.ts';
import { filterQuery } from '../bodies/given.ts';
import type { Context } from '../context.ts';
import { invalidValue, NotFoundError, UsageError } from '../errors.ts';
import type { Input } from '../flag.ts';
import type { Result } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import type { Resource } from '../resources/define.ts';
import { checkChoice, parseCount, together } from '../values/parse.ts';
import { favourMemory } from './lean-memory.ts';

/** The request of a list, without `page` and `limit`. Throws UsageError. */
export function listRequest(resource: Resource, flags: Input['flags']): ApiRequest {
  const query = together(
    () => filterQuery(resource.filters, flags),
    () => sortQuery(resource, flags.sort),
    () => orderQuery(flags.order),
  );
  return { method: 'GET', path: resource.path, query: query.flat() };
}

function sortQuery({ sort }: Resource, raw: Input['flags'][string]): [string, string][] {
  if (typeof raw !== 'string') return [];
  const name = checkChoice(raw, Object.keys(sort), '--sort');
  return [['sort', sort[name] ?? name]];
}

function orderQuery(raw: Input['flags'][string]): [string, string][] {
  return typeof raw === 'string' ? [['order', checkChoice(raw, ['asc', 'desc'], '--order')]] : [];
}

/** How much of a list is asked for. Throws UsageError. */
export function readExtent(flags: Input['flags']): Extent {
  const [limit, page] = together(
    () => (typeof flags.limit === 'string' ? parseCount(flags.limit, '--limit') : undefined),
    () => (typeof flags.page === 'string' ? parseCount(flags.page, '--page') : undefined),
  );
  if (flags.all === true) {
    if (limit !== undefined || page !== undefined)
      throw new UsageError(`--all can't be combined with --${limit === undefined ? 'page' : 'limit'}.`);
    return { kind: 'all' };
  }
  if (page !== undefined) {
    if (limit !== undefined && limit > largestPage)
      throw invalidValue('--limit', `with --page it is the size of a page, at most ${largestPage}.`);
    return { kind: 'page', page, ...(limit === undefined ? {} : { size: limit }) };
  }
  return limit === undefined ? { kind: 'first' } : { kind: 'count', count: limit };
}

/** Lists a family's records. */
export async function list(resource: Resource, context: Context, input: Input): Promise<Result> {
  const [request, extent] = together(
    () => listRequest(resource, input.flags),
    () => readExtent(input.flags),
  );
  if (isLong(extent)) favourMemory();
  const api = await context.api();
  const plural = resource.plural ?? resource.name;
  let empty = `No ${plural} found.`;
  const pages = listPages(api, request, extent, context.signal, {
    more: (shown, total) =>
      tell(context, `Showing ${shown}${total === undefined ? '' : ` of ${total}`} ${plural}. More: --limit N or --all.`),
    beyond: (last, total) => {
      empty = `Page ${input.flags.page} is beyond the last one, ${last}: there are ${total} ${plural} in all.`;
    },
    moved: (repeated) => tell(context, movedText(repeated)),
  });
  return { kind: 'records', pages: resource.readOnly ? offeredPages(pages, resource) : pages, shape: resource, empty: () => empty };
}

/**
 * The pages of a list that an installation may lack (vendor facts: reference records). Throws NotFoundError saying so when the
 * first of them is not found.
 */
async function* offeredPages(pages: AsyncIterable<Answer>, { path, name, plural = name }: Resource): AsyncGenerator<Answer> {
  let began = false;
  try {
    for await (const page of pages) {
      began = true;
      yield page;
    }
  } catch (error) {
    if (began || !(error instanceof NotFoundError)) throw error;
    throw new NotFoundError(`This service has no ${path}: not every installation lists its ${plural}.`, {
      ...error.details,
      hint: 'If it finds nothing else either, the base URL is not that of the service.',
    });
  }
}

/** Whether the list is so long that memory matters more than speed. */
function isLong(extent: Extent): boolean {
  return extent.kind === 'all' || (extent.kind === 'count' && extent.count > 20 * largestPage);
}

function movedText(repeated: number): string {
  const twice =
    repeated === 0
      ? ''
      : ` ${repeated} ${repeated === 1 ? 'record' : 'records'} came twice and ${repeated === 1 ? 'was' : 'were'} printed once;`;
  return `The list changed while it was being read:${twice} some records may be missing. Run the command again for a steady picture.`;
}

function tell(context: Context, text: string): void {
  void notice(context.io, context.flags, text);
}
