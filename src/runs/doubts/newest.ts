// Reads the newest records of a family, and judges the service's times. The times come from several clocks, are cut to seconds or minutes,
// and stand in lists that may lag or be in another order than requested.

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

/** The usual difference of a service's clocks, in milliseconds. */
export const slack = 60_000;
/** The largest difference, in milliseconds: clocks are set back, and some tell local time with daylight saving. */
export const day = 86_400_000;
/** The most records that are read because of larger differences. */
const farRecords = 2000;

/** The query for a family's oldest or newest records first; empty when the family can't be sorted so. */
export function creationOrder({ sort }: Resource, order: 'asc' | 'desc'): [string, string][] {
  if (sort.created === undefined) return [];
  return [
    ['sort', sort.created],
    ['order', order],
  ];
}

/** A record's id: a number when safe, else its digits. Undefined without an id. */
export function idOf(record: unknown): Id | undefined {
  const id = isMembers(record) ? record.id : undefined;
  if (typeof id === 'number') return id;
  const text = scalarText(id);
  return text === '' ? undefined : text;
}

/** The record in the answer to a create. */
export function createdRecord({ name }: Resource, data: unknown): MadeRecord {
  const id = idOf(data);
  return { family: name, ...(id === undefined ? {} : { id }), sure: id !== undefined, own: true };
}

/** The service's time of a record's creation; undefined when missing. */
export const createdOf = (record: unknown): string | undefined => scalarText(valueAt(record, 'dates.created')) || undefined;

/** The service's time of a record's last change; undefined when missing. */
export const updatedOf = (record: unknown): string | undefined => scalarText(valueAt(record, 'dates.updated')) || undefined;

/** A time of the service in milliseconds; undefined for another text. */
export function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Notes the newest records of a family before the run writes to it: all from the last minute before the newest, and up to a day back
 * unless there are too many. So a time alone never makes an old record look new. Throws the errors of Api.read.
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

/** The later of two times of the service. A missing time doesn't count. */
const later = (one: string | undefined, other: string | undefined): string | undefined =>
  (timeOf(other) ?? Number.NEGATIVE_INFINITY) > (timeOf(one) ?? Number.NEGATIVE_INFINITY) ? other : one;

/** A page of the newest records. `more` are further filters. Throws the errors of Api.read. */
export async function newestPage(api: Api, resource: Resource, more: readonly [string, string][] = []): Promise<readonly unknown[]> {
  const query: [string, string][] = [...creationOrder(resource, 'desc'), ...more, ['limit', String(largestPage)], ['page', '1']];
  const { data } = await api.read({ method: 'GET', path: resource.path, query }).catch((error: unknown) => {
    throw unlisted(error);
  });
  return Array.isArray(data) ? data : [];
}

/** Every record of a family's list. Throws UnavailableError when the list isn't found, and the errors of `allRecords`. */
export async function* recordsListed(api: Api, request: ApiRequest, signal: AbortSignal): AsyncGenerator<unknown> {
  try {
    yield* allRecords(api, request, signal);
  } catch (error) {
    throw unlisted(error);
  }
}

/** The error of a list. When the list isn't found, a 404 of this service says nothing about a record. */
export function unlisted(error: unknown): unknown {
  if (!(error instanceof NotFoundError)) return error;
  const { request } = error.details;
  const message = `The service answers 404 to ${request?.path}, where a list is: nobody can tell what is there.`;
  return new UnavailableError(message, { httpStatus: 404, hint: otherServiceHint, ...(request && { request }), cause: error });
}

/** True for the error of a service that answers 404 to a list. */
export const isNowhere = (error: unknown): boolean => error instanceof UnavailableError && error.details.httpStatus === 404;

/** True when a record was created after the baseline was noted, as far as its id and times tell. */
export function isNew(record: unknown, { ids, newest }: Baseline): boolean {
  const id = scalarText(idOf(record));
  if (ids.has(id)) return false;
  const [created, before] = [timeOf(createdOf(record)), timeOf(newest)];
  if (created !== undefined) return before === undefined || created >= before - day;
  // Without times, only ids have an order.
  return [...ids].every((one) => !(Number(one) >= Number(id)));
}

/**
 * The records of a family, the newest first, as far back as wanted, archived ones too. All records, when the service doesn't list them
 * in this order. Throws the errors of Api.read, and UnavailableError when fewer records came than the service's total.
 */
export async function* recordsSince(
  api: Api,
  resource: Resource,
  reach: {
    /**
     * The service's time in milliseconds up to which records are read, and a minute more. `newest`: the time of the newest record.
     * Undefined: all records.
     */
    readonly since: number | 'newest' | undefined;
    /** True: a day more, unless that is more than 2,000 records. */
    readonly isFar: boolean;
    /** The time of the newest record before. A list that begins earlier begins at the wrong end. */
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
      // After a whole page of old records in their order, no new ones follow.
      old = before < list.oldest ? old + 1 : 0;
      ancient = before < list.oldest - day ? ancient + 1 : 0;
      if (list.isOrdered && (ancient >= largestPage || old >= (isFar ? farRecords : largestPage))) break;
    }
  }
}

/** The query for archived records, when the family has such a state. */
function archivedQueries({ filters }: Resource): [string, string][][] {
  return filters.flatMap(({ wire, type }) =>
    type.kind === 'choice' && type.values.includes('archived') ? [[[wire, 'archived'] as [string, string]]] : [],
  );
}
