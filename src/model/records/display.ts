// Values for a person, in tables and record views: a single safe line, lists joined, `2 Tom Okafor` for id and name.

import { scalarText } from '../../base/values/json.ts';
import { isMembers, type Members, valueAt } from '../../base/values/paths.ts';
import { isNamedValues } from './columns.ts';
import { safeLine } from './safe-text.ts';

/** The id of a record as text; empty without an id. */
export const idText = (record: unknown): string => scalarText(valueAt(record, 'id'));

/** A value as one safe line. Null and undefined are empty. */
export function displayText(value: unknown): string {
  return safeLine(rawText(value));
}

/** The longest value that a sentence repeats, in characters. */
export const longestTold = 60;

/** A value in a sentence: one safe line, cut behind `longestTold` characters. */
export function valueTold(value: unknown): string {
  const all = [...displayText(value)];
  return all.length > longestTold ? `${all.slice(0, longestTold).join('')}…` : all.join('');
}

/**
 * A value as a safe line on a terminal. An object with a name becomes name and id, a named value both its parts, any other object its
 * values.
 */
export function terminalText(value: unknown): string {
  return safeLine(briefText(value));
}

function briefText(value: unknown): string {
  if (isNamedValues(value))
    return commaJoined(value.map((one) => (briefText(one.value) === '' ? '' : `${one.name} ${briefText(one.value)}`)));
  if (Array.isArray(value)) return commaJoined(value.map(briefText));
  if (!isMembers(value) || isReference(value)) return rawText(value);
  const named = Object.fromEntries(Object.entries(value).filter(([name, member]) => labelMembers.has(name) && !isMembers(member)));
  const isNamed = Object.keys(named).some((name) => name !== 'id');
  return isNamed ? referenceText(named) : commaJoined(Object.values(value).map(briefText));
}

const commaJoined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join(', ');

function rawText(value: unknown): string {
  if (Array.isArray(value)) return commaJoined(value.map(rawText));
  if (isMembers(value)) return isReference(value) ? referenceText(value) : JSON.stringify(value);
  return scalarText(value);
}

const labelMembers = new Set(['id', 'name', 'title']);

/** True for `{ id, name }` and the like, by which the service refers to other records. */
function isReference(members: Members): boolean {
  const names = Object.keys(members);
  return names.length > 0 && names.every((name) => labelMembers.has(name) && !isMembers(members[name]));
}

function referenceText(members: Members): string {
  return Object.values(members)
    .map(scalarText)
    .filter((text) => text !== '')
    .join(' ');
}
