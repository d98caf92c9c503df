// The SQLite file of the embedded CRM: opens or creates the file, keeps prepared statements, runs transactions. Several
// processes may use the file at once.

import { closeSync, existsSync, openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { systemCode, UnauthorizedError, UnavailableError, UsageError } from '../../base/errors.ts';
import { diskFailure } from '../../base/files/disk-failure.ts';
import { hasSqliteCode, inTransaction, loadSqlite } from '../../base/files/sqlite.ts';
import { writtenByNewer } from '../../base/version.ts';
import { applicationId, format, formatOf, schema } from './families.ts';

export type SqlValue = string | number | null;
export type SqlValues = Readonly<Record<string, SqlValue>>;

// The system decides when to write to the disk: a killed process loses nothing, but a power cut may break the file. A sandbox holds no
// customer's data, and waiting for the disk would double the time of a create.
const settings = 'PRAGMA synchronous = OFF';

/** The page cache of a process that serves others, in KiB: it holds every index of 100,000 leads. */
const servingCache = 65_536;
/** The page cache of a process that runs one command: its memory must not grow with the file. */
const briefCache = 512;

/** The most results that `recall` remembers. */
const mostFindings = 16;

/** Milliseconds that a process waits for another process's write. */
const busyTimeout = 10_000;

/** An open sandbox file. Every method throws node:sqlite's errors. Every SQL text stays prepared, so there must be few different texts. */
export class Store {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
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

  /**
   * The result of `find` for this key. The same object is returned until a process writes to the file. Only the latest results are remembered.
   */
  recall<T extends object>(key: string, find: () => T): T {
    this.#forgetOutdated();
    const found = (this.#found.get(key) as T | undefined) ?? find();
    // Moved to the end: the first key is dropped first.
    this.#found.delete(key);
    this.#found.set(key, found);
    const [oldest] = this.#found.keys();
    if (this.#found.size > mostFindings && oldest !== undefined) this.#found.delete(oldest);
    return found;
  }

  /** Runs a statement without rows. Returns the number of rows that the statement changed. */
  run(sql: string, ...values: SqlValue[]): number {
    this.#found.clear();
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Runs SQL without keeping the statements prepared. */
  execute(sql: string): void {
    this.#found.clear();
    this.#database.exec(sql);
  }

  /** Runs `work` in a transaction, which is rolled back when `work` throws. Waits for other processes' writes first. */
  transaction<T>(work: () => T): T {
    return this.#within('BEGIN IMMEDIATE', work);
  }

  /** Runs `work` on the records as they are now: writes of other processes stay invisible until the end. */
  snapshot<T>(work: () => T): T {
    return this.#within('BEGIN', work);
  }

  close(): void {
    this.#statements.clear();
    this.#found.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  /** Runs `work` in a transaction. Inside another transaction, `work` becomes a part of the outer transaction. */
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

  /** Forgets the results when another connection has written: SQLite's `data_version` changes with every such commit. */
  #forgetOutdated(): void {
    const version = this.get<{ data_version: number }>('PRAGMA data_version')?.data_version;
    if (version !== this.#version) this.#found.clear();
    this.#version = version;
  }

  #statement(sql: string): StatementSync {
    const prepared = this.#statements.get(sql);
    if (prepared !== undefined) return prepared;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Numbers above this one are hashes of versions before 0.2. */
const lastFormat = 9999;

/** The error for a sandbox that a newer crm made. Nothing makes such a file anew. */
export class NewerSandboxError extends UsageError {}

/**
 * Opens the sandbox at `path` (':memory:' for a sandbox in this process). Mode `open` needs a finished file. Mode `create` makes
 * the file (0600) and its tables when they are missing, also when several processes do so at once. `brief` is for a process
 * that runs one command. Throws UsageError when the file is missing, no sandbox or another version's, and UnavailableError when
 * the disk fails.
 */
export function openStore(path: string, { mode, brief = false }: { mode: 'open' | 'create'; brief?: boolean }): Store {
  if (mode === 'open' && path !== ':memory:' && !existsSync(path)) {
    throw new UsageError(`There is no sandbox at ${path}.`, { hint: 'Make one: crm sandbox init' });
  }
  let database: DatabaseSync | undefined;
  try {
    if (mode === 'create' && path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
    const { DatabaseSync } = loadSqlite();
    database = new DatabaseSync(path);
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA cache_size = -${brief ? briefCache : servingCache}; ${settings}`);
    if (mode === 'create') createTables(database);
    if (pragma(database, 'application_id') !== applicationId) throw notSandbox(path);
    const found = formatOf(Number(pragma(database, 'user_version')));
    if (found === format) return new Store(path, database);
    if (found > format && found <= lastFormat) throw new NewerSandboxError(writtenByNewer(`The sandbox at ${path}`, found, format));
    throw new UsageError(`The sandbox at ${path} was made by another version of crm.`, { hint: replaceHint });
  } catch (error) {
    database?.close();
    throw storeError(error, path);
  }
}

function createTables(database: DatabaseSync): void {
  useWriteAheadLog(database);
  inTransaction(database, () => {
    if (database.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined) return;
    database.exec(`PRAGMA application_id = ${applicationId}`);
    database.exec(schema());
    database.exec(`PRAGMA user_version = ${format}`);
  });
}

/** SQLite's busy timeout doesn't hold for a change of the journal mode. */
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

function pragma(database: DatabaseSync, name: string): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name];
}

const replaceHint = 'Make it anew: crm sandbox init --force (a file of --db: delete it first)';

function notSandbox(path: string): UsageError {
  return new UsageError(`${path} is not a sandbox.`, { hint: replaceHint });
}

/** The error for a file that another process holds. */
export function lockedError(path: string, cause?: unknown): UnavailableError {
  return new UnavailableError(`The sandbox at ${path} is in use: another process has been writing to it for ${busyTimeout / 1000} s.`, {
    hint: 'Try again when the other process is done.',
    cause,
  });
}

/**
 * An error of SQLite or the system about a sandbox file, as an error that tells the user what to do. Other errors are returned unchanged.
 * `outcome`: the sentence about the file's content after a disk failure.
 */
export function storeError(error: unknown, path: string, outcome = 'Nothing was written.'): unknown {
  const failure = diskFailure(error);
  if (failure !== undefined) {
    return new UnavailableError(`The sandbox at ${path} can't be used: ${failure.why}. ${outcome}`, {
      code: 'disk_full',
      hint: 'Make room on the disk, and try again.',
      cause: error,
    });
  }
  if (hasSqliteCode(error, 'notDatabase')) return notSandbox(path);
  if (hasSqliteCode(error, 'busy')) {
    return lockedError(path, error);
  }
  const isBarred = hasSqliteCode(error, 'cannotOpen') || hasSqliteCode(error, 'readOnly');
  if (!isBarred && !['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '')) return error;
  return new UsageError(`The sandbox at ${path} can't be opened.`, {
    hint: 'It must be a file, and you must have the right to write to the file and to its directory.',
    cause: error,
  });
}

/** An error about a file or folder that this user can't use, as an error of the settings. Other errors are returned unchanged. */
export function asSettingError(error: unknown): unknown {
  if (!(error instanceof UsageError) || systemCode(error.cause) === undefined) return error;
  const { hint, cause } = error.details;
  return new UnauthorizedError(error.message, { ...(hint === undefined ? {} : { hint }), cause });
}
