// Runs a command and asks on a terminal for missing or refused values, then runs the command again with the answers. The command's own
// error names the missing values.

import { CrmError, InterruptedError, invalidValue, PartialError, RefusedError, UnconfirmedError, withHints } from '../base/errors.ts';
import type { Flag, Input, ResolvedInput } from '../base/flag.ts';
import { crmWith, quoteWord } from '../base/values/text/shell-word.ts';
import { partEntries } from '../model/bodies/entries.ts';
import { renderError } from '../output/render-error.ts';
import type { Result } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import { profileNote } from '../session/ask/confirm.ts';
import type { Answering, FlagChoice } from '../session/ask/missing.ts';
import { canAsk } from '../session/ask/prompt.ts';
import type { Context } from '../session/context.ts';
import { readText } from '../session/texts.ts';
import type { Command } from './command.ts';
import { withFields } from './error-flags.ts';
import { resolvedInput } from './resolved-input.ts';

/**
 * Runs a command on resolved input. On a terminal asks for missing or refused values, then runs the command again from the start: no write
 * has taken effect by then. Throws the command's errors, and InterruptedError on Ctrl-C.
 */
export async function runGuided(command: Command, context: Context, input: Input): Promise<Result> {
  return runAsking(command, context, await resolvedInput(command, context, input), new Set());
}

/** `asked`: the names of the flags asked for so far. */
async function runAsking(command: Command, context: Context, input: ResolvedInput, asked: ReadonlySet<string>): Promise<Result> {
  try {
    return await command.run(context, input);
  } catch (error) {
    const isLeft = error instanceof InterruptedError || error instanceof UnconfirmedError;
    if (!canAsk(context) || readsStdin(input) || isLeft) throw error;
    const refused = asked.size === 0 ? [] : flagsRefused(withFields(error, command), command);
    const groups = refused.length > 0 ? refused : flagsLacking(error, command);
    if (groups.length === 0)
      throw asked.size === 0 || error instanceof PartialError
        ? error
        : withHints(error, [`Your answers: ${typedCommandLine(command, context, input)}`]);
    const { askMissing, askOffered } = await import('../session/ask/missing.ts');
    // An unusable profile is reported before the questions.
    await context.names();
    const profile = asked.size === 0 ? await profileNote(context) : '';
    if (profile !== '') await notice(context.io, { quiet: false }, profile.trim());
    // Shows why the service refused the values that are asked for again.
    if (refused.length > 0) await renderError(error, { io: context.io, flags: { ...context.flags, output: 'table' } });
    const answering: Answering = {
      take: (flag, typed) => checkedAnswer(command, context, flag, typed),
      known: async (of) => (await import('../session/names/resolve.ts')).namesOffered(context, of),
    };
    const answers = await askMissing(context, groups, answering);
    const isFirst = asked.size === 0;
    const offers = (command.offers ?? []).filter((name) => input.flags[name] === undefined && answers[name] === undefined);
    const more = isFirst ? await askOffered(context, flagsNamed(command, offers), answering) : {};
    const flags = { ...input.flags, ...answers, ...more };
    const answered = { args: input.args, flags };
    const all = new Set([...asked, ...Object.keys(answers), ...Object.keys(more)]);
    return runAsking(command, context, { ...answered, typed: answered }, all);
  }
}

/** The command line with all answers as flags, so that no answer is lost. */
function typedCommandLine({ path, flags: own }: Command, { flags: { profile } }: Context, { args, flags }: Input): string {
  const words = own.flatMap(({ name }) => {
    const value = flags[name];
    if (value === undefined || value === false) return [];
    if (value === true) return [`--${name}`];
    return (Array.isArray(value) ? value : [value]).map((one) => `--${name} ${quoteWord(String(one))}`);
  });
  return [crmWith(profile), ...path, ...args.map((word) => quoteWord(word)), ...words].join(' ');
}

const flagsNamed = ({ flags }: Command, names: readonly string[]): Flag[] =>
  names.flatMap((name) => flags.find((flag) => flag.name === name) ?? []);

/** The flags whose values the service refused. Empty if the service refused something that is no flag. */
function flagsRefused(error: unknown, command: Command): FlagChoice[] {
  const fields = error instanceof RefusedError ? (error.details.fields ?? []) : [];
  const names = [...new Set(fields.map(({ flag = '' }) => flag.replace(/^--/, '')))];
  const flags = flagsNamed(command, names);
  return flags.length === names.length ? flags.map((flag) => [flag]) : [];
}

/** The missing flags that an error names. Of each group one flag is required. Empty for any other error. */
function flagsLacking(error: unknown, { flags }: Command): FlagChoice[] {
  const missing = error instanceof CrmError ? (error.details.missing ?? []) : [];
  const groups = missing.map((names) => flags.filter(({ name }) => names.includes(`--${name}`)));
  return groups.every(({ length }) => length > 0) ? groups : [];
}

/** True if a value comes from standard input, which then can't give answers. */
const readsStdin = ({ args, flags }: Input): boolean => [...args, ...Object.values(flags)].flat().includes('-');

/** The value of a flag for an answer, checked like a typed value. Throws UsageError. */
async function checkedAnswer(command: Command, context: Context, flag: Flag, typed: string): Promise<string> {
  const where = `--${flag.name}`;
  const type = flag.type ?? { kind: 'text' as const };
  const isLong = type.kind === 'text' && type.long === true;
  if (isLong && typed === '-') throw invalidValue(where, 'type the text itself, or @file.');
  const { flags } = await resolvedInput(command, context, { args: [], flags: { [flag.name]: typed } });
  const value = String(flags[flag.name]);
  partEntries(flag.wire ?? flag.name, type, isLong ? await readText(context, value, where) : value, where);
  return value;
}
