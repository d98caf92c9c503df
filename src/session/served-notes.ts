// The notes of served embedded CRMs, in a folder below the data folder: `serve` and `exec` note the address and the file while they run.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { serviceAddress } from '../base/base-url.ts';
import { makeFolder, replaceOwnFile } from '../base/files/make-folder.ts';
import { serviceFile } from '../runs/journal/journal.ts';
import { holdFile, isHeld } from './lock.ts';

/** The note of an address, and the lock that tells that the server lives. */
const noteOf = (folder: string, address: string): { readonly path: string; readonly lock: string } => {
  const path = join(folder, serviceFile(address, 'txt'));
  return { path, lock: `${path}.lock` };
};

/**
 * Notes that this process serves the embedded CRM `service` (`sandbox:/path`) at a base URL. Returns the function that clears the note. A
 * folder that can't be written gets no note.
 */
export function noteServed(folder: string, baseUrl: string, service: string): () => void {
  const { path, lock } = noteOf(folder, serviceAddress(baseUrl));
  try {
    makeFolder(folder);
    clearDead(folder);
    const release = holdFile(lock);
    if (release === undefined) return () => {};
    replaceOwnFile(path, service);
    return () => {
      rmSync(path, { force: true });
      release();
    };
  } catch {
    return () => {};
  }
}

function clearDead(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.lock') && !isHeld(path)) for (const one of [path, path.slice(0, -'.lock'.length)]) rmSync(one, { force: true });
  }
}

/** The service that is served at an address, by the note of a server that lives. Throws the errors of the file system. */
export function servedAt(folder: string, address: string): string | undefined {
  const { path, lock } = noteOf(folder, address);
  const service = readFileSync(path, 'utf8');
  return isHeld(lock) ? service : undefined;
}
