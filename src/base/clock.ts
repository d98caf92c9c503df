// Time and randomness. All code that waits, measures or draws random numbers takes a Clock, which tests replace.

import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Clock {
  /** The wall clock. Somebody may set the clock at any time, so durations are measured with `steady`. */
  now(): Date;
  /** Milliseconds of the machine's steady clock, comparable between processes until the machine restarts. */
  steady(): number;
  /** Calls `work` after some milliseconds, unless the returned function is called before. */
  after(milliseconds: number, work: () => void): () => void;
  /** Resolves in the next turn of the event loop. */
  tick(): Promise<void>;
  /** A number in [0, 1). */
  random(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  steady: () => Number(process.hrtime.bigint()) / 1e6,
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  tick: () => nextTurn(),
  random: Math.random,
};

/** Resolves after some milliseconds. Rejects with the signal's reason when the signal is aborted. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Calls `work` at an interval of milliseconds until the returned function is called. */
export function every(clock: Clock, milliseconds: number, work: () => void): () => void {
  const repeat = (): void => {
    cancel = clock.after(milliseconds, repeat);
    work();
  };
  let cancel = clock.after(milliseconds, repeat);
  return () => cancel();
}
