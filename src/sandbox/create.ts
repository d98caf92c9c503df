// Making and resetting a sandbox file. A new file is built under another name and appears at its path only when it is
// complete. A reset, and a replacement of a sandbox by a new one, happen within the file and in one transaction: processes
// that have it open, such as a server, simply see the new records.

import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConflictError, systemCode, UnavailableError, UsageError } from '../errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { hasSqliteCode } from '../files/sqlite.ts';
import { dataText } from './data/texts.ts';
import { loadRecords, type RecordSource } from './load.ts';
import { explained, openStore, type Store } from './store/store.ts';

interface CreateOptions {
  /** With demo data, or with nothing but the reference data. */
  readonly demo: boolean;
  /** Replaces what is at the path: the records of a sandbox, or the whole file. */
  readonly force?: boolean;
}

/**
 * Makes a sandbox file, and the directory for it. Throws ConflictError when the path is taken and `force` is not given,
 * UsageError when there can be no such directory, UnavailableError when the disk fails.
 */
export function createSandbox(path: string, { demo, force = false }: CreateOptions): void {
  if (!force && existsSync(path)) throw taken(path);
  if (force && refill(path, () => demo)) return;
  makeFolderOf(path);
  const draft = `${path}.${randomBytes(6).toString('hex')}.draft`;
  try {
    buildSandbox(draft, demo);
    if (force) replaceFile(draft, path);
    else placeFile(draft, path);
  } catch (error) {
    const failure = error instanceof UnavailableError ? error.cause : error;
    throw explained(failure, path, force ? 'What was there is as it was.' : 'Nothing was made.');
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

/** Gives a sandbox back the records that it was created with. Throws UsageError when there is none, UnavailableError when the disk fails. */
export function resetSandbox(path: string): void {
  const store = openStore(path, { mode: 'open' });
  refillStore(store, () => store.get<{ value: string }>("SELECT value FROM meta WHERE name = 'records'")?.value === 'demo');
}

/** Gives the sandbox at a path new records. False when what is there can't be one: no sandbox, another version's, a damaged file. */
function refill(path: string, demo: () => boolean): boolean {
  if (!existsSync(path)) return false;
  try {
    refillStore(openStore(path, { mode: 'open' }), demo);
    return true;
  } catch (error) {
    if (error instanceof UsageError || hasSqliteCode(error, 'corrupt')) return false;
    throw error;
  }
}

function refillStore(store: Store, demo: () => boolean): void {
  try {
    store.transaction(() => {
      const withDemo = demo();
      empty(store);
      fill(store, withDemo);
    });
  } catch (error) {
    throw explained(error, store.path, 'It holds what it held, or all of the new records.');
  } finally {
    store.close();
  }
}

/** Fills a store that has no records, and notes with what. */
export function fill(store: Store, demo: boolean): void {
  store.transaction(() => {
    store.run("INSERT INTO meta (name, value) VALUES ('records', ?)", demo ? 'demo' : 'empty');
    loadRecords(store, bundled('reference'));
    if (demo) loadRecords(store, bundled('demo'));
  });
}

/** The records of a folder of data/. */
const bundled =
  (folder: 'reference' | 'demo'): RecordSource =>
  (name) =>
    dataText(`${folder}/${name}`)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);

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

/** What the old file left in its log must never be read into the new one, so the log goes first. */
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
