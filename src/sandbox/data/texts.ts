// The records that every embedded CRM begins with (reference/) and the demo data (demo/): NDJSON as a snapshot has it, a file a family.
// What a record leaves out is empty. The build puts the texts into the program.

import { existsSync, readFileSync } from 'node:fs';

/** The text of `demo/leads` or another file; empty where there is none. */
export function dataText(name: string): string {
  const file = new URL(`./${name}.ndjson`, import.meta.url);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
