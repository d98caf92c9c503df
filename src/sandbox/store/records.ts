// Reads and writes the records of a table. Every record is written by `save`.

import { parseJson, scalarText } from '../../base/values/json.ts';
import { type Members, valueAt } from '../../base/values/paths.ts';
import { decimalKey } from './decimals.ts';
import { type FamilyTable, mergedMembers, type SqlColumn } from './family-table.ts';
import type { SqlValue, Store } from './store.ts';

/** The JSON text of a record as answers show it; undefined when no record has the id. */
export const recordJson = (store: Store, { table, shown = 'doc' }: FamilyTable, id: number): string | undefined =>
  store.get<{ doc: string }>(`SELECT ${shown} AS doc FROM ${table} WHERE id = ?`, id)?.doc;

/** A record as stored; undefined when no record has the id. */
export function storedRecord(store: Store, { table }: FamilyTable, id: number): Members | undefined {
  const row = store.get<{ doc: string }>(`SELECT doc FROM ${table} WHERE id = ?`, id);
  return row && (parseJson(row.doc) as Members);
}

/** The records with this value in a column, in the order of their ids. */
export function recordsWith(store: Store, { table }: FamilyTable, column: string, value: SqlValue): Members[] {
  const rows = store.all<{ doc: string }>(`SELECT doc FROM ${table} WHERE ${column} = ? ORDER BY id`, value);
  return rows.map(({ doc }) => parseJson(doc) as Members);
}

/**
 * Writes a record and its columns. Gives a record without an id the next id. Returns the record with its id. Throws RangeError
 * when the id is no positive safe integer.
 */
export function save(store: Store, family: FamilyTable, record: Members): Members & { readonly id: number } {
  const { table, columns, searched } = family;
  const isNew = record.id === null || record.id === undefined;
  const id = isNew ? nextId(store, family) : Number(scalarText(record.id));
  if (!Number.isSafeInteger(id) || id < 1) throw new RangeError('its id is no whole number that can be kept');
  const full = isNew ? { ...record, id } : record;
  const texts = searched.map((path) => valueAt(full, path)).filter((value) => value !== null && value !== undefined);
  // The separator keeps a search from matching across two texts.
  const row: Record<string, SqlValue> = { search: texts.map(scalarText).join('\u001f').toLowerCase() };
  for (const column of columns) if (column.kind !== 'each') row[column.name] = columnValue(column, valueAt(full, column.path));
  row.doc = JSON.stringify(full);
  writeRow(store, table, id, row);
  for (const { name, path } of columns.filter(({ kind }) => kind === 'each')) {
    store.run(`DELETE FROM ${table}_${name} WHERE id = ?`, id);
    for (const value of [valueAt(full, `${path}.id`) ?? []].flat()) {
      store.run(`INSERT OR IGNORE INTO ${table}_${name} (value, id) VALUES (?, ?)`, wholeId(value) ?? 0, id);
    }
  }
  return { ...full, id };
}

/** Each column has an index, so writing an unchanged column would cost time. */
function writeRow(store: Store, table: string, id: number, row: Record<string, SqlValue>): void {
  const names = Object.keys(row);
  const before = store.get<Record<string, SqlValue>>(`SELECT ${names.join(', ')} FROM ${table} WHERE id = ?`, id);
  if (before === undefined) {
    store.run(`INSERT INTO ${table} (id, ${names.join(', ')}) VALUES (?${', ?'.repeat(names.length)})`, id, ...Object.values(row));
    return;
  }
  for (const name of names)
    if (row[name] !== before[name]) store.run(`UPDATE ${table} SET ${name} = ? WHERE id = ?`, row[name] ?? null, id);
}

/** Removes a record with its rows in the tables of arrays. */
export function drop(store: Store, { table, columns }: FamilyTable, id: number): void {
  store.run(`DELETE FROM ${table} WHERE id = ?`, id);
  for (const { name, kind } of columns) if (kind === 'each') store.run(`DELETE FROM ${table}_${name} WHERE id = ?`, id);
}

/** The highest id ever given in this table or in `idsWith`, + 1. */
function nextId(store: Store, { table, idsWith = table }: FamilyTable): number {
  const last = store.get<{ last: number | null }>('SELECT max(seq) AS last FROM sqlite_sequence WHERE name IN (?, ?)', table, idsWith);
  return (last?.last ?? 0) + 1;
}

/** The value as a column holds it. A filter converts its value in the same way. */
export function columnValue({ kind }: Pick<SqlColumn, 'kind'>, value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case 'id':
    case 'each':
      return wholeId(value);
    case 'decimal':
      return decimalKey(scalarText(value));
    case 'text':
      return scalarText(value).toLowerCase();
    case 'word':
      return scalarText(value);
  }
}

function wholeId(value: unknown): number | null {
  const id = Number(scalarText(value));
  return Number.isSafeInteger(id) ? id : null;
}

/** A record with every member of its family: the given members, then the defaults, else null (`[]` for an array). */
export const wholeRecord = ({ blank }: FamilyTable, given: Members): Members => mergedMembers(JSON.parse(blank) as Members, given);
