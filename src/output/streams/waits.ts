// What is awaited at the moment, and who has the terminal to himself for now. Drawn by progress.ts.

/** The line of a wait: `tail` stands at the end, whatever has to be cut off before it. */
export interface WaitLine {
  readonly text: string;
  readonly tail: string;
}

/** How far something is: its share of 1, and in words. */
export interface Extent {
  readonly share: number;
  readonly text: string;
}

export interface Wait {
  /** By performance.now(). */
  readonly since: number;
  /** True: told when it takes long, or when nothing else is awaited. */
  readonly isRequest: boolean;
  line(): WaitLine;
  /** Of something with a known end. */
  extent?(): Extent;
}

/** All waits of a process. */
export class Waits {
  readonly pending = new Set<Wait>();
  /** Hears that something began, ended or was held. */
  display: { update(): void } | undefined;
  #holds = 0;

  /** True while nothing may be drawn. */
  get isHeld(): boolean {
    return this.#holds > 0;
  }

  /** Keeps the terminal free, for a question or a program that has it to itself, until the returned function is called. */
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

  /** Ends all of them. */
  clear(): void {
    this.pending.clear();
    this.display?.update();
  }
}
