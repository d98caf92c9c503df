// A lock that one process holds at a time and that its death releases, however it died: SQLite's lock on an empty file,
// which the operating system keeps. No process id to go stale.

import { loadSqlite } from '../sandbox/sqlite.ts';

/** Locks the file at `path` (made when it is not there). Gives what releases it, or undefined when somebody else holds it. */
export function takeLock(path: string): (() => void) | undefined {
  const database = new (loadSqlite().DatabaseSync)(path);
  try {
    database.exec('BEGIN EXCLUSIVE');
    return () => database.close();
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** SQLITE_BUSY, with or without its extension. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5;
}
