// Turns what was typed (flags, --data and --set) into a checked body or query, by the declarations alone. Pure.

import { InvalidValues, invalidValue, UsageError } from '../errors.ts';
import type { Input } from '../flag.ts';
import type { Field, Filter, OneOf } from '../resources/define.ts';
import type { Body, BodyValue } from '../values/body.ts';
import { scalarText } from '../values/json.ts';
import { checkChoice, parseNumbered, parseReference, parseValue, together, togetherEach } from '../values/parse.ts';
import { isMembers, type Members, valueAt } from '../values/paths.ts';
import type { ValueType } from '../values/value-type.ts';
import { type BodyShape, neverChanged } from './shapes.ts';

/** The texts behind --data and --set, read already. */
export interface BodyTexts {
  readonly data?: Members;
  readonly set: readonly string[];
}

/** Query pairs of the filters that were given (interface: list query parameters). Throws UsageError. */
export function filterQuery(filters: readonly Filter[], flags: Input['flags']): [string, string][] {
  return togetherEach(filters, (filter) => filterPairs(filter, flags[filter.flag])).flat();
}

function filterPairs({ flag, wire, type }: Filter, raw: Input['flags'][string]): [string, string][] {
  if (typeof raw !== 'string') return [];
  const where = `--${flag}`;
  if (type.kind !== 'reference') return [[wire, String(parseValue(type, raw, where))]];
  const reference = parseReference(raw, type.types, where, true);
  const pairs: [string, string][] = [[`${wire}_type`, reference.type]];
  if (reference.id !== undefined) pairs.push([`${wire}_id`, String(reference.id)]);
  return pairs;
}

/** The body that the user gave: --data first, flags over it, --set over both. Throws UsageError. */
export function givenBody(shape: BodyShape, flags: Input['flags'], texts: BodyTexts): Body {
  const [typed, data, set] = together(
    () => togetherEach(shape.fields, (field) => flagEntries(field, flags[field.flag])),
    () => togetherEach(Object.entries(texts.data ?? {}), ([name, value]) => dataEntries(shape, name, value)),
    () => togetherEach(texts.set, (setting) => setEntry(shape, setting)),
  );
  const fromFlags: Body = new Map(typed.flat());
  const body: Body = new Map(data.flat());
  if (shape.oneOf !== undefined) dropOverruled(shape, shape.oneOf, body, fromFlags);
  for (const [wire, value] of fromFlags) body.set(wire, value);
  for (const [name, value] of set) body.set(name, value);
  return body;
}

type Entry = [wire: string, value: BodyValue];

function flagEntries(field: Field, raw: Input['flags'][string]): Entry[] {
  if (raw === undefined || raw === false) return [];
  const values = Array.isArray(raw) ? raw : [raw];
  return values.flatMap((value) => fieldEntries(field, value === true ? '' : String(value), `--${field.flag}`));
}

/** The body entries of one value of a field; an empty text clears it. Throws UsageError naming `where`. */
export function fieldEntries(field: Field, raw: string, where: string): Entry[] {
  const { type, wire } = field;
  if (type.kind === 'switch') return [[wire, type.sends]];
  if (type.kind === 'reference') {
    const { type: name, id } = parseReference(raw, type.types, where);
    return [
      [`${wire}_type`, name],
      [`${wire}_id`, id ?? ''],
    ];
  }
  if (type.kind === 'numbered') {
    const { number, value } = parseNumbered(raw, type.max, where);
    return [[`${wire}${number}`, value]];
  }
  if (raw === '' && mayBeEmpty(field)) return [[wire, '']];
  return [[wire, parseValue(type, raw, where)]];
}

const mayBeEmpty = (field: Field): boolean => field.required !== true || field.type.kind === 'text';

/** One member of --data: a flag name (hyphens or underscores), or a wire name. */
function dataEntries(shape: BodyShape, name: string, value: unknown): Entry[] {
  const where = `--data ${name}`;
  const field = shape.fields.find((one) => one.flag === name || one.flag === name.replaceAll('_', '-'));
  const wireType = field === undefined || field.wire === name ? wireTypes(shape).get(name) : undefined;
  if (wireType !== undefined && field?.type.kind !== 'switch') return [[name, wireValue(wireType, scalar(value, where), where)]];
  if (shape.createOnly?.some(({ flag }) => flag === name.replaceAll('_', '-'))) throw invalidValue(where, neverChanged);
  if (field === undefined)
    throw invalidValue('--data', `there is no field "${name}".${suggestion(shape, name)} Custom fields go into --set.`);
  return fieldData(field, value, where);
}

function fieldData(field: Field, value: unknown, where: string): Entry[] {
  const { type } = field;
  if (type.kind === 'switch') {
    if (value === true || value === type.sends) return [[field.wire, type.sends]];
    if (value === false || value === null) return [];
    throw invalidValue(where, 'give true or false.');
  }
  if (type.kind === 'numbered' && isMembers(value)) {
    return Object.entries(value).flatMap(([number, one]) => fieldEntries(field, `${number}=${scalar(one, where)}`, where));
  }
  if (type.kind === 'reference' && isMembers(value)) {
    return fieldEntries(field, `${scalarText(value.type)}:${scalarText(value.id)}`, where);
  }
  return fieldEntries(field, scalar(value, where), where);
}

function scalar(value: unknown, where: string): string {
  if (typeof value === 'boolean' || (typeof value === 'object' && value !== null && !JSON.isRawJSON(value))) {
    throw invalidValue(where, 'give a text or a number.');
  }
  return scalarText(value);
}

function setEntry(shape: BodyShape, setting: string): Entry {
  const equals = setting.indexOf('=');
  if (equals < 1) throw invalidValue('--set', `"${setting}" is not name=value.`);
  const name = setting.slice(0, equals);
  const raw = setting.slice(equals + 1);
  const type = wireTypes(shape).get(name);
  if (type !== undefined) return [name, wireValue(type, raw, `--set ${name}`)];
  refuseFlagName(shape, name);
  return [name, raw];
}

/** Refuses --set with a flag's name: the service doesn't know it, would ignore the value and still report success. Throws UsageError. */
function refuseFlagName({ fields, createOnly = [] }: BodyShape, name: string): void {
  const flag = name.replaceAll('_', '-');
  const field = fields.find((one) => one.flag === flag);
  if (field !== undefined) throw invalidValue(`--set ${name}`, `its wire name is ${wireName(field)}. Use --${flag}.`);
  if (createOnly.some((one) => one.flag === flag)) throw invalidValue(`--set ${name}`, neverChanged);
}

function wireName({ wire, type }: Field): string {
  if (type.kind === 'reference') return `${wire}_type (and ${wire}_id)`;
  return type.kind === 'numbered' ? `${wire}1 to ${wire}${type.max}` : wire;
}

function wireValue(type: ValueType, raw: string, where: string): BodyValue {
  if (type.kind === 'switch') return checkChoice(raw, [type.sends, 'no', 'off', ''], where);
  return raw === '' ? '' : parseValue(type, raw, where);
}

/** Every wire name that the declarations know, with the type of its value. */
function wireTypes({ fields, oneOf }: BodyShape): Map<string, ValueType> {
  const types = new Map<string, ValueType>();
  for (const { wire, type } of fields) {
    if (type.kind === 'reference') {
      types.set(`${wire}_type`, { kind: 'choice', values: type.types });
      types.set(`${wire}_id`, { kind: 'id' });
    } else if (type.kind === 'numbered') {
      for (let number = 1; number <= type.max; number += 1) types.set(`${wire}${number}`, { kind: 'text' });
    } else types.set(wire, type);
  }
  if (oneOf !== undefined) types.set(oneOf.wire, { kind: 'choice', values: oneOf.flags });
  return types;
}

function suggestion(shape: BodyShape, name: string): string {
  const plain = name.replaceAll('_', '-').toLowerCase();
  const near = shape.fields.find(({ flag, wire }) => flag.includes(plain) || plain.includes(flag) || wire === name.toLowerCase());
  return near === undefined ? '' : ` Did you mean "${near.flag}"?`;
}

/** A flag of the group replaces all that --data gave for the group. */
function dropOverruled(shape: BodyShape, oneOf: OneOf, body: Body, fromFlags: Body): void {
  const group = oneOfFields(shape, oneOf);
  if (!group.some(({ wire }) => fromFlags.has(wire))) return;
  for (const { wire } of group) body.delete(wire);
  body.delete(oneOf.wire);
}

const oneOfFields = (shape: BodyShape, oneOf: OneOf): Field[] => shape.fields.filter(({ flag }) => oneOf.flags.includes(flag));

/** Adds the field that tells which one of the group was given. Throws UsageError unless exactly one was. */
export function withOneOf(shape: BodyShape, body: Body): Body {
  const { oneOf } = shape;
  if (oneOf === undefined) return body;
  const given = oneOfFields(shape, oneOf).filter(({ wire }) => body.has(wire));
  const names = oneOf.flags.map((flag) => `--${flag}`);
  const [only] = given;
  if (only === undefined) throw new UsageError(`Give ${names.join(' or ')}.`);
  if (given.length > 1) throw new UsageError(`Give only one of ${names.join(' and ')}.`);
  return new Map<string, BodyValue>([[oneOf.wire, only.flag], ...body]);
}

/** Checks that everything required is there. Throws UsageError naming every flag that is missing. */
export function requireFields(fields: readonly Field[], body: Body): void {
  const missing = fields.filter((field) => field.required && !body.has(field.wire)).map((field) => `--${field.flag}`);
  if (missing.length === 0) return;
  const values = missing.map((where) => ({ where, problem: 'it is missing.' }));
  throw new InvalidValues(values, `Missing ${missing.join(', ')}.`);
}

/** The record that a body was completed from: what it is called, and the values that the user gave instead of its own. */
export interface Completed {
  readonly singular: string;
  readonly given: Body;
}

/** Checks dates that must not come before others (interface: Limits, `doc_date_end`). Throws UsageError. */
export function checkOrder(fields: readonly Field[], body: Body, completed?: Completed): void {
  for (const field of fields) {
    const earlier = fields.find(({ flag }) => flag === field.notBefore);
    if (earlier === undefined) continue;
    const [start, end] = [body.get(earlier.wire), body.get(field.wire)];
    if (typeof start !== 'string' || typeof end !== 'string' || end === '' || end >= start) continue;
    throw outOfOrder({ flag: earlier.flag, wire: earlier.wire, date: start }, { flag: field.flag, wire: field.wire, date: end }, completed);
  }
}

interface FieldDate {
  readonly flag: string;
  readonly wire: string;
  readonly date: string;
}

/** The error for two dates in the wrong order; a date that the user didn't give is called the record's. */
function outOfOrder(start: FieldDate, end: FieldDate, completed: Completed | undefined): UsageError {
  const isGiven = ({ wire }: FieldDate): boolean => completed === undefined || completed.given.has(wire);
  const held = ({ flag, date }: FieldDate): string => `the ${completed?.singular}'s ${flag}, ${date}`;
  if (!isGiven(start) && !isGiven(end)) return invalidValue(`--${end.flag}`, `${held(end)}, is before ${held(start)}: give another one.`);
  if (!isGiven(end)) return invalidValue(`--${start.flag}`, `${start.date} is after ${held(end)}: give --${end.flag}, too.`);
  if (!isGiven(start)) return invalidValue(`--${end.flag}`, `${end.date} is before ${held(start)}: give --${start.flag}, too.`);
  return invalidValue(`--${end.flag}`, `${end.date} is before --${start.flag} ${start.date}.`);
}

/**
 * What a record holds of a field, as body entries, so that it can be sent back unchanged: digits and spaces as they
 * were read, nothing for a member that is null or absent. Throws UsageError for a value that a body can't hold.
 */
export function readBack(field: Field, record: unknown): Entry[] {
  if (field.read === undefined) return [];
  const value = valueAt(record, field.read);
  if (value === undefined || value === null) return [];
  if (field.type.kind === 'numbered') return numberedEntries(field, value);
  if (typeof value === 'object' && !JSON.isRawJSON(value)) {
    throw new UsageError(`The record's ${field.read} is not a single value: give --${field.flag}.`);
  }
  const isNumber =
    typeof value === 'number' && (field.type.kind === 'id' || field.type.kind === 'integer' || field.type.kind === 'id-or-name');
  return [[field.wire, isNumber ? value : scalarText(value)]];
}

/** Custom fields read as `{ id, name, value }` (interface: Item, `custom_fields`). */
function numberedEntries(field: Field, value: unknown): Entry[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((element): Entry[] => {
    if (!isMembers(element) || element.value === null || element.value === undefined) return [];
    return [[`${field.wire}${scalarText(element.id)}`, scalarText(element.value)]];
  });
}
