// The newest records of a family, and what of the service's own times can be relied upon: times of several clocks, cut to
// seconds or minutes, in lists that may lag or come in another order than was asked for.

import type { Api } from '../../api/client.ts';
import { allRecords, largestPage } from '../../api/paging.ts';
import { otherServiceHint } from '../../api/problem.ts';
import type { ApiRequest } from '../../api/types.ts';
import { NotFoundError, UnavailableError } from '../../errors.ts';
import type { Resource } from '../../resources/define.ts';
import { scalarText } from '../../values/json.ts';
import type { Id } from '../../values/parse.ts';
import { isMembers, valueAt } from '../../values/paths.ts';
import type { Baseline, Run } from '../journal/run.ts';
import type { MadeRecord } from '../step.ts';

/** How far times of one service are usually off, in milliseconds. */
export const slack = 60_000;
/** How far at the most: clocks are set back, and tell local time under daylight saving. */
export const day = 86_400_000;
/** So many records are looked through for those whose times are off by more than usual. */
const farRecords = 2000;

/** The query that lists a family's oldest or newest records first; empty for one that can't be sorted so. */
export function creationOrder({ sort }: Resource, order: 'asc' | 'desc'): [string, string][] {
  if (sort.created === undefined) return [];
  return [
    ['sort', sort.created],
    ['order', order],
  ];
}

/** A record's id, a number where that holds it exactly; undefined when it has none. */
export function idOf(record: unknown): Id | undefined {
  const id = isMembers(record) ? record.id : undefined;
  if (typeof id === 'number') return id;
  const text = scalarText(id);
  return text === '' ? undefined : text;
}

/** The record that the answer to a create tells of. */
export function createdRecord({ name }: Resource, data: unknown): MadeRecord {
  const id = idOf(data);
  return { family: name, ...(id === undefined ? {} : { id }), sure: id !== undefined, own: true };
}

/** When the service says that a record was created; undefined where it doesn't. */
export const createdOf = (record: unknown): string | undefined => scalarText(valueAt(record, 'dates.created')) || undefined;

/** When the service says that a record was last changed; undefined where it doesn't. */
export const updatedOf = (record: unknown): string | undefined => scalarText(valueAt(record, 'dates.updated')) || undefined;

/** A time of the service in milliseconds; undefined for what is none. */
export function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Notes the newest records of a family before the run writes to it: those that were created up to a minute before the
 * newest, and up to a day as far as there are not too many, so that a time alone never makes one of them new. Throws what
 * Api.read throws.
 */
export async function noteBaseline(api: Api, resource: Resource, run: Run, signal: AbortSignal): Promise<void> {
  if (run.baseline(resource.name) !== undefined) return;
  const ids = new Set<string>();
  let newest: string | undefined;
  for await (const record of recordsSince(api, resource, { since: 'newest', isFar: true }, signal)) {
    ids.add(scalarText(idOf(record)));
    newest = later(newest, createdOf(record));
  }
  run.noteBaseline(resource.name, { ids, ...(newest === undefined ? {} : { newest }) });
}

/** The later of two times of the service; what is none doesn't count. */
const later = (one: string | undefined, other: string | undefined): string | undefined =>
  (timeOf(other) ?? Number.NEGATIVE_INFINITY) > (timeOf(one) ?? Number.NEGATIVE_INFINITY) ? other : one;

/** One page of the newest records; `more`: what they are chosen by. Throws what Api.read throws. */
export async function newestPage(api: Api, resource: Resource, more: readonly [string, string][] = []): Promise<readonly unknown[]> {
  const query: [string, string][] = [...creationOrder(resource, 'desc'), ...more, ['limit', String(largestPage)], ['page', '1']];
  const { data } = await api.read({ method: 'GET', path: resource.path, query }).catch((error: unknown) => {
    throw unlisted(error);
  });
  return Array.isArray(data) ? data : [];
}

/** Every record of a family's list. Throws UnavailableError where the list isn't found, and what `allRecords` throws otherwise. */
export async function* recordsListed(api: Api, request: ApiRequest, signal: AbortSignal): AsyncGenerator<unknown> {
  try {
    yield* allRecords(api, request, signal);
  } catch (error) {
    throw unlisted(error);
  }
}

/** The error of a list: one that isn't found says that a 404 of this service tells of no record. */
export function unlisted(error: unknown): unknown {
  if (!(error instanceof NotFoundError)) return error;
  const { request } = error.details;
  const message = `The service answers 404 to ${request?.path}, where a list is: nobody can tell what is there.`;
  return new UnavailableError(message, { httpStatus: 404, hint: otherServiceHint, ...(request && { request }), cause: error });
}

/** Whether a service was met that answers 404 where a list is. */
export const isNowhere = (error: unknown): boolean => error instanceof UnavailableError && error.details.httpStatus === 404;

/** Whether a record came about after the baseline was noted, as far as that can be told. */
export function isNew(record: unknown, { ids, newest }: Baseline): boolean {
  const id = scalarText(idOf(record));
  if (ids.has(id)) return false;
  const [created, before] = [timeOf(createdOf(record)), timeOf(newest)];
  if (created !== undefined) return before === undefined || created >= before - day;
  // Without times only the ids have an order.
  return [...ids].every((one) => !(Number(one) >= Number(id)));
}

/**
 * Records of a family, the newest first, as far back as they are wanted; of a service that doesn't list them in that
 * order, all. Archived ones come, too. Throws what Api.read throws, and UnavailableError when fewer came than the service
 * told of.
 */
export async function* recordsSince(
  api: Api,
  resource: Resource,
  reach: {
    /** In milliseconds of the service's time; `newest`: the newest record that comes. Undefined: all. A minute more is read in any case. */
    readonly since: number | 'newest' | undefined;
    /** Then a day more, if that is no more than 2,000 records. */
    readonly isFar: boolean;
    /** The time of the newest record that was there: a list that begins before it begins at the wrong end. */
    readonly newest?: number | undefined;
  },
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  const { since, isFar, newest = Number.NEGATIVE_INFINITY } = reach;
  const list = {
    isOrdered: resource.sort.created !== undefined,
    oldest: typeof since === 'number' ? since - slack : Number.NEGATIVE_INFINITY,
  };
  for (const [index, more] of [[], ...archivedQueries(resource)].entries()) {
    const query = [...creationOrder(resource, 'desc'), ...more];
    let before = Number.POSITIVE_INFINITY;
    let [old, ancient] = [0, 0];
    for await (const record of allRecords(api, { method: 'GET', path: resource.path, query }, signal, { complete: true })) {
      const created = timeOf(createdOf(record));
      if (since === 'newest') list.oldest = Math.max(list.oldest, (created ?? Number.NEGATIVE_INFINITY) - slack);
      const isFirst = index === 0 && before === Number.POSITIVE_INFINITY;
      if (created === undefined || created > before + slack || (isFirst && created < newest - slack)) list.isOrdered = false;
      before = Math.min(before, created ?? before);
      yield record;
      // A whole page of old ones in their order, and nothing new comes behind them.
      old = before < list.oldest ? old + 1 : 0;
      ancient = before < list.oldest - day ? ancient + 1 : 0;
      if (list.isOrdered && (ancient >= largestPage || old >= (isFar ? farRecords : largestPage))) break;
    }
  }
}

/** The query that lists what is put away, where a family has such a state. */
function archivedQueries({ filters }: Resource): [string, string][][] {
  return filters.flatMap(({ wire, type }) =>
    type.kind === 'choice' && type.values.includes('archived') ? [[[wire, 'archived'] as [string, string]]] : [],
  );
}
