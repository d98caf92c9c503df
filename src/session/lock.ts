// Locks. The lock of a service: runs on this machine that create records wait for each other. Records that are only changed are protected
// by guards. The lock of a run: while a process carries the run out, nobody undoes the run. The lock of a file tells that a process lives.

import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, sleep } from '../base/clock.ts';
import { ConflictError } from '../base/errors.ts';
import { makeFolder, makeOwnFile } from '../base/files/make-folder.ts';
import { hasSqliteCode, loadSqlite } from '../base/files/sqlite.ts';
import { serviceFile } from '../runs/journal/journal.ts';
import { unopenable } from '../runs/journal/journal-file.ts';
import type { Run } from '../runs/journal/run.ts';

/** Milliseconds of waiting after which the user is told. */
const noticedWait = 1000;
const lockRetry = 100;
/** Milliseconds that a beginning run waits for its lock. Another process may be testing the lock (`isAtWork`). */
const briefly = 1000;

interface LockAsked {
  readonly service: string;
  /** Names this run for other runs. */
  readonly title: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called once with the name of the other run. */
  waits(holder: string): void;
  /** Milliseconds until it gives up. */
  readonly wait: number;
}

/**
 * Waits until no other run on this machine creates records at a service, and returns the function that releases the lock. The lock is
 * SQLite's on a file that is never removed: when the process ends, the system releases the lock. Throws ConflictError after `wait`, and
 * UnavailableError when the file can't be written.
 */
export async function takeLock(folder: string, { service, title, signal, clock, waits, wait }: LockAsked): Promise<() => void> {
  const path = join(folder, serviceFile(service, 'lock'));
  const began = clock.steady();
  let isTold = false;
  for (;;) {
    const lock = lockOf(path, 0, 'BEGIN IMMEDIATE', title);
    if ('release' in lock) return lock.release;
    const waited = clock.steady() - began;
    if (waited >= wait) throw heldError(`Another run is writing to this service: ${lock.holder}.`, `Wait longer: ${ways}`);
    if (waited > noticedWait && !isTold) {
      isTold = true;
      waits(lock.holder);
    }
    await sleep(clock, lockRetry, signal);
  }
}

/**
 * Takes the lock of a run until the returned function is called or the process ends. Throws ConflictError while another process has the
 * lock.
 */
export function holdRun(run: Run): () => void {
  const path = holdOf(run);
  if (path === undefined) return () => {};
  const release = holdFile(path);
  if (release === undefined) throw atWork(run);
  return release;
}

/** Takes the lock of a file until the returned function is called or the process ends. Undefined while another process has the lock. */
export function holdFile(path: string): (() => void) | undefined {
  const lock = lockOf(path, briefly, 'BEGIN EXCLUSIVE');
  if ('holder' in lock) return undefined;
  return () => {
    // Removed while it is held, so that nobody holds a file that is gone. Windows removes no open file, so there it is closed first.
    const isRemoved = wasRemoved(path);
    lock.release();
    if (!isRemoved) wasRemoved(path);
  };
}

/** An empty lock file that stays does no harm. */
function wasRemoved(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** True while a process holds the lock of a file. */
export function isHeld(path: string): boolean {
  if (!existsSync(path)) return false;
  // Several processes may read at once. A process that took the lock to test the lock would look like the holder to another process.
  const lock = lockOf(path, 0, 'BEGIN; SELECT 1 FROM sqlite_schema');
  if ('release' in lock) lock.release();
  return 'holder' in lock;
}

/** True while a process carries the run out. */
export function isAtWork(run: Run): boolean {
  const path = holdOf(run);
  return path !== undefined && isHeld(path);
}

/** Throws ConflictError while a process carries a run out. */
export function refuseAtWork(run: Run): void {
  if (isAtWork(run)) throw atWork(run);
}

/** `still at work since 14:02`, by the clock of this machine. */
export const atWorkText = (run: Run): string => `still at work since ${new Date(run.lastBegan).toTimeString().slice(0, 5)}`;

const atWork = (run: Run): ConflictError => heldError(`Run ${run.name} is ${atWorkText(run)}.`, 'Wait until that run has ended.');

const heldError = (message: string, hint: string): ConflictError => new ConflictError(message, { code: 'run_held', hint });

const ways = '--wait SECONDS, or CRM_WAIT. For jobs that have nothing to do with each other, set CRM_DATA_DIR to a folder for each.';

/** Undefined for a run in memory. */
const holdOf = ({ file, name }: Run): string | undefined => (file.path === undefined ? undefined : `${file.path}.${name}`);

/**
 * Takes a lock on a file until `release` is called or the process ends. Waits `timeout` milliseconds for another process, and then returns
 * the name of the lock's holder. `begin`: the SQL that takes the lock. `title`: the name of this holder.
 */
function lockOf(
  path: string,
  timeout: number,
  begin: string,
  title?: string,
): { readonly release: () => void } | { readonly holder: string } {
  let database: DatabaseSync | undefined;
  try {
    makeFolder(dirname(path));
    makeOwnFile(path);
    const { DatabaseSync } = loadSqlite();
    const lock = new DatabaseSync(path, { timeout });
    database = lock;
    lock.exec(begin);
    if (title !== undefined) {
      lock.exec('CREATE TABLE IF NOT EXISTS holder (title TEXT) STRICT; DELETE FROM holder');
      lock.prepare('INSERT INTO holder VALUES (?)').run(title);
      // Other processes can read the name only after a commit. Between the commit and the new lock, another run may take the lock.
      lock.exec('COMMIT; BEGIN IMMEDIATE');
    }
    return { release: () => lock.close() };
  } catch (error) {
    const isHeld = hasSqliteCode(error, 'busy');
    const holder = isHeld && database !== undefined ? holderIn(database) : '';
    database?.close();
    if (!isHeld) throw unopenable(`lock ${path}`, error);
    return { holder };
  }
}

function holderIn(lock: DatabaseSync): string {
  try {
    return String(lock.prepare('SELECT title FROM holder').get()?.title);
  } catch {
    return 'its name is not known yet';
  }
}
