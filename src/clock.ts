// Time and chance, as everything that waits, measures or draws takes them: the system's, or those of whoever hands in others.

import { readFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Clock {
  /** The wall clock, which anybody may set: how long ago a request was sent is never told by it, nor by the dates of files. */
  now(): Date;
  /** Milliseconds of the machine's own steady clock; comparable between processes of one `boot`. */
  steady(): number;
  /** What tells this start of the machine from any other. */
  boot(): string;
  /** Does some work after so many milliseconds, unless the function that it gives is called before. */
  after(milliseconds: number, work: () => void): () => void;
  /** Resolves once the process has done what is at hand. */
  turn(): Promise<void>;
  /** In [0, 1). */
  random(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  steady: () => Number(process.hrtime.bigint()) / 1e6,
  boot: () => {
    try {
      return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    } catch {
      // Elsewhere the time of the start, roughly: a guess that is wrong only makes a run wait longer.
      return `${hostname()} ${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
    }
  },
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  turn: () => nextTurn(),
  random: Math.random,
};

/** Resolves after so many milliseconds. Throws the signal's reason once that is aborted. */
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

/** Does some work again and again, so many milliseconds after each other, until the function that it gives is called. */
export function every(clock: Clock, milliseconds: number, work: () => void): () => void {
  const again = (): void => {
    cancel = clock.after(milliseconds, again);
    work();
  };
  let cancel = clock.after(milliseconds, again);
  return () => cancel();
}
