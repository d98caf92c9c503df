// The SQLite file behind the embedded CRM: opening and creating it, prepared statements, transactions. Several
// processes may use one file at once.

import { closeSync, existsSync, openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { systemCode, UnavailableError, UsageError } from '../../errors.ts';
import { hasSqliteCode, loadSqlite } from '../../files/sqlite.ts';
import { applicationId, schema, schemaVersion } from './families.ts';

export type SqlValue = string | number | null;
export type SqlValues = Readonly<Record<string, SqlValue>>;

// WAL is a property of the file; these belong to the connection. With WAL, NORMAL can lose the last writes in a power cut
// but never breaks the file. The log grows to 64 MB before it is copied back, so that creates don't slow down as the file grows.
const settings = 'PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 16000';

/** The page cache of a process that serves others, in KiB: it holds every index of 100,000 leads. */
const servingCache = 65_536;
/** The page cache of a process that runs one command: its memory must not grow with the file. */
const briefCache = 512;

/** How many things that were found out are kept. */
const keptFindings = 16;

/** How long a process waits for another one's write, in milliseconds. */
const busyTimeout = 10_000;

/** One open sandbox file. Every method throws node:sqlite's errors; SQL texts must be few, for each is kept prepared. */
export class Store {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** What `recall` keeps. */
  readonly #found = new Map<string, object>();
  #version: unknown;

  constructor(path: string, database: DatabaseSync) {
    this.path = path;
    this.#database = database;
  }

  /** The first row, or undefined. */
  get<T>(sql: string, ...values: SqlValue[]): T | undefined {
    return this.#statement(sql).get(...values) as T | undefined;
  }

  /** Every row. */
  all<T>(sql: string, ...values: SqlValue[]): T[] {
    return this.#statement(sql).all(...values) as T[];
  }

  /** What `find` found under this key, the same object until something is written, here or by another process; the last few are kept. */
  recall<T extends object>(key: string, find: () => T): T {
    this.#forgetOutdated();
    const kept = this.#found.get(key) as T | undefined;
    const found = kept ?? find();
    // What was wanted last is forgotten last.
    this.#found.delete(key);
    this.#found.set(key, found);
    const [oldest] = this.#found.keys();
    if (this.#found.size > keptFindings && oldest !== undefined) this.#found.delete(oldest);
    return found;
  }

  /** Runs a statement that answers no rows; gives the number of rows that it changed. */
  run(sql: string, ...values: SqlValue[]): number {
    this.#found.clear();
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Runs statements that are not worth keeping. */
  execute(sql: string): void {
    this.#found.clear();
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
    this.#found.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  /** Work inside other work belongs to it, and succeeds or fails with it. */
  #within<T>(begin: string, work: () => T): T {
    if (this.#database.isTransaction) return work();
    this.#statement(begin).run();
    try {
      const result = work();
      this.#statement('COMMIT').run();
      return result;
    } catch (error) {
      this.#found.clear();
      // Some failures (a full disk) have rolled back already.
      if (this.#database.isTransaction) this.#statement('ROLLBACK').run();
      throw error;
    }
  }

  /** SQLite's version of the file changes with every commit of another connection. */
  #forgetOutdated(): void {
    const version = this.get<{ data_version: number }>('PRAGMA data_version')?.data_version;
    if (version !== this.#version) this.#found.clear();
    this.#version = version;
  }

  #statement(sql: string): StatementSync {
    const kept = this.#statements.get(sql);
    if (kept !== undefined) return kept;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/**
 * Opens the sandbox at `path` (':memory:' for one that lives in this process). Mode `open` wants a finished file; mode `create`
 * makes the file (0600) and its tables when they are missing, also when several processes do so at once. `brief`: for one command
 * only. Throws UsageError when there is no sandbox, the file is not one or another version's, and UnavailableError when the disk fails.
 */
export function openStore(path: string, { mode, brief = false }: { mode: 'open' | 'create'; brief?: boolean }): Store {
  if (mode === 'open' && path !== ':memory:' && !existsSync(path)) {
    throw new UsageError(`There is no sandbox at ${path}.`, { hint: 'Make one: crm sandbox init' });
  }
  if (mode === 'create' && path !== ':memory:') makeFile(path);
  const database = openDatabase(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA cache_size = -${brief ? briefCache : servingCache}; ${settings}`);
    if (mode === 'create') createTables(database);
    checkIdentity(database, path);
    checkVersion(database, path);
    return new Store(path, database);
  } catch (error) {
    database.close();
    throw explained(error, path);
  }
}

function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw explained(error, path);
  }
}

function openDatabase(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  try {
    return new DatabaseSync(path);
  } catch (error) {
    throw explained(error, path);
  }
}

function createTables(database: DatabaseSync): void {
  useWriteAheadLog(database);
  inTransaction(database, () => {
    if (database.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined) return;
    database.exec(`PRAGMA application_id = ${applicationId}`);
    database.exec(schema());
    database.exec(`PRAGMA user_version = ${schemaVersion()}`);
  });
}

function checkVersion(database: DatabaseSync, path: string): void {
  if (pragma(database, 'user_version') === schemaVersion()) return;
  throw new UsageError(`The sandbox at ${path} was made by another version of crm.`, { hint: replaceHint });
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    // Some failures (a full disk) have rolled back already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Changing the journal mode doesn't wait for other processes as other statements do. */
function useWriteAheadLog(database: DatabaseSync): void {
  const deadline = performance.now() + busyTimeout;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!hasSqliteCode(error, 'busy') || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

function checkIdentity(database: DatabaseSync, path: string): void {
  if (pragma(database, 'application_id') !== applicationId) throw notSandbox(path);
}

function pragma(database: DatabaseSync, name: string): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name];
}

const replaceHint = 'Make it anew: crm sandbox init --force (a file of --db: delete it first)';

function notSandbox(path: string): UsageError {
  return new UsageError(`${path} is not a sandbox.`, { hint: replaceHint });
}

/** What a disk without room, or a broken one, does to a write, in a word; undefined for any other error, SQLite's or the system's. */
export function diskFailure(error: unknown): 'full' | 'failed' | undefined {
  const code = systemCode(error) ?? '';
  if (hasSqliteCode(error, 'full') || code === 'ENOSPC' || code === 'EDQUOT') return 'full';
  return hasSqliteCode(error, 'io') || code === 'EIO' || code === 'EFBIG' ? 'failed' : undefined;
}

/**
 * What SQLite or the system says of a sandbox file, as the error that tells a user what to do; other errors as they are.
 * `outcome`: what is there when the disk failed.
 */
export function explained(error: unknown, path: string, outcome = 'Nothing was written.'): unknown {
  const failure = diskFailure(error);
  if (failure !== undefined) {
    const what = failure === 'full' ? 'the disk is full' : 'the disk failed or has no room';
    return new UnavailableError(`The sandbox at ${path} can't be used: ${what}. ${outcome}`, {
      hint: 'Make room on the disk, and try again.',
      cause: error,
    });
  }
  if (hasSqliteCode(error, 'notDatabase')) return notSandbox(path);
  if (hasSqliteCode(error, 'busy')) {
    return new UnavailableError(`The sandbox at ${path} is in use: another process has been writing to it for ${busyTimeout / 1000} s.`, {
      hint: 'Try again when it is done.',
      cause: error,
    });
  }
  const isBarred = hasSqliteCode(error, 'cannotOpen') || hasSqliteCode(error, 'readOnly');
  if (!isBarred && !['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '')) return error;
  return new UsageError(`The sandbox at ${path} can't be opened.`, {
    hint: 'It must be a file, and it and its directory must be writable.',
    cause: error,
  });
}
