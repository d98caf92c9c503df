// A time limit for one exchange. It leaves no timer and no listener behind, because a long list makes thousands of exchanges.

import type { Clock } from '../clock.ts';

/**
 * Runs `work` under a signal that fires after `milliseconds` (its reason is then a TimeoutError) or when `outer` fires
 * (with that one's reason). Gives what `work` gives.
 */
export async function withDeadline<T>(
  clock: Clock,
  outer: AbortSignal,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const inner = new AbortController();
  const cancel = clock.after(milliseconds, () => inner.abort(new DOMException('The time is up.', 'TimeoutError')));
  const forward = (): void => inner.abort(outer.reason);
  outer.addEventListener('abort', forward, { once: true });
  try {
    return await work(inner.signal);
  } finally {
    cancel();
    outer.removeEventListener('abort', forward);
  }
}

/** What work gives. Throws the signal's reason as soon as that fires, whatever becomes of the work. */
export function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
