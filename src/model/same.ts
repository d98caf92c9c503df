// Two of the five ways in which values are the same (CONTRIBUTING.md has a table). By type: decides whether a write is needed, took effect,
// or is still there. As a cell: a cell of a spreadsheet and a held value.

import { isSameDecimal } from '../base/values/decimal.ts';
import { isSameText } from '../base/values/text/same-text.ts';
import { withoutUnseen } from '../base/values/text/unseen.ts';
import { isSameTime } from '../base/values/time/time-span.ts';
import type { ValueType } from '../base/values/value-type.ts';

/** True when two values of a type are the same text, number or time (`1250` and `1250.00`: vendor facts, decimals). */
export function isSameToTheLetter(type: ValueType | undefined, one: string, other: string): boolean {
  if (isSameText(one, other)) return true;
  return type?.kind === 'decimal' ? isSameDecimal(one, other) : type?.kind === 'date' && isSameTime(one, other);
}

/** True when two texts are the same but for characters that nobody sees, and for half a character, of which UTF-8 makes U+FFFD. */
export const isSameSeen = (type: ValueType | undefined, one: string, other: string): boolean =>
  isSameText(withoutUnseen(one, type).toWellFormed(), withoutUnseen(other, type).toWellFormed());

/** True when a cell equals a held value, or is the number that a spreadsheet made of the value: without trailing zeros. */
export function isSameAsCell(type: ValueType | undefined, held: string, cell: string): boolean {
  return (
    isSameToTheLetter(type, held, cell) ||
    isSameSeen(type, held, cell) ||
    (isSameDecimal(held, cell.trim()) && (type?.kind === 'decimal' || shortest.test(cell.trim())))
  );
}

/** A number without needless zeros. */
const shortest = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/;
