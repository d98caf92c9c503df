// One condition of --where: what it says, and whether a value fulfils it, by the value's type. Pure.

import { invalidValue } from '../errors.ts';
import { compareDecimals, type Decimal, parseDecimal } from './decimal.ts';
import { scalarText } from './json.ts';
import { checkChoice, parseReference, parseValue, refuseDoubtful } from './parse.ts';
import { isMembers } from './paths.ts';
import { dayHeld, dayOf } from './time/days.ts';
import type { ValueType } from './value-type.ts';

export interface Condition {
  /** As it was typed. */
  readonly text: string;
  readonly field: string;
  /** `no` and `has`: whether there is a value at all. */
  readonly operator: '=' | '!=' | '~' | 'no' | 'has';
  /** What stands behind the operator; nothing after `no:` and `has:`. */
  readonly value: string;
}

/** Whether a value fulfils a condition; undefined where it can't be compared, or isn't there at all. */
export type Test = (value: unknown) => boolean | undefined;

/** How a condition may be written. */
export const conditionForms = ['FIELD=VALUE', 'FIELD!=VALUE', 'FIELD~TEXT', 'FIELD=FROM..TO', 'no:FIELD', 'has:FIELD'] as const;
const forms = `${conditionForms.slice(0, -1).join(', ')} or ${conditionForms.at(-1)}`;

/** Takes a condition apart. Throws InvalidValues for what is none, or has nothing behind its operator. */
export function parseCondition(text: string): Condition {
  const [, presence, bare = ''] = /^(no|has):(.*)$/s.exec(text) ?? [];
  if (presence === 'no' || presence === 'has') {
    if (bare.trim() === '' || /[=~]/.test(bare)) throw invalidValue('--where', `"${text}": after ${presence}: stands a field alone.`);
    return { text, field: bare, operator: presence, value: '' };
  }
  const [, field = '', operator, value = ''] = /^([^=~]*?)(!=|=|~)(.*)$/s.exec(text) ?? [];
  if (/^[^=~]*[<>]/.test(text)) throw invalidValue('--where', `"${text}": a range is written FIELD=100.., FIELD=..200 or FIELD=100..200.`);
  if (operator === undefined || field.trim() === '') throw invalidValue('--where', `"${text}" is not ${forms}.`);
  if (/^[=~]/.test(value)) throw invalidValue('--where', `"${text}": the operators are =, != and ~.`);
  if (value.trim() === '') {
    const instead = operator === '!=' ? `has:${field} finds what has one` : `no:${field} finds what has none`;
    throw invalidValue('--where', `"${text}": nothing stands behind the ${operator} (${instead}).`);
  }
  return { text, field, operator: operator as Condition['operator'], value };
}

/**
 * How values of a type are compared; without a type, each by what it is itself. Of an array it is enough that one element is meant, and
 * `!=` means that none is. `now` is what words such as -30d count from. Throws InvalidValues naming `where`, here or, without a type, with
 * the first value, for what the type can't be compared with.
 */
export function testOf({ operator, value }: Condition, type: ValueType | undefined, where: string, now: Date): Test {
  if (operator === 'no') return (held) => isBlank(held);
  if (operator === 'has') return (held) => not(isBlank(held));
  if (operator === '~') return anyElement(containing(value, type, where));
  const meant = anyElement(type === undefined ? byItself(value, where) : equalling(value, type, where, now));
  const equal: Test = type?.kind === 'date' && never.test(value) ? (held) => isBlank(held) === true || meant(held) : meant;
  return operator === '=' ? equal : (held) => not(equal(held));
}

const not = (verdict: boolean | undefined): boolean | undefined => (verdict === undefined ? undefined : !verdict);

/** Whether there is no value: null, a text of nothing but blanks, an array or an object that holds none. */
function isBlank(value: unknown): boolean | undefined {
  if (value === undefined) return undefined;
  if (value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.every((element) => isBlank(element) === true);
  return isMembers(value) && Object.values(value).every((member) => isBlank(member) === true);
}

/** A test of single values for arrays too; nothing fulfils none. */
function anyElement(test: Test): Test {
  return (held) => {
    let verdict: boolean | undefined = false;
    for (const element of Array.isArray(held) ? held.flat(Number.POSITIVE_INFINITY) : [held]) {
      const one = element === null ? false : element === undefined ? undefined : test(element);
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

function containing(part: string, type: ValueType | undefined, where: string): Test {
  const other = type === undefined ? undefined : kindWords[type.kind];
  const refusal = (kind: string): Error => invalidValue(where, `~ looks for a part of a text, and this is ${kind}: write = instead.`);
  if (other !== undefined) throw refusal(other);
  const wanted = folded(part);
  return (held) => {
    if (typeof held === 'string') return folded(held).includes(wanted);
    if (typeof held === 'object' && !JSON.isRawJSON(held)) return undefined;
    throw refusal(typeof held === 'boolean' ? 'true or false' : 'a number');
  };
}

function equalling(value: string, type: ValueType, where: string, now: Date): Test {
  switch (type.kind) {
    case 'id':
    case 'id-or-name':
      return numeric(value, { kind: 'id' }, where);
    case 'integer':
    case 'decimal':
      return numeric(value, type, where);
    case 'date':
      return onDays(value, where, now);
    case 'choice':
      return chosen(checkChoice(value, type.values, where), type.values);
    case 'reference':
      return referring(parseReference(value, type.types, where, true), where);
    default:
      return textual(value, where);
  }
}

/** One of a few words, whatever its case; a word that isn't among them is another one. Services tell true and false as 1 and 0, too. */
function chosen(wanted: string, words: readonly string[]): Test {
  if (words.includes('true')) {
    return (held) => {
      const truth = truths.get(folded(scalarText(held)));
      return truth === undefined ? undefined : truth === wanted;
    };
  }
  return (held) => (typeof held === 'string' ? folded(held) === folded(wanted) : undefined);
}

const truths: ReadonlyMap<string, string> = new Map([
  ['TRUE', 'true'],
  ['1', 'true'],
  ['FALSE', 'false'],
  ['0', 'false'],
]);

/** What a record refers to: a type, and an id where one is wanted. A type of null without an id refers to nothing. */
function referring({ type, id }: ReturnType<typeof parseReference>, where: string): Test {
  const sameId = id === undefined ? () => true : numeric(String(id), { kind: 'id' }, where);
  return (held) => {
    if (!isMembers(held)) return undefined;
    if (held.type === null && (held.id ?? null) === null) return false;
    if (typeof held.type !== 'string') return undefined;
    return folded(held.type) === folded(type) && sameId(held.id);
  };
}

/** Values of which nobody says what they are: numbers are compared as numbers, all else as it reads. */
function byItself(value: string, where: string): Test {
  let number: Test | undefined;
  let truth: Test | undefined;
  let text: Test | undefined;
  return (held) => {
    if (typeof held === 'number' || JSON.isRawJSON(held)) {
      number ??= numeric(value, { kind: 'decimal' }, where);
      return number(held);
    }
    if (typeof held === 'boolean') {
      truth ??= equalling(value, { kind: 'choice', values: ['true', 'false'] }, where, new Date());
      return truth(held);
    }
    text ??= textual(value, where);
    return text(held);
  };
}

/** From one end to the other, both included; an open end is undefined. */
interface Range<T> {
  readonly from: T | undefined;
  readonly to: T | undefined;
}

/** A single value is a range from itself to itself. Throws InvalidValues for a range without ends, or whose ends are the wrong way round. */
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

function numeric(value: string, type: ValueType, where: string): Test {
  const read = (end: string): Decimal => {
    refuseDoubtful(type, end, where);
    const number = parseDecimal(String(parseValue(type, end, where)));
    if (number === undefined) throw invalidValue(where, `"${end}" has more digits than can be compared.`);
    return number;
  };
  const range = rangeOf(value, where, read, compareDecimals);
  return (held) => {
    const number = isMembers(held) ? undefined : parseDecimal(scalarText(held));
    return number === undefined ? undefined : isWithin(number, range, compareDecimals);
  };
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `never` stands for a day that isn't there: alone, or before the beginning of a range. */
const never = /^never(?=\.\.|$)/;

/** A month at an end of a range, or alone, as its first or its last day: `2026-10` is `2026-10-01..2026-10-31`. */
function inDays(range: string): string {
  const lastDay = (year: string, month: string): number => new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return range
    .replace(/^(\d{4})-(0[1-9]|1[0-2])$/, '$1-$2..$1-$2')
    .replace(/^(\d{4}-(?:0[1-9]|1[0-2]))(?=\.\.)/, '$1-01')
    .replace(/(?<=\.\.)(\d{4})-(0[1-9]|1[0-2])$/, (month, year: string, number: string) => `${month}-${lastDay(year, number)}`);
}

function onDays(value: string, where: string, now: Date): Test {
  const read = (end: string): string => String(parseValue({ kind: 'date' }, dayOf(end, now), where));
  const days = value.replace(never, '');
  const range = days === '' ? undefined : rangeOf(inDays(days), where, read, compareTexts);
  return (held) => {
    const day = typeof held === 'string' ? dayHeld(held) : undefined;
    return day === undefined ? undefined : range !== undefined && isWithin(day, range, compareTexts);
  };
}

/** What would be a range if it stood with a number or a date. */
const rangeLike = /^(?:[+-]?\d[\d.-]*[dwmy]?)?\.\.(?:[+-]?\d[\d.-]*[dwmy]?)?$/;

function textual(value: string, where: string): Test {
  if (rangeLike.test(value)) throw invalidValue(where, `"${value}" is a range, and ranges are of numbers and dates; this is a text.`);
  const wanted = folded(value);
  return (held) => (isMembers(held) ? undefined : folded(scalarText(held)) === wanted);
}

/** A text without the difference of cases; accents stay. Some letters have a second form only when they are large: ß, ς. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC');
}
