// Which of some names a text means. Case and accents don't count. Pure.

/** `part`: the beginning of a name or of one of its words will do, for what is only read. `whole`: for what is written. */
export type NameMatch = 'part' | 'whole';

/** A name without what doesn't count: case, accents, and how many blanks stand between words. */
export const plainName = (name: string): string => withoutAccents(name).toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** Most names have none, and looking for them takes longer than all the rest. */
const withoutAccents = (name: string): string => (/^[\x20-\x7e]*$/.test(name) ? name : name.normalize('NFKD').replaceAll(/\p{M}/gu, ''));

/** A number is an id, or meant to be one; `name:2024` says that it is a name. */
export const isNumber = (text: string): boolean => /^[-+]?\d[\d.,]*$/.test(text.trim());

/**
 * The names that a text means: those spelt exactly so, else those that are the same, else those that it is enough for. More than one:
 * it is not clear which. `byWord`: where whole names are wanted, whole words of a name are enough.
 */
export function namesMeant<T extends { readonly name: string }>(
  names: readonly T[],
  text: string,
  match: NameMatch,
  byWord = false,
): readonly T[] {
  const wanted = plainName(text);
  if (wanted === '') return [];
  const ways: ((name: string) => boolean)[] = [(name) => name === text, (name) => plainName(name) === wanted];
  if (match === 'part') ways.push((name) => holds(plainName(name), wanted, false));
  else if (byWord) ways.push((name) => holds(plainName(name), wanted, true));
  for (const isMeant of ways) {
    const meant = names.filter(({ name }) => isMeant(name));
    if (meant.length > 0) return meant;
  }
  return [];
}

/** Whether a text stands in a name where a word begins; `whole`: and ends where a word ends. */
function holds(name: string, text: string, whole: boolean): boolean {
  for (let at = name.indexOf(text); at >= 0; at = name.indexOf(text, at + 1)) {
    const isBeginning = !/[\p{L}\p{N}]$/u.test(name.slice(0, at));
    const isEnd = !/^[\p{L}\p{N}]/u.test(name.slice(at + text.length));
    if (isBeginning && (isEnd || !whole)) return true;
  }
  return false;
}
