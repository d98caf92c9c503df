// Reads lists page by page, in order, each record once (interface: conventions, `meta`; Limits, `limit`).

import { IncompleteListError, UnavailableError } from '../base/errors.ts';
import { inThousands, limits } from '../base/limits.ts';
import { IdSet } from '../base/values/id-set.ts';
import { isMembers } from '../base/values/paths.ts';
import type { Api } from './client.ts';
import { listIn, recordsOf } from './envelope.ts';
import type { Answer, ApiRequest } from './types.ts';

/** The most records that the service puts on one page. */
export const largestPage = limits.page;

/** The number of pages requested ahead of the reader. */
const pagesAhead = 3;

export type Extent =
  /** The first page, with the service's own page size. */
  | { readonly kind: 'first' }
  /** One page. Default size: the service's own. */
  | { readonly kind: 'page'; readonly page: number; readonly size?: number }
  /** The first `count` records. */
  | { readonly kind: 'count'; readonly count: number }
  /**
   * Every record: as many as the first answer's total. When records came and went meanwhile, the list is read again, and records that were
   * missed follow behind. Throws IncompleteListError after the third reading. New records alone are no fault.
   */
  | {
      readonly kind: 'all';
      /** Reads one page at a time, up to the highest last page of any answer, and one page further after a full page. */
      readonly complete?: boolean;
      /** Refuses a list of unknown length, for callers that act on a record's absence. A list that isn't paged has its length. */
      readonly told?: boolean;
      /** Reads the list once. A list that isn't whole is a notice, and an error with `complete`. */
      readonly once?: boolean;
    };

/** Notices about a list, for the person who reads it. */
export interface ListNotices {
  /** Called when more pages follow the first page. */
  more?(): void;
  /** Called before all `total` records of a long list are read. */
  long?(total: number): void;
  /** Called when the requested page comes after the last page. The list holds `total` records. */
  beyond?(last: number, total: number): void;
  /** Called when a list that was read once changed, and may lack records. `repeated`: the number of records that came twice. */
  moved(repeated: number): void;
  /** Called when a list has all of its first records, and new ones came during the reading. */
  grew?(): void;
  /** Called when the list was read again. `missed` records follow behind the others. */
  again?(missed: number): void;
}

const silent: ListNotices = { moved: () => {} };

/**
 * Yields the pages of a list. Leaving the loop early cancels requests under way. Throws what Api.read throws, and UnavailableError for an
 * answer without a list or with a position that can't be right.
 */
export async function* listPages(
  api: Api,
  request: ApiRequest,
  extent: Extent,
  signal: AbortSignal,
  notices = silent,
): AsyncGenerator<Answer> {
  if (extent.kind === 'first' || extent.kind === 'page') {
    yield* onePage(api, request, extent, notices);
    return;
  }
  yield* manyPages(api, extent.kind === 'all' ? { ...request, patience: 'many' } : request, extent, signal, notices);
}

/** Yields every record of a list, without notices. Throws the errors of `listPages`. */
export async function* allRecords(api: Api, request: ApiRequest, signal: AbortSignal): AsyncGenerator<unknown> {
  for await (const { data } of listPages(api, request, { kind: 'all' }, signal)) yield* data as unknown[];
}

/** The most pages of a list that is read only to compare records. */
const mostPagesSeen = 100;

/** Passes every record of a list of at most 100 pages to `see`. False for a longer list. Throws the errors of `listPages`. */
export async function seeRecords(api: Api, request: ApiRequest, signal: AbortSignal, see: (record: unknown) => void): Promise<boolean> {
  let pages = 0;
  for await (const { data, meta } of listPages(api, request, { kind: 'all', complete: true }, signal)) {
    pages += 1;
    if (Math.max(pages, meta?.last_page ?? 0) > mostPagesSeen) return false;
    for (const record of data as readonly unknown[]) see(record);
  }
  return true;
}

async function* onePage(
  api: Api,
  request: ApiRequest,
  extent: Extract<Extent, { kind: 'first' | 'page' }>,
  notices: ListNotices,
): AsyncGenerator<Answer> {
  const answer = await api.read(extent.kind === 'page' ? pageRequest(request, extent.page, extent.size) : request);
  const records = recordsOf(answer, request);
  const { total, last_page: last, current_page: current } = answer.meta ?? {};
  const isFirst = extent.kind === 'first' || extent.page === 1;
  if (isFirst && records.length === 0 && total) throw noneOf(total, request);
  yield { ...answer, data: records };
  const isLast = last === undefined ? records.length >= (total ?? 0) : (current ?? 1) >= last;
  if (extent.kind === 'first' && !isLast) notices.more?.();
  const isBeyond = extent.kind === 'page' && records.length === 0 && last !== undefined && extent.page > last;
  if (isBeyond && total) notices.beyond?.(last, total);
}

/** Pages in a row without anything new, after which a list that goes on is no list. New records move the others to later pages. */
const mostStale = 3;

/** A list that grew to more than twice the pages that its first answer told, and this many more, has no end. */
const mostGrown = 1000;

/** How often a list is read that changes during each reading. */
const mostReadings = 3;

async function* manyPages(
  api: Api,
  request: ApiRequest,
  extent: Extract<Extent, { kind: 'count' | 'all' }>,
  signal: AbortSignal,
  notices: ListNotices,
): AsyncGenerator<Answer> {
  if (extent.kind === 'count') {
    const read = yield* reading(api, request, { wanted: extent.count }, signal);
    const isShort = read.came < Math.min(extent.count, read.total ?? 0);
    if (read.repeated > 0 || read.hasChanged || isShort) notices.moved(read.repeated);
    return;
  }
  const { complete = false, told = false, once = false } = extent;
  const known = new Seen();
  let missed = 0;
  for (let count = 1; ; count += 1) {
    // Pages requested at the same time may miss records that move from one page to another.
    const isAgain = count > 1;
    const how = isAgain ? { known, isSerial: true } : { own: known, isSerial: complete, long: notices.long };
    const read = yield* reading(api, request, { wanted: Number.POSITIVE_INFINITY, ...how }, signal);
    if (isAgain) missed += read.given;
    if (told && read.first === undefined && !read.isOnePage) throw lengthUntold(request);
    const isWhole = read.came >= (read.first ?? 0) && !read.hasShrunk;
    if (isWhole && isAgain) notices.again?.(missed);
    else if (isWhole && (read.repeated > 0 || read.hasChanged)) notices.grew?.();
    else if (!isWhole && once && !complete) notices.moved(read.repeated);
    else if (!isWhole && (once || count === mostReadings)) throw incomplete(read, request);
    if (isWhole || once) return;
  }
}

/** What came of one reading of a list. */
interface Reading {
  /** The number of different records. */
  came: number;
  /** The number of records that were given to the caller. */
  given: number;
  repeated: number;
  /** The first total that was told, and the last. */
  first: number | undefined;
  total: number | undefined;
  hasChanged: boolean;
  hasShrunk: boolean;
  /** The service sends the whole list on each page. */
  isOnePage: boolean;
}

interface HowToRead {
  readonly wanted: number;
  readonly isSerial?: boolean;
  /** The records of earlier readings, which are not given again. */
  readonly known?: Seen | undefined;
  /** Collects the records of this reading. */
  readonly own?: Seen;
  readonly long?: ListNotices['long'];
}

/** Reads a list once. Yields the pages with records that no page before has, and returns what came. */
async function* reading(
  api: Api,
  request: ApiRequest,
  { wanted, isSerial = false, known, own = new Seen(), long }: HowToRead,
  signal: AbortSignal,
): AsyncGenerator<Answer, Reading> {
  const read: Reading = {
    came: 0,
    given: 0,
    repeated: 0,
    first: undefined,
    total: undefined,
    hasChanged: false,
    hasShrunk: false,
    isOnePage: false,
  };
  const position: { page: number; last?: number } = { page: 1 };
  let stale = 0;
  let firstLast = Number.POSITIVE_INFINITY;
  // `comments` of `/api/leads/5/comments`.
  const noun = request.path.slice(request.path.lastIndexOf('/') + 1);
  const end = api.begin((elapsed) => ({ text: `Reading ${noun}${pageText(position)}`, tail: elapsed }));
  try {
    const size = Math.min(wanted, largestPage);
    for await (const { answer, page, last, isExtra } of aheadOfReader(api, request, { size, wanted, isComplete: isSerial }, signal)) {
      const records = recordsOf(answer, request);
      const { fresh, isNew } = own.news(records);
      const total = answer.meta?.total;
      if (page === 1 && total !== undefined && total > limits.longList) long?.(total);
      read.first ??= total;
      // Some services send the last page again when asked for a later page.
      if (isNew || !isExtra) read.repeated += records.length - fresh.length;
      if (total !== undefined && read.total !== undefined) {
        read.hasChanged ||= total !== read.total;
        read.hasShrunk ||= total < read.total;
      }
      read.total = total ?? read.total;
      if (read.came === 0 && fresh.length === 0 && total) throw noneOf(total, request);
      const isCutOff = read.hasShrunk && records.length === 0;
      if (page === 1 && isTold(answer)) firstLast = last;
      if (page > firstLast * 2 + mostGrown) throw endless(request);
      stale = isNew ? 0 : stale + 1;
      const goesOn = page < last && !isExtra && !isCutOff;
      const mayFollow = goesOn && isTold(answer) && records.length > 0 && stale < mostStale;
      if (!isNew && goesOn && !mayFollow) {
        read.isOnePage = page === 2 && !isTold(answer) && read.first === undefined && (await isUnpaged(api, request, own, read, signal));
        if (!read.isOnePage) throw nothingNew(page, answer, request);
        read.repeated = 0;
        break;
      }
      const within = fresh.slice(0, wanted - read.came);
      read.came += within.length;
      // A page after the first without records is the end, and an empty first page is an empty list.
      if (page === 1 && records.length === 0) read.isOnePage = true;
      const given = known === undefined ? within : known.news(within, true).fresh;
      read.given += given.length;
      if (given.length > 0 || (page === 1 && known === undefined)) yield { ...answer, data: given };
      if (read.came >= wanted || (!isNew && !mayFollow)) break;
      position.page = page + 1;
      if (answer.meta !== undefined) position.last = Math.min(last, Math.ceil(wanted / Math.max(1, records.length)));
    }
  } finally {
    end();
  }
  return read;
}

const isTold = ({ meta }: Answer): boolean => meta?.last_page !== undefined || meta?.total !== undefined;

/** A page of one record then holds all records of the first page. */
async function isUnpaged(api: Api, request: ApiRequest, first: Seen, { came }: Reading, signal: AbortSignal): Promise<boolean> {
  const records = recordsOf(await api.read(pageRequest(request, 1, 1), signal), request);
  return records.length === came && !first.news(records).isNew;
}

/** `: page 2 of 41` */
function pageText({ page, last }: { readonly page: number; readonly last?: number }): string {
  if (last === undefined) return page > 1 ? `: page ${inThousands(page)}` : '';
  return last > 1 ? `: page ${inThousands(Math.min(page, last))} of ${inThousands(last)}` : '';
}

/** The records that came so far, by their ids. */
class Seen {
  readonly #ids = new IdSet();
  /** The records without an id, as JSON. */
  readonly #nameless = new Set<string>();

  /**
   * The new records of a page. `isNew`: the page has any. Records without an id are always given, and count as new when no equal record came
   * before. `isStrict`: these are given only then.
   */
  news(records: readonly unknown[], isStrict = false): { readonly fresh: readonly unknown[]; readonly isNew: boolean } {
    let isNew = false;
    const fresh = records.filter((record) => {
      const isFresh = isMembers(record) && record.id !== undefined ? this.#ids.add(record.id) : this.#addNameless(record);
      isNew ||= isFresh;
      return isFresh || (!isStrict && !(isMembers(record) && record.id !== undefined));
    });
    return { fresh, isNew };
  }

  #addNameless(record: unknown): boolean {
    const before = this.#nameless.size;
    this.#nameless.add(JSON.stringify(record));
    return this.#nameless.size > before;
  }
}

const noneOf = (total: number, request: ApiRequest): UnavailableError =>
  oddList(`The service says that there are ${total} records, and sent none of them.`, request);

const endless = (request: ApiRequest): UnavailableError => oddList('The list goes on growing while it is read, without end.', request);

function nothingNew(page: number, answer: Answer, request: ApiRequest): UnavailableError {
  const length = isTold(answer) ? 'says that the list goes on, but' : 'does not say how long the list is, and';
  return oddList(`The service ${length} page ${page} brought nothing new.`, request);
}

function incomplete({ came, first }: Pick<Reading, 'came' | 'first'>, { method, path }: ApiRequest): IncompleteListError {
  const sentence =
    first !== undefined && came < first
      ? `The service says that there are ${first} records, but only ${came} came: the list is not complete.`
      : 'Records went away while the list was read, so the list is not complete.';
  return new IncompleteListError(sentence, { request: { method, path }, hint: 'Try again.' });
}

const lengthUntold = (request: ApiRequest): UnavailableError =>
  oddList("The service does not say how long the list is, so crm can't tell which records are not there.", request);

function oddList(sentence: string, { method, path }: ApiRequest, hint?: string): UnavailableError {
  return new UnavailableError(sentence, { request: { method, path }, ...(hint === undefined ? {} : { hint }) });
}

/**
 * Yields pages of one size in order, with the last page number known so far. Once the first answer tells the total, several pages are
 * requested ahead. A complete list is read one page at a time, up to the highest last page that any answer told, and one page further after
 * a full page.
 */
async function* aheadOfReader(
  api: Api,
  request: ApiRequest,
  { size, wanted, isComplete }: { readonly size: number; readonly wanted: number; readonly isComplete: boolean },
  signal: AbortSignal,
): AsyncGenerator<{ readonly answer: Answer; readonly page: number; readonly last: number; readonly isExtra: boolean }> {
  const cancel = new AbortController();
  const either = AbortSignal.any([signal, cancel.signal]);
  const underWay: Promise<Answer>[] = [];
  let perPage: number | undefined;
  let next = 1;
  let last = 1;
  /** The highest last page that the answers told. The extra page after a full page doesn't count. */
  let toldLast = 1;
  let page = 0;
  try {
    while (next <= last || underWay.length > 0) {
      // Pages requested at the same time may miss records that move from one page to another.
      const ahead = next === 1 || isComplete ? 1 : pagesAhead;
      while (next <= last && underWay.length < ahead) {
        const answer = api.read(pageRequest(request, next, size), either);
        answer.catch(() => undefined);
        underWay.push(answer);
        next += 1;
      }
      const answer = await underWay.shift();
      if (answer === undefined) return;
      page += 1;
      const { length } = recordsOf(answer, request);
      // A service may put fewer records on a page than requested.
      perPage ??= length || size;
      const isExtra = page > toldLast;
      const told = Math.max(lastPage(answer, { page, length, perPage }), isComplete ? toldLast : 1);
      toldLast = told;
      // Another page may follow a full page, whatever the total says.
      const lastKnown = isComplete && length >= size ? Math.max(told, page + 1) : told;
      yield { answer, page, last: lastKnown, isExtra };
      last = Math.min(Math.ceil(wanted / perPage), lastKnown);
    }
  } finally {
    cancel.abort();
  }
}

/**
 * The last page number that an answer tells. Without `meta`, a page with records implies another page. A last page before the present page
 * is ignored when the present page has records.
 */
function lastPage(
  answer: Answer,
  { page, length, perPage }: { readonly page: number; readonly length: number; readonly perPage: number },
): number {
  const { last_page: last, total } = answer.meta ?? {};
  if (last !== undefined && (last >= page || length === 0)) return last;
  if (total !== undefined) return Math.ceil(total / perPage);
  return length > 0 ? page + 1 : page;
}

function pageRequest(request: ApiRequest, page: number, size: number | undefined): ApiRequest {
  const query: (readonly [string, string])[] = [...(request.query ?? [])];
  if (size !== undefined) query.push(['limit', String(size)]);
  query.push(['page', String(page)]);
  return { ...request, query };
}

/**
 * Yields every page of a list. The first request is sent as given, then `page=2` and on up to `meta.last_page`. Throws what `listPages`
 * throws.
 */
export async function* everyPage(api: Api, request: ApiRequest): AsyncGenerator<Answer> {
  const seen = new Seen();
  let came = 0;
  let told: number | undefined;
  let stale = 0;
  let firstLast = Number.POSITIVE_INFINITY;
  for (let page: number | undefined; ; ) {
    const query = (request.query ?? []).filter(([name]) => name !== 'page');
    const asked = page === undefined ? request : pageRequest({ ...request, query }, page, undefined);
    const answer = await api.read({ ...asked, patience: 'many' });
    const data = listIn(answer, request);
    page ??= answer.meta?.current_page ?? 1;
    const { total, last_page: last = 1 } = answer.meta ?? {};
    if (data.length === 0 && total && page <= last) throw noneOf(total, request);
    const { fresh, isNew } = seen.news(data);
    came += fresh.length;
    // From a later page on, the total says nothing about what comes.
    if (page === 1) told = total;
    stale = isNew ? 0 : stale + 1;
    if (firstLast === Number.POSITIVE_INFINITY) firstLast = last;
    if (page > firstLast * 2 + mostGrown) throw endless(request);
    if (page < last && (stale >= mostStale || (stale > 0 && data.length === 0))) throw nothingNew(page, answer, request);
    yield { ...answer, data };
    if (page >= last && told !== undefined && came < told) throw incomplete({ came, first: told }, request);
    if (page >= last) return;
    page += 1;
  }
}
