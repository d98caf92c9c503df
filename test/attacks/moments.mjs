// Loaded before crm (NODE_OPTIONS=--import): counts what it does to files below MOMENTS_FOLDER and in its databases, and at the
// moment MOMENTS_AT ends it (`kill`), stops it until somebody lets it go on (`stop`), or lets the disk be full from then on
// (`full`): MOMENTS_WHAT. How many moments there were by the time of the first request is written to MOMENTS_COUNT.

import { createRequire, syncBuiltinESMExports } from 'node:module';

const require = createRequire(import.meta.url);
const fs = require('node:fs');
const { MOMENTS_FOLDER: folder, MOMENTS_AT: at = '0', MOMENTS_WHAT: what, MOMENTS_COUNT: counted } = process.env;
const { writeFileSync, renameSync } = fs;

let moments = 0;

/** One more moment; throws when the disk is full by then. */
function pass(error) {
  moments += 1;
  if (counted !== undefined) {
    // Whole at any time: it is read while this process goes on.
    writeFileSync(`${counted}.new`, String(moments));
    renameSync(`${counted}.new`, counted);
  }
  if (what === 'full' && moments >= Number(at)) throw error();
  if (moments !== Number(at)) return;
  if (what === 'kill') process.kill(process.pid, 'SIGKILL');
  if (what === 'stop') process.kill(process.pid, 'SIGSTOP');
}

const noRoom = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', errno: -28 });
const fullDatabase = () => Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });

for (const name of ['openSync', 'mkdirSync', 'writeFileSync', 'writeSync', 'renameSync', 'linkSync', 'chmodSync', 'copyFileSync']) {
  const real = fs[name];
  fs[name] = (path, ...rest) => {
    const isOurs = typeof path === 'string' && path.startsWith(folder);
    const isRead = name === 'openSync' && (rest[0] === undefined || rest[0] === 'r');
    if (isOurs && !isRead) pass(noRoom);
    return real(path, ...rest);
  };
}
syncBuiltinESMExports();

const { DatabaseSync, StatementSync } = require('node:sqlite');
const exec = DatabaseSync.prototype.exec;
// Each statement of several is a moment, but for those that write nothing.
DatabaseSync.prototype.exec = function (sql) {
  const isOurs = this.location()?.startsWith(folder) === true && !/^\s*(ROLLBACK|PRAGMA synchronous)/.test(sql);
  for (const statement of isOurs ? sql.split(';').filter((one) => one.trim() !== '') : [sql]) {
    if (isOurs) pass(fullDatabase);
    exec.call(this, statement);
  }
};
const ours = new WeakSet();
const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function (...args) {
  const statement = prepare.apply(this, args);
  if (this.location()?.startsWith(folder) === true) ours.add(statement);
  return statement;
};
const run = StatementSync.prototype.run;
StatementSync.prototype.run = function (...values) {
  if (ours.has(this)) pass(fullDatabase);
  return run.apply(this, values);
};
