// Digits without the zeros or the plus sign of their records: kept where a spreadsheet took them from the whole column, else written.

import { Lines } from '../../base/files/problems.ts';
import { howMany } from '../../base/values/text/wording.ts';

interface LostSign {
  readonly wire: string;
  /** `spelling`: the row found its record by the digits of the phone. */
  readonly taken: 'plus sign' | 'leading zeros' | 'spelling';
  /** True when the record keeps its value. */
  readonly isKept: boolean;
}

export class LostSigns {
  /** The lines of the rows, by kind. A row may be compared several times. */
  readonly #kinds = new Map<string, LostSign & { readonly lines: Set<number> }>();

  see(sign: LostSign, line: number): void {
    const key = JSON.stringify(sign);
    const kind = this.#kinds.get(key) ?? { ...sign, lines: new Set() };
    this.#kinds.set(key, kind);
    kind.lines.add(line);
  }

  /** One sentence for each kind. `nameOf`: the name of a column by its body entry. */
  sentences(nameOf: (wire: string) => string): string[] {
    return [...this.#kinds.values()].map(({ wire, taken, isKept, lines: numbers }) => {
      const lines = new Lines();
      for (const line of [...numbers].toSorted((a, b) => a - b)) lines.add(line);
      if (taken === 'spelling') {
        const found = howMany(numbers.size, 'value finds its record', 'values find their records');
        return `${nameOf(wire)}: ${found} by the digits alone (${lines.text}). The spelling in the record stays.`;
      }
      const [its, is] = numbers.size === 1 ? ['its', 'it is'] : ['their', 'they are'];
      const end = isKept
        ? `left as ${is}; an export with -o xlsx keeps them`
        : `taken as meant, because other cells of the column have theirs; if a spreadsheet took them, export with -o xlsx`;
      return `${nameOf(wire)}: ${howMany(numbers.size, 'value')} without ${its} ${taken} (${lines.text}): ${end}.`;
    });
  }
}
