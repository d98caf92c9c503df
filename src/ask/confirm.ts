// The one question before something that can't be undone.

import type { Context } from '../context.ts';
import { UnconfirmedError } from '../errors.ts';
import { askLine, canAsk } from './prompt.ts';

/**
 * Asks on a terminal and returns when the user agrees; --yes agrees beforehand, and --dry-run needs no agreement.
 * Throws UnconfirmedError when the answer is no, or when nobody can give one. Call it before anything is sent.
 */
export async function confirm(context: Context, question: string): Promise<void> {
  const { flags } = context;
  if (flags.yes || flags.dryRun) return;
  if (!canAsk(context)) {
    throw new UnconfirmedError(`${question} Nobody can be asked here, so nothing was done.`, { hint: 'Confirm with --yes.' });
  }
  if (!(await ask(context, question))) throw new UnconfirmedError('Not confirmed: nothing was done.');
}

const isYes = (typed: string): boolean => /^y(es)?$/i.test(typed);

async function ask(context: Context, message: string): Promise<boolean> {
  const problem = (typed: string): string | undefined => (isYes(typed) || /^(no?)?$/i.test(typed) ? undefined : 'Answer y or n.');
  return isYes(await askLine(context, { message, hint: 'y/N', problem, shown: (typed) => (isYes(typed) ? 'Yes' : 'No') }));
}
