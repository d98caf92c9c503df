// Loads node:sqlite when the first store opens: commands without a store are faster. Node 22 warns that the module is experimental: only
// this warning is suppressed.

import type { DatabaseSync } from 'node:sqlite';

export function loadSqlite(): typeof import('node:sqlite') {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((...args: [string | Error, ...unknown[]]) => {
    if (!isSqliteAnnouncement(args)) Reflect.apply(emitWarning, process, args);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * Locks a file, which stays: the lock ends with its `close`, or with the process. `held`: another holds the lock. Undefined where the file
 * can't be locked, such as on some network folders.
 */
export function lockOn(file: string): DatabaseSync | 'held' | undefined {
  let lock: DatabaseSync | undefined;
  try {
    const { DatabaseSync } = loadSqlite();
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    return hasSqliteCode(error, 'busy') ? 'held' : undefined;
  }
}

/** Runs `work` in a transaction, which is rolled back when `work` throws. Waits for other processes' writes first. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // Some failures (a full disk) have rolled back already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * SQLite's result codes. `busy`: another process holds the lock. `constraint`: a row breaks a rule of its table. `notDatabase`: another
 * kind of file.
 */
const sqliteCodes = { busy: 5, readOnly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14, constraint: 19, notDatabase: 26 } as const;

/** True for an error of SQLite with this result code, or with an extended code of it. */
export function hasSqliteCode(error: unknown, code: keyof typeof sqliteCodes): error is Error {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === sqliteCodes[code];
}

function isSqliteAnnouncement([warning, type]: readonly unknown[]): boolean {
  return type === 'ExperimentalWarning' && typeof warning === 'string' && warning.startsWith('SQLite ');
}
