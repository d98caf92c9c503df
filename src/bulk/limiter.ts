// One limiter for everything that a bulk command sends: how many requests at once, how many a second, and pauses. A 429
// pauses all of them; a 429, a 5xx or a lost connection halves how many go at once, and success brings it back.

import { neverReached, retryAfterMilliseconds } from '../api/retry.ts';
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
  now(): Date;
  /** In [0, 1). */
  random(): number;
  /** Told of every pause, in milliseconds. */
  paused?(milliseconds: number): void;
}

export interface Limiter {
  /**
   * Runs a request in its turn. It is run again after a 429 and after a failure that never reached the service; when
   * `repeatable`, after other failures in passing too. Throws what `work` throws at last, and the signal's reason.
   */
  run<T>(work: () => Promise<T>, repeatable?: boolean): Promise<T>;
  /** So many failures in passing came in a row that going on makes no sense. */
  readonly exhausted: boolean;
  /** How many requests may be under way at once now. */
  readonly width: number;
}

/** Failures in passing, one after the other with no success in between, after which the limiter is exhausted. */
const patience = 8;
const firstPause = 250;
const longestPause = 8000;
/** A longer Retry-After is cut to this many milliseconds. */
const longestRetryAfter = 3_600_000;
/** So many successes per request at once, and there may be one more at once. */
const calm = 4;
/** How far behind its schedule a rate may catch up, in milliseconds: timers are late. */
const lateness = 20;

/** A limiter that nothing has used yet. */
export function createLimiter(options: LimiterOptions): Limiter {
  const { concurrency, rate, signal } = options;
  const waiting: { begin: () => void; cancel: (reason: unknown) => void }[] = [];
  let width = concurrency;
  let active = 0;
  let successes = 0;
  let troubles = 0;
  let hasSucceeded = false;
  let pausedUntil = 0;
  /** The beginning of the last pause: what was sent before it says nothing new. */
  let pausedAt = Number.NEGATIVE_INFINITY;
  let nextSlot = 0;
  let timer: NodeJS.Timeout | undefined;

  const admit = (): void => {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0 && active < width) {
      const now = performance.now();
      const wait = Math.max(pausedUntil, nextSlot) - now;
      if (wait > 0) {
        timer = setTimeout(admit, Math.ceil(wait));
        return;
      }
      if (rate !== undefined) nextSlot = Math.max(nextSlot, now - lateness) + 1000 / rate;
      active += 1;
      waiting.shift()?.begin();
    }
  };

  const turn = (): Promise<void> =>
    new Promise((begin, cancel) => {
      if (signal.aborted) return cancel(signal.reason);
      waiting.push({ begin, cancel });
      if (timer === undefined) admit();
    });

  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    timer = undefined;
    for (const { cancel } of waiting.splice(0)) cancel(signal.reason);
  });

  const succeed = (): void => {
    hasSucceeded = true;
    troubles = 0;
    successes += 1;
    if (successes < calm * width || width >= concurrency) return;
    successes = 0;
    width += 1;
  };

  const suffer = (error: RateLimitedError | UnavailableError, begun: number): void => {
    const now = performance.now();
    const asked = retryAfterMilliseconds(error.details.retryAfter, options.now());
    const isNews = begun >= pausedAt;
    if (isNews) {
      troubles += 1;
      successes = 0;
      width = Math.max(1, Math.floor(width / 2));
    }
    if (!isNews && asked === undefined) return;
    const length = asked === undefined ? backoff(error) : Math.min(asked, longestRetryAfter);
    if (now + length <= pausedUntil) return;
    pausedAt = now;
    pausedUntil = now + length;
    options.paused?.(length);
  };

  /** A single lost answer is no reason to wait; several in a row, and a refusal to take more, are. */
  const backoff = (error: RateLimitedError | UnavailableError): number => {
    if (troubles < 2 && error instanceof UnavailableError && !neverReached(error.details.cause)) return 0;
    const length = Math.min(longestPause, firstPause * 2 ** Math.max(0, troubles - 1));
    return length * (0.5 + options.random() / 2);
  };

  /** A service that never answered gets no more tries than a single command would give it, unless it says to wait. */
  const isExhausted = (error?: unknown): boolean => {
    const isNew = !hasSucceeded && !(error instanceof RateLimitedError);
    return troubles >= (isNew ? Math.min(patience, options.retries + 1) : patience);
  };

  const run = async <T>(work: () => Promise<T>, repeatable = false): Promise<T> => {
    for (let attempt = 0; ; attempt += 1) {
      await turn();
      const begun = performance.now();
      try {
        const result = await work();
        succeed();
        return result;
      } catch (error) {
        if (!isPassing(error)) {
          succeed();
          throw error;
        }
        suffer(error, begun);
        const mayRepeat = wasNotProcessed(error) || (repeatable && attempt < options.retries);
        if (!mayRepeat || isExhausted(error) || signal.aborted) throw error;
      } finally {
        active -= 1;
        if (timer === undefined) admit();
      }
    }
  };

  return {
    run,
    get exhausted() {
      return isExhausted();
    },
    get width() {
      return width;
    },
  };
}

/** Whether the failure is one of the moment, not of the request. */
function isPassing(error: unknown): error is RateLimitedError | UnavailableError {
  return error instanceof RateLimitedError || error instanceof UnavailableError;
}

/** Whether it is certain that the service did nothing: it said so (429), or the request never reached it. */
export function wasNotProcessed(error: unknown): boolean {
  return error instanceof RateLimitedError || (error instanceof UnavailableError && neverReached(error.details.cause));
}
