// Asks for a key on the terminal, without showing it.

import type { Context } from '../context.ts';
import { keyProblem } from '../values/key.ts';
import { askLine } from './prompt.ts';

/** The key that the user types; asks again until it can be one. Throws InterruptedError on Ctrl-C. */
export function askKey(context: Pick<Context, 'io' | 'signal'>, message: string): Promise<string> {
  const problem = (typed: string): string | undefined => {
    const what = keyProblem(typed);
    return what === undefined ? undefined : `That ${what}.`;
  };
  return askLine(context, { message, hidden: true, problem });
}
