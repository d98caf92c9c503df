// The key of a value, by which records are told apart.

import { textKey } from '../base/values/text/same-text.ts';
import type { Field } from './define.ts';

/** A value for matching and for uniqueness. Emails are compared in any case. */
export function fieldKey(field: Field, text: string): string {
  const plain = textKey(text);
  return field.type.kind === 'email' || field.unique ? plain.toLowerCase() : plain;
}
