// Turns a record back into body entries, and completes bodies with a record's values. Pure.

import { UsageError } from '../../base/errors.ts';
import type { Body } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import type { Field } from '../define.ts';
import { type BodyShape, wiresOf } from '../shape.ts';
import { type Entry, isBlankGiven } from './entries.ts';

/**
 * A record's value of a field as body entries, for sending back unchanged: digits and spaces stay. No entries for null and for a missing
 * member. Throws UsageError for a value that a body can't hold.
 */
export function readBack(field: Field, record: unknown): Entry[] {
  if (field.read === undefined) return [];
  const value = valueAt(record, field.read);
  if (value === undefined || value === null) return [];
  if (field.type.kind === 'numbered') {
    if (!Array.isArray(value)) return [];
    // Custom fields read back as `{ id, name, value }` (interface: Item, `custom_fields`).
    return value.flatMap((element): Entry[] => {
      if (!isMembers(element) || element.value === null || element.value === undefined) return [];
      return [[`${field.wire}${scalarText(element.id)}`, scalarText(element.value)]];
    });
  }
  if (typeof value === 'object' && !JSON.isRawJSON(value)) {
    throw new UsageError(`The record's ${field.read} is not a single value: give --${field.flag}.`);
  }
  const isNumber =
    typeof value === 'number' && (field.type.kind === 'id' || field.type.kind === 'integer' || field.type.kind === 'id-or-name');
  return [[field.wire, isNumber ? value : scalarText(value)]];
}

/**
 * The whole update body: the given values over the record's (interface: Leads, update "replaces all editable values"; other families
 * require fields on update). Throws UsageError for a value that can't be sent back.
 */
export function mergeBody(fields: readonly Field[], record: unknown, given: Body): Body {
  const body: Body = new Map();
  for (const field of fields) {
    if (field.sentWhenGiven && !given.has(field.wire)) continue;
    for (const [wire, value] of readBack(field, record)) body.set(wire, value);
    if (given.has(field.wire)) body.set(field.wire, given.get(field.wire) ?? '');
  }
  for (const [wire, value] of given) body.set(wire, value);
  return body;
}

/** Fields that can't be sent in an update, because the record lacks them and no value is given. The service may clear such fields. */
export const absentFields = (fields: readonly Field[], record: unknown, given: Body): Field[] =>
  fields.filter(
    ({ read, wire, sentWhenGiven }) => read !== undefined && !sentWhenGiven && !given.has(wire) && valueAt(record, read) === undefined,
  );

/** The body of a copy: the given values over the record's, and " (copy)" after the record's title. Blank values of the record are left out. */
export function completedBody(fields: readonly Field[], record: unknown, given: Body): Body {
  const held = fields.flatMap((field) => {
    const entries = readBack(field, record).filter(([, value]) => !isBlankGiven(value));
    return field.flag === 'title' ? entries.map(([wire, value]): Entry => [wire, `${value} (copy)`]) : entries;
  });
  return new Map([...held, ...given]);
}

/** The body without the fields that only a create takes. */
export function withoutCreateOnly({ createOnly = [] }: BodyShape, body: Body): Body {
  const wires = new Set(createOnly.flatMap((field) => [field.wire, ...wiresOf(field)]));
  return new Map([...body].filter(([wire]) => !wires.has(wire)));
}
