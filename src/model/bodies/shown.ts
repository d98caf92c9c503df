// Tells whether a record shows the values that a write sent, to the letter. Pure.

import type { Body } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import { isSameText } from '../../base/values/text/same-text.ts';
import type { Action, Field, ReplacedSet, Resource } from '../define.ts';
import { memberNamed } from '../members.ts';
import { valueHeld } from '../records/columns.ts';
import { holdsAll } from './held.ts';
import { type Element, elementText, isSameSet } from './replaced-set.ts';

/** True when values of a journal are the same to the letter: texts as texts, sets by their elements. */
export function areSameValues(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return isSameSet(one.map(notedKey), other.map(notedKey));
  if (!isMembers(one) || !isMembers(other)) return isSameText(notedKey(one), notedKey(other));
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => areSameValues(one[name], other[name]));
}

/** A value of a journal as text; an element of a set by its id, if the element has an id. */
const notedKey = (one: unknown): string => (isMembers(one) ? scalarText(one.id) || JSON.stringify(one) : scalarText(one));

/** True when a record has the given values; undefined when the record lacks a member. Fields that don't read back aren't compared. */
export function showsGiven(fields: readonly Field[], record: unknown, given: Body): boolean | undefined {
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

/** True when a record shows the action's value; undefined when the record doesn't have the member. */
export function showsAction(resource: Resource, action: Action, body: Body | undefined, record: unknown): boolean | undefined {
  const { value, reads } = action;
  const path = actionPath(resource, action);
  if (path === undefined) return true;
  const held = valueHeld(record, path);
  const wanted = value === undefined ? (reads?.value ?? '') : valueText(body?.get(value.wire) ?? '');
  return held === undefined ? undefined : isSameText(scalarText(held), wanted);
}

/** True when a record's set has just these elements; undefined when the record doesn't have the set. */
export function showsSet(set: ReplacedSet, elements: readonly Element[], record: unknown): boolean | undefined {
  const texts = elementTexts(set, record);
  return texts === undefined ? undefined : isSameSet(texts, elements);
}

/** The elements of a record's set as texts; an empty list for null, undefined when the record has no such array. */
export function elementTexts(set: ReplacedSet, record: unknown): string[] | undefined {
  const held = valueAt(record, set.read);
  if (held === null) return [];
  if (!Array.isArray(held)) return undefined;
  return held.map((one: unknown) => elementText(set, one));
}
