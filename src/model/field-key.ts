// The key of a value, by which records are told apart.

import { textKey } from '../base/values/text/same-text.ts';
import { withoutUnseen } from '../base/values/text/unseen.ts';
import type { Field } from './define.ts';

/** A value for matching and for uniqueness. Emails are compared in any case. Characters that nobody sees don't count. */
export function fieldKey(field: Field, text: string): string {
  const plain = textKey(withoutUnseen(text));
  return field.type.kind === 'email' || field.unique ? plain.toLowerCase() : plain;
}
