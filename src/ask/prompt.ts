// What every question on the terminal has in common: its streams, colours, and how Ctrl-C ends it.

import type { Context } from '../context.ts';
import { InterruptedError } from '../errors.ts';

export interface PromptStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

/** Whether there is a terminal to ask on, and asking is allowed. */
export function canAsk({ io, flags }: Pick<Context, 'io' | 'flags'>): boolean {
  return io.stdin.isTTY && io.stderr.isTTY && !flags.noInput;
}

/** Asks with `ask`, on standard error. Throws InterruptedError on Ctrl-C. */
export async function prompt<T>({ io, signal }: Pick<Context, 'io' | 'signal'>, ask: (streams: PromptStreams) => Promise<T>): Promise<T> {
  io.colorPrompts();
  try {
    return await ask({ input: io.stdin.stream, output: io.stderr.stream, signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof Error && error.name === 'ExitPromptError') throw new InterruptedError('SIGINT', { cause: error });
    throw error;
  }
}
