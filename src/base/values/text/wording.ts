// Builds words for sentences and names: counts, articles, capital letters, lists. Pure.

/** `1 row`, `3 rows`. `several` is an irregular plural. */
export const howMany = (count: number, one: string, several = `${one}s`): string => `${count} ${count === 1 ? one : several}`;

/** `an item`, `a lead`. */
export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** The text with a capital first letter. */
export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A word in a list: in quotes when it contains a blank, a comma or a semicolon. */
export const quotedWord = (text: string): string => (/[\s,;]/.test(text) ? `"${text}"` : text);

/** The text, with a full stop when it ends without `.`, `?` or `!`. */
export const asSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/** The name of a method: `accountOwner` for `account-owner`. */
export const camelCase = (name: string): string => name.replace(/[ -](\w)/g, (_all, letter: string) => letter.toUpperCase());

/** The first words, at most five unless `most` is given: `fair[1], fair[2] and 3 more`. */
export const firstOf = (words: readonly string[], most = 5): string =>
  words.length > most ? `${words.slice(0, most).join(', ')} and ${words.length - most} more` : listed(words);

/** `id, title and status`, or with another `last` word: `csv, json or xlsx`. */
export const listed = (words: readonly string[], last: 'and' | 'or' = 'and'): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(` ${last} `);
