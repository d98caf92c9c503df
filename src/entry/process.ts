// The process: real streams, signals and the exit status.

import { homedir } from 'node:os';
import { type EndingSignal, InterruptedError } from '../errors.ts';
import { main } from '../main.ts';
import { systemIo } from '../output/streams/io.ts';

/** Two signals so close together are one, in milliseconds: `timeout` sends it to the command and to its group. */
const oneSignal = 50;

const signals: readonly EndingSignal[] = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/** Runs a command line (without node and script) on the process's own streams; sets the exit status. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  // A diagnostic report would hold every variable, and one of them may be the key.
  process.report.excludeEnv = true;
  settleHome();
  const abort = new AbortController();
  let first = Number.NEGATIVE_INFINITY;
  const io = systemIo(process, (reason) => abort.abort(reason));
  const stop = (signal: EndingSignal): void => {
    // Ctrl-C reaches both: a pager goes on, and without its terminal there is nothing to stop.
    if (signal === 'SIGINT' && io.pager?.isOpen()) return;
    if (performance.now() - first < oneSignal) return;
    if (abort.signal.aborted) {
      // The second signal means now: the default action ends the process.
      for (const one of signals) process.off(one, stop);
      process.kill(process.pid, signal);
      return;
    }
    first = performance.now();
    abort.abort(new InterruptedError(signal));
  };
  for (const one of signals) process.on(one, stop);
  process.exitCode = await main(argv, { io, env: process.env, cwd: process.cwd(), signal: abort.signal });
  for (const one of signals) process.off(one, stop);
}

/** A user may have no home folder: no variable names one, and the system doesn't know the user. Libraries that ask for it as they load would fail. */
function settleHome(): void {
  try {
    homedir();
  } catch {
    process.env.HOME = '';
  }
}
