// The time limit of one exchange. No timer or listener is left behind: a long list makes thousands of exchanges.

import type { Clock } from '../base/clock.ts';

/**
 * Runs `work` with a signal that fires after `milliseconds` (with a TimeoutError) or when `outer` fires (with its reason). Returns the
 * result of `work`.
 */
export async function withDeadline<T>(
  clock: Clock,
  outer: AbortSignal,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { inner, leave } = followerOf(outer);
  const cancel = clock.after(milliseconds, () => inner.abort(new DOMException('The time is up.', 'TimeoutError')));
  try {
    return await work(inner.signal);
  } finally {
    cancel();
    leave();
  }
}

/**
 * A controller that also fires when `outer` fires, with its reason. `leave` ends this. For signals that many requests listen to: listening to
 * a signal of AbortSignal.any is dear.
 */
export function followerOf(outer: AbortSignal): { readonly inner: AbortController; leave(): void } {
  const inner = new AbortController();
  const forward = (): void => inner.abort(outer.reason);
  if (outer.aborted) forward();
  outer.addEventListener('abort', forward, { once: true });
  return { inner, leave: () => outer.removeEventListener('abort', forward) };
}

/** The result of `work`. Throws the signal's reason as soon as the signal fires. */
export function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
