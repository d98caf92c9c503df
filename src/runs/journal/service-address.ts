// The paths of the journals.

import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** The folder of the journals below the data folder. */
export const journalFolder = (dataDir: string): string => join(dataDir, 'journals');

/** The name of a service's file: `crm.example-1a2b3c4d.sqlite`. */
export function serviceFile(service: string, ending: string): string {
  const plain = service
    .replace(/^https?:\/\//, '')
    .replaceAll(/[^A-Za-z0-9.]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 48);
  return `${plain}-${createHash('sha256').update(service).digest('hex').slice(0, 8)}.${ending}`;
}
