// The key of a value, by which records are told apart.

import { textKey } from '../base/values/text/same-text.ts';
import { withoutUnseen } from '../base/values/text/unseen.ts';
import type { Field } from './define.ts';

/** A value for matching and for uniqueness. Emails are compared in any case. Characters that nobody sees don't count. */
export const fieldKey = (field: Field, text: string): string => exactKey(field, withoutUnseen(text));

/** The key of a value with the characters that nobody sees, as in the journals of version 0.2. */
export function exactKey(field: Field, text: string): string {
  return field.type.kind === 'email' || field.unique ? textKey(text).toLowerCase() : textKey(text);
}
