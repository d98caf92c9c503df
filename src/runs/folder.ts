// The folder of all journals: where a run's journal is, which others there are of the same service, and the one lock that
// keeps two runs on this machine from writing to a service at the same time.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { sleep } from '../clock.ts';
import type { Context } from '../context.ts';
import { ConflictError, UsageError } from '../errors.ts';
import { makeFolder, makeOwnFile } from '../files/make-folder.ts';
import { hasSqliteCode, loadSqlite } from '../files/sqlite.ts';
import { notice } from '../output/streams/notice.ts';
import { Journal } from './journal.ts';

/** How long a second run waits for the first, in milliseconds. */
const patience = 60_000;
/** A shorter wait passes without a word, in milliseconds. */
const noticedWait = 1000;
const between = 100;

/** An address as runs compare it: this machine under one name, without the usual port, a slash at the end or `/api`. */
export function serviceAddress(baseUrl: string): string {
  if (!/^https?:/i.test(baseUrl)) return baseUrl;
  const url = new URL(baseUrl);
  const host = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname) ? 'localhost' : url.hostname;
  const port = url.port === '' ? '' : `:${url.port}`;
  return `${url.protocol}//${host}${port}${url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')}`;
}

/** The folder of the journals below the data folder. */
export const journalFolder = (dataDir: string): string => join(dataDir, 'runs');

/** A new name for the journal of a run; it begins with what stands for the service. */
export function journalPath(folder: string, service: string, kind: string, name: string, now: Date): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 64);
  const stamp = now.toISOString().replaceAll(/[-:.]/g, '');
  for (let turn = 1; ; turn += 1) {
    const path = join(folder, `${serviceMark(service)}-${kind}-${plain}-${stamp}${turn === 1 ? '' : `-${turn}`}.sqlite`);
    if (!existsSync(path)) return path;
  }
}

/** What stands for a service in the names of files. */
export const serviceMark = (service: string): string => createHash('sha256').update(service).digest('hex').slice(0, 8);

/**
 * The journals in a folder, opened for reading one after the other and closed behind; `service`: only those of that one.
 * What can't be read goes to `unreadable`, and is passed over.
 */
export function* journals(folder: string, service: string | undefined, unreadable: (error: ConflictError) => void): Generator<Journal> {
  const begin = service === undefined ? '' : `${serviceMark(service)}-`;
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.sqlite')).map(({ name }) => name);
  for (const name of names.sort()) {
    if (!name.startsWith(begin)) continue;
    const journal = opened(join(folder, name), unreadable);
    if (journal === undefined) continue;
    try {
      if (service === undefined || journal.header.service === service) yield journal;
    } finally {
      journal.close();
    }
  }
}

function opened(path: string, unreadable: (error: ConflictError) => void): Journal | undefined {
  try {
    return Journal.open(path, 'read');
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    unreadable(error);
    return undefined;
  }
}

/** Takes the journals of a service away: its records are gone, and ids begin anew. */
export function forgetService(folder: string, service: string): void {
  for (const journal of journals(folder, service, () => {})) removeJournal(journal.path ?? '');
}

/** Takes a journal away, with what SQLite keeps beside it. */
export function removeJournal(path: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
}

/** Refuses to go on beside journals of the first version, which this one can't read. Throws ConflictError. */
export function refuseOldJournals(dataDir: string): void {
  const error = oldJournals(dataDir);
  if (error !== undefined) throw error;
}

/** What is to be said of journals of the first version; undefined where there are none. */
export function oldJournals(dataDir: string): ConflictError | undefined {
  for (const [folder, ending] of [
    ['journals', '.jsonl'],
    ['seeds', '.ledger'],
  ] as const) {
    const path = join(dataDir, folder);
    if (!existsSync(path) || !readdirSync(path).some((name) => name.endsWith(ending))) continue;
    return new ConflictError(`${path} holds journals of crm 0.1.0, which this version can't read.`, {
      hint: `Finish those runs with crm 0.1.0, or look at the service to see what is there; then remove the folder ${path}.`,
    });
  }
  return undefined;
}

function makeLockFile(path: string): void {
  try {
    makeFolder(dirname(path));
    makeOwnFile(path);
  } catch (error) {
    throw new UsageError(`The journals can't be written to ${dirname(path)} (${error instanceof Error ? error.message : error}).`, {
      cause: error,
    });
  }
}

/**
 * Waits until no other run on this machine writes to a service, and keeps others out until `release`. The lock is
 * SQLite's on a file that is never removed: the system gives it back however the process ends. Throws ConflictError,
 * naming the run that is at work, after a minute.
 */
export async function takeService(context: Context, service: string, title: string): Promise<() => void> {
  const path = join(journalFolder(await context.dataDir()), `${serviceMark(service)}.lock`);
  makeLockFile(path);
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path, { timeout: 0 });
  const { clock } = context;
  const began = clock.steady();
  let isTold = false;
  try {
    for (;;) {
      if (tryLock(database, title)) return () => database.close();
      const waited = clock.steady() - began;
      if (waited > patience) {
        throw new ConflictError(`Another run is writing to this service: ${holderOf(database)}.`, {
          code: 'run_held',
          hint: 'Wait for its end, or stop it.',
        });
      }
      if (waited > noticedWait && !isTold) {
        isTold = true;
        await notice(context.io, context.flags, `Waiting for another run on this service: ${holderOf(database)}.`);
      }
      await sleep(clock, between, context.signal);
    }
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Locks the file, with the name of the run in it; false when somebody else holds it. */
function tryLock(database: DatabaseSync, title: string): boolean {
  try {
    database.exec('PRAGMA journal_mode=WAL; BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS holder (title TEXT) STRICT; DELETE FROM holder');
    database.prepare('INSERT INTO holder VALUES (?)').run(title);
    // Others may read who holds it only once that is committed; somebody else may be quicker at locking it again.
    database.exec('COMMIT; BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (!hasSqliteCode(error, 'busy')) throw error;
    if (database.isTransaction) database.exec('ROLLBACK');
    return false;
  }
}

/** The run that holds the lock, as far as it has said so. */
function holderOf(database: DatabaseSync): string {
  try {
    return String(database.prepare('SELECT title FROM holder').get()?.title ?? unnamed);
  } catch {
    return unnamed;
  }
}

const unnamed = 'its name is not known yet';
