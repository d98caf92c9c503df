// The waits of a process, and the holds that keep the terminal free. Drawn by progress.ts.

/** The line of a wait. `text` is cut before `tail`. */
export interface WaitLine {
  readonly text: string;
  readonly tail: string;
}

/** Progress: a share from 0 to 1, and in words. */
export interface WaitProgress {
  readonly share: number;
  readonly text: string;
}

export interface Wait {
  /** The start, by `systemClock.steady()`. */
  readonly since: number;
  /** A request is shown only if it takes long, or if nothing else is awaited. */
  readonly isRequest: boolean;
  line(): WaitLine;
  /** Present for a wait with a known total. */
  extent?(): WaitProgress;
}

/** All waits of a process. */
export class Waits {
  readonly pending = new Set<Wait>();
  /** Called when a wait or a hold begins or ends. */
  display: { update(): void } | undefined;
  /** The end of the service's pause, by `systemClock.steady()`: until then no progress is made. */
  pausedUntil = 0;
  #holds = 0;

  /** True while nothing may be drawn. */
  get isHeld(): boolean {
    return this.#holds > 0;
  }

  /** Keeps the terminal free for a question or another program until the returned function is called. */
  hold(): () => void {
    this.#holds += 1;
    this.display?.update();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#holds -= 1;
      this.display?.update();
    };
  }

  /** Ends all waits. */
  clear(): void {
    this.pending.clear();
    this.display?.update();
  }
}
