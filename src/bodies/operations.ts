// The bodies of what can be done with a record that is there: actions, sets that are replaced, and operations that take from
// the record what isn't given. Their declarations are in resources/; commands and seed files send the same. Pure.

import { invalidValue } from '../errors.ts';
import type { Action, Operation, ReplacedSet } from '../resources/define.ts';
import type { Body } from '../values/body.ts';
import { parseValue } from '../values/parse.ts';
import { checkCompleted, withOneOf } from './create-body.ts';
import { isBlank, textOf, trimmed } from './entries.ts';
import type { Naming } from './names.ts';
import { completedBody } from './read-back.ts';

/** The body of an action: its value, or none where it carries none. Throws InvalidValues naming `where`. */
export function actionBody({ value }: Action, raw: unknown, where: string): Body | undefined {
  if (value !== undefined) return new Map([[value.wire, parseValue(value.type, trimmed(value.type, textOf(raw, where)), where)]]);
  if (raw === undefined || raw === null || raw === true) return undefined;
  throw invalidValue(where, 'it takes no value.');
}

/** One element of a set that is replaced. Throws InvalidValues naming `where`; `wayOut`: what to do in place of an empty one. */
export function setElement({ value: { name, type } }: ReplacedSet, raw: unknown, where: string, wayOut = ''): string | number {
  const text = textOf(raw, where);
  if (isBlank(text)) throw invalidValue(where, `a ${name} can't be empty${wayOut}.`);
  return parseValue(type, trimmed(type, text), where);
}

/** The body that replaces a set: each element once. */
export function setBody({ wire }: ReplacedSet, elements: readonly (string | number)[]): Body {
  return new Map([[wire, [...new Set(elements)] as string[] | number[]]]);
}

/** The body of an operation that carries one text. Throws InvalidValues naming `where`. */
export function textBody({ fields, makes }: Operation, raw: unknown, where: string): Body {
  const text = textOf(raw, where);
  if (isBlank(text)) throw invalidValue(where, `${makes} can't be empty.`);
  return new Map(fields.map(({ wire }) => [wire, text]));
}

/** Whether an operation is given all that it would take from the record, which then need not be read. */
export const isWhole = ({ fields }: Operation, given: Body): boolean =>
  fields.every(({ read, wire }) => read === undefined || given.has(wire));

/**
 * The whole body of an operation: what isn't given is what the record holds, unless that is blank; a title of it gets " (copy)".
 * `singular`: what the record is called. Throws UsageError for what is required and in neither.
 */
export function wholeBody(operation: Operation, record: unknown, given: Body, named: Naming, singular: string): Body {
  const { fields, oneOf } = operation;
  const choices = fields.filter(({ flag }) => oneOf?.flags.includes(flag));
  const isChosen = choices.some(({ wire }) => given.has(wire));
  const body = completedBody(isChosen ? fields.filter((field) => !choices.includes(field)) : fields, record, given);
  checkCompleted(operation, body, named, { singular, given });
  return withOneOf(operation, body);
}
