// SQLite as programs of stories have it: real databases and statements, but no program waits for the disk, and what one has prepared is at
// hand for the next one, in the next story as well: to open a database and to make its tables costs more than all that a program does
// with it. Where a program has its journal stands what was there when it was made; what is written goes to a database in memory that is
// emptied after each story, and that of a service's lock to a file.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** SQLite as it is, whatever programs are handed. */
const { DatabaseSync: System } = process.getBuiltinModule('node:sqlite');
type Options = ConstructorParameters<typeof System>[1];

/** What a program does with a database that it has open. */
export type Opened = Pick<DatabaseSync, 'exec' | 'prepare' | 'close' | 'isTransaction'>;

class Unsynced extends System {
  override exec(sql: string): void {
    super.exec(sql.replaceAll(/synchronous *= *\w+/gi, 'synchronous=OFF'));
  }

  override prepare(...[sql, ...how]: Parameters<DatabaseSync['prepare']>): StatementSync {
    const prepared = super.prepare(sql, ...how);
    if (!sql.startsWith('ATTACH')) return prepared;
    return { run: (path: string) => prepared.run(journals.get(path)?.place ?? path) } as unknown as StatementSync;
  }
}

/** One of the connections to a database that programs hand on. */
class Connection extends Unsynced {
  readonly #statements = new Map<string, StatementSync>();
  #first: string | undefined;

  constructor(path: string, options?: Options) {
    super(path, options ?? {});
    super.exec('PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY');
  }

  override exec(sql: string): void {
    // What a program sets when it opens a file stays set.
    if (this.#first === sql && !sql.includes('BEGIN')) return;
    this.#first ??= sql;
    super.exec(sql);
  }

  override prepare(...[sql, ...how]: Parameters<DatabaseSync['prepare']>): StatementSync {
    const known = this.#statements.get(sql) ?? super.prepare(sql, ...how);
    this.#statements.set(sql, known);
    return known;
  }
}

/**
 * A connection to a journal, in the memory that those to the same name share: programs work in it one after the other, between two awaits.
 * It is sound, which is looked at whenever a program opens it.
 */
class JournalConnection extends Connection {
  override exec(sql: string): void {
    super.exec(sql.replaceAll(/PRAGMA journal_mode *= *WAL/gi, ''));
  }

  override prepare(...[sql, ...how]: Parameters<DatabaseSync['prepare']>): StatementSync {
    if (sql === 'PRAGMA quick_check(1)') return { get: () => ({ quick_check: 'ok' }) } as unknown as StatementSync;
    return super.prepare(sql, ...how);
  }
}

/** A database for one story after the other. */
class Shared {
  /** The path of its file, or its address in memory. */
  readonly place: string;
  readonly #kind: typeof Connection;
  readonly #idle: Connection[] = [];
  readonly #lent = new Set<Connection>();
  #isEmpty = true;

  constructor(place: string, kind: typeof Connection) {
    this.place = place;
    this.#kind = kind;
  }

  lend(options?: Options): Connection {
    const lent = this.#idle.pop() ?? new this.#kind(this.place, options);
    this.#lent.add(lent);
    this.#isEmpty = false;
    return lent;
  }

  /** As the system does for who ends: what isn't committed never was. */
  takeBack(lent: Connection): void {
    if (!this.#lent.delete(lent)) return;
    if (lent.isTransaction) lent.exec('ROLLBACK');
    this.#idle.push(lent);
  }

  /** Takes out what was put in since it was made. */
  empty(): void {
    for (const one of [...this.#lent]) this.takeBack(one);
    if (this.#isEmpty) return;
    const database = this.lend();
    const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'service'`).all();
    database.exec(`BEGIN; ${tables.map(({ name }) => `DELETE FROM ${name}; `).join('')}COMMIT`);
    this.takeBack(database);
    this.#isEmpty = true;
  }

  close(): void {
    for (const one of [...this.#lent, ...this.#idle]) one.close();
  }
}

/** A connection for as long as a program has it. */
class Lent implements Opened {
  readonly #shared: Shared;
  #connection: Connection | undefined;

  constructor(shared: Shared, options: Options) {
    this.#shared = shared;
    this.#connection = shared.lend(options);
  }

  exec(sql: string): void {
    this.#open.exec(sql);
  }

  prepare(sql: string): StatementSync {
    return this.#open.prepare(sql);
  }

  get isTransaction(): boolean {
    return this.#open.isTransaction;
  }

  close(): void {
    if (this.#connection !== undefined) this.#shared.takeBack(this.#connection);
    this.#connection = undefined;
  }

  get #open(): Connection {
    if (this.#connection === undefined) throw new Error('It is closed.');
    return this.#connection;
  }
}

/** A journal that is being made. One that is made as another one was is that one, emptied. */
class Draft implements Opened {
  readonly isTransaction = false;
  readonly #path: string;
  readonly #calls: (readonly [sql: string, ...values: string[]])[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  exec(sql: string): void {
    this.#calls.push([sql]);
  }

  prepare(sql: string): StatementSync {
    return { run: (...values: string[]) => void this.#calls.push([sql, ...values]) } as unknown as StatementSync;
  }

  close(): void {
    const how = JSON.stringify(this.#calls);
    const made = drafts.get(how) ?? this.#make();
    drafts.set(how, made);
    writeFileSync(this.#path, made.bytes);
    journals.set(this.#path.replace(draft, ''), made.shared);
  }

  #make(): { readonly bytes: Uint8Array; readonly shared: Shared } {
    const shared = newShared(`file:///journal${shareds.length}?vfs=memdb`, JournalConnection);
    const [file, kept] = [new Unsynced(this.#path), shared.lend()];
    for (const database of [file, kept]) {
      for (const [sql, ...values] of this.#calls) {
        if (values.length === 0) database.exec(sql);
        else database.prepare(sql).run(...values);
      }
    }
    file.close();
    shared.takeBack(kept);
    return { bytes: readFileSync(this.#path), shared };
  }
}

const draft = /\.\d+-[0-9a-z]+\.draft$/;
/** What was made, by how. */
const drafts = new Map<string, { readonly bytes: Uint8Array; readonly shared: Shared }>();
/** The databases behind the journals of a story, by the paths that its programs know. */
const journals = new Map<string, Shared>();
const shareds: Shared[] = [];
let lock: Shared | undefined;
let folder = '';

function newShared(place: string, kind: typeof Connection): Shared {
  const made = new Shared(place, kind);
  shareds.push(made);
  return made;
}

function newLock(): Shared {
  mkdirSync(folder, { recursive: true });
  return newShared(join(folder, 'lock'), Connection);
}

/** Where the file behind all locks of a service is from now on. */
export function keepDatabasesIn(path: string): void {
  folder = path;
}

/** What a program gets that opens a database. */
export function openDatabase(path: string, options: Options): Opened {
  if (draft.test(path)) return new Draft(path);
  if (path.endsWith('.lock')) {
    lock ??= newLock();
    return new Lent(lock, options);
  }
  // The lock of a run: programs take it whole, or look whether it is taken, as they do with a file.
  if (journals.has(path.replace(/\.\w+$/, ''))) return new Unsynced(`file://${path}?vfs=memdb`, options ?? {});
  const journal = journals.get(path);
  if (journal === undefined) return new Unsynced(path, options ?? {});
  // Nobody is the last one to close it, so that there is a log beside it from the first one on.
  writeFileSync(`${path}-wal`, '');
  return new Lent(journal, options);
}

/** Nothing is left of a story in any database. */
export function emptyDatabases(): void {
  journals.clear();
  for (const one of shareds) one.empty();
}

/** Closes all that are kept, and takes their files away. */
export function dropDatabases(): void {
  for (const one of shareds.splice(0)) one.close();
  drafts.clear();
  lock = undefined;
  rmSync(folder, { recursive: true, force: true });
}
