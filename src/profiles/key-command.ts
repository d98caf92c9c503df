// Runs a profile's key command through the shell: its standard output is the key; anything else that it prints, the user sees.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { InterruptedError, UnauthorizedError } from '../errors.ts';
import type { Io } from '../output/streams/io.ts';

const outputLimit = 65_536;

/** What a key command runs in. */
export interface KeyCommandSurroundings {
  readonly io: Pick<Io, 'stdin'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** How a command ended: one of the two is null. */
type Ending = [status: number | null, signal: NodeJS.Signals | null];

/**
 * What the command printed. `owner` is for error texts: `profile "acme"`.
 * Throws UnauthorizedError, which names its exit status and never its output. `timeout` is in milliseconds.
 */
export async function runKeyCommand(
  command: string,
  owner: string,
  { io, env, signal }: KeyCommandSurroundings,
  timeout = 60_000,
): Promise<string> {
  const source = `The key command of ${owner}`;
  if (signal.aborted) throw interruption(signal);
  // No process group of its own: it would cut a password program off from the terminal that it asks on.
  const child = spawn(command, {
    shell: true,
    env: { ...env },
    stdio: [io.stdin.isTTY ? 'inherit' : 'ignore', 'pipe', 'inherit'],
  });
  const { text, ending } = await finished(child, source, signal, timeout);
  const [status, endedBy] = ending;
  if (endedBy !== null) throw new UnauthorizedError(`${source} was ended by ${endedBy}.`);
  if (status !== 0) throw new UnauthorizedError(`${source} failed with exit status ${status}.`);
  if (text.trim() === '') throw new UnauthorizedError(`${source} printed nothing (exit status 0).`);
  return text;
}

function finished(child: ChildProcess, source: string, signal: AbortSignal, timeout: number): Promise<{ text: string; ending: Ending }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ text: string; ending: Ending }>();
  const chunks: Buffer[] = [];
  let size = 0;
  const giveUp = (error: Error): void => {
    child.kill();
    // A grandchild may hold the pipe open for as long as it likes.
    child.stdout?.destroy();
    child.unref();
    reject(error);
  };
  const interrupt = (): void => giveUp(interruption(signal));
  const timer = setTimeout(() => giveUp(new UnauthorizedError(`${source} took longer than ${timeout / 1000} s.`)), timeout);
  signal.addEventListener('abort', interrupt, { once: true });
  child.stdout?.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > outputLimit) giveUp(new UnauthorizedError(`${source} printed too much to be a key.`));
  });
  child.once('error', (cause) => reject(new UnauthorizedError(`${source} could not be started.`, { cause })));
  child.once('close', (...ending: Ending) => resolve({ text: Buffer.concat(chunks).toString('utf8'), ending }));
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', interrupt);
  });
}

function interruption(signal: AbortSignal): Error {
  return signal.reason instanceof Error && signal.reason.name !== 'AbortError' ? signal.reason : new InterruptedError('SIGINT');
}
