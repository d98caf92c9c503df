// From the values that a program gives, named as records name them (`first_name`), to bodies and queries; and from answers to plain
// records. Pure.

import { blankProblem } from '../bodies/create-body.ts';
import { bodyEntries, type Entry, wireEntries } from '../bodies/entries.ts';
import { filterPairs } from '../bodies/given.ts';
import { fieldByFlag, fieldSuggestion, type Naming, wirePart } from '../bodies/names.ts';
import { type BodyShape, neverChanged } from '../bodies/shape.ts';
import { CrmError, invalidValue } from '../errors.ts';
import type { Resource } from '../resources/define.ts';
import { underscored } from '../resources/members.ts';
import type { Body } from '../values/body.ts';
import { scalarText } from '../values/json.ts';
import { checkChoice, type Id, parseId, togetherEach } from '../values/parse.ts';
import { isMembers } from '../values/paths.ts';
import { nameNear } from '../values/text/suggest.ts';

/** What a program calls a field: `first_name`. */
export const asMember: Naming = ({ flag }) => underscored(flag);

export type Values = Readonly<Record<string, unknown>>;

/** An id as paths hold it. Throws InvalidValues. */
export const idOf = (id: Id, where = 'id'): Id => parseId(String(id), where);

/** The body that values make; those that are undefined count as not given. Throws InvalidValues for all that are wrong. */
export function bodyFrom(shape: BodyShape, { set, ...values }: Values): Body {
  const named = togetherEach(definedEntries(values), ([name, value]) => fieldEntries(shape, name, value));
  const wired = togetherEach(definedEntries(set ?? {}), ([name, value]) => wireEntries(shape, name, value, `set.${name}`, asMember));
  return new Map([...named, ...wired].flat());
}

const definedEntries = (values: object): [string, unknown][] => Object.entries(values).filter(([, value]) => value !== undefined);

function fieldEntries(shape: BodyShape, name: string, value: unknown): Entry[] {
  const { fields, createOnly = [] } = shape;
  const field = name.includes('-') ? undefined : fieldByFlag(fields, name);
  // An empty text is for the service to judge; null clears, and of these nothing can be cleared.
  if (field?.required && value === null) throw invalidValue(name, blankProblem(shape));
  if (field !== undefined) return bodyEntries(field, value, name);
  if (fieldByFlag(createOnly, name) !== undefined) throw invalidValue(name, neverChanged);
  const meant = underscored(fieldSuggestion(fields, name));
  throw invalidValue(name, `there is no such value.${meant} Fields by their wire names go into set.`);
}

/** The query of a list: its filters, sort and order. Throws InvalidValues. */
export function queryFrom({ filters, sort: sorts }: Resource, { sort, order, ...values }: Values): [string, string][] {
  const query = togetherEach(definedEntries(values), ([name, value]) => {
    const filter = filters.find(({ flag }) => underscored(flag) === name);
    if (filter !== undefined) return filterPairs(filter, filterText(name, value), name);
    const near = nameNear(
      name,
      filters.map(({ flag }) => underscored(flag)),
    );
    throw invalidValue(name, `there is no such filter.${near === undefined ? '' : ` Did you mean "${near}"?`}`);
  }).flat();
  if (sort !== undefined) query.push(['sort', sorts[checkChoice(String(sort), Object.keys(sorts), 'sort')] ?? '']);
  if (order !== undefined) query.push(['order', checkChoice(String(order), ['asc', 'desc'], 'order')]);
  return query;
}

/** `lead:12` for `{ type: 'lead', id: 12 }`, as notes hold what they are attached to. */
function filterText(name: string, value: unknown): string {
  if (isMembers(value)) return value.id === undefined ? String(value.type) : `${value.type}:${value.id}`;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw invalidValue(name, 'give a text or a number.');
}

/** Where the records of a family hold decimals, and where ids. */
export interface Kinds {
  readonly decimals: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
}

export function kindsOf({ fields = [], record = [] }: Partial<Pick<Resource, 'fields' | 'record'>>): Kinds {
  const decimals = fields.flatMap(({ read, type }) => (type.kind === 'decimal' && read !== undefined ? [read] : []));
  // What is no id may be a relation, or an array of them (interface: Resources and their fields).
  const ids = record.map((path) => (/(^|[._])id$/.test(path) ? path : `${path}.id`));
  return { decimals: new Set(decimals), ids: new Set(['id', ...ids]) };
}

/**
 * An answer as plain values, whether the service sent numbers or texts: a decimal is the text of its digits, an id a number. A number that
 * a float would change is always a text.
 */
export function plain(value: unknown, kinds: Kinds, path = ''): unknown {
  if (JSON.isRawJSON(value)) return scalarText(value);
  if (typeof value === 'number') return kinds.decimals.has(path) ? String(value) : value;
  if (typeof value === 'string') return kinds.ids.has(path) && String(Number(value)) === value ? Number(value) : value;
  if (Array.isArray(value)) return value.map((one) => plain(one, kinds, path));
  if (!isMembers(value)) return value;
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member, kinds, below(name))]));
}

/** The error, with what the program calls each value that the service refused beside its wire name. */
export function withMembers(error: unknown, shape: BodyShape): unknown {
  if (!(error instanceof CrmError)) return error;
  for (const problem of error.details.fields ?? []) {
    const field = wirePart(shape, problem.name)?.field;
    if (field !== undefined) problem.flag ??= asMember(field);
  }
  return error;
}
