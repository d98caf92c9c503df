// Words of cells that mean nothing: what a mapping has to say.

import { plainName } from '../../names/matching.ts';

/** More words of one field are not kept: such a column is no column of a few words. */
const mostWords = 200;

export class UnknownWords {
  readonly #words = new Map<string, Map<string, string>>();

  /** Notes what stands in a cell of a field, by its flag. */
  add(flag: string, value: unknown): void {
    if (typeof value !== 'string' || value.trim() === '') return;
    const words = this.#words.get(flag) ?? new Map<string, string>();
    this.#words.set(flag, words);
    if (words.size < mostWords) words.set(plainName(value), value.trim());
  }

  /** The words by the flag of their field, in the order in which they came. */
  byFlag(): [flag: string, words: string[]][] {
    return [...this.#words].map(([flag, words]) => [flag, [...words.values()]]);
  }

  get isEmpty(): boolean {
    return this.#words.size === 0;
  }
}
