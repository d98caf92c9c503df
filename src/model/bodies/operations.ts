// Builds the bodies of actions, replaced sets and operations. Commands and seed files use the same functions. Pure.

import { invalidValue } from '../../base/errors.ts';
import type { Body } from '../../base/values/body.ts';
import { parseValue } from '../../base/values/parse.ts';
import type { Action, Operation, ReplacedSet } from '../define.ts';
import { checkCompleted, withOneOf } from './create-body.ts';
import { isBlankGiven, textGiven, trimmed } from './entries.ts';
import type { Naming } from './names.ts';
import { completedBody } from './read-back.ts';

/** The body of an action with a value; undefined for an action without a value. Throws InvalidValues naming `where`. */
export function actionBody({ value }: Action, raw: unknown, where: string): Body | undefined {
  if (value !== undefined) return new Map([[value.wire, parseValue(value.type, trimmed(value.type, textGiven(raw, where)), where)]]);
  if (raw === undefined || raw === null || raw === true) return undefined;
  throw invalidValue(where, 'it takes no value.');
}

/** An element for a replaced set. Throws InvalidValues naming `where`; `wayOut` ends the message about an empty element. */
export function setElement({ value: { name, type } }: ReplacedSet, raw: unknown, where: string, wayOut = ''): string | number {
  const text = textGiven(raw, where);
  if (isBlankGiven(text)) throw invalidValue(where, `a ${name} can't be empty${wayOut}.`);
  return parseValue(type, trimmed(type, text), where);
}

/** The body that replaces a set, without repetitions. */
export function setBody({ wire }: ReplacedSet, elements: readonly (string | number)[]): Body {
  return new Map([[wire, [...new Set(elements)] as string[] | number[]]]);
}

/** The body of an operation with a single text. Throws InvalidValues naming `where`. */
export function textBody({ fields, makes }: Operation, raw: unknown, where: string): Body {
  const text = trimmed({ kind: 'text' }, textGiven(raw, where));
  if (isBlankGiven(text)) throw invalidValue(where, `${makes} can't be empty.`);
  return new Map(fields.map(({ wire }) => [wire, text]));
}

/** True when the given body has every value that the record could give: then no read is needed. */
export const isWhole = ({ fields }: Operation, given: Body): boolean =>
  fields.every(({ read, wire }) => read === undefined || given.has(wire));

/**
 * The whole body of an operation: the given values, then the record's values that are not blank. A title of the record gets " (copy)".
 * `singular` names the record. Throws UsageError for a required value that is neither given nor in the record.
 */
export function wholeBody(operation: Operation, record: unknown, given: Body, named: Naming, singular: string): Body {
  const { fields, oneOf } = operation;
  const choices = fields.filter(({ flag }) => oneOf?.flags.includes(flag));
  const isChosen = choices.some(({ wire }) => given.has(wire));
  const body = completedBody(isChosen ? fields.filter((field) => !choices.includes(field)) : fields, record, given);
  checkCompleted(operation, body, named, { singular, given });
  return withOneOf(operation, body);
}
