// Resolves the input of a command: names become ids and words become dates, for the flags and arguments of all commands.

import { type InvalidValue, InvalidValues } from '../base/errors.ts';
import type { Argument, Flag, Input, ResolvedInput } from '../base/flag.ts';
import { checkChoice, parseValue } from '../base/values/parse.ts';
import { newFlag } from '../model/bodies/flags.ts';
import { none } from '../model/bodies/given.ts';
import type { Context } from '../session/context.ts';
import { resolvedText, type WordUse } from '../session/names/words.ts';
import type { Command } from './command.ts';

/** The resolved input. Throws one InvalidValues for all unknown words, and for all other wrong values that need no look-up. */
export async function resolvedInput(command: Command, context: Context, input: Input): Promise<ResolvedInput> {
  const flags: Record<string, Input['flags'][string]> = { ...input.flags };
  const wrong = new Map<string, readonly InvalidValue[]>();
  for (const flag of command.flags) {
    const raw = input.flags[flag.name];
    if (flag.type === undefined || raw === undefined || typeof raw === 'boolean') continue;
    const resolve = (text: string): Promise<string> | string => resolvedFlag(context, flag, text, input.flags);
    const work = async () => (typeof raw === 'string' ? resolve(raw) : resolvedInTurn(raw, resolve));
    flags[flag.name] = await collected(wrong, flag.name, work, raw);
  }
  const args = await collected(
    wrong,
    '',
    () => resolvedInTurn(input.args, (text, index) => resolvedArgument(command, context, text, index)),
    input.args,
  );
  if (wrong.size === 0) return { args, flags, typed: input };
  const values = command.flags.flatMap((flag) => wrong.get(flag.name) ?? plainProblems(flag, input.flags[flag.name]));
  throw new InvalidValues([...values, ...(wrong.get('') ?? [])]);
}

/** The result of `work`; if it throws InvalidValues, notes them under `name` and returns `instead`. */
async function collected<T>(wrong: Map<string, readonly InvalidValue[]>, name: string, work: () => Promise<T>, instead: T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InvalidValues)) throw error;
    wrong.set(name, error.values);
    return instead;
  }
}

function resolvedFlag(
  context: Context,
  { name, type, isFilter, takesNone }: Flag,
  text: string,
  flags: Input['flags'],
): Promise<string> | string {
  if (type === undefined || (takesNone && text === none)) return text;
  const makesNew = type.kind === 'id-or-name' && flags[newFlag(type.of)] === true;
  const use: WordUse = { where: `--${name}`, match: isFilter ? 'part' : 'whole', makesNew };
  return resolvedText(context, type, text, use);
}

function resolvedArgument({ args, path }: Command, context: Context, text: string, index: number): Promise<string> | string {
  const argument: Argument | undefined = args[index] ?? (args.at(-1)?.many ? args.at(-1) : undefined);
  if (argument?.takesEmail && text.includes('@')) return idsOfEmails(context, path[0] ?? '', text, argument.name);
  if (argument?.type === undefined) return text;
  return resolvedText(context, argument.type, text, { where: argument.name, match: argument.isFilter ? 'part' : 'whole' });
}

/** A list of ids, with the ids of records in place of their emails. */
async function idsOfEmails(context: Context, family: string, text: string, where: string): Promise<string> {
  const [{ idOfEmail }, { familyNamed }] = await Promise.all([import('../session/names/email.ts'), import('../model/resources/index.ts')]);
  const resource = familyNamed(family);
  const idOf = async (word: string): Promise<string> =>
    resource !== undefined && word.includes('@') ? String(await idOfEmail(context, resource, word.trim(), where)) : word;
  return (await resolvedInTurn(text.split(','), idOf)).join(',');
}

/** Resolves texts one after the other, so that a later text uses the names read for an earlier one. */
async function resolvedInTurn(
  texts: readonly string[],
  resolve: (text: string, index: number) => Promise<string> | string,
): Promise<string[]> {
  const resolved: string[] = [];
  for (const [index, text] of texts.entries()) resolved.push(await resolve(text, index));
  return resolved;
}

/** The problems of a flag's value that need no look-up. */
function plainProblems({ name, type, choices }: Flag, raw: Input['flags'][string]): readonly InvalidValue[] {
  if (typeof raw !== 'string' || raw === '') return [];
  try {
    if (choices !== undefined) checkChoice(raw, choices, `--${name}`);
    else if (type?.kind === 'decimal' || type?.kind === 'email' || type?.kind === 'integer') parseValue(type, raw, `--${name}`);
    return [];
  } catch (error) {
    if (error instanceof InvalidValues) return error.values;
    throw error;
  }
}
