// Makes folders and files that only this user can read and write. Missing parents are made one by one: Node's recursive mkdir never
// returns for a path such as /proc/x.

import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../errors.ts';

/** Makes a folder and its missing parents (0700). False when the folder exists. Throws the system's errors. */
export function makeFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (isFolder(path)) return false;
    const parent = dirname(path);
    if (systemCode(error) !== 'ENOENT' || isFolder(parent)) throw error;
    makeFolder(parent);
    return makeFolder(path);
  }
}

/** Whether the path is a folder, or a link to one. False also where the system doesn't tell: for a name that is too long, a loop of links. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Makes an empty file (0600). False when the file exists. An existing file is not opened: closing it would release the locks that SQLite
 * holds on the file in this process. Throws the system's errors.
 */
export function makeOwnFile(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * A temporary name beside a path, for a file that gets its name when complete. Removes what killed processes left under such names of the
 * path, also the logs of SQLite.
 */
export function draftBeside(path: string): string {
  const [folder, name] = [dirname(path), basename(path)];
  for (const one of readdirSync(folder)) {
    const [, pid] = /^\.(\d+)-[0-9a-z]+\.draft(-wal|-shm|-journal)?$/.exec(one.startsWith(name) ? one.slice(name.length) : '') ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, one), { force: true });
  }
  return `${path}.${process.pid}-${process.hrtime.bigint().toString(36)}.draft`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists, too.
    return systemCode(error) !== 'ESRCH';
  }
}

/** Writes a file (0600) in place of any file at the path. A reader sees the old text or the whole new text. Throws the system's errors. */
export function replaceOwnFile(path: string, text: string): void {
  const draft = draftBeside(path);
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Overwrites a file with zeros, then removes the file. A missing file is fine. Throws the system's errors. */
export function eraseFile(path: string): void {
  try {
    // Not through a link, and never waiting for the reader of a pipe.
    const file = openSync(path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const facts = fstatSync(file);
      if (facts.isFile()) {
        writeSync(file, Buffer.alloc(facts.size), 0, facts.size, 0);
        fsyncSync(file);
      }
    } finally {
      closeSync(file);
    }
  } catch {
    // What can't be overwritten is removed.
  }
  rmSync(path, { force: true });
}
