// The key that records are told apart by.

import type { Field } from '../resources/define.ts';

/** A value as matching and uniqueness compare it: emails whatever their case. */
export function fieldKey(field: Field, text: string): string {
  const plain = field.type.kind === 'text' ? text : text.trim();
  return field.type.kind === 'email' || field.unique ? plain.toLowerCase() : plain;
}
