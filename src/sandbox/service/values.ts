// Checks what a request sent against the fields that the resource declarations name, in the service's own words
// (vendor facts: 422 text). Every failing field is reported, each with one message.

import type { Field } from '../../resources/define.ts';
import { scalarText } from '../../values/json.ts';
import type { ValueType } from '../../values/value-type.ts';
import { isDecimal, money } from '../store/decimals.ts';
import { type FieldMessages, Refusal } from './service.ts';

/** A body or a query by wire name: texts from a form, anything from JSON. */
export type Values = Readonly<Record<string, unknown>>;

/** A checked value. `null` was sent empty; an absent one was not sent. */
export type CheckedValues = Record<string, string | number | null>;

/** Collects what is wrong with a request. */
export class Problems {
  readonly #messages: Record<string, string[]> = {};

  /** Keeps the first message about a field. */
  add(name: string, message: string): void {
    this.#messages[name] ??= [message];
  }

  has(name: string): boolean {
    return this.#messages[name] !== undefined;
  }

  /** The word of a relation to something that isn't there: `The selected lead status is invalid.` */
  addInvalid(name: string): void {
    this.add(name, `The selected ${words(name)} is invalid.`);
  }

  addRequired(name: string, when = ''): void {
    this.add(name, `The ${words(name)} field is required${when}.`);
  }

  /** Throws the 422 when there is anything to say (interface: Errors). */
  throwIfAny(): void {
    if (Object.keys(this.#messages).length > 0) throw invalid(this.#messages);
  }
}

/** The 422 (interface: Errors). */
export function invalid(errors: FieldMessages): Refusal {
  return new Refusal(422, 'The given data was invalid.', errors);
}

/** A wire name as messages say it: `lead_status` is "lead status". */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Whether a value counts as not given: absent, null, or nothing but blanks. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/**
 * The declared fields that the body of a create or an update holds. Ids and integers become numbers, decimals are money;
 * texts and dates stay byte for byte; empty becomes null. What references and custom fields send is left to their family.
 */
export function checkFields(fields: readonly Field[], body: Values, mode: 'create' | 'update', problems: Problems): CheckedValues {
  const checked: CheckedValues = {};
  for (const field of fields) {
    if (field.only !== undefined && field.only !== mode) continue;
    const value = body[field.wire];
    if (isBlank(value)) {
      if (field.required) problems.addRequired(field.wire);
      if (value !== undefined) checked[field.wire] = null;
      continue;
    }
    const result = checkValue(field.type, value);
    if (typeof result === 'object') problems.add(field.wire, result.problem(words(field.wire)));
    else checked[field.wire] = field.type.kind === 'decimal' ? (money(String(result)) ?? null) : result;
  }
  checkDateOrder(fields, checked, problems);
  return checked;
}

/** One value that must be given, of one type; undefined once a problem is noted. */
export function checkRequired(name: string, type: ValueType, body: Values, problems: Problems): string | number | undefined {
  if (isBlank(body[name])) {
    problems.addRequired(name);
    return undefined;
  }
  const result = checkValue(type, body[name]);
  if (typeof result !== 'object') return result;
  problems.add(name, result.problem(words(name)));
  return undefined;
}

/** What a value of a type is, or how to say what is wrong with it. */
export function checkValue(type: ValueType, value: unknown): string | number | { problem: (name: string) => string } {
  switch (type.kind) {
    case 'id':
    case 'integer':
      return wholeNumber(value) ?? { problem: (name) => `The ${name} must be an integer.` };
    case 'decimal':
      return decimal(value) ?? { problem: (name) => `The ${name} must be a number.` };
    case 'date':
      return isDate(value) ? value : { problem: (name) => `The ${name} is not a valid date.` };
    case 'email':
      return isEmail(value) ? value : { problem: (name) => `The ${name} must be a valid email address.` };
    case 'choice':
      return type.values.includes(value as string) ? (value as string) : { problem: (name) => `The selected ${name} is invalid.` };
    case 'id-or-name':
      return typeof value === 'number' || typeof value === 'string'
        ? scalarText(value)
        : { problem: (name) => `The ${name} must be a string.` };
    case 'switch':
      // Only the one value switches it on; whatever else is sent leaves it off.
      return scalarText(value);
    default:
      return typeof value === 'string' ? value : { problem: (name) => `The ${name} must be a string.` };
  }
}

/** A whole number in decimal digits, as a form or JSON sends it; undefined for anything else. */
export function wholeNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*-?\d{1,16}\s*$/.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

function decimal(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && !JSON.isRawJSON(value)) return undefined;
  const text = scalarText(value);
  return isDecimal(text) ? text : undefined;
}

/** A real day as YYYY-MM-DD. */
function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(value);
}

function isEmail(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 320 && /^[^\s@,;<>()[\]]+@[^\s@,;<>()[\]]+$/.test(value);
}

function checkDateOrder(fields: readonly Field[], checked: CheckedValues, problems: Problems): void {
  for (const field of fields) {
    const start = fields.find((other) => other.flag === field.notBefore);
    if (start === undefined) continue;
    checkNotBefore(field.wire, checked[field.wire], start.wire, checked[start.wire], problems);
  }
}

/** Notes a problem when both dates are known and `value` comes before `start` (interface: Limits). */
export function checkNotBefore(name: string, value: unknown, startName: string, start: unknown, problems: Problems): void {
  if (typeof value !== 'string' || typeof start !== 'string' || value >= start) return;
  problems.add(name, `The ${words(name)} must be a date after or equal to ${words(startName)}.`);
}
