// The key of a value, by which records are told apart.

import { textKey } from '../base/values/text/same-text.ts';
import { trimmed } from './bodies/entries.ts';
import type { Field } from './define.ts';

/** A value for matching and for uniqueness. Emails are compared in any case. Characters that nobody sees don't count. */
export const fieldKey = (field: Field, text: string): string => exactKey(field, trimmed(field.type, text));

/**
 * The key that alike values share: a phone without its plus sign, its leading zeros and the signs between its digits, any other value of
 * digits without plus sign and leading zeros. Undefined for a value without digits, and for any other value that isn't digits alone.
 */
export function alikeKey({ type }: Field, text: string): string | undefined {
  const isPhone = type.kind === 'text' && type.form === 'phone';
  const plain = isPhone
    ? trimmed(type, text)
        .replaceAll(/[\s\p{P}+]/gu, '')
        .toLowerCase()
    : text.trim();
  const key = /^\+?0*(?=.)(.*)$/s.exec(plain)?.[1] ?? '';
  return (isPhone ? /\d/ : /^\d+$/).test(key) ? key : undefined;
}

/** The key of a value with the characters that nobody sees, as in the journals of version 0.2. */
export function exactKey(field: Field, text: string): string {
  return field.type.kind === 'email' || field.unique ? textKey(text).toLowerCase() : textKey(text);
}
