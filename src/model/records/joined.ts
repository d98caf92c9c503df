// The values of members in records, and of the names that crm joins of several members: a lead's `name`.

import { scalarText } from '../../base/values/json.ts';
import { isMembers } from '../../base/values/paths.ts';
import { type Documented, type Member, memberNamed } from '../members.ts';
import { valueHeld } from './columns.ts';

/** The value of a member in a record; null below a null object. Undefined when the record lacks the member. */
export function memberValue(record: unknown, path: string, member: Member | undefined): unknown {
  if (member?.kind !== 'group' || member.isJoined === undefined) return valueHeld(record, path);
  const values = member.members.map((one) => valueHeld(record, one));
  if (values.every((value) => value === undefined)) return undefined;
  return values
    .map(scalarText)
    .filter((text) => text !== '')
    .join(' ');
}

/** A function that adds to a record the joined names that `names` has. Undefined when `names` has none. */
export function withJoined(shape: Documented, names: readonly string[]): ((record: unknown) => unknown) | undefined {
  const { joined = {} } = shape;
  const wanted = Object.keys(joined).filter((name) => names.includes(name));
  if (wanted.length === 0) return undefined;
  return (record) => {
    const made = wanted.map((name) => [name, memberValue(record, name, memberNamed(shape, name)) ?? null] as const);
    return isMembers(record) ? { ...record, ...Object.fromEntries(made) } : record;
  };
}
