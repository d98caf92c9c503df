// An embedded CRM of a test's own, over real HTTP from the test's process: for tests that are about the program before it. The command
// that serves one, `crm sandbox serve`, is for startSandbox.

import { randomBytes } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { createSandbox } from '../../src/sandbox/create.ts';
import { serve } from '../../src/sandbox/http/serve.ts';

export interface ServedHere {
  readonly baseUrl: string;
  readonly key: string;
  /** Finishes the requests in flight. */
  stop(): Promise<void>;
}

interface ServeHereOptions {
  /** With reference data only, in place of demo data. */
  readonly empty?: boolean;
  /** A file of records to begin with, which is copied. */
  readonly from?: string | undefined;
  readonly key?: string;
}

/** Makes one in a new file and serves it on a free port. */
export async function serveHere(
  path: string,
  { empty, from, key = randomBytes(12).toString('hex') }: ServeHereOptions = {},
): Promise<ServedHere> {
  if (from === undefined) createSandbox(path, { demo: empty !== true });
  else copyFileSync(from, path);
  const { baseUrl, close } = await serve({ path, host: '127.0.0.1', port: 0, key });
  return { baseUrl, key, stop: close };
}
