// Translates between a program's plain values, named like record members (`first_name`), and bodies, queries and answers. Pure.

import { CrmError, invalidValue } from '../../base/errors.ts';
import type { Body } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { checkChoice, type Id, parseId, togetherEach } from '../../base/values/parse.ts';
import { isMembers } from '../../base/values/paths.ts';
import { nameNear } from '../../base/values/text/suggest.ts';
import { blankProblem } from '../../model/bodies/create-body.ts';
import { bodyEntries, type Entry, wireEntries } from '../../model/bodies/entries.ts';
import { filterPairs } from '../../model/bodies/given.ts';
import { fieldByFlag, fieldSuggestion, type Naming, wirePart } from '../../model/bodies/names.ts';
import type { Resource } from '../../model/define.ts';
import { underscored } from '../../model/members.ts';
import { type BodyShape, neverChanged } from '../../model/shape.ts';

/** A field's name in a program: `first_name`. */
export const asProperty: Naming = ({ flag }) => underscored(flag);

export type Values = Readonly<Record<string, unknown>>;

/** The id for a path. Throws InvalidValues. */
export const checkedId = (id: Id, where = 'id'): Id => parseId(String(id), where);

/** The body made from values. Undefined values count as not given. Throws InvalidValues for all wrong values. */
export function bodyFrom(shape: BodyShape, { set, ...values }: Values): Body {
  const named = togetherEach(definedEntries(values), ([name, value]) => fieldEntries(shape, name, value));
  const wired = togetherEach(definedEntries(set ?? {}), ([name, value]) =>
    wireEntries(shape, name, value, { where: `set.${name}`, named: asProperty }),
  );
  return new Map([...named, ...wired].flat());
}

const definedEntries = (values: object): [string, unknown][] => Object.entries(values).filter(([, value]) => value !== undefined);

function fieldEntries(shape: BodyShape, name: string, value: unknown): Entry[] {
  const { fields, createOnly = [] } = shape;
  const field = name.includes('-') ? undefined : fieldByFlag(fields, name);
  // Null clears a field, but a required field can't be cleared. The service judges an empty text.
  if (field?.required && value === null) throw invalidValue(name, blankProblem(shape));
  if (field !== undefined) return bodyEntries(field, value, name);
  if (fieldByFlag(createOnly, name) !== undefined) throw invalidValue(name, neverChanged);
  const meant = underscored(fieldSuggestion(fields, name));
  throw invalidValue(name, `there is no such value.${meant} Fields by their wire names go into set.`);
}

/** The query of a list from filters, sort and order. Throws InvalidValues. */
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

/** `lead:12` for `{ type: 'lead', id: 12 }`. */
function filterText(name: string, value: unknown): string {
  if (isMembers(value)) return value.id === undefined ? String(value.type) : `${value.type}:${value.id}`;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw invalidValue(name, 'give a text or a number.');
}

/** The paths of decimals and of ids in a family's records. */
export interface Kinds {
  readonly decimals: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
}

export function kindsOf({ fields = [], record = [] }: Partial<Pick<Resource, 'fields' | 'record'>>): Kinds {
  const decimals = fields.flatMap(({ read, type }) => (type.kind === 'decimal' && read !== undefined ? [read] : []));
  // A path that is no id may be a relation or an array of relations (interface: Resources and their fields).
  const ids = record.map((path) => (/(^|[._])id$/.test(path) ? path : `${path}.id`));
  return { decimals: new Set(decimals), ids: new Set(['id', ...ids]) };
}

/**
 * An answer as plain values. A decimal becomes a text, an id a number, whichever the service sent. A number that a float would change is
 * always a text.
 */
export function plainAnswer(value: unknown, kinds: Kinds, path = ''): unknown {
  if (JSON.isRawJSON(value)) return scalarText(value);
  if (typeof value === 'number') return kinds.decimals.has(path) ? String(value) : value;
  if (typeof value === 'string') return kinds.ids.has(path) && String(Number(value)) === value ? Number(value) : value;
  if (Array.isArray(value)) return value.map((one) => plainAnswer(one, kinds, path));
  if (!isMembers(value)) return value;
  const pathBelow = (name: string): string => (path === '' ? name : `${path}.${name}`);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainAnswer(member, kinds, pathBelow(name))]));
}

/** The error, with the program's name beside the wire name of each refused value. */
export function withMembers(error: unknown, shape: BodyShape): unknown {
  if (!(error instanceof CrmError)) return error;
  for (const problem of error.details.fields ?? []) {
    const field = wirePart(shape, problem.name)?.field;
    if (field !== undefined) problem.flag ??= asProperty(field);
  }
  return error;
}
