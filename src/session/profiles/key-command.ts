// Runs a profile's key command through the shell. The command's standard output is the key; its standard error goes to the user.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import { InterruptedError, UnauthorizedError } from '../../base/errors.ts';
import type { Io } from '../../output/streams/io.ts';

const outputLimit = 65_536;

/** The parts of a session that a key command needs. */
export interface KeyCommandSurroundings {
  readonly io: Pick<Io, 'stdin' | 'stdout' | 'stderr' | 'waits' | 'err'>;
  readonly flags: { readonly quiet?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** How a command ended: with an exit status or by a signal. The other is null. */
type Ending = [status: number | null, signal: NodeJS.Signals | null];

/**
 * The text that a key command printed. `owner` is for messages: `profile "acme"`. `timeout`: milliseconds. Throws UnauthorizedError with
 * the exit status, never with the output.
 */
export async function runKeyCommand(command: string, owner: string, context: KeyCommandSurroundings, timeout = 60_000): Promise<string> {
  const source = `The key command of ${owner}`;
  if (context.signal.aborted) throw interruption(context.signal);
  const { stdin, stdout, stderr } = context.io;
  // On a terminal the command stays in crm's process group, because a password program may ask there. Ctrl-C reaches the whole group.
  // Windows has no groups, and would open a window.
  const hasGroup = platform() !== 'win32' && !stdin.isTTY && !stdout.isTTY && !stderr.isTTY;
  const child = spawn(command, {
    shell: true,
    detached: hasGroup,
    windowsHide: true,
    env: { ...context.env },
    stdio: [stdin.isTTY ? 'inherit' : 'ignore', 'pipe', 'inherit'],
  });
  const shown = hasGroup ? undefined : leaveTerminal(context, owner);
  const { text, ending } = await finished(child, () => endCommand(child, hasGroup), source, context.signal, timeout).finally(() =>
    shown?.end(),
  );
  const [status, signal] = ending;
  if (signal !== null) throw new UnauthorizedError(`${source} was ended by ${signal}.`, { code: 'no_key' });
  if (status !== 0) throw new UnauthorizedError(`${source} failed with exit status ${status}.`, { code: 'no_key' });
  if (text.trim() === '') throw new UnauthorizedError(`${source} printed nothing (exit status 0).`, { code: 'no_key' });
  return text;
}

/** After this many milliseconds a line says that crm waits for the key command. */
const worthAWord = 5000;

/** The command may ask on the terminal, so nothing is drawn until `end`. If the command takes long, one line names it. */
function leaveTerminal({ io, flags }: KeyCommandSurroundings, owner: string): { end(): void } {
  const release = io.waits.hold();
  const say = (): void => io.err(`\nWaiting for the key command of ${owner}.\n`);
  const timer = setTimeout(() => io.stderr.isTTY && !flags.quiet && say(), worthAWord).unref();
  return {
    end: () => {
      clearTimeout(timer);
      release();
    },
  };
}

function endCommand(child: ChildProcess, hasGroup: boolean): void {
  try {
    if (platform() === 'win32' && child.pid !== undefined) endTree(child.pid);
    else if (hasGroup && child.pid !== undefined) process.kill(-child.pid);
    else child.kill();
  } catch {
    // The command has ended already.
  }
}

/** Windows would end the shell alone, and leave the processes that the shell started. */
const endTree = (pid: number): void =>
  void spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).on('error', () => undefined);

function finished(
  child: ChildProcess,
  stop: () => void,
  source: string,
  signal: AbortSignal,
  timeout: number,
): Promise<{ text: string; ending: Ending }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ text: string; ending: Ending }>();
  const chunks: Buffer[] = [];
  let size = 0;
  const giveUp = (error: Error): void => {
    stop();
    // A process that the command started may keep the pipe open.
    child.stdout?.destroy();
    child.unref();
    reject(error);
  };
  const interrupt = (): void => giveUp(interruption(signal));
  const timer = setTimeout(
    () => giveUp(new UnauthorizedError(`${source} took longer than ${timeout / 1000} s.`, { code: 'no_key' })),
    timeout,
  );
  signal.addEventListener('abort', interrupt, { once: true });
  child.stdout?.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > outputLimit) giveUp(new UnauthorizedError(`${source} printed too much to be a key.`, { code: 'no_key' }));
  });
  child.once('error', (cause) => reject(new UnauthorizedError(`${source} could not be started.`, { code: 'no_key', cause })));
  child.once('close', (...ending: Ending) => resolve({ text: Buffer.concat(chunks).toString('utf8'), ending }));
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', interrupt);
  });
}

function interruption(signal: AbortSignal): Error {
  return signal.reason instanceof Error && signal.reason.name !== 'AbortError' ? signal.reason : new InterruptedError('SIGINT');
}
