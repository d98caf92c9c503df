// What a value looks like to a person, in tables and record views: one safe line, lists joined, `2 Tom Okafor` for
// a pair of id and name.

import { scalarText } from '../values/json.ts';
import { isMembers, type Members } from '../values/paths.ts';
import { safeLine } from './streams/safe-text.ts';

/** A value as one safe line. Null and undefined are empty. */
export function displayText(value: unknown): string {
  return safeLine(rawText(value));
}

function rawText(value: unknown): string {
  if (Array.isArray(value))
    return value
      .map(rawText)
      .filter((element) => element !== '')
      .join(', ');
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
