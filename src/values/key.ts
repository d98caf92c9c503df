// API keys as text: cleaned when read, checked that a header can carry them, and shown so that two can be told apart and none
// can be used. No message here quotes a key.

import type { Refuse } from './base-url.ts';

/**
 * The key in a text that was read: without the newline that `echo` or an editor added at the end.
 * Throws the error that `refuse` makes for a key that no header can carry. `source` begins its sentence: `CRM_API_KEY`.
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

/** `crm_…a1b2`: a prefix that names the kind of key, and the last four characters. A key under 12 characters is all `…`. */
export function maskKey(key: string): string {
  if (key.length < 12) return '…';
  const prefix = /^[A-Za-z]{2,6}_/.exec(key)?.[0] ?? '';
  return `${prefix}…${key.slice(-4)}`;
}
