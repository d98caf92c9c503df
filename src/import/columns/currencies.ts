// Columns of numbers with a currency beside them. A record's value has none, so that one is read past where the whole column has it, and
// two in one column are an error.

import { Lines, type Where } from '../../files/problems.ts';
import { currencyIn } from './notation.ts';

interface Seen {
  readonly first: string;
  readonly lines: Lines;
}

export class Currencies {
  /** By column, then by currency; '' for numbers without one. */
  readonly #columns = new Map<string, Map<string, Seen>>();

  /** Takes in a cell as it stands in the file. */
  see(name: string, line: number, value: unknown): void {
    if (typeof value !== 'string' || !/\d/.test(value)) return;
    const currency = currencyIn(value)?.currency ?? '';
    const column = this.#columns.get(name) ?? new Map<string, Seen>();
    const seen = column.get(currency) ?? { first: value.trim(), lines: new Lines() };
    this.#columns.set(name, column.set(currency, seen));
    seen.lines.add(line);
  }

  /** What to say of each column that has several, or one beside numbers without any; `noun`: column or member. */
  mixed(noun: 'column' | 'member'): { where: Where; message: string }[] {
    return [...this.#columns].flatMap(([name, column]) => {
      const [{ first, lines }, other] = [...column.values()].toSorted((a, b) => a.lines.count - b.lines.count) as [Seen, Seen | undefined];
      if (other === undefined) return [];
      const message = `"${first}" and "${other.first}" are not in the same currency: values have none, so give the whole column in one.`;
      return [{ where: { line: lines, noun, column: name }, message }];
    });
  }

  /** A sentence for each column that has one. */
  sentences(noun: string): string[] {
    return [...this.#columns].flatMap(([name, column]) =>
      [...column.keys()].flatMap((one) =>
        one === '' ? [] : [`The ${noun} ${name} is in ${one}, which is not sent: values have no currency.`],
      ),
    );
  }
}
