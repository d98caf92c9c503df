// Makes folders and files for this user alone. Node's own recursive way of making folders tries for ever where a folder can be made neither at once nor after its parent (/proc/x).

import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../errors.ts';

/**
 * Makes a folder, and those above it that are missing, for this user alone. False: it is there already. Throws what the system
 * says.
 */
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

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Makes an empty file for this user alone. False: there is one already, and it isn't opened: to close it would give back
 * locks that SQLite holds on it in this process. Throws what the system says.
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

/** Writes a file for this user alone in place of what is there: whoever reads it sees the old one or all of the new one. Throws what the system says. */
export function replaceOwnFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.draft`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
