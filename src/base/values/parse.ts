// Parses and checks values that a user writes: dates, ids, money, choices. Flags, positional values and files all use these functions.

import { type InvalidValue, InvalidValues, invalidValue } from '../errors.ts';
import type { BodyValue } from './body.ts';
import { thousandsDoubt } from './decimal.ts';
import { nameNear } from './text/suggest.ts';
import { isDay } from './time/days.ts';
import type { ValueType } from './value-type.ts';

/** Runs every step and returns the results. Throws a single InvalidValues with the problems of all steps. */
export function together<T extends readonly unknown[]>(...steps: { readonly [K in keyof T]: () => T[K] }): T {
  const results: readonly unknown[] = togetherEach<() => unknown, unknown>(steps, (step) => step());
  return results as T;
}

/** Runs `step` for each thing, and throws as `together` does. */
export function togetherEach<T, R>(things: readonly T[], step: (thing: T) => R): R[] {
  const wrong: InvalidValue[][] = [];
  const results: R[] = [];
  for (const thing of things) {
    try {
      results.push(step(thing));
    } catch (error) {
      if (!(error instanceof InvalidValues)) throw error;
      wrong.push([...error.values]);
    }
  }
  if (wrong.length > 0) throw new InvalidValues(wrong.flat());
  return results;
}

/** An id: a number when a float holds it exactly, else its digits. */
export type Id = number | string;

/** A record id: a positive integer (interface: conventions, 5). Throws UsageError naming `where`. */
export function parseId(raw: string, where: string): Id {
  if (!/^0*[1-9][0-9]*$/.test(raw)) throw invalidValue(where, `"${raw}" is not an id, a whole number above 0.`);
  const id = Number(raw);
  return Number.isSafeInteger(id) ? id : raw.replace(/^0+/, '');
}

/** An id from a text that the program stored: a number up to 15 digits, else the text. */
export const storedId = (text: string): Id => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : text);

/** A whole number, 0 or more. Throws UsageError naming `where`; `what` is the expected kind of value in the message. */
export function parseInteger(raw: string, where: string, what = 'a whole number'): number {
  const value = Number(raw);
  if (!/^[0-9]+$/.test(raw) || !Number.isSafeInteger(value)) throw invalidValue(where, `"${raw}" is not ${what}.`);
  return value;
}

/** A count of 1 or more. Throws UsageError naming `where`. */
export function parseCount(raw: string, where: string): number {
  const what = 'a whole number above 0';
  const value = parseInteger(raw, where, what);
  if (value < 1) throw invalidValue(where, `"${raw}" is not ${what}.`);
  return value;
}

function checkDecimal(raw: string, where: string): string {
  if (/^-?\d+(\.\d+)?$/.test(raw)) return raw;
  const percent = raw.endsWith('%') ? ' Only a flag of update takes a percent, with its sign: +3% or -12.5%.' : '';
  const [, whole = '', decimals = ''] = /^(-?\d+|-?\d{1,3}(?:[. '’]\d{3})+),(\d{1,2}|\d{4,})$/.exec(raw) ?? [];
  const meant = whole === '' ? '' : ` Write ${whole.replaceAll(/[^\d-]/g, '')}.${decimals}.`;
  throw invalidValue(where, `"${raw}" is not a decimal number such as 1250.00.${percent}${meant}`);
}

/** Throws InvalidValues naming `where` for a typed decimal that could be thousands: `145.000`. */
export function refuseDoubtful({ kind }: ValueType, raw: string, where: string): void {
  const doubt = kind === 'decimal' ? thousandsDoubt(raw) : undefined;
  if (doubt !== undefined) throw invalidValue(where, `${doubt}.`);
}

function checkDate(raw: string, where: string): string {
  if (!isDay(raw)) {
    // Only flags take such words: in a file, `today` would mean another day each time the file is read.
    const words = /^--(where |\S+$)/.test(where) ? ', or today, yesterday, tomorrow, -30d, +2w (d w m y)' : '';
    const what = /^\d{4}-\d{2}-\d{2}$/.test(raw) ? 'a day of the calendar, written YYYY-MM-DD' : 'a day written YYYY-MM-DD';
    throw invalidValue(where, `"${raw}" is not ${what}${words}.`);
  }
  return raw;
}

// A loose check: the service decides which addresses are valid, and some aren't ASCII.
function checkEmail(raw: string, where: string): string {
  if (/^[^\s@]+@[^\s@]+$/u.test(raw)) return raw;
  const several = raw.split(/[\s;,:|/]+/);
  const isList = several.length > 1 && several.every((one) => one.includes('@'));
  throw invalidValue(where, isList ? `"${raw}" is several email addresses: give one.` : `"${raw}" is not an email address.`);
}

/** One of the allowed words. Throws UsageError naming `where`, the words, and a suggestion. */
export function checkChoice<T extends string>(raw: string, values: readonly T[], where: string): T {
  const found = values.find((value) => value === raw);
  if (found !== undefined) return found;
  throw invalidValue(where, `"${raw}" is not one of ${values.join(', ')}.${meantWord(raw, values)}`);
}

/** ` Did you mean accepted?` */
function meantWord(raw: string, words: readonly string[]): string {
  const meant = words.includes(raw) ? undefined : nameNear(raw.toLowerCase(), words);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

/**
 * The value for a request body or query: a number for ids and integers, else a string (money stays as typed). Throws
 * UsageError naming `where`: `--start`, `line 4, column Start`.
 */
export function parseValue(type: ValueType, raw: string, where: string): string | number {
  switch (type.kind) {
    case 'id':
      return parseId(raw, where);
    case 'integer':
      return parseInteger(raw, where, 'a whole number from 0');
    case 'decimal':
      return checkDecimal(raw, where);
    case 'date':
      return checkDate(raw, where);
    case 'email':
      return checkEmail(raw, where);
    case 'choice':
      return checkChoice(raw, type.values, where);
    case 'id-or-name':
      return checkIdOrName(raw, where);
    default:
      return raw;
  }
}

function checkIdOrName(raw: string, where: string): string | number {
  if (/^\d+$/.test(raw)) return parseId(raw, where);
  if (raw.trim() === '') throw invalidValue(where, `give an id or a name.`);
  return raw;
}

/** Parses `TYPE:ID`, or `TYPE` alone when `idOptional`. Throws UsageError naming `where`. */
export function parseReference(raw: string, types: readonly string[], where: string, idOptional = false): { type: string; id?: Id } {
  const colon = raw.indexOf(':');
  const type = colon < 0 ? raw : raw.slice(0, colon);
  if (!types.includes(type) || (colon < 0 && !idOptional)) {
    const form = idOptional ? 'TYPE or TYPE:ID' : 'TYPE:ID';
    throw invalidValue(where, `"${raw}" is not ${form} with a type of ${types.join(', ')}.${meantWord(type, types)}`);
  }
  return colon < 0 ? { type } : { type, id: parseId(raw.slice(colon + 1), where) };
}

/** Parses `N=VALUE` with N from 1 to `max`. Throws UsageError naming `where`. */
export function parseNumbered(raw: string, max: number, where: string): { number: number; value: string } {
  const match = /^(\d{1,3})=(.*)$/s.exec(raw);
  const number = Number(match?.[1]);
  if (match === null || number < 1 || number > max) throw invalidValue(where, `"${raw}" is not N=VALUE with N from 1 to ${max}.`);
  return { number, value: match[2] ?? '' };
}

/** The placeholder of a value in the help: `id|name`. Undefined for a flag without a value. */
export function placeholder(type: ValueType): string | undefined {
  switch (type.kind) {
    case 'switch':
      return undefined;
    case 'choice':
      return type.values.length <= 6 ? type.values.join('|') : 'value';
    case 'id':
      return type.of === undefined ? 'id' : 'id|name';
    case 'id-or-name':
      return 'id|name';
    case 'reference':
      return 'type:id';
    case 'numbered':
      return 'n=value';
    case 'integer':
      return 'n';
    default:
      return type.kind;
  }
}

/** A body value as text for messages and form fields: the elements of a list with commas. */
export const valueText = (value: BodyValue): string => (typeof value === 'object' ? value.join(', ') : String(value));

/** True for a text that is read as an id. For a name that is a number the user writes `name:2024`. */
export const isNumeral = (text: string): boolean => /^[-+]?\d[\d.,]*$/.test(text.trim());
