// What can still be read of a damaged journal, in a new file. The damaged one stays as it is: a copy of it is read. SQLite reads the tables
// as far as it comes; where it breaks off, each page that holds rows is given to it as if it were all of its table.

import { randomInt } from 'node:crypto';
import { closeSync, copyFileSync, existsSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
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

/** The tables by the kind of page that holds their rows (SQLite's file format, 1.6); those of runs first, for the rows of others need theirs. */
const tablesOfPages: readonly (readonly [type: number, tables: readonly string[]])[] = [
  [0x0d, ['runs', 'sessions']],
  [0x0a, ['baselines', 'steps', 'made']],
];
const tables = tablesOfPages.flatMap(([, names]) => names);

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
  const puts = new Map(tables.map((table) => [table, putter(target, table)]));
  const unread = (): string[] => tables.filter((table) => !isRead(copy, table, puts.get(table)));
  const first = unread();
  if (first.length === 0) return [];
  // What was in the log is in the file now, or no use.
  for (const ending of ['-wal', '-shm']) rmSync(`${copy}${ending}`, { force: true });
  const pages = new Pages(copy, fresh);
  try {
    pages.mendSchema();
    const missing = first.length === tables.length ? unread() : first;
    if (missing.length === 0) return [];
    for (const [type, names] of tablesOfPages) {
      for (const page of pages.ofType(type)) {
        pages.asWhole(page, names);
        for (const table of names) isRead(copy, table, puts.get(table));
      }
    }
    return missing;
  } finally {
    pages.close();
  }
}

/** Copies the rows of a table; false where some can't be read. */
function isRead(path: string, table: string, put: Put = () => false): boolean {
  let source: DatabaseSync | undefined;
  try {
    source = new (loadSqlite().DatabaseSync)(path);
    const rows = source.prepare(`SELECT * FROM ${table}`);
    // A number that makes no sense may be any.
    rows.setReadBigInts(true);
    let isWhole = true;
    for (const row of rows.iterate()) isWhole = put(row) && isWhole;
    return isWhole;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  } finally {
    source?.close();
  }
}

/** A file page by page. In a new file of the same version the tables begin at the same places. */
class Pages {
  readonly #file: number;
  readonly #fresh: number;
  readonly #size: number;
  readonly #count: number;
  /** Where each table and index begins. */
  readonly #roots: ReadonlyMap<string, number>;
  /** The pages where tables begin, as they were. */
  readonly #own = new Map<number, Buffer>();

  constructor(path: string, fresh: string) {
    this.#file = openSync(path, 'r+');
    this.#fresh = openSync(fresh, 'r');
    const database = new (loadSqlite().DatabaseSync)(fresh);
    this.#size = Number(database.prepare('PRAGMA page_size').get()?.page_size);
    const all = database.prepare('SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0').all();
    this.#roots = new Map(all.map(({ name, rootpage }) => [String(name), Number(rootpage)]));
    database.close();
    this.#count = Math.floor(fstatSync(this.#file).size / this.#size);
    for (const root of this.#roots.values()) this.#own.set(root, this.#read(this.#file, root));
  }

  /** Puts a new file's schema and header in place of what may be damaged: the number of pages at 28, that of free ones at 32 (1.3). */
  mendSchema(): void {
    const { size } = fstatSync(this.#fresh);
    const begins = new Set(this.#roots.values());
    for (let page = 1; page <= Math.min(size / this.#size, this.#count); page += 1) {
      const bytes = this.#read(this.#fresh, page);
      if (page === 1) bytes.writeUInt32BE(this.#count, 28);
      if (page === 1) bytes.fill(0, 32, 40);
      if (!begins.has(page)) this.#write(page, bytes);
    }
  }

  /** The pages of a type (1.6). */
  *ofType(type: number): Generator<Buffer> {
    for (let page = 2; page <= this.#count; page += 1) {
      const bytes = this.#own.get(page) ?? this.#read(this.#file, page);
      if (bytes[0] === type) yield bytes;
    }
  }

  /** Lets tables hold the rows of a page and no others. */
  asWhole(page: Buffer, names: readonly string[]): void {
    for (const name of names) this.#write(this.#roots.get(name) ?? 0, page);
  }

  close(): void {
    closeSync(this.#file);
    closeSync(this.#fresh);
  }

  #read(file: number, page: number): Buffer {
    const bytes = Buffer.alloc(this.#size);
    readSync(file, bytes, 0, this.#size, (page - 1) * this.#size);
    return bytes;
  }

  #write(page: number, bytes: Buffer): void {
    if (page > 0 && page <= this.#count) writeSync(this.#file, bytes, 0, this.#size, (page - 1) * this.#size);
  }
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
