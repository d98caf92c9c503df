// The service of a run for its journal, its lock and its names. A served embedded CRM is known by its file, not by its address.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isExposed, serviceAddress } from '../base/base-url.ts';
import { CrmError } from '../base/errors.ts';

/** The folder of the notes of served embedded CRMs, below the data folder. */
export const servedFolder = (dataDir: string): string => join(dataDir, 'served');

/** The service that identifies the journal of the settings' base URL: the address, or the file of a served embedded CRM. */
export async function serviceOf({ dataDir }: { dataDir(): Promise<string> }, baseUrl: string): Promise<string> {
  const address = serviceAddress(baseUrl);
  if (!address.startsWith('http:') || isExposed(address)) return address;
  try {
    const folder = servedFolder(await dataDir());
    // The notes need the journal's names and locks. Where nothing was ever served, these are not loaded.
    if (!existsSync(folder)) return address;
    const { servedAt } = await import('./served-notes.ts');
    return servedAt(folder, address) ?? address;
  } catch (error) {
    if (error instanceof CrmError || (error instanceof Error && 'code' in error)) return address;
    throw error;
  }
}
