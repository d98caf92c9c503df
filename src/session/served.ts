// The service of a run for its journal, its lock and its names. A served embedded CRM is known by its file, not by its address: `serve` and
// `exec` note both in the data folder while they run.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isExposed, serviceAddress } from '../base/base-url.ts';
import { CrmError } from '../base/errors.ts';
import { makeFolder, replaceOwnFile } from '../base/files/make-folder.ts';
import { serviceFile } from '../runs/journal/journal.ts';
import { holdFile, isHeld } from './lock.ts';

const servedFolder = (dataDir: string): string => join(dataDir, 'served');

/** The note of an address, and the lock that tells that the server lives. */
const noteOf = (dataDir: string, address: string): { readonly path: string; readonly lock: string } => {
  const path = join(servedFolder(dataDir), serviceFile(address, 'txt'));
  return { path, lock: `${path}.lock` };
};

/**
 * Notes that this process serves the embedded CRM `service` (`sandbox:/path`) at a base URL. Returns the function that clears the note. A
 * data folder that can't be written gets no note.
 */
export function noteServed(dataDir: string, baseUrl: string, service: string): () => void {
  const { path, lock } = noteOf(dataDir, serviceAddress(baseUrl));
  try {
    makeFolder(servedFolder(dataDir));
    clearDead(dataDir);
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

function clearDead(dataDir: string): void {
  for (const name of readdirSync(servedFolder(dataDir))) {
    const path = join(servedFolder(dataDir), name);
    if (name.endsWith('.lock') && !isHeld(path)) for (const one of [path, path.slice(0, -'.lock'.length)]) rmSync(one, { force: true });
  }
}

/** The service that identifies the journal of the settings' base URL: the address, or the file of a served embedded CRM. */
export async function serviceOf({ dataDir }: { dataDir(): Promise<string> }, baseUrl: string): Promise<string> {
  const address = serviceAddress(baseUrl);
  if (!address.startsWith('http:') || isExposed(address)) return address;
  try {
    const { path, lock } = noteOf(await dataDir(), address);
    const service = readFileSync(path, 'utf8');
    return isHeld(lock) ? service : address;
  } catch (error) {
    if (error instanceof CrmError || (error instanceof Error && 'code' in error)) return address;
    throw error;
  }
}
