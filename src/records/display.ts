// What a value looks like to a person, in tables and record views: one safe line, lists joined, `2 Tom Okafor` for
// a pair of id and name.

import { scalarText } from '../values/json.ts';
import { isMembers, type Members } from '../values/paths.ts';
import { isNamedValues } from './columns.ts';
import { safeLine } from './safe-text.ts';

/** A value as one safe line. Null and undefined are empty. */
export function displayText(value: unknown): string {
  return safeLine(rawText(value));
}

/** The same for a terminal: of an object with a name the name and its id, of a named value both, of any other object its values. */
export function terminalText(value: unknown): string {
  return safeLine(briefText(value));
}

function briefText(value: unknown): string {
  if (isNamedValues(value)) return joined(value.map((one) => (briefText(one.value) === '' ? '' : `${one.name} ${briefText(one.value)}`)));
  if (Array.isArray(value)) return joined(value.map(briefText));
  if (!isMembers(value) || isLabel(value)) return rawText(value);
  const named = Object.fromEntries(Object.entries(value).filter(([name, member]) => labelMembers.has(name) && !isMembers(member)));
  const isNamed = Object.keys(named).some((name) => name !== 'id');
  return isNamed ? labelText(named) : joined(Object.values(value).map(briefText));
}

const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join(', ');

function rawText(value: unknown): string {
  if (Array.isArray(value)) return joined(value.map(rawText));
  if (isMembers(value)) return isLabel(value) ? labelText(value) : JSON.stringify(value);
  return scalarText(value);
}

const labelMembers = new Set(['id', 'name', 'title']);

/** `{ id, name }` and the like: the service's references to other records. */
function isLabel(members: Members): boolean {
  const names = Object.keys(members);
  return names.length > 0 && names.every((name) => labelMembers.has(name) && !isMembers(members[name]));
}

function labelText(members: Members): string {
  return Object.values(members)
    .map(scalarText)
    .filter((text) => text !== '')
    .join(' ');
}
