// The end of a change of a record whose answer was lost, told by the record as read later. Runs and single commands share the comparison.
// Pure.

import type { Body, BodyValue } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import { areAlike } from '../../base/values/text/alike.ts';
import { isSameText } from '../../base/values/text/same-text.ts';
import { isSameSet } from './replaced-set.ts';

/** Reads from a record whether a write took effect. */
export interface RecordEvidence {
  /** Tells whether the record has the sent values: false for other values, undefined when the record lacks them. */
  tells(record: unknown): boolean | undefined;
  /** The values of the record that the write overwrites. */
  valuesIn(record: unknown): unknown;
}

/** A sent write, with the values that it overwrites. */
export interface SentWrite extends RecordEvidence {
  readonly before: unknown;
  /** The values that the user gave, by wire names. Undefined for a write of another kind. */
  readonly given?: Body | undefined;
}

/** `found`: the write took effect. `absent`: it did not. `conflict`: somebody changed the record. `unknown`: nobody can tell. */
type LostEnd = 'found' | 'absent' | 'conflict' | 'unknown';

/** The ends by the held values (rows), and by whether the record shows the sent values: as sent, other values, or not told. */
const lostEnds: Readonly<
  Record<'asBefore' | 'emptyAsBefore' | 'changed' | 'changedAlike', Readonly<Record<'sent' | 'other' | 'untold', LostEnd>>>
> = {
  asBefore: { sent: 'absent', other: 'absent', untold: 'absent' },
  // Overwritten values are empty also when the first read didn't show the values.
  emptyAsBefore: { sent: 'found', other: 'absent', untold: 'unknown' },
  changed: { sent: 'found', other: 'conflict', untold: 'found' },
  // A set, or a value similar to the sent value: the service may have rewritten the sent value.
  changedAlike: { sent: 'found', other: 'unknown', untold: 'found' },
};

/** The end of a write whose answer was lost, by the record as read later. */
export function endOfLost(write: SentWrite, record: unknown): LostEnd {
  const { before, given } = write;
  const isSent = write.tells(record);
  return lostEnds[heldNow()][isSent === undefined ? 'untold' : isSent ? 'sent' : 'other'];

  function heldNow(): keyof typeof lostEnds {
    if (areSameValues(write.valuesIn(record), before))
      return isMembers(before) && Object.keys(before).length > 0 ? 'asBefore' : 'emptyAsBefore';
    const isSet = isMembers(before) && Object.values(before).some(Array.isArray);
    const isAlike = given !== undefined && [...given].some((one) => isLikeGiven(write, record, one));
    return isSet || isAlike ? 'changedAlike' : 'changed';
  }
}

/** True when a record shows a value similar to the given value, and the old value was not similar. */
export function isLikeGiven({ valuesIn, before }: SentWrite, record: unknown, [wire, value]: readonly [string, BodyValue]): boolean {
  const [was, sent, now] = [notedText(before, wire), valueText(value), notedText(valuesIn(record), wire)];
  return areAlike(now, sent) && !areAlike(was, sent);
}

/** A value of a journal as text, by its wire name. */
export const notedText = (noted: unknown, wire: string): string => scalarText(valueAt(noted, wire));

/** True when values of a journal are the same to the letter: texts as texts, sets by their elements. */
export function areSameValues(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return isSameSet(one.map(notedKey), other.map(notedKey));
  if (!isMembers(one) || !isMembers(other)) return isSameText(notedKey(one), notedKey(other));
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => areSameValues(one[name], other[name]));
}

/** A value of a journal as text; an element of a set by its id, if the element has an id. */
const notedKey = (one: unknown): string => (isMembers(one) ? scalarText(one.id) || JSON.stringify(one) : scalarText(one));
