// The SQLite file of a journal. Made whole or not at all, checked when opened, and written in short transactions. Knows the tables, and not
// their meaning.

import { closeSync, existsSync, fdatasync, linkSync, lstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { type Clock, systemClock } from '../../base/clock.ts';
import { ConflictError, CrmError, systemCode, UnauthorizedError, UnavailableError } from '../../base/errors.ts';
import { diskFailure } from '../../base/files/disk-failure.ts';
import { draftBeside, makeFolder, makeOwnFile } from '../../base/files/make-folder.ts';
import { foreignAt } from '../../base/files/own-folders.ts';
import { hasSqliteCode, inTransaction, loadSqlite } from '../../base/files/sqlite.ts';
import { quoteWord } from '../../base/values/text/shell-word.ts';
import { writtenByNewer } from '../../base/version.ts';

/** The version of the tables. Journals of earlier versions are converted, and journals of later versions are refused. */
export const version = 3;

const schema = `
CREATE TABLE service (address TEXT NOT NULL) STRICT;
CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, title TEXT NOT NULL, began TEXT NOT NULL,
  command TEXT NOT NULL, details TEXT NOT NULL, ended TEXT, version INTEGER NOT NULL DEFAULT ${version}) STRICT;
CREATE TABLE sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, began TEXT NOT NULL, timeout INTEGER NOT NULL,
  ended INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX sessions_by_run ON sessions (run);
CREATE TABLE baselines (run INTEGER NOT NULL, family TEXT NOT NULL, ids TEXT NOT NULL, session INTEGER NOT NULL,
  PRIMARY KEY (run, family)) STRICT, WITHOUT ROWID;
CREATE TABLE steps (run INTEGER NOT NULL, n INTEGER NOT NULL, part INTEGER NOT NULL DEFAULT 0, key TEXT NOT NULL, family TEXT NOT NULL, digest BLOB, state INTEGER NOT NULL,
  session INTEGER NOT NULL, sent_at INTEGER, kind TEXT, target TEXT, body TEXT, before TEXT, after TEXT, did TEXT, status INTEGER, error TEXT,
  again INTEGER NOT NULL DEFAULT 0, created TEXT, PRIMARY KEY (run, n, part)) STRICT, WITHOUT ROWID;
CREATE INDEX steps_by_digest ON steps (digest) WHERE digest IS NOT NULL;
CREATE TABLE made (run INTEGER NOT NULL, step INTEGER NOT NULL, part INTEGER NOT NULL DEFAULT 0, place INTEGER NOT NULL, family TEXT NOT NULL, id TEXT, sure INTEGER NOT NULL,
  own INTEGER NOT NULL, created TEXT, session INTEGER NOT NULL, deleted INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run, step, part, place)) STRICT, WITHOUT ROWID;
CREATE INDEX made_by_id ON made (family, id);
PRAGMA user_version=${version};
`;

/**
 * The number of pages at which SQLite copies its log into the file: 64 MiB, some 4,000 rows of an import. A run stands still meanwhile, so
 * a larger log holds the run up less often. After the death of a process, the next one reads the log once.
 */
const logPages = 16_000;
/** Milliseconds that a process waits for another process's transaction. No transaction is open across an await. */
const longestWait = 10_000;
/** Milliseconds that a brief note waits (`isBrief`). After this time the note is left out. */
const littlePatience = 50;
/** The size, in bytes, of the largest file that is checked at every opening. Larger files are checked if a process did not close the file. */
const quicklyChecked = 4 * 1024 * 1024;

/** A row of a table. */
export type SqlRow = Record<string, SQLOutputValue>;

/** The values of some columns. Undefined is NULL. */
export type ColumnValues = Readonly<Record<string, SQLInputValue | undefined>>;

/** The SQL that adds a row, and its values. */
export function insertion(table: string, row: ColumnValues): [sql: string, ...values: SQLInputValue[]] {
  const columns = Object.keys(row);
  const sql = `INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`;
  return [sql, ...Object.values(row).map((value) => value ?? null)];
}

/** The open file. */
export class JournalFile {
  /** The path; undefined for a journal in memory. */
  readonly path: string | undefined;
  /** The address of the service (`serviceAddress`). */
  readonly service: string;
  readonly clock: Clock;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** The notes for the next flush. No transaction stays open meanwhile. */
  #pending: { readonly sql: string; readonly values: readonly SQLInputValue[] }[] = [];
  /** The path that messages name. A copy in memory has the path of its original. */
  readonly #named: string;

  private constructor(path: string | undefined, service: string, database: DatabaseSync, clock: Clock, named = path ?? 'in memory') {
    this.path = path;
    this.#named = named;
    this.service = service;
    this.#database = database;
    this.clock = clock;
  }

  /** A journal file in memory only. */
  static inMemory(service: string, clock = systemClock, named?: string): JournalFile {
    const database = openDatabase(':memory:');
    fill(database, service);
    return new JournalFile(undefined, service, database, clock, named);
  }

  /** True when the file exists. Throws the errors of `unopenable` when the system can't tell. */
  static exists(path: string): boolean {
    return onJournal(path, () => lstatSync(path, { throwIfNoEntry: false }) !== undefined, unopenable);
  }

  /** Makes the file of a service (0600) under another name, and moves the complete file to its path. Throws the errors of `unopenable`. */
  static make(path: string, service: string): void {
    let draft = path;
    try {
      makeFolder(dirname(path));
      draft = draftBeside(path);
      makeOwnFile(draft);
      const database = openDatabase(draft);
      try {
        fill(database, service);
      } finally {
        database.close();
      }
      try {
        linkSync(draft, path);
      } catch (error) {
        // Another process was faster, or the file system has no hard links.
        if (systemCode(error) !== 'EEXIST' && !existsSync(path)) renameSync(draft, path);
      }
    } catch (error) {
      throw unopenable(`journal ${path}`, error);
    } finally {
      if (draft !== path) for (const ending of ['', '-wal', '-shm']) rmSync(`${draft}${ending}`, { force: true });
    }
  }

  /**
   * Opens a file. `isBrief`: only to note a single write, without a check and with little waiting. Throws ConflictError when the file is
   * damaged, of another version or open to other users, and the errors of `unopenable`.
   */
  static open(path: string, clock: Clock, isBrief = false): JournalFile {
    return onJournal(
      path,
      () => {
        const database = checkedDatabase(path, isBrief);
        try {
          if (versionIn(database) !== version) upgrade(database);
          const address = database.prepare('SELECT address FROM service').get()?.address;
          if (typeof address !== 'string') throw damagedError(path);
          return new JournalFile(path, address, database, clock);
        } catch (error) {
          database.close();
          throw error;
        }
      },
      unopenable,
    );
  }

  /** The error with which `open` would refuse a file; undefined for a file that it takes. Changes nothing. */
  static problemOf(path: string): CrmError | undefined {
    try {
      onJournal(path, () => checkedDatabase(path, false).close(), unopenable);
      return undefined;
    } catch (error) {
      if (error instanceof CrmError) return error;
      throw error;
    }
  }

  /** A copy in memory of a run, and of the records that later runs made. */
  copyOf(run: number): JournalFile {
    this.flush();
    const copy = JournalFile.inMemory(this.service, this.clock, this.path);
    const own = { runs: 'id =', steps: 'run =', baselines: 'run =', sessions: 'run >=', made: 'run >=' };
    const copies = Object.entries(own).map(([table, rows]) => `INSERT INTO main.${table} SELECT * FROM file.${table} WHERE ${rows} ${run}`);
    copy.#database.prepare('ATTACH ? AS file').run(this.path ?? '');
    onJournal(this.#named, () => copy.#database.exec(copies.join(';')));
    copy.#database.exec('DETACH file');
    return copy;
  }

  /** Adds a note for the next flush. */
  note(sql: string, ...values: SQLInputValue[]): void {
    this.#pending.push({ sql, values });
  }

  /** Writes the pending notes, which then survive the death of this process. Throws UnavailableError when the disk is full. */
  flush(): void {
    const noted = this.#pending;
    if (noted.length === 0) return;
    this.#transaction(() => {
      for (const { sql, values } of noted) this.statement(sql).run(...values);
    });
    this.#pending = [];
  }

  /**
   * Runs `work` in a transaction, after all earlier notes. Within `work`, flushes and further calls belong to the same transaction. When
   * `work` throws, its notes are dropped.
   */
  now<T>(work: () => T): T {
    this.flush();
    try {
      return this.#transaction(work);
    } catch (error) {
      this.#pending = [];
      throw error;
    }
  }

  /** Runs `work` as `now` does. The transaction and all earlier notes then survive a power cut, except within `now`. */
  durably<T>(work: () => T): T {
    if (this.#database.isTransaction) return work();
    this.flush();
    this.#database.exec('PRAGMA synchronous=FULL');
    try {
      return this.#transaction(work);
    } finally {
      this.#database.exec('PRAGMA synchronous=NORMAL');
    }
  }

  /**
   * Writes the pending notes. Once the promise resolves, these and all earlier notes survive a power cut. SQLite's log is synced beside other
   * work, as a commit with synchronous=FULL does: a slow disk would hold up a run twice a second. Throws the errors of `unwritableJournal`.
   */
  async sync(): Promise<void> {
    this.flush();
    if (this.path === undefined) return;
    const log = `${this.path}-wal`;
    // A file system without shared memory has no log. There a commit syncs; without a write, SQLite would sync nothing.
    if (!existsSync(log)) return this.durably(() => this.#database.exec(`PRAGMA user_version=${version}`));
    await new Promise<void>((resolve, reject) => {
      const file = openSync(log, 'r+');
      fdatasync(file, (error) => {
        closeSync(file);
        if (error === null) resolve();
        else reject(error);
      });
    }).catch((error: unknown) => {
      throw unwritableJournal(`journal ${this.#named}`, error);
    });
  }

  #transaction<T>(work: () => T): T {
    return onJournal(this.#named, () => (this.#database.isTransaction ? work() : inTransaction(this.#database, work)));
  }

  /**
   * Rewrites the file without its free pages, which may hold what was deleted by an earlier version. Empties SQLite's log, which has old
   * pages, too. False when another process keeps the file from being rewritten.
   */
  erase(): boolean {
    this.flush();
    return onJournal(this.#named, () => {
      try {
        this.#database.exec('VACUUM');
        return this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
      } catch (error) {
        if (hasSqliteCode(error, 'busy')) return false;
        throw error;
      }
    });
  }

  /** Writes the pending notes, and closes the file. On a full disk, throws nothing: a caller that must know flushes first. */
  close(): void {
    try {
      this.#flushAtLast();
    } finally {
      this.#database.close();
    }
  }

  /**
   * Flushes before a read and before closing. If the disk is full, empties SQLite's log to make room for the notes, and flushes again. The
   * error of a full disk is not thrown: the notes stay pending, and the next flush throws.
   */
  #flushAtLast(): void {
    try {
      this.flush();
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      try {
        this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        this.flush();
      } catch {
        // The disk is still full.
      }
    }
  }

  /** The rows of a query, each read by `as`. Throws ConflictError when a row holds broken JSON. */
  all<T>(as: (row: SqlRow) => T, sql: string, ...values: SQLInputValue[]): T[] {
    this.#flushAtLast();
    return onJournal(this.#named, () => Array.from(this.statement(sql).iterate(...values), as));
  }

  /** Adds a row within `now`. Returns the number of the row. */
  insert(table: string, row: ColumnValues): number {
    const [sql, ...values] = insertion(table, row);
    return Number(this.statement(sql).run(...values).lastInsertRowid);
  }

  /** The prepared statement, made once. */
  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function fill(database: DatabaseSync, service: string): void {
  database.exec(`PRAGMA synchronous=FULL; BEGIN; ${schema}`);
  database.prepare('INSERT INTO service VALUES (?)').run(service);
  database.exec('COMMIT; PRAGMA synchronous=NORMAL');
}

/** Converts the tables of an earlier version. Before version 3, the number of a write was n + part * 1,000,000,000. */
function upgrade(database: DatabaseSync): void {
  const converted: Readonly<Record<string, string>> = {
    'runs.version': '1',
    'steps.n': 'n % 1000000000',
    'steps.part': 'n / 1000000000',
    'made.step': 'step % 1000000000',
    'made.part': 'step / 1000000000',
  };
  const columnsOf = (table: string): unknown[] => {
    const rows = database.prepare('SELECT name FROM pragma_table_info(?)').all(table);
    return rows.map(({ name }) => name);
  };
  inTransaction(database, () => {
    // Another process may have been faster.
    if (versionIn(database) === version) return;
    const tables = ['service', 'runs', 'sessions', 'baselines', 'steps', 'made'];
    const indexes = ['runs_by_title', 'sessions_by_run', 'steps_by_digest', 'made_by_id'];
    for (const index of indexes) database.exec(`DROP INDEX IF EXISTS ${index}`);
    for (const table of tables) database.exec(`ALTER TABLE ${table} RENAME TO old_${table}`);
    database.exec(schema);
    for (const table of tables) {
      const old = columnsOf(`old_${table}`);
      const columns = columnsOf(table).filter((name) => old.includes(name) || `${table}.${name}` in converted);
      const values = columns.map((name) => converted[`${table}.${name}`] ?? name);
      database.exec(`INSERT INTO ${table} (${columns.join()}) SELECT ${values.join()} FROM old_${table}; DROP TABLE old_${table}`);
    }
  });
}

/**
 * Opens a file that is this user's own, sound, and of this version or an earlier one. `isBrief`: without a check of soundness, and with
 * little waiting. Throws ConflictError for any other file, and the system's errors.
 */
function checkedDatabase(path: string, isBrief: boolean): DatabaseSync {
  checkOwn(path);
  const { size } = statSync(path);
  if (size === 0) throw damagedError(path);
  const hasLog = existsSync(`${path}-wal`);
  const database = openDatabase(path, isBrief ? littlePatience : longestWait);
  try {
    const found = versionIn(database);
    const isOwn = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'service'").get() !== undefined;
    if (found < 1 || !isOwn) throw damagedError(path);
    if (found > version) throw new ConflictError(writtenByNewer(`The journal ${path}`, found, version));
    const isClosed = (): boolean => database.prepare('SELECT 1 FROM sessions WHERE ended = 0 LIMIT 1').get() === undefined;
    if (!isBrief && (hasLog || size <= quicklyChecked || !isClosed()) && !isSound(database)) throw damagedError(path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const versionIn = (database: DatabaseSync): number => Number(database.prepare('PRAGMA user_version').get()?.user_version);

function openDatabase(path: string, timeout = longestWait): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path, { timeout });
  database.exec(`PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=${logPages}; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON`);
  return database;
}

const isSound = (database: DatabaseSync): boolean => Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0] === 'ok';

/**
 * Throws ConflictError for a journal that other users could have written, and for a path that is not a file: reading a pipe could wait
 * forever.
 */
function checkOwn(path: string): void {
  const problem = foreignAt(dirname(path)) ?? foreignAt(path);
  if (problem !== undefined)
    throw new ConflictError(`${problem.found}, so the journal is not trusted.`, {
      hint: `${problem.advice}, or move the file away to begin a new journal: no earlier write counts as done in a new journal.`,
    });
  if (!statSync(path).isFile()) throw damagedError(path);
}

/** Runs `work` on a journal. Throws `failure` when the journal can't be written, ConflictError when the journal is damaged. */
function onJournal<T>(path: string, work: () => T, failure = unwritableJournal): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CrmError) throw error;
    const isOneOf = (...codes: Parameters<typeof hasSqliteCode>[1][]): boolean => codes.some((code) => hasSqliteCode(error, code));
    // crm wrote the JSON in the journal, so a SyntaxError means damage.
    if (error instanceof SyntaxError || isOneOf('notDatabase', 'corrupt')) throw damagedError(path, error);
    const isSystems = systemCode(error) !== undefined || isOneOf('full', 'io', 'cannotOpen', 'readOnly', 'busy');
    throw isSystems ? failure(`journal ${path}`, error) : error;
  }
}

/** The error for a damaged journal. */
function damagedError(path: string, cause?: unknown): ConflictError {
  return new ConflictError(`The journal ${path} is damaged, so the writes of earlier runs are not known any more.`, {
    hint:
      'Look at the records in the service first. Then move the file away to begin a new journal: no earlier write counts as done in a new journal.' +
      `\nsqlite3 ${quoteWord(path, 'FILE')} .recover shows what can be read.`,
    cause,
  });
}

/** The error for a journal or lock that can't be written: without these files, no write may be sent. */
function unwritableJournal(file: string, error: unknown): CrmError {
  if (error instanceof CrmError) return error;
  const disk = diskFailure(error);
  const why = disk?.why ?? (error instanceof Error ? error.message : String(error));
  return new UnavailableError(`The ${file} can't be written (${why}), so nothing more is sent.`, {
    ...(disk === undefined ? {} : { code: 'disk_full' as const }),
    hint: disk === undefined ? folderHint : 'Make room, then go on.',
    cause: error,
  });
}

const folderHint = 'Set CRM_DATA_DIR to a folder that you can write to.';

/** The error for a journal or lock that can't be opened. A folder that can't be written is a setting: UnauthorizedError. */
export function unopenable(file: string, error: unknown): CrmError {
  const failure = unwritableJournal(file, error);
  if (failure.details.hint !== folderHint || hasSqliteCode(error, 'busy')) return failure;
  return new UnauthorizedError(failure.message.replace('nothing more is', 'nothing was'), { hint: folderHint, cause: error });
}
