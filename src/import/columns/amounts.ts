// What the amounts of a column have in common: the decimal mark, and the currency. A value with both marks (`1.234,56`) shows the mark of its column, unless another value contradicts.
// Without such a value, `12.000` is twelve or twelve thousand. A number such as `0.125` or `1234.500` shows that the points of its column
// are decimal points.

import { Lines, type Where } from '../../base/files/problems.ts';
import { thousandsDoubt } from '../../base/values/decimal.ts';
import type { DecimalMark } from './notation.ts';

/** A problem of a column, with the lines of its cells. The problem refuses the whole file, since no single row is wrong. */
export interface ColumnProblem {
  readonly where: Where;
  readonly message: string;
}

/** A column's decimal mark, and the first value that shows the mark. */
export interface ShownMark {
  readonly mark: DecimalMark;
  readonly example: string;
}

/** The values of a column with the same decimal mark. */
interface Seen {
  /** The first value with both marks. */
  both?: string;
  /** True when a value can be read with this mark alone. */
  isSure?: boolean;
  /** True when a value has other than three decimals. */
  isShort?: boolean;
  /** True when a value could be thousands. */
  isDoubtful?: boolean;
}

interface MarkedColumn extends Readonly<Record<DecimalMark, Seen>> {
  readonly lines: Lines;
  doubt: string | undefined;
  isClear: boolean;
}

export class DecimalMarks {
  readonly #columns = new Map<string, MarkedColumn>();

  /** Notes a number as written, without its currency. */
  see(name: string, line: number, number: string): void {
    const text = number.replaceAll(/[^\d.,]/g, '');
    const at = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
    const [whole, mark, decimals] = [text.slice(0, at), text[at], text.slice(at + 1)];
    if (mark === undefined || decimals === '') return;
    const column = this.#columns.get(name) ?? { point: {}, comma: {}, lines: new Lines(), doubt: undefined, isClear: false };
    this.#columns.set(name, column);
    const [seen, other] = mark === '.' ? [column.point, column.comma] : [column.comma, column.point];
    if (whole.includes(mark)) {
      if (!whole.includes(mark === '.' ? ',' : '.')) other.isSure = true;
      return;
    }
    const hasBoth = /[.,]/.test(whole);
    const isDoubtful = decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
    if (hasBoth) seen.both ??= number;
    if (decimals.length !== 3) seen.isShort = true;
    if (!isDoubtful) seen.isSure = true;
    else seen.isDoubtful = true;
    if (mark === ',') return;
    if (/^(?:0|\d{4,})$/.test(whole) && decimals.length === 3) column.isClear = true;
    const doubt = isDoubtful ? thousandsDoubt(number.replace(/^\+/, '')) : undefined;
    if (doubt === undefined) return;
    column.doubt ??= doubt;
    column.lines.add(line);
  }

  /** The decimal marks that columns show themselves. */
  shown(): ReadonlyMap<string, ShownMark> {
    const shown = new Map<string, ShownMark>();
    for (const [name, column] of this.#columns) {
      for (const [mark, other] of [['point', 'comma'] as const, ['comma', 'point'] as const]) {
        const { both, isShort, isDoubtful } = column[mark];
        if (both !== undefined && !column[other].isSure && !(isShort && isDoubtful)) shown.set(name, { mark, example: both });
      }
    }
    return shown;
  }

  /** `noun`: column or member. */
  *problems(noun: 'column' | 'member'): Generator<ColumnProblem> {
    for (const [column, { isClear, doubt: first, lines }] of this.#columns) {
      if (isClear || first === undefined) continue;
      const doubt = `${lines.count > 1 ? 'for instance ' : ''}${first}`;
      const message = `${doubt}, or say with --decimal-mark comma or point which one divides the decimals.`;
      yield { where: { line: lines, noun, column }, message };
    }
  }
}

/** Currencies beside the numbers of a column. Records hold no currency: a column's only currency is left out, a second one is an error. */
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
