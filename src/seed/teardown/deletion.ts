// Deletes the records of a run, newest first. Looks for lost records, reads each record again right before its delete, and reports the
// outcome of each.

import { ConflictError, type CrmError } from '../../base/errors.ts';
import { scalarText } from '../../base/values/json.ts';
import type { Id } from '../../base/values/parse.ts';
import { firstOf } from '../../base/values/text/wording.ts';
import { keptOf } from '../../changes/kept-record.ts';
import type { Destroyed, Taken } from '../../changes/undo/rows.ts';
import type { Api } from '../../client/client.ts';
import { recordAt } from '../../client/read-record.ts';
import { pathsAbove } from '../../model/attached.ts';
import { editableText } from '../../model/bodies/as-made.ts';
import type { Resource } from '../../model/define.ts';
import { createdOf, deleted, isAnother } from '../../model/identity.ts';
import { accountOwner, contacts } from '../../model/resources/contacts.ts';
import { familyNamed, singularOf } from '../../model/resources/index.ts';
import { progressBar } from '../../output/streams/progress.ts';
import { ownCount } from '../../reading/history/done-text.ts';
import type { Run, RunRecord } from '../../runs/journal/run.ts';
import type { Halt } from '../../runs/runner.ts';
import { type AsWanted, type PreparedRequest, type Step, stepsInMemory } from '../../runs/step.ts';
import type { Context } from '../../session/context.ts';
import type { CarryOptions, Engine } from '../../session/engine.ts';
import { actionLook, actionsOf, clientNoun, conversionOf } from '../actions.ts';
import { recordOfKey } from '../run.ts';
import { foreignBelow } from './hanging.ts';
import { type Facts, factsOf, madePath, type Ownership, ownershipOf, recordsNow } from './ownership.ts';

/** The most attached records named in a message. */
const mostForeign = 3;

/**
 * Deletes records of a run, and goes on after failures. Throws the error that stops everything: the reason of the signal, a refused key.
 */
export async function destroyRecords(
  context: Context,
  run: Run,
  engine: Engine,
  options: {
    /** True: changed records are not deleted. */
    readonly keepChanged?: boolean;
    /** True: comments of others are deleted with their lead. Undefined: such leads stay, and no message names a flag. */
    readonly withComments?: boolean | undefined;
    /** Selects records of the run; by default all. */
    readonly isMeant?: (made: RunRecord) => boolean;
    /**
     * The run that notes the deletes. Their steps are numbered after the run's first `steps` steps. Without `into`, the deletes get a run
     * of their own.
     */
    readonly into?: { readonly run: Run; readonly steps: number };
    /** Asks before the deletes. `count`: the number of records to delete; `changed`: the number of these records that somebody changed. */
    readonly confirmed?: (count: number, changed: number) => Promise<void>;
  },
): Promise<Destroyed> {
  const { isMeant = () => true, keepChanged = false, withComments, confirmed, into } = options;
  const teardown: DeletionWork = { context, run, engine };
  await lookForLost(teardown);
  await findConverted(teardown);
  const all = run.records({ withGone: true }).filter((made) => made.own && isMeant(made));
  const targets = all.flatMap((made): OwnRecord[] => {
    const [resource, { id }] = [familyNamed(made.family), made];
    return resource === undefined || id === undefined ? [] : [{ made, resource, id }];
  });
  const known: Known = { facts: factsOf(run, all), below: new Map() };
  // The question says how many records were changed. Without a question, each record is compared in the turn of its delete.
  if (confirmed !== undefined)
    for await (const { one, record } of recordsNow(engine.service.api, targets, context.signal)) noteFirstRead(known, one, record);
  const isGoing = ({ ownership = 'own' }: OwnRecord): boolean => ownership === 'own' || (ownership === 'changed' && !keepChanged);
  const going = targets.filter(isGoing).toSorted((a, b) => b.made.step - a.made.step || b.made.place - a.made.place);
  await confirmed?.(going.length, going.filter(({ ownership }) => ownership === 'changed').length);
  if (options.isMeant === undefined) run.keep({ destroying: true });
  const own = new Map(going.map(({ made }) => [`${made.family} ${scalarText(made.id)}`, made]));
  const around: Around = { ...known, run, going: own, isGoing, withComments, signal: context.signal };
  const groups = deleteGroups(around, going, into?.steps ?? 0);
  await deleteAll(teardown, groups, into?.run);
  const destroyed = summary(run, all, targets);
  if (into === undefined && ownCount(run) === 0) run.keep({ destroying: true });
  return destroyed;
}

interface DeletionWork {
  readonly context: Context;
  readonly run: Run;
  readonly engine: Engine;
}

/** The run's own facts, and those of the records that were read so far. */
interface Known {
  readonly facts: Facts;
  /**
   * Records of the run that the service would delete with the record above, by the path of the record above. Taken from the records
   * themselves, since a list may lag behind.
   */
  readonly below: Map<string, readonly RunRecord[]>;
}

interface OwnRecord {
  readonly made: RunRecord;
  readonly resource: Resource;
  readonly id: Id;
  /** Absent until the record is read. */
  ownership?: Ownership;
  /** The record's editable values when it was first read. */
  look?: string;
  /** The outcome of the delete; absent when no delete was sent. */
  end?: string;
  error?: CrmError;
}

/** Notes the ownership of a record as first read, and the records above it: deleting them would delete this record, too. */
function noteFirstRead({ facts, below }: Known, target: OwnRecord, record: unknown): void {
  const { made, resource } = target;
  target.ownership = ownershipOf(facts, made, record);
  target.look = editableText(resource, record);
  if (record !== undefined && made.isGone) facts.run.noteEnd(made, 'stands');
  if (record !== undefined) for (const above of pathsAbove(record, made.family)) below.set(above, [...(below.get(above) ?? []), made]);
}

/** The name of a record; side effects of an action have the name of its record. */
const madeName = ({ key }: RunRecord): string => recordOfKey(key);

function throwHalt({ context }: DeletionWork, halt: Halt | undefined): void {
  if (halt === undefined) return;
  if (halt.kind === 'error') throw halt.error;
  context.signal.throwIfAborted();
}

/** Looks for lost records, and sends nothing again. Lost actions are looked for only when they make records. */
async function lookForLost(teardown: DeletionWork): Promise<void> {
  const { run, engine } = teardown;
  const isSeed = run.header.kind === 'seed';
  const lost = run.lost().filter(({ part, kind }) => part === 0 && (isSeed || kind === 'create'));
  if (lost.length === 0) return;
  const steps = lost.map((sent): Step => {
    const { n, key, family, kind, body } = sent;
    const resource = familyNamed(family);
    const action = resource === undefined ? undefined : actionsOf(resource).find(({ verb, made }) => verb === kind && made !== undefined);
    return {
      n,
      key,
      family,
      // A lost comment needs no look: the journal has its text, so a teardown knows the comment as the run's.
      prepare: async (): Promise<AsWanted> => ({ did: kind === 'create' || action !== undefined ? 'absent' : 'unknown', made: [] }),
      lookFor: () => {
        if (kind === 'create' && resource !== undefined && body !== undefined) return { kind: 'create', body };
        return resource === undefined || action === undefined ? { kind: 'repeatable' } : actionLook(resource, action, sent);
      },
    };
  });
  const absent: number[] = [];
  const ended: CarryOptions['ended'] = ({ n }, outcome) => {
    if ('did' in outcome && outcome.did === 'absent') absent.push(n);
  };
  throwHalt(teardown, await engine.carryOut(stepsInMemory(steps), run, { ended }));
  // Forgets steps that never arrived, so that the next apply sends them.
  for (const n of absent) run.forget(n);
}

/** Finds users made by conversions: right after the conversion no list may have shown the user. */
async function findConverted({ run, engine }: DeletionWork): Promise<void> {
  const late = [...run.records()].filter(({ family, id, key }) => id === undefined && family === contacts.name && key !== recordOfKey(key));
  for (const { step } of late) {
    const client = run.made(step).find(({ family }) => family === clientNoun);
    const made = await conversionOf(engine.service.api, run.pastAt([step])[0]?.body, client?.id);
    if (made.every(({ id }) => id !== undefined)) run.done(step, 'convert', made);
  }
}

interface DeleteStep extends Step {
  readonly target: OwnRecord;
}

/** Sends the deletes group by group, newest first. The deletes of one group don't depend on each other. */
async function deleteAll(teardown: DeletionWork, groups: readonly (readonly DeleteStep[])[], into: Run | undefined): Promise<void> {
  const { run, engine, context } = teardown;
  const targets = new Map(groups.flat().map(({ n, target }) => [n, target]));
  const total = targets.size;
  if (total === 0) return;
  const { title } = run.header;
  const doing = into === undefined ? `Destroying ${title}` : 'Deleting what the run created';
  const phase = context.flags.dryRun ? 'Looking at what was created' : doing;
  let done = 0;
  const bar = progressBar(context.io, context.flags, phase, () => ({ done, total }));
  const command = `crm seed destroy --run ${title}`;
  const deletes = into ?? engine.begin({ kind: 'destroy', title, command, details: { destroyed: run.name, total } });
  into?.keep({ total: Math.min(...targets.keys()) - 1 + total });
  const reporting: CarryOptions = {
    describe: ({ n }, error) => {
      const target = targets.get(n);
      if (target !== undefined) target.error = error;
      return error.message;
    },
    ended: ({ n }, outcome) => {
      done += 1;
      const target = targets.get(n);
      if (target === undefined) return;
      target.end = 'did' in outcome ? outcome.did : 'failed';
      if (target.end === deleted) run.noteEnd(target.made, 'over');
    },
  };
  try {
    for (const group of groups) throwHalt(teardown, await engine.carryOut(stepsInMemory(group), deletes, reporting));
    deletes.dropIntents();
    for (const { n, error } of deletes.past({ state: 'sent' })) {
      const target = targets.get(n);
      if (target !== undefined) target.end = error === undefined ? 'failed' : 'left';
    }
    if (into === undefined) deletes.end(context.clock.now().toISOString());
  } finally {
    bar.stop();
    run.flush();
  }
}

/** The deletes in order, in groups: records of one count or action are one group. */
function deleteGroups(around: Around, going: readonly OwnRecord[], steps: number): DeleteStep[][] {
  const byActions = going.map(({ made }) => made).filter((made) => made.place > 0 && made.key !== madeName(made));
  const sideEffects = Map.groupBy(byActions, madeName);
  const groups: DeleteStep[][] = [];
  let last: string | undefined;
  let n = steps;
  for (const target of going) {
    const { made } = target;
    // Records made by an action are deleted before the action's record.
    const name = made.key.replace(/\[\d+\](?=$|\.then)|(?<=^line) \d+$/, '');
    if (last !== name) groups.push([]);
    last = name;
    n += 1;
    groups.at(-1)?.push({
      n,
      key: madeName(made),
      family: made.family,
      target,
      prepare: ({ api }) => preparedDelete(around, api, target, sideEffects.get(made.key) ?? []),
      lookFor: () => ({
        kind: 'target',
        read: async (api) => {
          const record = await recordAt(api, madePath(made));
          // A newer record with the same id counts as deleted.
          const isDeleted = record === undefined || isAnother(made.created, createdOf(record));
          return isDeleted ? { end: 'found', made: [], did: deleted } : { end: 'absent' };
        },
      }),
    });
  }
  return groups;
}

/** The facts on which the delete of a record depends, beside the record. */
interface Around extends Known {
  readonly run: Run;
  /** The records to delete, by `family id`. */
  readonly going: ReadonlyMap<string, RunRecord>;
  readonly withComments: boolean | undefined;
  isGoing(target: OwnRecord): boolean;
  readonly signal: AbortSignal;
}

/**
 * The delete of a record, prepared right before it is sent:
 *
 * | the record now | the delete |
 * | --- | --- |
 * | is gone | none: `gone` |
 * | is another's, or nobody can tell, or is changed and changed records stay | none: undefined |
 * | has another's id, or other values, since the question | ConflictError |
 * | has a note of somebody else, or of the run that stays | ConflictError: the note would be deleted, too |
 * | was converted, and its contact could not be deleted | ConflictError |
 * | is as the run left it | is sent |
 */
async function preparedDelete(
  { withComments, ...around }: Around,
  api: Api,
  target: OwnRecord,
  sideEffects: readonly RunRecord[],
): Promise<PreparedRequest | AsWanted | undefined> {
  const { made, resource, id } = target;
  const { run, below } = around;
  const path = madePath(made);
  const which = `${resource.singular} ${id}`;
  const isLeft = ({ step, place }: RunRecord): boolean => run.made(step).some((one) => one.place === place);
  const staying = below.get(path)?.find(isLeft);
  if (staying !== undefined)
    throw new ConflictError(`Deleting ${which} would also delete ${singularOf(staying.family)} ${staying.id}, which stays.`);
  const foreign = await foreignBelow({ ...around, withComments: withComments ?? false }, api, resource, id);
  // Read last, to leave the least time before the delete.
  const record = await recordAt(api, path);
  if (record === undefined) return { did: 'gone', made: [] };
  if (target.ownership === undefined) noteFirstRead(around, target, record);
  if (!around.isGoing(target)) return undefined;
  if (isAnother(made.created, createdOf(record))) throw new ConflictError(`Another record has the id of ${which} by now.`);
  if (editableText(resource, record) !== target.look) throw new ConflictError(`Somebody changed ${which} meanwhile (maybe you).`);
  if (foreign.length > 0) {
    const wayOut = withComments === false && foreign.every(({ areComments }) => areComments) ? ' --with-comments allows this.' : '';
    const named = firstOf(
      foreign.map(({ text }) => text),
      mostForeign,
    );
    throw new ConflictError(`Deleting ${which} would also delete ${named}, which the run did not make.${wayOut}`);
  }
  if (made.place === 0 && made.key === recordOfKey(made.key) && sideEffects.some(isLeft)) {
    throw new ConflictError(`Records of its conversion could not be deleted, so ${made.key} stays, too.`);
  }
  return {
    request: { method: 'DELETE', path, check: `api GET ${path}` },
    // The run itself holds the values of a record that is as the run made it.
    sent: { kind: 'delete', target: id, ...(target.ownership === 'changed' ? { before: keptOf(resource, record) } : {}) },
    did: deleted,
    factsOf: () => ({ made: [] }),
  };
}

function summary(run: Run, all: readonly RunRecord[], targets: readonly OwnRecord[]): Destroyed {
  const records = targets.map((target): Taken => {
    const { made } = target;
    const end = endOf(target);
    if (end.outcome === 'gone') run.noteEnd(made, 'gone');
    if (target.ownership === 'other') run.noteEnd(made, 'over');
    return { name: madeName(made), family: made.family, id: made.id ?? null, ...end };
  });
  const nameless = all.filter(({ id, family }) => id === undefined && familyNamed(family) !== undefined);
  const unsure = [
    ...nameless.map((made) => ({ name: madeName(made), why: `Nobody can tell which of the ${made.family} it is.` })),
    ...run
      .past({ state: 'sent' })
      .flatMap(({ part, key, error = 'Nobody can tell whether it arrived.' }) => (part === 0 ? [{ name: key, why: error }] : [])),
  ];
  const stays = all
    .filter(({ family }) => familyNamed(family) === undefined)
    .map(({ family, id }) => `${family} ${id ?? 'whose id is not known'}`);
  const owners = new Set([...run.past()].flatMap(({ kind, before }) => (kind === accountOwner.verb ? [scalarText(before.owner)] : [])));
  // The run's own contacts are no owners to go back to.
  const replaced = [...owners].filter((id) => id !== '' && run.keyOf(contacts.name, id) === undefined);
  run.flush();
  return { records, unsure, replaced, stays };
}

function endOf({ ownership, end, error }: OwnRecord): Pick<Taken, 'outcome' | 'why' | 'since'> {
  if (ownership === 'gone' || end === 'gone') return { outcome: 'gone' };
  if (end === 'deleted') return { outcome: 'deleted' };
  if (error instanceof ConflictError && error.details.httpStatus === undefined) return { outcome: 'kept', why: error.message };
  if (end === 'failed') return { outcome: 'failed', why: error?.message ?? 'It could not be deleted.' };
  if (ownership === 'changed') return { outcome: 'kept', since: 'changed', why: 'changed since' };
  if (ownership === 'other') return { outcome: 'kept', since: 'other', why: 'another record has its id' };
  return { outcome: 'kept', why: "Nobody can tell whether it is the run's." };
}

/** Records that should be gone and may still exist, failures first. */
export const remaining = ({ records, unsure }: Destroyed): readonly Pick<Taken, 'name' | 'why'>[] => [
  ...records.filter(({ outcome }) => outcome === 'failed'),
  ...records.filter(({ outcome, since }) => outcome === 'kept' && since === undefined),
  ...unsure,
];
