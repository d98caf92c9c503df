// Currencies beside the numbers of a column. Records hold no currency: a column's only currency is left out, a second currency is an error.

import { Lines } from '../../base/files/problems.ts';
import type { ColumnProblem } from './decimal-marks.ts';

export class Currencies {
  /** The first cell and the lines, by column, then by currency. */
  readonly #columns = new Map<string, Map<string, { readonly first: string; readonly lines: Lines }>>();

  /** Notes the currency in a cell. `text`: the whole cell. */
  see(name: string, line: number, currency: string, text: string): void {
    const column = this.#columns.get(name) ?? new Map<string, { first: string; lines: Lines }>();
    const seen = column.get(currency) ?? { first: text.trim(), lines: new Lines() };
    this.#columns.set(name, column.set(currency, seen));
    seen.lines.add(line);
  }

  /** A problem for each currency of a column but the most frequent. `noun`: column or member. */
  *problems(noun: 'column' | 'member'): Generator<ColumnProblem> {
    for (const [column, seen] of this.#columns) {
      const [most, ...others] = [...seen.values()].toSorted((a, b) => b.lines.count - a.lines.count);
      for (const { first, lines } of others) {
        const message = `"${first}" and "${most?.first}" are not in the same currency. Records hold no currency, so write the whole column in one currency.`;
        yield { where: { line: lines, noun, column }, message };
      }
    }
  }

  /** One sentence for each currency of a column. */
  sentences(noun: string): string[] {
    return [...this.#columns].flatMap(([name, column]) =>
      [...column.keys()].map((one) => `The ${noun} ${name} is in ${one}. The currency is not sent: records hold none.`),
    );
  }
}
