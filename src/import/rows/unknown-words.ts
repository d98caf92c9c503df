// Unknown words in cells, for a mapping file to explain.

import { plainName } from '../../session/names/matching.ts';

/** The unknown words as written, by the flag of the field, then by `plainName`, in order of appearance. */
export type UnknownWords = Map<string, Map<string, string>>;

/** The most words kept for a field: a column with more is free text. */
const mostWords = 200;

/** Notes the word in a cell; '' for a blank cell of a field that a new record needs. */
export function noteUnknown(all: UnknownWords, flag: string, value: unknown): void {
  if (typeof value !== 'string' || !value.isWellFormed()) return;
  const words = all.get(flag) ?? new Map<string, string>();
  all.set(flag, words);
  if (words.size < mostWords) words.set(plainName(value), value.trim());
}
