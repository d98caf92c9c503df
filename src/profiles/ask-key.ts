// Asks for a key on the terminal, without showing it.

import type { Context } from '../context.ts';
import { InterruptedError } from '../errors.ts';
import { keyProblem } from './key.ts';

/** Whether there is a terminal to ask on, and leave to use it. */
export function canAskKey({ io, flags }: Pick<Context, 'io' | 'flags'>): boolean {
  return io.stdin.isTTY && io.stderr.isTTY && !flags.noInput;
}

/** The key that the user types; asks again until it can be one. Throws InterruptedError on Ctrl-C. */
export async function askKey({ io, signal }: Pick<Context, 'io' | 'signal'>, question: string): Promise<string> {
  const { default: password } = await import('@inquirer/password');
  const validate = (typed: string): string | true => {
    const problem = keyProblem(typed.trim());
    return problem === undefined || `That ${problem}.`;
  };
  try {
    const typed = await password(
      { message: question, toggleMask: false, validate },
      { input: io.stdin.stream, output: io.stderr.stream, signal },
    );
    return typed.trim();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof Error && error.name === 'ExitPromptError') throw new InterruptedError('SIGINT', { cause: error });
    throw error;
  }
}
