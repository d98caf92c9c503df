// An embedded CRM of a test's own, over real HTTP from the test's process: for tests that are about the program before it. The command
// that serves one, `crm sandbox serve`, is for startSandbox.

import { randomBytes } from 'node:crypto';
import { createSandbox } from '../../src/sandbox/create.ts';
import { serve } from '../../src/sandbox/http/serve.ts';

export interface ServedHere {
  readonly baseUrl: string;
  readonly key: string;
  /** Finishes the requests in flight. */
  stop(): Promise<void>;
}

/** Makes one in a new file, with demo data or with reference data only, and serves it on a free port. */
export async function serveHere(path: string, { empty = false, key = randomBytes(12).toString('hex') } = {}): Promise<ServedHere> {
  createSandbox(path, { demo: !empty });
  const { baseUrl, close } = await serve({ path, host: '127.0.0.1', port: 0, key });
  return { baseUrl, key, stop: close };
}
