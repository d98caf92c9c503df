// Digits from which a spreadsheet took zeros or a plus sign: their records keep them.

import { Lines } from '../../base/files/problems.ts';
import { howMany } from '../../base/values/text/wording.ts';

export class LostSigns {
  /** The lines of the rows, by column, then by what was taken. A row may be compared several times. */
  readonly #columns = new Map<string, Map<string, Set<number>>>();

  see(column: string, taken: string, line: number): void {
    const kinds = this.#columns.get(column) ?? new Map<string, Set<number>>();
    this.#columns.set(column, kinds.set(taken, (kinds.get(taken) ?? new Set()).add(line)));
  }

  /** One sentence for each column. `nameOf`: the name of a column by its body entry. */
  sentences(nameOf: (wire: string) => string): string[] {
    return [...this.#columns].flatMap(([wire, kinds]) =>
      [...kinds].map(([taken, numbers]) => {
        const lines = new Lines();
        for (const line of [...numbers].toSorted((a, b) => a - b)) lines.add(line);
        const values = `${howMany(numbers.size, 'value')} without ${numbers.size === 1 ? 'its' : 'their'} ${taken} (${lines.text})`;
        return `${nameOf(wire)}: ${values}: left as ${numbers.size === 1 ? 'it is' : 'they are'}; an export with -o xlsx keeps them.`;
      }),
    );
  }
}
