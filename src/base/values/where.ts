// Parses a condition of --where, and tests values against the condition by their type. Pure.

import { invalidValue } from '../errors.ts';
import { compareDecimals, type Decimal, parseDecimal } from './decimal.ts';
import { scalarText } from './json.ts';
import { checkChoice, parseReference, parseValue, refuseDoubtful } from './parse.ts';
import { isMembers } from './paths.ts';
import { caseless } from './text/caseless.ts';
import { withoutUnseen } from './text/unseen.ts';
import { dayHeld, dayNamed, dayOf, englishMonths, momentHeld } from './time/days.ts';
import type { ValueType } from './value-type.ts';

export interface Condition {
  readonly text: string;
  readonly field: string;
  /** `no` and `has` test whether there is a value. */
  readonly operator: '=' | '!=' | '~' | 'no' | 'has';
  /** The text after the operator; empty for `no` and `has`. */
  readonly value: string;
}

/** True when a value meets a condition. Undefined when the value is missing or can't be compared. */
export type Test = (value: unknown) => boolean | undefined;

/** The forms of a condition, for messages and help. */
export const conditionForms = ['FIELD=VALUE', 'FIELD!=VALUE', 'FIELD~TEXT', 'FIELD=FROM..TO', 'no:FIELD', 'has:FIELD'] as const;
const forms = `${conditionForms.slice(0, -1).join(', ')} or ${conditionForms.at(-1)}`;

/**
 * Parses a condition. Throws InvalidValues for another text, and when the value is missing.
 *
 * | text             | field    | operator | value      |
 * | ---------------- | -------- | -------- | ---------- |
 * | `value=100..200` | `value`  | `=`      | `100..200` |
 * | `source!=Web`    | `source` | `!=`     | `Web`      |
 * | `title~pilot`    | `title`  | `~`      | `pilot`    |
 * | `no:email`       | `email`  | `no`     |            |
 */
export function parseCondition(text: string): Condition {
  const [, presence, bare = ''] = /^(no|has):(.*)$/s.exec(text) ?? [];
  if (presence === 'no' || presence === 'has') {
    if (bare.trim() === '' || /[=~]/.test(bare)) throw invalidValue('--where', `"${text}": write only a field after ${presence}:`);
    return { text, field: bare, operator: presence, value: '' };
  }
  const [, field = '', operator, value = ''] = /^([^=~]*?)(!=|=|~)(.*)$/s.exec(text) ?? [];
  if (/^[^=~]*[<>]/.test(text)) throw invalidValue('--where', `"${text}": a range is written FIELD=100.., FIELD=..200 or FIELD=100..200.`);
  if (operator === undefined || field.trim() === '') throw invalidValue('--where', `"${text}" is not ${forms}.`);
  if (/^[=~]/.test(value)) throw invalidValue('--where', `"${text}": the operators are =, != and ~.`);
  if (value.trim() === '') {
    const instead = operator === '!=' ? `has:${field} finds records with a value` : `no:${field} finds records without a value`;
    throw invalidValue('--where', `"${text}": the value after ${operator} is missing (${instead}).`);
  }
  return { text, field, operator: operator as Condition['operator'], value };
}

/**
 * The test of a condition for values of a type; without a type, each value is compared by its own kind. An array passes when an element
 * passes; with `!=`, when no element is equal. Words such as -30d count from `now`. Throws InvalidValues naming `where` for a value that
 * doesn't suit the type. Without a type, the test itself throws, at the first value.
 */
export function testOf({ operator, value }: Condition, type: ValueType | undefined, where: string, now: Date): Test {
  if (operator === 'no') return (held) => isBlankHeld(held);
  if (operator === 'has') return (held) => not(isBlankHeld(held));
  const wanted = withoutUnseen(value, type);
  if (operator === '~') return anyElement(partTest(wanted, type, where));
  const meant = anyElement(type === undefined ? untypedTest(wanted, where) : equalTest(wanted, type, where, now));
  const equal: Test = type?.kind === 'date' && never.test(wanted) ? (held) => isBlankHeld(held) === true || meant(held) : meant;
  return operator === '=' ? equal : (held) => not(equal(held));
}

const not = (verdict: boolean | undefined): boolean | undefined => (verdict === undefined ? undefined : !verdict);

/** True for null, a text of blanks, and an array or object whose values are all blank. Undefined for a missing value. */
function isBlankHeld(value: unknown): boolean | undefined {
  if (value === undefined) return undefined;
  if (value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.every((element) => isBlankHeld(element) === true);
  return isMembers(value) && Object.values(value).every((member) => isBlankHeld(member) === true);
}

/** Turns a test of single values into a test that also takes arrays. Null and an empty array never pass. */
function anyElement(test: Test): Test {
  const passes: Test = (element) => (element === null ? false : element === undefined ? undefined : test(element));
  return (held) => {
    if (!Array.isArray(held)) return passes(held);
    let verdict: boolean | undefined = false;
    for (const element of held.flat(Number.POSITIVE_INFINITY)) {
      const one = passes(element);
      if (one === true) return true;
      if (one === undefined) verdict = undefined;
    }
    return verdict;
  };
}

const kindWords: Partial<Record<ValueType['kind'], string>> = {
  id: 'an id',
  'id-or-name': 'an id',
  integer: 'a number',
  decimal: 'a number',
  date: 'a date',
  reference: 'a reference',
};

function partTest(part: string, type: ValueType | undefined, where: string): Test {
  const other = type === undefined ? undefined : kindWords[type.kind];
  const refusal = (kind: string): Error => invalidValue(where, `~ looks for a part of a text, and this is ${kind}: write = instead.`);
  if (other !== undefined) throw refusal(other);
  const wanted = caseless(part);
  return (held) => {
    if (typeof held === 'string') return caseless(withoutUnseen(held, type)).includes(wanted);
    if (typeof held === 'object' && !JSON.isRawJSON(held)) return undefined;
    throw refusal(typeof held === 'boolean' ? 'true or false' : 'a number');
  };
}

function equalTest(value: string, type: ValueType, where: string, now: Date): Test {
  switch (type.kind) {
    case 'id':
    case 'id-or-name':
      return numberTest(value, { kind: 'id' }, where);
    case 'integer':
    case 'decimal':
      return numberTest(value, type, where);
    case 'date':
      return type.time === undefined ? dayTest(value, where, now) : momentTest(value, where, now);
    case 'choice':
      return choiceTest(checkChoice(value, type.values, where), type.values);
    case 'reference':
      return referenceTest(parseReference(value, type.types, where, true), where);
    default:
      return textTest(value, type, where);
  }
}

/** For true and false, 1 and 0 count too: some services send them. */
function choiceTest(wanted: string, words: readonly string[]): Test {
  if (words.includes('true')) {
    return (held) => {
      const truth = truths.get(caseless(scalarText(held)));
      return truth === undefined ? undefined : truth === wanted;
    };
  }
  const word = caseless(wanted);
  return (held) => (typeof held === 'string' ? caseless(held) === word : undefined);
}

const truths: ReadonlyMap<string, string> = new Map([
  ['TRUE', 'true'],
  ['1', 'true'],
  ['FALSE', 'false'],
  ['0', 'false'],
]);

/** A reference with null for both type and id doesn't pass. */
function referenceTest({ type, id }: ReturnType<typeof parseReference>, where: string): Test {
  const sameId = id === undefined ? () => true : numberTest(String(id), { kind: 'id' }, where);
  return (held) => {
    if (!isMembers(held)) return undefined;
    if (held.type === null && (held.id ?? null) === null) return false;
    if (typeof held.type !== 'string') return undefined;
    return caseless(held.type) === caseless(type) && sameId(held.id);
  };
}

function untypedTest(value: string, where: string): Test {
  let number: Test | undefined;
  let truth: Test | undefined;
  let text: Test | undefined;
  return (held) => {
    if (typeof held === 'number' || JSON.isRawJSON(held)) {
      number ??= numberTest(value, { kind: 'decimal' }, where);
      return number(held);
    }
    if (typeof held === 'boolean') {
      truth ??= equalTest(value, { kind: 'choice', values: ['true', 'false'] }, where, new Date());
      return truth(held);
    }
    text ??= textTest(value, undefined, where);
    return text(held);
  };
}

/** A range with both its ends; an open end is undefined. */
interface Range<T> {
  readonly from: T | undefined;
  readonly to: T | undefined;
}

/**
 * The range in `A..B`, `A..` or `..B`; a single value is the range `A..A`. Throws InvalidValues for `..` alone, and when A is
 * greater than B.
 */
function rangeOf<T>(text: string, where: string, read: (end: string) => T, compare: (a: T, b: T) => number): Range<T> {
  const [, first, last] = /^(.*?)\.\.(.*)$/s.exec(text) ?? [];
  if (first === undefined || last === undefined) {
    const one = read(text);
    return { from: one, to: one };
  }
  if (first === '' && last === '') throw invalidValue(where, `"${text}" is a range without ends.`);
  const [from, to] = [first, last].map((end) => (end === '' ? undefined : read(end)));
  if (from !== undefined && to !== undefined && compare(from, to) > 0) throw invalidValue(where, `"${text}" ends before it begins.`);
  return { from, to };
}

function isWithin<T>(value: T, { from, to }: Range<T>, compare: (a: T, b: T) => number): boolean {
  return (from === undefined || compare(from, value) <= 0) && (to === undefined || compare(value, to) <= 0);
}

function numberTest(value: string, type: ValueType, where: string): Test {
  const readNumber = (end: string): Decimal => {
    refuseDoubtful(type, end, where);
    const number = parseDecimal(String(parseValue(type, end, where)));
    if (number === undefined) throw invalidValue(where, `"${end}" has more digits than can be compared.`);
    return number;
  };
  const range = rangeOf(value, where, readNumber, compareDecimals);
  return (held) => {
    const number = isMembers(held) ? undefined : parseDecimal(scalarText(held));
    return number === undefined ? undefined : isWithin(number, range, compareDecimals);
  };
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The word `never`, which finds records without a day: alone, or before a range. */
const never = /^never(?=\.\.|$)/;

/** `2026-10` becomes `2026-10-01..2026-10-31`. */
function inDays(range: string): string {
  const lastDay = (year: string, month: string): number => new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return range
    .replace(/^(\d{4})-(0[1-9]|1[0-2])$/, '$1-$2..$1-$2')
    .replace(/^(\d{4}-(?:0[1-9]|1[0-2]))(?=\.\.)/, '$1-01')
    .replace(/(?<=\.\.)(\d{4})-(0[1-9]|1[0-2])$/, (month, year: string, number: string) => `${month}-${lastDay(year, number)}`);
}

function dayTest(value: string, where: string, now: Date): Test {
  const readDay = (end: string): string => {
    const named = dayNamed(end);
    if (named === '') throw invalidValue(where, `"${end}": ${englishMonths}`);
    return String(parseValue({ kind: 'date' }, named ?? dayOf(end, now), where));
  };
  const days = value.replace(never, '');
  const range = days === '' ? undefined : rangeOf(inDays(days), where, readDay, compareTexts);
  return (held) => {
    const day = typeof held === 'string' ? dayHeld(held) : undefined;
    return day === undefined ? undefined : range !== undefined && isWithin(day, range, compareTexts);
  };
}

/** A moment: a day and a time with its zone. */
const moment = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;
const isTimed = (end: string): boolean => /\d[T ]\d/.test(end);

function momentTest(value: string, where: string, now: Date): Test {
  const [from = '', to = from] = value.replace(never, '').toUpperCase().split('..');
  if (!isTimed(from) && !isTimed(to)) return dayTest(value, where, now);
  const [first, last] = [from, to].map((end) => (isTimed(end) ? momentOf(end.trim(), where) : undefined));
  if (first !== undefined && last !== undefined && first > last) throw invalidValue(where, `"${value}" ends before it begins.`);
  const days = [from, to].map((end) => (isTimed(end) ? '' : end)).join('..');
  const isOnDay: Test = days === '..' ? () => true : dayTest(days, where, now);
  return (held) => {
    const time = typeof held === 'string' ? momentHeld(held)?.time?.getTime() : undefined;
    return time === undefined ? undefined : isWithin(time, { from: first, to: last }, (a, b) => a - b) && isOnDay(held);
  };
}

/** In milliseconds. */
function momentOf(text: string, where: string): number {
  const time = moment.test(text) ? momentHeld(text)?.time?.getTime() : undefined;
  if (time === undefined || Number.isNaN(time))
    throw invalidValue(where, `"${text}" is not a moment with its zone, such as 2026-11-26T22:42:00Z.`);
  return time;
}

/** A text that looks like a range of numbers or dates. */
const rangeLike = /^(?:[+-]?\d[\d.-]*[dwmy]?)?\.\.(?:[+-]?\d[\d.-]*[dwmy]?)?$/;

function textTest(value: string, type: ValueType | undefined, where: string): Test {
  if (rangeLike.test(value))
    throw invalidValue(where, `"${value}" is a range, but this field is a text. Ranges are for numbers and dates.`);
  const wanted = caseless(value);
  return (held) => (isMembers(held) ? undefined : caseless(withoutUnseen(scalarText(held), type)) === wanted);
}
