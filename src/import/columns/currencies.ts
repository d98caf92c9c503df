// Currencies beside the numbers of a column. Records hold no currency: a column's only currency is left out, a second one is an error.

import type { CellRow, DoubtfulCell } from './doubtful-numbers.ts';
import { currencyIn } from './notation.ts';

interface Seen {
  readonly first: string;
  readonly rows: CellRow[];
}

export class Currencies {
  /** By column, then by currency. */
  readonly #columns = new Map<string, Map<string, Seen>>();

  /** Notes the currency of a cell as it stands in the file. */
  see(name: string, { number, line }: CellRow, value: unknown): void {
    if (typeof value !== 'string') return;
    const currency = currencyIn(value)?.currency;
    if (currency === undefined) return;
    const column = this.#columns.get(name) ?? new Map<string, Seen>();
    const seen = column.get(currency) ?? { first: value.trim(), rows: [] };
    this.#columns.set(name, column.set(currency, seen));
    seen.rows.push({ number, line });
  }

  /** A problem for each cell in another currency than most of its column. `noun`: column or member. */
  *mixed(noun: 'column' | 'member'): Generator<DoubtfulCell> {
    for (const [column, seen] of this.#columns) {
      const [most, ...others] = [...seen.values()].toSorted((a, b) => b.rows.length - a.rows.length);
      for (const { first, rows } of others)
        for (const { number, line } of rows) {
          const message = `"${first}" and "${most?.first}" are not in the same currency. Records hold no currency, so write the whole column in one.`;
          yield { number, place: { line, noun, column }, message, reason: 'currency' };
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
