// Loads node:sqlite when the first store opens, so that nothing else pays for it. Node 22 announces the module as
// experimental on every run: that one warning is kept back, and every other warning goes its usual way.

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

function isSqliteAnnouncement([warning, type]: readonly unknown[]): boolean {
  return type === 'ExperimentalWarning' && typeof warning === 'string' && warning.startsWith('SQLite ');
}
