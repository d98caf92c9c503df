// What became of rows whose answer was lost: the newest records that hold what they sent, and that no other row made.

import type { Api } from '../api/client.ts';
import { allRecords } from '../api/paging.ts';
import type { Body } from '../body.ts';
import { scalarText } from '../json.ts';
import { valueAt } from '../paths.ts';
import type { Resource } from '../resources/define.ts';
import type { Id } from '../values.ts';
import { createShape } from '../verbs/flags.ts';
import { creationOrder } from './creation-order.ts';
import { commonKey, commonKeyOf, couldBeFrom, idOf } from './readback.ts';

/** A row that may have made a record. */
export interface Doubt {
  readonly row: number;
  /** The create body that was sent, or would have been. */
  readonly body: Body;
}

export interface Search {
  /** Records up to this id were there before the import began. */
  readonly before: number;
  /** What the rows made is above this id, or not far below: services don't always number in order. */
  readonly floor: number;
  /** Records that other rows made. */
  readonly isClaimed: (id: Id) => boolean;
  readonly signal: AbortSignal;
}

/** How far below the floor records are still looked at. */
const slack = 200;

/** The records of rows in doubt, newest first: row number to id. A row that is not there made none. Throws what Api.read throws. */
export async function findDoubts(api: Api, resource: Resource, doubts: readonly Doubt[], search: Search): Promise<Map<number, Id>> {
  const { fields } = createShape(resource);
  const waiting = new Map<string, Doubt[]>();
  for (const doubt of doubts) {
    const key = commonKey(fields, doubt.body);
    waiting.set(key, [...(waiting.get(key) ?? []), doubt]);
  }
  const found = new Map<number, Id>();
  const isBehind = endOfSearch(resource, Math.max(search.before, search.floor - slack));
  for await (const record of newestRecords(api, resource, search.signal)) {
    if (found.size === doubts.length || isBehind(record)) break;
    const id = idOf(record);
    if (id === undefined || isOld(id, search.before) || search.isClaimed(id)) continue;
    const candidates = waiting.get(commonKeyOf(fields, record)) ?? [];
    const index = candidates.findIndex(({ body }) => couldBeFrom(fields, record, body));
    const [doubt] = index < 0 ? [] : candidates.splice(index, 1);
    if (doubt !== undefined) found.set(doubt.row, id);
  }
  return found;
}

/**
 * Whether the search has come to records that are older than all that rows may have made. Records of one moment come in
 * no certain order: with the first old one, all of its moment may still follow.
 */
function endOfSearch(resource: Resource, lowest: number): (record: unknown) => boolean {
  let moment: string | undefined;
  return (record) => {
    if (!isNewestFirst(resource)) return false;
    const created = momentOf(record);
    if (moment !== undefined) return created !== moment;
    if (isOld(idOf(record) ?? 0, lowest) && created !== '') moment = created;
    return false;
  };
}

/** The highest id of the newest records: what is there before an import begins. 0 when there is none. */
export async function highestId(api: Api, resource: Resource): Promise<number> {
  let highest = 0;
  let moment: string | undefined;
  for await (const record of newestRecords(api, resource, new AbortController().signal)) {
    moment ??= momentOf(record);
    if (isNewestFirst(resource) && momentOf(record) !== moment) break;
    const id = Number(idOf(record) ?? 0);
    if (id > highest) highest = id;
  }
  return highest;
}

const momentOf = (record: unknown): string => scalarText(valueAt(record, 'dates.created'));

const newestRecords = (api: Api, resource: Resource, signal: AbortSignal): AsyncGenerator<unknown> =>
  allRecords(api, { method: 'GET', path: resource.path, query: creationOrder(resource, 'desc') }, signal);

const isNewestFirst = (resource: Resource): boolean => 'created' in resource.sort;

/** Ids that are no numbers have no order: they count as new. */
const isOld = (id: Id, highest: number): boolean => Number(id) <= highest;
