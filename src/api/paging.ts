// Lists, page by page (interface: conventions, `meta`; Limits, `limit`): how many pages, in order, each record once.

import { isMembers } from '../values/paths.ts';
import type { Api } from './client.ts';
import { IdSet } from './id-set.ts';
import type { Answer, ApiRequest } from './types.ts';

/** The most records that the service puts on one page (interface: Limits). */
export const largestPage = 100;

/** How many pages are requested ahead of the one that is read. */
const pagesAhead = 3;

export type Extent =
  /** The service's own first page. */
  | { readonly kind: 'first' }
  /** One page, and its size when given. */
  | { readonly kind: 'page'; readonly page: number; readonly size?: number }
  /** This many records in all. */
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'all' };

/** What a reader should know about a list, beyond its records. */
export interface ListNotices {
  /** There is more than what was asked for: `shown` of `total` records. */
  more(shown: number, total: number | undefined): void;
  /** The page that was asked for comes after the last one; the list holds `total` records. */
  beyond?(last: number, total: number): void;
  /** The list changed while it was read; `repeated` records came again. */
  moved(repeated: number): void;
}

/**
 * The pages of a list, pulled one at a time; leaving the loop early cancels the pages requested ahead.
 * Throws what Api.read throws.
 */
export async function* listPages(
  api: Api,
  request: ApiRequest,
  extent: Extent,
  signal: AbortSignal,
  notices: ListNotices,
): AsyncGenerator<Answer> {
  if (extent.kind === 'first' || extent.kind === 'page') {
    yield* onePage(api, request, extent, notices);
    return;
  }
  yield* manyPages(api, request, extent.kind === 'all' ? Number.POSITIVE_INFINITY : extent.count, signal, notices);
}

/** Every record of a list, without notices; like `listPages`. */
export async function* allRecords(api: Api, request: ApiRequest, signal: AbortSignal): AsyncGenerator<unknown> {
  const silent = { more: () => {}, moved: () => {} };
  for await (const { data } of listPages(api, request, { kind: 'all' }, signal, silent)) yield* data as unknown[];
}

async function* onePage(
  api: Api,
  request: ApiRequest,
  extent: Extract<Extent, { kind: 'first' | 'page' }>,
  notices: ListNotices,
): AsyncGenerator<Answer> {
  const answer = await api.read(extent.kind === 'page' ? pageRequest(request, extent.page, extent.size) : request);
  const records = recordsOf(answer);
  yield { ...answer, data: records };
  const { total, last_page: last, current_page: current } = answer.meta ?? {};
  const isLast = last === undefined ? records.length >= (total ?? 0) : (current ?? 1) >= last;
  if (extent.kind === 'first' && !isLast) notices.more(records.length, total);
  const isBeyond = extent.kind === 'page' && records.length === 0 && last !== undefined && extent.page > last;
  if (isBeyond && total) notices.beyond?.(last, total);
}

async function* manyPages(
  api: Api,
  request: ApiRequest,
  wanted: number,
  signal: AbortSignal,
  notices: ListNotices,
): AsyncGenerator<Answer> {
  const size = Math.min(wanted, largestPage);
  const seen = new IdSet();
  const list = { page: 0, announced: 1, printed: 0, repeated: 0, changed: false, total: undefined as number | undefined };
  for await (const answer of aheadOfReader(api, request, size, wanted, signal)) {
    const records = recordsOf(answer);
    const fresh = records.filter((record) => !isMembers(record) || record.id === undefined || seen.add(record.id));
    const total = answer.meta?.total;
    list.page += 1;
    if (list.page === 1) list.announced = answer.meta?.last_page ?? 1;
    list.repeated += records.length - fresh.length;
    list.changed ||= list.total !== undefined && total !== undefined && total !== list.total;
    list.total = total ?? list.total;
    const kept = fresh.slice(0, wanted - list.printed);
    list.printed += kept.length;
    if (kept.length > 0 || list.printed === 0) yield { ...answer, data: kept };
    // After the announced pages, a page with nothing new is the end: some services would go on for ever.
    if (list.printed >= wanted || (fresh.length === 0 && list.page >= list.announced)) break;
  }
  const isShort = list.printed < Math.min(wanted, list.total ?? 0);
  if (list.repeated > 0 || list.changed || isShort) notices.moved(list.repeated);
}

/** Pages of one size, in order. Once the first has said how many there are, some are requested ahead. */
async function* aheadOfReader(api: Api, request: ApiRequest, size: number, wanted: number, signal: AbortSignal): AsyncGenerator<Answer> {
  const cancel = new AbortController();
  const either = AbortSignal.any([signal, cancel.signal]);
  const underWay: Promise<Answer>[] = [];
  let perPage: number | undefined;
  let next = 1;
  let last = 1;
  try {
    while (next <= last || underWay.length > 0) {
      const ahead = next === 1 ? 1 : pagesAhead;
      while (next <= last && underWay.length < ahead) {
        const answer = api.read(pageRequest(request, next, size), either);
        answer.catch(() => undefined);
        underWay.push(answer);
        next += 1;
      }
      const answer = await underWay.shift();
      if (answer === undefined) return;
      yield answer;
      // An installation may put fewer records on a page than it is asked for.
      perPage ??= recordsOf(answer).length || size;
      last = Math.min(Math.ceil(wanted / perPage), lastPage(answer, next, perPage));
    }
  } finally {
    cancel.abort();
  }
}

/** The number of the last page as this answer tells it; without `meta`, a page with records means that there is another. */
function lastPage(answer: Answer, next: number, perPage: number): number {
  const { last_page: last, total } = answer.meta ?? {};
  if (last !== undefined) return last;
  if (total !== undefined) return Math.ceil(total / perPage);
  return recordsOf(answer).length > 0 ? next : next - 1;
}

function pageRequest(request: ApiRequest, page: number, size: number | undefined): ApiRequest {
  const query: (readonly [string, string])[] = [...(request.query ?? [])];
  if (size !== undefined) query.push(['limit', String(size)]);
  query.push(['page', String(page)]);
  return { ...request, query };
}

/** The records of a list answer: an array as it is, a bare object as one record, nothing as none. */
function recordsOf(answer: Answer): unknown[] {
  if (Array.isArray(answer.data)) return answer.data;
  return isMembers(answer.data) && Object.keys(answer.data).length > 0 ? [answer.data] : [];
}

/** Every page of a list whose first request goes out as it is: `page=2` and on follow until `meta.last_page`. */
export async function* everyPage(api: Api, request: ApiRequest): AsyncGenerator<Answer> {
  let answer = await api.read(request);
  yield { ...answer, data: recordsOf(answer) };
  for (let page = (answer.meta?.current_page ?? 1) + 1; page <= (answer.meta?.last_page ?? 1); page += 1) {
    answer = await api.read(withPage(request, page));
    if (recordsOf(answer).length === 0) return;
    yield { ...answer, data: recordsOf(answer) };
  }
}

function withPage(request: ApiRequest, page: number): ApiRequest {
  return pageRequest({ ...request, query: (request.query ?? []).filter(([name]) => name !== 'page') }, page, undefined);
}
