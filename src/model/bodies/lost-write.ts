// The end of a change of a record whose answer was lost, told by the record as read later. Runs and single commands share the comparison.
// Pure.

import type { Body, BodyValue } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import { areAlike } from '../../base/values/text/alike.ts';
import { areSameValues } from './shown.ts';

/** Reads from a record whether a write took effect. */
export interface RecordEvidence {
  /** True when the record shows the sent values, false for other values, undefined when the record doesn't tell. */
  shows(record: unknown): boolean | undefined;
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
  const isShown = write.shows(record);
  return lostEnds[heldNow()][isShown === undefined ? 'untold' : isShown ? 'sent' : 'other'];

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
  const [was, sent, now] = [textIn(before, wire), valueText(value), textIn(valuesIn(record), wire)];
  return areAlike(now, sent) && !areAlike(was, sent);
}

/** A value of a journal as text, by its wire name. */
export const textIn = (noted: unknown, wire: string): string => scalarText(valueAt(noted, wire));
