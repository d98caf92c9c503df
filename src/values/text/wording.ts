// Words as sentences and names want them: with a count, an article, a capital letter. Pure.

/** `1 row`, `3 rows`; `several`: the plural, where an s doesn't make it. */
export const howMany = (count: number, one: string, several = `${one}s`): string => `${count} ${count === 1 ? one : several}`;

/** `an item`, `a lead`. */
export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** The text with a capital letter at its beginning. */
export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A word as it stands among others: with quotes where a blank would make two of it. */
export const quotedWord = (text: string): string => (/[\s,;]/.test(text) ? `"${text}"` : text);

/** The text with a full stop, where it doesn't end as a sentence does. */
export const asSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/** As a method is called: `accountOwner` for `account-owner`. */
export const camelCase = (name: string): string => name.replace(/[ -](\w)/g, (_all, letter: string) => letter.toUpperCase());

/** As a type is called: `TeamMember` for `team member`. */
export const pascalCase = (name: string): string => capitalised(camelCase(name));

/** `fair[1], fair[2] and 3 more` */
export const firstOf = (words: readonly string[], most: number): string =>
  words.length > most ? `${words.slice(0, most).join(', ')} and ${words.length - most} more` : listed(words);

/** `id, title and status` */
export const listed = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');
