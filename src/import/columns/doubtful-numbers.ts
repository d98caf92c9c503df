// Numbers with two readings: `12.000` is twelve or twelve thousand. A number such as `0.125` or `1234.500` shows that the points of its
// column are decimal points, so the column is clear.

import { Lines, type Where } from '../../base/files/problems.ts';
import { thousandsDoubt } from '../../base/values/decimal.ts';

/** A problem of a column, with the lines of its cells. The problem refuses the whole file, since no single row is wrong. */
export interface ColumnProblem {
  readonly where: Where;
  readonly message: string;
}

const thousandths = /^-?(?:0|\d{4,})\.\d{3}$/;

export class DoubtfulNumbers {
  /** The lines of doubtful cells by column, with the first doubt; null for a clear column. */
  readonly #columns = new Map<string, { readonly lines: Lines; readonly doubt: string } | null>();

  /** Notes a cell, without its currency. A number in a workbook has one reading. */
  see(name: string, line: number, value: unknown): void {
    if (typeof value !== 'string' || !/[.,]\d{3}\s*$/.test(value)) return;
    if (thousandths.test(value.trim())) this.#columns.set(name, null);
    const doubt = thousandsDoubt(value);
    const before = this.#columns.get(name);
    if (doubt === undefined || before === null) return;
    const seen = before ?? { lines: new Lines(), doubt };
    this.#columns.set(name, seen);
    seen.lines.add(line);
  }

  /** `noun`: column or member. */
  *problems(noun: 'column' | 'member'): Generator<ColumnProblem> {
    for (const [column, seen] of this.#columns) {
      if (seen === null) continue;
      const doubt = `${seen.lines.count > 1 ? 'for instance ' : ''}${seen.doubt}`;
      const message = `${doubt}, or say with --decimal-mark comma or point which one divides the decimals.`;
      yield { where: { line: seen.lines, noun, column }, message };
    }
  }
}
