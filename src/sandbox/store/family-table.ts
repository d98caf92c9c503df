// The table of a family, made from its declaration: each record as JSON (`doc`), the text that a search reads (`search`), and a column for
// every value that a filter or a sort uses.

import { isMembers, type Members } from '../../base/values/paths.ts';
import type { ValueType } from '../../base/values/value-type.ts';
import type { Filter, Resource } from '../../model/define.ts';
import { filterPlace, memberNamed } from '../../model/members.ts';

export interface SqlColumn {
  readonly name: string;
  readonly path: string;
  /**
   * `id`: a whole number. `decimal`: a sort key. `text`: lower case. `word`: unchanged. `each`: the ids of an array, in a table of
   * its own.
   */
  readonly kind: 'id' | 'decimal' | 'text' | 'word' | 'each';
}

interface Narrowing {
  readonly wire: string;
  readonly type: ValueType;
  /** `search`: the column of searched texts. Absent: no record has the value, so the list is empty. */
  readonly column?: SqlColumn | 'search';
  readonly is: '=' | '>=' | '<=';
}

export interface FamilyTable {
  readonly resource: StoredFamily;
  readonly table: string;
  readonly columns: readonly SqlColumn[];
  readonly narrowings: readonly Narrowing[];
  /** The column of each sort by wire name; undefined sorts by id. */
  readonly sorts: ReadonlyMap<string, SqlColumn | undefined>;
  /** The paths of the texts that `search` reads. */
  readonly searched: readonly string[];
  /** The defaults of a new record. */
  readonly begins: Members;
  /** A record with every member of the family and the defaults, as JSON. */
  readonly blank: string;
  /** The column of a filter that nearly all records pass. The column's index helps only without other filters and without a sort. */
  readonly broad?: string;
  /** Another table that takes its ids from the same numbers: no id is in both tables. */
  readonly idsWith?: string;
  /** The SQL of a record as answers show it. Default: `doc`. */
  readonly shown?: string;
}

export type StoredFamily = Pick<Resource, 'name' | 'singular' | 'plural' | 'record' | 'columns' | 'filters' | 'sort' | 'defaultOrder'> &
  Partial<Pick<Resource, 'types' | 'fields' | 'sets' | 'arrays'>>;

type TableOptions = Pick<FamilyTable, 'searched'> & Partial<Pick<FamilyTable, 'begins' | 'broad' | 'idsWith' | 'shown'>>;

/** The table, filters and sorts of a family. */
export function familyTable(resource: StoredFamily, options: TableOptions): FamilyTable {
  const columns = new Map<string, SqlColumn>();
  const columnAt = (path: string): SqlColumn => {
    const column = columns.get(path) ?? { name: path.replaceAll('.', '_'), path, kind: kindOfColumn(resource, path) };
    columns.set(path, column);
    return column;
  };
  const narrowings = resource.filters.flatMap(filterParts).map(({ wire, type, read, flag }): Narrowing => {
    if (wire === 'search') return { wire, type, column: 'search', is: '=' };
    const [, bounded, end] = /^(.*)-(min|max)$/.exec(flag) ?? [];
    const place = bounded ?? filterPlace({ flag, ...(read !== undefined && { read }) });
    const path = [`${place}.id`, place].find((one) => resource.record.includes(one));
    return { wire, type, ...(path !== undefined && { column: columnAt(path) }), is: end === undefined ? '=' : end === 'min' ? '>=' : '<=' };
  });
  const sorts = new Map(
    Object.entries(resource.sort).map(([name, wire]) => {
      const member = memberNamed(resource, name);
      return [wire, member?.kind === 'value' ? columnAt(member.path) : undefined];
    }),
  );
  const { begins = {} } = options;
  const empty: Members = {};
  for (const path of resource.record) setAt(empty, path, null);
  for (const path of arraysOf(resource)) setAt(empty, path, []);
  const blank = JSON.stringify(mergedMembers(empty, begins));
  return { resource, table: resource.name, columns: [...columns.values()], narrowings, sorts, ...options, begins, blank };
}

/** A reference has two (interface: Notes, list query parameters). */
function filterParts(filter: Filter): Pick<Filter, 'flag' | 'wire' | 'type' | 'read'>[] {
  const { flag, wire, type } = filter;
  if (type.kind !== 'reference') return [filter];
  return [
    { flag, wire: `${wire}_type`, type: { kind: 'choice', values: type.types }, read: `${flag}.type` },
    { flag, wire: `${wire}_id`, type: { kind: 'id' }, read: `${flag}.id` },
  ];
}

function kindOfColumn(resource: StoredFamily, path: string): SqlColumn['kind'] {
  if (path === 'id' || path.endsWith('.id') || path.endsWith('_id')) return 'id';
  if (arraysOf(resource).includes(path)) return 'each';
  const member = memberNamed(resource, path);
  const type = member?.kind === 'value' ? member.type?.kind : undefined;
  if (type === 'integer' || type === 'id') return 'id';
  if (type === 'decimal') return 'decimal';
  return type === 'choice' || type === 'date' ? 'word' : 'text';
}

const arraysOf = ({ fields = [], sets = [], arrays = [], types = {} }: StoredFamily): string[] => [
  ...arrays,
  ...sets.map(({ read }) => read),
  ...fields.flatMap(({ type, read }) => (type.kind === 'numbered' && read !== undefined ? [read] : [])),
  // Types with a path `….id` are declared only for arrays of relations.
  ...Object.keys(types).flatMap((path) => (path.endsWith('.id') ? [path.slice(0, -'.id'.length)] : [])),
];

/**
 * The SQL that makes the tables and indexes of a family. Every index serves a filter, a sort (with the id for ties) or a walk over
 * all ids.
 */
export function tablesOf({ table, columns, broad }: FamilyTable): string {
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

/** The members of both records, within objects too. A member of `over` replaces the member of `under`. */
export function mergedMembers(under: Members, over: Members): Members {
  const members = Object.entries(over).map(([name, value]) => {
    const held = under[name];
    return [name, isMembers(value) && isMembers(held) ? mergedMembers(held, value) : value];
  });
  return { ...under, ...Object.fromEntries(members) };
}

/** Sets the value at a dotted path, and makes the objects on the way. */
export function setAt(record: Members, path: string, value: unknown): void {
  const [head = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    record[head] = value;
    return;
  }
  const inner = isMembers(record[head]) ? record[head] : {};
  record[head] = inner;
  setAt(inner, rest.join('.'), value);
}
