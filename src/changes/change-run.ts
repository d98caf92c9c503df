// The changes of a selection as one run, with several requests at once. Each record is read right before its write: the record must still
// meet the conditions of the selection, and still have the shown values.

import { ConflictError, CrmError, type Failure, InterruptedError, NotFoundError, UnavailableError, withHints } from '../base/errors.ts';
import { usualConcurrency } from '../base/limits.ts';
import { crmWith } from '../base/values/text/shell-word.ts';
import type { Api } from '../client/client.ts';
import { evidenceOf } from '../client/evidence.ts';
import { bodyToNote, elementsSent } from '../client/plain-change.ts';
import { notTaken } from '../client/problem.ts';
import { recordAt, unlessGone } from '../client/read-record.ts';
import type { Answer } from '../client/types.ts';
import type { RecordWrite } from '../client/write-record.ts';
import { areSameValues } from '../model/bodies/lost-write.ts';
import { elementTexts, hasAlike } from '../model/bodies/replaced-set.ts';
import type { Resource } from '../model/define.ts';
import { createdOf, deleted, isAnother } from '../model/identity.ts';
import { brokenGuard } from '../model/records/guard.ts';
import type { Done, Effect, Outcome } from '../output/result.ts';
import { titleIn } from '../output/subject.ts';
import type { Chosen } from '../reading/selection.ts';
import { endedEarly, soFarText } from '../runs/ended-early.ts';
import { changeTitle } from '../runs/journal/run.ts';
import type { Halt } from '../runs/runner.ts';
import type { Service } from '../runs/service.ts';
import {
  type AsWanted,
  type Conflicting,
  type Look,
  type PreparedRequest,
  recordKey,
  type Step,
  type Steps,
  type Verdict,
  type World,
  type WriteAt,
} from '../runs/step.ts';
import type { Context } from '../session/context.ts';
import { type CarryOptions, withEngine } from '../session/engine.ts';
import type { RunNames } from '../session/names/run-names.ts';
import { sayingFinish, tellSentAgain } from '../session/open-service.ts';
import { joined, lookAt, type RecordChange, type RecordWrites, writesOf } from './record-change.ts';
import { preparedChange, recordAfter, recordEvidence, verdictFrom } from './write.ts';

/** State of one write of a record. */
interface WriteState {
  before?: unknown;
  sent?: RecordWrite;
  answer?: Answer;
  after?: unknown;
  /** The failure of the write. */
  error?: CrmError;
  /** The service took some values, and others not. */
  problem?: CrmError;
}

interface ChangeRun {
  readonly resource: Resource;
  readonly context: Context;
  readonly chosen: readonly Chosen[];
  /** One task for each chosen record, in the order of `chosen`, numbered from 1. */
  readonly tasks: readonly Task[];
  /** The run's name in the history and for other processes that wait. */
  readonly title: string;
  readonly isPreview: boolean;
  /** The caller has stopped reading outcomes. */
  isLeft: boolean;
}

/** `isPreview`: outcomes are computed, and nothing is sent. `verb`: of the command; by default the verb of the first change. */
export interface RunLook {
  readonly verb?: 'apply' | 'edit' | 'merge';
  readonly isPreview?: boolean;
}

/**
 * Yields the outcomes of a selection in the order of `chosen`. When the run ends early, the outcomes so far are yielded first; then the
 * reason is thrown: the signal's reason, a refused key, an unreachable service.
 */
export async function* outcomesOfRun(
  resource: Resource,
  outer: Context,
  chosen: readonly Chosen[],
  changeOf: (one: Chosen) => RecordChange | RecordWrites,
  { verb, isPreview = false }: RunLook = {},
): AsyncGenerator<Outcome> {
  if (chosen.length === 0) return;
  const tasks = tasksOf(chosen, changeOf);
  const context: Context = isPreview ? { ...outer, flags: { ...outer.flags, dryRun: true } } : outer;
  const run: ChangeRun = {
    resource,
    context,
    isPreview,
    chosen,
    tasks,
    title: changeTitle(resource.name, verb ?? tasks[0]?.parts[0]?.change.kind ?? ''),
    isLeft: false,
  };
  const ends: (PromiseWithResolvers<Outcome | undefined> | undefined)[] = chosen.map(() => Promise.withResolvers());
  const running = carryChanges(run, (index, outcome) => ends[index]?.resolve(outcome)).then(
    (end): RunEnd => end,
    (thrown: unknown): RunEnd => ({ thrown }),
  );
  void running.then(() => {
    for (const end of ends) end?.resolve(undefined);
  });
  let done = 0;
  try {
    for (let index = 0; index < ends.length; index += 1) {
      const outcome = (await ends[index]?.promise) ?? failureByOther(run, index, await running);
      ends[index] = undefined;
      if (outcome === undefined) continue;
      if (!('error' in outcome)) done += 1;
      yield outcome;
    }
  } finally {
    run.isLeft = true;
    await running;
  }
  const { halt, thrown, lost = 0, failed = 0 } = await running;
  const name = context.runs.at(-1);
  // Typed again, the command would add to the records once more.
  const isAdding = done > 0 && name !== undefined && tasks.some(({ parts }) => parts.some(({ change }) => change.added !== undefined));
  const look = isAdding ? `See which: crm history show ${name}` : undefined;
  const soFar = [`Before that: ${done} of ${chosen.length} went through.`, look];
  const retry = isAdding ? { retry: 'look' as const } : {};
  if (halt?.kind === 'interrupted') throw InterruptedError.by(context.signal.reason, { hint: soFar.filter(Boolean).join('\n'), ...retry });
  const error = halt?.kind === 'error' ? halt.error : thrown;
  if (error instanceof CrmError) Object.assign(error.details, retry);
  const counts = { done, failed, unknown: lost, total: chosen.length };
  if (halt?.kind === 'error') throw endedEarly(error, soFarText(counts, resource.singular, resource.name), lost, [look]);
  if (error !== undefined) throw withHints(error, soFar);
}

/**
 * The failure of a record whose write waits for another record (`comesAfter`), when the other record's write failed. Undefined when the run
 * ended early.
 */
function failureByOther({ resource, chosen }: ChangeRun, index: number, { halt, thrown }: RunEnd): Failure | undefined {
  const { id, record, comesAfter } = chosen[index] ?? {};
  if (id === undefined || comesAfter === undefined || halt !== undefined || thrown !== undefined) return undefined;
  const { singular } = resource;
  const error = new ConflictError(`Nothing was sent to it, because a write to ${singular} ${comesAfter.id} did not succeed.`);
  return { id, name: `${singular} ${id}`, ...titleIn(resource, record), error };
}

/** Why a run ended early. */
interface RunEnd {
  readonly halt?: Halt | undefined;
  /** The writes of unknown outcome, and the failed ones. */
  readonly lost?: number;
  readonly failed?: number;
  readonly thrown?: unknown;
}

/** The writes of one chosen record. */
interface Task {
  readonly n: number;
  readonly one: Chosen;
  readonly all: RecordWrites;
  /** The record's writes, in order. */
  readonly parts: readonly PartTask[];
  /** The number of the step that must be done before. */
  readonly after?: number;
  /** The first part that wrote. The record's guards are checked up to this part. */
  wrote?: number;
}

/** A write of a record and its state. */
interface PartTask {
  readonly change: RecordChange;
  state: WriteState;
}

function tasksOf(chosen: readonly Chosen[], changeOf: (one: Chosen) => RecordChange | RecordWrites): Task[] {
  const last = new Map<Chosen, number>();
  return chosen.map((one, index) => {
    const all = writesOf(changeOf(one));
    const parts = all.writes.map((change): PartTask => ({ change, state: {} }));
    const n = index + 1;
    last.set(one, n);
    const after = one.comesAfter === undefined ? undefined : last.get(one.comesAfter);
    return { n, one, all, parts, ...(after === undefined ? {} : { after }) };
  });
}

function partOfWrite({ tasks }: ChangeRun, { n, part = 0 }: WriteAt): { readonly task: Task; readonly part: PartTask } {
  const task = tasks[n - 1];
  const own = task?.parts[part];
  if (task === undefined || own === undefined) throw new RangeError(`There is no step ${n}.`);
  return { task, part: own };
}

/** Carries the run out. `ended` gets each record's index in `chosen` and outcome. Returns the reason of an early end, if any. */
async function carryChanges(run: ChangeRun, ended: (index: number, outcome: Outcome) => void): Promise<RunEnd> {
  const { context, resource, chosen, title, isPreview } = run;
  const names = await context.names();
  const pace = { concurrency: usualConcurrency, countsOnly: isPreview };
  const finishChange = (n: number, did: string): void => {
    const { task } = partOfWrite(run, { n });
    ended(n - 1, outcomeOfWrites(run, task, did));
    for (const part of task.parts) part.state = {};
  };
  const reporting: CarryOptions = {
    describe: (write, error) => {
      const { change, state } = partOfWrite(run, write).part;
      const explained = state.sent === undefined ? error : change.explain?.(error, state.sent);
      state.error = explained instanceof CrmError ? explained : error;
      return error.message;
    },
    ended: ({ n }, outcome) => finishChange(n, 'did' in outcome ? outcome.did : 'failed'),
  };
  return withEngine(context, { title, creates: false, pace }, async (engine) => {
    const noted = engine.begin({ kind: 'change', title, details: { family: resource.name, total: chosen.length } });
    const steps = changeSteps(run, engine.service, names);
    const halt = await sayingFinish(context, () => engine.carryOut(steps, noted, reporting));
    // A lost write of this run is reported as unknown now: no later look at the record could decide.
    for (const write of noted.past({ state: 'sent' })) {
      const { task, part } = partOfWrite(run, write);
      part.state.error = unknownOutcome(run, task.one);
      finishChange(write.n, 'changed');
    }
    await tellSentAgain(context, noted, { noun: 'comment' });
    const { lost, failed } = noted.counts('steps');
    if (halt === undefined && lost === 0) noted.end(context.clock.now().toISOString());
    return { halt, lost, failed };
  });
}

function unknownOutcome({ resource, context }: ChangeRun, { id }: Chosen): CrmError {
  return new UnavailableError(
    `Nobody can tell whether the write changed ${resource.singular} ${id}: the answer was lost, and the ${resource.singular} may have been changed since.`,
    {
      code: 'outcome_unknown',
      hint: `Look at the ${resource.singular}: ${crmWith(context.flags.profile)} ${resource.name} get ${id}`,
    },
  );
}

/** The outcome of all writes of a record, up to the first failure. `did`: the outcome of the first write. */
function outcomeOfWrites(run: ChangeRun, { n, one, all, parts }: Task, did: string): Outcome {
  let done: Done | undefined;
  for (const [number, part] of parts.entries()) {
    const own = outcomeOf(run, one, part, did);
    if (!('error' in own)) done = { ...done, ...own, ...joined(all, done, own, number) };
    else if (done !== undefined && all.failed === undefined) return { ...done, problem: own.error };
    else {
      // Of a record that was never written nothing is told but the error.
      const told = part.state.sent === undefined && done === undefined ? own.error : all.failed?.(own.error, number, done ?? own);
      return told instanceof Error ? { ...own, error: told } : own;
    }
  }
  if (done === undefined) throw new RangeError(`There is no step ${n}.`);
  return done;
}

function outcomeOf(run: ChangeRun, one: Chosen, { change, state }: PartTask, did: string): Outcome {
  const { resource } = run;
  const { before, after, answer, sent, error, problem } = state;
  const named = { id: one.id, name: `${resource.singular} ${one.id}` };
  const failed = error ?? (did === 'gone' ? new NotFoundError(`There is no ${resource.singular} ${one.id} any more.`) : undefined);
  if (failed !== undefined) return { ...named, ...titleIn(resource, before, one.record), error: failed };
  const isRecord = answer !== undefined && evidenceOf(answer, String(one.id)).kind === 'record';
  // A delete whose answer has no record shows the id.
  const left = change.kind === 'delete' ? { id: one.id } : (after ?? before);
  const isTold = isRecord || (answer !== undefined && after === undefined && change.kind !== 'delete');
  const shown = isTold ? answer : { status: 200, envelope: left, ...answer, data: left };
  // --dry-run sends nothing, so no record shows the new values: the difference comes from `sent`.
  const isKeptBack = run.context.flags.dryRun && sent !== undefined;
  const now = after ?? (isKeptBack ? undefined : before);
  const effect: Effect = change.effect({ ...one, record: before ?? one.record }, before, now, sent);
  return { ...named, answer: shown, effect, ...(problem === undefined ? {} : { problem }) };
}

/** The run's steps, made one by one on request: a selection may be long. */
function changeSteps(run: ChangeRun, service: Service, names: RunNames): Steps {
  const stepOf = (task: Task): Step => {
    const { n, one, after } = task;
    const key = recordKey(run.resource.singular, one.id);
    const [first, ...parts] = task.parts.map(({ change }, part) => ({
      part,
      name: change.kind,
      key,
      prepare: ({ api }: World) => preparedWrite(run, task, part, api, { names, isDry: service.isDry }),
      lookFor: (): Look => ({
        kind: 'target',
        adds: change.added !== undefined,
        read: (api) => verdictOnWrite(run, task, part, api),
      }),
    }));
    if (first === undefined) throw new RangeError(`There is nothing to do with ${key}.`);
    return { ...first, n, family: run.resource.name, ...(after === undefined ? {} : { after: [after] }), parts };
  };
  return {
    async *read(isWanted) {
      for (const task of run.tasks) if (task.parts.some((_, part) => isWanted(task.n, part))) yield stepOf(task);
    },
  };
}

const didByChange = ({ kind, did = kind === 'delete' ? deleted : 'changed' }: RecordChange): string => did;

/**
 * A write of a record, by the record as read right before. For `leads update --where status=New --value 5`:
 *
 * | the lead | the write |
 * | --- | --- |
 * | is refused by the verb | a conflict |
 * | holds 5, or has the comment that an earlier attempt sent | none: `unchanged` |
 * | holds another value than before an earlier attempt | a conflict |
 * | breaks a guard: its status is Won now | a conflict |
 * | otherwise | 5 is sent |
 */
async function preparedWrite(
  run: ChangeRun,
  task: Task,
  part: number,
  api: Api,
  { names, isDry }: { readonly names: RunNames; readonly isDry: boolean },
): Promise<PreparedRequest | AsWanted | Conflicting> {
  const { resource } = run;
  const { one } = task;
  const { id } = one;
  const { change, state } = partOfWrite(run, { n: task.n, part }).part;
  const path = `${resource.path}/${id}`;
  const isDelete = change.kind === 'delete';
  const conflicting = (conflict: CrmError): Conflicting => ({ conflict, target: id });
  if (run.isLeft) throw new ConflictError('Not sent: the reader of the output is gone.');
  const leftOut = change.leavesOut?.(one);
  if (leftOut !== undefined) return conflicting(leftOut);
  const record = await lookAt(resource, api, one, change);
  names.see({ method: 'GET', path }, { data: record });
  const refused = change.refuses?.(record);
  if (refused !== undefined) return conflicting(refused);
  if (change.holds(record) || isAdded(change, state, record)) {
    state.before = record;
    state.answer ??= { status: 200, data: record, envelope: record };
    return { did: 'unchanged', made: [], target: id };
  }
  if (state.sent !== undefined && isChangedByOther(resource, change, state, record))
    return conflicting(new ConflictError('Somebody changed the record meanwhile.'));
  state.before = record;
  // The record's guards hold before its first write. Later parts check their own guards only, since earlier parts changed the record.
  const isLater = (task.wrote ?? part) < part;
  const broken = brokenGuard([...(isLater ? [] : (one.guards ?? [])), ...(change.guards ?? [])], record);
  if (broken !== undefined) return conflicting(broken);
  const sent = change.write(record, one);
  state.sent = sent;
  if (!isLater) task.wrote = part;
  const valuesIn = change.keeps ?? change.valuesIn;
  const { kind, given } = change;
  const changed = { resource, id, record, kind, did: didByChange(change), given };
  const { readAgain, ...prepared } = preparedChange({ ...change, valuesIn, write: () => sent }, changed);
  return {
    ...prepared,
    ...(readAgain === undefined || isDelete || isDry ? {} : { readAgain }),
    factsOf: async (answer, read) => {
      state.answer = answer;
      names.see({ ...prepared.request, path }, answer);
      if (isDelete) return { made: [] };
      state.after = change.added === undefined ? (recordAfter(id, answer, read) ?? state.after) : answer.data;
      // What a look behind the answer shows is the record to print.
      if (read !== undefined && change.added === undefined) state.answer = { ...answer, data: state.after };
      const facts = await prepared.factsOf(answer, read);
      const { taken = 0, notTaken: kept = [] } = facts.taking ?? {};
      if (taken > 0 && kept.length > 0) state.problem = notTaken(prepared.request, answer.status, kept);
      return facts;
    },
  };
}

/**
 * The verdict on a write whose answer was lost, by the record as it is now:
 *
 * | write | found | absent | unknown |
 * | --- | --- | --- | --- |
 * | delete | gone, or another record has the id | the record is there | |
 * | comment | the comment is there | no new comment is like it, or the lead is gone | a new comment is only similar |
 * | other | the values are there | the old values are there, or the record is gone | another record has the id |
 */
async function verdictOnWrite(run: ChangeRun, task: Task, part: number, api: Api): Promise<Verdict> {
  const { resource } = run;
  const { one } = task;
  const { change, state } = partOfWrite(run, { n: task.n, part }).part;
  const path = `${resource.path}/${one.id}`;
  const isDelete = change.kind === 'delete';
  const did = didByChange(change);
  const found: Verdict = { end: 'found', made: [], did };
  const read = (): Promise<unknown> => lookAt(resource, api, one, change);
  const record = await (change.added === undefined ? recordAt(api, path) : unlessGone(api, path, read));
  if (record === undefined) return isDelete ? found : { end: 'absent' };
  const isOther = isAnother(createdOf(state.before), createdOf(record));
  if (isDelete) return isOther ? found : { end: 'absent' };
  if (isOther) return { end: 'unknown', candidates: [one.id] };
  if (change.added !== undefined) {
    const added = change.added(state.before, record);
    if (added === 'maybe') return { end: 'unknown', candidates: [one.id] };
    return noteAdded(state, added) ? found : { end: 'absent' };
  }
  const { sent } = state;
  const evidence = sent === undefined ? { ...change, tells: () => false } : recordEvidence(change, sent);
  const given = sent === undefined ? undefined : bodyToNote(sent, change.given);
  const verdict = verdictFrom(evidence, record, { id: one.id, before: change.valuesIn(state.before), given, did });
  if (verdict.end === 'found') state.after = record;
  return verdict;
}

/**
 * True when somebody else may have changed the record since this run sent its write. For a set: the record holds an added element that is
 * only similar to a sent element. Otherwise: the overwritten values have changed. Another record with the id counts as changed.
 */
function isChangedByOther({ sets = [] }: Resource, change: RecordChange, { before, sent }: WriteState, record: unknown): boolean {
  if (isAnother(createdOf(before), createdOf(record))) return true;
  const set = sets.find(({ verb }) => verb === change.kind);
  if (set === undefined) return !areSameValues(change.valuesIn(record), change.valuesIn(before));
  const [was = [], now = []] = [elementTexts(set, before), elementTexts(set, record)];
  return sent !== undefined && hasAlike(elementsSent(set, sent), was, now);
}

/** Keeps the added record as the answer of the write. Returns false when nothing was added. Throws ConflictError for `maybe`. */
function noteAdded(state: WriteState, added: ReturnType<NonNullable<RecordChange['added']>>): boolean {
  if (added === 'maybe') throw new ConflictError('Something similar was added since. Look whether the addition is yours.');
  if (added === undefined) return false;
  state.after = added.found;
  state.answer = { status: 200, data: added.found, envelope: added.found };
  return true;
}

/** True when an earlier attempt of this run made the addition. Throws ConflictError when something similar was added since. */
const isAdded = ({ added }: RecordChange, state: WriteState, record: unknown): boolean =>
  added !== undefined && state.sent !== undefined && noteAdded(state, added(state.before, record));
