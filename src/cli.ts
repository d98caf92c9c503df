// The process: real streams, signals and the exit status. bin/crm.js loads the bundle of this.

import { InterruptedError } from './errors.ts';
import { main } from './main.ts';
import { systemIo } from './output/io.ts';

/** Runs the process's own command line. */
export async function cli(): Promise<void> {
  const abort = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    if (abort.signal.aborted) {
      // The second signal means now: the default action ends the process.
      process.off('SIGINT', stop).off('SIGTERM', stop);
      process.kill(process.pid, signal);
      return;
    }
    abort.abort(new InterruptedError(signal === 'SIGTERM' ? 'SIGTERM' : 'SIGINT'));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const io = systemIo(process);
  process.exitCode = await main(process.argv.slice(2), { io, env: process.env, cwd: process.cwd(), signal: abort.signal });
  process.off('SIGINT', stop).off('SIGTERM', stop);
}
