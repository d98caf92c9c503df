// Limits the requests of a bulk command: how many at once, how many a second, and pauses. A 429 and repeated failures pause all requests.

import type { Clock } from '../base/clock.ts';
import { RateLimitedError, UnavailableError } from '../base/errors.ts';
import { neverReached, retryAfterMilliseconds } from './retry.ts';

export interface LimiterOptions {
  /** The most requests at once. */
  readonly concurrency: number;
  readonly rate?: number;
  /** How often a repeatable request is retried after its own failure. */
  readonly retries: number;
  /** When aborted, nothing new begins, and waiting requests throw the signal's reason. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called for every pause, in milliseconds. A pause that grows only a little is told once. */
  paused?(milliseconds: number): void;
}

/** A turn: the right to send requests without waiting for other work. */
export interface Turn {
  /**
   * Sends a request. The first request waits for the turn; each further request uses a place of the rate. A write that had to wait for a
   * pause is not sent: `work` runs anew in the same turn, because its reads may be outdated.
   */
  request<T>(send: () => Promise<T>, isWrite?: boolean): Promise<T>;
}

export interface Limiter {
  /** Runs a read in a turn of its own. The read is retried after any passing failure. */
  run<T>(read: () => Promise<T>): Promise<T>;
  /**
   * Runs reads and the write that depends on them in a single turn. Runs `work` anew after a 429 and after a failure that never reached
   * the service; after other passing failures when `mayRepeat` allows. Throws the last error of `work`, and the signal's reason.
   */
  inTurn<T>(work: (turn: Turn) => Promise<T>, mayRepeat: () => boolean): Promise<T>;
  /** True when there were too many passing failures in a row to go on. */
  readonly exhausted: boolean;
}

/** The lost answers and connections in a row after which the limiter is exhausted. */
const mostLostAnswers = 8;
/** Milliseconds that a service may answer with 429 alone. */
const longestRefusal = 600_000;
const firstPause = 250;
const longestPause = 8000;
/** The longest timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1;
/** The longest Retry-After that is followed, in milliseconds. */
const longestRetryAfter = 3_600_000;
/** Milliseconds by which a rate may catch up, because timers are late. */
const lateness = 20;

/** Thrown inside a turn when a pause came between the work and its write. */
const outdated = new Error('Worked out before a pause.');

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
    // A request sent before the last pause brings no news.
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
        // A refusal of a step is no failure of a request. Each request of a turn may fail as often as a single request.
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

/** The waiting line. Limits the requests at once and the requests a second, and admits no request during a pause. */
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

  /** Uses a place of the rate, for a further request of a turn. */
  spend(): void {
    const { rate, clock } = this.#options;
    if (rate !== undefined) this.#nextSlot = Math.max(this.#nextSlot, clock.steady() - lateness) + 1000 / rate;
  }

  leave(): void {
    this.#active -= 1;
    if (this.#timer === undefined) this.#admit();
  }

  /** Pauses for some milliseconds. False when a longer pause has begun already. */
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
  /** Passing failures since the last success, and how many of these failures had no answer. */
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

  /** True when the service answered 429 again: the pause that it asked for was too short. */
  get isRefusing(): boolean {
    return this.#refusedSince !== undefined && this.#troubles > 1;
  }

  /** The pause when the service asks for no pause: 0 after a single lost answer, then ever longer. `random` is in [0, 1). */
  backoff(error: Passing, random: number): number {
    if (this.#troubles < 2 && !wasNotProcessed(error)) return 0;
    const length = Math.min(longestPause, firstPause * 2 ** Math.max(0, this.#troubles - 1));
    return length * (0.5 + random / 2);
  }

  /** True when the run should not go on. A service that never answered gets as many tries as from a single command. */
  get isExhausted(): boolean {
    if (this.#losses >= (this.#hasSucceeded ? mostLostAnswers : Math.min(mostLostAnswers, this.#retries + 1))) return true;
    return this.#refusedSince !== undefined && this.#clock.steady() - this.#refusedSince > longestRefusal;
  }
}

/** True for a failure of the moment, not of the request. */
function isPassing(error: unknown): error is Passing {
  return error instanceof RateLimitedError || error instanceof UnavailableError;
}

/** True when the service certainly did nothing: it answered 429, or the request never reached it. */
export function wasNotProcessed(error: unknown): boolean {
  return error instanceof RateLimitedError || (error instanceof UnavailableError && neverReached(error.details.cause));
}
