// Turns the values of a seed record into body entries: by flag, or by wire name for custom fields.

import { invalidValue, UsageError } from '../../base/errors.ts';
import type { Body } from '../../base/values/body.ts';
import { blankProblem, createBody } from '../../model/bodies/create-body.ts';
import { bodyEntries, type Entry, isBlankGiven, wireEntries } from '../../model/bodies/entries.ts';
import { asMember, fieldByFlag, fieldSuggestion } from '../../model/bodies/names.ts';
import type { Field, Resource } from '../../model/define.ts';
import { type BodyShape, createShape } from '../../model/shape.ts';
import type { Tree } from './file.ts';

/** The field of a name in a seed file, with hyphens or underscores. Throws UsageError with a suggestion. */
export function fieldNamed(fields: readonly Field[], name: string): Field {
  const field = fieldByFlag(fields, name);
  if (field !== undefined) return field;
  const meant = fieldSuggestion(fields, name) || ` There are ${fields.map(({ flag }) => flag).join(', ')}.`;
  throw new UsageError(`There is no "${name}" here.${meant}`);
}

/** The body entries of a value; no entries for null or a blank. Throws UsageError naming `where`, also for a blank in a required field. */
export function valueEntries(shape: BodyShape, field: Field, value: Tree, where: string): Entry[] {
  if (field.required && value !== null && isBlankGiven(value)) throw invalidValue(where, blankProblem(shape));
  return bodyEntries(field, value, where, 'skip');
}

/** The body entries of a value by wire name. Throws UsageError naming `where`. */
export function wireValueEntries(shape: BodyShape, wire: string, value: Tree, where: string): Entry[] {
  return wireEntries(shape, wire, value, { where, named: ({ flag }) => `set.${flag}`, blanks: 'skip' });
}

/** The create body of entries. Throws UsageError in the words of a seed file for missing or contradicting entries. */
export function createBodyOf(resource: Resource, entries: Iterable<Entry>): Body {
  return createBody(createShape(resource), entries, asMember);
}

/** The path at which records hold a flag's value, or a member written with hyphens. */
export function readPath(resource: Resource, member: string): string | undefined {
  const read = resource.fields.find(({ flag }) => flag === member.replaceAll('_', '-'))?.read;
  return read ?? resource.record.find((path) => path === member.replaceAll('-', '_'));
}
