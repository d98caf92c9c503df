// The process: real streams, signals and the exit status.

import { InterruptedError } from '../errors.ts';
import { main } from '../main.ts';
import { systemIo } from '../output/streams/io.ts';

/** Two signals within this many milliseconds count as one: `timeout` signals the command and then its whole group. */
const oneSignal = 50;

/** Runs a command line (without node and script) on the process's own streams; sets the exit status. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  const abort = new AbortController();
  let first = Number.NEGATIVE_INFINITY;
  const stop = (signal: NodeJS.Signals): void => {
    if (performance.now() - first < oneSignal) return;
    if (abort.signal.aborted) {
      // A second signal ends the process at once, by the default action.
      process.off('SIGINT', stop).off('SIGTERM', stop);
      process.kill(process.pid, signal);
      return;
    }
    first = performance.now();
    abort.abort(new InterruptedError(signal === 'SIGTERM' ? 'SIGTERM' : 'SIGINT'));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const io = systemIo(process);
  process.exitCode = await main(argv, { io, env: process.env, cwd: process.cwd(), signal: abort.signal });
  process.off('SIGINT', stop).off('SIGTERM', stop);
}
