// What was typed as words becomes what is sent, in one place for the flags and arguments of all commands.

import { newFlag } from '../bodies/flags.ts';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import type { Argument, Input } from '../flag.ts';
import { settledText, type WordUse } from '../verbs/words.ts';

/** The input with its words settled. Throws InvalidValues naming the flag or argument, with what would be right. */
export async function settledInput(command: Command, context: Context, input: Input): Promise<Input> {
  const flags: Record<string, Input['flags'][string]> = { ...input.flags };
  for (const { name, type, isFilter } of command.flags) {
    const given = input.flags[name];
    if (type === undefined || given === undefined || typeof given === 'boolean') continue;
    const makesNew = type.kind === 'id-or-name' && input.flags[newFlag(type.of)] === true;
    const use: WordUse = { match: isFilter ? 'part' : 'whole', makesNew };
    const settle = (text: string): Promise<string> => settledText(context, type, text, `--${name}`, use);
    flags[name] = typeof given === 'string' ? await settle(given) : await inTurn(given, settle);
  }
  return { args: await inTurn(input.args, (text, index) => settledArgument(command, context, text, index)), flags };
}

async function settledArgument({ args }: Command, context: Context, text: string, index: number): Promise<string> {
  const argument: Argument | undefined = args[index] ?? (args.at(-1)?.many ? args.at(-1) : undefined);
  if (argument?.type === undefined) return text;
  return settledText(context, argument.type, text, argument.name, { match: argument.isFilter ? 'part' : 'whole' });
}

/** One after the other: what the first looks up, the next finds. */
async function inTurn(texts: readonly string[], settle: (text: string, index: number) => Promise<string>): Promise<string[]> {
  const settled: string[] = [];
  for (const [index, text] of texts.entries()) settled.push(await settle(text, index));
  return settled;
}
