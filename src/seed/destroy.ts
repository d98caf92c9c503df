// Deleting what a run created, the newest first, and noting it in the run's ledger: it may be interrupted and go on.

import type { Api } from '../api/client.ts';
import { recordOf } from '../api/envelope.ts';
import { CrmError, NotFoundError, UnauthorizedError } from '../errors.ts';
import type { Resource } from '../resources/define.ts';
import { scalarText } from '../values/json.ts';
import type { Id } from '../values/parse.ts';
import { valueAt } from '../values/paths.ts';
import { actionsOf, type Effect, type MadeBesides } from './actions.ts';
import { effectInDoubt } from './apply-acts.ts';
import { deletedElsewhere } from './deleted-elsewhere.ts';
import { quiet, settleRecords } from './doubts.ts';
import { eachAtOnce } from './each-at-once.ts';
import { familyOf } from './language/find.ts';
import { type Ledger, type LedgerRecord, madeBy } from './ledger.ts';
import { quietTime, quietTimeSince } from './legacy/lost-answers.ts';
import { isMade, type Standing, standingOf } from './presence.ts';
import type { Service } from './service.ts';

export interface DestroyOptions {
  readonly ledger: Ledger;
  readonly service: Service;
  /** Aborted: what is under way is finished, and nothing more begins. */
  readonly signal: AbortSignal;
  now(): Date;
  /** Told of each record as it is done with. */
  done(): void;
}

/** What became of a record of the run. */
export interface DestroyedRecord {
  readonly name: string;
  readonly type: string;
  readonly id: Id;
  /** `gone`: somebody else had deleted it. `left`: what has its id now is not what the run created, or may not be. */
  readonly state: 'deleted' | 'gone' | 'left' | 'failed';
}

export interface Destroyed {
  readonly records: readonly DestroyedRecord[];
  readonly failures: readonly { readonly name: string; readonly error: CrmError }[];
  /** Of those that are left, the ones that may be the run's all the same. */
  readonly unclear: readonly LedgerRecord[];
  /** Names of what took the place of records that are gone and can't be put back. */
  readonly replaced: readonly string[];
  /** What the run created and can't be deleted, in words. */
  readonly stays: readonly string[];
}

/**
 * Deletes the records of a run, or only those with some names. Failures don't stop the rest. Throws what ends it all: the
 * signal's reason, a refused key, a service that can't be reached.
 */
export async function destroyRecords(options: DestroyOptions, only?: ReadonlySet<string>): Promise<Destroyed> {
  const { ledger, signal } = options;
  const records: DestroyedRecord[] = [];
  const failures: { name: string; error: CrmError }[] = [];
  const unclear: LedgerRecord[] = [];
  const replaced: string[] = [];
  try {
    await settleDoubts(options);
    if (only === undefined) ledger.note({ did: 'destroying', at: options.now().toISOString() });
    await ledger.flush();
    const mine = ledger.state.all().filter(({ name, state, acts }) => (only?.has(name) ?? true) && isThere(state, acts));
    const going = new Set(mine);
    const elsewhere = mine.some(({ acts }) => hasUndo(acts)) ? await deletedElsewhere(ledger) : [];
    const gone = [...ledger.state.all().filter((record) => record.state === 'deleted' || going.has(record)), ...elsewhere];
    for (const group of groupsOf(mine)) {
      await eachAtOnce(group, { concurrency: options.service.concurrency, signal }, async (record) => {
        for (const one of await destroyOne(options, record, undosOf(record, gone), { failures, unclear, replaced })) records.push(one);
        options.done();
      });
    }
    if (!ledger.state.isLive) ledger.note({ did: 'destroyed', at: options.now().toISOString() });
  } finally {
    await ledger.flush();
  }
  return { records, failures, unclear, replaced, stays: staysOf(ledger, only) };
}

const hasUndo = (acts: LedgerRecord['acts']): boolean => [...acts.values()].some(({ effect }) => effect?.undo !== undefined);

const isThere = (state: LedgerRecord['state'], acts: LedgerRecord['acts']): boolean => state === 'created' || madeBy(acts).length > 0;

function staysOf({ state }: Ledger, only: ReadonlySet<string> | undefined): string[] {
  const records = state.all().filter(({ name }) => only?.has(name) ?? true);
  return records.flatMap(({ acts }) => [...acts.values()].flatMap(({ effect }) => effect?.stays ?? []));
}

/** What is in doubt may be there: it is looked for first. */
async function settleDoubts({ service, ledger, signal, now }: DestroyOptions): Promise<void> {
  const isDoubtful = (record: LedgerRecord): boolean =>
    record.state === 'in doubt' || [...record.acts.values()].some(({ state }) => state === 'in doubt');
  if (!ledger.state.all().some(isDoubtful)) return;
  await quiet(signal, Math.max(quietTime, quietTimeSince(ledger.lastWrite, now(), service.timeout)));
  await settleRecords(service.api, ledger, signal);
  for (const { name, type, id, acts } of ledger.state.all().filter(isDoubtful)) {
    const resource = familyOf(type);
    if (resource === undefined || id === undefined) continue;
    for (const [step, { verb }] of acts) await settleAct(service.api, ledger, resource, name, step, verb, id);
  }
  await ledger.flush();
}

async function settleAct(api: Api, ledger: Ledger, resource: Resource, name: string, step: number, verb: string, id: Id): Promise<void> {
  const action = actionsOf(resource).find((one) => one.verb === verb);
  if (action?.effect === undefined) return;
  const effect = await effectInDoubt(api, ledger, name, step, action, `${resource.path}/${id}`);
  if (effect !== undefined) ledger.note({ did: 'acted', name, step, effect });
}

/** The newest first; neighbours of one count together, because they don't need each other. */
function groupsOf(records: readonly LedgerRecord[]): LedgerRecord[][] {
  const groups: LedgerRecord[][] = [];
  for (const record of records.toReversed()) {
    const last = groups.at(-1);
    if (last !== undefined && baseName(last[0]) === baseName(record)) last.push(record);
    else groups.push([record]);
  }
  return groups;
}

const baseName = (record: LedgerRecord | undefined): string => record?.name.replace(/\[\d+\]$/, '') ?? '';

type Failures = { name: string; error: CrmError }[];

interface Tally {
  readonly failures: Failures;
  readonly unclear: LedgerRecord[];
  readonly replaced: string[];
}

/** What the record's actions made besides goes first, then the record. */
async function destroyOne(
  options: DestroyOptions,
  record: LedgerRecord,
  undos: readonly Undo[],
  { failures, unclear, replaced }: Tally,
): Promise<DestroyedRecord[]> {
  const { ledger } = options;
  const { name, type, id, state } = record;
  const ends: DestroyedRecord[] = [];
  for (const made of madeBy(record.acts)) {
    const end = await destroyMade(options, name, made, failures);
    ends.push(end);
    if (end.state !== 'failed') ledger.note({ did: 'deleted made', name, type: made.type, id: made.id });
  }
  // The record stays in the ledger with what is left of it: an apply in between would forget that.
  if (ends.some((end) => end.state === 'failed')) return ends;
  const resource = familyOf(type);
  if (state !== 'created' || id === undefined || resource === undefined) return ends;
  let standing: Standing = 'own';
  const isOwn = (there: unknown): boolean => {
    standing = standingOf(resource, there, record, ledger.state.began);
    return standing === 'own';
  };
  const putBackAll = async (there: unknown): Promise<void> => {
    for (const undo of undos) if (!(await putBack(options.service, there, undo))) replaced.push(name);
  };
  const end = await attempt(options.service, name, failures, () => deleteOwn(options, `${resource.path}/${id}`, isOwn, putBackAll));
  if (end === 'deleted' || end === 'gone') ledger.note({ did: 'deleted', name });
  if (end === 'left') noteLeft(ledger, record, standing, unclear);
  return [...ends, { name, type, id, state: end }];
}

/** What may be the run's stays in its ledger: somebody must say. */
function noteLeft(ledger: Ledger, record: LedgerRecord, standing: Standing, unclear: LedgerRecord[]): void {
  if (standing === 'unclear') unclear.push(record);
  else ledger.note({ did: 'left', name: record.name });
}

async function destroyMade(options: DestroyOptions, name: string, made: MadeBesides, failures: Failures): Promise<DestroyedRecord> {
  const path = `${familyOf(made.type)?.path}/${made.id}`;
  const isOwn = (there: unknown): boolean => isMade(made, there);
  const state = await attempt(options.service, `${made.type} ${made.id} of ${name}`, failures, () => deleteOwn(options, path, isOwn));
  return { name, type: made.type, id: made.id, state };
}

type End = DestroyedRecord['state'];

/** Failures that are the record's own are kept; what would meet every other one as well is thrown. */
async function attempt(service: Service, name: string, failures: Failures, work: () => Promise<End>): Promise<End> {
  try {
    return await work();
  } catch (error) {
    const isOwn = error instanceof CrmError && !(error instanceof UnauthorizedError) && error.details.httpStatus !== undefined;
    if (!isOwn || service.exhausted) throw error;
    failures.push({ name, error });
    return 'failed';
  }
}

/** Ids are given anew when a service is reset, so what has the id is looked at before it is deleted. */
async function deleteOwn(
  { service }: DestroyOptions,
  path: string,
  isOwn: (there: unknown) => boolean,
  first: (there: unknown) => Promise<void> = async () => {},
): Promise<End> {
  try {
    const there = recordOf(await service.api.read({ method: 'GET', path }));
    if (!isOwn(there)) return 'left';
    await first(there);
    await service.repeat({ method: 'DELETE', path, check: `crm api GET ${path}` });
    return 'deleted';
  } catch (error) {
    if (error instanceof NotFoundError) return 'gone';
    throw error;
  }
}

type Undo = NonNullable<Effect['undo']>;

/** What puts back what a record's actions changed. Where that would be a record that goes as well, what puts back that one's. */
function undosOf({ acts }: LedgerRecord, gone: readonly LedgerRecord[]): Undo[] {
  const undos = [...acts.values()].flatMap(({ effect }) => effect?.undo ?? []);
  return undos.flatMap((undo) => {
    const other = gone.find(({ type, id }) => id !== undefined && undo.path.startsWith(`${familyOf(type)?.path}/${id}/`));
    if (other === undefined) return [undo];
    const rest = gone.filter((one) => one !== other);
    return undosOf(other, rest).map(({ path }) => ({ path, when: undo.when }));
  });
}

/** Puts back what an action changed elsewhere, unless somebody has changed it since. False when that is gone. */
async function putBack(service: Service, there: unknown, { path, when }: Undo): Promise<boolean> {
  if (!Object.entries(when).every(([member, value]) => scalarText(valueAt(there, member)) === value)) return true;
  try {
    await service.repeat({ method: 'PUT', path, check: `crm api GET ${path}` });
    return true;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return false;
  }
}
