// Unknown words in cells, for a mapping file to explain.

import { plainName } from '../../session/names/matching.ts';

/** The most words kept for a field: a column with more is free text. */
const mostWords = 200;

export class UnknownWords {
  readonly #words = new Map<string, Map<string, string>>();

  /** Notes the word in a cell. `flag`: the flag of the field. */
  add(flag: string, value: unknown): void {
    if (typeof value !== 'string' || value.trim() === '') return;
    const words = this.#words.get(flag) ?? new Map<string, string>();
    this.#words.set(flag, words);
    if (words.size < mostWords) words.set(plainName(value), value.trim());
  }

  /** The words by flag, in order of appearance. */
  byFlag(): [flag: string, words: string[]][] {
    return [...this.#words].map(([flag, words]) => [flag, [...words.values()]]);
  }

  get isEmpty(): boolean {
    return this.#words.size === 0;
  }
}
