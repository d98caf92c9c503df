// Answers lists: filters, search, sort, order and pages over one table (interface: list query parameters). Finds the ids of the
// page through an index, then reads their records.

import type { FamilyTable, SqlColumn } from '../store/family-table.ts';
import { columnValue } from '../store/records.ts';
import type { SqlValue, Store } from '../store/store.ts';
import { familyNouns } from './families.ts';
import type { Reply, SandboxService } from './service.ts';
import { checkValue, FieldProblems, isUnfilled, sentInteger, spokenName, type WireValues } from './values.ts';

/** Page size when `limit` is absent (vendor facts), and its cap (interface: Limits). */
const defaultLimit = 25;
const maxLimit = 100;

/** A page of records in the list envelope, all read at the same moment. Throws the 422 for a bad filter, sort, order, limit or page. */
export function listReply({ store }: SandboxService, family: FamilyTable, query: WireValues): Reply {
  const problems = new FieldProblems();
  const { from, values } = selectedRows(family, query, problems);
  const orderBy = sqlOrder(family, query, problems);
  const limit = Math.min(countIn('limit', query, defaultLimit, problems), maxLimit);
  const page = countIn('page', query, 1, problems);
  problems.throwIfAny();
  const offset = (page - 1) * limit;
  return store.snapshot(() => {
    const count = `SELECT count(*) AS total ${from}`;
    // Counted once for all pages.
    const { total } = store.recall(JSON.stringify([count, values]), () => ({
      total: 0,
      ...store.get<{ total: number }>(count, ...values),
    }));
    const ids = pageIds(store, `SELECT id ${from} ${orderBy} LIMIT ? OFFSET ?`, values, { offset, limit, total });
    const meta = { current_page: page, per_page: limit, total, last_page: Math.max(1, Math.ceil(total / limit)) };
    const { data } = store.recall(JSON.stringify([from, orderBy, values, offset, limit]), () => ({
      data: recordsOfPage(store, family, ids),
    }));
    return { status: 200, data, meta, message: `${familyNouns(family)} retrieved successfully.` };
  });
}

/** The ids of consecutive rows, from row `start` (0 is the first). */
interface Stretch {
  start: number;
  ids: readonly number[];
}

const shortestStretch = 1000;
/** 50,000 ids take less than a megabyte. */
const longestStretch = 50_000;

interface PageRange {
  readonly offset: number;
  readonly limit: number;
  /** The number of rows of the whole list. */
  readonly total: number;
}

/**
 * The ids of a page. `sql` selects `id` in order, and ends with `LIMIT ? OFFSET ?`. For a client that reads page after page, the ids of many
 * pages are looked up at once: OFFSET walks over every row before the page.
 */
function pageIds(store: Store, sql: string, values: readonly SqlValue[], { offset, limit, total }: PageRange): readonly number[] {
  const end = Math.min(offset + limit, total);
  if (offset >= end) return [];
  const stretch = store.recall<Stretch>(JSON.stringify([sql, values]), () => ({ start: 0, ids: [] }));
  if (offset < stretch.start || end > stretch.start + stretch.ids.length) {
    // Looks up as many ids as there are rows before this page, within bounds: so a whole list needs few look-ups.
    const isReader = stretch.ids.length > 0 && offset > stretch.start;
    const length = isReader ? Math.min(Math.max(offset, shortestStretch), longestStretch) : limit;
    stretch.ids = store.all<{ id: number }>(sql, ...values, Math.max(length, limit), offset).map(({ id }) => id);
    stretch.start = offset;
  }
  return stretch.ids.slice(offset - stretch.start, end - stretch.start);
}

function recordsOfPage(store: Store, { table, shown = 'doc' }: FamilyTable, ids: readonly number[]): string {
  const sql = `SELECT group_concat(doc, ',' ORDER BY key) AS docs FROM
    (SELECT wanted.key AS key, ${shown} AS doc FROM json_each(?) AS wanted CROSS JOIN ${table} ON ${table}.id = wanted.value)`;
  return `[${store.get<{ docs: string | null }>(sql, JSON.stringify(ids))?.docs ?? ''}]`;
}

function selectedRows(
  { table, narrowings, broad }: FamilyTable,
  query: WireValues,
  problems: FieldProblems,
): { from: string; values: SqlValue[] } {
  const asked = narrowings.filter(({ wire }) => !isUnfilled(query[wire]));
  const isPlain = isUnfilled(query.sort) && asked.every(({ column }) => column === 'search');
  const isAlone = asked.length === 1 && isUnfilled(query.sort);
  const parts: string[] = [];
  const values: SqlValue[] = [];
  for (const { wire, type, column, is } of asked) {
    const value = checkValue(type, query[wire]);
    if (typeof value === 'object') problems.add(wire, value.problem(spokenName(wire)));
    else if (column === 'search') {
      parts.push('instr(search, ?) > 0');
      values.push(String(value).toLowerCase());
    } else {
      parts.push(condition(table, column, is, column?.name === broad && !isAlone));
      values.push(column === undefined ? value : columnValue(column, value));
    }
  }
  // A late page and a search read only this narrow index, not the records.
  const index = isPlain ? ` INDEXED BY ${table}_${asked.length > 0 ? 'search' : 'id'}` : '';
  return { from: `FROM ${table}${index}${parts.length === 0 ? '' : ` WHERE ${parts.join(' AND ')}`}`, values };
}

function condition(table: string, column: SqlColumn | undefined, is: string, isBroad: boolean): string {
  if (column === undefined) return 'NULL = ?';
  if (column.kind === 'each') return `id IN (SELECT id FROM ${table}_${column.name} WHERE value = ?)`;
  // A plus sign before a column keeps SQLite from using the column's index.
  return `${isBroad ? '+' : ''}${column.name} ${is} ?`;
}

function sqlOrder({ resource, sorts }: FamilyTable, query: WireValues, problems: FieldProblems): string {
  const order = isUnfilled(query.order) ? (resource.defaultOrder ?? 'desc') : query.order;
  if (order !== 'asc' && order !== 'desc') problems.addInvalid('order');
  if (isUnfilled(query.sort)) return `ORDER BY id ${order}`;
  const sort = String(query.sort);
  if (!sorts.has(sort)) problems.addInvalid('sort');
  const column = sorts.get(sort);
  return `ORDER BY ${column === undefined ? '' : `${column.name} ${order}, `}id ${order}`;
}

function countIn(name: 'limit' | 'page', query: WireValues, fallback: number, problems: FieldProblems): number {
  if (isUnfilled(query[name])) return fallback;
  const count = sentInteger(query[name]);
  if (count === undefined) problems.add(name, `The ${name} must be an integer.`);
  else if (count < 1) problems.add(name, `The ${name} must be at least 1.`);
  return count ?? fallback;
}
