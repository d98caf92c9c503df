// One limiter for everything that a bulk command sends: how many requests at once, how many a second, and pauses. A 429
// pauses all of them; a 429, a 5xx or a lost connection halves how many go at once, and success brings it back.

import { neverReached, retryAfterMilliseconds } from '../api/retry.ts';
import type { Clock } from '../clock.ts';
import { RateLimitedError, UnavailableError } from '../errors.ts';

export interface LimiterOptions {
  /** Requests at once, at the most. */
  readonly concurrency: number;
  /** Requests a second, at the most. */
  readonly rate?: number;
  /** How often a repeatable request is sent again after a failure of its own. */
  readonly retries: number;
  /** Aborted: nothing new begins, and whoever waits for a turn gets the signal's reason. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Told of every pause, in milliseconds; of one that only grows a little, once. */
  paused?(milliseconds: number): void;
}

/** One place among those that are at work: everything that is asked in it goes without waiting, but for the first request. */
export interface Turn {
  /**
   * Sends a request. The first one waits for the turn; each further one takes one more place of the rate. `isWrite`: where it waits for a
   * pause to end, what it rests on was worked out before, and is worked out anew in the same turn.
   */
  request<T>(send: () => Promise<T>, isWrite?: boolean): Promise<T>;
}

export interface Limiter {
  /** Runs a request in a turn of its own. When `repeatable`, it is sent again after any failure in passing. */
  run<T>(work: () => Promise<T>, repeatable?: boolean): Promise<T>;
  /**
   * Does what belongs together in one turn: reads, and the write that rests on them. After a 429, and after a failure that never reached
   * the service, all of it is done anew; after other failures in passing where `mayRepeat` says so. Throws what `work` throws at last, and
   * the signal's reason.
   */
  inTurn<T>(work: (turn: Turn) => Promise<T>, mayRepeat: () => boolean): Promise<T>;
  /** So many failures in passing came in a row that going on makes no sense. */
  readonly exhausted: boolean;
  /** How many requests may be under way at once now. */
  readonly width: number;
}

/** Lost answers and connections, one after the other with no answer in between, after which the limiter is exhausted. */
const patience = 8;
/** So long a service may answer with nothing but 429, in milliseconds. */
const longestRefusal = 600_000;
const firstPause = 250;
const longestPause = 8000;
/** No timer takes more milliseconds. */
const longestTimer = 2 ** 31 - 1;
/** A longer Retry-After is cut to this many milliseconds. */
const longestRetryAfter = 3_600_000;
/** So many successes per request at once, and there may be one more at once. */
const calm = 4;
/** How far behind its schedule a rate may catch up, in milliseconds: timers are late. */
const lateness = 20;

/** What a turn's work ends with where a pause came between it and its write. */
const outdated = new Error('Worked out before a pause.');

/** A limiter that nothing has used yet. */
export function createLimiter(options: LimiterOptions): Limiter {
  const { clock } = options;
  const turns = new Turns(options);
  const health = new Health(options);

  let toldUntil = Number.NEGATIVE_INFINITY;
  const tells = (milliseconds: number): boolean => {
    const until = clock.steady() + milliseconds;
    // Whoever meets a pause that is told only lengthens it a little.
    if (clock.steady() < toldUntil && until < toldUntil + milliseconds / 2) return false;
    toldUntil = until;
    return true;
  };

  const suffer = (error: Passing, begun: number): void => {
    const asked = retryAfterMilliseconds(error.details.retryAfter, clock.now());
    // What was sent before the last pause began says nothing new.
    const isNews = begun >= turns.pausedAt;
    if (isNews) {
      health.suffer(error);
      turns.width = Math.max(1, Math.floor(turns.width / 2));
    }
    if (!isNews && asked === undefined) return;
    const least = isNews && (asked === undefined || health.isRefusing) ? health.backoff(error, clock.random()) : 0;
    const pause = Math.max(least, Math.min(asked ?? 0, longestRetryAfter));
    if (turns.pause(pause) && tells(pause)) options.paused?.(pause);
  };

  const once = async <T>(work: () => Promise<T>): Promise<T> => {
    const begun = clock.steady();
    try {
      const result = await work();
      if (health.succeed(turns.width)) turns.widen();
      return result;
    } catch (error) {
      if (isPassing(error)) suffer(error, begun);
      else if (health.succeed(turns.width)) turns.widen();
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
        // What an answer says against a step is no failure of a request.
        // Each request of a turn may fail as often as it might by itself.
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
    run: (work, repeatable = false) =>
      inTurn(
        ({ request }) => request(work),
        () => repeatable,
      ),
    inTurn,
    get exhausted() {
      return health.isExhausted;
    },
    get width() {
      return turns.width;
    },
  };
}

type Passing = RateLimitedError | UnavailableError;

/** Who may begin, and when: so many at once, so many a second, nobody during a pause. */
class Turns {
  width: number;
  /** When the last pause began. */
  pausedAt = Number.NEGATIVE_INFINITY;
  readonly #options: LimiterOptions;
  readonly #waiting: { begin: () => void; cancel: (reason: unknown) => void }[] = [];
  /** When it ends, or ended. */
  pausedUntil = Number.NEGATIVE_INFINITY;
  #active = 0;
  #nextSlot = 0;
  /** Forgets the timer that is set. */
  #timer: (() => void) | undefined;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.width = options.concurrency;
    options.signal.addEventListener('abort', () => this.#cancel());
  }

  /** Resolves when the caller may begin; it must `leave` then. Throws the signal's reason. */
  take(): Promise<void> {
    const { signal } = this.#options;
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((begin, cancel) => {
      this.#waiting.push({ begin, cancel });
      if (this.#timer === undefined) this.#admit();
    });
  }

  /** Takes one more place of the rate, for a request in a turn that is going on. */
  spend(): void {
    const { rate, clock } = this.#options;
    if (rate !== undefined) this.#nextSlot = Math.max(this.#nextSlot, clock.steady() - lateness) + 1000 / rate;
  }

  leave(): void {
    this.#active -= 1;
    if (this.#timer === undefined) this.#admit();
  }

  /** One more at once, as far as there may be. */
  widen(): void {
    if (this.width < this.#options.concurrency) this.width += 1;
  }

  /** Nobody begins for so long; false when they wait longer already. */
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
    while (this.#waiting.length > 0 && this.#active < this.width) {
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

/** How the service has been doing lately. */
class Health {
  readonly #retries: number;
  readonly #clock: Clock;
  #successes = 0;
  #hasSucceeded = false;
  /** Failures in passing since the last success, and those among them without an answer. */
  #troubles = 0;
  #losses = 0;
  #refusedSince: number | undefined;

  constructor({ retries, clock }: LimiterOptions) {
    this.#retries = retries;
    this.#clock = clock;
  }

  /** Notes a success; true when so many came in a row that there may be one more at once. */
  succeed(width: number): boolean {
    this.#hasSucceeded = true;
    this.#troubles = 0;
    this.#losses = 0;
    this.#refusedSince = undefined;
    this.#successes += 1;
    if (this.#successes < calm * width) return false;
    this.#successes = 0;
    return true;
  }

  suffer(error: Passing): void {
    this.#troubles += 1;
    this.#successes = 0;
    if (error instanceof RateLimitedError) {
      this.#losses = 0;
      this.#refusedSince ??= this.#clock.steady();
    } else this.#losses += 1;
  }

  /** It answered with 429 once more: what it asked for the first time was too little. */
  get isRefusing(): boolean {
    return this.#refusedSince !== undefined && this.#troubles > 1;
  }

  /** How long to wait when the service doesn't say: not after a single lost answer, and ever longer. `random` is in [0, 1). */
  backoff(error: Passing, random: number): number {
    if (this.#troubles < 2 && !wasNotProcessed(error)) return 0;
    const length = Math.min(longestPause, firstPause * 2 ** Math.max(0, this.#troubles - 1));
    return length * (0.5 + random / 2);
  }

  /** A service that never answered gets no more tries than a single command would give it. */
  get isExhausted(): boolean {
    if (this.#losses >= (this.#hasSucceeded ? patience : Math.min(patience, this.#retries + 1))) return true;
    return this.#refusedSince !== undefined && this.#clock.steady() - this.#refusedSince > longestRefusal;
  }
}

/** Whether the failure is one of the moment, not of the request. */
function isPassing(error: unknown): error is Passing {
  return error instanceof RateLimitedError || error instanceof UnavailableError;
}

/** Whether it is certain that the service did nothing: it said so (429), or the request never reached it. */
export function wasNotProcessed(error: unknown): boolean {
  return error instanceof RateLimitedError || (error instanceof UnavailableError && neverReached(error.details.cause));
}
