// A lock that one process holds at a time and that its death releases, however it died: SQLite's lock on an empty file,
// which the operating system keeps. No process id to go stale. Whoever gives the lock back takes the file away.

import { rmSync, statSync } from 'node:fs';
import { hasSqliteCode, loadSqlite } from '../../files/sqlite.ts';

/** So often the file may be taken away under somebody's hands. */
const mostAttempts = 100;

/**
 * Locks the file at `path` (made when it is not there). Gives what releases it, or undefined when somebody else holds it.
 * Throws what keeps it from being locked, and leaves no file behind then.
 */
export function takeLock(path: string): (() => void) | undefined {
  const { DatabaseSync } = loadSqlite();
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const before = inode(path);
    const database = new DatabaseSync(path);
    const failure = failureOf(() => database.exec('BEGIN EXCLUSIVE'));
    // The file that is locked may be one that was just taken away: what stood there before and still does is the one.
    const isTheFile = before !== undefined && before === inode(path);
    if (failure === undefined && isTheFile) return () => release(path, database);
    database.close();
    if (hasSqliteCode(failure, 'busy')) return undefined;
    if (failure === undefined || !isTheFile) continue;
    removeOwn(path);
    throw failure;
  }
  return undefined;
}

function failureOf(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

function release(path: string, database: { close(): void }): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Some systems keep a file that is open: then it stays, and is locked again the next time.
  }
  database.close();
}

/** Lock files are empty: what isn't was somebody else's. */
function removeOwn(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size === 0) rmSync(path, { force: true });
}

const inode = (path: string): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
