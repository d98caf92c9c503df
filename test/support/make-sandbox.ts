// Embedded CRMs for tests: the first one of a kind is made, each further one is a copy of the first, 60 times as fast.
// `test/sandbox/service/create.test.ts` tests the making.

import { readFileSync, writeFileSync } from 'node:fs';
import { createSandbox } from '../../src/sandbox/create.ts';

/** The first files, with demo data and without. */
const made = new Map<boolean, Uint8Array>();

/** Makes an embedded CRM in a new file of a folder that is there: with demo data, or with reference data alone. */
export function makeSandbox(path: string, { demo }: { readonly demo: boolean }): void {
  const first = made.get(demo);
  if (first === undefined) {
    createSandbox(path, { demo });
    made.set(demo, readFileSync(path));
  } else writeFileSync(path, first, { mode: 0o600, flag: 'wx' });
}
