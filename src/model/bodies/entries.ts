// Turns a value into body entries. Flags, cells, JSON and YAML all use these functions, so the same value means the same everywhere. Pure.

import { invalidValue } from '../../base/errors.ts';
import type { BodyValue } from '../../base/values/body.ts';
import { withoutExponent } from '../../base/values/decimal.ts';
import { parseJson, scalarText } from '../../base/values/json.ts';
import { parseNumbered, parseReference, parseValue } from '../../base/values/parse.ts';
import { isMembers } from '../../base/values/paths.ts';
import { withoutUnseen } from '../../base/values/text/unseen.ts';
import type { ValueType } from '../../base/values/value-type.ts';
import type { Field } from '../define.ts';
import { type BodyShape, neverChanged } from '../shape.ts';
import { fieldByFlag, type Naming, wireName, wirePart } from './names.ts';

export type Entry = [wire: string, value: BodyValue];

/** `send`: a blank value is sent empty, and clears the field. `skip`: a blank value is left out. */
export type Blanks = 'send' | 'skip';

/**
 * The body entries of a field's value. No entry for a switch that is off, and for null in custom fields and references. Throws
 * InvalidValues naming `where`.
 */
export function bodyEntries(field: Field, value: unknown, where: string, blanks: Blanks = 'send'): Entry[] {
  const { type, wire } = field;
  if (type.kind === 'switch') return isOn(type.sends, value, where) ? [[wire, type.sends]] : [];
  if (type.kind === 'numbered') return numberedEntries(wire, type.max, value, where, blanks);
  if (type.kind === 'reference') return referenceEntries(wire, type.types, value, where, blanks);
  return partEntries(wire, type, value, where, blanks);
}

/** The entry of a value with a single wire name. Throws InvalidValues naming `where`. */
export function partEntries(wire: string, type: ValueType, value: unknown, where: string, blanks: Blanks = 'send'): Entry[] {
  const part = partValue(type, value, where);
  return part === '' && blanks === 'skip' ? [] : [[wire, part]];
}

/** The value of a single wire name; '' for a blank value. Throws InvalidValues naming `where`. */
export function partValue(type: ValueType, value: unknown, where: string): BodyValue {
  const text = trimmed(type, textGiven(value, where));
  return text === '' ? '' : parseValue(type, text, where);
}

/**
 * The text without characters that nobody sees, and without blanks at its edges unless it is of the type `text`; an email without mailto: or
 * smtp:, quotes and angle brackets around it, a phone without tel:.
 */
export function trimmed(type: ValueType, text: string): string {
  const seen = withoutUnseen(text, type);
  if (type.kind === 'text') return type.form === 'phone' ? seen.replace(/^\s*(?:tel|callto):\s*/i, '') : seen;
  if (type.kind !== 'email') return seen.trim();
  const email = seen.trim().replace(/^(?:mailto|smtp):\s*/i, '');
  return (
    /^(?:<([^<>\s]+)>|"([^"\s]+)"|'([^'\s]+)')$/
      .exec(email)
      ?.slice(1)
      .find((one) => one !== undefined) ?? email
  );
}

/** True for undefined, null and a text of blanks and of characters that nobody sees. */
export const isBlankGiven = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && withoutUnseen(value).trim() === '');

/** The text of a scalar: digits as written, a number with an exponent by value, '' for null. Throws InvalidValues naming `where` for other values. */
export function textGiven(value: unknown, where: string): string {
  if (typeof value !== 'string' && (['boolean', 'symbol', 'function'].includes(typeof value) || Array.isArray(value) || isMembers(value)))
    throw invalidValue(where, 'give a text or a number.');
  const text = typeof value === 'string' ? value : withoutExponent(scalarText(value));
  if (text.isWellFormed()) return text;
  // UTF-8 can't encode half of a surrogate pair.
  const [half = ''] = /\p{Surrogate}/u.exec(text) ?? [];
  throw invalidValue(where, `it holds half of a character (\\u${half.charCodeAt(0).toString(16)}), which can't be sent.`);
}

const onWords = new Set(['true', 'yes', '1', 'on']);
const offWords = new Set(['false', 'no', '0', 'off', '']);

function isOn(sends: string, value: unknown, where: string): boolean {
  if (typeof value === 'boolean') return value;
  const word = textGiven(value, where).trim().toLowerCase();
  if (word === sends || onWords.has(word)) return true;
  if (offWords.has(word)) return false;
  throw invalidValue(where, `"${word}" is not yes or no.`);
}

/**
 * The entries of custom fields: `N=VALUE`, `{ N: value }`, `{ id, name, value }` as in records, a list of such values, or JSON text of any
 * of these forms.
 */
function numberedEntries(wire: string, max: number, value: unknown, where: string, blanks: Blanks): Entry[] {
  if (value === null || value === undefined || (blanks === 'skip' && isBlankGiven(value))) return [];
  if (Array.isArray(value)) return value.flatMap((one) => numberedEntries(wire, max, one, where, blanks));
  const numberedEntry = (number: string, one: unknown): Entry[] => {
    const parsed = parseNumbered(`${number}=${textGiven(one, where)}`, max, where);
    return parsed.value === '' && blanks === 'skip' ? [] : [[`${wire}${parsed.number}`, parsed.value]];
  };
  if (isMembers(value) && Object.hasOwn(value, 'id')) return numberedEntry(textGiven(value.id, where), value.value);
  if (isMembers(value)) return Object.entries(value).flatMap(([number, one]) => numberedEntry(number, one));
  const text = textGiven(value, where).trimStart();
  if (/^[[{]/.test(text)) return numberedEntries(wire, max, jsonOf(text, where), where, blanks);
  const { number, value: typed } = parseNumbered(text, max, where);
  return typed === '' && blanks === 'skip' ? [] : [[`${wire}${number}`, typed]];
}

function jsonOf(text: string, where: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw invalidValue(where, 'it is not valid JSON.');
  }
}

/** The entries of a reference: `TYPE:ID`, or `{ type, id }` as in records. No entries when both are null. */
function referenceEntries(wire: string, types: readonly string[], value: unknown, where: string, blanks: Blanks): Entry[] {
  const isNone = isMembers(value) ? isBlankGiven(value.type) && isBlankGiven(value.id) : value === null || value === undefined;
  if (isNone || (blanks === 'skip' && isBlankGiven(value))) return [];
  const text = isMembers(value) ? `${textGiven(value.type, where)}:${textGiven(value.id, where)}` : textGiven(value, where).trim();
  const { type, id } = parseReference(text, types, where);
  return [
    [`${wire}_type`, type],
    [`${wire}_id`, id ?? ''],
  ];
}

/**
 * The entry of a value by wire name. A declared name has its type checked; any other name is a custom field with a text. Throws
 * InvalidValues naming `where`, also for a flag's name: the service would ignore such a name and report success.
 */
export function wireEntries(
  shape: BodyShape,
  name: string,
  value: unknown,
  { where, named, blanks = 'send' }: { readonly where: string; readonly named: Naming; readonly blanks?: Blanks },
): Entry[] {
  const part = wirePart(shape, name);
  if (part === undefined) {
    refuseFlagName(shape, name, where, named);
    return [[name, textGiven(value, where)]];
  }
  if (part.type.kind === 'switch' && part.field !== undefined) return bodyEntries(part.field, value, where, blanks);
  return partEntries(part.wire, part.type, value, where, blanks);
}

function refuseFlagName({ fields, createOnly = [] }: BodyShape, name: string, where: string, named: Naming): void {
  const field = fieldByFlag(fields, name);
  if (field !== undefined) throw invalidValue(where, `its wire name is ${wireName(field)}. Use ${named(field)}.`);
  if (fieldByFlag(createOnly, name) !== undefined) throw invalidValue(where, neverChanged);
}
