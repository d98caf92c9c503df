// Finds the names that a text means. Case and accents don't count. Pure.

import { caseless } from '../../base/values/text/caseless.ts';
import { withoutUnseen } from '../../base/values/text/unseen.ts';

/** `part`, for reads: the beginning of a name or of one of its words is enough. `whole`, for writes: the whole name. */
export type NameMatch = 'part' | 'whole';

/** A name for comparing: lower case, no accents, single blanks. */
export const plainName = (name: string): string => caseless(withoutAccents(name)).toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** ASCII names skip the removal of accents, which would take longer than all other steps. */
const withoutAccents = (name: string): string =>
  /^[\x20-\x7e]*$/.test(name) ? name : withoutUnseen(name).normalize('NFKD').replaceAll(/\p{M}/gu, '');

/**
 * The names that a text means: identical names, else names equal by `plainName`, else names that contain the text as `match` allows.
 * Several results mean an ambiguous text. With `byWord`, `whole` also accepts some whole words of a name.
 */
export function matchingNames<T extends { readonly name: string }>(
  names: readonly T[],
  text: string,
  match: NameMatch,
  byWord = false,
): readonly T[] {
  const wanted = plainName(text);
  if (wanted === '') return [];
  const ways: ((name: string) => boolean)[] = [(name) => name === text, (name) => plainName(name) === wanted];
  if (match === 'part') ways.push((name) => beginsWithin(plainName(name), wanted, false));
  else if (byWord) ways.push((name) => beginsWithin(plainName(name), wanted, true));
  for (const isMeant of ways) {
    const meant = names.filter(({ name }) => isMeant(name));
    if (meant.length > 0) return meant;
  }
  return [];
}

/** True when a name contains a text from the start of a word; with `whole`, up to the end of a word. */
function beginsWithin(name: string, text: string, whole: boolean): boolean {
  for (let at = name.indexOf(text); at >= 0; at = name.indexOf(text, at + 1)) {
    const isBeginning = !/[\p{L}\p{N}]$/u.test(name.slice(0, at));
    const isEnd = !/^[\p{L}\p{N}]/u.test(name.slice(at + text.length));
    if (isBeginning && (isEnd || !whole)) return true;
  }
  return false;
}
