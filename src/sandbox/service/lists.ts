// Lists: filters, search, sort, order and pages over one table (interface: list query parameters). First the ids of the
// page, found through an index; then each record by its id.

import type { Filter } from '../../resources/define.ts';
import { decimalKey } from '../store/decimals.ts';
import type { SqlValue, Store } from '../store/store.ts';
import { pageIds } from './page-ids.ts';
import type { Reply } from './service.ts';
import { checkValue, isBlank, Problems, type Values, wholeNumber, words } from './values.ts';

export interface Listing {
  readonly table: string;
  /** A condition on every row, in the words of the table's partial indexes. */
  readonly always?: string;
  /** The declared filters, for their types. */
  readonly filters: readonly Filter[];
  /** Filter to SQL condition with one `?`. A `search` through the column of that name is built in. */
  readonly where: Readonly<Record<string, string>>;
  /** The narrow index of the ids: it finds a late page of an unfiltered list without reading the rows before it. */
  readonly ids?: string;
  /** A filter on a column that nearly all rows pass: its index is of use only where nothing else narrows or sorts. */
  readonly broad?: string;
  /** Sort name to column. */
  readonly sort: Readonly<Record<string, string>>;
  /** The column that sorts when no sort is given; without this the id does. */
  readonly by?: string;
  /** The order when none is given, also of the ids when no sort is given. */
  readonly order: 'asc' | 'desc';
}

/** Page size when `limit` is absent (vendor facts), and its cap (interface: Limits). */
const defaultLimit = 25;
const maxLimit = 100;

/** One page of records, all as of one moment, in the list envelope; `select` gives a record's JSON by its id. Throws the 422 for a bad filter, sort, order, limit or page. */
export function listReply(store: Store, listing: Listing, query: Values, select: string, message: string): Reply {
  const problems = new Problems();
  const conditions = conditionsOf(listing, query, problems);
  const orderBy = orderOf(listing, query, problems);
  const limit = Math.min(countIn('limit', query, defaultLimit, problems), maxLimit);
  const page = countIn('page', query, 1, problems);
  problems.throwIfAny();
  const from = fromOf(listing, query, conditions.sql);
  const offset = (page - 1) * limit;
  return store.snapshot(() => {
    const total = totalOf(store, from, conditions.values);
    const sql = `SELECT id ${from} ${orderBy} LIMIT ? OFFSET ?`;
    const ids = pageIds(store, sql, conditions.values, { offset, limit, total });
    const meta = { current_page: page, per_page: limit, total, last_page: Math.max(1, Math.ceil(total / limit)) };
    return { status: 200, data: jsonArray(store.jsons(select, ids)), meta, message };
  });
}

/** Counted once for all pages. */
function totalOf(store: Store, from: string, values: readonly SqlValue[]): number {
  const sql = `SELECT count(*) AS total ${from}`;
  return store.recall(JSON.stringify([sql, values]), () => ({ total: 0, ...store.get<{ total: number }>(sql, ...values) })).total;
}

/** A JSON array of elements that are JSON already. */
export function jsonArray(elements: readonly string[]): string {
  return `[${elements.join(',')}]`;
}

function fromOf(listing: Listing, query: Values, conditions: string): string {
  const isPlain = isBlank(query.sort) && !listing.filters.flatMap(filterParts).some(({ wire }) => !isBlank(query[wire]));
  return `FROM ${listing.table}${isPlain && listing.ids !== undefined ? ` INDEXED BY ${listing.ids}` : ''}${conditions}`;
}

function conditionsOf(listing: Listing, query: Values, problems: Problems): { sql: string; values: SqlValue[] } {
  const parts: string[] = [];
  const values: SqlValue[] = [];
  const asked = listing.filters.flatMap(filterParts).filter(({ wire }) => !isBlank(query[wire]));
  const isAlone = asked.length === 1 && isBlank(query.sort);
  for (const filter of asked) {
    const condition = listing.where[filter.wire] ?? (filter.wire === 'search' ? 'instr(search, ?) > 0' : undefined);
    const value = checkValue(filter.type, query[filter.wire]);
    if (typeof value === 'object') problems.add(filter.wire, value.problem(words(filter.wire)));
    else if (condition !== undefined) {
      // In SQLite a plus sign keeps a column from being looked up in an index.
      parts.push(filter.wire === listing.broad && !isAlone ? `+${condition}` : condition);
      values.push(comparable(filter, value));
    }
  }
  const all = listing.always === undefined ? parts : [listing.always, ...parts];
  return { sql: all.length === 0 ? '' : ` WHERE ${all.join(' AND ')}`, values };
}

/** Texts are searched in lower case, decimals compared by their keys. */
function comparable({ wire, type }: Pick<Filter, 'wire' | 'type'>, value: string | number): SqlValue {
  if (wire === 'search') return String(value).toLowerCase();
  return type.kind === 'decimal' ? decimalKey(String(value)) : value;
}

/** A reference travels as two query parameters (interface: Notes, list query parameters). */
function filterParts(filter: Filter): Pick<Filter, 'wire' | 'type'>[] {
  if (filter.type.kind !== 'reference') return [filter];
  return [
    { wire: `${filter.wire}_type`, type: { kind: 'choice', values: filter.type.types } },
    { wire: `${filter.wire}_id`, type: { kind: 'id' } },
  ];
}

function orderOf(listing: Listing, query: Values, problems: Problems): string {
  const order = isBlank(query.order) ? listing.order : query.order;
  if (order !== 'asc' && order !== 'desc') problems.addInvalid('order');
  if (isBlank(query.sort)) return `ORDER BY ${listing.by === undefined ? '' : `${listing.by} ${order}, `}id ${order}`;
  const sort = query.sort;
  const column = typeof sort === 'string' && Object.hasOwn(listing.sort, sort) ? listing.sort[sort] : undefined;
  if (column === undefined) problems.addInvalid('sort');
  return `ORDER BY ${column} ${order}, id ${order}`;
}

function countIn(name: 'limit' | 'page', query: Values, fallback: number, problems: Problems): number {
  if (isBlank(query[name])) return fallback;
  const count = wholeNumber(query[name]);
  if (count === undefined) problems.add(name, `The ${name} must be an integer.`);
  else if (count < 1) problems.add(name, `The ${name} must be at least 1.`);
  return count ?? fallback;
}
