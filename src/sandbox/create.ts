// Making and resetting a sandbox file. A new file is built under another name and appears at its path only when it is
// complete; a reset happens in one transaction, so that processes that have the file open just see the new records.

import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConflictError, systemCode, UsageError } from '../errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { fillDemo } from './demo/fill.ts';
import { fillReference } from './reference.ts';
import { openStore, type Store } from './store/store.ts';

export interface CreateOptions {
  /** With demo data, or with nothing but the reference data. */
  readonly demo: boolean;
  /** Replaces what is at the path. */
  readonly force?: boolean;
}

/**
 * Makes a sandbox file, and the directory for it. Throws ConflictError when the path is taken and `force` is not given,
 * UsageError when the directory can't be made.
 */
export function createSandbox(path: string, { demo, force = false }: CreateOptions): void {
  if (!force && existsSync(path)) throw taken(path);
  makeFolderOf(path);
  const draft = `${path}.${randomBytes(6).toString('hex')}.draft`;
  try {
    buildSandbox(draft, demo);
    if (force) replaceFile(draft, path);
    else placeFile(draft, path);
  } finally {
    removeFiles(draft);
  }
}

function makeFolderOf(path: string): void {
  try {
    makeFolder(dirname(path));
  } catch (error) {
    throw new UsageError(`There can be no sandbox at ${path} (${systemCode(error)}).`, {
      hint: 'Its directory must be one that you can write to.',
      cause: error,
    });
  }
}

/** Gives a sandbox back the records that it was created with. Throws UsageError when there is none. */
export function resetSandbox(path: string): void {
  const store = openStore(path, { mode: 'open' });
  try {
    store.transaction(() => {
      const demo = store.get<{ value: string }>("SELECT value FROM meta WHERE name = 'records'")?.value === 'demo';
      empty(store);
      fill(store, demo);
    });
  } finally {
    store.close();
  }
}

/** Fills a store that has no records, and notes whether with demo data. */
export function fill(store: Store, demo: boolean): void {
  store.transaction(() => {
    store.run("INSERT INTO meta (name, value) VALUES ('records', ?)", demo ? 'demo' : 'empty');
    fillReference(store);
    if (demo) fillDemo(store);
  });
}

function buildSandbox(path: string, demo: boolean): void {
  const store = openStore(path, { mode: 'create' });
  try {
    fill(store, demo);
  } finally {
    store.close();
  }
}

/** Ids start again, as in a new file. */
function empty(store: Store): void {
  store.execute('PRAGMA defer_foreign_keys = ON');
  const tables = store.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
  for (const { name } of tables) store.execute(`DELETE FROM ${name}`);
  store.execute('DELETE FROM sqlite_sequence');
}

/** Puts a finished file at a path where there is none; of two processes that do so at once, one fails. */
function placeFile(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (existsSync(path)) throw taken(path);
    if (!isWithoutLinks(error)) throw error;
    renameSync(draft, path);
  }
}

/** Some file systems have no hard links. */
function isWithoutLinks(error: unknown): boolean {
  const codes = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];
  return codes.includes(systemCode(error) ?? '');
}

/** The old file's log must never be applied to the new file, so the log is removed first. */
function replaceFile(draft: string, path: string): void {
  removeLogs(path);
  renameSync(draft, path);
}

function removeFiles(path: string): void {
  rmSync(path, { force: true });
  removeLogs(path);
}

function removeLogs(path: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

function taken(path: string): ConflictError {
  return new ConflictError(`There is something at ${path} already.`, { hint: 'crm sandbox init --force replaces it' });
}
