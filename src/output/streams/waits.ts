// What is awaited at the moment, by whom it may be shown, and who has the terminal to himself for now. Shown by progress.ts.

/** The line of a wait: `tail` stands at the end, whatever has to be cut off before it. */
export interface WaitLine {
  readonly text: string;
  readonly tail: string;
  /** A bar between them, where there is room for all of it: what is done, what is left. */
  readonly track?: readonly [done: string, left: string];
}

export interface Wait {
  /** A bar is told before anything else; a request only where nothing else is, or when it takes long; a pause as if it did. */
  readonly kind: 'bar' | 'step' | 'request' | 'pause';
  /** By performance.now(). */
  readonly since: number;
  /** `room`: columns. `aside`: what a bar has to say beside its own. */
  line(room: number, aside?: string): WaitLine;
}

/** All waits of a process. */
export class Waits {
  readonly pending = new Set<Wait>();
  /** Hears that something began, ended or was held. */
  display: { update(): void } | undefined;
  #holds = 0;

  /** Whether nothing may be drawn. */
  get isHeld(): boolean {
    return this.#holds > 0;
  }

  /** Keeps the terminal free, for a question or a program that has it to itself, until the function that it gives is called. */
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

  /** Ends all of them: nothing is awaited any more. */
  clear(): void {
    this.pending.clear();
    this.display?.update();
  }
}
