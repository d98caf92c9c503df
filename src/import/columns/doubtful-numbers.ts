// Numbers with two readings: `12.000` is twelve or twelve thousand. A number such as `0.125` or `1234.500` shows that the points of its
// column are decimal points, so the column is clear.

import type { Place } from '../../base/files/problems.ts';
import { thousandsDoubt } from '../../base/values/decimal.ts';

export interface CellRow {
  readonly number: number;
  readonly line: number;
}

/** A cell whose problem depends on its whole column. */
export interface DoubtfulCell {
  readonly number: number;
  readonly place: Place;
  readonly message: string;
  /** Equal for all cells with the same problem. */
  readonly reason: string;
}

const thousandths = /^-?(?:0|\d{4,})\.\d{3}$/;

export class DoubtfulNumbers {
  /** Doubtful cells by column; null for a clear column. */
  readonly #columns = new Map<string, (CellRow & { readonly doubt: string })[] | null>();

  /** Notes a cell, without its currency. A number in a workbook has one reading. */
  see(name: string, { number, line }: CellRow, value: unknown): void {
    if (typeof value !== 'string' || !/[.,]\d{3}\s*$/.test(value)) return;
    if (thousandths.test(value.trim())) this.#columns.set(name, null);
    const doubt = thousandsDoubt(value);
    const cells = this.#columns.get(name);
    if (doubt === undefined || cells === null) return;
    if (cells === undefined) this.#columns.set(name, [{ number, line, doubt }]);
    else cells.push({ number, line, doubt });
  }

  /** A problem for each doubtful cell. `noun`: column or member. */
  *cells(noun: 'column' | 'member'): Generator<DoubtfulCell> {
    for (const [column, cells] of this.#columns)
      for (const { number, line, doubt } of cells ?? []) {
        const message = `${doubt}, or say with --decimal-mark comma or point which one divides the decimals.`;
        yield { number, place: { line, noun, column }, message, reason: 'thousands' };
      }
  }
}
