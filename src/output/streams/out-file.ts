// The file of --out: a new name beside the file takes the result, and becomes the file only when the result is whole.

import { type BigIntStats, fstatSync } from 'node:fs';
import { lstat, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { invalidValue, systemCode } from '../../base/errors.ts';
import { openDraft } from '../../base/files/durable-file.ts';
import { factsAt, unwritableFile } from '../../base/files/output-place.ts';
import { pathIn, type WorkingFolder } from '../../base/files/path-in.ts';
import { howMany } from '../../base/values/text/wording.ts';
import type { Shape } from '../result.ts';
import { type Io, intoFile, writeFailure } from './io.ts';

/** A file that takes a result. Nobody sees it under its name before `keep`. */
export interface OutFile {
  /** The streams with the result going into the file. */
  readonly io: Io;
  /** Counts records of the result. Only declared records have a noun. */
  count(records: number, shape: Shape): void;
  /** Puts the result in the file's place. Returns the sentence for a person. Throws StdoutFailed. */
  keep(): Promise<string>;
  /** Leaves the file as it was. */
  drop(): Promise<void>;
}

interface OutTarget extends WorkingFolder {
  readonly io: Io;
  /** True if a table in the file is coloured. */
  readonly color: boolean;
  /** The files and folders that the command reads or writes otherwise. */
  readonly others: readonly string[];
}

/**
 * Opens the file of --out under another name in its folder. Throws InvalidValues for a path that can't be written, for pipes and devices,
 * and for a file that the command uses otherwise; UnavailableError for a full disk.
 */
export async function openOutFile(name: string, { io, color, others, ...folder }: OutTarget): Promise<OutFile> {
  if (name === '-') throw invalidValue('--out', 'without --out the result is on standard output; name a file.');
  const typed = pathIn(folder, name);
  const facts = await factsAt('--out', name, typed);
  if (facts !== undefined && !facts.isFile()) throw invalidValue('--out', `${name} is not an ordinary file.`);
  const path = await realPath(typed).catch((error: unknown) => fail(name, error));
  if (facts !== undefined) await checkReplaceable(name, path);
  for (const other of others)
    if (await isSame({ path, facts }, pathIn(folder, other)))
      throw invalidValue('--out', `the command uses ${other} itself; name another file.`);
  if (facts !== undefined && isStandardInput(facts)) throw invalidValue('--out', `${name} is standard input; name another file.`);
  const mode = facts === undefined ? undefined : Number(facts.mode) & 0o777;
  const draft = await openDraft(path, mode ?? 0o666).catch((error: unknown) => fail(name, error));
  let [records, shape]: [number, Shape | undefined] = [0, undefined];
  const into = intoFile(io, draft.file.fd, { name, color });
  return {
    io: into,
    count: (more, of) => {
      records += more;
      shape = of;
    },
    keep: async () => {
      try {
        await into.flush();
        // The umask may have taken away a part of the mode.
        if (mode !== undefined && (((await draft.file.stat()).mode ^ mode) & 0o777) !== 0) await draft.file.chmod(mode);
        await draft.keep();
      } catch (error) {
        await draft.drop();
        throw systemCode(error) === undefined ? error : writeFailure(error as NodeJS.ErrnoException, name);
      }
      return shape?.singular === undefined ? `The result is in ${name}` : `${howMany(records, shape.singular, shape.name)} in ${name}`;
    },
    drop: draft.drop,
  };
}

/** Undefined also for a file that the system doesn't tell about. */
const statOf = (path: string): Promise<BigIntStats | undefined> => stat(path, { bigint: true }).catch(() => undefined);

/** The file itself may be missing. */
async function realPath(path: string): Promise<string> {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  return isThere ? realpath(path) : join(await realpath(dirname(path)), basename(path));
}

const sqliteMark = 'SQLite format 3\0';

/** The journal and the embedded CRM are databases. */
async function checkReplaceable(name: string, path: string): Promise<void> {
  // Opening for reading and writing finds read-only files, and files that a program on Windows holds.
  const file = await open(path, 'r+').catch((error: unknown) => fail(name, error));
  try {
    const { buffer } = await file.read(Buffer.alloc(sqliteMark.length), 0, sqliteMark.length, 0);
    if (buffer.toString('latin1') === sqliteMark) throw invalidValue('--out', `${name} is a database, and is not overwritten.`);
  } finally {
    await file.close();
  }
}

async function isSame(file: { readonly path: string; readonly facts: BigIntStats | undefined }, other: string): Promise<boolean> {
  const facts = await statOf(other);
  const own = facts?.isDirectory() ? await statOf(dirname(file.path)) : file.facts;
  if (facts !== undefined || own !== undefined) return facts?.ino === own?.ino && facts?.dev === own?.dev;
  // Two names of new files. Some systems don't tell upper from lower case.
  const path = await realPath(other).catch(() => other);
  return path.normalize().toLowerCase() === file.path.normalize().toLowerCase();
}

function isStandardInput({ ino, dev }: BigIntStats): boolean {
  try {
    const facts = fstatSync(0, { bigint: true });
    return facts.isFile() && facts.ino === ino && facts.dev === dev;
  } catch {
    return false;
  }
}

function fail(name: string, error: unknown): never {
  throw unwritableFile('--out', name, error);
}
