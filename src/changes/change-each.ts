// Carries out the writes of records: of a single record directly, of a selection as one run. Records with guards are read right before the
// write.

import { CrmError, InterruptedError, PartialError } from '../base/errors.ts';
import { isMembers } from '../base/values/paths.ts';
import { crmWith } from '../base/values/text/shell-word.ts';
import { capitalised } from '../base/values/text/wording.ts';
import type { Api } from '../client/client.ts';
import { bodyToNote } from '../client/plain-change.ts';
import { notTaken } from '../client/problem.ts';
import { readRecord } from '../client/read-record.ts';
import type { Answer } from '../client/types.ts';
import { deleteAt, makeRecord, type RecordWrite, writeRecord } from '../client/write-record.ts';
import { endOfLost } from '../model/bodies/lost-write.ts';
import type { Resource } from '../model/define.ts';
import { deleted } from '../model/identity.ts';
import { brokenGuard } from '../model/records/guard.ts';
import { type AskedValue, keepsAny, keptText, takingOf } from '../model/taken.ts';
import { lacksAsked } from '../output/fields.ts';
import type { Effect, Outcome, Result, Shape } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import { outcomesResult } from '../reading/each-record.ts';
import type { Chosen, Selection } from '../reading/selection.ts';
import type { Context } from '../session/context.ts';
import { type Asking, holdingRecord } from '../session/record-lock.ts';
import { joined, lookAt, type RecordChange, type RecordWrites, type Written, writesOf } from './record-change.ts';

/** The records to change: as selected, and as found. `shape`: of their answers, where it isn't the family's. */
interface ToChange {
  readonly selection: Selection;
  readonly chosen: readonly Chosen[];
  readonly shape?: Shape;
}

/**
 * Changes a single record, or each record of a selection in one run. A single record is a run, too, where `change` is a function. Outcomes
 * are rendered in the order of `chosen`. With --plan the records are only read. `shape`: of the answered records. `change`: one change or
 * the same writes for all records, or a function that makes the change of a record.
 */
export async function changeEach(
  resource: Resource,
  context: Context,
  { selection, chosen, shape = resource }: ToChange,
  change: RecordChange | RecordWrites | ((one: Chosen) => RecordChange),
): Promise<Result> {
  const { plan } = context.flags;
  const isAlone = selection.kind === 'one' && plan === undefined;
  if (isAlone && typeof change !== 'function') {
    const done = await writeOne(resource, context, chosen[0] ?? { id: selection.id }, writesOf(change));
    return { kind: 'record', shape, ...done };
  }
  const { outcomesOfRun } = await import('./change-run.ts');
  const changeOf = typeof change === 'function' ? change : () => change;
  const runOutcomes = (each: (one: Chosen) => RecordChange | RecordWrites): AsyncIterable<Outcome> =>
    outcomesOfRun(resource, context, chosen, each);
  if (isAlone) {
    const path = `${resource.path}/${selection.id}`;
    const [done] = await holdingRecord(context, path, () => Array.fromAsync(runOutcomes(changeOf)));
    if (done === undefined || 'error' in done) throw done?.error ?? new RangeError('The run of one record has no outcome.');
    return { kind: 'record', shape, ...done };
  }
  const outcomes =
    plan === undefined
      ? runOutcomes(changeOf)
      : (await import('./file/plan.ts')).plannedOutcomes(resource, context, { selection, changeOf, path: plan }, runOutcomes);
  return outcomesResult(resource, context, chosen, outcomes, { shape });
}

/** Sends the writes of a single record. Throws the errors of the reads and of the writes. */
async function writeOne(resource: Resource, context: Context, one: Chosen, all: RecordWrites): Promise<Written> {
  let done: Written | undefined;
  for (const [part, write] of all.writes.entries()) {
    try {
      // The guards of the record hold before the first write, which changes the record.
      const own = await changeOne(resource, context, part === 0 ? one : { id: one.id }, write);
      done = joined(all, done, own, part);
      if (own.problem !== undefined) return { ...done, problem: own.problem };
    } catch (error) {
      throw all.failed?.(error, part, { id: one.id, ...done }) ?? error;
    }
  }
  if (done === undefined) throw new RangeError(`There is nothing to do with ${resource.singular} ${one.id}.`);
  return done;
}

/**
 * Changes a single record. Throws the errors of the read and of the write, and an UnavailableError (`not_taken`) when the service kept all
 * values as they were. `problem`: that error, when the service took other values of the write.
 */
async function changeOne(
  resource: Resource,
  context: Context,
  one: Chosen,
  change: RecordChange,
): Promise<Written & { readonly effect: Effect }> {
  const isRead = (one.guards ?? []).length > 0 || change.reads === undefined;
  const path = `${resource.path}/${one.id}`;
  if (change.added !== undefined) return addOne(resource, context, one, change);
  // A write that rests on a read holds its record, against other single commands on this machine.
  return isRead
    ? holdingRecord(context, path, (asking) => changeRead(resource, context, one, change, asking))
    : changeRead(resource, context, one, change);
}

/** Adds a comment. The answer has the comment's id, so the record is not read; the note has no values before. */
async function addOne(resource: Resource, context: Context, one: Chosen, change: RecordChange): ReturnType<typeof changeOne> {
  const { kind, did = 'changed' } = change;
  const sent = change.write(undefined, one);
  const { below = '', body = new Map(), check = `${resource.name} get ${one.id}` } = sent;
  const path = `${resource.path}/${one.id}/${below}`;
  const answer = await makeRecord(await context.api(), { method: 'POST', path, body, check });
  context.written.push({ resource, id: one.id, kind, did, body });
  return { answer, effect: change.effect(one, undefined, answer.data, sent) };
}

/** Changes a single record. `asking`: asks questions while others may write; absent for a change that doesn't rest on a read. */
async function changeRead(
  resource: Resource,
  context: Context,
  one: Chosen,
  change: RecordChange,
  asking?: Asking,
): ReturnType<typeof changeOne> {
  const { guards = [] } = one;
  const api = await context.api();
  const state: { before: unknown; sent?: RecordWrite } = { before: one.record };
  const writeNow = async (wasLost: boolean): Promise<RecordWrite> => {
    let record = state.before;
    if (asking !== undefined) {
      record = await lookAt(resource, api, one, change, asking);
      const broken = brokenGuard([...guards, ...(change.guards ?? [])], record);
      if (broken !== undefined) throw broken;
    } else if (change.reads === 'watched' && isWatched(context)) {
      // Only the message needs the old values, so a failed read stops nothing.
      record = await lookAt(resource, api, one, change).catch((): undefined => {
        context.signal.throwIfAborted();
      });
    }
    // A lost attempt may have brought about the values: then the first read tells what was there before.
    if (!wasLost || !change.holds(record)) state.before = record;
    state.sent = change.write(record, one);
    return state.sent;
  };
  const found = (): void => tellFound(context, `${resource.singular} ${one.id}`, change.kind === 'delete');
  const sending = sendTo(resource, api, one, change, { writeNow, state, found }).catch((error: unknown) => {
    throw state.sent === undefined ? error : (change.explain?.(error, state.sent) ?? error);
  });
  // The modules of the note load while the request is under way.
  if (isWatched(context) && !context.flags.dryRun) void import('./note.ts');
  const { answer, after } = await sending;
  const whole = await wholeAnswer(resource, context, one, change, { answer, after });
  const done = { ...whole, effect: change.effect(one, state.before, after, state.sent) };
  const { taken, alike, notTaken: kept } = takingOf(asksOf(change, state.sent), state.before, after);
  for (const value of alike) void notice(context.io, context.flags, keptText(value));
  // A write of which nothing was taken has nothing that can be taken back.
  if (taken > 0 || alike.length + kept.length === 0) noteOne(context, resource, one, change, { ...state, after });
  if (kept.length === 0) return done;
  const { method = 'PUT', below = '' } = state.sent ?? {};
  const problem = notTaken({ method, path: [`${resource.path}/${one.id}`, below].filter(Boolean).join('/') }, answer.status, kept);
  if (taken === 0) throw problem;
  return { ...done, problem };
}

/**
 * The answer to print. For members that were asked for and that the answer lacks, the record `after` the write stands in its place, else the
 * record is read. `problem`: the error of that read; the write itself went through.
 */
async function wholeAnswer(
  resource: Resource,
  context: Context,
  { id }: Chosen,
  { kind }: RecordChange,
  { answer, after }: { readonly answer: Answer; readonly after?: unknown },
): Promise<Pick<Written, 'answer' | 'problem'>> {
  const lacks = (record: unknown): boolean => lacksAsked(resource, kind, context.flags, record);
  if (kind === 'delete' || answer.status === 0 || !isMembers(answer.data) || !lacks(answer.data)) return { answer };
  const holding = (data: unknown): Answer => ({
    ...answer,
    data,
    envelope: isMembers(answer.envelope) ? { ...answer.envelope, data } : data,
  });
  if (isMembers(after) && !lacks(after)) return { answer: holding(after) };
  try {
    return { answer: holding(await readRecord(await context.api(), `${resource.path}/${id}`)) };
  } catch (error) {
    if (!(error instanceof CrmError) || error instanceof InterruptedError) throw error;
    const hint = `See it with: ${crmWith(context.flags.profile)} ${resource.name} get ${id}`;
    const changed = `${capitalised(resource.singular)} ${id} was changed, but could not be read: ${error.message}`;
    return { answer, problem: new PartialError(changed, { hint, cause: error }) };
  }
}

/** The values that a write asks for. What --replace sends isn't looked at. */
const asksOf = ({ asks, reads }: RecordChange, sent: RecordWrite | undefined): readonly AskedValue[] =>
  sent === undefined || reads === 'never' ? [] : (asks?.(sent) ?? []);

/** Notes the write for the history, where the record was read before the write. A delete is always noted, with what `keeps` keeps. */
function noteOne(
  { written }: Context,
  resource: Resource,
  { id }: Chosen,
  { kind, given, did = 'changed', holds, valuesIn, keeps }: RecordChange,
  { before, sent, after }: { readonly before: unknown; readonly sent?: RecordWrite; readonly after: unknown },
): void {
  if (sent === undefined) return;
  const write = { resource, id, kind, record: before };
  if (kind === 'delete') written.push({ ...write, did: deleted, before: keeps?.(before) });
  else if (before !== undefined && !holds(before))
    written.push({
      ...write,
      did,
      before: valuesIn(before),
      body: bodyToNote(sent, given),
      ...(after === undefined ? {} : { after: valuesIn(after) }),
    });
}

/** True when the difference is told: stderr is a terminal, and --quiet is not given. */
export const isWatched = ({ io, flags }: Context): boolean => io.stderr.isTTY && !flags.quiet;

/** `state`: the record as read, and the write as sent, once they are. `found`: called when a look finds a lost write. */
interface OneSending {
  writeNow(wasLost: boolean): Promise<RecordWrite>;
  readonly state: { readonly before: unknown; readonly sent?: RecordWrite };
  found(): void;
}

async function sendTo(
  resource: Resource,
  api: Api,
  { id }: Chosen,
  change: RecordChange,
  { writeNow, state, found }: OneSending,
): Promise<{ readonly answer: Answer; readonly after?: unknown }> {
  if (change.kind !== 'delete') {
    const tells = (record: unknown): boolean | undefined => (state.sent === undefined ? undefined : change.tells(record, state.sent));
    const holds = (record: unknown): boolean => change.holds(record) || isFoundAfterLoss(change, state, record);
    // --replace reads nothing, before or after.
    const look = change.reads === 'never' ? undefined : { holds, found };
    const keeps = (record: unknown): boolean => keepsAny(asksOf(change, state.sent), state.before, record);
    return writeRecord(api, resource, id, writeNow, { tells, look, keeps });
  }
  const check = `${resource.name} get ${id}`;
  const checkOfWrite = async (): Promise<{ check: string }> => ({ check: (await writeNow(false)).check ?? check });
  return { answer: await deleteAt(api, `${resource.path}/${id}`, checkOfWrite, { found }) };
}

function isFoundAfterLoss(
  { tells, valuesIn, given }: RecordChange,
  { before, sent }: { readonly before: unknown; readonly sent?: RecordWrite },
  record: unknown,
): boolean {
  if (sent === undefined) return false;
  if (before === undefined) return tells(record, sent) === true;
  const evidence = { tells: (one: unknown) => tells(one, sent), valuesIn };
  return endOfLost({ ...evidence, before: valuesIn(before), given: bodyToNote(sent, given) }, record) === 'found';
}

/** Says that the answer to a write was lost, and that the write took effect. `name`: of the record. */
export function tellFound({ io, flags }: Context, name: string, isDelete: boolean): void {
  const seen = isDelete ? `A look shows that ${name} is gone.` : `A look shows the change in ${name}.`;
  void notice(io, flags, `The answer to the write was lost. ${seen}`);
}
