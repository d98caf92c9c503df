// Loads node:sqlite when the first store opens, so that nothing else pays for it. Node 22 announces the module as
// experimental on every run: that one warning is suppressed, all others are shown as usual.

/** The module `node:sqlite`. */
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

/** SQLite's own codes: another process holds the lock; the file may not be written; the disk fails; the file is damaged; the disk is full; the file can't be opened; a row breaks a rule of its table; it is something else. */
const sqliteCodes = { busy: 5, readOnly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14, constraint: 19, notDatabase: 26 } as const;

/** Whether SQLite failed for this reason, in any of its variants. */
export function hasSqliteCode(error: unknown, code: keyof typeof sqliteCodes): error is Error {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === sqliteCodes[code];
}

function isSqliteAnnouncement([warning, type]: readonly unknown[]): boolean {
  return type === 'ExperimentalWarning' && typeof warning === 'string' && warning.startsWith('SQLite ');
}
