// The program in the test's own process: for what doesn't depend on being a process, at a tenth of the time.

import { main } from '../../src/main.ts';
import type { Crm } from './crm.ts';
import { fakeIo } from './fake-io.ts';

/** Runs `crm` to its end, with streams that are no terminal. It waits for lost answers as briefly as one that runCrm starts. */
export async function runHere(
  args: readonly string[],
  { env, cwd = '/nonexistent', stdin = '' }: { env: Record<string, string>; cwd?: string; stdin?: string },
): Promise<Crm> {
  const io = fakeIo({ stdin });
  const all = { CRM_TEST_WAITS: '0.25', ...env };
  const status = await main(args, { io, env: all, cwd, signal: new AbortController().signal });
  return { status, stdout: io.stdoutText(), stderr: io.stderrText() };
}
