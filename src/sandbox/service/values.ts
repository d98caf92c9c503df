// Checks the values of a request against the declared fields. Messages are the service's (vendor facts: 422 text); every wrong
// field gets one message.

import { scalarText } from '../../base/values/json.ts';
import { isDay } from '../../base/values/time/days.ts';
import type { ValueType } from '../../base/values/value-type.ts';
import type { Field } from '../../model/define.ts';
import { isDecimal, money } from '../store/decimals.ts';
import { Refusal } from './service.ts';

/** A body or a query by wire name: texts from a form, anything from JSON. */
export type WireValues = Readonly<Record<string, unknown>>;

/** Checked values by wire name. Null: the value was sent empty. Absent: the value was not sent. */
export type CheckedValues = Record<string, string | number | null>;

export class FieldProblems {
  readonly #messages: Record<string, string[]> = {};

  /** Adds a message about a field. Only the first one counts. */
  add(name: string, message: string): void {
    this.#messages[name] ??= [message];
  }

  has(name: string): boolean {
    return this.#messages[name] !== undefined;
  }

  /** Adds the message for an unknown id or word: `The selected lead status is invalid.` */
  addInvalid(name: string): void {
    this.add(name, `The selected ${spokenName(name)} is invalid.`);
  }

  addRequired(name: string, when = ''): void {
    this.add(name, `The ${spokenName(name)} field is required${when}.`);
  }

  /** Throws the 422 when there are problems (interface: Errors). */
  throwIfAny(): void {
    if (Object.keys(this.#messages).length > 0) throw new Refusal(422, 'The given data was invalid.', this.#messages);
  }
}

/** A wire name in messages: `lead_status` is "lead status". */
export function spokenName(name: string): string {
  return name.replaceAll('_', ' ');
}

/** True for an absent value, null, and a text of blanks. */
export function isUnfilled(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/**
 * The declared fields in the body of a create or an update. Ids and integers become numbers, decimals get two decimals, blank
 * values become null, other texts stay as sent. References and custom fields are left to their family.
 */
export function checkedFields(
  fields: readonly Field[],
  body: WireValues,
  mode: 'create' | 'update',
  problems: FieldProblems,
): CheckedValues {
  const checked: CheckedValues = {};
  for (const field of fields) {
    if (field.only !== undefined && field.only !== mode) continue;
    const value = body[field.wire];
    if (isUnfilled(value)) {
      if (field.required) problems.addRequired(field.wire);
      if (value !== undefined) checked[field.wire] = null;
      continue;
    }
    const result = checkValue(field.type, value);
    if (typeof result === 'object') problems.add(field.wire, result.problem(spokenName(field.wire)));
    else checked[field.wire] = field.type.kind === 'decimal' ? (money(String(result)) ?? null) : result;
  }
  for (const { wire, notBefore } of fields) {
    const start = fields.find(({ flag }) => flag === notBefore)?.wire;
    if (start !== undefined) checkNotBefore([wire, checked[wire]], [start, checked[start]], problems);
  }
  return checked;
}

/** The checked value of a required field. A missing or wrong value adds a problem, and gives undefined. */
export function checkRequired(name: string, type: ValueType, body: WireValues, problems: FieldProblems): string | number | undefined {
  if (isUnfilled(body[name])) {
    problems.addRequired(name);
    return undefined;
  }
  const result = checkValue(type, body[name]);
  if (typeof result !== 'object') return result;
  problems.add(name, result.problem(spokenName(name)));
  return undefined;
}

/** The checked value, or the message for a wrong value. */
export function checkValue(type: ValueType, value: unknown): string | number | { problem: (name: string) => string } {
  switch (type.kind) {
    case 'id':
    case 'integer':
      return sentInteger(value) ?? { problem: (name) => `The ${name} must be an integer.` };
    case 'decimal':
      return sentDecimal(value) ?? { problem: (name) => `The ${name} must be a number.` };
    case 'date':
      return typeof value === 'string' && isDay(value) ? value : { problem: (name) => `The ${name} is not a valid date.` };
    case 'email':
      return isEmail(value) ? value : { problem: (name) => `The ${name} must be a valid email address.` };
    case 'choice':
      return type.values.includes(value as string) ? (value as string) : { problem: (name) => `The selected ${name} is invalid.` };
    case 'id-or-name':
      return typeof value === 'number' || typeof value === 'string'
        ? scalarText(value)
        : { problem: (name) => `The ${name} must be a string.` };
    case 'switch':
      // Every value is accepted. Only the declared word (`yes`, `on`) switches something on.
      return scalarText(value);
    default:
      return typeof value === 'string' ? value : { problem: (name) => `The ${name} must be a string.` };
  }
}

/** A whole number, sent as a number or as decimal digits; undefined for any other value. */
export function sentInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*-?\d{1,16}\s*$/.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

function sentDecimal(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && !JSON.isRawJSON(value)) return undefined;
  const text = scalarText(value);
  return isDecimal(text) ? text : undefined;
}

function isEmail(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 320 && /^[^\s@,;<>()[\]]+@[^\s@,;<>()[\]]+$/.test(value);
}

/** Adds a problem when `value` and `start` are dates and `value` is earlier (interface: Limits). */
export function checkNotBefore(
  [name, value]: readonly [name: string, value: unknown],
  [startName, start]: readonly [name: string, value: unknown],
  problems: FieldProblems,
): void {
  if (typeof value !== 'string' || typeof start !== 'string' || value >= start) return;
  problems.add(name, `The ${spokenName(name)} must be a date after or equal to ${spokenName(startName)}.`);
}
