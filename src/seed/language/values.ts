// What a seed record sets, as body entries by the family's declaration: flag names, and wire names for custom fields.

import { checkOrder, fieldEntries, requireFields, withOneOf } from '../../bodies/body.ts';
import { type BodyShape, createShape } from '../../bodies/shapes.ts';
import { UsageError } from '../../errors.ts';
import type { Field, Resource } from '../../resources/define.ts';
import type { Body, BodyValue } from '../../values/body.ts';
import { suggestion } from '../../values/suggest.ts';
import type { Tree } from './file.ts';

type Entry = [wire: string, value: BodyValue];

/** The field that a name of a seed file means, hyphens or underscores. Throws UsageError with what it may have meant. */
export function fieldNamed(fields: readonly Field[], name: string): Field {
  const plain = name.replaceAll('_', '-');
  const field = fields.find(({ flag }) => flag === plain);
  if (field !== undefined) return field;
  const flags = fields.map(({ flag }) => flag);
  const byWire = fields.filter(({ wire }) => wire === name).map(({ flag }) => flag);
  throw new UsageError(`There is no "${name}" here.${suggestion(byWire[0] ?? name, flags)}`);
}

/** The body entries of one value; null leaves it out. Throws UsageError naming `where`. */
export function valueEntries(field: Field, value: Tree, where: string): Entry[] {
  const { type } = field;
  if (value === null) return [];
  if (field.required && typeof value === 'string' && value.trim() === '') throw new UsageError(`${where}: It can't be empty.`);
  if (type.kind === 'switch') return isOn(value, type.sends, where) ? fieldEntries(field, '', where) : [];
  if (type.kind === 'numbered' && isBranch(value)) {
    return Object.entries(value).flatMap(([number, one]) => fieldEntries(field, `${number}=${textOf(one, where)}`, where));
  }
  if (type.kind === 'numbered' && Array.isArray(value)) return value.flatMap((one: Tree) => fieldEntries(field, textOf(one, where), where));
  if (type.kind === 'reference' && isBranch(value)) {
    return fieldEntries(field, `${textOf(value.type ?? '', where)}:${textOf(value.id ?? '', where)}`, where);
  }
  return fieldEntries(field, textOf(value, where), where);
}

const isBranch = (value: Tree): value is { readonly [name: string]: Tree } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isOn(value: Tree, sends: string, where: string): boolean {
  if (value === true || value === sends || value === 'yes') return true;
  if (value === false || value === 'no') return false;
  throw new UsageError(`${where}: Give true or false.`);
}

/** A single value. Throws UsageError naming `where`. */
export function textOf(value: Tree, where: string): string {
  if (typeof value === 'string') return value;
  throw new UsageError(`${where}: Give a text or a number.`);
}

/** The create body out of entries. Throws UsageError in the words of a seed file when something is missing or contradicts. */
export function createBodyOf(resource: Resource, entries: Iterable<Entry>): Body {
  return bodyOf(createShape(resource), entries);
}

/** The body of one operation. Throws UsageError as `createBodyOf` does. */
export function bodyOf(shape: BodyShape, entries: Iterable<Entry>): Body {
  const given: Body = new Map(entries);
  try {
    requireFields(shape.fields, given);
    const body = withOneOf(shape, given);
    checkOrder(shape.fields, body);
    return body;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message.replace(/--(?=[a-z])/g, ''));
  }
}
