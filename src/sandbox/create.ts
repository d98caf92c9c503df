// Makes and resets a sandbox file. A new file is built under another name and moved to its path when complete. A reset, or a
// new sandbox over an old one, changes the records within the file, in one transaction: a server that has the file open sees
// the new records.

import { accessSync, constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConflictError, systemCode, systemReason, UnavailableError, UsageError } from '../base/errors.ts';
import { diskError } from '../base/files/disk-failure.ts';
import { draftBeside, makeFolder } from '../base/files/make-folder.ts';
import { openSnapshot } from '../base/files/snapshot.ts';
import { hasSqliteCode } from '../base/files/sqlite.ts';
import type { Members } from '../base/values/paths.ts';
import { namedKinds } from '../model/named.ts';
import { dataText } from './data/texts.ts';
import { saveName, saveThingsOf } from './service/things.ts';
import { familyTables } from './store/families.ts';
import type { FamilyTable } from './store/family-table.ts';
import { save, wholeRecord } from './store/records.ts';
import { NewerSandboxError, openStore, type SqlValues, type Store, storeError } from './store/store.ts';

/** Returns the records of a file (`leads` for leads.ndjson) in the file's order; none when there is no such file. */
type RecordSource = (name: string) => Iterable<Members>;

interface Loading {
  /** Makes the whole record of a line that leaves empty members out. Default: the line is the whole record. */
  readonly completed?: (family: FamilyTable, line: Members) => Members;
  /** True when the source has no list of a family. */
  readonly lacks?: (family: string) => boolean;
}

interface SandboxContent {
  /** True: the demo data. False: only the reference data. */
  readonly demo: boolean;
  /** The folder of a snapshot, which gives all the records. */
  readonly from?: string;
  /** Replaces the records of a sandbox at the path, or the whole of any other file. */
  readonly force?: boolean;
}

/**
 * Makes a sandbox file and its directory. Returns the records of a snapshot that the sandbox can't hold, such as `leads 7 (its id is there
 * twice)`. Throws ConflictError when the path is taken and `force` is not given, UsageError when the directory can't be made or written
 * to, and UnavailableError when the disk fails.
 */
export function createSandbox(path: string, { demo, from, force = false }: SandboxContent): string[] {
  if (!force && existsSync(path)) throw pathTaken(path);
  const records = from === undefined ? ownRecords(demo) : snapshotRecords(from);
  const refilled = force ? refill(path, () => records) : undefined;
  if (refilled !== undefined) return refilled;
  makeFolderOf(path);
  const draft = draftBeside(path);
  // What a killed process left of a file that is gone: SQLite would read the old log into the new file.
  if (!existsSync(path)) removeLogs(path);
  try {
    const lost = buildSandbox(draft, records);
    if (force) {
      // SQLite would read the old file's log into the new file.
      removeLogs(path);
      renameSync(draft, path);
    } else placeFile(draft, path);
    return lost;
  } catch (error) {
    const failure = error instanceof UnavailableError ? error.cause : error;
    throw storeError(failure, path, force ? 'The old file is unchanged.' : 'Nothing was made.');
  } finally {
    removeFiles(draft);
  }
}

/** Makes a sandbox file unless there is one. Of several processes at once, one makes the file, and all find it. */
export function ensureSandbox(path: string, demo: boolean): void {
  if (existsSync(path)) return;
  try {
    createSandbox(path, { demo });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
}

/** Copies a sandbox that no server has open to a new path. Throws ConflictError when the path is taken, UnavailableError when the disk fails. */
export function copySandbox(path: string, target: string): void {
  const store = openStore(path, { mode: 'open' });
  store.all('PRAGMA wal_checkpoint(TRUNCATE)');
  store.close();
  makeFolderOf(target);
  const draft = draftBeside(target);
  try {
    copyFileSync(path, draft);
    placeFile(draft, target);
  } catch (error) {
    throw storeError(error, target, 'Nothing was made.');
  } finally {
    removeFiles(draft);
  }
}

/** True for the error of a folder whose name, or a part of its path, is a file's. */
const isTaken = (error: unknown): boolean => ['EEXIST', 'ENOTDIR'].includes(systemCode(error) ?? '');

function makeFolderOf(path: string): void {
  try {
    makeFolder(dirname(path));
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    const what = `A sandbox can't be made at ${path}`;
    throw (
      diskError(what, error) ??
      new UsageError(`${what} (${systemReason(error)}).`, {
        hint: isTaken(error)
          ? 'A folder of its path is a file. CRM_DATA_DIR names the data folder: give the name of a folder there, or --db FILE.'
          : 'You must have the right to write to its directory. CRM_DATA_DIR and --db name another.',
        cause: error,
      })
    );
  }
}

/**
 * Puts back the records that a sandbox began with. Returns the records of a snapshot that the sandbox can't hold, as `createSandbox`
 * does. Throws UsageError when there is no sandbox, UnavailableError when the disk fails.
 */
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

/** The folder of the snapshot that a sandbox was made from; undefined for own records. Throws UsageError when there is no sandbox. */
export function madeFrom(path: string): string | undefined {
  const store = openStore(path, { mode: 'open' });
  try {
    return store.get<{ value: string }>("SELECT value FROM meta WHERE name = 'from'")?.value;
  } finally {
    store.close();
  }
}

/** Undefined when the file is missing, damaged, no sandbox or an older version's. Throws NewerSandboxError. */
function refill(path: string, records: () => DemoRecords): string[] | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return refillStore(openStore(path, { mode: 'open' }), records);
  } catch (error) {
    if (error instanceof NewerSandboxError) throw error;
    if (error instanceof UsageError || hasSqliteCode(error, 'corrupt')) return undefined;
    throw error;
  }
}

function refillStore(store: Store, records: () => DemoRecords): string[] {
  try {
    return store.transaction(() => {
      const all = records();
      for (const name of tableNames(store)) store.execute(`DELETE FROM ${name}`);
      // Ids start again at 1.
      store.execute('DELETE FROM sqlite_sequence');
      return fillWith(store, all);
    });
  } catch (error) {
    throw storeError(error, store.path, 'It holds either all of its old records or all of the new records.');
  } finally {
    store.close();
  }
}

interface DemoRecords {
  /** The row of the table `meta`: tells a reset which records the sandbox began with. */
  readonly noted: SqlValues;
  readonly source: RecordSource;
  readonly loading: Loading;
}

const ownRecords = (demo: boolean): DemoRecords => ({
  noted: { records: demo ? 'demo' : 'empty' },
  // Of data/: the demo records of a family, if there are any, else its reference records.
  source: (name) =>
    ((demo && dataText(`demo/${name}`)) || dataText(`reference/${name}`))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Members),
  loading: { completed: wholeRecord },
});

function snapshotRecords(from: string): DemoRecords {
  const { manifest, records } = openSnapshot(from, from);
  // Statuses, units and tax rates are only named in records. Without such records a new one could have none.
  const isUnnamed = ({ kind }: Members): boolean =>
    Object.entries(namedKinds).some(([one, { seenIn }]) => one === kind && seenIn.every(({ family }) => !manifest.files[family]?.records));
  const own = ownRecords(false).source;
  const source: RecordSource = (name) => (name === 'names' ? [...own(name)].filter(isUnnamed) : records(name));
  return { noted: { records: 'snapshot', from }, source, loading: { lacks: (family) => manifest.files[family] === undefined } };
}

/** Fills an empty store with the demo data, or with the reference data alone. */
export function fillStore(store: Store, demo: boolean): void {
  fillWith(store, ownRecords(demo));
}

function fillWith(store: Store, { noted, source, loading }: DemoRecords): string[] {
  return store.transaction(() => {
    for (const [name, value] of Object.entries(noted)) store.run('INSERT INTO meta (name, value) VALUES (?, ?)', name, value);
    return loadRecords(store, source, loading);
  });
}

function buildSandbox(path: string, records: DemoRecords): string[] {
  const store = openStore(path, { mode: 'create' });
  try {
    return fillWith(store, records);
  } finally {
    store.close();
  }
}

/**
 * Writes the records of a source into a store. Returns the records that the store can't hold: `leads 7 (its id is there twice)`. A record also
 * names statuses, units and tax rates, which no list gives: their ids and names are stored without records.
 */
export function loadRecords(
  store: Store,
  source: RecordSource,
  { completed = (_, line) => line, lacks = () => false }: Loading = {},
): string[] {
  const lost: string[] = [];
  const known = new Set<string>();
  for (const { kind, ...name } of source('names')) saveName(store, String(kind), name);
  for (const family of familyTables) {
    const { table, resource } = family;
    for (const line of source(table)) {
      try {
        if (store.get(`SELECT 1 FROM ${table} WHERE id = ?`, Number(line.id)) !== undefined) throw new RangeError('its id is there twice');
        save(store, family, completed(family, line));
        saveThingsOf(store, resource, line, known, lacks);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        lost.push(`${table} ${line.id} (${error.message})`);
      }
    }
  }
  return lost;
}

const tableNames = (store: Store): string[] =>
  store
    .all<{ name: string }>("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .map(({ name }) => name);

/** Copies all records of an open store into memory. Returns the function that puts the copies back, with their ids, in one transaction. */
export function copyRecords(store: Store): () => void {
  store.execute("ATTACH ':memory:' AS copies");
  const tables = tableNames(store);
  // SQLite refuses new tables named `sqlite_…`, so each copy has a name of its own. `sqlite_sequence` has the last id of each table.
  const copyOf = (name: string): string => `copies."copy_${name}"`;
  store.snapshot(() => {
    for (const name of [...tables, 'sqlite_sequence']) store.execute(`CREATE TABLE ${copyOf(name)} AS SELECT * FROM main."${name}"`);
  });
  return () =>
    store.transaction(() => {
      for (const name of [...tables, 'sqlite_sequence']) store.execute(`DELETE FROM main."${name}"`);
      for (const name of tables) store.execute(`INSERT INTO main."${name}" SELECT * FROM ${copyOf(name)}`);
      store.execute(`DELETE FROM main.sqlite_sequence; INSERT INTO main.sqlite_sequence SELECT * FROM ${copyOf('sqlite_sequence')}`);
    });
}

/** Of two processes at once, the second fails: a hard link never replaces a file. */
function placeFile(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (systemCode(error) === 'EEXIST' || existsSync(path)) throw pathTaken(path);
    if (!isWithoutLinks(error)) throw error;
    renameSync(draft, path);
  }
}

function isWithoutLinks(error: unknown): boolean {
  const codes = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];
  return codes.includes(systemCode(error) ?? '');
}

function removeFiles(path: string): void {
  rmSync(path, { force: true });
  removeLogs(path);
}

function removeLogs(path: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

function pathTaken(path: string): ConflictError {
  return new ConflictError(`${path} exists already.`);
}
