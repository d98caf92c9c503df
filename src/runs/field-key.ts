// The key that records are told apart by.

import type { Field } from '../resources/define.ts';
import { textKey } from '../values/text/same-text.ts';

/** A value as matching and uniqueness compare it: trimmed and without entities, emails whatever their case. */
export function fieldKey(field: Field, text: string): string {
  const plain = textKey(text);
  return field.type.kind === 'email' || field.unique ? plain.toLowerCase() : plain;
}
