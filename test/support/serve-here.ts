// Serves an embedded CRM over real HTTP from the test's own process. `startSandbox` (crm.ts) serves with the command `crm sandbox serve`
// instead.

import { randomBytes } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { serve } from '../../src/sandbox/http/serve.ts';
import { makeSandbox } from './make-sandbox.ts';

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

/** Makes an embedded CRM in a new file, and serves it on a free port. */
export async function serveHere(
  path: string,
  { empty, from, key = randomBytes(12).toString('hex') }: ServeHereOptions = {},
): Promise<ServedHere> {
  if (from === undefined) makeSandbox(path, { demo: empty !== true });
  else copyFileSync(from, path);
  const { baseUrl, close } = await serve({ path, host: '127.0.0.1', port: 0, key });
  return { baseUrl, key, stop: close };
}
