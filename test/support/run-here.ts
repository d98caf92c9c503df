// Runs the program in the test's own process, ten times as fast as in a process of its own.

import { type Clock, systemClock } from '../../src/base/clock.ts';
import { main } from '../../src/entry/main.ts';
import type { Io } from '../../src/output/streams/io.ts';
import type { Crm } from './crm.ts';
import { fakeIo } from './fake-io.ts';

interface Surroundings {
  readonly env: Record<string, string>;
  readonly cwd?: string;
  readonly clock?: Clock;
  /** Ends the run: as a signal does, with the reason InterruptedError. */
  readonly signal?: AbortSignal;
}

interface Streams {
  readonly stdin?: string;
  readonly tty?: boolean;
  readonly columns?: number;
}

/** Runs `crm` to its end. `tty`: its streams are a terminal. */
export async function runHere(
  args: readonly string[],
  { stdin = '', tty = false, columns = 80, ...surroundings }: Surroundings & Streams,
): Promise<Crm> {
  const io = fakeIo({ stdin, tty, columns });
  const status = await statusHere(args, io, surroundings);
  return { status, stdout: io.stdoutText(), stderr: io.stderrText() };
}

/** Runs `crm` to its end on these streams. Gives its exit status. The waits for lost answers are as short as with `runCrm`. */
export function statusHere(
  args: readonly string[],
  io: Io,
  { env, cwd = '/nonexistent', clock = systemClock, signal = new AbortController().signal }: Surroundings,
): Promise<number> {
  return main(args, { io, env: { CRM_TEST_WAITS: '0.05', ...env }, cwd, signal, clock });
}
