// `crm seed destroy`: deletes what a run made, the newest first, and nothing else. It may be cut off and run again.

import type { Api } from '../api/client.ts';
import { allRecords, largestPage } from '../api/paging.ts';
import { confirm } from '../ask/confirm.ts';
import { attachedQuery, hangsOn, pathsAbove } from '../bodies/attached.ts';
import { sleep } from '../clock.ts';
import type { Context } from '../context.ts';
import { ConflictError, type CrmError, InterruptedError, NotFoundError, PartialError, UnconfirmedError, withHints } from '../errors.ts';
import type { Result } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import { progressBar } from '../output/streams/progress-bar.ts';
import { contacts } from '../resources/contacts.ts';
import type { Attached, Resource } from '../resources/define.ts';
import { familyNamed, resources } from '../resources/index.ts';
import { idOf, newestPage } from '../runs/newest.ts';
import type { Run, RunRecord } from '../runs/run.ts';
import type { Halt } from '../runs/runner.ts';
import type { Pace } from '../runs/service.ts';
import { furtherFrom, type PreparedRequest, planOfSteps, type Settled, type Step, unknowable, type Verdict } from '../runs/step.ts';
import { lookOf, recordAt, type Standing, standingOf } from '../runs/survey.ts';
import { type Carried, type Session, withSession } from '../session.ts';
import { areAlike } from '../values/alike.ts';
import { scalarText } from '../values/json.ts';
import { type Id, valueText } from '../values/parse.ts';
import { isMembers, valueAt } from '../values/paths.ts';
import { crmWith } from '../values/shell-word.ts';
import { firstOf, howMany } from '../values/wording.ts';
import { actionsOf, clientNoun, conversionOf } from './actions.ts';
import { type FileOnDisk, isLive, noSeed, ownCount, recordOfKey, refuseOtherFile, seedRun } from './run.ts';
import { refuseOtherProfile, surveyRun } from './standing.ts';

export interface DestroyRequest {
  readonly title: string;
  /** The file that names it. */
  readonly onDisk?: FileOnDisk | undefined;
  readonly pace: Pace;
  /** Leave what somebody has changed since the run made it. */
  readonly keepChanged: boolean;
}

/** What became of a record of the run. */
interface DestroyedRecord {
  readonly name: string;
  readonly type: string;
  readonly id: Id | null;
  /** `gone`: somebody else had deleted it. `left`: it stays. */
  readonly state: 'deleted' | 'gone' | 'left' | 'failed';
  /** Why it is still there. */
  readonly why?: string;
  /** Where that is no failure: somebody had changed it, or it has the id of what the run made, and is another record. */
  readonly since?: 'changed' | 'other';
}

export interface Destroyed {
  readonly records: readonly DestroyedRecord[];
  /** What may be the run's, and nobody can tell. */
  readonly unsure: readonly { readonly name: string; readonly why: string }[];
  /** Contacts that were account owners before contacts of the run took that over: they are not made owners again. */
  readonly replaced: readonly Id[];
  /** What the run made and can't be deleted, in words. */
  readonly stays: readonly string[];
}

/** Deletes what a run made, once that is confirmed. Throws NotFoundError when there is no such run. */
export async function destroyRun(context: Context, request: DestroyRequest): Promise<Result> {
  const { title, onDisk, pace, keepChanged } = request;
  const { baseUrl } = await context.settings();
  return withSession(context, { title: `the end of run "${title}"`, creates: true, pace }, async (session) => {
    const begun = seedRun(session.journal, title);
    if (begun === undefined) throw noSeed(title, baseUrl);
    if (!isLive(begun)) return { kind: 'rows', data: [], shape, notice: `Nothing of run "${title}" is left to delete.` };
    const run = session.goOn(begun);
    try {
      await refuseOtherFile(context, title, onDisk, run);
      await refuseOtherProfile(context, session.service.api, title, run);
      const destroyed = await destroyRecords(context, run, session, {
        keepChanged,
        confirmed: async (count, changed) => {
          if (changed > 0 && context.flags.yes) await notice(context.io, context.flags, changedSince(title, changed), 'warning');
          await confirm(context, question(title, count, changed));
        },
      });
      if (context.flags.dryRun) return { kind: 'text', notice: 'Nothing would be sent.' };
      return resultOf(context, title, destroyed);
    } catch (error) {
      throw unfinished(context, title, run, error);
    }
  });
}

function question(title: string, count: number, changed: number): string {
  const since = changed === 0 ? '' : ` (${changed} of them changed since; --keep-changed leaves those)`;
  return `Delete the ${howMany(count, 'record')} that run "${title}" created${since}? This can't be undone.`;
}

/** Said where nobody is asked. */
function changedSince(title: string, changed: number): string {
  return `${howMany(changed, 'record')} of run "${title}" ${changed === 1 ? 'was' : 'were'} changed since; --keep-changed leaves such records.`;
}

export interface DestroyOptions {
  /** Leave what somebody has changed. */
  readonly keepChanged?: boolean;
  /** Only some of the run's records. */
  readonly isMeant?: (made: RunRecord) => boolean;
  /** The run that notes the deletes behind its own steps, so many; without one they are a run of their own. */
  readonly into?: { readonly run: Run; readonly steps: number };
  /** Asks before anything is deleted: how many records, and how many of them somebody has changed. */
  readonly confirmed?: (count: number, changed: number) => Promise<void>;
}

/** Deletes records of a run. Failures don't stop the rest. Throws what ends it all: the signal's reason, a refused key. */
export async function destroyRecords(context: Context, run: Run, session: Session, options: DestroyOptions): Promise<Destroyed> {
  const { isMeant = () => true, keepChanged = false, confirmed, into } = options;
  const teardown: Teardown = { context, run, session, ends: new Map(), errors: new Map(), below: new Map(), hanging: new Map(), looked: 0 };
  await settleDoubts(teardown);
  await findConverted(teardown);
  const targets: OwnRecord[] = [];
  const all = [...run.records()].filter((made) => made.own && isMeant(made));
  for await (const { made, standing, record } of surveyRun(session.service.api, run, all, context.signal)) {
    const owner = ownerBefore(run, made, record);
    const isNoted = made.look !== undefined || made.updated !== undefined;
    const known = keepChanged && standing === 'own' && !isNoted ? 'untold' : standing;
    targets.push({ made, standing: known, owner, look: lookOf(record, run.uncompared(made.family)) });
    if (standing !== 'gone')
      for (const above of pathsAbove(record, made.family)) teardown.below.set(above, [...(teardown.below.get(above) ?? []), made]);
  }
  const isGoing = ({ standing }: OwnRecord): boolean => standing === 'own' || (standing === 'changed' && !keepChanged);
  const going = targets.filter(isGoing).toSorted((a, b) => b.made.step - a.made.step || b.made.place - a.made.place);
  await confirmed?.(going.length, going.filter(({ standing }) => standing === 'changed').length);
  if (options.isMeant === undefined) run.keep({ destroying: true });
  await listHanging(teardown, going);
  const parts = deleteParts(teardown, going, into?.steps ?? 0);
  const steps = parts.flat();
  await deleteAll(teardown, parts, steps.length, into?.run);
  const destroyed = summary(teardown, all, targets, steps);
  if (into === undefined && ownCount(run) === 0) run.keep({ destroying: true });
  return destroyed;
}

interface Teardown {
  readonly context: Context;
  readonly run: Run;
  readonly session: Session;
  /** What became of each delete, by the number of its step. */
  readonly ends: Map<number, string>;
  readonly errors: Map<number, CrmError>;
  /** The run's records that would go along with one, by its path as they tell it themselves: a list may be late. */
  readonly below: Map<string, readonly RunRecord[]>;
  /** What hangs on records, by its family, of which the whole list was read. */
  readonly hanging: Map<string, Hanging>;
  /** How many records were looked at right before their delete. */
  looked: number;
}

interface OwnRecord {
  readonly made: RunRecord;
  readonly standing: Standing;
  /** The contact that was its client's account owner before, where it took that over and still is. */
  readonly owner: Id | undefined;
  /** How it looked when it was asked about. */
  readonly look: string;
}

/** How a run's record is named: an action's side effects by their record. */
const nameOf = ({ key }: RunRecord): string => recordOfKey(key);

const kindOf = ({ family }: RunRecord): string => familyNamed(family)?.singular ?? family;

function carriedWith({ ends, errors }: Teardown): Carried {
  return {
    maxFailures: Number.POSITIVE_INFINITY,
    endsAtFailure: false,
    stampEvery: Number.POSITIVE_INFINITY,
    describe: ({ n }, error) => {
      errors.set(n, error);
      return error.message;
    },
    settled: ({ n }, outcome) => ends.set(n, 'did' in outcome ? outcome.did : 'failed'),
  };
}

function throwHalt({ context }: Teardown, halt: Halt | undefined): void {
  if (halt === undefined) return;
  if (halt.kind === 'error') throw halt.error;
  context.signal.throwIfAborted();
}

/** What is in doubt may be there: it is looked for first, and never sent again. Of actions only one that makes records matters. */
async function settleDoubts(teardown: Teardown): Promise<void> {
  const { run, session } = teardown;
  const isSeed = run.header.kind === 'seed';
  const doubts = run.doubts().filter(({ n, kind }) => n < furtherFrom && (isSeed || kind === 'create'));
  if (doubts.length === 0) return;
  const steps = doubts.map(({ n, key, family, kind, target, body }): Step => {
    const resource = familyNamed(family);
    const look =
      resource === undefined ? undefined : actionsOf(resource).find(({ verb, made }) => verb === kind && made !== undefined)?.look;
    return {
      n,
      key,
      family,
      prepare: async (): Promise<Settled> => ({ settled: 'absent', made: [] }),
      trace: () => {
        if (kind === 'create' && resource !== undefined && body !== undefined) return { kind: 'create', resource, body };
        if (target === undefined) return unknowable;
        if (look === undefined) return { kind: 'repeatable' };
        return {
          kind: 'target',
          look: async (api) => {
            const made = await look({ api, path: `${resource?.path}/${target}` }, body, 0);
            return made === undefined ? { end: 'absent' } : { end: 'found', made, did: kind };
          },
        };
      },
    };
  });
  throwHalt(teardown, await session.carryOut(planOfSteps(steps), run, carriedWith(teardown)));
  // What never arrived is not done: applied again, it is made.
  for (const [n, end] of teardown.ends) if (end === 'absent') run.forget(n);
  teardown.ends.clear();
  teardown.errors.clear();
}

/** How often a user of a conversion is looked for, and how long after each other in milliseconds: lists may be late. */
const mostLooks = 4;
const betweenLooks = 2000;

/** Users of conversions that no list told of when they were made. */
async function findConverted({ context, run, session }: Teardown): Promise<void> {
  const late = [...run.records()].filter(({ family, sure, key }) => !sure && family === contacts.name && key !== recordOfKey(key));
  for (const { step } of late) {
    const client = run.made(step).find(({ family }) => family === clientNoun);
    for (let look = 1; look <= mostLooks; look += 1) {
      const made = await conversionOf(session.service.api, run.bodyOf(step), client?.id);
      if (made.every(({ sure }) => sure)) {
        run.done(step, 'convert', made);
        break;
      }
      if (look < mostLooks) await sleep(context.clock, betweenLooks, context.signal);
    }
  }
}

/** Whom a contact replaced as the account owner, as long as it is still that itself. */
function ownerBefore(run: Run, made: RunRecord, record: unknown): Id | undefined {
  if (made.family !== contacts.name || scalarText(valueAt(record, 'account_owner')) !== 'yes') return undefined;
  let owner = ownerReplacedBy(run, nameOf(made));
  // A contact of the run itself goes, too: whoever it replaced comes back.
  for (let key = keyOfOwn(run, owner); key !== undefined; key = keyOfOwn(run, owner)) owner = ownerReplacedBy(run, key);
  return owner;
}

const keyOfOwn = (run: Run, id: Id | undefined): string | undefined =>
  id === undefined ? undefined : run.keyOf(contacts.name, scalarText(id));

/** Whom the actions of a record replaced as the account owner. */
function ownerReplacedBy(run: Run, name: string): Id | undefined {
  for (let step = 0; ; step += 1) {
    const n = run.numberOf(`${name}.then[${step}]`);
    if (n === undefined) return undefined;
    const before = run.before(n);
    if (isMembers(before) && before.owner !== undefined) return scalarText(before.owner);
  }
}

/** The delete of a record. */
interface DeleteStep extends Step {
  readonly target: OwnRecord;
}

/** Sends the deletes, part after part: the newest records first; neighbours of one count together, because they don't need each other. */
async function deleteAll(
  teardown: Teardown,
  parts: readonly (readonly DeleteStep[])[],
  total: number,
  into: Run | undefined,
): Promise<void> {
  const { run, session, context } = teardown;
  if (total === 0) return;
  const { title } = run.header;
  const bar = progressBar(context.io, context.flags, into === undefined ? `Destroying ${title}` : 'Deleting what the run created', () => ({
    done: teardown.ends.size,
    total,
  }));
  const command = `crm seed destroy --run ${title}`;
  const deletes = into ?? session.begin({ kind: 'destroy', title, command, details: { destroyed: run.name } });
  const targets = new Map(parts.flat().map(({ n, target }) => [n, target]));
  try {
    const options = carriedWith(teardown);
    const settled: Carried['settled'] = (step, outcome) => {
      options.settled(step, outcome);
      const target = targets.get(step.n);
      if (target !== undefined && 'did' in outcome && isGone(outcome.did)) run.deleted(target.made);
    };
    for (const part of parts) throwHalt(teardown, await session.carryOut(planOfSteps(part), deletes, { ...options, settled }));
    for (const { n, error } of deletes.untolds()) if (targets.has(n)) teardown.ends.set(n, error === undefined ? 'failed' : 'left');
    if (into === undefined) deletes.end(context.clock.now().toISOString());
  } finally {
    bar.stop();
    run.flush();
  }
}

const isGone = (did: string): boolean => did === 'deleted' || did === 'gone';

/** The deletes in their order, in parts that go one after the other. */
function deleteParts(teardown: Teardown, going: readonly OwnRecord[], steps: number): DeleteStep[][] {
  const own = new Map(going.map(({ made }) => [`${made.family} ${scalarText(made.id)}`, made]));
  const byActions = going.map(({ made }) => made).filter((made) => made.place > 0 && made.key !== nameOf(made));
  const sideEffects = Map.groupBy(byActions, nameOf);
  const parts: DeleteStep[][] = [];
  let group: string | undefined;
  let n = steps;
  for (const target of going) {
    const { made } = target;
    // What an action made goes before its record.
    const name = made.key.replace(/\[\d+\](?=$|\.then)|(?<=^line) \d+$/, '');
    if (group !== name) parts.push([]);
    group = name;
    n += 1;
    parts.at(-1)?.push({
      n,
      key: nameOf(made),
      family: made.family,
      target,
      prepare: ({ api }) => deletion(teardown, api, target, own, sideEffects.get(made.key) ?? []),
      trace: () => ({ kind: 'target', look: (api) => lookAtDelete(api, made) }),
    });
  }
  return parts;
}

/** A record that came since under the same id is not the one that was deleted. */
async function lookAtDelete(api: Api, made: RunRecord): Promise<Verdict> {
  const record = await recordAt(api, pathOf(made));
  const isGone = ['gone', 'other'].includes(standingOf(made, record));
  return isGone ? { end: 'found', made: [], did: 'deleted' } : { end: 'absent' };
}

const pathOf = ({ family, id }: RunRecord): string => `${familyNamed(family)?.path}/${id}`;

/**
 * The delete of a record, as it is right before: unless it is another one by now or was changed since it was asked about, what hangs on it
 * isn't the run's, or an action's side effect could not be deleted.
 */
async function deletion(
  teardown: Teardown,
  api: Api,
  { made, look }: OwnRecord,
  own: ReadonlyMap<string, RunRecord>,
  sideEffects: readonly RunRecord[],
): Promise<PreparedRequest | Settled> {
  const { run, context, below } = teardown;
  const resource = familyNamed(made.family);
  if (resource === undefined || made.id === undefined) return { settled: 'left', made: [] };
  const path = pathOf(made);
  const which = `${resource.singular} ${made.id}`;
  const isLeft = ({ step, place }: RunRecord): boolean => run.made(step).some((one) => one.place === place);
  const kept = below.get(path)?.find(isLeft);
  if (kept !== undefined) throw new ConflictError(`With ${which} ${kindOf(kept)} ${kept.id} would go, which stays.`);
  await refreshHanging(teardown, api);
  const foreign = await foreignBelow(teardown, api, resource, made.id, own, context.signal);
  // Read last: as little time as can be lies between this and the delete.
  const record = await recordAt(api, path);
  const uncompared = run.uncompared(made.family);
  if (record === undefined) return { settled: 'gone', made: [] };
  if (standingOf(made, record, uncompared) === 'other') throw new ConflictError(`Another record has the id of ${which} by now.`);
  if (lookOf(record, uncompared) !== look) throw new ConflictError(`Somebody changed ${which} meanwhile (maybe you).`);
  if (foreign !== undefined) throw new ConflictError(`With ${which} ${foreign} would go, which the run did not make.`);
  if (made.place === 0 && !made.key.includes('.then[') && sideEffects.some(isLeft)) {
    throw new ConflictError(`What its conversion made could not be deleted, so ${made.key} stays, too.`);
  }
  return {
    request: { method: 'DELETE', path, check: `api GET ${path}` },
    sent: { kind: 'delete', target: made.id },
    did: 'deleted',
    made: () => [],
  };
}

/** What the service deletes along with a record and is not the run's, in words; undefined when there is nothing. */
async function foreignBelow(
  { run, hanging }: Teardown,
  api: Api,
  resource: Resource,
  id: Id,
  own: ReadonlyMap<string, RunRecord>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found: string[] = [];
  for (const one of resource.attached ?? []) {
    const family = familyNamed(one.name);
    if (!one.takenAlong) continue;
    if (family === undefined) {
      const foreign = await foreignComments(run, api, `${resource.path}/${id}/${one.name}`, id);
      if (foreign > 0) found.push(howMany(foreign, 'comment'));
      continue;
    }
    for await (const record of hangingOn(hanging.get(family.name), api, resource, family, one, id, signal)) {
      const other = scalarText(idOf(record));
      const made = own.get(`${family.name} ${other}`);
      // Somebody's may have the id of one that was deleted just now.
      const isForeign = made === undefined || standingOf(made, record) === 'other';
      if (hangsOn(record, one, id) && isForeign) found.push(`${family.singular} ${other}`);
    }
  }
  return found.length === 0 ? undefined : firstOf(found, mostNamed);
}

/** Records of a family by the paths of those that they hang on, then by their ids. */
type Hanging = Map<string, Map<string, unknown>>;

/** The records of a family that hang on a record: out of its whole list, where that was read, else as its filter finds them. */
async function* hangingOn(
  all: Hanging | undefined,
  api: Api,
  { path }: Resource,
  family: Resource,
  one: Attached,
  id: Id,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  if (all !== undefined) yield* all.get(`${path}/${id}`)?.values() ?? [];
  else yield* allRecords(api, { method: 'GET', path: family.path, query: attachedQuery(family, one, id) }, signal);
}

/** Reads the lists of what may hang on records that are deleted, once for all of them, where that takes fewer requests than asking for each. */
async function listHanging({ session, context, hanging }: Teardown, going: readonly OwnRecord[]): Promise<void> {
  const { api } = session.service;
  for (const [name, some] of Map.groupBy(going, ({ made }) => made.family)) {
    for (const { name: other, takenAlong } of familyNamed(name)?.attached ?? []) {
      const family = familyNamed(other);
      if (!takenAlong || family === undefined || hanging.has(other) || some.length < fewGoing) continue;
      const all: Hanging = new Map();
      hanging.set(other, all);
      let count = 0;
      for await (const record of allRecords(api, { method: 'GET', path: family.path }, context.signal)) {
        count += 1;
        if (count <= some.length * largestPage && noteHanging(all, family, record)) continue;
        hanging.delete(other);
        break;
      }
    }
  }
}

/** So few records are asked about one by one. */
const fewGoing = 10;
/** After so many deletes the newest records are looked at again: somebody may have put them there meanwhile. */
const freshFor = 25;

/** Notes a record under those that it hangs on; false where it doesn't tell them. */
function noteHanging(all: Hanging, { name, path }: Resource, record: unknown): boolean {
  const isTold = resources.every(({ attached = [] }) =>
    attached.every((one) => one.name !== name || !one.takenAlong || !('filter' in one) || valueAt(record, one.filter) !== undefined),
  );
  for (const above of pathsAbove(record, name)) {
    const below = all.get(above) ?? new Map<string, unknown>();
    all.set(above, below.set(`${path}/${idOf(record)}`, record));
  }
  return isTold;
}

/** Looks again for what came about since the lists were read. */
async function refreshHanging(teardown: Teardown, api: Api): Promise<void> {
  teardown.looked += 1;
  if (teardown.looked % freshFor !== 0) return;
  for (const [name, all] of teardown.hanging) {
    const family = familyNamed(name);
    if (family !== undefined) for (const record of await newestPage(api, family)) noteHanging(all, family, record);
  }
}

/** How many texts below a record the run did not write: they have a list of their own, and no ids that it noted. */
async function foreignComments(run: Run, api: Api, path: string, id: Id): Promise<number> {
  const data = await api.read({ method: 'GET', path }).then(
    (answer) => answer.data,
    (error) => {
      // With its record they are gone.
      if (error instanceof NotFoundError) return [];
      throw error;
    },
  );
  const written = run.bodiesTo('comment', id).flatMap((body) => [...body.values()].map(valueText));
  const texts = (Array.isArray(data) ? data : []).map((one) => scalarText(valueAt(one, 'text')));
  return texts.filter((text) => {
    const at = written.findIndex((one) => areAlike(one, text));
    if (at >= 0) written.splice(at, 1);
    return at < 0;
  }).length;
}

/** So many are named. */
const mostNamed = 3;

function summary(
  { ends, errors, run }: Teardown,
  all: readonly RunRecord[],
  targets: readonly OwnRecord[],
  steps: readonly DeleteStep[],
): Destroyed {
  const ended = new Map(steps.map(({ target, n }) => [target, n]));
  const records = targets.toReversed().map((target): DestroyedRecord => {
    const { made, standing } = target;
    const n = ended.get(target) ?? 0;
    const end = endOf(target, ends.get(n), errors.get(n));
    if (end.state === 'gone' || standing === 'other') run.deleted(made);
    return { name: nameOf(made), type: kindOf(made), id: made.id ?? null, ...end };
  });
  const nameless = all.filter(({ sure, family }) => !sure && familyNamed(family) !== undefined);
  const unsure = [
    ...nameless.map((made) => ({ name: nameOf(made), why: `Nobody can tell which of the ${made.family} it is.` })),
    ...run
      .untolds()
      .flatMap(({ n, key, error = 'Nobody can tell whether it arrived.' }) => (n < furtherFrom ? [{ name: key, why: error }] : [])),
  ];
  const replaced = steps.flatMap(({ target: { owner }, n }) => (owner !== undefined && ends.get(n) === 'deleted' ? [owner] : []));
  const stays = all
    .filter(({ family }) => familyNamed(family) === undefined)
    .map(({ family, id }) => `${family} ${id ?? 'whose id is not known'}`);
  run.flush();
  return { records, unsure, replaced, stays };
}

/** What became of a record whose delete ended so; without a delete, by how it stood. */
function endOf(
  { made, standing }: OwnRecord,
  end: string | undefined,
  error: CrmError | undefined,
): Pick<DestroyedRecord, 'state' | 'why' | 'since'> {
  if (standing === 'gone' || end === 'gone') return { state: 'gone' };
  if (end === 'deleted') return { state: 'deleted' };
  if (error instanceof ConflictError && error.details.httpStatus === undefined) return { state: 'left', why: error.message };
  if (end === 'failed') return { state: 'failed', why: error?.message ?? 'It could not be deleted.' };
  if (standing === 'changed') return { state: 'left', since: 'changed', why: 'changed since' };
  if (standing === 'other') return { state: 'left', since: 'other', why: 'another record has its id' };
  const place = `${familyNamed(made.family)?.name ?? made.family} ${made.id}`;
  if (made.created === undefined)
    return { state: 'left', why: `${place} can't be told to be the run's: no list has told when it was created.` };
  return { state: 'left', why: `Nobody can tell whether ${place} was changed since: it could not be read when it was made.` };
}

const shape = {
  columns: [{ path: 'name' }, { path: 'type' }, { path: 'id', align: 'right' as const }, { path: 'state' }],
  record: ['name', 'type', 'id', 'state'],
};

/** What may be the run's and is still there, though it was to go: failures first. */
export const remaining = ({ records, unsure }: Destroyed): readonly Pick<DestroyedRecord, 'name' | 'why'>[] => [
  ...records.filter(({ state }) => state === 'failed'),
  ...records.filter(({ state, since }) => state === 'left' && since === undefined),
  ...unsure,
];

function resultOf({ flags }: Context, title: string, destroyed: Destroyed): Result {
  const { records, replaced, stays } = destroyed;
  const count = (end: string): number => records.filter(({ state, since }) => state === end || since === end).length;
  const beside = [count('gone') > 0 ? `${count('gone')} gone already` : '', count('left') > 0 ? `${count('left')} left alone` : ''];
  const sentences = [
    `Run "${title}": ${[`${count('deleted')} deleted`, ...beside.filter(Boolean)].join(', ')}.`,
    count('other') > 0 ? 'What was left alone has the id of what the run created, and is another record.' : '',
    count('changed') > 0 ? `${howMany(count('changed'), 'was', 'were')} changed since, and kept.` : '',
    replaced.length > 0
      ? `Account owners that it replaced are none again: ${replaced.map((id) => `${crmWith(flags.profile)} contacts account-owner ${id}`).join(', ')}.`
      : '',
    stays.length > 0 ? `A conversion can't be undone over the interface, so this stays: ${[...new Set(stays)].join(', ')}.` : '',
  ];
  const data = records.map(({ name, type, id, state }) => ({ name, type, id, state }));
  const result = { kind: 'rows' as const, data, shape, notice: sentences.filter(Boolean).join(' ') };
  const [rest, failed] = [remaining(destroyed), count('failed')];
  if (rest.length === 0) return result;
  const crm = crmWith(flags.profile);
  const again = `${crm} seed destroy --run ${title}`;
  const problem = new PartialError(`${howMany(rest.length, 'record')} ${failed > 0 ? 'could' : 'can'} not be deleted.`, {
    fields: rest.map(({ name, why = '' }) => ({ name, messages: [why] })),
    hint: [
      failed > 0 ? `Try again: ${again}` : '',
      rest.length > failed
        ? `Delete by hand what is the run's, then: ${again}\nIf nothing of the rest is, drop the run: ${crm} seed forget ${title}`
        : '',
    ]
      .filter(Boolean)
      .join('\n'),
  });
  return { ...result, problem };
}

/** The error with how to go on. */
function unfinished({ signal, flags }: Context, title: string, run: Run, error: unknown): unknown {
  if (!isLive(run) || error instanceof UnconfirmedError || error instanceof ConflictError) return error;
  const count = ownCount(run);
  const note = `${howMany(count, 'record is', 'records are')} to go.`;
  const hint = `Go on with: ${crmWith(flags.profile)} seed destroy --run ${title}`;
  if (signal.aborted) return InterruptedError.by(signal.reason, { note, hint });
  return withHints(error, [note, hint]);
}
