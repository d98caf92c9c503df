// What is kept of a family, by its declaration: a table with each record as it reads back (`doc`), the text that a search looks through,
// and a plain column for every value that a filter or a sort goes by.

import type { Filter, Resource } from '../../resources/define.ts';
import { filterPlace, memberNamed } from '../../resources/members.ts';
import type { Members } from '../../values/paths.ts';
import type { ValueType } from '../../values/value-type.ts';

/** A column of a table, and the path of its value in a record. */
export interface Column {
  readonly name: string;
  readonly path: string;
  /** `id`: a whole number. `decimal`: by its sort key. `text`: in lower case. `word`: as it stands. `each`: the ids of an array, in a table of its own. */
  readonly kind: 'id' | 'decimal' | 'text' | 'word' | 'each';
}

/** A query parameter that narrows a list. */
export interface Narrowing {
  readonly wire: string;
  readonly type: ValueType;
  /** Absent: records tell nothing of it, so that none has it. `search`: the text to look for. */
  readonly column?: Column | 'search';
  readonly is: '=' | '>=' | '<=';
}

export interface Kept {
  readonly resource: KeptFamily;
  readonly table: string;
  readonly columns: readonly Column[];
  readonly narrowings: readonly Narrowing[];
  /** The column of each sort; undefined: the id. */
  readonly sorts: ReadonlyMap<string, Column | undefined>;
  /** The paths that `search` looks through. */
  readonly searched: readonly string[];
  /** What a new record holds where nobody says anything else. */
  readonly begins: Members;
  /** The column of a filter that nearly all records pass: its index is of use only where nothing else narrows or sorts. */
  readonly broad?: string;
  /** The table whose ids the records must not have either. */
  readonly idsWith?: string;
  /** SQL that gives the record as it reads back, where that isn't `doc` alone. */
  readonly shown?: string;
}

export type KeptFamily = Pick<Resource, 'name' | 'singular' | 'plural' | 'record' | 'columns' | 'filters' | 'sort' | 'defaultOrder'> &
  Partial<Pick<Resource, 'types' | 'fields' | 'sets' | 'arrays'>>;

type KeptOptions = Pick<Kept, 'searched'> & Partial<Pick<Kept, 'begins' | 'broad' | 'idsWith' | 'shown'>>;

export function kept(resource: KeptFamily, options: KeptOptions): Kept {
  const columns = new Map<string, Column>();
  const columnAt = (path: string): Column => {
    const column = columns.get(path) ?? { name: path.replaceAll('.', '_'), path, kind: kindOf(resource, path) };
    columns.set(path, column);
    return column;
  };
  const narrowings = resource.filters.flatMap(filterParts).map(({ wire, type, read, flag }): Narrowing => {
    if (wire === 'search') return { wire, type, column: 'search', is: '=' };
    const [, bounded, end] = /^(.*)-(min|max)$/.exec(flag) ?? [];
    const path = pathOf(resource, bounded ?? filterPlace({ flag, ...(read !== undefined && { read }) }));
    return { wire, type, ...(path !== undefined && { column: columnAt(path) }), is: end === undefined ? '=' : end === 'min' ? '>=' : '<=' };
  });
  const sorts = new Map(
    Object.entries(resource.sort).map(([name, wire]) => {
      const member = memberNamed(resource, name);
      return [wire, member?.kind === 'value' ? columnAt(member.path) : undefined];
    }),
  );
  return { resource, table: resource.name, columns: [...columns.values()], narrowings, sorts, begins: {}, ...options };
}

/** A reference travels as two query parameters (interface: Notes, list query parameters). */
function filterParts(filter: Filter): Pick<Filter, 'flag' | 'wire' | 'type' | 'read'>[] {
  const { flag, wire, type } = filter;
  if (type.kind !== 'reference') return [filter];
  return [
    { flag, wire: `${wire}_type`, type: { kind: 'choice', values: type.types }, read: `${flag}.type` },
    { flag, wire: `${wire}_id`, type: { kind: 'id' }, read: `${flag}.id` },
  ];
}

/** Where records hold a filter's value: of a relation its id. Undefined where they don't. */
function pathOf({ record }: KeptFamily, place: string): string | undefined {
  return [`${place}.id`, place].find((path) => record.includes(path));
}

function kindOf(resource: KeptFamily, path: string): Column['kind'] {
  if (path === 'id' || path.endsWith('.id') || path.endsWith('_id')) return 'id';
  if (arraysOf(resource).includes(path)) return 'each';
  const member = memberNamed(resource, path);
  const type = member?.kind === 'value' ? member.type?.kind : undefined;
  if (type === 'integer' || type === 'id') return 'id';
  if (type === 'decimal') return 'decimal';
  return type === 'choice' || type === 'date' ? 'word' : 'text';
}

/** The members of a family's records that are arrays. */
export const arraysOf = ({ fields = [], sets = [], arrays = [], types = {} }: KeptFamily): string[] => [
  ...arrays,
  ...sets.map(({ read }) => read),
  ...fields.flatMap(({ type, read }) => (type.kind === 'numbered' && read !== undefined ? [read] : [])),
  // Only relations name the type of an element.
  ...Object.keys(types).flatMap((path) => (path.endsWith('.id') ? [path.slice(0, -'.id'.length)] : [])),
];

/** The statements that make the tables and indexes of a family. Every index serves a filter, a sort (the id breaks its ties) or a walk through all ids. */
export function tablesOf({ table, columns, broad }: Kept): string {
  const own = columns.filter(({ kind }) => kind !== 'each');
  const ending = broad === undefined ? '' : `, id, ${broad}`;
  return [
    `CREATE TABLE ${table} (id INTEGER PRIMARY KEY AUTOINCREMENT, search TEXT NOT NULL, ${own
      .map(({ name, kind }) => `${name} ${kind === 'id' ? 'INTEGER' : 'TEXT'}, `)
      .join('')}doc TEXT NOT NULL) STRICT`,
    `CREATE INDEX ${table}_id ON ${table} (id)`,
    `CREATE INDEX ${table}_search ON ${table} (id, search)`,
    ...own.map(({ name }) => `CREATE INDEX ${table}_${name} ON ${table} (${name}${name === broad ? '' : ending})`),
    ...columns
      .filter(({ kind }) => kind === 'each')
      .flatMap(({ name }) => [
        `CREATE TABLE ${table}_${name} (value INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (value, id)) STRICT, WITHOUT ROWID`,
        `CREATE INDEX ${table}_${name}_id ON ${table}_${name} (id)`,
      ]),
  ].join(';\n');
}
