// Two kinds of locks. The lock of a service: runs on this machine that create records wait for each other. Records that are only changed
// are protected by guards. The lock of a run: while a process carries the run out, nobody undoes the run.

import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, sleep } from '../base/clock.ts';
import { ConflictError } from '../base/errors.ts';
import { makeFolder, makeOwnFile } from '../base/files/make-folder.ts';
import { hasSqliteCode, loadSqlite } from '../base/files/sqlite.ts';
import { unwritable } from './journal/journal-file.ts';
import type { Run } from './journal/run.ts';
import { serviceFile } from './journal/service-address.ts';

/** Milliseconds that a second run waits for the first. */
const longestLockWait = 60_000;
/** Milliseconds of waiting after which the user is told. */
const noticedWait = 1000;
const lockRetry = 100;

/**
 * Waits until no other run on this machine creates records at a service, and returns the function that releases the lock. The lock is
 * SQLite's on a file that is never removed: when the process ends, the system releases the lock. `title` names this run for other runs;
 * `waits` is called once with the name of the other run. Throws ConflictError after a minute, UnavailableError when the file can't be
 * written.
 */
export async function takeLock(
  folder: string,
  service: string,
  title: string,
  { signal, clock, waits }: { readonly signal: AbortSignal; readonly clock: Clock; waits(holder: string): void },
): Promise<() => void> {
  const path = join(folder, serviceFile(service, 'lock'));
  const database = openLock(path);
  const began = clock.steady();
  let isTold = false;
  try {
    while (!tryLock(path, database, title)) {
      const waited = clock.steady() - began;
      if (waited > longestLockWait) {
        throw new ConflictError(`Another run is writing to this service: ${holderOf(database)}.`, {
          code: 'run_held',
          hint: 'Wait until that run has ended, or stop that run.',
        });
      }
      if (waited > noticedWait && !isTold) {
        isTold = true;
        waits(holderOf(database));
      }
      await sleep(clock, lockRetry, signal);
    }
    return () => database.close();
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Milliseconds that a beginning run waits for its lock. Another process may be testing the lock (`isAtWork`). */
const briefly = 1000;

/**
 * Takes the lock of a run until the returned function is called or the process ends. Throws ConflictError while another process has the
 * lock.
 */
export function holdRun(run: Run): () => void {
  const path = holdOf(run);
  if (path === undefined) return () => {};
  const database = openLock(path, briefly);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw hasSqliteCode(error, 'busy') ? atWork(run) : unwritable(`lock ${path}`, error);
  }
  return () => {
    rmSync(path, { force: true });
    database.close();
  };
}

/** True while a process carries the run out. */
export function isAtWork(run: Run): boolean {
  const path = holdOf(run);
  if (path === undefined || !existsSync(path)) return false;
  const database = openLock(path);
  try {
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if (hasSqliteCode(error, 'busy')) return true;
    throw unwritable(`lock ${path}`, error);
  } finally {
    database.close();
  }
}

/** Throws ConflictError while a process carries a run out. */
export function refuseAtWork(run: Run): void {
  if (isAtWork(run)) throw atWork(run);
}

/** `still at work since 14:02`, by the clock of this machine. */
export const atWorkText = (run: Run): string => `still at work since ${new Date(run.lastBegan).toTimeString().slice(0, 5)}`;

const atWork = (run: Run): ConflictError =>
  new ConflictError(`Run ${run.name} is ${atWorkText(run)}.`, {
    code: 'run_held',
    hint: 'Wait until that run has ended, or stop that run.',
  });

/** The lock file of a run. Undefined for a run in memory. */
const holdOf = ({ file, name }: Run): string | undefined => (file.path === undefined ? undefined : `${file.path}.${name}`);

function openLock(path: string, timeout = 0): DatabaseSync {
  try {
    makeFolder(dirname(path));
    makeOwnFile(path);
    const { DatabaseSync } = loadSqlite();
    return new DatabaseSync(path, { timeout });
  } catch (error) {
    throw unwritable(`lock ${path}`, error);
  }
}

/** Locks the file and writes the run's name into it. False when another run has the lock. */
function tryLock(path: string, database: DatabaseSync, title: string): boolean {
  try {
    database.exec('PRAGMA journal_mode=WAL; BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS holder (title TEXT) STRICT; DELETE FROM holder');
    database.prepare('INSERT INTO holder VALUES (?)').run(title);
    // Other processes can read the name only after a commit. Between the commit and the new lock, another run may take the lock.
    database.exec('COMMIT; BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (!hasSqliteCode(error, 'busy')) throw unwritable(`lock ${path}`, error);
    if (database.isTransaction) database.exec('ROLLBACK');
    return false;
  }
}

/** The name of the run that has the lock, or `unnamed` if the run has not written its name yet. */
function holderOf(database: DatabaseSync): string {
  try {
    return String(database.prepare('SELECT title FROM holder').get()?.title ?? unnamed);
  } catch {
    return unnamed;
  }
}

const unnamed = 'its name is not known yet';
