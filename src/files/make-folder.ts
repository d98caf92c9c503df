// Makes folders. Node's own recursive way tries for ever where a folder can be made neither at once nor after its parent (/proc/x).

import { mkdirSync, statSync } from 'node:fs';
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
