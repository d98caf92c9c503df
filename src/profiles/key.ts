// API keys as text: which can travel in a header, and how one is shown.
// No message here quotes a key.

import type { Refuse } from '../values/base-url.ts';

/**
 * The key in a text that was read: without the newline that `echo` or an editor put behind it.
 * Throws what `refuse` makes for one that no header can carry. `source` begins the sentence: `CRM_API_KEY`.
 */
export function cleanKey(text: string, source: string, refuse: Refuse): string {
  const key = text.replace(/\r?\n$/, '');
  const problem = keyProblem(key);
  if (problem !== undefined) throw refuse(`${source} ${problem}.`);
  return key;
}

/** What is wrong with a key, as the end of a sentence; undefined for a usable one. */
export function keyProblem(key: string): string | undefined {
  if (key === '') return 'is empty';
  if (/\s/.test(key)) return 'has white space in it, so it is not a key';
  if (/\p{Cc}/u.test(key)) return 'has a control character in it, so it is not a key';
  if (/[^\x21-\xff]/.test(key)) return 'has a character that no header can carry, so it is not a key';
  return undefined;
}
