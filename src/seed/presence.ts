// Whether what a run created is still there: the same records, not others that were given the same ids.

import type { Api } from '../api/client.ts';
import { recordOf } from '../api/envelope.ts';
import { allRecords } from '../api/paging.ts';
import { couldBeFrom, idOf } from '../bulk/readback.ts';
import { NotFoundError } from '../errors.ts';
import { scalarText } from '../json.ts';
import { valueAt } from '../paths.ts';
import type { Resource, ValueType } from '../resources/define.ts';
import type { Id } from '../values.ts';
import { createShape } from '../verbs/flags.ts';
import type { MadeBesides } from './actions.ts';
import { familyOf } from './find.ts';
import { type LedgerRecord, type LedgerState, madeBy } from './ledger.ts';

const telling: ReadonlySet<ValueType['kind']> = new Set(['text', 'email', 'decimal', 'date']);

/** Whether something of what was sent is still to be seen in a record: people may have changed the rest. */
export function couldBeOwn(resource: Resource, record: unknown, { body }: Pick<LedgerRecord, 'body'>): boolean {
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

/** Whether at least one of a run's records is still there, or may be. */
export async function isStillThere(api: Api, state: LedgerState, signal: AbortSignal): Promise<boolean> {
  const all = state.all();
  const isTold = all.some(({ state }) => state === 'created') && !all.some(({ state }) => state === 'in doubt');
  return !isTold || isAnyThere(api, state, signal);
}

/** Whether at least one of the records that a run is known to have created is there. */
export async function isAnyThere(api: Api, state: LedgerState, signal: AbortSignal): Promise<boolean> {
  const created = state.all().filter(({ state }) => state === 'created');
  const step = Math.max(1, Math.floor(created.length / mostSamples));
  const samples = created.filter((_, index) => index % step === 0);
  for (const record of samples) if (await isThere(api, record)) return true;
  // A conversion may have deleted its lead, and nothing but what it made is there.
  const made = created.flatMap(({ acts }) => madeBy(acts)).slice(0, mostSamples);
  for (const one of made) if (await isMadeThere(api, one)) return true;
  if (samples.length === created.length) return false;
  const byType = Map.groupBy(created, ({ type }) => type);
  for (const [type, records] of byType) if (await isAnyListed(api, type, records, signal)) return true;
  return false;
}

function isThere(api: Api, record: LedgerRecord): Promise<boolean> {
  return isAt(api, record.type, record.id, (there, resource) => couldBeOwn(resource, there, record));
}

const isMadeThere = (api: Api, made: MadeBesides): Promise<boolean> => isAt(api, made.type, made.id, (there) => isMade(made, there));

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

async function isAnyListed(api: Api, type: string, records: readonly LedgerRecord[], signal: AbortSignal): Promise<boolean> {
  const resource = familyOf(type);
  if (resource === undefined) return false;
  const own = new Map(records.map((record) => [scalarText(record.id), record]));
  const request = { method: 'GET' as const, path: resource.path };
  for await (const listed of allRecords(api, request, signal)) {
    const record = own.get(scalarText(idOf(listed)));
    if (record !== undefined && couldBeOwn(resource, listed, record)) return true;
  }
  return false;
}
