// The records that every embedded CRM begins with (reference/), and the demo data (demo/): NDJSON, a file for each family. Members that a
// record leaves out are empty. The build puts the texts into the program.

import { existsSync, readFileSync } from 'node:fs';

/** The text of a file (`demo/leads`); empty when there is no such file. */
export function dataText(name: string): string {
  const file = new URL(`./${name}.ndjson`, import.meta.url);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
