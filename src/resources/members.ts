// What a name stands for in the records of a family: a documented path, or a flag, by where its value reads back. --fields and
// --where go by it; a hyphen and an underscore are the same.

import { namedBy, type ValueType } from '../values/value-type.ts';
import type { Column, Field, Filter, ReplacedSet } from './define.ts';

/** What names are looked up in: a family, or any records whose members are documented. */
export interface Documented {
  readonly record: readonly string[];
  readonly columns: readonly Pick<Column, 'path' | 'header'>[];
  readonly types?: Readonly<Record<string, ValueType>>;
  readonly nullable?: readonly string[];
  readonly arrays?: readonly string[];
  readonly fields?: readonly Pick<Field, 'flag' | 'read' | 'type'>[];
  readonly filters?: readonly Pick<Filter, 'flag' | 'read' | 'type' | 'formerly'>[];
  readonly sets?: readonly Pick<ReplacedSet, 'read' | 'value'>[];
}

export type Member =
  /** A value, or an array of values. Without a type it is whatever the record holds. */
  | { readonly kind: 'value'; readonly path: string; readonly type: ValueType | undefined }
  /** Another record, or an array of them: where its id and its name stand, and the type of its id. */
  | { readonly kind: 'relation'; readonly path: string; readonly id: string; readonly name: string; readonly type: ValueType }
  /** An object of several members. */
  | { readonly kind: 'group'; readonly path: string; readonly members: readonly string[] }
  /** One of the values that the records themselves name, by this array's path: `custom_fields.SKU`. */
  | { readonly kind: 'named'; readonly path: string; readonly list: string };

/**
 * The member of that name: a path of the record, else the flag of a field or filter, else what a table or --sort calls it. Undefined where
 * the family declares none.
 */
export function memberNamed(shape: Documented, name: string): Member | undefined {
  const wanted = underscored(name);
  return memberAt(shape, wanted) ?? namedValue(shape, name) ?? memberOfFlag(shape, wanted) ?? memberOfHeader(shape, wanted);
}

/** A name as the members of records are written. */
export const underscored = (name: string): string => name.replaceAll('-', '_');

/** What may be typed for a member: the documented paths, then the flags that are none. */
export function memberNames(shape: Documented): string[] {
  const { record, fields = [], filters = [] } = shape;
  const flags = [...fields, ...filters].filter(({ flag, read }) => read !== undefined && memberAt(shape, underscored(flag)) === undefined);
  return [...new Set([...record, ...flags.map(({ flag }) => flag)])];
}

/** What somebody may have meant who typed something else: relations and groups by their own names, too, and what tables and --sort say. */
export function namesMeant(shape: Documented): string[] {
  const names = memberNames(shape);
  const heads = names.map((name) => name.split('.')[0] ?? name);
  const headers = shape.columns.flatMap(({ header }) => (header === undefined ? [] : [underscored(header.replaceAll(' ', '_'))]));
  const dates = shape.record.filter((path) => path.startsWith('dates.')).map((path) => path.slice('dates.'.length));
  return [...new Set([...heads, ...headers, ...dates, ...names])];
}

/** The filter by which the service itself tells which records hold an id or one of a few words at a path. */
export function filterAt(filters: readonly Filter[], path: string): Filter | undefined {
  const whole = path.replace(/\.id$/, '');
  return filters.find((filter) => {
    const { kind } = filter.type;
    return kind === 'id' ? filterPlace(filter) === whole : (kind === 'choice' || kind === 'reference') && filterPlace(filter) === path;
  });
}

/** Where records hold what a filter narrows by. */
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

/** The members that hold a record's name in what refers to it (interface: Resources and their fields). */
const nameMembers = ['name', 'title', 'company_name'];

function isIdOfRelation(shape: Documented, path: string): boolean {
  return path.endsWith('.id') && memberAt(shape, path.slice(0, -'.id'.length))?.kind === 'relation';
}

/** The type of what stands at a path: a field's, a set's, a filter's, or one that the family declares for it. */
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

/** What the interface says of members by their names: its ids are numbers, and what stands in `dates` is a day or a time stamp. */
function conventional(path: string): ValueType | undefined {
  if (/(^|[._])id$/.test(path)) return { kind: 'id' };
  if (/^dates\.(created|updated|published)$/.test(path)) return { kind: 'date', time: 'always' };
  return path.startsWith('dates.') ? { kind: 'date' } : undefined;
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
  if (found?.read !== undefined) return memberAt(shape, found.read);
  const former = filters.find(({ formerly }) => formerly !== undefined && underscored(formerly) === wanted);
  return former === undefined ? undefined : memberAt(shape, filterPlace(former));
}

/** What stands above a column of a table, or `created` as --sort says it. */
function memberOfHeader(shape: Documented, wanted: string): Member | undefined {
  const column = shape.columns.find(({ header }) => header?.replaceAll(' ', '_') === wanted);
  if (column !== undefined) return memberAt(shape, column.path);
  return shape.record.includes(`dates.${wanted}`) ? memberAt(shape, `dates.${wanted}`) : undefined;
}

/** Whether a member is a text of several lines, or of HTML. */
export function isLongText(shape: Documented, path: string): boolean {
  const member = memberNamed(shape, path);
  return member?.kind === 'value' && member.path === path && member.type?.kind === 'text' && member.type.long === true;
}
