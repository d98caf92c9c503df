// Compares given values with a record: before a write, whether the record holds the values already; behind a write, what the record tells of
// the sent values. Pure.

import type { Body, BodyValue } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { valueAt } from '../../base/values/paths.ts';
import { isSameText } from '../../base/values/text/same-text.ts';
import type { Action, Field, ReplacedSet, Resource } from '../define.ts';
import { memberNamed } from '../members.ts';
import { valueHeld } from '../records/columns.ts';
import { isSameToTheLetter } from '../same.ts';
import { readBack } from './read-back.ts';
import { type Element, elementTexts, isSameSet } from './replaced-set.ts';

/** True when a record has all given values. */
export const holdsAll = (fields: readonly Field[], record: unknown, given: Body): boolean => notHeld(fields, record, given).length === 0;

/** The given values that a record doesn't have. A value of a field that doesn't read back is always returned. */
export function notHeld(fields: readonly Field[], record: unknown, given: Body): [wire: string, value: BodyValue][] {
  const asked = fieldsGiven(fields, given);
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
const fieldsGiven = (fields: readonly Field[], given: Body): Field[] =>
  fields.filter(({ read, wire, type }) => read !== undefined && (given.has(wire) || type.kind === 'numbered'));

/** The record's values of the given fields, by wire name. */
export function heldOf(fields: readonly Field[], record: unknown, given: Body): Record<string, string> {
  const held = fieldsGiven(fields, given)
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

/** Tells whether a record has the given values; undefined when the record lacks a member. Fields that don't read back aren't compared. */
export function tellsGiven(fields: readonly Field[], record: unknown, given: Body): boolean | undefined {
  const pathOf = (wire: string): string | undefined =>
    fields.find((field) => field.wire === wire || (field.type.kind === 'numbered' && wire.startsWith(field.wire)))?.read;
  const asked = [...given].filter(([wire]) => pathOf(wire) !== undefined);
  const told = asked.filter(([wire]) => valueHeld(record, pathOf(wire) ?? '') !== undefined);
  if (!holdsAll(fields, record, new Map(told))) return false;
  return told.length === asked.length ? true : undefined;
}

/** The path of the value that an action sets; undefined when records don't have the value. */
export function actionPath(resource: Resource, { value, reads }: Action): string | undefined {
  if (value === undefined) return reads?.path;
  // Action bodies use the name under which the value reads back (vendor facts: body keys of actions).
  const member = memberNamed(resource, value.wire);
  return member?.kind === 'relation' ? member.id : value.wire;
}

/** Tells whether a record has the action's value; undefined when the record doesn't have the member. */
export function tellsAction(resource: Resource, action: Action, body: Body | undefined, record: unknown): boolean | undefined {
  const { value, reads } = action;
  const path = actionPath(resource, action);
  if (path === undefined) return true;
  const held = valueHeld(record, path);
  const wanted = value === undefined ? (reads?.value ?? '') : valueText(body?.get(value.wire) ?? '');
  return held === undefined ? undefined : isSameText(scalarText(held), wanted);
}

/** Tells whether a record's set has just these elements; undefined when the record doesn't have the set. */
export function tellsSet(set: ReplacedSet, elements: readonly Element[], record: unknown): boolean | undefined {
  const texts = elementTexts(set, record);
  return texts === undefined ? undefined : isSameSet(texts, elements);
}
