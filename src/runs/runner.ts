// Carries out a plan in rounds: sends the writes without an outcome, several steps at once under the limiter, then looks for lost writes.
// Each write is marked in the journal before it leaves. Knows no file formats and no families.

import { type Clock, every, sleep } from '../base/clock.ts';
import { CrmError, InterruptedError, NotFoundError, RefusedError, UnauthorizedError, UnavailableError } from '../base/errors.ts';
import { IdSet } from '../base/values/id-set.ts';
import { scalarText } from '../base/values/json.ts';
import type { Id } from '../base/values/parse.ts';
import { firstOf } from '../base/values/text/wording.ts';
import type { Api } from '../client/client.ts';
import { evidenceOf, madeIn } from '../client/evidence.ts';
import { wasNotProcessed } from '../client/limiter.ts';
import { unreadableAnswer, withCommand } from '../client/problem.ts';
import { isNowhere, readRecord, recordFound, unlisted } from '../client/read-record.ts';
import type { Answer } from '../client/types.ts';
import { madeOf } from '../model/bodies/as-made.ts';
import type { Resource } from '../model/define.ts';
import { createdOf } from '../model/identity.ts';
import { familyNamed } from '../model/resources/index.ts';
import type { About, Run, SentStep } from './journal/run.ts';
import { type LostCreate, lookForCreates } from './lost/creates.ts';
import { Fitting } from './lost/fit.ts';
import { newestRecords } from './lost/newest.ts';
import type { Service, ServiceTurn } from './service.ts';
import type {
  Conflicting,
  Look,
  MadeRecord,
  Outcome,
  Plan,
  PreparedRequest,
  SentRequest,
  Settled,
  Step,
  StepOutcome,
  Verdict,
  World,
  Write,
  WriteAt,
} from './step.ts';

export interface RunOptions {
  readonly service: Service;
  /** Aborted by the user (Ctrl-C): requests under way are finished, and no further request is sent. */
  readonly signal: AbortSignal;
  /** Called when the run ends early: cancels the steps that wait for their turn. */
  stop(): void;
  /** The number of failed steps at which the run ends. Conflicts don't count, nor do steps that the user left out. Absent: no limit. */
  readonly maxFailures?: number;
  /** True: the first failed write ends the run, with the error of the write. */
  readonly endsAtFailure?: boolean;
  /** The message of a failed write in the front end's words. Absent: the error's own message. */
  describe?(write: WriteAt, error: CrmError): string;
  /**
   * Called when a step is finished, after the journal has noted the outcome. Not called if an earlier process did the step's first write.
   * An error thrown here ends the run.
   */
  settled(step: Pick<Step, 'n' | 'key'>, outcome: StepOutcome): void;
  /** Called once, when the run begins to wait for lost writes that may still arrive. `count`: the number of lost writes. */
  waiting?(milliseconds: number, count: number): void;
}

/** The reason why a run ended early. */
export type Halt =
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'max-failures' }
  | { readonly kind: 'error'; readonly error: unknown; readonly step?: Pick<Step, 'n' | 'key'> };

/** The number of lost writes at which a round stops sending. */
const mostLost = 500;
/** Milliseconds between two synced commits of outcomes. */
const flushInterval = 500;
/** Milliseconds before an unreadable list is read again. */
const untilReadAgain = 1000;
/**
 * The number of lost answers at which an absent write fails: 2 if the service answered 500, because a 500 may be the row's fault; else 4.
 */
const mostLosses = ({ details }: CrmError): number => (details.httpStatus === 500 ? 2 : 4);
/** The number of unanswered writes in a row at which the run stops. */
const mostLostInARow = 8;
/** How often an unreadable list is read again, before the run stops. */
const mostFailedLooks = 3;
/** The number of 403 answers in a row at which the run stops. */
const mostForbidden = 8;

/** A write of a step: the first write, or a part. */
interface StepWrite extends Write, Required<WriteAt> {
  /** The name of a part; empty for the first write. */
  readonly name: string;
  /** The last loss. When a later attempt is refused, the lost attempt may be the reason. */
  lastLoss?: Lost;
}

/** A step under way. */
interface UnderWay {
  readonly step: Step;
  /** The writes that are still to be done, in order. */
  readonly left: StepWrite[];
  /** The outcome of the first write, once this process has done the write. */
  first?: Outcome;
}

/** A write that was sent and has no answer that can be trusted. */
interface Lost {
  readonly under: UnderWay;
  readonly write: StepWrite;
  readonly look: Look;
  /** The name of the outcome if the write took effect. Undefined for a write of an earlier process: the look gives the name. */
  readonly did?: string;
  /** How often the answer to this write was lost. */
  readonly times?: number;
  /** The steady time from which a look may call the write absent. */
  readonly due: number;
  /** The error with which an absent write fails. Undefined: an absent write is sent again. */
  readonly refused?: CrmError | undefined;
  /** The conflict that a later attempt or a look met. The write ends with this conflict if the lost attempt did not take effect. */
  readonly conflict?: Conflicting;
  /** True when the service confirmed a create but not the id of its record. The create is never sent again. */
  readonly isCertain?: true;
}

/** How a write or a step ended in a round. `lost`: still open, because the write or an earlier step is lost. */
type Passed = 'done' | 'not done' | 'lost';

/**
 * Carries out the steps of a plan, and notes their outcomes in the journal. Returns the reason if the run ended early. If no reason is
 * returned, a step without an outcome is unknown, or waits for a failed or unknown step.
 */
export async function carryOut(plan: Plan, journal: Run, options: RunOptions): Promise<Halt | undefined> {
  return new Runner(plan, journal, options).end();
}

class Runner {
  readonly #plan: Plan;
  readonly #journal: Run;
  readonly #options: RunOptions;
  readonly #clock: Clock;
  readonly #world: World;
  /** The highest step that the journal knew at the start. A higher step has no state from an earlier process. */
  readonly #highest: number;
  /** The lost writes by the number of their step. No step has two lost writes. */
  readonly #lost = new Map<number, Lost>();
  /** The steps that stay without an outcome: unknown steps, and steps that wait for an unfinished step. */
  readonly #left = new Set<number>();
  /** The steps with which the next round begins. Steps of the plan follow. */
  readonly #next = new Map<number, UnderWay>();
  /** The end of each group of steps. Kept for a round, because many steps wait for the same group. */
  #afters = new WeakMap<readonly number[], Promise<Passed>>();
  readonly #over = new Map<number, { resolve: (passed: Passed) => void; promise: Promise<Passed> }>();
  readonly #baselines = new Map<string, Promise<void>>();
  /** The newest ids of each family in the latest look. */
  readonly #newest = new Map<string, readonly string[]>();
  /** By family: the ids of the baseline and of known records. No new record has such an id. */
  readonly #known = new Map<string, IdSet>();
  /** The fittings by family. Kept, because making a fitting takes longer than a comparison. */
  readonly #fittings = new Map<string, Fitting>();
  /** The families whose first created record was read back. */
  readonly #firsts = new Set<string>();
  #halt: Halt | undefined;
  #failures = 0;
  #forbidden = 0;
  #lostInARow = 0;
  /** The steady time of the last loss. A request sent before this time says nothing new about the service. */
  #lostAt = 0;
  #hasWritten: boolean;
  #hasUnknown = false;
  #isToldWaiting = false;
  /** Resolves when the pending marks are written. Their requests then leave. */
  #marked: Promise<void> | undefined;

  constructor(plan: Plan, journal: Run, options: RunOptions) {
    this.#plan = plan;
    this.#journal = journal;
    this.#options = options;
    this.#clock = options.service.clock;
    this.#highest = journal.highest;
    this.#hasWritten = journal.counts().done > 0;
    this.#world = { api: options.service.api, made: (n) => journal.made(n) };
  }

  async end(): Promise<Halt | undefined> {
    const { signal, service } = this.#options;
    this.#journal.begin(service.timeout);
    const interrupt = (): void => void this.#stop({ kind: 'interrupted' });
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
  #stop(halt: Halt): Passed {
    if (this.#halt !== undefined) return 'not done';
    this.#halt = halt;
    this.#options.stop();
    for (const { resolve } of this.#over.values()) resolve('not done');
    return 'not done';
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#stop({ kind: 'error', error });
    }
  }

  /** Sends writes and looks for the lost writes, round after round, until no write is lost. */
  async #goInRounds(): Promise<void> {
    const isOpen = (state = 'intended'): boolean => state === 'intended';
    // A lost step of an earlier process goes on through `#next`, so the plan must leave the step out.
    const adopted = new Set(this.#lost.keys());
    const isWanted = (n: number, part = 0): boolean => n > this.#highest || (!adopted.has(n) && isOpen(this.#journal.state({ n, part })));
    const plan = this.#plan.steps(isWanted)[Symbol.asyncIterator]();
    try {
      while (this.#halt === undefined) {
        await this.#send(plan);
        if (this.#lost.size === 0 || this.#halt !== undefined) return;
        await this.#settle();
      }
    } finally {
      await plan.return?.(undefined);
    }
  }

  /** Sends the writes of a round. Ends the round early at `mostLost` lost writes. */
  async #send(plan: AsyncIterator<Step>): Promise<void> {
    const first = [...this.#next.values()].toSorted((a, b) => a.step.n - b.step.n);
    this.#next.clear();
    this.#afters = new WeakMap();
    const work = async (): Promise<void> => {
      while (this.#halt === undefined && this.#lost.size < mostLost) {
        const under = first.shift() ?? (await this.#nextOf(plan));
        if (under === undefined || this.#halt !== undefined) return;
        this.#endStep(under.step.n, await this.#bring(under));
      }
    };
    const { concurrency } = this.#options.service;
    await Promise.all(Array.from({ length: concurrency }, () => work().catch((error) => this.#stop({ kind: 'error', error }))));
    for (const under of first) this.#next.set(under.step.n, under);
  }

  /** The next step of the plan that has something to do, noted as intended. */
  async #nextOf(plan: AsyncIterator<Step>): Promise<UnderWay | undefined> {
    for (;;) {
      const { value: step, done } = await plan.next();
      if (done === true || this.#halt !== undefined) return undefined;
      const left = this.#open(step);
      if (left.length === 0) continue;
      this.#journal.intend(left);
      return { step, left };
    }
  }

  /** The writes of a step that are still to be done. Empty when a write of the step failed or is lost. */
  #open(step: Step): StepWrite[] {
    const all = writesOf(step);
    if (step.n > this.#highest) return all;
    const left = all.filter((write) => this.#journal.state(write) !== 'done');
    return left.every((write) => (this.#journal.state(write) ?? 'intended') === 'intended') ? left : [];
  }

  /** Takes the unanswered requests of earlier processes as lost writes. */
  async #adoptLost(): Promise<void> {
    const sent = new Map(this.#journal.lost().map((one) => [one.n, one]));
    if (sent.size === 0) return;
    for await (const step of this.#plan.steps((n, part = 0) => sent.get(n)?.part === part)) {
      const one = sent.get(step.n);
      if (one === undefined || this.#lost.has(step.n)) continue;
      // The parts before the lost part are over, even parts that the journal doesn't know.
      const left = writesOf(step).filter((write) => write.part >= one.part && this.#journal.state(write) !== 'done');
      const [write, ...later] = left;
      if (write?.part !== one.part) continue;
      this.#journal.intend(later);
      const look = write.lookFor(one);
      this.#addLost({ under: { step, left }, write, look, due: this.#dueOfEarlier(one, look) });
    }
    for (const one of sent.values()) if (!this.#lost.has(one.n)) this.#leaveUnknown(one, notInPlan);
  }

  /** The steady time from which a look may call a request of an earlier process absent. For a change: now. */
  #dueOfEarlier({ sentAt, timeout }: SentStep, look: Look): number {
    const { wait } = this.#options.service;
    if (!mayComeLate(look)) return this.#clock.steady();
    // The earlier process may have waited for the answer until its time-out. A mark in the future was made before the machine was started
    // again, and counts as made now.
    return Math.min(this.#clock.steady(), sentAt) + (wait === 0 ? 0 : Math.max(wait, timeout));
  }

  /** Does the writes of a step, one after the other. */
  async #bring(under: UnderWay): Promise<Passed> {
    const { step, left } = under;
    const before = step.after === undefined ? 'done' : await this.#areDone(step.after);
    if (before === 'lost') this.#next.set(step.n, under);
    if (before === 'not done') this.#left.add(step.n);
    if (before !== 'done') return before;
    for (const write of [...left]) {
      const passed = await this.#carry(under, write);
      if (passed !== 'done') return passed;
    }
    return 'done';
  }

  /**
   * Brings a write to its end. The reads and the request of the write share one turn. The turn begins anew after a pause, and after the
   * baseline is read. Never throws.
   */
  async #carry(under: UnderWay, write: StepWrite): Promise<Passed> {
    const attempt: Attempt = { under, write, operation: undefined, sentAt: undefined };
    try {
      for (;;) {
        const passed = await this.#options.service.inTurn(
          (turn) => this.#turn(attempt, turn),
          () => attempt.sentAt === undefined,
        );
        if (passed !== 'no baseline') return passed;
        await this.#baseline(write.family);
      }
    } catch (error) {
      return isSent(attempt) ? this.#failedToSend(attempt, error) : this.#failedToPrepare(attempt, error);
    }
  }

  /**
   * Runs a write in its turn. Returns `no baseline` for a create whose family has no baseline yet. Throws only when the request failed or
   * was not sent.
   */
  async #turn(attempt: Attempt, turn: ServiceTurn): Promise<Passed | 'no baseline'> {
    const { write } = attempt;
    if (this.#halt !== undefined) return 'not done';
    const prepared = await write.prepare({ ...this.#world, api: turn.api });
    if (this.#halt !== undefined) return 'not done';
    if (prepared === undefined) return this.#leave(write);
    if (!('request' in prepared)) return this.#endUnsent(attempt, prepared);
    attempt.operation = prepared;
    const isCreate = prepared.sent.kind === 'create';
    if (isCreate && !this.#options.service.isDry && !this.#known.has(write.family)) return 'no baseline';
    const sending = turn.send(write.key, prepared.request, async () => {
      await this.#noteSent(write, prepared.sent);
      attempt.sentAt = this.#clock.steady();
    });
    const answer = await sending.catch((error: unknown) => {
      if (wasNotProcessed(error) && attempt.sentAt !== undefined) {
        // The mark is taken back before the pause: if the run ends during the pause, the write counts as not sent.
        this.#noteUnsent(write);
        attempt.sentAt = undefined;
      }
      throw error;
    });
    const sent = { ...attempt, operation: prepared, sentAt: attempt.sentAt ?? this.#clock.steady() };
    // A failure after the answer must not repeat the turn, because the write would be sent twice.
    return this.#endAnswered(sent, answer, turn.api).catch((error: unknown) => this.#failedBehind(sent, error));
  }

  /** Ends a write without a request: its record is already as wanted, or must not be written. */
  #endUnsent({ under, write }: Attempt, prepared: Settled | Conflicting): Passed {
    const earlier = write.lastLoss;
    if ('conflict' in prepared) {
      if (earlier === undefined) return this.#leaveConflict(under, write, prepared);
      // The earlier attempt may still arrive, and overwrite the record's present values.
      return this.#addLost({ ...earlier, due: this.#dueFromNow(), conflict: prepared });
    }
    // If the record already has the values after a loss, the lost attempt took effect.
    const did = prepared.settled === 'unchanged' && earlier !== undefined ? didOf(earlier) : undefined;
    const about = prepared.target === undefined ? {} : { target: prepared.target };
    return this.#done(under, write, did ?? prepared.settled, prepared.made, about);
  }

  /** Ends a write that was answered with success: as done if the answer or a read shows its effect, else as lost. */
  async #endAnswered(attempt: Sent, answer: Answer, api: Api): Promise<Passed> {
    const { under, write, operation } = attempt;
    const isCreate = operation.sent.kind === 'create';
    const shown = isCreate ? this.#madeBy(write, operation, answer.data) : undefined;
    const first = isCreate && shown === undefined ? await this.#readFirst(write, operation, answer, api) : undefined;
    const behind = isCreate ? first : await operation.behind?.(answer, api);
    this.#lostInARow = 0;
    const { made: answered, after } = await operation.took(answer, behind);
    const created = isCreate ? createdOf(behind) : undefined;
    const made = created === undefined ? answered : answered.map((one) => ({ created, ...one }));
    if (this.#options.service.isDry) return this.#done(under, write, operation.did, made);
    const unshown = (why: string): Error =>
      unreadableAnswer(withCommand(this.#options.service.api.command, operation.request), answer.status, why);
    const why = denialOf(operation, answer);
    if (why !== undefined) return this.#failedToSend(attempt, unshown(why));
    if (isCreate && !this.#isNew(write, operation, answer, made)) {
      // A look then finds the id of the confirmed record. The create is never sent again.
      return this.#addLost({ ...lostOf(attempt), due: this.#dueFromNow(), isCertain: true });
    }
    const left = isCreate
      ? { after: shown ?? this.#madeBy(write, operation, first) }
      : await this.#shownBy(write, operation, answer, after, api);
    if (left === undefined) return this.#failedToSend(attempt, unshown('without the record, and a read does not show the write'));
    return this.#done(under, write, operation.did, made, left.after === undefined ? {} : { after: left.after });
  }

  /**
   * Reads the run's first created record of a family, in the turn of the create. Undefined for later records, and when the record can't be
   * read.
   */
  async #readFirst(write: StepWrite, operation: PreparedRequest, answer: Answer, api: Api): Promise<unknown> {
    const made = madeIn(answer);
    if (this.#options.service.isDry || this.#firsts.has(write.family) || made.kind === 'none') return undefined;
    this.#firsts.add(write.family);
    return readRecord(api, `${operation.request.path}/${scalarText(made.record.id)}`).catch((error: unknown) => {
      if (!(error instanceof CrmError)) throw error;
    });
  }

  /** The values that the service changed or added in a created record (`madeOf`). Undefined when the record lacks a sent value. */
  #madeBy({ family }: StepWrite, { sent, request }: PreparedRequest, record: unknown): unknown {
    const [resource, body] = [familyNamed(family), sent.body ?? request.body];
    return resource === undefined || body === undefined || record === undefined ? undefined : madeOf(resource, body, record);
  }

  /**
   * The values after a write, from its answer or from a look at the record. Undefined when neither the answer nor the look shows the write.
   * If no look is possible, the answer is believed.
   */
  async #shownBy(
    write: StepWrite,
    { sent, request }: PreparedRequest,
    answer: Answer,
    after: unknown,
    api: Api,
  ): Promise<{ readonly after?: unknown } | undefined> {
    const isTold = request.method === 'POST' ? answer.data !== undefined : evidenceOf(answer, String(sent.target ?? '')).kind === 'record';
    if (isTold) return { after };
    if (request.method === 'DELETE' && (await recordFound(api, request.path)) === undefined) return { after };
    const look = write.lookFor(sent);
    if (look.kind !== 'target') return { after };
    const verdict = await look.read(api);
    return verdict.end === 'found' ? { after: after ?? verdict.after } : undefined;
  }

  /**
   * Writes the mark of a write before its request leaves, so that the mark survives the death of the process. Marks of requests that
   * leave together are written together.
   */
  async #noteSent(write: StepWrite, sent: SentRequest): Promise<void> {
    try {
      this.#journal.sent(write, sent);
      this.#marked ??= this.#clock.turn().then(() => {
        this.#marked = undefined;
        this.#journal.flush();
      });
      await this.#marked;
    } catch (error) {
      this.#stop({ kind: 'error', error });
      // A request without its mark does not leave.
      this.#noteUnsent(write);
      throw error;
    }
  }

  /**
   * Notes that a write is intended again (`Run.unsent`). A lost change keeps its mark: it is settled without a wait, so it may still
   * arrive, and a later process looks for it.
   */
  #noteUnsent(write: StepWrite, isAgain = false): void {
    const { lastLoss } = write;
    if (lastLoss !== undefined && !mayComeLate(lastLoss.look) && this.#options.service.wait > 0) return;
    this.#try(() => this.#journal.unsent(write, isAgain));
  }

  /** Notes the baseline of a family, once, before its first record is created. */
  #baseline(family: string): Promise<void> {
    const baseline = this.#baselines.get(family) ?? this.#noteBaseline(family);
    this.#baselines.set(family, baseline);
    return baseline;
  }

  /** Reads the baseline of a family. An unreadable list is read again, and then ends the run. No step fails. */
  async #noteBaseline(family: string): Promise<void> {
    const resource = familyNamed(family);
    try {
      if (resource !== undefined && this.#journal.baseline(family) === undefined) {
        const { ids } = await this.#patiently(() => newestRecords(this.#options.service.api, resource, undefined, this.#options.signal));
        this.#journal.noteBaseline(family, ids);
      }
      this.#known.set(family, this.#knownIds(family));
    } catch (error) {
      this.#stop({ kind: 'error', error });
      throw error;
    }
  }

  /** The ids that no new record can have: of the baseline, of this run's records, and of later records of other runs. */
  #knownIds(family: string): IdSet {
    const known = new IdSet();
    for (const id of this.#journal.baseline(family) ?? []) known.add(id);
    for (const id of this.#journal.knownIds(family)) known.add(id);
    return known;
  }

  /** True when the answer to a create has the id of a new record, and contradicts no sent value. */
  #isNew({ family }: StepWrite, { request }: PreparedRequest, { data }: Answer, [own]: readonly MadeRecord[]): boolean {
    const resource = familyNamed(family);
    if (own?.id === undefined) return false;
    const fitting = this.#fittings.get(family) ?? (resource === undefined ? undefined : new Fitting(resource));
    if (fitting !== undefined) this.#fittings.set(family, fitting);
    const isAnothers = request.body !== undefined && fitting?.isContradicted(data, request.body) === true;
    return !isAnothers && this.#known.get(family)?.has(own.id) !== true;
  }

  #done(under: UnderWay, write: StepWrite, did: string, made: readonly MadeRecord[], about: About = {}): Passed {
    this.#try(() => this.#journal.done(write, did, made, about));
    for (const { family, id } of made) if (id !== undefined) this.#known.get(family)?.add(id);
    this.#hasWritten = true;
    this.#forbidden = 0;
    under.left.splice(under.left.indexOf(write), 1);
    if (write.part === 0) under.first = { did, made };
    if (under.left.length === 0 && under.first !== undefined) this.#tell(under, under.first);
    return 'done';
  }

  /** Tells the front end the outcome of a step. */
  #tell({ step: { n, key } }: UnderWay, outcome: StepOutcome): void {
    this.#try(() => this.#options.settled({ n, key }, outcome));
  }

  #endStep(n: number, passed: Passed): void {
    this.#over.get(n)?.resolve(passed);
    this.#over.delete(n);
  }

  #fail(under: UnderWay, write: StepWrite, error: CrmError): Passed {
    const message = this.#options.describe?.(write, error) ?? error.message;
    this.#try(() => this.#journal.failed(write, error.details.httpStatus ?? null, message));
    this.#tellFailed(under, write, { failed: message });
    if (!error.details.isAsked) this.#failures += 1;
    if (this.#options.endsAtFailure) this.#stop({ kind: 'error', error, step: under.step });
    else if (this.#failures >= (this.#options.maxFailures ?? Number.POSITIVE_INFINITY)) this.#stop({ kind: 'max-failures' });
    return 'not done';
  }

  #leaveConflict(under: UnderWay, write: StepWrite, { conflict, target }: Conflicting): Passed {
    const message = this.#options.describe?.(write, conflict) ?? conflict.message;
    this.#try(() => this.#journal.conflict(write, target, message));
    this.#tellFailed(under, write, { failed: message, isConflict: true });
    return 'not done';
  }

  /** Tells the front end that a write failed. If a part failed, the step has the outcome of its first write, and lacks the part. */
  #tellFailed(under: UnderWay, { part, name }: StepWrite, outcome: Extract<Outcome, { failed: string }>): void {
    if (part === 0) this.#tell(under, outcome);
    else if (under.first !== undefined) this.#tell(under, { ...under.first, lacks: { name, failed: outcome.failed } });
  }

  /** Decides about an error before the request was sent: the write fails, or the run stops. */
  #failedToPrepare({ under, write }: Attempt, error: unknown): Passed {
    const isStop = !(error instanceof CrmError) || error instanceof UnauthorizedError || wasNotProcessed(error) || isNowhere(error);
    if (this.#options.signal.aborted && error === this.#options.signal.reason) return this.#stop({ kind: 'interrupted' });
    if (isStop || (error instanceof UnavailableError && this.#options.service.limiter.exhausted))
      return this.#stop({ kind: 'error', error, step: under.step });
    if (this.#halt !== undefined) return 'not done';
    const earlier = write.lastLoss;
    // The earlier attempt may have caused the failure, or may still arrive.
    if (earlier !== undefined) return this.#addLost({ ...earlier, due: this.#dueFromNow(), refused: error });
    return this.#fail(under, write, error);
  }

  /** Decides about a request that failed: the write is lost, the write fails, or the run stops. */
  #failedToSend(attempt: Sent, error: unknown): Passed {
    const { under, write, operation } = attempt;
    const { step } = under;
    // The request may have arrived, so the write stays lost.
    if (error instanceof InterruptedError) return this.#stop({ kind: 'interrupted' });
    if (!(error instanceof CrmError)) return this.#stop({ kind: 'error', error, step });
    // The write may have taken effect despite the failure.
    if (error instanceof UnavailableError && !wasNotProcessed(error)) return this.#lose(attempt, error);
    this.#lostInARow = 0;
    const due = this.#clock.steady();
    const isEarlier = write.lastLoss !== undefined;
    if (operation.request.method === 'DELETE' && error instanceof NotFoundError) {
      const gone = isEarlier ? {} : { did: 'gone' };
      return this.#addLost({ ...lostOf(attempt), ...gone, due, refused: stillThere(write, operation, error) });
    }
    if (mayBeOwn(error) && isEarlier) return this.#addLost({ ...lostOf(attempt), due, refused: error });
    if (isForbidden(error) && this.#hasWritten) {
      this.#forbidden += 1;
      if (this.#forbidden < mostForbidden) return this.#fail(under, write, error);
    }
    if (error instanceof UnauthorizedError || wasNotProcessed(error)) {
      if (error instanceof UnauthorizedError) this.#noteUnsent(write);
      return this.#stop({ kind: 'error', error, step });
    }
    return this.#fail(under, write, error);
  }

  /** Decides about an answered write whose effect could not be read: the write is lost, or the run stops. */
  #failedBehind(attempt: Sent, error: unknown): Passed {
    if (error instanceof InterruptedError) return this.#stop({ kind: 'interrupted' });
    const isKeyRefused = error instanceof UnauthorizedError && !isForbidden(error);
    if (error instanceof CrmError && !isKeyRefused) return this.#lose(attempt, error);
    return this.#stop({ kind: 'error', error, step: attempt.under.step });
  }

  /**
   * Adds a write to the lost writes. A create or an addition may still arrive, so no look calls the write absent before the wait is over.
   * The same holds for the last attempt of a change. Any other change is settled at once.
   */
  #lose(attempt: Sent, error: CrmError): Passed {
    const { service } = this.#options;
    const lost = lostOf(attempt);
    const times = (attempt.write.lastLoss?.times ?? 0) + 1;
    const now = this.#clock.steady();
    if (attempt.sentAt >= this.#lostAt) {
      this.#lostInARow = error.details.httpStatus === 500 ? 0 : this.#lostInARow + 1;
      this.#lostAt = now;
    }
    const isLast = times >= mostLosses(error);
    const due = now + (isLast || mayComeLate(lost.look) ? service.wait : 0);
    this.#addLost({ ...lost, times, due, refused: isLast ? error : undefined });
    const isOver = service.limiter.exhausted || this.#lostInARow >= mostLostInARow;
    return isOver ? this.#stop({ kind: 'error', error, step: attempt.under.step }) : 'lost';
  }

  /** The steady time from which nothing that was sent before now can arrive. */
  #dueFromNow(): number {
    return this.#clock.steady() + this.#options.service.wait;
  }

  #addLost(lost: Lost): Passed {
    lost.write.lastLoss = lost;
    this.#lost.set(lost.write.n, lost);
    return 'lost';
  }

  /**
   * Looks for the lost writes, waits once if writes are still missing, and looks again. Only the second look says that a create is absent.
   * The newest records of the last look become the baseline of the next round, unless a write is unknown: a resumed run must find its
   * record above the baseline.
   */
  async #settle(): Promise<void> {
    await this.#lookTwice();
    if (this.#lost.size === 0 && !this.#hasUnknown)
      this.#try(() => {
        for (const [family, ids] of this.#newest) this.#journal.noteBaseline(family, ids);
      });
    this.#newest.clear();
  }

  async #lookTwice(): Promise<void> {
    try {
      await this.#look();
      if (this.#lost.size === 0) return;
      const milliseconds = Math.max(...[...this.#lost.values()].map(({ due }) => due)) - this.#clock.steady();
      if (milliseconds > 0) this.#tellWaiting(milliseconds);
      await this.#pause(milliseconds);
      if (this.#halt === undefined) await this.#look();
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
  async #look(): Promise<void> {
    const byFamily = Map.groupBy(this.#lost.values(), ({ look }) => (look.kind === 'create' ? look.resource : undefined));
    for (const [resource, all] of byFamily) {
      const verdicts = await this.#patiently(() => (resource === undefined ? this.#lookAtEach(all) : this.#lookForCreates(resource, all)));
      for (const lost of all) {
        const verdict = verdicts.get(lost.write.n);
        if (verdict !== undefined) this.#judge(lost, verdict);
      }
    }
  }

  /** Repeats `read` a few times while the service can't be read. Then throws the last error, which ends the run: no step fails. */
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

  /** Ends a lost write by the verdict of a look, or hands the write to the next round. Before `due`, only `found` counts. */
  #judge(lost: Lost, verdict: Verdict): void {
    const { under, write, look } = lost;
    if (verdict.end !== 'found' && this.#clock.steady() < lost.due) return;
    this.#lost.delete(write.n);
    if (verdict.end === 'found') this.#found(lost, verdict);
    else if (verdict.end === 'unknown') this.#leaveUnknown(write, whyUnknown(lost, verdict.candidates));
    else if (lost.conflict !== undefined) this.#endStep(write.n, this.#leaveConflict(under, write, lost.conflict));
    // The write may still arrive, and overwrite the other values.
    else if (verdict.end === 'conflict') this.#addLost({ ...lost, due: this.#dueFromNow(), conflict: verdict });
    else if (lost.isCertain)
      this.#leaveUnknown(write, `The service confirmed the create, but the list of ${write.family} does not show the record.`);
    else if (lost.refused !== undefined) this.#endStep(write.n, this.#fail(under, write, lost.refused));
    else {
      this.#noteUnsent(write, mayComeLate(look) && this.#options.service.wait > 0);
      this.#next.set(write.n, under);
    }
  }

  #found({ under, write, look, ...lost }: Lost, { made, after, ...verdict }: Extract<Verdict, { end: 'found' }>): void {
    const did = lost.did ?? verdict.did ?? didOf({ look });
    // A colleague may have edited a record before a look found the record. So its values are kept only if no other record shows which
    // values the service changes.
    const isFirst = look.kind === 'create' && after !== undefined && this.#journal.firstMade(write.family) === undefined;
    // A dry run counts the steps that it would send.
    this.#done(under, write, this.#options.service.isDry ? 'found' : did, made, isFirst ? { after } : {});
    if (under.left.length > 0) this.#next.set(write.n, under);
    else this.#endStep(write.n, 'done');
  }

  /** Leaves the outcome of a write unknown: the user must decide. */
  #leaveUnknown(write: WriteAt, why: string): void {
    this.#hasUnknown = true;
    this.#try(() => this.#journal.unknown(write, why));
    this.#endStep(write.n, this.#leave(write));
  }

  /** Leaves a step without an outcome. */
  #leave({ n }: WriteAt): Passed {
    this.#left.add(n);
    return 'not done';
  }

  async #lookAtEach(all: readonly Lost[]): Promise<Map<number, Verdict>> {
    const { api } = this.#options.service;
    const verdictOn = async ({ write, look }: Lost): Promise<[number, Verdict]> => [
      write.n,
      look.kind === 'target' ? await look.read(api) : { end: 'absent' },
    ];
    return new Map(await Promise.all(all.map(verdictOn)));
  }

  async #lookForCreates(resource: Resource, all: readonly Lost[]): Promise<Map<number, Verdict>> {
    const { service, signal } = this.#options;
    const { name: family } = resource;
    const baseline = this.#journal.baseline(family) ?? new Set();
    const first = this.#journal.firstMade(family);
    const around = { baseline, first, known: this.#knownIds(family), signal };
    const { verdicts, newest } = await lookForCreates(service.api, resource, all.flatMap(createOf), around);
    this.#newest.set(family, newest);
    return verdicts;
  }

  async #areDone(groups: readonly (readonly number[])[]): Promise<Passed> {
    for (const steps of groups) {
      const passed = this.#afters.get(steps) ?? this.#awaitAll(steps);
      this.#afters.set(steps, passed);
      if ((await passed) !== 'done') return passed;
    }
    return 'done';
  }

  async #awaitAll(steps: readonly number[]): Promise<Passed> {
    for (const n of steps) {
      const passed = await this.#isOver(n);
      if (passed !== 'done') return passed;
    }
    return 'done';
  }

  /** Resolves when a step is over, or lost in this round. */
  async #isOver(n: number): Promise<Passed> {
    const end = this.#journal.endOf(n);
    if (end === 'done') return 'done';
    if (end === 'failed' || this.#halt !== undefined || this.#left.has(n)) return 'not done';
    if (this.#lost.has(n) || this.#next.has(n)) return 'lost';
    const outcome = this.#over.get(n) ?? Promise.withResolvers<Passed>();
    this.#over.set(n, outcome);
    return outcome.promise;
  }
}

/**
 * The writes of a step, in order: the first write, then the parts. A step may be an instance of a class, so its methods are called on the
 * step.
 */
function writesOf(step: Step): StepWrite[] {
  const { n, key, family, digest, parts = [] } = step;
  const first: StepWrite = {
    n,
    part: 0,
    name: '',
    key,
    family,
    ...(digest === undefined ? {} : { digest }),
    prepare: (world) => step.prepare(world),
    lookFor: (sent) => step.lookFor(sent),
  };
  return [first, ...parts.map((part) => ({ ...part, n, family }))];
}

/** The lost write as a create. Empty for other kinds of writes. */
function createOf({ write, look, isCertain }: Lost): LostCreate[] {
  return look.kind === 'create' ? [{ n: write.n, body: look.body, ...(isCertain ? { isCertain } : {}) }] : [];
}

const notInPlan = 'The file no longer has the values that were sent, so no look can find the record.';

/** The reason why a write stays unknown. */
function whyUnknown({ write: { family }, look }: Lost, candidates: readonly Id[]): string {
  const [first] = candidates;
  if (first === undefined) return notInPlan;
  if (look.kind !== 'create')
    return `Nobody can tell whether the write took effect: see ${familyNamed(family)?.singular} ${scalarText(first)}.`;
  return `The request may have made ${family} ${firstOf(candidates.map(scalarText), 5)}, unless somebody else did.`;
}

/** The lost write for a sent write, still without `due`. */
const lostOf = ({ under, write, operation: { sent, did } }: Sent): Omit<Lost, 'due'> => ({ under, write, look: write.lookFor(sent), did });

/** The name of a lost write's outcome. A write of an earlier process that no look names was a create or an update. */
const didOf = ({ did, look }: Pick<Lost, 'did' | 'look'>): string => did ?? (look.kind === 'create' ? 'created' : 'updated');

/** True for a request that adds something. If such a request arrives late, a repeated request has added the same already. */
const mayComeLate = (look: Look): boolean => look.kind === 'create' || (look.kind === 'target' && look.adds === true);

/** A write in its turn. */
interface Attempt {
  readonly under: UnderWay;
  readonly write: StepWrite;
  operation: PreparedRequest | undefined;
  /** The steady time of sending; undefined when the service certainly did nothing. */
  sentAt: number | undefined;
}

/** A write that was sent. */
interface Sent extends Attempt {
  readonly operation: PreparedRequest;
  readonly sentAt: number;
}

const isSent = (attempt: Attempt): attempt is Sent => attempt.sentAt !== undefined && attempt.operation !== undefined;

/** The reason why an answer with a success status counts as no success: the answer denies the write, or shows another record. */
function denialOf({ sent, request }: PreparedRequest, answer: Answer): string | undefined {
  if (request.method === 'POST') {
    const evidence = madeIn(answer);
    return evidence.kind === 'none' && answer.envelope !== undefined ? evidence.why : undefined;
  }
  const evidence = evidenceOf(answer, String(sent.target ?? ''));
  return evidence.kind === 'none' ? evidence.why : undefined;
}

/** The error of a delete that was answered with 404 although a look shows the record. */
function stillThere({ family }: StepWrite, { sent }: PreparedRequest, refused: NotFoundError): RefusedError {
  const { httpStatus, request } = refused.details;
  const record = `${familyNamed(family)?.singular} ${sent.target}`;
  return new RefusedError(`The service answered 404 to the delete of ${record}, but the record is there.`, {
    ...(httpStatus && { httpStatus }),
    ...(request && { request }),
    cause: refused,
  });
}

/** True for a 403: the key is valid, and the request is not allowed. */
const isForbidden = (error: unknown): boolean => error instanceof UnauthorizedError && error.details.httpStatus === 403;

/** True for an answer (404, 409, 422) that an earlier, lost attempt of the same write may have caused. */
const mayBeOwn = ({ details }: CrmError): boolean => [404, 409, 422].includes(details.httpStatus ?? 0);
