// The one lock that keeps two runs on this machine from creating records at the same service at the same time. Runs that
// only change records take none: guards protect those.

import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, sleep } from '../clock.ts';
import { ConflictError } from '../errors.ts';
import { makeFolder, makeOwnFile } from '../files/make-folder.ts';
import { hasSqliteCode, loadSqlite } from '../files/sqlite.ts';
import { unwritable } from './journal/journal-file.ts';
import { serviceFile } from './journal/service-address.ts';

/** How long a second run waits for the first, in milliseconds. */
const patience = 60_000;
/** A shorter wait passes without a word, in milliseconds. */
const noticedWait = 1000;
const between = 100;

/**
 * Waits until no other run on this machine creates records at a service, and keeps others out until the function that it gives is called.
 * The lock is SQLite's on a file that is never removed: the system gives it back however the process ends. `title`: what others are told
 * of this run; `waits` is told once who is at work. Throws ConflictError after a minute, UnavailableError where no file can be written.
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
      if (waited > patience) {
        throw new ConflictError(`Another run is writing to this service: ${holderOf(database)}.`, {
          code: 'run_held',
          hint: 'Wait for its end, or stop it.',
        });
      }
      if (waited > noticedWait && !isTold) {
        isTold = true;
        waits(holderOf(database));
      }
      await sleep(clock, between, signal);
    }
    return () => database.close();
  } catch (error) {
    database.close();
    throw error;
  }
}

function openLock(path: string): DatabaseSync {
  try {
    makeFolder(dirname(path));
    makeOwnFile(path);
    const { DatabaseSync } = loadSqlite();
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw unwritable(`lock ${path}`, error);
  }
}

/** Locks the file, with the name of the run in it; false when somebody else holds it. */
function tryLock(path: string, database: DatabaseSync, title: string): boolean {
  try {
    database.exec('PRAGMA journal_mode=WAL; BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS holder (title TEXT) STRICT; DELETE FROM holder');
    database.prepare('INSERT INTO holder VALUES (?)').run(title);
    // Others may read who holds it only once that is committed; somebody else may be quicker at locking it again.
    database.exec('COMMIT; BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (!hasSqliteCode(error, 'busy')) throw unwritable(`lock ${path}`, error);
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
