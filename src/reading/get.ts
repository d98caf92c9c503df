// `crm <family> get ID`: reads a record, or the records of a selection.

import { NotFoundError, UsageError } from '../base/errors.ts';
import type { Input } from '../base/flag.ts';
import { recordOf } from '../client/envelope.ts';
import type { ApiRequest } from '../client/types.ts';
import { pluralOf, type Resource } from '../model/define.ts';
import { idText } from '../model/records/display.ts';
import type { Result } from '../output/result.ts';
import type { Context } from '../session/context.ts';
import { eachRecord } from './each-record.ts';
import type { GetFlags } from './flags.ts';
import { isLookedAt } from './list/list-facts.ts';
import { matchingPages } from './list/matching.ts';
import { choose, selectionOf } from './selection.ts';

/** Reads records. Records selected by conditions come from the list itself, without a further read. */
export async function get(resource: Resource, context: Context, typed: Input<GetFlags>): Promise<Result> {
  const input = typed.flags.one ? await theOne(resource, context, typed) : typed;
  if (input.flags.with !== undefined) return (await import('./get-with.ts')).getWith(resource, context, input);
  const selection = selectionOf(resource, input, { areIds: true });
  if (selection.kind === 'where') {
    const { conditions } = selection;
    const requests: ApiRequest[] = [{ method: 'GET', path: resource.path }];
    const pages = matchingPages(resource, context, {
      conditions,
      match: 'part',
      requests,
      extent: { kind: 'all', once: isLookedAt(context) },
    });
    return { kind: 'records', pages, shape: resource, empty: () => `No ${pluralOf(resource)} found.` };
  }
  const chosen = await choose(resource, context, selection);
  const api = await context.api();
  return eachRecord(resource, context, selection, chosen, async ({ id }) => {
    const path = `${resource.path}/${id}`;
    const answer = await api.read({ method: 'GET', path });
    // An answer without a record, such as a maintenance page, is an error.
    recordOf(answer, path);
    return { answer };
  });
}

/** The most records named in a message. */
const mostIds = 3;

/**
 * The input with the id of the only record that --where selects, in place of --where. Throws UsageError for several records, and
 * NotFoundError for none.
 */
async function theOne(resource: Resource, context: Context, input: Input<GetFlags>): Promise<Input<GetFlags>> {
  const { flags } = input;
  const selection = selectionOf(resource, input, { areIds: true });
  if (selection.kind !== 'where') throw new UsageError('--one needs --where: it wants exactly one record that matches.');
  const requests: ApiRequest[] = [{ method: 'GET', path: resource.path }];
  const wanted = { conditions: selection.conditions, match: 'part' as const, requests, limit: mostIds + 1, counted: () => {} };
  const ids: string[] = [];
  for await (const { data } of matchingPages(resource, context, { ...wanted, extent: { kind: 'all' } }))
    ids.push(...(data as readonly unknown[]).map(idText));
  const [id, second] = ids;
  if (id === undefined) throw new NotFoundError(`No ${resource.singular} matches ${selection.conditions.join(' and ')}.`);
  if (second === undefined) return { args: [id], flags: { ...flags, where: undefined } };
  const named = `${ids.slice(0, mostIds).join(', ')}${ids.length > mostIds ? ' and more' : ''}`;
  throw new UsageError(`Several ${pluralOf(resource)} match, and --one wants exactly one: ${named}.`);
}
