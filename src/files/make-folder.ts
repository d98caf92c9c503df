// Makes folders. Node's own recursive option never returns where neither the folder nor its parent can be made (/proc/x).

import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../errors.ts';

/**
 * Makes a folder that only this user can enter, and any missing folders above it. False: it was there already. Throws the
 * system's error.
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
