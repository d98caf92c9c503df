// Whether what a run created is still there: the same records, not others that were given the same ids.

import type { Api } from '../api/client.ts';
import { recordOf } from '../api/envelope.ts';
import { allRecords } from '../api/paging.ts';
import { createShape } from '../bodies/shapes.ts';
import { NotFoundError } from '../errors.ts';
import type { Resource } from '../resources/define.ts';
import { couldBeFrom, idOf } from '../runs/readback.ts';
import { scalarText } from '../values/json.ts';
import type { Id } from '../values/parse.ts';
import { valueAt } from '../values/paths.ts';
import type { ValueType } from '../values/value-type.ts';
import type { MadeBesides } from './actions.ts';
import { familyOf } from './language/find.ts';
import { type LedgerRecord, type LedgerState, madeBy } from './ledger.ts';

/**
 * What has the id of a record that a run created. `own`: that record, whatever people changed in it. `other`: another one,
 * because the service was reset and gave the id anew. `unclear`: nothing of what was sent is in it, and its age doesn't
 * tell either.
 */
export type Standing = 'own' | 'other' | 'unclear';

const telling: ReadonlySet<ValueType['kind']> = new Set(['text', 'email', 'decimal', 'date']);

/** How much a service may cut off its times, in milliseconds. */
const roughness = 1000;

/** Clocks and time zones don't differ by more than this, in milliseconds. */
const mostSkew = 24 * 60 * 60 * 1000;

/** What a record is to a run that created `own` at its id; `began`: when the run did. */
export function standingOf(resource: Resource, there: unknown, own: LedgerRecord, began: string | undefined): Standing {
  if (hasOwnValues(resource, there, own)) return 'own';
  const created = Date.parse(scalarText(valueAt(there, 'dates.created')));
  const [from, to] = [Date.parse(began ?? ''), Date.parse(own.at ?? '')];
  // A comparison with a time that isn't known is false.
  if (created >= from - roughness && created <= to + roughness) return 'own';
  return created < from - mostSkew || created > to + mostSkew ? 'other' : 'unclear';
}

/** Whether something of what was sent is still to be seen in a record: people may have changed the rest. */
function hasOwnValues(resource: Resource, record: unknown, { body }: LedgerRecord): boolean {
  const told = createShape(resource).fields.filter(
    ({ type, wire, read }) => telling.has(type.kind) && read !== undefined && (body.get(wire) ?? '') !== '',
  );
  return told.length === 0 || told.some((field) => couldBeFrom([field], record, body));
}

/** Whether a record is what an action made, by what is known of that. */
export function isMade({ known }: MadeBesides, record: unknown): boolean {
  return Object.entries(known).every(([member, value]) => scalarText(valueAt(record, member)).toLowerCase() === value.toLowerCase());
}

/** So many records are looked at one by one before whole lists are read. */
const mostSamples = 20;

/** What is to be seen of a run: records of its own, or none but unclear ones, which are given, or nothing. */
export type Remains = { readonly has: 'own' | 'nothing' } | { readonly has: 'unclear'; readonly unclear: readonly LedgerRecord[] };

/** What there is of the records that a run is known to have created. Throws what Api.read throws. */
export async function remainsOf(api: Api, state: LedgerState, signal: AbortSignal): Promise<Remains> {
  const created = state.all().filter((record) => record.state === 'created');
  const step = Math.max(1, Math.floor(created.length / mostSamples));
  const samples = created.filter((_, index) => index % step === 0);
  const unclear = new Set<LedgerRecord>();
  const isOwn = (there: unknown, resource: Resource, record: LedgerRecord): boolean => {
    const standing = standingOf(resource, there, record, state.began);
    if (standing === 'unclear') unclear.add(record);
    return standing === 'own';
  };
  for (const record of samples)
    if (await isAt(api, record.type, record.id, (there, resource) => isOwn(there, resource, record))) return { has: 'own' };
  // A conversion may have deleted its lead, and nothing but what it made is there.
  const made = created.flatMap(({ acts }) => madeBy(acts)).slice(0, mostSamples);
  for (const one of made) if (await isAt(api, one.type, one.id, (there) => isMade(one, there))) return { has: 'own' };
  if (samples.length < created.length) {
    for (const [type, records] of Map.groupBy(created, ({ type }) => type))
      if (await isAnyListed(api, type, records, isOwn, signal)) return { has: 'own' };
  }
  return unclear.size === 0 ? { has: 'nothing' } : { has: 'unclear', unclear: [...unclear] };
}

/** Whether there is a record with that id, and it is the one that is meant. */
async function isAt(
  api: Api,
  type: string,
  id: Id | undefined,
  isMeant: (there: unknown, resource: Resource) => boolean,
): Promise<boolean> {
  const resource = familyOf(type);
  if (resource === undefined) return false;
  try {
    return isMeant(recordOf(await api.read({ method: 'GET', path: `${resource.path}/${id}` })), resource);
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

async function isAnyListed(
  api: Api,
  type: string,
  records: readonly LedgerRecord[],
  isOwn: (there: unknown, resource: Resource, record: LedgerRecord) => boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const resource = familyOf(type);
  if (resource === undefined) return false;
  const own = new Map(records.map((record) => [scalarText(record.id), record]));
  for await (const listed of allRecords(api, { method: 'GET', path: resource.path }, signal)) {
    const record = own.get(scalarText(idOf(listed)));
    if (record !== undefined && isOwn(listed, resource, record)) return true;
  }
  return false;
}
