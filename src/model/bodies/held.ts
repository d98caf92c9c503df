// Compares given values with a record, so that unchanged values need not be sent.

import type { Body, BodyValue } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { valueAt } from '../../base/values/paths.ts';
import type { Field } from '../define.ts';
import { isSameToTheLetter } from '../same.ts';
import { readBack } from './read-back.ts';

/** True when a record has all given values. */
export const holdsAll = (fields: readonly Field[], record: unknown, given: Body): boolean => notHeld(fields, record, given).length === 0;

/** The given values that a record doesn't have. A value of a field that doesn't read back is always returned. */
export function notHeld(fields: readonly Field[], record: unknown, given: Body): [wire: string, value: BodyValue][] {
  const asked = fieldsOf(fields, given);
  const held = new Map(asked.flatMap((field) => readBack(field, record)));
  const names = new Map(asked.map((field) => [field.wire, heldName(field, record)]));
  const types = new Map(asked.map(({ wire, type }) => [wire, type]));
  const numbered = asked.filter(({ type }) => type.kind === 'numbered');
  return [...given].filter(([wire, value]) => {
    const isReadable = types.has(wire) || numbered.some((field) => wire.startsWith(field.wire));
    if (!isReadable) return true;
    const name = isNameSent(value) ? names.get(wire) : undefined;
    return !isSameToTheLetter(types.get(wire), valueText(held.get(wire) ?? ''), valueText(value)) && (name === undefined || name !== value);
  });
}

/** The fields that the given values may be of and that read back. */
const fieldsOf = (fields: readonly Field[], given: Body): Field[] =>
  fields.filter(({ read, wire, type }) => read !== undefined && (given.has(wire) || type.kind === 'numbered'));

/** The record's values of the given fields, by wire name. */
export function heldOf(fields: readonly Field[], record: unknown, given: Body): Record<string, string> {
  const held = fieldsOf(fields, given)
    .flatMap((field) => readBack(field, record))
    .filter(([wire]) => given.has(wire));
  return Object.fromEntries(held.map(([wire, value]) => [wire, valueText(value)]));
}

/** An id is digits alone. */
const isNameSent = (value: BodyValue): boolean => typeof value === 'string' && !/^\d+$/.test(value);

/** The name beside an id in a record, for a field that takes an id or a name. Undefined when the record has no name there. */
function heldName({ read, type }: Field, record: unknown): string | undefined {
  if (read === undefined || type.kind !== 'id-or-name') return undefined;
  return scalarText(valueAt(record, read.replace(/[^.]*$/, 'name'))) || undefined;
}
