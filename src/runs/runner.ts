// Carries out a plan in rounds: sends the writes without an outcome, several at once under the limiter, then looks for lost ones. Each
// write is marked in the journal before it leaves. Knows no file formats and no families.

import { type Clock, every, sleep } from '../base/clock.ts';
import {
  ConflictError,
  CrmError,
  InterruptedError,
  NotFoundError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
} from '../base/errors.ts';
import type { Body } from '../base/values/body.ts';
import { scalarText } from '../base/values/json.ts';
import type { Id } from '../base/values/parse.ts';
import { firstOf } from '../base/values/text/wording.ts';
import type { Api } from '../client/client.ts';
import { evidenceOf, madeIn } from '../client/evidence.ts';
import { unreadableAnswer, withCommand } from '../client/problem.ts';
import { readRecord } from '../client/read-record.ts';
import type { Answer } from '../client/types.ts';
import { madeOf } from '../model/bodies/as-made.ts';
import { familyNamed } from '../model/resources/index.ts';
import { type About, numberOf, type Run, type SentStep } from './journal/run.ts';
import { wasNotProcessed } from './limiter.ts';
import { type LostCreate, lookForCreates } from './lost/creates.ts';
import { Fitting, type Sample } from './lost/fit.ts';
import { createdOf, isNowhere, noteBaseline, recordAt, recordFound, unlisted } from './lost/newest.ts';
import { type NumberedWrite, StepsUnderWay } from './parts.ts';
import type { Service, ServiceTurn } from './service.ts';
import type {
  Conflicting,
  MadeRecord,
  Plan,
  PreparedRequest,
  SentRequest,
  Settled,
  Step,
  StepOutcome,
  Trace,
  Verdict,
  World,
  WriteAt,
} from './step.ts';

export interface RunOptions {
  readonly service: Service;
  /** When aborted from outside, sent requests are finished, and nothing more begins. */
  readonly signal: AbortSignal;
  /** Ends the wait for turns, when the run stops by itself. */
  stop(): void;
  /** The failed steps after which the run ends. Steps that are left out on purpose don't count. Absent: failures don't end the run. */
  readonly maxFailures?: number;
  /** The first failure ends the run, and is its error. */
  readonly endsAtFailure?: boolean;
  /** The message of a failed write in the front end's words. Absent: the error's own. */
  describe?(write: WriteAt, error: CrmError): string;
  /** Called for each finished step, after it is noted. An error thrown here ends the run. */
  settled(step: Pick<Step, 'n' | 'part' | 'key'>, outcome: StepOutcome): void;
  /** Called once, when the run only waits for requests that may still be under way. */
  waiting?(milliseconds: number, count: number): void;
}

/** The reason why a run ended early. */
export type Halt =
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'max-failures' }
  | { readonly kind: 'error'; readonly error: unknown; readonly step?: Pick<Step, 'n' | 'key'> };

/** The lost writes with which a round stops sending. */
const mostLost = 500;
/** The most milliseconds between two flushes of outcomes. */
const flushInterval = 500;
/** Milliseconds until a list that can't be read is read again. */
const untilReadAgain = 1000;
/** The losses of a request after which its step fails. An answer 500 speaks of the row. */
const mostLosses = ({ details }: CrmError): number => (details.httpStatus === 500 ? 2 : 4);
/** The writes in a row without any answer after which the service counts as taking none. */
const mostLostInARow = 8;
/** The failed looks in a row after which the run stops. */
const mostFailedLooks = 3;
/** The forbidden steps in a row after which the key counts as without rights. */
const mostForbidden = 8;
/** The own records that show which values the service keeps unchanged. */
const mostSamples = 5;

/** A write that was sent and has no answer that can be trusted. */
interface Lost {
  readonly write: NumberedWrite;
  readonly trace: Trace;
  readonly kind: string;
  /** The steady time from which a look may say that the write did not arrive. */
  readonly due: number;
  /** The service's refusal, if any. It becomes the failure when the write did not take effect. */
  readonly refused?: CrmError | undefined;
  /** The service confirmed the write, but not the id of its record. The write is never sent again. */
  readonly isCertain?: true;
}

/** What a later write has to know of an earlier one. `lost`: the next round tells. */
type Passed = 'done' | 'not done' | 'lost';

/**
 * Brings every step to its outcome, as far as possible, and notes all in the journal. Returns the reason of an early end. Without a
 * reason, the steps still without an outcome are unknown, or wait for one.
 */
export async function carryOut(plan: Plan, journal: Run, options: RunOptions): Promise<Halt | undefined> {
  const steps = new StepsUnderWay(plan, journal, options);
  const halt = await new Runner(steps, journal, options).end();
  steps.forgetIdle();
  return halt;
}

class Runner {
  readonly #steps: StepsUnderWay;
  readonly #journal: Run;
  readonly #options: RunOptions;
  readonly #clock: Clock;
  readonly #world: World;
  /** Steps up to this number may have a state from an earlier process. */
  readonly #highest: number;
  readonly #lost = new Map<number, Lost>();
  /** Writes that were lost once. An answer "already taken" may be about their own record. */
  readonly #wereLost = new Set<number>();
  readonly #losses = new Map<number, number>();
  /** Steps that this run leaves without an outcome: unresolvable ones, and steps that wait for an unfinished step. */
  readonly #left = new Set<number>();
  /** The writes that the next round sends before it goes on with the plan. */
  readonly #next = new Map<number, NumberedWrite>();
  /** Whether the writes of a group are done. Kept for a round, because many writes share a group. */
  #afters = new WeakMap<readonly number[], Promise<Passed>>();
  readonly #over = new Map<number, { resolve: (passed: Passed) => void; promise: Promise<Passed> }>();
  readonly #baselines = new Map<string, Promise<ReadonlySet<string> | undefined>>();
  readonly #baselinesRead = new Map<string, ReadonlySet<string> | undefined>();
  /** Families of which a created record was read back. */
  readonly #firsts = new Set<string>();
  readonly #samples = new Map<string, { readonly id: Id; readonly body: Body; record?: unknown }[]>();
  #halt: Halt | undefined;
  #failures = 0;
  #forbidden = 0;
  #lostInARow = 0;
  /** The steady time of the last loss. Requests sent before bring no news. */
  #lostAt = 0;
  #hasWritten: boolean;
  #isToldWaiting = false;
  /** Resolves when the marks of the leaving requests are written. */
  #marked: Promise<void> | undefined;

  constructor(steps: StepsUnderWay, journal: Run, options: RunOptions) {
    this.#steps = steps;
    this.#journal = journal;
    this.#options = options;
    this.#clock = options.service.clock;
    this.#highest = journal.highest;
    this.#hasWritten = journal.counts().done > 0;
    this.#world = { api: options.service.api, made: (n) => journal.made(n), mayHaveArrived: false };
  }

  async end(): Promise<Halt | undefined> {
    const { signal, service } = this.#options;
    this.#journal.begin(service.timeout);
    const interrupt = (): void => this.#stop({ kind: 'interrupted' });
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt);
    const stopFlushing = every(this.#clock, flushInterval, () => this.#try(() => this.#journal.sync()));
    try {
      await this.#adoptLost();
      await this.#goInRounds();
    } catch (error) {
      this.#stop({ kind: 'error', error });
    } finally {
      stopFlushing();
      signal.removeEventListener('abort', interrupt);
      this.#try(() => this.#journal.flush());
    }
    return this.#halt;
  }

  /** Ends the run. Only the first reason is kept. */
  #stop(halt: Halt): void {
    if (this.#halt !== undefined) return;
    this.#halt = halt;
    this.#options.stop();
    for (const { resolve } of this.#over.values()) resolve('not done');
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#stop({ kind: 'error', error });
    }
  }

  /** Sends and looks, in turn, until a round loses nothing. */
  async #goInRounds(): Promise<void> {
    const isWanted = (n: number): boolean => n > this.#highest || !['sent', 'done', 'failed'].includes(this.#journal.state(n) ?? '');
    const plan = this.#steps.writes(isWanted);
    try {
      while (this.#halt === undefined) {
        await this.#send(plan);
        if (this.#lost.size === 0 || this.#halt !== undefined) return;
        await this.#settle();
      }
    } finally {
      await plan.return(undefined);
    }
  }

  /** Sends the writes of a round. The round ends early with too many lost ones. */
  async #send(plan: AsyncGenerator<NumberedWrite>): Promise<void> {
    const first = [...this.#next.values()].toSorted((a, b) => a.place - b.place);
    this.#next.clear();
    this.#afters = new WeakMap();
    const work = async (): Promise<void> => {
      while (this.#halt === undefined && this.#lost.size < mostLost) {
        const write = first.shift() ?? (await this.#nextOf(plan));
        if (write === undefined || this.#halt !== undefined) return;
        await this.#bring(write);
      }
    };
    const { concurrency } = this.#options.service;
    await Promise.all(Array.from({ length: concurrency }, () => work().catch((error) => this.#stop({ kind: 'error', error }))));
    for (const write of first) this.#next.set(write.n, write);
  }

  /** The next write of the plan, noted as intended. What an earlier round noted of a write stays. */
  async #nextOf(plan: AsyncGenerator<NumberedWrite>): Promise<NumberedWrite | undefined> {
    const { value: write } = await plan.next();
    if (write !== undefined && this.#halt === undefined) this.#journal.intend([write]);
    return write;
  }

  /** Takes the requests of earlier processes as lost. */
  async #adoptLost(): Promise<void> {
    const sent = new Map(this.#journal.lost().map((one) => [numberOf(one), one]));
    if (sent.size === 0) return;
    for await (const write of this.#steps.writes((n) => sent.has(n))) {
      const one = sent.get(write.n);
      if (one === undefined || this.#lost.has(write.n)) continue;
      this.#addLost({ write, trace: write.trace(one), kind: one.kind, due: this.#dueOfEarlier(one) });
    }
    for (const n of sent.keys()) if (!this.#lost.has(n)) this.#leaveUnknown(n, notInPlan);
  }

  /** When a request of an earlier process has certainly arrived, if ever. A time of sending in the future counts as now. */
  #dueOfEarlier({ sentAt, timeout }: SentStep): number {
    const { wait } = this.#options.service;
    // The sender may have waited for its answer until it died. A mark in the future is from an earlier start of the machine.
    return Math.min(this.#clock.steady(), sentAt) + (wait === 0 ? 0 : Math.max(wait, timeout));
  }

  /** Brings a step to its outcome. Its reads and its write are a single turn, which runs anew after a pause. Never throws. */
  async #bring(step: NumberedWrite): Promise<void> {
    const { service } = this.#options;
    const leaving: Leaving = { sentAt: undefined, operation: undefined };
    try {
      const passed = step.after === undefined ? 'done' : await this.#areDone(step.after);
      if (passed === 'lost') return this.#postpone(step);
      if (passed === 'not done') return this.#leave(step.n);
      for (;;) {
        const end = await service.inTurn(
          (turn) => this.#turn(step, turn, leaving),
          () => mayRepeat(leaving),
        );
        if (end === undefined) return;
        if ('waits' in end) return this.#leave(step.n);
        if ('lacks' in end) await this.#baseline(end.lacks);
        else return await this.#conclude(step, leaving, end);
      }
    } catch (error) {
      const { sentAt, operation } = leaving;
      if (sentAt === undefined || operation === undefined) this.#failedToPrepare(step, error);
      else if (operation.request.method === 'DELETE' && error instanceof NotFoundError) await this.#isGone(step, operation, sentAt, error);
      else await this.#failedToSend(step, operation.sent, sentAt, error);
    }
  }

  /** Leaves a write to the next round, because a write before it is lost. */
  #postpone(write: NumberedWrite): void {
    this.#next.set(write.n, write);
    this.#endStep(write.n, 'lost');
  }

  /** After a 404 to a delete, looks whether the record is gone. */
  async #isGone(step: NumberedWrite, { sent }: PreparedRequest, sentAt: number, refused: NotFoundError): Promise<void> {
    const trace = step.trace(sent);
    if (trace.kind !== 'target') return this.#done(step, 'gone', []);
    try {
      const { end } = await trace.look(this.#options.service.api);
      if (end === 'found') return this.#done(step, 'gone', []);
      const { httpStatus, request } = refused.details;
      const record = `${familyNamed(step.family)?.singular} ${sent.target}`;
      const there = new RefusedError(`The service answered 404 to the delete of ${record}, which is there.`, {
        ...(httpStatus && { httpStatus }),
        ...(request && { request }),
        cause: refused,
      });
      this.#fail(step, there);
    } catch (error) {
      await this.#failedToSend(step, sent, sentAt, error);
    }
  }

  /** Runs a step in its turn. Undefined when the run ended before the step was sent. */
  async #turn(step: NumberedWrite, turn: ServiceTurn, leaving: Leaving): Promise<End | undefined> {
    if (this.#halt !== undefined) return undefined;
    const prepared = await step.prepare({ ...this.#world, api: turn.api, mayHaveArrived: leaving.sentAt !== undefined });
    if (this.#halt !== undefined) return undefined;
    if (prepared === undefined) return { waits: true };
    if (!('request' in prepared)) return { prepared };
    // The baseline must be noted before the first record of a family is created.
    const isCreate = prepared.sent.kind === 'create';
    if (isCreate && !this.#options.service.isDry && !this.#baselinesRead.has(step.family)) return { lacks: step.family };
    leaving.operation = prepared;
    // An earlier, lost attempt may have arrived, whatever the result of this one.
    const lostAt = leaving.sentAt;
    const sending = turn.send(step.key, prepared.request, async () => {
      await this.#noteSent(step, prepared.sent);
      leaving.sentAt = this.#clock.steady();
    });
    const answer = await sending.catch((error: unknown) => {
      if (wasNotProcessed(error) && leaving.sentAt !== undefined) {
        // When the run ends during the pause, the step counts as not sent.
        if (lostAt === undefined) this.#try(() => this.#journal.unsent(step.n));
        leaving.sentAt = lostAt;
      }
      throw error;
    });
    if (!isCreate) return { operation: prepared, answer, behind: await prepared.behind?.(answer, turn.api) };
    const shown = this.#madeBy(step, prepared, answer.data);
    const first = shown === undefined ? await this.#readFirst(step, prepared, answer, turn.api) : undefined;
    return { operation: prepared, answer, behind: first, left: shown ?? this.#madeBy(step, prepared, first) };
  }

  async #conclude(
    step: NumberedWrite,
    { sentAt, operation: sent }: Leaving,
    end: Exclude<End, { lacks: string } | { waits: true }>,
  ): Promise<void> {
    if ('prepared' in end) {
      const { prepared } = end;
      if ('conflict' in prepared)
        return sentAt === undefined || sent === undefined
          ? this.#leaveConflict(step, prepared)
          : await this.#failedToSend(step, sent.sent, sentAt, prepared.conflict);
      // The step was sent, failed in passing, and now finds its values there: the earlier attempt worked.
      const did = sentAt === undefined || sent === undefined ? prepared.settled : sent.did;
      return this.#done(step, did, prepared.made, prepared.target === undefined ? {} : { target: prepared.target });
    }
    const { operation, answer, behind, left } = end;
    this.#lostInARow = 0;
    const { made: answered, after } = await operation.took(answer, behind);
    const isCreate = operation.sent.kind === 'create';
    const created = isCreate ? createdOf(behind) : undefined;
    const made = created === undefined ? answered : answered.map((one) => ({ created, ...one }));
    if (this.#options.service.isDry) return this.#done(step, operation.did, made);
    const unshown = (why: string): Error =>
      unreadableAnswer(withCommand(this.#options.service.api.command, operation.request), answer.status, why);
    const why = denialOf(operation, answer);
    if (why !== undefined) return await this.#failedToSend(step, operation.sent, sentAt ?? 0, unshown(why));
    const isOld = isCreate && this.#isAnothers(step, operation, answer, made);
    if (isOld || (isCreate && made[0]?.id === undefined)) return this.#lookForId(step, operation.sent);
    const shown = isCreate ? { after: left } : await this.#shownBy(step, operation, answer, after);
    if (shown === undefined) {
      const error = unshown('tells nothing of it, and the record does not have it');
      return await this.#failedToSend(step, operation.sent, sentAt ?? 0, error);
    }
    this.#done(step, operation.did, made, shown.after === undefined ? {} : { after: shown.after });
    if (isCreate) this.#created(step, operation, made);
  }

  /** The run's first record of a family whose answer doesn't show what the service made of the values, read in the turn of its create. */
  async #readFirst(step: NumberedWrite, operation: PreparedRequest, answer: Answer, api: Api): Promise<unknown> {
    const made = madeIn(answer);
    if (this.#options.service.isDry || this.#firsts.has(step.family) || made.kind === 'none') return undefined;
    this.#firsts.add(step.family);
    return readRecord(api, `${operation.request.path}/${scalarText(made.record.id)}`).catch((error: unknown) => {
      if (!(error instanceof CrmError)) throw error;
    });
  }

  /** What the service made of a create (`madeOf`). Undefined when the record doesn't tell. */
  #madeBy({ family }: NumberedWrite, { sent, request }: PreparedRequest, record: unknown): unknown {
    const [resource, body] = [familyNamed(family), sent.body ?? request.body];
    return resource === undefined || body === undefined || record === undefined ? undefined : madeOf(resource, body, record);
  }

  /**
   * The effect of a write by its answer, else by a look at the record. Undefined when neither shows the write. Without a way to look,
   * the answer is believed.
   */
  async #shownBy(
    step: NumberedWrite,
    { sent, request }: PreparedRequest,
    answer: Answer,
    after: unknown,
  ): Promise<{ readonly after?: unknown } | undefined> {
    const isTold = request.method === 'POST' ? answer.data !== undefined : evidenceOf(answer, String(sent.target ?? '')).kind === 'record';
    if (isTold) return { after };
    const { api } = this.#options.service;
    if (request.method === 'DELETE' && (await recordFound(api, request.path)) === undefined) return { after };
    const trace = step.trace(sent);
    if (trace.kind !== 'target') return { after };
    const verdict = await trace.look(api);
    return verdict.end === 'found' ? { after: after ?? verdict.after } : undefined;
  }

  /**
   * Writes the mark of a step before its request leaves, so that the mark survives the death of the process. Marks of requests that
   * leave together are written together.
   */
  async #noteSent(step: NumberedWrite, sent: SentRequest): Promise<void> {
    try {
      this.#journal.sent(step.n, sent);
      this.#marked ??= this.#clock.turn().then(() => {
        this.#marked = undefined;
        this.#journal.flush();
      });
      await this.#marked;
    } catch (error) {
      this.#stop({ kind: 'error', error });
      // Without its mark it does not leave.
      this.#try(() => this.#journal.unsent(step.n));
      throw error;
    }
  }

  /** The baseline of a family, which must be noted before its first record is created. */
  async #baseline(family: string): Promise<void> {
    const baseline = this.#baselines.get(family) ?? this.#noteBaseline(family);
    this.#baselines.set(family, baseline);
    this.#baselinesRead.set(family, await baseline);
  }

  /** Reads the baseline of a family. A list that can't be read completely is read again, or ends the run; no step fails. */
  async #noteBaseline(family: string): Promise<ReadonlySet<string> | undefined> {
    const { service, signal } = this.#options;
    const resource = familyNamed(family);
    if (resource === undefined || service.isDry) return undefined;
    try {
      await this.#patiently(() => noteBaseline(service.api, resource, this.#journal, signal));
      return this.#journal.baseline(family);
    } catch (error) {
      this.#stop({ kind: 'error', error });
      throw error;
    }
  }

  /** True when the answered id is known from before the run or from a run's record, or when the answer shows other values. */
  #isAnothers({ family }: NumberedWrite, { request }: PreparedRequest, { data }: Answer, [own]: readonly MadeRecord[]): boolean {
    const resource = familyNamed(family);
    if (resource === undefined || request.body === undefined || own?.id === undefined) return false;
    const id = scalarText(own.id);
    const isKnown = this.#baselinesRead.get(family)?.has(id) === true || this.#journal.isClaimed(family, id);
    return isKnown || new Fitting(resource, []).isContradicted(data, request.body);
  }

  #done(step: NumberedWrite, did: string, made: readonly MadeRecord[], about: About = {}): void {
    this.#try(() => this.#journal.done(step.n, did, made, about));
    this.#hasWritten = true;
    this.#forbidden = 0;
    this.#try(() => this.#steps.settled(step, { did, made }));
    this.#endStep(step.n, 'done');
  }

  #endStep(n: number, passed: Passed): void {
    this.#over.get(n)?.resolve(passed);
    this.#over.delete(n);
  }

  /** Keeps a few created records as samples, which later looks need. */
  #created({ family }: NumberedWrite, { sent, request }: PreparedRequest, [own]: readonly MadeRecord[]): void {
    if (this.#options.service.isDry || own?.id === undefined) return;
    const body = sent.body ?? request.body;
    const samples = this.#samples.get(family) ?? [];
    this.#samples.set(family, samples);
    if (samples.length < mostSamples && body !== undefined) samples.push({ id: own.id, body });
  }

  #described(step: NumberedWrite, error: CrmError): string {
    return this.#steps.describe(step, error);
  }

  #fail(step: NumberedWrite, error: CrmError): void {
    const message = this.#described(step, error);
    this.#try(() => this.#journal.failed(step.n, error.details.httpStatus ?? null, message));
    this.#try(() => this.#steps.settled(step, { failed: message }));
    this.#endStep(step.n, 'not done');
    if (!error.details.isAsked) this.#failures += 1;
    if (this.#options.endsAtFailure) this.#stop({ kind: 'error', error, step });
    else if (this.#failures >= (this.#options.maxFailures ?? Number.POSITIVE_INFINITY)) this.#stop({ kind: 'max-failures' });
  }

  #leaveConflict(step: NumberedWrite, { conflict, target }: Conflicting): void {
    const message = this.#described(step, conflict);
    this.#try(() => this.#journal.conflict(step.n, target, message));
    this.#try(() => this.#steps.settled(step, { failed: message, isConflict: true }));
    this.#endStep(step.n, 'not done');
  }

  /** Notes the failure of a step that was not sent. */
  #failedToPrepare(step: NumberedWrite, error: unknown): void {
    const isStop = !(error instanceof CrmError) || error instanceof UnauthorizedError || wasNotProcessed(error) || isNowhere(error);
    if (this.#options.signal.aborted && error === this.#options.signal.reason) this.#stop({ kind: 'interrupted' });
    else if (isStop || (error instanceof UnavailableError && this.#options.service.limiter.exhausted))
      this.#stop({ kind: 'error', error, step });
    else if (this.#halt === undefined) this.#fail(step, error);
  }

  async #failedToSend(step: NumberedWrite, sent: SentRequest, sentAt: number, error: unknown): Promise<void> {
    // The request may have arrived, so the step is lost.
    if (error instanceof InterruptedError) return this.#stop({ kind: 'interrupted' });
    if (!(error instanceof CrmError)) return this.#stop({ kind: 'error', error, step });
    // The write may have taken effect despite the failure.
    const isOwn = error instanceof ConflictError && error.details.httpStatus === undefined;
    if (isOwn || (error instanceof UnavailableError && !wasNotProcessed(error))) return this.#lose(step, sent, sentAt, error);
    this.#lostInARow = 0;
    if (isTaken(error) && this.#wereLost.has(step.n)) return this.#lose(step, sent, sentAt, error, error);
    if (isForbidden(error) && this.#hasWritten) {
      this.#forbidden += 1;
      if (this.#forbidden < mostForbidden) return this.#fail(step, error);
    }
    if (error instanceof UnauthorizedError || wasNotProcessed(error)) {
      if (error instanceof UnauthorizedError) this.#try(() => this.#journal.unsent(step.n));
      return this.#stop({ kind: 'error', error, step });
    }
    this.#fail(step, error);
  }

  #lose(write: NumberedWrite, sent: SentRequest, sentAt: number, error: CrmError, refused?: CrmError): void {
    const { service } = this.#options;
    const losses = (this.#losses.get(write.n) ?? 0) + 1;
    this.#losses.set(write.n, losses);
    const now = this.#clock.steady();
    if (refused === undefined && sentAt >= this.#lostAt) {
      this.#lostInARow = error.details.httpStatus === 500 ? 0 : this.#lostInARow + 1;
      this.#lostAt = now;
    }
    const due = refused === undefined ? now + service.wait : now;
    const failure = refused ?? (losses >= mostLosses(error) ? error : undefined);
    this.#addLost({ write, trace: write.trace(sent), kind: sent.kind, due, refused: failure });
    if (service.limiter.exhausted || this.#lostInARow >= mostLostInARow) this.#stop({ kind: 'error', error, step: write });
  }

  /** Looks for the id of a record that a wordless answer confirmed. The write is never sent again. */
  #lookForId(write: NumberedWrite, sent: SentRequest): void {
    const due = this.#clock.steady() + this.#options.service.wait;
    this.#addLost({ write, trace: write.trace(sent), kind: sent.kind, due, isCertain: true });
  }

  #addLost(lost: Lost): void {
    this.#wereLost.add(lost.write.n);
    this.#lost.set(lost.write.n, lost);
    this.#endStep(lost.write.n, 'lost');
  }

  /** Looks for the lost writes, waits once for those that are missing, and looks again. Only the second look says that a write is absent. */
  async #settle(): Promise<void> {
    try {
      await this.#look(false);
      if (this.#lost.size === 0) return;
      const milliseconds = Math.max(...[...this.#lost.values()].map(({ due }) => due)) - this.#clock.steady();
      if (milliseconds > 0) this.#tellWaiting(milliseconds);
      await this.#pause(milliseconds);
      if (this.#halt === undefined) await this.#look(true);
    } catch (error) {
      this.#stop(this.#options.signal.aborted ? { kind: 'interrupted' } : { kind: 'error', error });
    }
  }

  #tellWaiting(milliseconds: number): void {
    if (!this.#isToldWaiting) this.#options.waiting?.(milliseconds, this.#lost.size);
    this.#isToldWaiting = true;
  }

  async #pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await sleep(this.#clock, milliseconds, this.#options.signal).catch(() => undefined);
  }

  /** Looks once for the lost writes. The creates of a family are looked for together. */
  async #look(isLast: boolean): Promise<void> {
    const byFamily = Map.groupBy(this.#lost.values(), ({ write, trace }) => (trace.kind === 'create' ? write.family : ''));
    for (const [family, all] of byFamily) {
      const verdicts = await this.#patiently(() =>
        family === '' ? this.#lookAtEach(all) : this.#lookForFamily(family, all.flatMap(createOf)),
      );
      for (const lost of all) {
        const verdict = verdicts.get(lost.write.n);
        if (verdict !== undefined) this.#judge(lost, verdict, isLast);
      }
    }
  }

  /** Reads lists again that can't be read completely, a few times. Then the run ends, and no step fails. */
  async #patiently<T>(read: () => Promise<T>): Promise<T> {
    for (let failed = 1; ; failed += 1) {
      try {
        return await read();
      } catch (thrown) {
        const error = unlisted(thrown);
        if (!(error instanceof UnavailableError) || failed > mostFailedLooks || this.#halt !== undefined) throw error;
        await this.#pause(untilReadAgain);
      }
    }
  }

  /** Ends a lost write as a look shows it, or has it sent again. A first look that shows nothing leaves it lost. */
  #judge(lost: Lost, verdict: Verdict, isLast: boolean): void {
    const { write, trace } = lost;
    const { wait } = this.#options.service;
    if (verdict.end !== 'found' && !isLast && wait > 0 && trace.kind !== 'repeatable') return;
    this.#lost.delete(write.n);
    if (verdict.end === 'found') this.#found(lost, verdict);
    else if (verdict.end === 'unknown') this.#leaveUnknown(write.n, whyUnknown(write.family, verdict.candidates));
    else if (lost.isCertain)
      this.#leaveUnknown(write.n, `The service said that it was made, and the list of ${write.family} does not show it.`);
    else if (lost.refused !== undefined) this.#fail(write, lost.refused);
    else {
      this.#try(() => this.#journal.unsent(write.n, trace.kind === 'create' && wait > 0));
      this.#next.set(write.n, write);
    }
  }

  #found({ write, kind, trace }: Lost, { did = didOf(kind), made, after }: Extract<Verdict, { end: 'found' }>): void {
    // Somebody may have edited a record that is found late: it tells what the service makes of values only where no other one has.
    const isFirst = trace.kind === 'create' && after !== undefined && this.#journal.firstMade(write.family) === undefined;
    // A dry run counts the steps that it would send.
    this.#done(write, this.#options.service.isDry ? 'found' : did, made, isFirst ? { after } : {});
  }

  /** Leaves the outcome of a step unknown: the user must decide. */
  #leaveUnknown(n: number, why: string): void {
    this.#try(() => this.#journal.unknown(n, why));
    this.#leave(n);
  }

  #leave(n: number): void {
    this.#left.add(n);
    this.#endStep(n, 'not done');
  }

  async #lookAtEach(all: readonly Lost[]): Promise<Map<number, Verdict>> {
    const verdicts = new Map<number, Verdict>();
    for (const { write, trace } of all) {
      verdicts.set(write.n, trace.kind === 'target' ? await trace.look(this.#options.service.api) : { end: 'absent' });
    }
    return verdicts;
  }

  async #lookForFamily(family: string, creates: readonly LostCreate[]): Promise<Map<number, Verdict>> {
    const { service, signal } = this.#options;
    const resource = familyNamed(family);
    if (resource === undefined) return new Map();
    const own = (ids: readonly string[]): Set<string> => new Set(this.#journal.makersOf(family, ids).keys());
    const unsure = await this.#unsure(family);
    return lookForCreates(service.api, resource, [...creates, ...unsure], {
      baseline: this.#journal.baseline(family),
      samples: await this.#samplesOf(family),
      isClaimed: (ids) => own(ids).union(this.#journal.claimedByOthers(family, ids)),
      signal,
    });
  }

  /** Steps that made a record of unknown id. They come first when records are assigned. */
  async #unsure(family: string): Promise<LostCreate[]> {
    const steps = new Set(this.#journal.unsure(family));
    if (steps.size === 0) return [];
    const bodies = await this.#bodiesOf(steps);
    return [...bodies].map(([n, body]) => ({ n, body, isCertain: true as const }));
  }

  async #bodiesOf(steps: ReadonlySet<number>): Promise<Map<number, Body>> {
    const bodies = new Map<number, Body>();
    for await (const step of this.#steps.writes((n) => steps.has(n))) {
      const kept = this.#journal.bodyOf(step.n);
      const trace = step.trace({ kind: 'create', ...(kept === undefined ? {} : { body: kept }) });
      if (trace.kind === 'create') bodies.set(step.n, trace.body);
    }
    return bodies;
  }

  /** A few own records as the service shows them, with the sent values. Each is read once. */
  async #samplesOf(family: string): Promise<readonly Sample[]> {
    const path = familyNamed(family)?.path ?? '';
    const samples = this.#samples.get(family) ?? [];
    this.#samples.set(family, samples);
    if (samples.length === 0) {
      const made = new Map(this.#journal.newestMade(family, mostSamples).map(({ step, id }) => [step, id]));
      for (const [n, body] of made.size === 0 ? [] : await this.#bodiesOf(new Set(made.keys())))
        samples.push({ id: made.get(n) ?? '', body });
    }
    const read = samples.map(async (one) => {
      one.record ??= await recordAt(this.#options.service.api, `${path}/${scalarText(one.id)}`);
      return { record: one.record, body: one.body };
    });
    return (await Promise.all(read)).filter(({ record }) => record !== undefined);
  }

  async #areDone(groups: readonly (readonly number[])[]): Promise<Passed> {
    for (const writes of groups) {
      const passed = this.#afters.get(writes) ?? this.#awaitAll(writes);
      this.#afters.set(writes, passed);
      if ((await passed) !== 'done') return passed;
    }
    return 'done';
  }

  async #awaitAll(writes: readonly number[]): Promise<Passed> {
    for (const n of writes) {
      const passed = await this.#isOver(n);
      if (passed !== 'done') return passed;
    }
    return 'done';
  }

  /** Resolves when a write of this round is over. */
  async #isOver(n: number): Promise<Passed> {
    const state = this.#journal.state(n);
    if (state === 'done') return 'done';
    if (state === 'failed' || this.#halt !== undefined || this.#left.has(n)) return 'not done';
    if (this.#lost.has(n) || this.#next.has(n)) return 'lost';
    const outcome = this.#over.get(n) ?? Promise.withResolvers<Passed>();
    this.#over.set(n, outcome);
    return outcome.promise;
  }
}

/** The lost write as a create; none for other kinds. */
function createOf({ write, trace, isCertain }: Lost): LostCreate[] {
  return trace.kind === 'create' ? [{ n: write.n, body: trace.body, ...(isCertain ? { isCertain } : {}) }] : [];
}

const notInPlan = "What was sent is not in the file any more, so it can't be looked for.";

/** The message for a step that can't be resolved. */
function whyUnknown(family: string, candidates: readonly Id[]): string {
  if (candidates.length === 0) return notInPlan;
  return `It may have made ${family} ${firstOf(candidates.map(scalarText), 5)}, unless somebody else did.`;
}

const didOf = (kind: string): string => (kind === 'create' ? 'created' : 'updated');

/** A step under way: the time of its last sending, unless the service certainly did nothing, and the sent request. */
interface Leaving {
  sentAt: number | undefined;
  operation: PreparedRequest | undefined;
}

/** The end of a turn: an answer, nothing to send, a missing baseline, or a missing record of an earlier step. */
type End =
  /** An answer. `left`: what the service made of a create (`madeOf`), where a record told. */
  | { readonly operation: PreparedRequest; readonly answer: Answer; readonly behind: unknown; readonly left?: unknown }
  | { readonly prepared: Settled | Conflicting }
  | { readonly lacks: string }
  | { readonly waits: true };

/** True when a turn may run again: nothing was sent that may have arrived, or sending twice changes nothing more. */
const mayRepeat = ({ sentAt, operation }: Leaving): boolean => sentAt === undefined || operation?.request.repeatable === true;

/** The reason why an answer with a success status is no success: it denies the write, or shows another record. */
function denialOf({ sent, request }: PreparedRequest, answer: Answer): string | undefined {
  if (request.method === 'POST') {
    const evidence = madeIn(answer);
    return evidence.kind === 'none' && answer.envelope !== undefined ? evidence.why : undefined;
  }
  const evidence = evidenceOf(answer, String(sent.target ?? ''));
  return evidence.kind === 'none' ? evidence.why : undefined;
}

/** True for a 403: the key is valid, and the request is not allowed. */
const isForbidden = (error: unknown): boolean => error instanceof UnauthorizedError && error.details.httpStatus === 403;

/** True for a 422, which may mean that another record has the value. */
const isTaken = (error: unknown): error is RefusedError => error instanceof RefusedError && error.details.httpStatus === 422;
