// Numbers of a table that could be read in two ways: `12.000` is twelve or twelve thousand. In a column where one has three decimals
// behind a 0, or behind four digits or more, all are decimals.

import type { Place } from '../../files/problems.ts';
import { thousandsDoubt } from '../../values/decimal.ts';

/** The row of a cell: its number and its line. */
export interface CellRow {
  readonly number: number;
  readonly line: number;
}

/** A cell of which only the whole column tells that something is wrong with it. */
export interface DoubtfulCell {
  readonly number: number;
  readonly place: Place;
  readonly message: string;
  /** The same for all cells that are wrong in this way. */
  readonly reason: string;
}

const thousandths = /^-?(?:0|\d{4,})\.\d{3}$/;

export class DoubtfulNumbers {
  /** By column; null: the column is clear. */
  readonly #columns = new Map<string, (CellRow & { readonly doubt: string })[] | null>();

  /** Takes in a cell, without its currency. What a workbook says is a number is one. */
  see(name: string, row: CellRow, value: unknown): void {
    if (typeof value !== 'string') return;
    if (thousandths.test(value.trim())) this.#columns.set(name, null);
    const doubt = thousandsDoubt(value);
    const cells = this.#columns.get(name);
    if (doubt === undefined || cells === null) return;
    if (cells === undefined) this.#columns.set(name, [{ ...row, doubt }]);
    else cells.push({ ...row, doubt });
  }

  /** What to say of each such cell; `noun`: column or member. */
  *cells(noun: 'column' | 'member'): Generator<DoubtfulCell> {
    for (const [column, cells] of this.#columns)
      for (const { number, line, doubt } of cells ?? []) {
        const message = `${doubt}, or say with --decimal-mark comma or point which one divides the decimals.`;
        yield { number, place: { line, noun, column }, message, reason: 'thousands' };
      }
  }
}
