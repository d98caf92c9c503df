// The program in the test's own process: for what doesn't depend on being a process, at a tenth of the time.

import { main } from '../../src/main.ts';
import type { Crm } from './crm.ts';
import { fakeIo } from './fake-io.ts';

/** Runs `crm` to its end, with streams that are no terminal. */
export async function runHere(
  args: readonly string[],
  { env, cwd, stdin = '' }: { env: Record<string, string>; cwd: string; stdin?: string },
): Promise<Crm> {
  const io = fakeIo({ stdin });
  const status = await main(args, { io, env, cwd, signal: new AbortController().signal });
  return { status, stdout: io.stdoutText(), stderr: io.stderrText() };
}
