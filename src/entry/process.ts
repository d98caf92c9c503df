// Runs the program in this process: its streams, signals and exit status.

import { homedir } from 'node:os';
import { type EndingSignal, InterruptedError } from '../base/errors.ts';
import { systemIo } from '../output/streams/io.ts';
import { main } from './main.ts';

/** Signals closer together than this, in milliseconds, count as one: `timeout` signals the command and its group. */
const oneSignal = 50;

const signals: readonly EndingSignal[] = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/** Runs a command line, without node and script, and sets the exit status. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  // A diagnostic report would hold all environment variables, and so perhaps the key.
  process.report.excludeEnv = true;
  settleHome();
  const abort = new AbortController();
  let first = Number.NEGATIVE_INFINITY;
  const io = systemIo(process, (reason) => abort.abort(reason));
  const stop = (signal: EndingSignal): void => {
    // Ctrl-C reaches the pager too, and is meant for it.
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

/** Sets HOME to an empty text for a user without a home folder: some libraries read the home folder while they load, and would throw. */
function settleHome(): void {
  try {
    homedir();
  } catch {
    process.env.HOME = '';
  }
}
