// Reads records of a family: the newest ones, and single ones.

import { NotFoundError, UnavailableError } from '../../base/errors.ts';
import { scalarText } from '../../base/values/json.ts';
import type { Id } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import type { Api } from '../../client/client.ts';
import { recordsOf } from '../../client/envelope.ts';
import { allRecords, largestPage, listPages } from '../../client/paging.ts';
import { otherServiceHint } from '../../client/problem.ts';
import { readRecord } from '../../client/read-record.ts';
import type { ApiRequest } from '../../client/types.ts';
import type { Resource } from '../../model/define.ts';
import { familyNamed } from '../../model/resources/index.ts';
import type { MadeRecord } from '../step.ts';

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
 * The newest records of a family, by id. Without a baseline, the newest hundred. With a baseline, the records above its lowest one: stamps
 * of creation are cut to seconds, so new records may stand among those of the baseline. Reads the whole list when a page does not come
 * newest first. Throws the errors of Api.read, and UnavailableError when fewer records came than the service's total.
 */
export async function newestRecords(
  api: Api,
  resource: Resource,
  baseline: ReadonlySet<string> | undefined,
  signal: AbortSignal,
): Promise<Map<string, unknown>> {
  const request = { method: 'GET' as const, path: resource.path, query: creationOrder(resource, 'desc') };
  const read: [id: string, record: unknown][] = [];
  const isNew = ([id]: readonly [string, unknown]): boolean => baseline?.has(id) !== true;
  let isOrdered = resource.sort.created !== undefined;
  for await (const { data } of listPages(api, request, { kind: 'all', complete: true }, signal)) {
    const page = (data as unknown[]).map((record) => [scalarText(idOf(record)), record] as [string, unknown]);
    read.push(...page);
    isOrdered &&= comesNewestFirst(page.map(([, record]) => record));
    const first = baseline === undefined ? 0 : read.findIndex((one) => !isNew(one));
    if (!isOrdered || first === -1 || read.length - first < largestPage) continue;
    const end = baseline === undefined ? read.length : read.findLastIndex((one) => !isNew(one));
    return new Map(read.slice(0, end).filter(isNew));
  }
  return new Map(read.filter(isNew));
}

/** True when the first record of a page was created after the last one, or at the same time. */
function comesNewestFirst(page: readonly unknown[]): boolean {
  const [first, last] = [page[0], page.at(-1)].map((record) => timeOf(createdOf(record)));
  return page.length < 2 || (first !== undefined && last !== undefined && first >= last);
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
