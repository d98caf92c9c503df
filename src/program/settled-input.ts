// What was typed as words becomes what is sent: names become ids, and days such as -30d become dates. One place for the
// flags and arguments of all commands; what is a plain value already passes untouched, and loads nothing.

import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import type { Argument, Input } from '../flag.ts';
import type { NameMatch } from '../names/resolve.ts';
import type { ValueType } from '../values/value-type.ts';

/** The input with its words settled. Throws InvalidValues naming the flag or argument, with what would be right. */
export async function settledInput(command: Command, context: Context, input: Input): Promise<Input> {
  const flags: Record<string, Input['flags'][string]> = { ...input.flags };
  for (const flag of command.flags) {
    const { name, type } = flag;
    const given = input.flags[name];
    if (type === undefined || given === undefined || typeof given === 'boolean') continue;
    const match: NameMatch = flag.isFilter ? 'part' : 'whole';
    const settle = (text: string): Promise<string> | string => settled(context, type, text, `--${name}`, match);
    flags[name] = typeof given === 'string' ? await settle(given) : await Promise.all(given.map(settle));
  }
  const args = await Promise.all(input.args.map((text, index) => settledArgument(command, context, text, index)));
  return { args, flags, typed: input };
}

function settledArgument({ args }: Command, context: Context, text: string, index: number): Promise<string> | string {
  const argument: Argument | undefined = args[index] ?? (args.at(-1)?.many ? args.at(-1) : undefined);
  if (argument?.type === undefined) return text;
  return settled(context, argument.type, text, argument.name, argument.isFilter ? 'part' : 'whole');
}

async function settled(context: Context, type: ValueType, text: string, where: string, match: NameMatch): Promise<string> {
  const plain = text.trim();
  if (plain === '') return text;
  // `-` and `12,13` stand where an id may.
  if (type.kind === 'id' && type.of !== undefined && !/^(\d[\d,]*|-)$/.test(plain)) {
    const { idNamed } = await import('../names/resolve.ts');
    return String(await idNamed(context, type.of, plain, where, match));
  }
  if (type.kind === 'date' && !/^\d{4}-/.test(plain)) return (await import('../values/days.ts')).dayOf(plain, context.now());
  return text;
}
