// Rows between whoever finds them out and whoever writes them: so few at once that memory doesn't grow with the file.

import type { PreviewRow } from '../output/result.ts';

/** So many wait to be read at the most. */
const mostRows = 500;

export class RowQueue {
  readonly #rows: PreviewRow[] = [];
  #changed = Promise.withResolvers<void>();
  #isOver = false;
  #isLeft = false;

  /** Resolves once there is room for more. Rejects when nobody reads any more. */
  async room(): Promise<void> {
    while (this.#rows.length >= mostRows && !this.#isLeft) await this.#changed.promise;
    if (this.#isLeft) throw new Error('Nobody reads the rows any more.');
  }

  put(row: PreviewRow): void {
    this.#rows.push(row);
    this.#wake();
  }

  /** No more rows come. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** The rows, some at a time, until the end. */
  async *batches(): AsyncGenerator<readonly PreviewRow[]> {
    try {
      for (;;) {
        if (this.#rows.length > 0) {
          yield this.#rows.splice(0);
          this.#wake();
        } else if (this.#isOver) return;
        else await this.#changed.promise;
      }
    } finally {
      this.#isLeft = true;
      this.#wake();
    }
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
