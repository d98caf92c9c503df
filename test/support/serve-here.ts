// Serves an embedded CRM over real HTTP from the test's own process. `startSandbox` (crm.ts) serves with the command `crm sandbox serve`
// instead.

import { randomBytes } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createSandbox } from '../../src/sandbox/create.ts';
import { serve } from '../../src/sandbox/http/serve.ts';

export interface ServedHere {
  readonly baseUrl: string;
  readonly key: string;
  /** Finishes the requests under way, then stops. */
  stop(): Promise<void>;
}

interface ServeHereOptions {
  /** Reference data only, in place of demo data. */
  readonly empty?: boolean;
  /** The file of an embedded CRM, which is copied. */
  readonly from?: string | undefined;
  readonly key?: string;
}

/** What was made before, with demo data and without. */
const made = new Map<boolean, Uint8Array>();

/** Makes an embedded CRM in a new file. The second one is a copy of the first. */
function make(path: string, demo: boolean): void {
  const before = made.get(demo);
  if (before === undefined) {
    createSandbox(path, { demo });
    made.set(demo, readFileSync(path));
  } else writeFileSync(path, before, { mode: 0o600 });
}

/** Makes an embedded CRM in a new file, and serves it on a free port. */
export async function serveHere(
  path: string,
  { empty, from, key = randomBytes(12).toString('hex') }: ServeHereOptions = {},
): Promise<ServedHere> {
  if (from === undefined) make(path, empty !== true);
  else copyFileSync(from, path);
  const { baseUrl, close } = await serve({ path, host: '127.0.0.1', port: 0, key });
  return { baseUrl, key, stop: close };
}
