// The guard of a row's value: the record must still have the old value, or have the new value already. Says what is there now.

import { ConflictError } from '../../base/errors.ts';
import type { Resource } from '../../model/define.ts';
import { orEmpty } from '../../model/records/difference.ts';
import { valueTold } from '../../model/records/display.ts';
import type { Guard } from '../../model/records/guard.ts';
import { isOfTitle, valueNamed } from '../../model/values.ts';
import { holdsText } from './change-cells.ts';

/** The record must have the old or the new value. */
export const pairGuard =
  (resource: Resource, name: string, was: string, holds: (record: unknown) => boolean): Guard =>
  (record) =>
    holds(record) ? {} : asItWas(resource, name, was)(record);

/** The record must have the value of a `was.` column. */
export const asItWas =
  (resource: Resource, name: string, was: string): Guard =>
  (record) => {
    if (holdsText(resource, name, record, was)) return {};
    if (isBroken(valueNamed(resource, name).shownOf(record), was)) return brokenText(name, was);
    const text = changedText(resource, name, record, was);
    return isOfTitle(resource, name) ? new ConflictError(`Renamed, or another record: ${text}. Left as it is.`) : { [name]: text };
  };

/** True when a text equals the held text except for question marks: the program that saved the file lost letters. */
const isBroken = (held: string, text: string): boolean =>
  text.includes('?') && held.length === text.length && [...text].every((letter, index) => letter === '?' || letter === held[index]);

const brokenText = (name: string, was: string): ConflictError =>
  new ConflictError(`Letters were lost when the file was saved: was.${name} is ${shownText(was)}. Save it as .xlsx, or as CSV in UTF-8.`);

/** `value is 7 now, not 3`. */
export function changedText(resource: Resource, name: string, record: unknown, was: string): string {
  const now = valueNamed(resource, name).shownOf(record);
  return now === was ? `${name} is different now` : `${name} is ${shownText(now)} now, not ${shownText(was)}`;
}

const shownText = (text: string): string => orEmpty(valueTold(text).trim());
