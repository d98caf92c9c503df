// Runs the program in this process: its streams, signals and exit status.

import { writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { type EndingSignal, exitStatuses, InterruptedError } from '../base/errors.ts';
import { outputInArgv, wantsJson } from '../base/global-flags.ts';
import { errorBody } from '../output/render-error.ts';
import { systemIo } from '../output/streams/io.ts';
import { main } from './main.ts';

/** Milliseconds within which several signals count as one signal: `timeout` signals the command, and then the command's group. */
const oneSignal = 50;

const signals: readonly EndingSignal[] = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/** Runs a command line and sets the exit status, a failure until the run has ended. `argv` is without node and script. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  process.exitCode = exitStatuses.fault.status;
  // A diagnostic report would hold all environment variables, and so perhaps the key.
  process.report.excludeEnv = true;
  ensureHome();
  const abort = new AbortController();
  let isSameSignal = false;
  const io = systemIo(process, (reason) => abort.abort(reason));
  const onIdle = (): void => tellUnfinished(argv, io.signals.last);
  process.once('beforeExit', onIdle);
  const onSignal = (signal: EndingSignal): void => {
    // Ctrl-C also reaches an open pager, and is meant for the pager.
    if (signal === 'SIGINT' && io.pager?.isOpen()) return;
    if (io.signals.to !== undefined) {
      io.signals.to(signal);
      return;
    }
    if (isSameSignal) return;
    if (abort.signal.aborted) {
      // After a second signal, the default action ends the process at once.
      for (const one of signals) process.off(one, onSignal);
      if (io.signals.last !== undefined) writeSync(2, `${io.signals.last}\n`);
      // On Windows the process would end with status 1.
      if (process.platform === 'win32') process.exit(new InterruptedError(signal).exitStatus);
      process.kill(process.pid, signal);
      return;
    }
    isSameSignal = true;
    // A busy machine may take longer for what the first signal sets off: signals that came meanwhile are heard before an immediate. It is no
    // idle one (`unref`): that would wait for the next event, and so perhaps for the second signal.
    const end = (): unknown =>
      setImmediate(() => {
        isSameSignal = false;
      });
    setTimeout(end, oneSignal).unref();
    abort.abort(new InterruptedError(signal));
  };
  for (const one of signals) process.on(one, onSignal);
  process.exitCode = await main(argv, { io, env: process.env, cwd: workingFolder(), signal: abort.signal, onWarning });
  for (const one of signals) process.off(one, onSignal);
  process.off('beforeExit', onIdle);
}

/**
 * Says that Node has nothing left to wait for, though the run has not ended. Writes at once: a stream's write would let the run go on, into
 * another end.
 */
function tellUnfinished(argv: readonly string[], last: string | undefined): void {
  const unfinished = new Error('the command ended before its work was done.');
  const hint = ['Look at what was done before you repeat the command.', last].filter(Boolean).join(' ');
  const body = { ...errorBody(unfinished), hint };
  const isForProgram = wantsJson({ output: outputInArgv(argv, process.stderr.isTTY) ?? 'table' });
  writeSync(2, isForProgram ? `${JSON.stringify({ error: body })}\n` : `error: crm has a fault: ${unfinished.message} ${hint}\n`);
}

/** The working folder. Undefined when the folder was deleted: then only commands that name files relative to the folder fail. */
function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    // jq and other libraries ask for the working folder while loading.
    process.chdir('/');
    return undefined;
  }
}

/** Takes the place of Node's own listener, which prints warnings at once: they would stand before a JSON error. */
function onWarning(tell: (warning: string) => void): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ message }) => {
    // Not true of crm, which checks certificates anyway.
    if (!message.includes('NODE_TLS_REJECT_UNAUTHORIZED')) tell(`Node: ${message}`);
  });
}

/** Sets HOME to an empty text for a user without a home folder: some libraries read the home folder while loading, and would throw. */
function ensureHome(): void {
  try {
    homedir();
  } catch {
    process.env.HOME = '';
  }
}
