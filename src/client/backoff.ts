// The pauses that a service asks for, or needs: one Backoff for each service, told of every exchange. Waits for nothing itself. The client
// and the limiter wait: the client for single requests, the limiter for runs.

import type { Clock } from '../base/clock.ts';
import { CrmError, InterruptedError, RateLimitedError, UnavailableError } from '../base/errors.ts';
import { waits } from '../base/limits.ts';
import { isUnreached } from './retry.ts';

/** Reads and writes are refused apart: an answered read says nothing about writes. */
export type RequestKind = 'read' | 'write';

/** The requests of one kind so far. */
interface State {
  /** The 429 answers in a row. */
  refusal?: { readonly since: number; count: number; asked: number; isOver: boolean } | undefined;
  /** Other passing failures in a row. */
  failures: number;
  /** Requests in a row without any answer, and those of them for which there was a connection. */
  unanswered: number;
  unread: number;
}

const noneYet = { failures: 0, unanswered: 0, unread: 0 };

/** The number of requests of a kind without any answer, in a row, at which a run stops. */
const mostUnanswered = 8;

export class Backoff {
  readonly #clock: Clock;
  readonly #kinds: Readonly<Record<RequestKind, State>> = { read: { ...noneYet }, write: { ...noneYet } };
  /** The requests that left so far, and their number when the last pause began. */
  #left = 0;
  #leftBeforePause = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #hasAnswered = false;
  #isSilent = false;
  /** The steady time since which no connection was made. */
  #unreachedSince: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The steady time at which the pause ends. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** True while requests of a kind are refused: one turn goes at a time. */
  get isRefusing(): boolean {
    return this.#kinds.read.refusal !== undefined || this.#kinds.write.refusal !== undefined;
  }

  /** True once this process had an answer of the service. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** True while the last request had no answer. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Why requests wait, behind the name of the service: ` does not answer`. */
  get why(): string {
    return this.#isSilent ? ' does not answer' : " can't take more now";
  }

  /**
   * True when requests of many records wait for a service that can't be connected to: this process had an answer of the service before.
   */
  awaits(retries: number): boolean {
    return retries > 0 && this.#hasAnswered && this.#unreachedSince !== undefined;
  }

  /** Milliseconds until a request may leave. A write waits behind its read while writes are refused. */
  waitOf(kind: RequestKind): number {
    const { write } = this.#kinds;
    const spaced = kind === 'write' && write.refusal !== undefined ? this.#readAt + waits.behindRead : this.#pausedUntil;
    return Math.max(0, Math.max(this.#pausedUntil, spaced) - this.#clock.steady());
  }

  /** Notes that a request leaves now. Returns its number. */
  leaves(): number {
    this.#left += 1;
    return this.#left;
  }

  /**
   * Notes how a request ended, with the error of its answer. A request that left before the last pause says nothing. `isMany`: a pause may be
   * longer, and passing failures pause everybody. Returns the milliseconds of the pause that begins now.
   */
  ended(kind: RequestKind, left: number, error: unknown, isMany: boolean): number {
    if (kind === 'read') this.#readAt = this.#clock.steady();
    if (left <= this.#leftBeforePause || (error !== undefined && !isEnd(error))) return 0;
    const state = this.#kinds[kind];
    const { httpStatus, retryIn } = error?.details ?? {};
    const isAnswer = error === undefined || !(error instanceof UnavailableError) || httpStatus !== undefined;
    this.#hasAnswered ||= isAnswer;
    this.#isSilent = !isAnswer;
    const isUnmade = error instanceof UnavailableError && isUnreached(error.details.cause);
    state.unanswered = isAnswer ? 0 : state.unanswered + 1;
    state.unread = isAnswer ? 0 : state.unread + (isUnmade ? 0 : 1);
    this.#unreachedSince = isUnmade ? (this.#unreachedSince ?? this.#clock.steady()) : undefined;
    if (error instanceof RateLimitedError) return this.#pause(this.#refused(state, retryIn));
    const isBusy = httpStatus === 503 && retryIn !== undefined;
    if (isAnswer && !isBusy) state.refusal = undefined;
    if (!(error instanceof UnavailableError)) {
      state.failures = 0;
      return 0;
    }
    state.failures += 1;
    const own = isMany && state.failures > 1 ? failurePause(state.failures - 1, this.#clock.random()) : 0;
    if (isBusy) return this.#pause(Math.max(own, Math.min(retryIn * 1000, isMany ? waits.many : waits.one)));
    return own === 0 ? 0 : this.#pause(own);
  }

  /**
   * True when a run or a whole list should end: a kind of requests was refused for too long, or had no answer too often, or no connection was
   * made for too long. `retries`: a service that never answered is tried as often as by a single command.
   */
  isOver(kind: RequestKind, retries: number): boolean {
    const { refusal, unanswered, unread } = this.#kinds[kind];
    if (refusal?.isOver === true) return true;
    if (!this.#hasAnswered) return unanswered >= Math.min(mostUnanswered, retries + 1);
    if (retries === 0) return unanswered >= mostUnanswered;
    const unreached = this.#unreachedSince === undefined ? 0 : this.#clock.steady() - this.#unreachedSince;
    return unread >= mostUnanswered || unreached >= waits.unreached;
  }

  /** The pause after a 429. `asked`: the seconds of Retry-After. */
  #refused(state: State, asked: number | undefined): number {
    const now = this.#clock.steady();
    const refusal = state.refusal ?? { since: now, count: 0, asked: 0, isOver: false };
    state.refusal = refusal;
    refusal.count += 1;
    refusal.asked += (asked ?? 0) * 1000;
    const own = doubled(waits.refusal, refusal.count, this.#clock.random());
    const pause = asked === undefined ? own : Math.max(asked * 1000, refusal.count === 1 ? 0 : own);
    const refused = now - refusal.since;
    refusal.isOver = refused >= Math.max(waits.refused, refusal.asked) || refused + pause > waits.many;
    return Math.min(pause, waits.many);
  }

  #pause(milliseconds: number): number {
    this.#leftBeforePause = this.#left;
    this.#pausedUntil = this.#clock.steady() + milliseconds;
    return milliseconds;
  }
}

/** Milliseconds before repetition `count` (from 1) after a passing failure. `random`: in [0, 1). */
export const failurePause = (count: number, random: number): number => doubled(waits.failure, count, random);

function doubled({ first, longest }: { readonly first: number; readonly longest: number }, count: number, random: number): number {
  return Math.min(longest, first * 2 ** (count - 1)) * (0.5 + random / 2);
}

/** An interruption tells nothing of the service. */
const isEnd = (error: unknown): error is CrmError => error instanceof CrmError && !(error instanceof InterruptedError);
