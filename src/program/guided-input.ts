// A command that lacks values for something new asks for them where somebody can be asked, and goes on as if they had been
// typed. What is asked for comes from the command's own complaint, so no second rule says what is required.

import type { Asked } from '../ask/missing.ts';
import { canAsk } from '../ask/prompt.ts';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { CrmError, invalidValue } from '../errors.ts';
import type { Flag, Input } from '../flag.ts';
import type { Result } from '../output/result.ts';
import { settledInput } from './settled-input.ts';

/**
 * Runs a command on what was typed, its words settled. What it lacks is asked for on a terminal; it has sent no write by then, and
 * runs again from the start. Throws what the command throws, and InterruptedError on Ctrl-C.
 */
export async function runGuided(command: Command, context: Context, input: Input): Promise<Result> {
  return runAsking(command, context, await settledInput(command, context, input));
}

async function runAsking(command: Command, context: Context, input: Input): Promise<Result> {
  try {
    return await command.run(context, input);
  } catch (error) {
    const groups = flagsLacking(error, command);
    if (groups.length === 0 || !canAsk(context) || readsStdin(input)) throw error;
    const { askMissing } = await import('../ask/missing.ts');
    // Whoever has no profile that can be used is told before the questions.
    await context.names();
    const answers = await askMissing(context, groups, {
      take: (flag, typed) => taken(command, context, flag, typed),
      known: async (of) => (await import('../names/resolve.ts')).namesOffered(context, of),
    });
    return runAsking(command, context, { args: input.args, flags: { ...input.flags, ...answers } });
  }
}

/** The flags that an error says are missing, in groups of which one is wanted; none for any other error. */
function flagsLacking(error: unknown, { flags }: Command): Asked[] {
  const missing = error instanceof CrmError ? (error.details.missing ?? []) : [];
  const groups = missing.map((names) => flags.filter(({ name }) => names.includes(`--${name}`)));
  return groups.every(({ length }) => length > 0) ? groups : [];
}

/** Whether a value comes from standard input, which then is no place for answers any more. */
const readsStdin = ({ args, flags }: Input): boolean => [...args, ...Object.values(flags)].flat().includes('-');

/** An answer as the flag's value, checked as the flag checks it. Throws UsageError naming the flag. */
async function taken(command: Command, context: Context, flag: Flag, typed: string): Promise<string> {
  const where = `--${flag.name}`;
  const type = flag.type ?? { kind: 'text' as const };
  const isLong = type.kind === 'text' && type.long === true;
  if (isLong && typed === '-') throw invalidValue(where, 'type the text itself, or @file.');
  const { flags } = await settledInput(command, context, { args: [], flags: { [flag.name]: typed } });
  const value = String(flags[flag.name]);
  const [{ readText }, { partEntries }] = await Promise.all([import('../verbs/texts.ts'), import('../bodies/entries.ts')]);
  partEntries(flag.wire ?? flag.name, type, isLong ? await readText(context, value, where) : value, where);
  return value;
}
