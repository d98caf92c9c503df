// Reads snapshots: a folder with the records of a service, an NDJSON file for each family, and manifest.json, which is written last. A
// folder without manifest.json is an interrupted snapshot.

import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { parseJson, scalarText } from '../values/json.ts';
import { isMembers, type Members } from '../values/paths.ts';
import { writtenByNewer } from '../version.ts';
import { bytesOfFile, longestText, openToRead } from './read-whole.ts';

export interface SnapshotFile {
  readonly records: number;
  /** The digest of the file's bytes, hexadecimal. */
  readonly sha256: string;
}

export interface Manifest {
  readonly format: typeof format;
  /** The base URL, without the key. */
  readonly service: string;
  /** The time when the snapshot began: ISO 8601, UTC. */
  readonly taken: string;
  /** True: the texts are made up (`crm snapshot --mask`). */
  readonly masked?: true;
  /** The files by family, in the order of reading. `comments` are the comments of leads. */
  readonly files: Readonly<Record<string, SnapshotFile>>;
}

const formatNumber = 1;
export const format = `crm snapshot ${formatNumber}`;

export const manifestPath = (dir: string): string => join(dir, 'manifest.json');
export const recordsPath = (dir: string, name: string): string => join(dir, `${name}.ndjson`);

/** The place of a record's line in its file, in bytes. */
export interface ByteRange {
  readonly from: number;
  readonly length: number;
}

export interface Snapshot {
  readonly dir: string;
  readonly manifest: Manifest;
  /**
   * The records of a family, in the file's order; no records when the snapshot has no such file. Throws UsageError when the file was
   * changed.
   */
  records(name: string): Generator<Members>;
  /** The records of a family, each with its place in the file. */
  placed(name: string): Generator<{ readonly record: Members; readonly place: ByteRange }>;
  /** The record at a place in a family's file. */
  recordAt(name: string, place: ByteRange): unknown;
}

/** Opens the snapshot in a folder. `shown` names the folder in messages. Throws UsageError when the snapshot is missing, incomplete or a newer crm's. */
export function openSnapshot(dir: string, shown: string): Snapshot {
  if (!existsSync(manifestPath(dir))) throw noSnapshot(dir, shown);
  const manifest = readManifest(dir, shown);
  const placed = (name: string): ReturnType<Snapshot['placed']> => placedIn(dir, name, manifest.files[name], shown);
  return {
    dir,
    manifest,
    placed,
    *records(name) {
      for (const { record } of placed(name)) yield record;
    },
    recordAt(name, { from, length }) {
      const file = openToRead(recordsPath(dir, name));
      try {
        const bytes = Buffer.alloc(length);
        readSync(file, bytes, 0, length, from);
        return parseJson(bytes.toString());
      } finally {
        closeSync(file);
      }
    },
  };
}

/** True for a folder with a manifest that says `masked`. Any other manifest.json is somebody else's. */
export function isMasked(dir: string): boolean {
  try {
    return readManifest(dir, dir).masked === true;
  } catch {
    return false;
  }
}

function noSnapshot(dir: string, shown: string): UsageError {
  if (!existsSync(dir)) return new UsageError(`There is no snapshot ${shown}.`, { hint: 'Take one: crm snapshot FOLDER' });
  return new UsageError(`${shown} is not a whole snapshot: it has no manifest.json, which is written last.`, {
    hint: 'Writing it was interrupted. Remove the folder, and take the snapshot again.',
  });
}

function readManifest(dir: string, shown: string): Manifest {
  const damaged = new UsageError(`The manifest.json of ${shown} was not written by this version of crm.`);
  const file = openRegular(manifestPath(dir));
  const bytes = file === undefined ? undefined : bytesOfFile(file, longestText);
  try {
    const manifest = JSON.parse(new TextDecoder().decode(bytes)) as Manifest;
    const [, found] = /^crm snapshot (\d+)$/.exec(isMembers(manifest) ? scalarText(manifest.format) : '') ?? [];
    if (Number(found) > formatNumber) throw new UsageError(writtenByNewer(shown, found ?? '', formatNumber));
    const files = isMembers(manifest) && isMembers(manifest.files) ? Object.values(manifest.files) : [undefined];
    const isWhole = files.every((file) => Number.isInteger(file?.records) && typeof file?.sha256 === 'string');
    if (isWhole && manifest.format === format) return manifest;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw damaged;
}

function* placedIn(dir: string, name: string, noted: SnapshotFile | undefined, shown: string): ReturnType<Snapshot['placed']> {
  if (noted === undefined) return;
  const changed = new UsageError(`${name}.ndjson of ${shown} was changed after it was written: its digest differs.`, {
    hint: "A snapshot can't be edited. Take it again.",
  });
  const path = recordsPath(dir, name);
  const file = existsSync(path) ? openRegular(path) : undefined;
  if (file === undefined) throw changed;
  const hash = createHash('sha256');
  let [records, from] = [0, 0];
  for (const line of linesOfFile(file, (bytes) => hash.update(bytes))) {
    const record = lineRecord(line);
    if (record === undefined) throw changed;
    records += 1;
    const length = Buffer.byteLength(line);
    yield { record, place: { from, length } };
    from += length + 1;
  }
  if (hash.digest('hex') !== noted.sha256 || records !== noted.records) throw changed;
}

function lineRecord(line: string): Members | undefined {
  try {
    const record = parseJson(line);
    return isMembers(record) && scalarText(record.id) !== '' ? record : undefined;
  } catch {
    return undefined;
  }
}

const chunkBytes = 256 * 1024;

/** A synchronous read can't wait for the writer of a pipe. */
function openRegular(path: string): number | undefined {
  const file = openToRead(path);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  return undefined;
}

/** Holds only a chunk and a line in memory. */
function* linesOfFile(file: number, read: (bytes: Uint8Array) => void): Generator<string> {
  const [chunk, decoder] = [Buffer.alloc(chunkBytes), new TextDecoder()];
  try {
    let rest = '';
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
      const bytes = chunk.subarray(0, length);
      read(bytes);
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(file);
  }
}
