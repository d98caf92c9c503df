// What became of the values that a write asked for: the one comparison of a record as read before the write with the record after. A
// service may answer 200 and keep a value as it was. Pure.

import { parseDecimal } from '../base/values/decimal.ts';
import { areAlike } from '../base/values/text/alike.ts';
import { listed } from '../base/values/text/wording.ts';
import type { ValueType } from '../base/values/value-type.ts';
import { without } from './bodies/replaced-set.ts';
import { orEmpty } from './records/difference.ts';
import { valueTold } from './records/display.ts';
import type { FamilyValue, HeldText } from './values.ts';

/** A value that a write asks for. */
export interface AskedValue {
  readonly value: Pick<FamilyValue, 'name' | 'type' | 'keyOf' | 'shownOf' | 'isSame'>;
  readonly asked: HeldText;
  /** True for an id, a state, a choice and a set: judged without a read before the write, too. */
  readonly isPlain: boolean;
}

/** A value that stands as it was, though a write asked for another. */
export interface KeptValue {
  /** The user's name for the value. */
  readonly name: string;
  /** The value as it was asked for and as it stands, as tables show values. */
  readonly asked: string;
  readonly held: string;
}

/** What became of the values that a write was to change. */
export interface Taking {
  /** The number of values that stand otherwise than before, or that the record doesn't tell. */
  readonly taken: number;
  /** The kept values that are alike to what was asked for. */
  readonly alike: readonly KeptValue[];
  readonly notTaken: readonly KeptValue[];
}

/** True when a record shows a value as it was before the write: the record has to be read before the value counts as kept. */
export function keepsAny(asked: readonly AskedValue[], before: unknown, after: unknown): boolean {
  const { alike, notTaken } = takingOf(asked, before, after);
  return alike.length + notTaken.length > 0;
}

/**
 * What became of each value that a write was to change, by the record `before` and `after` the write. `before`: undefined when the record was
 * not read.
 *
 * | a value that was to change | then |
 * | --- | --- |
 * | is not in the record after | taken |
 * | stands otherwise than before | taken |
 * | stands as before, and is alike to what was asked for | alike |
 * | stands as before | not taken |
 *
 * Without a record before, only plain values are judged: by whether they are as asked, sets by the elements that are missing.
 */
export function takingOf(asked: readonly AskedValue[], before: unknown, after: unknown): Taking {
  const taking = { taken: 0, alike: [] as KeptValue[], notTaken: [] as KeptValue[] };
  for (const one of asked) {
    const { value } = one;
    const [was, now] = [value.keyOf(before), value.keyOf(after)];
    if (was !== undefined && value.isSame(was, one.asked)) continue;
    const isKept = now !== undefined && !isAsAsked(one, now, after) && (was === undefined ? one.isPlain : value.isSame(was, now));
    if (!isKept) {
      taking.taken += 1;
      continue;
    }
    const text = typeof one.asked === 'string' ? one.asked : one.asked.join(', ');
    const kept = { name: value.name, asked: shown(text), held: shown(value.shownOf(after)) };
    (isAlike(value.type, one.asked, now, was !== undefined) ? taking.alike : taking.notTaken).push(kept);
  }
  return taking;
}

/** True when a value is as it was asked for. A name in place of an id counts; of a set that was not read, missing elements alone count. */
function isAsAsked({ value, asked }: AskedValue, now: HeldText, after: unknown): boolean {
  if (value.isSame(now, asked)) return true;
  return typeof asked === 'string' ? value.type?.kind === 'id-or-name' && value.shownOf(after) === asked : false;
}

/** True when a kept value is what the service makes of the asked value. `isRead`: elements that were not asked for count, too. */
function isAlike(type: ValueType | undefined, asked: HeldText, held: HeldText, isRead: boolean): boolean {
  if (typeof asked === 'string') return isAlikeByType(type, asked, String(held));
  const all = typeof held === 'string' ? [held] : held;
  const isThere = (one: string, others: readonly string[]): boolean => others.some((other) => isAlikeByType(type, one, other));
  return without(asked, all).every((one) => isThere(one, all)) && (!isRead || without(all, asked).every((one) => isThere(one, asked)));
}

/**
 * True when a held text is an asked text as services keep such values: a text but for case, accents and signs, a number at the places kept, a
 * day of a time, a phone by its last nine digits. Ids are never alike.
 */
function isAlikeByType(type: ValueType | undefined, asked: string, held: string): boolean {
  switch (type?.kind) {
    case 'id':
    case 'id-or-name':
    case 'reference':
      return asked === held;
    case 'decimal':
    case 'integer':
      return isSameAtPlaces(asked, held);
    case 'date':
      return /^\d{4}-\d\d-\d\d/.test(held) && asked.slice(0, dayLength) === held.slice(0, dayLength);
    default: {
      if (asked.trim() === '' || held.trim() === '') return asked.trim() === held.trim();
      const isPhone = type?.kind === 'text' && type.form === 'phone';
      return (isPhone && lastDigits(asked) === lastDigits(held)) || areAlike(plain(asked), plain(held));
    }
  }
}

/** The characters of a day: `2026-11-28`. */
const dayLength = 10;

/** The last digits of a phone number that tell it from others: without its country and the zero before its area. */
const lastDigits = (phone: string): string => phone.replaceAll(/\D/g, '').slice(-9) || phone;

/** Accents don't cover this letter. */
const plain = (text: string): string => text.replaceAll('ß', 'ss');

/** True when a held number is the asked number, rounded or cut to the places of the held number. An empty text is zero. */
function isSameAtPlaces(asked: string, held: string): boolean {
  const [one, other] = [parseDecimal(asked.trim() || '0'), parseDecimal(held.trim() || '0')];
  if (one === undefined || other === undefined) return false;
  const scale = Math.max(one.scale, other.scale);
  const inUnits = ({ digits, scale: own }: { digits: bigint; scale: number }): bigint => digits * 10n ** BigInt(scale - own);
  const apart = inUnits(one) - inUnits(other);
  return (apart < 0n ? -apart : apart) < 10n ** BigInt(scale - other.scale);
}

const shown = (text: string): string => orEmpty(valueTold(text));

/** `The service answered 200 and kept status as New.` */
export const notTakenText = (status: number, kept: readonly KeptValue[]): string =>
  `The service answered ${status} and kept ${listed(kept.map(({ name, held }) => `${name} as ${held}`))}.`;

/** `The service keeps website as it was (asked: https://x.example).` */
export const keptText = ({ name, asked }: KeptValue): string => `The service keeps ${name} as it was (asked: ${asked}).`;
