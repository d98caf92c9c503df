// Rows whose writes are under way: a row is done when all of them are, and lacks something where one failed.

import type { Outcome } from '../runs/runner.ts';
import { furtherFrom } from '../runs/step.ts';

/** What a row needs beside its first request. */
export interface Needs {
  /** The parts that differ from its record. */
  readonly parts: ReadonlySet<number>;
  /** The record as the first request found it; undefined for one that was made. */
  readonly record: unknown;
}

/** So many rows that are over are remembered: of more nobody asks. */
const mostOver = 8192;

export class RowsUnderWay {
  /** `left`: how many further steps of a row have no outcome yet. */
  readonly #rows = new Map<number, { left: number; outcome?: Outcome; needs?: Needs }>();
  /** Rows that are over, with when that was, by their count. */
  readonly #over = new Map<number, number>();
  #count = 0;

  /** So many further steps of a row come. */
  begins(number: number, left: number): void {
    this.#rows.set(number, { left });
  }

  needs(number: number, needs: Needs): void {
    const row = this.#rows.get(number);
    if (row !== undefined) row.needs = needs;
  }

  /** An answer about a record that a row made was lost, and somebody may have found it since: it is looked at before more is written. */
  isInDoubt(number: number): void {
    const row = this.#rows.get(number);
    if (row?.needs?.record === undefined) delete row?.needs;
  }

  needsOf(number: number): Needs | undefined {
    return this.#rows.get(number)?.needs;
  }

  /** Gives which rows are over by now: of those nothing more is written. */
  through(): (number: number) => boolean {
    const now = this.#count;
    return (number) => !this.#rows.has(number) && (this.#over.get(number) ?? 0) <= now;
  }

  /** How many rows did their first request, and not all of the others. */
  get open(): number {
    return [...this.#rows.values()].filter(({ outcome }) => outcome !== undefined).length;
  }

  /** Takes in the outcome of a step; gives that of its row, once that is over. `name`: what a further step wrote. */
  settled(n: number, name: string, outcome: Outcome): { readonly number: number; readonly outcome: Outcome } | undefined {
    const number = n % furtherFrom;
    const row = this.#rows.get(number);
    const isFirst = n < furtherFrom;
    if (row === undefined) return isFirst ? { number, outcome } : undefined;
    if (isFirst) row.outcome = outcome;
    else row.left -= 1;
    const isFailed = 'failed' in outcome;
    if (!isFailed && row.left > 0) return undefined;
    this.#rows.delete(number);
    this.#count += 1;
    this.#over.set(number, this.#count);
    for (const [oldest] of this.#over) {
      if (this.#over.size <= mostOver) break;
      this.#over.delete(oldest);
    }
    // A row whose first request an earlier process sent is told from the journal.
    if (row.outcome === undefined) return undefined;
    if (isFirst || !isFailed || !('did' in row.outcome)) return { number, outcome: row.outcome };
    return { number, outcome: { ...row.outcome, did: `${row.outcome.did}; ${name} failed: ${outcome.failed}` } };
  }
}
