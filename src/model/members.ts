// Finds the member of a record by name: by its documented path, or by the flag whose value reads back there. --fields and --where use
// these functions. A hyphen and an underscore are the same.

import { namedBy, type ValueType } from '../base/values/value-type.ts';
import type { Column, Field, Filter, ReplacedSet } from './define.ts';

/** The shape that names are looked up in: a family, or any records with documented members. */
export interface Documented {
  readonly record: readonly string[];
  readonly columns: readonly Pick<Column, 'path' | 'header'>[];
  readonly types?: Readonly<Record<string, ValueType>>;
  readonly nullable?: readonly string[];
  readonly arrays?: readonly string[];
  readonly joined?: Readonly<Record<string, readonly string[]>>;
  readonly fields?: readonly Pick<Field, 'flag' | 'read' | 'type'>[];
  readonly filters?: readonly Pick<Filter, 'flag' | 'read' | 'type'>[];
  readonly sets?: readonly Pick<ReplacedSet, 'read' | 'value'>[];
}

export type Member =
  /** A value, or an array of values. Without a type, the value may be anything. */
  | { readonly kind: 'value'; readonly path: string; readonly type: ValueType | undefined }
  /** Another record or an array of other records, with the paths of id and name, and the type of the id. */
  | { readonly kind: 'relation'; readonly path: string; readonly id: string; readonly name: string; readonly type: ValueType }
  /** An object of several members. `isJoined`: no object, but a name for their texts, joined by blanks. */
  | { readonly kind: 'group'; readonly path: string; readonly members: readonly string[]; readonly isJoined?: true }
  /** A value whose name is found in the records, in the array at `list`: `custom_fields.SKU`. */
  | { readonly kind: 'named'; readonly path: string; readonly list: string };

/** The members that were found, by shape and name: every cell of a table asks for one. */
const found = new WeakMap<Documented, Map<string, Member | undefined>>();

/**
 * The member with a name: a path of the record, else the flag of a field or filter, else a table header or a name of --sort. Undefined
 * when the family has no such member.
 */
export function memberNamed(shape: Documented, name: string): Member | undefined {
  const members = found.get(shape) ?? new Map<string, Member | undefined>();
  found.set(shape, members);
  if (!members.has(name)) {
    const wanted = underscored(name);
    const member =
      memberAt(shape, wanted) ??
      joinedMember(shape, wanted) ??
      namedValue(shape, name) ??
      memberOfFlag(shape, wanted) ??
      memberOfHeader(shape, wanted);
    members.set(name, member);
  }
  return members.get(name);
}

/** A name with underscores, as members are written. */
export const underscored = (name: string): string => name.replaceAll('-', '_');

/** The names for a member: the documented paths, then the flags that are no path. */
export function memberNames(shape: Documented): string[] {
  const { record, fields = [], filters = [], joined = {} } = shape;
  const flags = [...fields, ...filters].filter(({ flag, read }) => read !== undefined && memberAt(shape, underscored(flag)) === undefined);
  return [...new Set([...record, ...Object.keys(joined), ...flags.map(({ flag }) => flag)])];
}

/** The names for suggestions: the names of `memberNames`, and also relations, groups, table headers and names of --sort. */
export function namesForSuggestions(shape: Documented): string[] {
  const names = memberNames(shape);
  const heads = names.map((name) => name.split('.')[0] ?? name);
  const headers = shape.columns.flatMap(({ header }) => (header === undefined ? [] : [underscored(header.replaceAll(' ', '_'))]));
  const dates = shape.record.filter((path) => path.startsWith('dates.')).map((path) => path.slice('dates.'.length));
  return [...new Set([...heads, ...headers, ...dates, ...names])];
}

/** The service's filter for an id, a choice or a reference at a path. Undefined when the service has no such filter. */
export function filterAt(filters: readonly Filter[], path: string): Filter | undefined {
  const whole = path.replace(/\.id$/, '');
  return filters.find((filter) => {
    const { kind } = filter.type;
    return kind === 'id' ? filterPlace(filter) === whole : (kind === 'choice' || kind === 'reference') && filterPlace(filter) === path;
  });
}

/** The path of a filter's value in records. */
export const filterPlace = ({ flag, read }: Pick<Filter, 'flag' | 'read'>): string => read ?? underscored(flag);

function memberAt(shape: Documented, path: string): Member | undefined {
  const documented = [...shape.record, ...shape.columns.map((column) => column.path)];
  const below = documented.filter((one) => one.startsWith(`${path}.`));
  const id = `${path}.id`;
  const isNamed = namedBy(declaredType(shape, id)) !== undefined && shape.record.includes(path);
  const name =
    nameMembers.map((member) => `${path}.${member}`).find((one) => below.includes(one)) ?? (isNamed ? `${path}.name` : undefined);
  if (name !== undefined && (below.includes(id) || shape.record.includes(path))) {
    return { kind: 'relation', path, id, name, type: declaredType(shape, id) ?? { kind: 'id' } };
  }
  const declared = declaredType(shape, path);
  if (declared?.kind === 'numbered') return { kind: 'group', path, members: [`${path}.NAME`] };
  if (documented.includes(path) || declared?.kind === 'reference' || isIdOfRelation(shape, path)) {
    return { kind: 'value', path, type: declared ?? conventional(path) };
  }
  return below.length === 0 ? undefined : { kind: 'group', path, members: [...new Set(below)] };
}

/** The members with the name of a referred-to record (interface: Resources and their fields). */
const nameMembers = ['name', 'title', 'company_name'];

function isIdOfRelation(shape: Documented, path: string): boolean {
  return path.endsWith('.id') && memberAt(shape, path.slice(0, -'.id'.length))?.kind === 'relation';
}

function declaredType(shape: Documented, path: string): ValueType | undefined {
  const { types = {}, fields = [], filters = [], sets = [] } = shape;
  const field = fields.find(({ read }) => read === path);
  if (field !== undefined) return field.type;
  if (Object.hasOwn(types, path)) return types[path];
  const set = sets.find(({ read }) => read === path || `${read}.id` === path);
  if (set !== undefined) return set.value.type;
  const reference = fields.find(({ read, type }) => type.kind === 'reference' && `${read}.type` === path);
  if (reference?.type.kind === 'reference') return { kind: 'choice', values: reference.type.types };
  const narrowing = filters.find((filter) => [filterPlace(filter), `${filterPlace(filter)}.id`].includes(path));
  return narrowing?.type.kind === 'reference' ? undefined : narrowing?.type;
}

/** interface: ids are numbers, members of `dates` are days or time stamps. */
function conventional(path: string): ValueType | undefined {
  if (/(^|[._])id$/.test(path)) return { kind: 'id' };
  if (/^dates\.(created|updated|published)$/.test(path)) return { kind: 'date', time: 'always' };
  return path.startsWith('dates.') ? { kind: 'date' } : undefined;
}

function joinedMember({ joined = {} }: Documented, path: string): Member | undefined {
  const members = Object.hasOwn(joined, path) ? joined[path] : undefined;
  return members === undefined ? undefined : { kind: 'group', path, members, isJoined: true };
}

function namedValue({ fields = [] }: Documented, name: string): Member | undefined {
  for (const { read, type } of fields) {
    if (type.kind !== 'numbered' || read === undefined || !underscored(name).startsWith(`${read}.`)) continue;
    return { kind: 'named', path: `${read}${name.slice(read.length)}`, list: read };
  }
  return undefined;
}

function memberOfFlag(shape: Documented, wanted: string): Member | undefined {
  const { fields = [], filters = [] } = shape;
  const found = [...fields, ...filters].find(({ flag, read }) => read !== undefined && underscored(flag) === wanted);
  return found?.read === undefined ? undefined : memberAt(shape, found.read);
}

/** --sort has names of its own for members of `dates`: `created`. */
function memberOfHeader(shape: Documented, wanted: string): Member | undefined {
  const column = shape.columns.find(({ header }) => header?.replaceAll(' ', '_') === wanted);
  if (column !== undefined) return memberAt(shape, column.path);
  return shape.record.includes(`dates.${wanted}`) ? memberAt(shape, `dates.${wanted}`) : undefined;
}

/** True when a member is a text of several lines or of HTML. */
export function isLongText(shape: Documented, path: string): boolean {
  const member = memberNamed(shape, path);
  return member?.kind === 'value' && member.path === path && member.type?.kind === 'text' && member.type.long === true;
}
