// Carries out steps in rounds: sends the writes without an outcome, several steps at once under the limiter, then looks for lost writes.
// Each write is marked in the journal before it leaves. Knows no file formats and no families.

import { type Clock, every, sleep } from '../base/clock.ts';
import { CrmError, InterruptedError, NotFoundError, RefusedError, UnauthorizedError, UnavailableError } from '../base/errors.ts';
import { scalarText } from '../base/values/json.ts';
import type { Id } from '../base/values/parse.ts';
import { firstOf, listed } from '../base/values/text/wording.ts';
import type { Api } from '../client/client.ts';
import { evidenceOfRequest } from '../client/evidence.ts';
import { wasNotProcessed } from '../client/limiter.ts';
import { notTaken, unreadableAnswer, withCommand } from '../client/problem.ts';
import { isNowhere, recordFound, unlisted } from '../client/read-record.ts';
import type { Answer } from '../client/types.ts';
import { mayBeOwn } from '../client/write-record.ts';
import { familyNamed } from '../model/resources/index.ts';
import { type KeptValue, keptText, notTakenText } from '../model/taken.ts';
import type { Run, SentStep, WriteFacts } from './journal/run.ts';
import { type Confirmed, Creates, type LostCreate } from './lost/creates.ts';
import type { Service, ServiceTurn } from './service.ts';
import type {
  AsWanted,
  Conflicting,
  Look,
  MadeRecord,
  PreparedRequest,
  SentRequest,
  Step,
  StepEnd,
  Steps,
  Verdict,
  World,
  Write,
  WriteAt,
  WriteEnd,
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
   * Called when a step is finished and the journal has noted the outcome. A step whose first write was done by an earlier process has no
   * call.
   * An error thrown here ends the run.
   */
  ended(step: Pick<Step, 'n' | 'key'>, outcome: StepEnd): void;
  /** Prints a sentence about the service. */
  tell?(sentence: string): void;
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
const syncInterval = 500;
/** Milliseconds before an unreadable list is read again. */
const untilReadAgain = 1000;
/** The number of lost answers at which an absent write fails. */
const mostLosses = 4;
/** The number of 500 answers at which an absent write fails: its row may be at fault. */
const mostServerErrors = 2;
/** The number of writes without any answer, in a row, at which the run stops. */
const mostLostInARow = 8;
/** How often an unreadable list is read again, before the run stops. */
const mostFailedLooks = 3;
/** The number of 403 answers in a row at which the run stops. */
const mostForbidden = 8;

/** A step under way. */
interface UnderWay {
  readonly step: Step;
  /** The writes that are still to be done, in order. */
  readonly left: StepWrite[];
  /** The outcome of the first write, once this process has done the write. */
  first?: WriteEnd;
}

/** A write of a step under way: the first write, or a part. */
interface StepWrite extends Write, Required<WriteAt> {
  readonly under: UnderWay;
  /** The name of a part; empty for the first write. */
  readonly name: string;
  /** The request of the attempt under way, once prepared. */
  operation?: PreparedRequest | undefined;
  /** The steady time at which the request left. Undefined while the service certainly did nothing. */
  sentAt?: number | undefined;
  /** The last loss. When a later attempt is refused, the lost attempt may be the reason. */
  lastLoss?: Lost;
}

/** A write whose request left. */
interface SentStepWrite extends StepWrite {
  operation: PreparedRequest;
  sentAt: number;
}

const isSent = (write: StepWrite): write is SentStepWrite => write.sentAt !== undefined && write.operation !== undefined;

/** A write that was sent and has no answer that can be trusted. */
interface Lost {
  readonly write: StepWrite;
  readonly look: Look;
  /** The name of the outcome if the write took effect. Undefined for a write of an earlier process: the look gives the name. */
  readonly did?: string;
  /** The errors of the attempts whose answers were lost. */
  readonly losses?: readonly CrmError[];
  /** The steady time from which a look may call the write absent. */
  readonly due: number;
  /**
   * How the write ends if a look shows that it did not arrive: with an error, a conflict, or unknown (the service confirmed a create whose
   * record is in doubt). Undefined: the write is sent again.
   */
  readonly ifAbsent?: CrmError | Conflicting | Confirmed | undefined;
}

/** How a write or a step ended in a round. `lost`: still open, because the write or an earlier step is lost. */
type Passed = 'done' | 'not done' | 'lost';

/**
 * Carries out steps, and notes their outcomes in the journal. Returns the reason if the run ended early. If no reason is
 * returned, a step without an outcome is unknown, or waits for a failed or unknown step.
 */
export async function carryOut(steps: Steps, journal: Run, options: RunOptions): Promise<Halt | undefined> {
  return new Runner(steps, journal, options).end();
}

class Runner {
  readonly #steps: Steps;
  readonly #journal: Run;
  readonly #options: RunOptions;
  readonly #clock: Clock;
  /** The highest step that the journal knew at the start. A higher step has no state from an earlier process. */
  readonly #highest: number;
  /** The lost writes by the number of their step. No step has two lost writes. */
  readonly #lost = new Map<number, Lost>();
  /** The steps with which the next round begins. The other steps follow. */
  readonly #next = new Map<number, UnderWay>();
  /** The steps under way in this round, by number, with their ends. */
  readonly #underWay = new Map<number, Promise<Passed>>();
  /** For each group of steps that others wait for: resolves when all of the group have ended. Many steps wait for the same group. */
  #groups = new WeakMap<readonly number[], Promise<Passed>>();
  readonly #creates = new Map<string, Creates>();
  #halt: Halt | undefined;
  #failures = 0;
  #forbidden = 0;
  #lostInARow = 0;
  #hasWritten: boolean;
  #hasUnknown = false;
  #isToldWaiting = false;
  readonly #toldKept = new Set<string>();
  /** The Date of the latest answer to a write that the journal has not noted yet. */
  #lastWrite: string | undefined;
  /** Resolves when the pending marks are written. Their requests then leave. */
  #marked: Promise<void> | undefined;

  constructor(steps: Steps, journal: Run, options: RunOptions) {
    this.#steps = steps;
    this.#journal = journal;
    this.#options = options;
    this.#clock = options.service.clock;
    this.#highest = journal.highest;
    this.#hasWritten = journal.counts().done > 0;
  }

  async end(): Promise<Halt | undefined> {
    const { signal, service } = this.#options;
    this.#journal.begin(service.timeout);
    const interrupt = (): void => void this.#stop({ kind: 'interrupted' });
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt);
    let syncing: Promise<void> | undefined;
    const stopSyncing = every(this.#clock, syncInterval, () => {
      syncing ??= this.#sync().finally(() => {
        syncing = undefined;
      });
    });
    try {
      await this.#adoptLost();
      await this.#goInRounds();
    } catch (error) {
      this.#stop({ kind: 'error', error });
    } finally {
      stopSyncing();
      signal.removeEventListener('abort', interrupt);
      await syncing;
      this.#try(() => {
        this.#noteLastWrite();
        this.#journal.flush();
      });
    }
    return this.#halt;
  }

  async #sync(): Promise<void> {
    try {
      this.#noteLastWrite();
      await this.#journal.sync();
    } catch (error) {
      this.#stop({ kind: 'error', error });
    }
  }

  #noteLastWrite(): void {
    if (this.#lastWrite !== undefined) this.#journal.noteLastWrite(this.#lastWrite);
    this.#lastWrite = undefined;
  }

  /** Only the first reason counts. */
  #stop(halt: Halt): Passed {
    if (this.#halt === undefined) {
      this.#halt = halt;
      this.#options.stop();
    }
    return 'not done';
  }

  /** After Ctrl-C the run is over already. */
  #stopAt({ under }: StepWrite, error: unknown): Passed {
    return this.#stop({ kind: 'error', error, step: under.step });
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#stop({ kind: 'error', error });
    }
  }

  /** Takes the unanswered requests of earlier processes as lost writes. */
  async #adoptLost(): Promise<void> {
    const sent = new Map(this.#journal.lost().map((one) => [one.n, one]));
    if (sent.size === 0) return;
    for await (const step of this.#steps.read((n, part = 0) => sent.get(n)?.part === part)) {
      const one = sent.get(step.n);
      if (one === undefined) continue;
      // The parts before the lost part are over, even parts that the journal doesn't know.
      const { left } = underWay(step, (write) => write.part >= one.part && this.#journal.state(write) !== 'done');
      const [write, ...later] = left;
      if (write?.part !== one.part) continue;
      this.#journal.intend(later);
      const look = write.lookFor(one);
      const confirmed = one.confirmed === null ? undefined : { status: one.confirmed, id: one.target };
      const due = confirmed?.id === undefined ? this.#dueOfEarlier(one, look) : this.#clock.steady();
      this.#addLost({ write, look, due, ifAbsent: confirmed });
    }
    for (const one of sent.values()) if (!this.#lost.has(one.n)) this.#leaveUnknown(one, goneFromSteps);
  }

  /** The steady time from which a look may call a request of an earlier process absent. For a change: now. */
  #dueOfEarlier({ sentAt, timeout }: SentStep, look: Look): number {
    const { wait } = this.#options.service;
    if (!mayComeLate(look)) return this.#clock.steady();
    // The earlier process may have waited for the answer until its time-out. A mark in the future was made before the machine was started
    // again, and counts as made now.
    return Math.min(this.#clock.steady(), sentAt) + (wait === 0 ? 0 : Math.max(wait, timeout));
  }

  async #goInRounds(): Promise<void> {
    // A lost step of an earlier process goes on through `#next`, so the reading must leave the step out.
    const adopted = new Set(this.#lost.keys());
    const isWanted = (n: number, part = 0): boolean => n > this.#highest || (!adopted.has(n) && this.#isIntended({ n, part }));
    const reading = this.#steps.read(isWanted)[Symbol.asyncIterator]();
    try {
      while (this.#halt === undefined) {
        await this.#send(reading);
        if (this.#lost.size === 0 || this.#halt !== undefined) return;
        await this.#lookForLost();
      }
    } finally {
      await reading.return?.(undefined);
    }
  }

  #isIntended(write: WriteAt): boolean {
    return (this.#journal.state(write) ?? 'intended') === 'intended';
  }

  /** Ends the round early at `mostLost` lost writes. */
  async #send(reading: AsyncIterator<Step>): Promise<void> {
    const first = [...this.#next.values()].toSorted((a, b) => a.step.n - b.step.n);
    this.#next.clear();
    this.#groups = new WeakMap();
    const work = async (): Promise<void> => {
      while (this.#halt === undefined && this.#lost.size < mostLost) {
        const under = first.shift() ?? (await this.#nextOf(reading));
        if (under === undefined || this.#halt !== undefined) return;
        const { n } = under.step;
        const end = this.#bring(under);
        this.#underWay.set(n, end);
        await end;
        this.#underWay.delete(n);
      }
    };
    const { concurrency } = this.#options.service;
    await Promise.all(Array.from({ length: concurrency }, () => work().catch((error) => this.#stop({ kind: 'error', error }))));
    for (const under of first) this.#next.set(under.step.n, under);
  }

  /** The next step that has something to do, noted as intended. A step with a failed or lost write has nothing to do. */
  async #nextOf(reading: AsyncIterator<Step>): Promise<UnderWay | undefined> {
    for (;;) {
      const { value: step, done } = await reading.next();
      if (done === true || this.#halt !== undefined) return undefined;
      const isNew = step.n > this.#highest;
      const under = underWay(step, (write) => isNew || this.#journal.state(write) !== 'done');
      if (under.left.length === 0 || !(isNew || under.left.every((write) => this.#isIntended(write)))) continue;
      this.#journal.intend(under.left);
      return under;
    }
  }

  async #bring(under: UnderWay): Promise<Passed> {
    const { step, left } = under;
    const before = step.after === undefined ? 'done' : await this.#endOfAll(step.after);
    if (before === 'lost') this.#next.set(step.n, under);
    if (before !== 'done') return before;
    if (step.waitsFor !== undefined) await this.#underWay.get(step.waitsFor);
    for (const write of [...left]) {
      const passed = await this.#carry(write);
      if (passed !== 'done') return passed;
    }
    return 'done';
  }

  /** The end of a group of steps: `done`, or the end of the first step that is not done. */
  #endOfAll(steps: readonly number[]): Promise<Passed> {
    const ends = async (): Promise<Passed> => {
      for (const n of steps) {
        const passed = await this.#endOf(n);
        if (passed !== 'done') return passed;
      }
      return 'done';
    };
    const end = this.#groups.get(steps) ?? ends();
    this.#groups.set(steps, end);
    return end;
  }

  async #endOf(n: number): Promise<Passed> {
    const end = this.#underWay.get(n);
    if (end !== undefined) return end;
    if (this.#journal.isDone(n)) return 'done';
    return this.#lost.has(n) || this.#next.has(n) ? 'lost' : 'not done';
  }

  /**
   * Brings a write to its end. The reads and the request of the write share one turn. The turn begins anew after a pause, and after the
   * baseline is read. Never throws.
   */
  async #carry(write: StepWrite): Promise<Passed> {
    write.operation = undefined;
    write.sentAt = undefined;
    try {
      for (;;) {
        const passed = await this.#options.service.inTurn(
          (turn) => this.#prepareAndSend(write, turn),
          () => write.sentAt === undefined,
        );
        if (passed !== 'no baseline') return passed;
        await this.#readBaseline(write.family);
      }
    } catch (error) {
      return isSent(write) ? this.#failedToSend(write, error) : this.#failedToPrepare(write, error);
    }
  }

  /**
   * Runs a write in its turn. Returns `no baseline` for a create whose family has no baseline yet. Throws only when the request failed or
   * was not sent.
   */
  async #prepareAndSend(write: StepWrite, turn: ServiceTurn): Promise<Passed | 'no baseline'> {
    if (this.#halt !== undefined) return 'not done';
    const operation = await write.prepare({ api: turn.api, made: (n) => this.#journal.made(n) });
    if (operation === undefined || this.#halt !== undefined) return 'not done';
    if (!('request' in operation)) return this.#endUnsent(write, operation);
    const isFirst = operation.sent.kind === 'create' && !this.#createsOf(write.family).hasBaseline;
    if (isFirst && !this.#options.service.isDry) return 'no baseline';
    write.operation = operation;
    const sending = turn.send(write.key, operation.request, async () => {
      await this.#noteSent(write, operation.sent);
      write.sentAt = this.#clock.steady();
    });
    const answer = await sending.catch((error: unknown) => {
      if (wasNotProcessed(error) && write.sentAt !== undefined) {
        // The mark is taken back before the pause: if the run ends during the pause, the write counts as not sent.
        this.#noteUnsent(write);
        write.sentAt = undefined;
      }
      throw error;
    });
    this.#lastWrite = answer.date ?? this.#lastWrite;
    // A dry run sends nothing.
    if (!isSent(write)) return this.#done(write, operation.did, (await operation.factsOf(answer, undefined)).made);
    // A failure after the answer must not repeat the turn, because the write would be sent twice.
    return this.#endAnswered(write, answer, turn.api).catch((error: unknown) => this.#failedBehind(write, error));
  }

  /** Ends a write without a request: its record is already as wanted, or must not be written. */
  #endUnsent(write: StepWrite, prepared: AsWanted | Conflicting): Passed {
    const { lastLoss } = write;
    if ('conflict' in prepared) {
      // The earlier attempt may still arrive, and overwrite the record's present values.
      if (lastLoss !== undefined) return this.#addLost({ ...lastLoss, due: this.#dueFromNow(), ifAbsent: prepared });
      return this.#fail(write, prepared.conflict, prepared.target);
    }
    // If the record already has the values after a loss, the lost attempt took effect.
    const did = prepared.did === 'unchanged' && lastLoss !== undefined ? didOf(lastLoss) : prepared.did;
    return this.#done(write, did, prepared.made, prepared.target === undefined ? {} : { target: prepared.target });
  }

  /** Ends a write that was answered with success: as done if the answer or a read shows its effect, else as lost. */
  async #endAnswered(write: SentStepWrite, answer: Answer, api: Api): Promise<Passed> {
    const { operation } = write;
    const { request, sent, did } = operation;
    const unshown = (why: string): UnavailableError =>
      unreadableAnswer(withCommand(this.#options.service.api.command, request), answer.status, why);
    this.#lostInARow = 0;
    const evidence = evidenceOfRequest(request, String(sent.target ?? ''), answer);
    if (evidence.kind === 'none') return this.#lose(write, unshown(evidence.why));
    if (sent.kind === 'create') return this.#endCreated(write, answer, api);
    const { made, after, taking } = await operation.factsOf(answer, await operation.readAgain?.(answer, api));
    const shown = evidence.kind === 'record' ? { after } : await this.#shownBy(write, after, api);
    if (shown === undefined) return this.#lose(write, unshown('without the record, and a read does not show the write'));
    if (evidence.kind !== 'record' || taking === undefined) return this.#done(write, did, made, shown);
    for (const kept of taking.alike) this.#tellKept(write.family, kept);
    if (taking.notTaken.length === 0) {
      const isAsItWas = taking.taken === 0 && taking.alike.length > 0;
      return this.#done(write, isAsItWas ? 'unchanged' : did, made, shown);
    }
    if (taking.taken === 0) return this.#fail(write, notTaken(request, answer.status, taking.notTaken));
    const lacks = `${listed(taking.notTaken.map(({ name }) => name))} not taken: ${notTakenText(answer.status, taking.notTaken)}`;
    return this.#done(write, did, made, { ...shown, lacks });
  }

  /** Once a run and value. */
  #tellKept(family: string, kept: KeptValue): void {
    const key = `${family} ${kept.name}`;
    if (!this.#toldKept.has(key)) this.#options.tell?.(keptText(kept));
    this.#toldKept.add(key);
  }

  async #endCreated(write: SentStepWrite, answer: Answer, api: Api): Promise<Passed> {
    const { request, factsOf, did } = write.operation;
    const { isOurs, read, after, otherwise } = await this.#createsOf(write.family).created(request, answer, api);
    const { made } = await factsOf(answer, read);
    if (otherwise !== undefined) this.#options.tell?.(otherwise);
    if (isOurs) return this.#done(write, did, made, { after });
    // A look then finds the confirmed record, at once if the answer has an id. The create is never sent again.
    const confirmed = { status: answer.status, id: made[0]?.id };
    this.#try(() => this.#journal.confirmed(write, confirmed.status, confirmed.id));
    const due = confirmed.id === undefined ? this.#dueFromNow() : this.#clock.steady();
    return this.#addLost({ ...lostOf(write), due, ifAbsent: confirmed });
  }

  /** The values after a change, shown by a look. Undefined when a look shows other values. If no look can tell, the answer is believed. */
  async #shownBy(write: SentStepWrite, after: unknown, api: Api): Promise<WriteFacts | undefined> {
    const { sent, request } = write.operation;
    if (request.method === 'DELETE' && (await recordFound(api, request.path)) === undefined) return { after };
    const look = write.lookFor(sent);
    if (look.kind !== 'target') return { after };
    const verdict = await look.read(api);
    if (verdict.end === 'unknown') return { after };
    return verdict.end === 'found' ? { after: after ?? verdict.after } : undefined;
  }

  /**
   * Writes the mark of a write before its request leaves, so that the mark survives the death of the process. Marks of requests that
   * leave together are written together.
   */
  async #noteSent(write: StepWrite, sent: SentRequest): Promise<void> {
    try {
      this.#journal.sent(write, sent);
      this.#marked ??= this.#clock.tick().then(() => {
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
   * Takes the mark of a write back (`Run.unsent`), so that the write counts as not sent. A lost change keeps its mark: its request may
   * still arrive, so a later process must look for the change.
   */
  #noteUnsent(write: StepWrite, isAgain = false): void {
    const { lastLoss } = write;
    if (lastLoss !== undefined && !mayComeLate(lastLoss.look) && this.#options.service.wait > 0) return;
    this.#try(() => this.#journal.unsent(write, isAgain));
  }

  #createsOf(family: string): Creates {
    const { service, signal } = this.#options;
    const creates = this.#creates.get(family) ?? new Creates(service.api, familyNamed(family), this.#journal, signal);
    this.#creates.set(family, creates);
    return creates;
  }

  /** An unreadable list is read again, and then ends the run. No step fails. */
  async #readBaseline(family: string): Promise<void> {
    await this.#patiently(() => this.#createsOf(family).readBaseline()).catch((error) => this.#stop({ kind: 'error', error }));
  }

  #done(write: StepWrite, did: string, made: readonly MadeRecord[], about: WriteFacts = {}): Passed {
    const { under } = write;
    this.#try(() => this.#journal.done(write, did, made, about));
    for (const { family, id } of made) if (id !== undefined) this.#creates.get(family)?.add(id);
    this.#hasWritten = true;
    this.#forbidden = 0;
    under.left.splice(under.left.indexOf(write), 1);
    if (write.part === 0) under.first = { did, made };
    if (under.left.length === 0) this.#tell(write, under.first);
    return 'done';
  }

  #fail(write: StepWrite, error: CrmError, conflictOn?: Id): Passed {
    const { describe, endsAtFailure, maxFailures = Number.POSITIVE_INFINITY } = this.#options;
    const { under, part, name } = write;
    const isConflict = conflictOn !== undefined;
    const failed = describe?.(write, error) ?? error.message;
    this.#try(() => this.#journal.failed(write, error.details.httpStatus ?? null, failed, conflictOn));
    // When a part failed, the step has the outcome of its first write, and lacks the part.
    if (part === 0) this.#tell(write, isConflict ? { failed, isConflict } : { failed });
    else this.#tell(write, under.first && { ...under.first, lacks: { name, failed } });
    if (isConflict) return 'not done';
    if (!error.details.isAsked) this.#failures += 1;
    if (endsAtFailure) this.#stopAt(write, error);
    else if (this.#failures >= maxFailures) this.#stop({ kind: 'max-failures' });
    return 'not done';
  }

  /** `undefined`: an earlier process told the outcome. */
  #tell({ under: { step } }: StepWrite, outcome: StepEnd | undefined): void {
    if (outcome !== undefined) this.#try(() => this.#options.ended({ n: step.n, key: step.key }, outcome));
  }

  #failedToPrepare(write: StepWrite, error: unknown): Passed {
    if (this.#halt !== undefined) return 'not done';
    const isStop =
      !(error instanceof CrmError) ||
      this.#isRefused(error) ||
      wasNotProcessed(error) ||
      isNowhere(error) ||
      (error instanceof UnavailableError && this.#options.service.limiter.exhausted);
    if (isStop) return this.#stopAt(write, error);
    // The earlier attempt may have caused the failure, or may still arrive.
    if (write.lastLoss !== undefined) return this.#addLost({ ...write.lastLoss, due: this.#dueFromNow(), ifAbsent: error });
    return this.#fail(write, error);
  }

  #failedToSend(write: SentStepWrite, error: unknown): Passed {
    // An interrupted request may have arrived, so the write stays lost.
    if (!(error instanceof CrmError) || error instanceof InterruptedError) return this.#stopAt(write, error);
    // The write may have taken effect despite the failure.
    if (error instanceof UnavailableError) return this.#lose(write, error);
    this.#lostInARow = 0;
    const isEarlier = write.lastLoss !== undefined;
    const lost = { ...lostOf(write), due: this.#clock.steady(), ifAbsent: error };
    if (write.operation.request.method === 'DELETE' && error instanceof NotFoundError) {
      const stillThere = `The service answered 404 to the delete of ${write.key}, but the record is there.`;
      const ifAbsent = new RefusedError(stillThere, { httpStatus: 404, cause: error });
      return this.#addLost({ ...lost, ...(isEarlier ? {} : { did: 'gone' }), ifAbsent });
    }
    if (mayBeOwn(error) && isEarlier) return this.#addLost(lost);
    if (!this.#isRefused(error)) return this.#fail(write, error);
    this.#noteUnsent(write);
    return this.#stopAt(write, error);
  }

  /** True when the run must stop because the service refuses the key: after 401, a 403 to the first write, or eight 403 in a row. */
  #isRefused(error: CrmError): boolean {
    this.#forbidden = isForbidden(error) ? this.#forbidden + 1 : 0;
    return error instanceof UnauthorizedError && (this.#forbidden === 0 || !this.#hasWritten || this.#forbidden >= mostForbidden);
  }

  /** Decides about an answered write whose effect could not be read: the write is lost, or the run stops. */
  #failedBehind(write: SentStepWrite, error: unknown): Passed {
    const isKeyRefused = error instanceof UnauthorizedError && !isForbidden(error);
    const isLost = error instanceof CrmError && !(error instanceof InterruptedError) && !isKeyRefused;
    return isLost ? this.#lose(write, error) : this.#stopAt(write, error);
  }

  /**
   * Adds a write to the lost writes. The last attempt: the fourth loss, or the second answer with 500.
   *
   * | the write | a look may call it absent | then |
   * | --- | --- | --- |
   * | a create or an addition | after the wait: it may still arrive | it is sent again |
   * | another change | at once | it is sent again |
   * | any, at its last attempt | after the wait | it fails with `error` |
   *
   * The run stops after eight losses in a row without any answer, and when the limiter is exhausted.
   */
  #lose(write: SentStepWrite, error: CrmError): Passed {
    const lost = lostOf(write);
    const losses = [...(write.lastLoss?.losses ?? []), error];
    // An answer of any status breaks the row.
    this.#lostInARow = error.details.httpStatus === undefined ? this.#lostInARow + 1 : 0;
    const isLast = losses.length >= mostLosses || losses.filter(isServerError).length >= mostServerErrors;
    const due = isLast || mayComeLate(lost.look) ? this.#dueFromNow() : this.#clock.steady();
    this.#addLost({ ...lost, losses, due, ifAbsent: isLast ? error : undefined });
    const isOver = this.#options.service.limiter.exhausted || this.#lostInARow >= mostLostInARow;
    return isOver ? this.#stopAt(write, error) : 'lost';
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
   * The newest records of the last look become the baseline of the next round. If a write stayed unknown, the old baseline stays, because
   * the record of that write must be newer than the baseline when a resumed run looks for it.
   */
  async #lookForLost(): Promise<void> {
    try {
      await this.#look();
      if (this.#lost.size > 0 && this.#halt === undefined)
        await this.#wait(Math.max(...[...this.#lost.values()].map(({ due }) => due)) - this.#clock.steady());
      if (this.#lost.size > 0 && this.#halt === undefined) await this.#look();
      if (this.#lost.size === 0 && !this.#hasUnknown) for (const creates of this.#creates.values()) creates.renewBaseline();
    } catch (error) {
      this.#stop({ kind: 'error', error });
    }
  }

  async #wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    if (!this.#isToldWaiting) this.#options.waiting?.(milliseconds, this.#lost.size);
    this.#isToldWaiting = true;
    await this.#pause(milliseconds);
  }

  /** Resolves after some milliseconds, or when the user ends the run. */
  async #pause(milliseconds: number): Promise<void> {
    await sleep(this.#clock, milliseconds, this.#options.signal).catch(() => undefined);
  }

  /** The creates of a family are looked for together. */
  async #look(): Promise<void> {
    const byFamily = Map.groupBy(this.#lost.values(), ({ look, write }) => (look.kind === 'create' ? write.family : undefined));
    for (const [family, all] of byFamily) {
      const verdicts = await this.#patiently(() =>
        family === undefined ? this.#lookAtEach(all) : this.#createsOf(family).look(all.flatMap(createOf)),
      );
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

  async #lookAtEach(all: readonly Lost[]): Promise<Map<number, Verdict>> {
    const { api } = this.#options.service;
    const verdictOn = async ({ write, look }: Lost): Promise<[number, Verdict]> => [
      write.n,
      look.kind === 'target' ? await look.read(api) : { end: 'absent' },
    ];
    return new Map(await Promise.all(all.map(verdictOn)));
  }

  /**
   * Ends a lost write by the verdict of a look, or hands the write to the next round. Before `due`, only `found` counts.
   *
   * | verdict | `ifAbsent` | the write |
   * | --- | --- | --- |
   * | found | | is done |
   * | unknown | | stays unknown |
   * | conflict, absent | a conflict | fails as that conflict |
   * | conflict | another | is looked for once more after the wait: it may still arrive, and overwrite the other values |
   * | absent | a confirmed create | stays unknown: nobody sees its record |
   * | absent | an error | fails with it |
   * | absent | undefined | is sent again |
   */
  #judge(lost: Lost, verdict: Verdict): void {
    const { write, look, ifAbsent } = lost;
    if (verdict.end !== 'found' && this.#clock.steady() < lost.due) return;
    this.#lost.delete(write.n);
    if (verdict.end === 'found') this.#found(lost, verdict);
    else if (verdict.end === 'unknown') this.#leaveUnknown(write, verdict.why ?? whyUnknown(lost, verdict.candidates));
    else if (typeof ifAbsent === 'object' && 'conflict' in ifAbsent) this.#fail(write, ifAbsent.conflict, ifAbsent.target);
    else if (verdict.end === 'conflict') this.#addLost({ ...lost, due: this.#dueFromNow(), ifAbsent: verdict });
    else if (isConfirmed(ifAbsent))
      this.#leaveUnknown(write, `The service confirmed the create, but the list of ${write.family} does not show the record.`);
    else if (ifAbsent !== undefined) this.#fail(write, ifAbsent);
    else {
      this.#noteUnsent(write, mayComeLate(look) && this.#options.service.wait > 0);
      this.#next.set(write.n, write.under);
    }
  }

  #found(lost: Lost, { made, did, after }: Extract<Verdict, { end: 'found' }>): void {
    const { write, look } = lost;
    // A colleague may have edited the record before the look. So its values say how the service rewrites values only if no other
    // record says so.
    const isFirst = look.kind === 'create' && this.#journal.firstMade(write.family) === undefined;
    // A dry run counts the steps that it would send.
    this.#done(write, this.#options.service.isDry ? 'found' : didOf(lost, did), made, isFirst ? { after } : {});
    if (write.under.left.length > 0) this.#next.set(write.n, write.under);
  }

  #leaveUnknown(write: WriteAt, why: string): void {
    this.#hasUnknown = true;
    this.#try(() => this.#journal.unknown(write, why));
  }
}

/** A step may be an object with methods of its own. */
function underWay(step: Step, isOpen: (write: Required<WriteAt>) => boolean): UnderWay {
  const under: UnderWay = { step, left: [] };
  const { n, key, family, digest, parts = [] } = step;
  const first = {
    part: 0,
    name: '',
    key,
    prepare: (world: World) => step.prepare(world),
    lookFor: (sent: SentRequest) => step.lookFor(sent),
    ...(digest === undefined ? {} : { digest }),
  };
  for (const one of [first, ...parts]) if (isOpen({ n, part: one.part })) under.left.push({ n, family, under, ...one });
  return under;
}

function createOf({ write, look, ifAbsent }: Lost): LostCreate[] {
  return look.kind === 'create' ? [{ n: write.n, body: look.body, ...(isConfirmed(ifAbsent) ? { confirmed: ifAbsent } : {}) }] : [];
}

const isConfirmed = (ifAbsent: Lost['ifAbsent']): ifAbsent is Confirmed =>
  ifAbsent !== undefined && !(ifAbsent instanceof CrmError) && 'status' in ifAbsent;

const goneFromSteps = 'The file no longer has the values that were sent, so no look can find the record.';

function whyUnknown({ write: { family }, look }: Lost, candidates: readonly Id[]): string {
  const [first] = candidates;
  if (first === undefined) return goneFromSteps;
  if (look.kind !== 'create')
    return `Nobody can tell whether the write took effect: see ${familyNamed(family)?.singular} ${scalarText(first)}.`;
  return `The request may have made ${family} ${firstOf(candidates.map(scalarText), 5)}, unless somebody else did.`;
}

function lostOf(write: SentStepWrite): Omit<Lost, 'due'> {
  const { sent, did } = write.operation;
  return { write, look: write.lookFor(sent), did };
}

/** `seen`: the name by the look. A write of an earlier process without a name was a create or an update. */
const didOf = ({ did, look }: Lost, seen?: string): string => did ?? seen ?? (look.kind === 'create' ? 'created' : 'updated');

/** True for a request that adds something. If such a request arrives late, a repeated request has added the same already. */
const mayComeLate = (look: Look): boolean => look.kind === 'create' || (look.kind === 'target' && look.adds === true);

const isServerError = ({ details }: CrmError): boolean => details.httpStatus === 500;

/** True for a 403: the key is valid, and the request is not allowed. */
const isForbidden = (error: unknown): boolean => error instanceof UnauthorizedError && error.details.httpStatus === 403;
