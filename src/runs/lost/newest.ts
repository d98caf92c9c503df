// Reads records of a family, the newest and single ones, and judges the service's times. The times come from several clocks, are cut to
// seconds or minutes, and stand in lists that may lag or be in another order than requested.

import { NotFoundError, UnavailableError } from '../../base/errors.ts';
import { scalarText } from '../../base/values/json.ts';
import type { Id } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import type { Api } from '../../client/client.ts';
import { recordsOf } from '../../client/envelope.ts';
import { allRecords, largestPage } from '../../client/paging.ts';
import { otherServiceHint } from '../../client/problem.ts';
import { readRecord } from '../../client/read-record.ts';
import type { ApiRequest } from '../../client/types.ts';
import type { Resource } from '../../model/define.ts';
import { familyNamed } from '../../model/resources/index.ts';
import type { Run } from '../journal/run.ts';
import type { MadeRecord } from '../step.ts';

/** The usual difference of a service's clocks, in milliseconds. */
const slack = 60_000;

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
  const created = createdOf(data);
  return {
    family: name,
    ...(id === undefined ? {} : { id }),
    sure: id !== undefined,
    own: true,
    ...(created === undefined ? {} : { created }),
  };
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

/** Notes the newest records of a family before the run writes to it. Throws the errors of Api.read. */
export async function noteBaseline(api: Api, resource: Resource, run: Run, signal: AbortSignal): Promise<void> {
  if (run.baseline(resource.name) !== undefined) return;
  const ids = new Set<string>();
  for (const more of queriesOf(resource)) {
    let count = 0;
    for await (const { record, isOrdered } of newestFirst(api, resource, more, signal)) {
      ids.add(scalarText(idOf(record)));
      count += 1;
      if (isOrdered && count === largestPage) break;
    }
  }
  run.noteBaseline(resource.name, ids);
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

/**
 * The records of a family that are not in its baseline, by id. The list is read until a page full of records has followed the first one of
 * the baseline, because a service has several clocks. What stands below a full baseline is old. Throws the errors of Api.read, and
 * UnavailableError when fewer records came than the service's total.
 */
export async function recordsSince(
  api: Api,
  resource: Resource,
  baseline: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const more of queriesOf(resource)) {
    const list = { below: [] as [string, unknown][], since: 0, isOld: false };
    for await (const { record, isOrdered } of newestFirst(api, resource, more, signal)) {
      const id = scalarText(idOf(record));
      const isKnown = baseline.has(id);
      if (isKnown) for (const [above, one] of list.below.splice(0)) found.set(above, one);
      else list.below.push([id, record]);
      if (isKnown || list.since > 0) list.since += 1;
      list.isOld = isOrdered && list.since > 0 && baseline.size >= largestPage;
      if (list.isOld && list.since > largestPage) break;
    }
    if (!list.isOld) for (const [id, record] of list.below) found.set(id, record);
  }
  return found;
}

/** The records of a list, the newest first. `isOrdered`: as far as their times tell, the service lists them so. */
async function* newestFirst(
  api: Api,
  resource: Resource,
  more: readonly [string, string][],
  signal: AbortSignal,
): AsyncGenerator<{ readonly record: unknown; readonly isOrdered: boolean }> {
  const query = [...creationOrder(resource, 'desc'), ...more];
  let isOrdered = resource.sort.created !== undefined;
  let before = Number.POSITIVE_INFINITY;
  for await (const record of allRecords(api, { method: 'GET', path: resource.path, query }, signal, { complete: true })) {
    const created = timeOf(createdOf(record));
    isOrdered &&= created !== undefined && created <= before + slack;
    before = Math.min(before, created ?? before);
    yield { record, isOrdered };
  }
}

/** The queries for all records: the usual list, and that of archived records when the family has such a state. */
function queriesOf({ filters }: Resource): [string, string][][] {
  const archived = filters.filter(({ type }) => type.kind === 'choice' && type.values.includes('archived'));
  return [[], ...archived.map(({ wire }): [string, string][] => [[wire, 'archived']])];
}

/** True when two times of creation belong to different records. False when a time is missing. */
export function isAnother(one: string | undefined, other: string | undefined): boolean {
  const [first, second] = [timeOf(one), timeOf(other)];
  return first !== undefined && second !== undefined && Math.floor(first / 1000) !== Math.floor(second / 1000);
}

/** True when a family has a record with this id. Throws the errors of Api.read. */
export const isThere = async (api: Api, family: string, id: Id | undefined): Promise<boolean> =>
  (await recordAt(api, `${familyNamed(family)?.path}/${id}`)) !== undefined;

/**
 * The record at a path. Undefined when neither the record is found, nor again after its list was found. Throws UnavailableError when the
 * list isn't found, and the errors of Api.read.
 */
export async function recordAt(api: Api, path: string): Promise<unknown> {
  const found = await recordFound(api, path);
  if (found !== undefined) return found;
  const query = [
    ['limit', '1'],
    ['page', '1'],
  ] as const;
  const list = { method: 'GET' as const, path: path.slice(0, path.lastIndexOf('/')), query };
  const answer = await api.read(list).catch((error: unknown) => {
    throw unlisted(error);
  });
  recordsOf(answer, list);
  return recordFound(api, path);
}

/** The record at a path; undefined when it isn't found. */
export async function recordFound(api: Api, path: string): Promise<unknown> {
  try {
    return await readRecord(api, path);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
