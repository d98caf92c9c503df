// `crm <family> list`: turns filters, sort and extent into queries, and gives the pages.

import { invalidValue, NotFoundError, UsageError } from '../../base/errors.ts';
import type { Input } from '../../base/flag.ts';
import { isDrawing, isJsonDocument } from '../../base/global-flags.ts';
import { inThousands, limits } from '../../base/limits.ts';
import { checkChoice, parseCount, together } from '../../base/values/parse.ts';
import { isPhoneText } from '../../base/values/text/duplicate-key.ts';
import { crmWith, quoteWord } from '../../base/values/text/shell-word.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { type Extent, largestPage, listPages } from '../../client/paging.ts';
import type { Answer, ApiRequest, Meta } from '../../client/types.ts';
import { filterQueries, none } from '../../model/bodies/given.ts';
import { pluralOf, type Resource } from '../../model/define.ts';
import { memberNamed } from '../../model/members.ts';
import type { Result } from '../../output/result.ts';
import { notice } from '../../output/streams/notice.ts';
import type { Context } from '../../session/context.ts';
import type { ListFlags } from '../flags.ts';
import { brokenGate, gateOf } from './gate.ts';
import { favourMemory } from './lean-memory.ts';
import {
  countsInWords,
  isLookedAt,
  listNotices,
  pathsAskedFor,
  plainFacts,
  type ReadCounts,
  selectionFacts,
  sortedFacts,
} from './list-facts.ts';
import { checkConditions, type Matching, matchingPages } from './matching.ts';
import { type ListSorting, sortedPages, sortingOf } from './sorting.ts';

/** The requests of a list, without `page` and `limit`. A filter with several values makes a request for each. Throws UsageError. */
export function listRequests(resource: Resource, flags: ListFlags): ApiRequest[] {
  const [queries, { query: order }] = together(
    () => filterQueries(resource.filters, flags),
    () => orderOf(resource, flags),
  );
  return queries.map((query) => ({ method: 'GET', path: resource.path, query: [...query, ...order] }));
}

/** The filters of a list, and the conditions that only crm can check: `--state open`, `--assigned none`. Throws UsageError. */
export function filtersAndConditions(resource: Resource, flags: ListFlags): { readonly flags: ListFlags; readonly conditions: string[] } {
  const { filters, standing } = resource;
  const conditions = [...(flags.where ?? [])];
  const left = { ...flags };
  for (const { flag, takesNone } of filters) {
    const values = [flags[flag] ?? []].flat();
    if (!takesNone || !values.includes(none)) continue;
    if (new Set(values).size > 1)
      throw new UsageError(`--${flag} ${none} can't be combined with another --${flag}: ask for each by itself.`);
    conditions.push(`no:${flag}`);
    delete left[flag];
  }
  const word = standing === undefined ? undefined : flags[standing.name];
  if (standing !== undefined && typeof word === 'string') {
    const words = standing.words.map((one) => one.word);
    conditions.push(`${standing.name}=${checkChoice(word, words, `--${standing.name}`)}`);
    delete left[standing.name];
  }
  return { flags: left, conditions };
}

/** The service's own order as a query, or the order that crm makes. Throws InvalidValues. */
function orderOf(resource: Resource, flags: ListFlags): { readonly query: [string, string][]; readonly sorting?: ListSorting } {
  const [sort, order] = together(
    () => (flags.sort === undefined ? undefined : sortingOf(resource, flags.sort, flags.order === 'desc')),
    () => (flags.order === undefined ? undefined : checkChoice(flags.order, ['asc', 'desc'], '--order')),
  );
  const query: [string, string][] = order === undefined ? [] : [['order', order]];
  if (sort === undefined) return { query };
  return 'wire' in sort ? { query: [['sort', sort.wire], ...query] } : { query: [], sorting: sort };
}

/** The extent of a list. Default: a page for a person, the whole list for a program. Throws UsageError. */
function readExtent(flags: ListFlags, isForPerson: boolean): Extent {
  const [limit, page] = together(
    () => (flags.limit === undefined ? undefined : parseCount(flags.limit, '--limit')),
    () => (flags.page === undefined ? undefined : parseCount(flags.page, '--page')),
  );
  if (flags.all) {
    if (limit !== undefined || page !== undefined)
      throw new UsageError(`--all can't be combined with --${limit === undefined ? 'page' : 'limit'}.`);
    return { kind: 'all', once: isForPerson };
  }
  if (page !== undefined) {
    if (limit !== undefined && limit > largestPage)
      throw invalidValue('--limit', `with --page, a page has at most ${largestPage} records.`);
    return { kind: 'page', page, ...(limit === undefined ? {} : { size: limit }) };
  }
  if (limit !== undefined) return { kind: 'count', count: limit };
  return { kind: isForPerson ? 'first' : 'all' };
}

/** Lists a family's records, or counts them. */
export async function list(resource: Resource, context: Context, input: Input<ListFlags>): Promise<Result> {
  const { flags, conditions } = filtersAndConditions(resource, input.flags);
  const [requests, extent, gate] = together(
    () => listRequests(resource, flags),
    () => readExtent(flags, isLookedAt(context)),
    () => gateOf(input.flags),
    () => checkConditions(resource, conditions, context.clock.now()),
  );
  const [request, ...others] = requests;
  const { sorting } = flags.count ? {} : orderOf(resource, flags);
  const isPlain = request !== undefined && others.length === 0 && conditions.length === 0 && sorting === undefined;
  if (flags.count) {
    refuseBesideCount(flags);
    const complete = gate !== undefined;
    const count =
      (isPlain ? await toldTotal(context, request) : undefined) ??
      (await countSelected(resource, context, { conditions, requests }, complete));
    const problem = brokenGate(gate, count, howMany(count, resource.singular, pluralOf(resource)));
    return { kind: 'text', text: `${count}\n`, ...(problem === undefined ? {} : { problem }) };
  }
  if (gate !== undefined) throw new UsageError('--at-most and --at-least need --count.');
  if (!isPlain) checkSelection(resource, extent, input.flags, { isForSeveral: requests.length > 1, sorting });
  // In a long list, memory matters more than speed.
  const isLong = extent.kind === 'all' || (extent.kind === 'count' && extent.count > 20 * largestPage);
  if (!isPlain || isLong) favourMemory('young', 'old');
  const isAsked = extent.kind !== 'all' || flags.all;
  const long = (total: number): void => {
    const why = sorting === undefined ? '. For fewer: --limit N.' : ` to sort them by ${sorting.typed}.`;
    if (!isAsked || sorting !== undefined)
      void notice(context.io, context.flags, `Reading all ${inThousands(total)} ${pluralOf(resource)}${why}`);
  };
  const { pages, facts, empty } = isPlain
    ? plainPages(resource, context, request, { extent, long })
    : selectedPages(resource, context, { conditions, requests, extent, long, sorting });
  const instead = await searchInstead(resource, context, flags.search, conditions);
  const bounded =
    context.flags.jq === undefined || !isJsonDocument(context.flags.output) ? pages : pagesForJq(resource, pages, extent, isPlain);
  return {
    kind: 'records',
    pages: resource.readOnly ? offeredPages(bounded, resource) : bounded,
    shape: isLookedAt(context) ? withColumns(resource, (await context.settings()).columns?.[resource.name]) : resource,
    empty: () => `${empty()}${instead}`,
    facts,
    askedFor: pathsAskedFor(resource, flags, conditions),
  };
}

/**
 * The command that looks further, for a list in which --search or a `~` of --where found nothing. The service compares a text of several
 * words as a whole, and leaves the names of leads out. Phones have many spellings, and accents count in a condition. Empty when `crm
 * search` would find no more.
 */
async function searchInstead(
  resource: Resource,
  { flags: { profile } }: Context,
  typed: ListFlags[string],
  conditions: readonly string[],
): Promise<string> {
  const text = typeof typed === 'string' ? typed : Array.isArray(typed) && typed.length === 1 ? String(typed[0]) : '';
  const [condition = '', ...more] = conditions;
  const part = /^[\w.-]+~(.*\p{L}.*)$/u.exec(condition)?.[1];
  if (text === '' && part !== undefined && more.length === 0 && !resource.readOnly)
    return ` Accents count in --where. Without them: ${crmWith(profile)} search ${quoteWord(part)}`;
  const only = resource.filters.find(({ flag }) => flag === 'search')?.searches?.only;
  const isPhone = isPhoneText(text);
  const isSeveral = !isPhone && /\S\s+\S/.test(text);
  if ((!isSeveral && !isPhone && only === undefined) || text.trim() === '' || text.includes('@')) return '';
  if (!(await import('../../model/resources/index.ts')).searchedFamilies.includes(resource)) return '';
  const how = isPhone
    ? 'By a phone, in any spelling'
    : isSeveral
      ? 'The service compares the whole text with each field. Word by word'
      : `The service's search looks in ${only}. In every text`;
  return ` ${how}: ${crmWith(profile)} search ${quoteWord(text)}`;
}

/** The family with the profile's columns for a terminal's table, the first ones the most important. */
function withColumns(resource: Resource, names: readonly string[] | undefined): Resource {
  if (names === undefined) return resource;
  const columns = names.map((name, index): Resource['columns'][number] => {
    const member = memberNamed(resource, name);
    const path = member?.kind === 'relation' ? member.name : (member?.path ?? name);
    return { ...(resource.columns.find((one) => one.path === path) ?? { path, header: name }), priority: index + 1 };
  });
  return { ...resource, columns };
}

type Records = Extract<Result, { kind: 'records' }>;

/** A list, with the notes that follow when its pages are read. */
type Listing = Required<Pick<Records, 'pages' | 'facts' | 'empty'>>;

/**
 * The pages of a list for jq, which gets one document. `isPlain`: the service's total is the number of records. Throws InvalidValues
 * when there are too many for jq's memory.
 */
async function* pagesForJq(resource: Resource, pages: AsyncIterable<Answer>, extent: Extent, isPlain: boolean): AsyncGenerator<Answer> {
  let read = 0;
  for await (const answer of pages) {
    read += (answer.data as readonly unknown[]).length;
    const total = isPlain && extent.kind !== 'page' && extent.kind !== 'first' ? (answer.meta?.total ?? 0) : 0;
    const count = Math.max(read, extent.kind === 'count' ? Math.min(total, extent.count) : total);
    if (count > limits.jqRecords) {
      const most = `jq takes at most ${inThousands(limits.jqRecords)} ${pluralOf(resource)} as one array`;
      const wayOut = 'Give -o ndjson, and jq gets one at a time; or --limit N.';
      throw invalidValue('--jq', `${most}, and these are ${inThousands(count)}. ${wayOut}`);
    }
    yield answer;
  }
}

/**
 * The pages of a list that an installation may lack (vendor facts: reference records). Throws NotFoundError when the first page is not
 * found.
 */
export async function* offeredPages(pages: AsyncIterable<Answer>, resource: Resource): AsyncGenerator<Answer> {
  let began = false;
  try {
    for await (const page of pages) {
      began = true;
      yield page;
    }
  } catch (error) {
    if (began || !(error instanceof NotFoundError)) throw error;
    throw new NotFoundError(`This service has no ${resource.path}: not every installation lists its ${pluralOf(resource)}.`, {
      ...error.details,
      hint: 'If other lists are missing too, the base URL is wrong.',
    });
  }
}

function plainPages(resource: Resource, context: Context, request: ApiRequest, { extent, long }: Extended): Listing {
  const plural = pluralOf(resource);
  let empty = `No ${plural} found.`;
  let last: Meta = {};
  const beyond = (lastPage: number, total: number): void => {
    const page = extent.kind === 'page' ? extent.page : 1;
    empty = `There is no page ${page}: the last page is ${lastPage}, with ${total} ${plural} in all.`;
  };
  const notices = { ...listNotices(context), beyond, long };
  const pages = async function* (): AsyncGenerator<Answer> {
    for await (const answer of listPages(await context.api(), request, extent, context.signal, notices)) {
      last = answer.meta ?? {};
      yield answer;
    }
  };
  return {
    pages: pages(),
    facts: (shown) => plainFacts(resource, extent, last, shown, context.io.symbols.upTo),
    empty: () => empty,
  };
}

/** The extent of a list. `long` is called with the total before a long list is read. */
interface Extended {
  readonly extent: Extent;
  readonly long: (total: number) => void;
}

type Selected = Pick<Matching, 'conditions' | 'requests'>;

function selectedPages(
  resource: Resource,
  context: Context,
  { conditions, requests, extent, long, sorting }: Selected & Extended & { readonly sorting: ListSorting | undefined },
): Listing {
  let counts: ReadCounts | undefined;
  let sorted = 0;
  let isFirstPages = false;
  const notices = {
    more: () => {
      isFirstPages = true;
    },
    long,
  };
  const hear = (heard: ReadCounts): void => {
    counts = heard;
    // A table on a terminal shows the counts itself: below the table, or in its place if nothing was found.
    const isSaid = isDrawing(context.flags.output) && (isLookedAt(context) || heard.matched === 0);
    if (!isSaid) void notice(context.io, context.flags, countsInWords(resource, heard));
  };
  const wanted: Matching = {
    conditions,
    requests,
    match: 'part',
    extent:
      extent.kind === 'first' && conditions.length === 0 && sorting === undefined ? extent : { kind: 'all', once: isLookedAt(context) },
    notices,
    counted: hear,
    ...(extent.kind === 'count' && sorting === undefined ? { limit: extent.count } : {}),
  };
  const matching = matchingPages(resource, context, wanted);
  const most =
    extent.kind === 'count' ? extent.count : extent.kind === 'first' && conditions.length === 0 ? undefined : Number.POSITIVE_INFINITY;
  const counted = (count: number): void => {
    sorted = count;
  };
  const isNarrowed = conditions.length > 0 || requests.length > 1;
  return {
    pages: sorting === undefined ? matching : sortedPages(resource, matching, sorting, { most, isNarrowed, counted }),
    facts: (shown) =>
      sorting === undefined
        ? selectionFacts(resource, extent, { counts, isFirstPages }, shown)
        : sortedFacts(resource, { shown, sorted, read: counts?.read }),
    empty: () => (counts === undefined ? `No ${pluralOf(resource)} found.` : countsInWords(resource, counts)),
  };
}

function checkSelection(
  { filters, standing }: Resource,
  extent: Extent,
  flags: ListFlags,
  { isForSeveral, sorting }: { readonly isForSeveral: boolean; readonly sorting: ListSorting | undefined },
): void {
  const order = ['sort', 'order'].find((name) => flags[name] !== undefined);
  if (isForSeveral && order !== undefined && sorting === undefined)
    throw new UsageError(`--${order} can't be combined with a filter that is given twice: ask for one value at a time.`);
  if (extent.kind !== 'page') return;
  if (sorting !== undefined)
    throw new UsageError(
      `--page can't be combined with --sort ${sorting.typed}: crm sorts the whole list. --limit sets the number of records.`,
    );
  const isStanding = standing !== undefined && flags[standing.name] !== undefined;
  const isNone = filters.find(({ flag, takesNone }) => takesNone && [flags[flag]].flat().includes(none));
  const ofOwn = isStanding ? `--${standing.name}` : isNone === undefined ? 'a filter that is given twice' : `--${isNone.flag} ${none}`;
  const what = flags.where === undefined ? ofOwn : '--where';
  throw new UsageError(`--page can't be combined with ${what}: --limit sets the number of records.`);
}

function refuseBesideCount({ limit, page, was }: ListFlags): void {
  const flag = limit !== undefined ? 'limit' : page !== undefined ? 'page' : was ? 'was' : undefined;
  if (flag !== undefined) throw new UsageError(`--count counts all records, so it can't be combined with --${flag}.`);
}

/** The service's total of a list; undefined if missing, or 0 for a list that has records. */
async function toldTotal(context: Context, request: ApiRequest): Promise<number | undefined> {
  const one: Extent = { kind: 'page', page: 1, size: 1 };
  for await (const { meta, data } of listPages(await context.api(), request, one, context.signal)) {
    return meta?.total === 0 && (data as readonly unknown[]).length > 0 ? undefined : meta?.total;
  }
  return undefined;
}

/** The number of selected records. With `complete`, fewer records than the service's total are an error. */
async function countSelected(resource: Resource, context: Context, selected: Selected, complete: boolean): Promise<number> {
  favourMemory('young', 'old');
  let count = 0;
  for await (const { data } of matchingPages(resource, context, { ...selected, match: 'part', extent: { kind: 'all', complete } })) {
    count += Array.isArray(data) ? data.length : 0;
  }
  return count;
}
