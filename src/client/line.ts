// The queue before a service: how many turns go at once, how many requests a second, and no request during a pause. The one place that
// waits.

import { type Clock, sleep } from '../base/clock.ts';
import type { Backoff, RequestKind } from './backoff.ts';

interface LineOptions {
  /** The most turns at once. `rate`: the most requests a second. */
  readonly concurrency: number;
  readonly rate?: number;
  readonly clock: Clock;
  readonly backoff: Backoff;
}

/** The longest timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1;
/** Milliseconds that the rate may catch up after a late timer. */
const lateness = 20;

interface Waiting {
  begin(): void;
}

export class RequestQueue {
  readonly backoff: Backoff;
  readonly #options: LineOptions;
  readonly #waiting = new Set<Waiting>();
  #active = 0;
  #nextSlot = 0;
  #timer: (() => void) | undefined;

  constructor(options: LineOptions) {
    this.#options = options;
    this.backoff = options.backoff;
  }

  /** Resolves when a turn may begin, with its first request. The caller must `leave` afterwards. Throws the signal's reason. */
  take(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.#waiting.delete(waiting);
        this.#admit();
        reject(signal.reason);
      };
      const waiting: Waiting = {
        begin: () => {
          signal.removeEventListener('abort', cancel);
          resolve();
        },
      };
      this.#waiting.add(waiting);
      if (this.#timer === undefined) this.#admit();
      // Most turns begin at once, and listening is dear.
      if (this.#waiting.has(waiting)) signal.addEventListener('abort', cancel, { once: true });
    });
  }

  /** Resolves when a request of a turn may leave. `isFurther`: not the turn's first request. Throws the signal's reason. */
  async follow(kind: RequestKind, isFurther: boolean, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const slot = isFurther ? this.#slot() : 0;
    for (;;) {
      const wait = Math.max(this.backoff.waitOf(kind), slot - clock.steady());
      if (wait <= 0) return;
      await sleep(clock, Math.min(Math.ceil(wait), longestTimer), signal);
    }
  }

  leave(): void {
    this.#active -= 1;
    if (this.#timer === undefined) this.#admit();
  }

  /** Takes the next place of the rate. Returns its steady time. */
  #slot(): number {
    const { rate, clock } = this.#options;
    if (rate === undefined) return 0;
    const slot = Math.max(this.#nextSlot, clock.steady() - lateness);
    this.#nextSlot = slot + 1000 / rate;
    return slot;
  }

  #admit(): void {
    const { clock, concurrency } = this.#options;
    this.#timer?.();
    this.#timer = undefined;
    for (const waiting of this.#waiting) {
      if (this.#active >= (this.backoff.isRefusing ? 1 : concurrency)) return;
      const wait = Math.max(this.backoff.pausedUntil, this.#nextSlot) - clock.steady();
      if (wait > 0) {
        this.#timer = clock.after(Math.min(Math.ceil(wait), longestTimer), () => this.#admit());
        return;
      }
      this.#slot();
      this.#active += 1;
      this.#waiting.delete(waiting);
      waiting.begin();
    }
  }
}
