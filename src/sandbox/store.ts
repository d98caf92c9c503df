// The SQLite file behind the embedded CRM: opening and creating it, prepared statements, transactions. Several
// processes may use one file at once, and none of this knows what the rows mean.

import { closeSync, existsSync, openSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { UsageError } from '../errors.ts';
import { applicationId, schema, schemaVersion } from './schema.ts';
import { loadSqlite } from './sqlite.ts';

export type Value = string | number | null;
export type Columns = Readonly<Record<string, Value>>;

/** How long a process waits for another one's write, in milliseconds. */
const busyTimeout = 10_000;

/** One open sandbox file. Every method throws node:sqlite's errors; SQL texts must be few, for each is kept prepared. */
export class Store {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, database: DatabaseSync) {
    this.path = path;
    this.#database = database;
  }

  /** The first row, or undefined. */
  get<T>(sql: string, ...values: Value[]): T | undefined {
    return this.#statement(sql).get(...values) as T | undefined;
  }

  /** Every row. */
  all<T>(sql: string, ...values: Value[]): T[] {
    return this.#statement(sql).all(...values) as T[];
  }

  /** Runs a statement that answers no rows; gives the number of rows that it changed. */
  run(sql: string, ...values: Value[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Adds a row and gives its id. */
  insert(table: string, columns: Columns): number {
    const names = Object.keys(columns);
    const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    return Number(this.#statement(sql).run(...(Object.values(columns) as SQLInputValue[])).lastInsertRowid);
  }

  /** Sets columns of the row with this id. */
  update(table: string, id: number, columns: Columns): void {
    const names = Object.keys(columns);
    this.run(`UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`, ...Object.values(columns), id);
  }

  /** Removes the row with this id, and what its foreign keys take along. */
  remove(table: string, id: number): void {
    this.run(`DELETE FROM ${table} WHERE id = ?`, id);
  }

  /** Runs statements that are not worth keeping. */
  execute(sql: string): void {
    this.#database.exec(sql);
  }

  /** Everything `work` writes, or, when it throws, nothing. Waits for other processes' writes first. */
  transaction<T>(work: () => T): T {
    return this.#within('BEGIN IMMEDIATE', work);
  }

  /** Everything `work` reads is of one moment, whatever other processes write meanwhile. */
  snapshot<T>(work: () => T): T {
    return this.#within('BEGIN', work);
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  /** Work inside other work belongs to it, and succeeds or fails with it. */
  #within<T>(begin: string, work: () => T): T {
    if (this.#database.isTransaction) return work();
    this.run(begin);
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      // Some failures (a full disk) have rolled back already.
      if (this.#database.isTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/**
 * Opens the sandbox at `path` (':memory:' for one that lives in this process). Mode `open` wants a finished file and
 * does nothing to it; mode `create` makes the file (0600) and its tables when they are missing, also when several
 * processes do so at once. Throws UsageError when there is no sandbox or the file is not one.
 */
export function openStore(path: string, { mode }: { mode: 'open' | 'create' }): Store {
  if (mode === 'open' && path !== ':memory:' && !existsSync(path)) {
    throw new UsageError(`There is no sandbox at ${path}.`, { hint: 'crm sandbox init' });
  }
  if (mode === 'create' && path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const database = new (loadSqlite().DatabaseSync)(path);
  try {
    // WAL is a property of the file; these belong to the connection. With WAL, NORMAL can lose the last writes in a power
    // cut but never breaks the file. The cache holds every index of 100,000 leads, so that creates don't slow down.
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536`);
    if (mode === 'create') createTables(database);
    checkIdentity(database, path);
    return new Store(path, database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function createTables(database: DatabaseSync): void {
  useWriteAheadLog(database);
  database.exec('BEGIN IMMEDIATE');
  try {
    if (pragma(database, 'user_version') === 0) {
      database.exec(`${schema} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`);
    }
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** Changing the journal mode doesn't wait for other processes as other statements do. */
function useWriteAheadLog(database: DatabaseSync): void {
  const deadline = Date.now() + busyTimeout;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

/** SQLITE_BUSY: another process holds the lock. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}

function checkIdentity(database: DatabaseSync, path: string): void {
  if (!isSandbox(database)) throw new UsageError(`${path} is not a sandbox.`, { hint: 'crm sandbox init --force replaces it' });
  if (pragma(database, 'user_version') === schemaVersion) return;
  throw new UsageError(`The sandbox at ${path} was made by another version of crm.`, { hint: 'crm sandbox init --force' });
}

function isSandbox(database: DatabaseSync): boolean {
  try {
    return pragma(database, 'application_id') === applicationId;
  } catch (error) {
    if (error instanceof Error && error.message.includes('not a database')) return false;
    throw error;
  }
}

function pragma(database: DatabaseSync, name: string): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name];
}
