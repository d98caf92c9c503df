// API keys: cleans a key that was read, checks that a header can carry the key, and masks the key for screens. Messages never
// quote a key.

import type { Refuse } from './base-url.ts';

/**
 * The key without a newline at its end, which `echo` or an editor adds. Throws the error of `refuse` for a key that no header
 * can carry. `source` begins the message: `CRM_API_KEY`.
 */
export function cleanKey(text: string, source: string, refuse: Refuse): string {
  const key = text.replace(/\r?\n$/, '');
  const problem = keyProblem(key);
  if (problem !== undefined) throw refuse(`${source} ${problem}.`);
  return key;
}

/** The fault of a key as the end of a sentence: `is empty`. Undefined for a usable key. */
export function keyProblem(key: string): string | undefined {
  if (key === '') return 'is empty';
  if (/\s/.test(key)) return 'has white space in it, so it is not a key';
  if (/\p{Cc}/u.test(key)) return 'has a control character in it, so it is not a key';
  if (/[^\x21-\xff]/.test(key)) return 'has a character that no header can carry, so it is not a key';
  return undefined;
}

/** A key for screens, `crm_…a1b2`: its prefix and its last four characters. A key under 12 characters becomes `…`. */
export function maskKey(key: string): string {
  if (key.length < 12) return '…';
  const prefix = /^[A-Za-z]{2,6}_/.exec(key)?.[0] ?? '';
  return `${prefix}…${key.slice(-4)}`;
}
