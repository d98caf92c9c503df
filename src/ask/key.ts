// Asks for a key on the terminal, without showing it.

import type { Context } from '../context.ts';
import { keyProblem } from '../profiles/key.ts';
import { prompt } from './prompt.ts';

/** The key that the user types; asks again until it can be one. Throws InterruptedError on Ctrl-C. */
export function askKey(context: Pick<Context, 'io' | 'signal'>, question: string): Promise<string> {
  const validate = (typed: string): string | true => {
    const problem = keyProblem(typed.trim());
    return problem === undefined || `That ${problem}.`;
  };
  return prompt(context, async (streams) => {
    const { default: password } = await import('@inquirer/password');
    return (await password({ message: question, toggleMask: false, validate }, streams)).trim();
  });
}
