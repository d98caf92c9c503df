// Builds a body from typed flags, --data and --set, and the queries of typed filters. Pure.

import { type InvalidValue, InvalidValues, invalidValue } from '../../base/errors.ts';
import type { Input } from '../../base/flag.ts';
import type { Body } from '../../base/values/body.ts';
import { parseReference, parseValue, refuseDoubtful, together, togetherEach } from '../../base/values/parse.ts';
import type { Members } from '../../base/values/paths.ts';
import { isPercent } from '../../base/values/percent.ts';
import { withoutUnseen } from '../../base/values/text/unseen.ts';
import type { Field, Filter } from '../define.ts';
import { type BodyShape, neverChanged } from '../shape.ts';
import { blankProblem } from './create-body.ts';
import { bodyEntries, type Entry, isBlankGiven, textGiven, wireEntries } from './entries.ts';
import { asFlag, fieldByFlag, fieldSuggestion, wirePart } from './names.ts';

/** The read texts of --data and --set. */
export interface BodyTexts {
  readonly data?: Members;
  readonly set: readonly string[];
  /** Problems of names in --data. */
  readonly wrong?: readonly InvalidValue[];
}

/**
 * The queries of the given filters (interface: list query parameters). A filter with several values makes a query for each, in their
 * order. Throws UsageError.
 */
export function filterQueries(filters: readonly Filter[], flags: Input['flags']): [string, string][][] {
  const byFilter = togetherEach(filters, (filter) =>
    togetherEach(typedValues(flags[filter.flag]), (raw) => {
      refuseDoubtful(filter.type, raw, `--${filter.flag}`);
      return filterPairs(filter, raw);
    }),
  );
  return byFilter
    .filter((values) => values.length > 0)
    .reduce((queries, values) => queries.flatMap((query) => values.map((pairs) => [...query, ...pairs])), [[]]);
}

/** The word that a user gives a filter to find records without a value: `--assigned none`. */
export const none = 'none';

function typedValues(raw: Input['flags'][string]): string[] {
  if (typeof raw === 'string') return [raw];
  return Array.isArray(raw) ? [...new Set<string>(raw)] : [];
}

/** The query pairs of a filter's value. Throws UsageError naming `where`. */
export function filterPairs({ flag, wire, type }: Filter, typed: string, where = `--${flag}`): [string, string][] {
  const raw = withoutUnseen(typed, type);
  if (type.kind === 'text' && raw.trim() === '') throw invalidValue(where, 'give a value, or leave the flag out.');
  if (type.kind !== 'reference') return [[wire, String(parseValue(type, raw, where))]];
  const reference = parseReference(raw, type.types, where, true);
  const pairs: [string, string][] = [[`${wire}_type`, reference.type]];
  if (reference.id !== undefined) pairs.push([`${wire}_id`, String(reference.id)]);
  return pairs;
}

/** The given body: --data first, flags over it, --set over both. Throws UsageError. */
export function givenBody(shape: BodyShape, flags: Input['flags'], texts: BodyTexts): Body {
  const [typed, data, set] = together(
    () => togetherEach(shape.fields, (field) => flagEntries(shape, field, flags[field.flag])),
    () => dataGiven(shape, texts),
    () => togetherEach(settingsOf(texts.set), (setting) => setEntries(shape, setting)),
  );
  const fromFlags: Body = new Map(typed.flat());
  const body: Body = new Map(data.flat());
  const { oneOf } = shape;
  const group = shape.fields.filter(({ flag }) => oneOf?.flags.includes(flag));
  // A flag of a group replaces the whole group of --data.
  if (oneOf !== undefined && group.some(({ wire }) => fromFlags.has(wire)))
    for (const wire of [...group.map((field) => field.wire), oneOf.wire]) body.delete(wire);
  for (const [wire, value] of fromFlags) body.set(wire, value);
  for (const { name, entries } of set) {
    // A switch that is off removes the earlier entry, and adds no entry.
    body.delete(name);
    for (const [wire, value] of entries) body.set(wire, value);
  }
  return body;
}

function dataGiven(shape: BodyShape, { data = {}, wrong = [] }: BodyTexts): Entry[][] {
  const nameOf = new Map<string, string>();
  const steps = Object.entries(data).map(([name, value]) => () => {
    const entries = dataEntries(shape, name, value);
    for (const [wire] of entries) {
      const other = nameOf.get(wire);
      if (other !== undefined) throw invalidValue('--data', `"${other}" and "${name}" are the same field: give one of them.`);
    }
    for (const [wire] of entries) nameOf.set(wire, name);
    return entries;
  });
  const throwWrong = (): Entry[] => {
    if (wrong.length > 0) throw new InvalidValues(wrong);
    return [];
  };
  return together<readonly Entry[][]>(...steps, throwWrong).slice();
}

/** A percent stays as typed, because the result depends on the record. */
function flagEntries({ makes, standing }: BodyShape, field: Field, raw: Input['flags'][string]): Entry[] {
  if (raw === undefined || raw === false) return [];
  if (standing?.name === field.flag && standing.words.some(({ word }) => word === String(raw).trim().toLowerCase()))
    throw invalidValue(`--${field.flag}`, `this is the ${field.flag} of the address. For ${raw} records: --where ${field.flag}=${raw}.`);
  if (makes === undefined && field.type.kind === 'decimal' && isPercent(String(raw).trim())) return [[field.wire, String(raw).trim()]];
  if (typeof raw === 'string') refuseDoubtful(field.type, raw, `--${field.flag}`);
  if (makes === undefined && field.required && isBlankGiven(raw)) throw invalidValue(`--${field.flag}`, blankProblem({ makes }));
  return bodyEntries(field, raw, `--${field.flag}`);
}

/** The entry of a name in --set, or all elements of `name[]`. Throws InvalidValues for another name that is given twice. */
function settingsOf(settings: readonly string[]): { readonly name: string; readonly values: readonly string[] }[] {
  const values = new Map<string, string[]>();
  for (const setting of settings) {
    const equals = setting.indexOf('=');
    if (equals < 1) throw invalidValue('--set', `"${setting}" is not name=value.`);
    const name = setting.slice(0, equals);
    const before = values.get(name);
    if (before !== undefined && !name.endsWith('[]')) throw invalidValue('--set', `"${name}" is given twice.`);
    values.set(name, [...(before ?? []), setting.slice(equals + 1)]);
  }
  return [...values].map(([name, all]) => ({ name, values: all }));
}

function dataEntries(shape: BodyShape, name: string, value: unknown): Entry[] {
  const { fields, createOnly = [] } = shape;
  const where = `--data ${name}`;
  const field = fieldByFlag(fields, name);
  if (field !== undefined) return bodyEntries(field, value, where);
  if (wirePart(shape, name) !== undefined) return wireEntries(shape, name, value, { where, named: asFlag });
  const isOfCreation = fieldByFlag(createOnly, name) !== undefined || wirePart({ fields: createOnly }, name) !== undefined;
  if (isOfCreation) throw invalidValue(where, neverChanged);
  throw invalidValue('--data', `there is no field "${name}".${fieldSuggestion(fields, name)} Custom fields go into --set.`);
}

function setEntries(
  shape: BodyShape,
  { name, values: [value = '', ...more] }: ReturnType<typeof settingsOf>[number],
): { readonly name: string; readonly entries: readonly Entry[] } {
  const where = `--set ${name}`;
  if (!name.endsWith('[]')) return { name, entries: wireEntries(shape, name, value, { where, named: asFlag }) };
  const list = name.slice(0, -2);
  return { name: list, entries: [[list, [value, ...more].map((one) => textGiven(one, where))]] };
}
