// The bodies of what can be done with a record that is there: actions, sets that are replaced, and operations that take from
// the record what isn't given. Their declarations are in resources/; commands and seed files send the same. Pure.

import { invalidValue } from '../errors.ts';
import type { Action, Field, Operation, ReplacedSet } from '../resources/define.ts';
import type { Body } from '../values/body.ts';
import { parseValue } from '../values/parse.ts';
import { checkCompleted, createBody, withOneOf } from './create-body.ts';
import { isBlank, textOf, trimmed } from './entries.ts';
import type { Named } from './names.ts';
import { completedBody, copyBack } from './read-back.ts';

/** The body of an action: its value, or none where it carries none. Throws InvalidValues naming `where`. */
export function actionBody({ value }: Action, given: unknown, where: string): Body | undefined {
  if (value !== undefined) return new Map([[value.wire, parseValue(value.type, trimmed(value.type, textOf(given, where)), where)]]);
  if (given === undefined || given === null || given === true) return undefined;
  throw invalidValue(where, 'it takes no value.');
}

/** One element of a set that is replaced. Throws InvalidValues naming `where`; `wayOut`: what to do in place of an empty one. */
export function setElement({ value: { name, type } }: ReplacedSet, given: unknown, where: string, wayOut = ''): string | number {
  const text = textOf(given, where);
  if (isBlank(text)) throw invalidValue(where, `a ${name} can't be empty${wayOut}.`);
  return parseValue(type, trimmed(type, text), where);
}

/** The body that replaces a set: each element once. */
export function setBody({ wire }: ReplacedSet, elements: readonly (string | number)[]): Body {
  return new Map([[wire, [...new Set(elements)] as string[] | number[]]]);
}

/** The body of an operation that carries one text. Throws InvalidValues naming `where`. */
export function textBody({ fields, makes }: Operation, given: unknown, where: string): Body {
  const text = textOf(given, where);
  if (isBlank(text)) throw invalidValue(where, `${makes} can't be empty.`);
  return new Map(fields.map(({ wire }) => [wire, text]));
}

/**
 * The convert body (interface: Leads, convert body): what isn't given is what the lead holds, unless that is blank.
 * Throws UsageError for what is in neither.
 */
export function conversionBody(conversion: Operation, lead: unknown, given: Body, named: Named): Body {
  return createBody(conversion, completedBody(conversion.fields, lead, given), named);
}

/** Whether a conversion is given all that it would take from the lead, which then need not be read. */
export const isWholeConversion = ({ fields }: Operation, given: Body): boolean =>
  fields.every(({ read, wire }) => read === undefined || given.has(wire));

/**
 * The body of a clone of which the service copies nothing by itself (interface: Proposals, clone body): what isn't given is what the
 * source holds, the title with " (copy)". `singular`: what the source is called. Throws UsageError for what is in neither.
 */
export function copyBody(clone: Operation, source: unknown, given: Body, named: Named, singular: string): Body {
  const { fields, oneOf } = clone;
  const choices = fields.filter(({ flag }) => oneOf?.flags.includes(flag));
  const isChosen = choices.some(({ wire }) => given.has(wire));
  const body: Body = new Map();
  for (const field of fields) {
    if (isChosen && choices.includes(field)) continue;
    for (const [wire, value] of copyBack(field, source)) body.set(wire, value);
  }
  for (const [wire, value] of given) body.set(wire, value);
  checkCompleted(clone, body, named, { singular, given });
  return withOneOf(clone, body);
}

/**
 * The body of a clone of which the service copies the rest (interface: Leads, clone body): of the source only what is required and isn't
 * given, the title with " (copy)". Throws UsageError for what is in neither.
 */
export function cloneBody(clone: Operation, source: unknown, given: Body, named: Named): Body {
  return createBody(clone, completedBody(requiredOf(clone), source, given, copyBack), named);
}

/** Whether such a clone is given all that it would take from the source, which then need not be read. */
export const isWholeClone = (clone: Operation, given: Body): boolean => requiredOf(clone).every(({ wire }) => given.has(wire));

const requiredOf = ({ fields }: Operation): Field[] => fields.filter(({ required }) => required);
