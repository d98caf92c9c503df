// The one question before something that can't be undone.

import type { Context } from './context.ts';
import { InterruptedError, UnconfirmedError } from './errors.ts';

/**
 * Asks on a terminal and returns when the user agrees; --yes agrees beforehand, --dry-run has nothing to agree to.
 * Throws UnconfirmedError when the answer is no, or when nobody can give one. Call it before anything is sent.
 */
export async function confirm(context: Context, question: string): Promise<void> {
  const { io, flags } = context;
  if (flags.yes || flags.dryRun) return;
  if (!io.stdin.isTTY || !io.stderr.isTTY || flags.noInput) {
    throw new UnconfirmedError(`${question} Nobody can be asked here, so nothing was done.`, { hint: 'Confirm with --yes.' });
  }
  if (!(await ask(context, question))) throw new UnconfirmedError('Not confirmed: nothing was done.');
}

async function ask(context: Context, question: string): Promise<boolean> {
  const { default: prompt } = await import('@inquirer/confirm');
  try {
    const streams = { input: context.io.stdin.stream, output: context.io.stderr.stream, signal: context.signal };
    return await prompt({ message: question, default: false }, streams);
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason;
    if (error instanceof Error && error.name === 'ExitPromptError') throw new InterruptedError('SIGINT');
    throw error;
  }
}
