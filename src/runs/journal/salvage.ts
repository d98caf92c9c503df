// What can still be read of a damaged journal, in a new file. The damaged one stays as it is: a copy of it is read. SQLite reads the tables
// as far as it comes, from both ends.

import { randomInt } from 'node:crypto';
import { closeSync, copyFileSync, existsSync, fstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { ConflictError } from '../../errors.ts';
import { hasSqliteCode, loadSqlite } from '../../files/sqlite.ts';
import { JournalFile, type SqlRow } from './journal-file.ts';

export interface Salvaged {
  readonly runs: number;
  readonly steps: number;
  /** Records that runs made. */
  readonly made: number;
  /** The tables of which a part may be missing. */
  readonly missing: readonly string[];
}

/** Those of runs first, for the rows of others need theirs. */
const tables = ['runs', 'sessions', 'baselines', 'steps', 'made'] as const;

/** The members that are JSON: a row in which they aren't any more is no use. */
const documents = ['details', 'ids', 'body', 'before', 'after'] as const;

/** Writes a row, once; false for one that makes no sense. */
type Put = (row: SqlRow) => boolean;

/** Writes what can be read of a journal into a new file. Throws ConflictError where that is nothing. */
export function salvage(from: string, to: string, service: string): Salvaged {
  const copy = `${to}.${process.pid}.${randomInt(2 ** 32)}.draft`;
  let isDone = false;
  try {
    for (const ending of ['', '-wal']) if (existsSync(`${from}${ending}`)) copyFileSync(`${from}${ending}`, `${copy}${ending}`);
    JournalFile.make(to, service);
    const fresh = `${copy}.fresh`;
    copyFileSync(to, fresh);
    const target = new (loadSqlite().DatabaseSync)(to);
    try {
      const missing = filled(target, copy, fresh);
      const count = (table: string): number => Number(target.prepare(`SELECT count(*) AS number FROM ${table}`).get()?.number);
      if (count('runs') === 0) throw new ConflictError(`Nothing can be read any more of the journal ${from}.`);
      isDone = true;
      return { runs: count('runs'), steps: count('steps'), made: count('made'), missing };
    } finally {
      target.close();
      removed(fresh);
    }
  } finally {
    removed(copy);
    if (!isDone) removed(to);
  }
}

const removed = (path: string): void => {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
};

const isDamage = (error: unknown): boolean => error instanceof Error && 'errcode' in error && !hasSqliteCode(error, 'full');

/** Fills the new file; gives the tables of which a part may be missing. */
function filled(target: DatabaseSync, copy: string, fresh: string): readonly string[] {
  const puts = tables.map((table) => [table, putter(target, table)] as const);
  const unread = (): string[] => puts.flatMap(([table, put]) => (isRead(copy, table, put) ? [] : [table]));
  const first = unread();
  if (first.length === 0) return [];
  // What was in the log is in the file now, or no use.
  for (const ending of ['-wal', '-shm']) rmSync(`${copy}${ending}`, { force: true });
  mendSchema(copy, fresh);
  const second = unread();
  return first.length === tables.length ? second : first;
}

/** Copies the rows of a table, from its beginning and from its end as far as they can be read; false where some can't be. */
function isRead(path: string, table: string, put: Put): boolean {
  for (const order of ['ASC', 'DESC']) {
    let source: DatabaseSync | undefined;
    try {
      source = new (loadSqlite().DatabaseSync)(path);
      const key = source.prepare(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0 ORDER BY pk`).all();
      const rows = source.prepare(`SELECT * FROM ${table} ORDER BY ${key.map(({ name }) => `${name} ${order}`).join(', ')}`);
      // A number that makes no sense may be any.
      rows.setReadBigInts(true);
      let isWhole = true;
      for (const row of rows.iterate()) isWhole = put(row) && isWhole;
      return isWhole && order === 'ASC';
    } catch (error) {
      if (!isDamage(error)) throw error;
    } finally {
      source?.close();
    }
  }
  return false;
}

/**
 * Puts a new file's header and schema in place of what may be damaged: in a file of the same version the tables begin at the same places
 * (SQLite's file format, 1.3: the number of pages at 28, that of free ones at 32).
 */
function mendSchema(path: string, fresh: string): void {
  const database = new (loadSqlite().DatabaseSync)(fresh);
  const size = Number(database.prepare('PRAGMA page_size').get()?.page_size);
  const begins = new Set(
    database
      .prepare('SELECT rootpage FROM sqlite_schema')
      .all()
      .map(({ rootpage }) => Number(rootpage)),
  );
  database.close();
  const whole = readFileSync(fresh);
  const file = openSync(path, 'r+');
  const count = Math.floor(fstatSync(file).size / size);
  whole.writeUInt32BE(count, 28);
  whole.fill(0, 32, 40);
  for (let page = 1; page <= Math.min(whole.length / size, count); page += 1)
    if (!begins.has(page)) writeSync(file, whole, (page - 1) * size, size, (page - 1) * size);
  closeSync(file);
}

/** Writes rows of a table into the new file: those that hold what their columns take, and of a run that is there. */
function putter(target: DatabaseSync, table: string): Put {
  const columns = target.prepare(`SELECT name, type FROM pragma_table_info('${table}')`).all();
  const names = columns.map(({ name }) => String(name));
  const insert = target.prepare(`INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`);
  const run = target.prepare('SELECT 1 FROM runs WHERE id = ?');
  const isOfType = (row: SqlRow): boolean =>
    columns.every(({ name, type }) => row[String(name)] === null || typeOf(row[String(name)] ?? null) === type);
  return (row) => {
    try {
      for (const name of documents) if (typeof row[name] === 'string') JSON.parse(row[name]);
      if (!isOfType(row) || (row.run !== undefined && run.get(row.run) === undefined)) return false;
      insert.run(...names.map((name) => row[name] ?? null));
      return true;
    } catch (error) {
      if (isDamage(error) || error instanceof SyntaxError) return false;
      throw error;
    }
  };
}

function typeOf(value: SQLOutputValue): string {
  if (typeof value === 'bigint' || typeof value === 'number') return 'INTEGER';
  return typeof value === 'string' ? 'TEXT' : 'BLOB';
}
