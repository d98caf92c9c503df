// Runs the program in the test's own process, ten times as fast as in a process of its own.

import { type Clock, systemClock } from '../../src/base/clock.ts';
import { main } from '../../src/entry/main.ts';
import type { Crm } from './crm.ts';
import { fakeIo } from './fake-io.ts';

interface Surroundings {
  readonly env: Record<string, string>;
  readonly cwd?: string;
  readonly stdin?: string;
  readonly tty?: boolean;
  readonly columns?: number;
  readonly clock?: Clock;
  /** Ends the run: as a signal does, with the reason InterruptedError. */
  readonly signal?: AbortSignal;
}

/** Runs `crm` to its end. `tty`: its streams are a terminal. The waits for lost answers are as short as with `runCrm`. */
export async function runHere(
  args: readonly string[],
  {
    env,
    cwd = '/nonexistent',
    stdin = '',
    tty = false,
    columns = 80,
    clock = systemClock,
    signal = new AbortController().signal,
  }: Surroundings,
): Promise<Crm> {
  const io = fakeIo({ stdin, tty, columns });
  const all = { CRM_TEST_WAITS: '0.05', ...env };
  const status = await main(args, { io, env: all, cwd, signal, clock });
  return { status, stdout: io.stdoutText(), stderr: io.stderrText() };
}
