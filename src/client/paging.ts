// Reads lists page by page, in order, each record once (interface: conventions, `meta`; Limits, `limit`).

import { UnavailableError } from '../base/errors.ts';
import { inThousands, limits } from '../base/limits.ts';
import { IdSet } from '../base/values/id-set.ts';
import { isMembers } from '../base/values/paths.ts';
import type { Api } from './client.ts';
import { recordsOf } from './envelope.ts';
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
   * Every record. `complete`: reads up to the highest last page of any answer, and throws when fewer records came than the first answer's
   * total. For callers that act on a record's absence. Later totals are not compared: a run may be creating records meanwhile.
   */
  | { readonly kind: 'all'; readonly complete?: boolean };

/** Notices about a list, for the person who reads it. */
export interface ListNotices {
  /** Called when more pages follow the first page. */
  more?(): void;
  /** Called before all `total` records of a long list are read. */
  long?(total: number): void;
  /** Called when the requested page comes after the last page. The list holds `total` records. */
  beyond?(last: number, total: number): void;
  /** Called when the list changed during the reading. `repeated`: the number of records that came twice. */
  moved(repeated: number): void;
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

/**
 * Yields every record of a list, without notices. `complete`: throws UnavailableError at the end when fewer records came than `meta.total`
 * of the first answer. An answer without a total is accepted.
 */
export async function* allRecords(
  api: Api,
  request: ApiRequest,
  signal: AbortSignal,
  { complete = false }: { readonly complete?: boolean } = {},
): AsyncGenerator<unknown> {
  for await (const { data } of listPages(api, request, { kind: 'all', complete }, signal)) yield* data as unknown[];
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

async function* manyPages(
  api: Api,
  request: ApiRequest,
  extent: Extract<Extent, { kind: 'count' | 'all' }>,
  signal: AbortSignal,
  notices: ListNotices,
): AsyncGenerator<Answer> {
  const wanted = extent.kind === 'all' ? Number.POSITIVE_INFINITY : extent.count;
  const news = newsOf();
  const list = { printed: 0, repeated: 0, changed: false, first: undefined as number | undefined, total: undefined as number | undefined };
  const isComplete = extent.kind === 'all' && extent.complete === true;
  const position: { page: number; last?: number } = { page: 1 };
  const end = api.begin((elapsed) => ({ text: `Reading ${listNoun(request)}${pageText(position)}`, tail: elapsed }));
  try {
    for await (const { answer, page, last, isExtra } of aheadOfReader(
      api,
      request,
      Math.min(wanted, largestPage),
      wanted,
      isComplete,
      signal,
    )) {
      const records = recordsOf(answer, request);
      const { fresh, isNew } = news(records);
      const total = answer.meta?.total;
      if (page === 1 && extent.kind === 'all' && total !== undefined && total > limits.longList) notices.long?.(total);
      list.first ??= total;
      // Some services send the last page again when asked for a later page.
      if (isNew || !isExtra) list.repeated += records.length - fresh.length;
      list.changed ||= list.total !== undefined && total !== undefined && total !== list.total;
      list.total = total ?? list.total;
      const kept = fresh.slice(0, wanted - list.printed);
      list.printed += kept.length;
      if (list.printed === 0 && total) throw noneOf(total, request);
      if (!isNew && page < last && !isExtra) throw nothingNew(page, answer, request);
      if (kept.length > 0 || page === 1) yield { ...answer, data: kept };
      if (list.printed >= wanted || !isNew) break;
      position.page = page + 1;
      if (answer.meta !== undefined) position.last = Math.min(last, Math.ceil(wanted / Math.max(1, records.length)));
    }
  } finally {
    end();
  }
  if (isComplete && list.printed < (list.first ?? 0)) throw tooFew(list.printed, list.first ?? 0, request);
  const isShort = list.printed < Math.min(wanted, list.total ?? 0);
  if (list.repeated > 0 || list.changed || isShort) notices.moved(list.repeated);
}

/** The noun of a list, from its path: `comments` for `/api/leads/5/comments`. */
const listNoun = ({ path }: ApiRequest): string => path.slice(path.lastIndexOf('/') + 1);

/** `: page 2 of 41`. Empty while only one page is known. */
function pageText({ page, last }: { readonly page: number; readonly last?: number }): string {
  if (last === undefined) return page > 1 ? `: page ${inThousands(page)}` : '';
  return last > 1 ? `: page ${inThousands(Math.min(page, last))} of ${inThousands(last)}` : '';
}

/**
 * Returns a function that finds the new records of a page. `isNew`: the page has any new record. Records without an id are always kept.
 * Such a record counts as new when no equal record came before.
 */
function newsOf(): (records: readonly unknown[]) => { fresh: unknown[]; isNew: boolean } {
  const ids = new IdSet();
  const nameless = new Set<string>();
  return (records) => {
    const before = nameless.size;
    let numbered = 0;
    const fresh = records.filter((record) => {
      if (isMembers(record) && record.id !== undefined) {
        const isFresh = ids.add(record.id);
        if (isFresh) numbered += 1;
        return isFresh;
      }
      nameless.add(JSON.stringify(record));
      return true;
    });
    return { fresh, isNew: numbered > 0 || nameless.size > before };
  };
}

const noneOf = (total: number, request: ApiRequest): UnavailableError =>
  oddList(`The service says that there are ${total} records, and sent none of them.`, request);

function nothingNew(page: number, { meta }: Answer, request: ApiRequest): UnavailableError {
  const isTold = meta?.last_page !== undefined || meta?.total !== undefined;
  const length = isTold ? 'says that the list goes on, but' : 'does not say how long the list is, and';
  return oddList(`The service ${length} page ${page} brought nothing new.`, request);
}

const tooFew = (came: number, total: number, request: ApiRequest): UnavailableError =>
  oddList(`The service says that there are ${total} records, but only ${came} came: the list is not complete.`, request, 'Try again.');

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
  size: number,
  wanted: number,
  isComplete: boolean,
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
      const told = Math.max(lastPage(answer, page, length, perPage), isComplete ? toldLast : 1);
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
function lastPage(answer: Answer, page: number, length: number, perPage: number): number {
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
  const news = newsOf();
  for (let page: number | undefined; ; ) {
    const answer = await api.read({ ...(page === undefined ? request : withPage(request, page)), patience: 'many' });
    const data = recordsOf(answer, request);
    page ??= answer.meta?.current_page ?? 1;
    const { total, last_page: last = 1 } = answer.meta ?? {};
    if (data.length === 0 && total && page <= last) throw noneOf(total, request);
    const { isNew } = news(data);
    if (!isNew && page < last) throw nothingNew(page, answer, request);
    yield { ...answer, data };
    if (page >= last) return;
    page += 1;
  }
}

function withPage(request: ApiRequest, page: number): ApiRequest {
  return pageRequest({ ...request, query: (request.query ?? []).filter(([name]) => name !== 'page') }, page, undefined);
}
