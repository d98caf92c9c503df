// Limits the requests of a bulk command: how many at once, how many a second, and pauses (`Backoff`). Waits and repeats in place of the
// client. A passing failure is a 429, a 5xx, or a request without a readable answer.

import type { Clock } from '../base/clock.ts';
import { RateLimitedError, UnavailableError } from '../base/errors.ts';
import { Backoff, type RequestKind } from './backoff.ts';
import { RequestQueue } from './line.ts';
import { comeAgain } from './problem.ts';
import { neverReached } from './retry.ts';

export interface LimiterOptions {
  /** The most requests at once. `rate`: the most requests a second. */
  readonly concurrency: number;
  readonly rate?: number;
  /** How often a repeatable request is sent again after a passing failure of its own. 0: a 429 isn't waited out either. */
  readonly retries: number;
  /** After an abort, no turn begins, and waiting requests throw the signal's reason. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The pauses of the service. Absent: this limiter alone knows the service. */
  readonly backoff?: Backoff;
  /** Called for every pause, in milliseconds. */
  paused?(milliseconds: number): void;
}

/** A turn: the limiter's permission to send. All requests of a turn leave one behind the other, and other work waits. */
export interface Turn {
  /**
   * Sends a request. The first request waits for the turn, a further one for its place of the rate and for a pause. A write that waited for a
   * pause is not sent: `work` runs anew in a new turn, because the values that it read may be outdated.
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
  /** True when the run should stop: the service refused for too long, or too many requests in a row had no answer. */
  readonly exhausted: boolean;
}

/** Thrown in a turn when a pause came between the preparation of a write and its sending. */
const outdated = new Error('The write was prepared before a pause.');

export function createLimiter(options: LimiterOptions): Limiter {
  const { clock, retries, signal, backoff = new Backoff(clock) } = options;
  const line = new RequestQueue({ ...options, backoff });

  const once = async <T>(kind: RequestKind, send: () => Promise<T>): Promise<T> => {
    const left = backoff.leaves();
    const note = (error?: unknown): void => {
      const pause = backoff.ended(kind, left, error, true);
      if (pause > 0) options.paused?.(pause);
    };
    try {
      const result = await send();
      note();
      return result;
    } catch (error) {
      note(error);
      throw error;
    }
  };

  const inTurn = async <T>(work: (turn: Turn) => Promise<T>, mayRepeat: () => boolean): Promise<T> => {
    for (let failures = 0; ; ) {
      let taken: Promise<void> | undefined;
      const last: { failed?: unknown; kind: RequestKind } = { kind: 'read' };
      let [requests, hasSent] = [0, false];
      const request = async <R>(send: () => Promise<R>, isWrite = false): Promise<R> => {
        const kind: RequestKind = isWrite ? 'write' : 'read';
        requests += 1;
        const isFurther = taken !== undefined;
        const asked = clock.steady();
        taken ??= line.take(signal);
        await taken;
        await line.follow(kind, isFurther, signal).catch((reason: unknown) => {
          // What a sent write came to is read without waiting.
          if (!hasSent) throw reason;
        });
        if (isWrite && backoff.pausedUntil > asked) throw outdated;
        hasSent ||= isWrite;
        return once(kind, send).catch((error: unknown) => {
          last.failed = error;
          last.kind = kind;
          throw error;
        });
      };
      try {
        return await work({ request });
      } catch (error) {
        if (error === outdated) continue;
        // Only a failed request is retried, not an error of `work` itself. The more requests a turn has, the more retries it gets.
        if (error !== last.failed || !isPassing(error)) throw error;
        const isOver = backoff.isOver(last.kind, retries);
        if (error instanceof RateLimitedError) {
          if (retries === 0 || isOver) throw comeAgain(error, backoff.waitOf(last.kind));
        } else if (!wasNotProcessed(error)) {
          failures += 1;
          if (failures > retries * Math.max(1, requests) || !mayRepeat()) throw error;
        }
        if (isOver || signal.aborted) throw error;
      } finally {
        if (taken !== undefined)
          await taken.then(
            () => line.leave(),
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
      return backoff.isOver('read', retries) || backoff.isOver('write', retries);
    },
  };
}

function isPassing(error: unknown): error is RateLimitedError | UnavailableError {
  return error instanceof RateLimitedError || error instanceof UnavailableError;
}

/** True when the service certainly did nothing: the answer was 429, or the request never reached the service. */
export function wasNotProcessed(error: unknown): boolean {
  return error instanceof RateLimitedError || (error instanceof UnavailableError && neverReached(error.details.cause));
}
