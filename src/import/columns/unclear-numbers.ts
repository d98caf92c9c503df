// Columns of numbers that could be read in two ways: every number with a point is like `12.000`, twelve or twelve thousand. In a column
// where one isn't, all are decimals.

import { Lines, type Where } from '../../files/problems.ts';
import { couldBeThousands, hasPoint } from './notation.ts';

interface Seen {
  readonly first: string;
  readonly lines: Lines;
  isClear: boolean;
}

export class UnclearNumbers {
  readonly #columns = new Map<string, Seen>();

  /** Takes in a cell. What JSON says is a number is one. */
  see(name: string, line: number, value: unknown): void {
    if (typeof value !== 'string' || !hasPoint(value)) return;
    const seen = this.#columns.get(name) ?? { first: value.trim(), lines: new Lines(), isClear: false };
    this.#columns.set(name, seen);
    if (couldBeThousands(value)) seen.lines.add(line);
    else seen.isClear = true;
  }

  /** What to say of each such column; `noun`: column or member. */
  problems(noun: 'column' | 'member'): { where: Where; message: string }[] {
    return [...this.#columns].flatMap(([name, { first, lines, isClear }]) => {
      if (isClear) return [];
      const message = `"${first}" could be thousands, or have three decimals: say with --decimal-mark comma or point which one divides the decimals.`;
      return [{ where: { line: lines, noun, column: name }, message }];
    });
  }
}
