// What became of rows whose answer was lost: the newest records that hold what they sent, and that no other row made.

import type { Api } from '../api/client.ts';
import { allRecords } from '../api/paging.ts';
import { createShape } from '../bodies/shapes.ts';
import type { Field, Resource } from '../resources/define.ts';
import type { Body } from '../values/body.ts';
import { scalarText } from '../values/json.ts';
import type { Id } from '../values/parse.ts';
import { valueAt } from '../values/paths.ts';
import { creationOrder } from './creation-order.ts';
import { commonKey, commonKeyOf, type Fit, fitOf, idOf } from './readback.ts';

/** A row that may have made a record. */
export interface Doubt {
  readonly row: number;
  /** The create body that was sent, or would have been. */
  readonly body: Body;
  /** The row made a record for certain, and nobody knows which: it comes first. */
  readonly isCertain?: true;
}

export interface Search {
  /** Records up to this id were there before the import began. */
  readonly before: number;
  /** What the rows made is above this id, or not far below: services don't always number in order. */
  readonly floor: number;
  /** Records that other rows made. */
  readonly isClaimed: (id: Id) => boolean;
  /** Told of each record that was looked at, and is new and unclaimed. */
  readonly seen?: (record: unknown, id: Id) => void;
  readonly signal: AbortSignal;
}

/** How far below the floor records are still looked at. */
const slack = 200;

/** The records of rows in doubt, newest first: row number to id. A row that is not there made none. Throws what Api.read throws. */
export async function findDoubts(api: Api, resource: Resource, doubts: readonly Doubt[], search: Search): Promise<Map<number, Id>> {
  const { fields } = createShape(resource);
  const waiting = Map.groupBy(
    doubts.toSorted((a, b) => Number(b.isCertain ?? false) - Number(a.isCertain ?? false)),
    ({ body }) => commonKey(fields, body),
  );
  const found = new Map<number, Id>();
  const take = ({ doubt, among }: Best, id: Id): void => {
    among.splice(among.indexOf(doubt), 1);
    found.set(doubt.row, id);
  };
  // A service may fill in what was not sent; but a record without anything else is taken first.
  const fuller: { readonly id: Id; readonly record: unknown }[] = [];
  const bestFor = (record: unknown): Best | undefined => bestOf(fields, record, waiting.get(commonKeyOf(fields, record)) ?? []);
  const isBehind = endOfSearch(resource, Math.max(search.before, search.floor - slack));
  for await (const record of newestRecords(api, resource, search.signal)) {
    if (found.size === doubts.length || isBehind(record)) break;
    const id = idOf(record);
    if (id === undefined || isOld(id, search.before) || search.isClaimed(id)) continue;
    search.seen?.(record, id);
    const best = bestFor(record);
    if (best?.others === 0) take(best, id);
    else if (best !== undefined) fuller.push({ id, record });
  }
  for (const { id, record } of fuller) {
    const best = bestFor(record);
    if (best !== undefined) take(best, id);
  }
  return found;
}

interface Best extends Fit {
  readonly doubt: Doubt;
  readonly among: Doubt[];
}

/** The doubt that sent the most of what a record holds. */
function bestOf(fields: readonly Field[], record: unknown, among: Doubt[]): Best | undefined {
  let best: Best | undefined;
  for (const doubt of among) {
    const fit = fitOf(fields, record, doubt.body);
    if (fit !== undefined && fit.held > (best?.held ?? -1)) best = { ...fit, doubt, among };
  }
  return best;
}

/** The rows among these that sent the same of what every record tells as some in doubt did. */
export function rivalsOf(resource: Resource, doubts: readonly Doubt[]): (body: Body) => boolean {
  const { fields } = createShape(resource);
  const keys = new Set(doubts.map(({ body }) => commonKey(fields, body)));
  return (body) => keys.has(commonKey(fields, body));
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
