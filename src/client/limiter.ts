// Limits the requests of a bulk command: how many at once, how many a second, and pauses. A 429 and repeated passing failures pause all
// requests. A passing failure is a 429, a 5xx, or a request without a readable answer.

import type { Clock } from '../base/clock.ts';
import { RateLimitedError, UnavailableError } from '../base/errors.ts';
import { neverReached, retryAfterMilliseconds } from './retry.ts';

export interface LimiterOptions {
  /** The most requests at once. `rate`: the most requests a second. */
  readonly concurrency: number;
  readonly rate?: number;
  /** How often a repeatable request is sent again after a passing failure of its own. */
  readonly retries: number;
  /** After an abort, no turn begins, and waiting requests throw the signal's reason. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called for every pause, in milliseconds. Not called again when a pause grows only a little. */
  paused?(milliseconds: number): void;
}

/** A turn: the right to send requests without waiting for other work. */
export interface Turn {
  /**
   * Sends a request. The first request waits for the turn. A further request counts against the rate, and doesn't wait. If the first
   * request is a write that had to wait for a pause, the write is not sent: `work` runs anew in the same turn, because the values that it
   * read may be outdated.
   */
  request<T>(send: () => Promise<T>, isWrite?: boolean): Promise<T>;
}

export interface Limiter {
  /** Runs a read in a turn of its own. The read is retried after any passing failure. */
  run<T>(read: () => Promise<T>): Promise<T>;
  /**
   * Runs reads, and a write that depends on the reads, in a single turn. Runs `work` anew after a 429 and after a request that never
   * reached the service, and after other passing failures if `mayRepeat` returns true. Throws the last error of `work`, and the signal's
   * reason.
   */
  inTurn<T>(work: (turn: Turn) => Promise<T>, mayRepeat: () => boolean): Promise<T>;
  /** True when the run should stop: too many answers in a row were lost, or the service answered 429 for too long. */
  readonly exhausted: boolean;
}

/** The number of lost answers and connections in a row that exhausts the limiter. */
const mostLostAnswers = 8;
/** Milliseconds after which a service that answers only 429 exhausts the limiter. */
const longestRefusal = 600_000;
const firstPause = 250;
const longestPause = 8000;
/** The longest timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1;
/** The longest pause that a Retry-After can cause, in milliseconds. */
const longestRetryAfter = 3_600_000;
/** Milliseconds that the rate may catch up after a late timer. */
const lateness = 20;

/** Thrown in a turn when a pause came between the preparation of a write and its sending. */
const outdated = new Error('The write was prepared before a pause.');

export function createLimiter(options: LimiterOptions): Limiter {
  const { clock } = options;
  const turns = new Turns(options);
  const health = new Health(options);

  let toldUntil = Number.NEGATIVE_INFINITY;
  const tells = (milliseconds: number): boolean => {
    const until = clock.steady() + milliseconds;
    // A pause that another pause lengthens only a little is not told again.
    if (clock.steady() < toldUntil && until < toldUntil + milliseconds / 2) return false;
    toldUntil = until;
    return true;
  };

  const suffer = (error: Passing, begun: number): void => {
    const asked = retryAfterMilliseconds(error.details.retryAfter, clock.now());
    // A request sent before the last pause says nothing new about the service.
    const isNews = begun >= turns.pausedAt;
    if (isNews) health.suffer(error);
    if (!isNews && asked === undefined) return;
    const least = isNews && (asked === undefined || health.isRefusing) ? health.backoff(error, clock.random()) : 0;
    const pause = Math.max(least, Math.min(asked ?? 0, longestRetryAfter));
    if (turns.pause(pause) && tells(pause)) options.paused?.(pause);
  };

  const once = async <T>(work: () => Promise<T>): Promise<T> => {
    const begun = clock.steady();
    try {
      const result = await work();
      health.succeed();
      return result;
    } catch (error) {
      if (isPassing(error)) suffer(error, begun);
      else health.succeed();
      throw error;
    }
  };

  const inTurn = async <T>(work: (turn: Turn) => Promise<T>, mayRepeat: () => boolean): Promise<T> => {
    for (let attempt = 0; ; attempt += 1) {
      let taken: Promise<void> | undefined;
      let failed: unknown;
      let requests = 0;
      let isUnused = false;
      const request = async <R>(send: () => Promise<R>, isWrite = false): Promise<R> => {
        requests += 1;
        const isFirst = taken === undefined;
        if (!isFirst && !isUnused) turns.spend();
        isUnused = false;
        const asked = clock.steady();
        taken ??= turns.take();
        await taken;
        if (isFirst && isWrite && turns.pausedUntil > asked) {
          isUnused = true;
          throw outdated;
        }
        return once(send).catch((error: unknown) => {
          failed = error;
          throw error;
        });
      };
      try {
        return await work({ request }).catch((error: unknown) => {
          if (error !== outdated) throw error;
          return work({ request });
        });
      } catch (error) {
        // Only a failed request is retried, not an error of `work` itself. The more requests a turn has, the more retries it gets.
        const isPatient = attempt < options.retries * Math.max(1, requests);
        const again = error === failed && (wasNotProcessed(error) || (isPassing(error) && isPatient && mayRepeat()));
        if (!again || health.isExhausted || options.signal.aborted) throw error;
      } finally {
        if (taken !== undefined)
          await taken.then(
            () => turns.leave(),
            () => undefined,
          );
      }
    }
  };

  return {
    run: (read) =>
      inTurn(
        ({ request }) => request(read),
        () => true,
      ),
    inTurn,
    get exhausted() {
      return health.isExhausted;
    },
  };
}

type Passing = RateLimitedError | UnavailableError;

/** The queue of turns. Limits the turns at once and the requests a second, and begins no turn during a pause. */
class Turns {
  pausedAt = Number.NEGATIVE_INFINITY;
  readonly #options: LimiterOptions;
  readonly #waiting: { begin: () => void; cancel: (reason: unknown) => void }[] = [];
  pausedUntil = Number.NEGATIVE_INFINITY;
  #active = 0;
  #nextSlot = 0;
  #timer: (() => void) | undefined;

  constructor(options: LimiterOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#cancel());
  }

  /** Resolves when the caller may begin. The caller must `leave` afterwards. Throws the signal's reason. */
  take(): Promise<void> {
    const { signal } = this.#options;
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((begin, cancel) => {
      this.#waiting.push({ begin, cancel });
      if (this.#timer === undefined) this.#admit();
    });
  }

  /** Counts a request against the rate. */
  spend(): void {
    const { rate, clock } = this.#options;
    if (rate !== undefined) this.#nextSlot = Math.max(this.#nextSlot, clock.steady() - lateness) + 1000 / rate;
  }

  leave(): void {
    this.#active -= 1;
    if (this.#timer === undefined) this.#admit();
  }

  /** Pauses for some milliseconds. False when a longer pause is already under way. */
  pause(milliseconds: number): boolean {
    const now = this.#options.clock.steady();
    if (now + milliseconds <= this.pausedUntil) return false;
    this.pausedAt = now;
    this.pausedUntil = now + milliseconds;
    return true;
  }

  #admit(): void {
    this.#timer?.();
    this.#timer = undefined;
    while (this.#waiting.length > 0 && this.#active < this.#options.concurrency) {
      const now = this.#options.clock.steady();
      const wait = Math.max(this.pausedUntil, this.#nextSlot) - now;
      if (wait > 0) {
        this.#timer = this.#options.clock.after(Math.min(Math.ceil(wait), longestTimer), () => this.#admit());
        return;
      }
      this.spend();
      this.#active += 1;
      this.#waiting.shift()?.begin();
    }
  }

  #cancel(): void {
    this.#timer?.();
    this.#timer = undefined;
    for (const { cancel } of this.#waiting.splice(0)) cancel(this.#options.signal.reason);
  }
}

/** The recent health of the service. */
class Health {
  readonly #retries: number;
  readonly #clock: Clock;
  #hasSucceeded = false;
  /** Passing failures since the last success. `#losses`: lost answers in a row. */
  #troubles = 0;
  #losses = 0;
  #refusedSince: number | undefined;

  constructor({ retries, clock }: LimiterOptions) {
    this.#retries = retries;
    this.#clock = clock;
  }

  succeed(): void {
    this.#hasSucceeded = true;
    this.#troubles = 0;
    this.#losses = 0;
    this.#refusedSince = undefined;
  }

  suffer(error: Passing): void {
    this.#troubles += 1;
    if (error instanceof RateLimitedError) {
      this.#losses = 0;
      this.#refusedSince ??= this.#clock.steady();
    } else this.#losses = error.details.httpStatus === 500 ? 0 : this.#losses + 1;
  }

  /** True when failures went on after a 429: the pause that the service asked for was too short. */
  get isRefusing(): boolean {
    return this.#refusedSince !== undefined && this.#troubles > 1;
  }

  /**
   * The milliseconds to pause after a passing failure: 0 after a single lost answer, then longer after each failure. `random` is in [0, 1).
   */
  backoff(error: Passing, random: number): number {
    if (this.#troubles < 2 && !wasNotProcessed(error)) return 0;
    const length = Math.min(longestPause, firstPause * 2 ** Math.max(0, this.#troubles - 1));
    return length * (0.5 + random / 2);
  }

  /** True when the run should not go on. A service that never answered is tried as often as by a single command. */
  get isExhausted(): boolean {
    if (this.#losses >= (this.#hasSucceeded ? mostLostAnswers : Math.min(mostLostAnswers, this.#retries + 1))) return true;
    return this.#refusedSince !== undefined && this.#clock.steady() - this.#refusedSince > longestRefusal;
  }
}

/** True for a passing failure. */
function isPassing(error: unknown): error is Passing {
  return error instanceof RateLimitedError || error instanceof UnavailableError;
}

/** True when the service certainly did nothing: the answer was 429, or the request never reached the service. */
export function wasNotProcessed(error: unknown): boolean {
  return error instanceof RateLimitedError || (error instanceof UnavailableError && neverReached(error.details.cause));
}
