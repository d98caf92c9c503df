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
  if (outer.aborted) inner.abort(outer.reason);
  const all = followers.get(outer) ?? forwarded(outer);
  all.add(inner);
  return { inner, leave: () => all.delete(inner) };
}

/** The controllers that follow a signal. The signal has one listener for all of them: a listener for each request is dear, too. */
const followers = new WeakMap<AbortSignal, Set<AbortController>>();

function forwarded(outer: AbortSignal): Set<AbortController> {
  const all = new Set<AbortController>();
  followers.set(outer, all);
  const forward = (): void => {
    for (const inner of all) inner.abort(outer.reason);
  };
  outer.addEventListener('abort', forward, { once: true });
  return all;
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
