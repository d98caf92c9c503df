// Making and resetting a sandbox file. A new file is built under another name and appears at its path only when it is
// complete. A reset, and a replacement of a sandbox by a new one, happen within the file and in one transaction: processes
// that have it open, such as a server, simply see the new records.

import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConflictError, systemCode, UnavailableError, UsageError } from '../errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { openSnapshot } from '../files/snapshot.ts';
import { hasSqliteCode } from '../files/sqlite.ts';
import type { Members } from '../values/paths.ts';
import { dataText } from './data/texts.ts';
import { type Loading, loadRecords, type RecordSource } from './load.ts';
import { whole } from './store/records.ts';
import { explained, openStore, type SqlValues, type Store } from './store/store.ts';

interface CreateOptions {
  /** With demo data, or with nothing but the reference data. */
  readonly demo: boolean;
  /** The folder of a snapshot: its records, and no others. */
  readonly from?: string;
  /** Replaces what is at the path: the records of a sandbox, or the whole file. */
  readonly force?: boolean;
}

/**
 * Makes a sandbox file, and the directory for it. Gives the records of a snapshot that it can't hold, in words. Throws ConflictError when the path is taken and `force` is not given,
 * UsageError when there can be no such directory, UnavailableError when the disk fails.
 */
export function createSandbox(path: string, { demo, from, force = false }: CreateOptions): string[] {
  if (!force && existsSync(path)) throw taken(path);
  const records = from === undefined ? ownRecords(demo) : snapshotRecords(from);
  const refilled = force ? refill(path, () => records) : undefined;
  if (refilled !== undefined) return refilled;
  makeFolderOf(path);
  const draft = `${path}.${randomBytes(6).toString('hex')}.draft`;
  try {
    const lost = buildSandbox(draft, records);
    if (force) replaceFile(draft, path);
    else placeFile(draft, path);
    return lost;
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
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UsageError(`There can be no sandbox at ${path} (${systemCode(error)}).`, {
      hint: 'Its directory must be one that you can write to.',
      cause: error,
    });
  }
}

/** Gives a sandbox back the records that it was created with, as `createSandbox` does. Throws UsageError when there is none, UnavailableError when the disk fails. */
export function resetSandbox(path: string): string[] {
  const store = openStore(path, { mode: 'open' });
  return refillStore(store, () => {
    const noted = new Map(
      store.all<{ name: string; value: string }>('SELECT name, value FROM meta').map(({ name, value }) => [name, value]),
    );
    const from = noted.get('from');
    return from === undefined ? ownRecords(noted.get('records') === 'demo') : snapshotRecords(from);
  });
}

/** Gives the sandbox at a path new records. Undefined when what is there can't be one: no sandbox, another version's, a damaged file. */
function refill(path: string, records: () => DemoRecords): string[] | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return refillStore(openStore(path, { mode: 'open' }), records);
  } catch (error) {
    if (error instanceof UsageError || hasSqliteCode(error, 'corrupt')) return undefined;
    throw error;
  }
}

function refillStore(store: Store, records: () => DemoRecords): string[] {
  try {
    return store.transaction(() => {
      const all = records();
      empty(store);
      return fillWith(store, all);
    });
  } catch (error) {
    throw explained(error, store.path, 'It holds what it held, or all of the new records.');
  } finally {
    store.close();
  }
}

/** What a sandbox begins with. */
interface DemoRecords {
  /** What is noted of them, by name: a reset goes by it. */
  readonly noted: SqlValues;
  readonly source: RecordSource;
  readonly loading: Loading;
}

const ownRecords = (demo: boolean): DemoRecords => ({
  noted: { records: demo ? 'demo' : 'empty' },
  source: bundled(demo),
  loading: { completed: whole },
});

/** Throws UsageError where there is no whole snapshot. */
function snapshotRecords(from: string): DemoRecords {
  const { manifest, records } = openSnapshot(from, from);
  return { noted: { records: 'snapshot', from }, source: records, loading: { lacks: (family) => manifest.files[family] === undefined } };
}

/** Fills a store that has no records. */
export function fill(store: Store, demo: boolean): void {
  fillWith(store, ownRecords(demo));
}

function fillWith(store: Store, { noted, source, loading }: DemoRecords): string[] {
  return store.transaction(() => {
    for (const [name, value] of Object.entries(noted)) store.run('INSERT INTO meta (name, value) VALUES (?, ?)', name, value);
    return loadRecords(store, source, loading);
  });
}

/** The records of data/: those of the demo, and where it has none of a family, or isn't wanted, the reference data. */
const bundled =
  (demo: boolean): RecordSource =>
  (name) =>
    ((demo && dataText(`demo/${name}`)) || dataText(`reference/${name}`))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Members);

function buildSandbox(path: string, records: DemoRecords): string[] {
  const store = openStore(path, { mode: 'create' });
  try {
    return fillWith(store, records);
  } finally {
    store.close();
  }
}

/** Ids start again, as in a new file. */
function empty(store: Store): void {
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
