// The newest records of a family, and what of the service's own times can be relied upon: times of several clocks, cut to
// seconds or minutes, in lists that may lag or come in another order than was asked for.

import type { Api } from '../api/client.ts';
import { allRecords, largestPage } from '../api/paging.ts';
import type { Resource } from '../resources/define.ts';
import { scalarText } from '../values/json.ts';
import type { Id } from '../values/parse.ts';
import { isMembers, valueAt } from '../values/paths.ts';
import type { Baseline, Journal } from './journal.ts';

/** How far times of one service may be off, in milliseconds. */
export const slack = 60_000;

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

/** When the service says that a record was created; undefined where it doesn't. */
export const createdOf = (record: unknown): string | undefined => scalarText(valueAt(record, 'dates.created')) || undefined;

/** When the service says that a record was last changed; undefined where it doesn't. */
export const updatedOf = (record: unknown): string | undefined => scalarText(valueAt(record, 'dates.updated')) || undefined;

/** A time of the service in milliseconds; undefined for what is none. */
export function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** Notes the newest page of a family before the run writes to it. Throws what Api.read throws. */
export async function noteBaseline(api: Api, resource: Resource, journal: Journal): Promise<void> {
  if (journal.baseline(resource.name) !== undefined) return;
  const records = await newestPage(api, resource);
  const times = records.map(createdOf).filter((text) => timeOf(text) !== undefined);
  const newest = times.reduce((a, b) => ((timeOf(a) ?? 0) >= (timeOf(b) ?? 0) ? a : b), undefined);
  const ids = new Set(records.map((record) => scalarText(idOf(record))));
  journal.noteBaseline(resource.name, { ids, ...(newest === undefined ? {} : { newest }) });
}

/** One page of the newest records. Throws what Api.read throws. */
export async function newestPage(api: Api, resource: Resource): Promise<readonly unknown[]> {
  const query: [string, string][] = [...creationOrder(resource, 'desc'), ['limit', String(largestPage)], ['page', '1']];
  const { data } = await api.read({ method: 'GET', path: resource.path, query });
  return Array.isArray(data) ? data : [];
}

/** Whether a record came about after the baseline was noted, as far as that can be told. */
export function isNew(record: unknown, { ids, newest }: Baseline): boolean {
  const id = scalarText(idOf(record));
  if (ids.has(id)) return false;
  const [created, before] = [timeOf(createdOf(record)), timeOf(newest)];
  if (created !== undefined) return before === undefined || created >= before - slack;
  // Without times only the ids have an order.
  return [...ids].every((one) => !(Number(one) >= Number(id)));
}

/**
 * Records of a family, the newest first, as far back as `floor` (milliseconds of the service's time); of a service that
 * doesn't list them in that order, all. Archived ones come, too. Throws what Api.read throws, and UnavailableError when
 * fewer records came than the service told of.
 */
export async function* recordsSince(api: Api, resource: Resource, floor: number | undefined, signal: AbortSignal): AsyncGenerator<unknown> {
  for (const more of [[], ...archivedQueries(resource)]) {
    const query = [...creationOrder(resource, 'desc'), ...more];
    let newest = Number.POSITIVE_INFINITY;
    let isOrdered = resource.sort.created !== undefined;
    for await (const record of allRecords(api, { method: 'GET', path: resource.path, query }, signal)) {
      const created = timeOf(createdOf(record));
      if (created === undefined || created > newest + slack) isOrdered = false;
      newest = Math.min(newest, created ?? newest);
      if (isOrdered && floor !== undefined && newest < floor - slack) break;
      yield record;
    }
  }
}

/** The query that lists what is put away, where a family has such a state. */
function archivedQueries({ filters }: Resource): [string, string][][] {
  return filters.flatMap(({ wire, type }) =>
    type.kind === 'choice' && type.values.includes('archived') ? [[[wire, 'archived'] as [string, string]]] : [],
  );
}
