// Parses the command line: finds the command to run with its arguments and flags, or the text to print. Commander reads the flags' values.

import { Command as CommanderCommand, Option } from 'commander';
import { invalidValue, UsageError } from '../base/errors.ts';
import { type Flag, flagIn, type Input } from '../base/flag.ts';
import { globalFlags, helpFlag, versionFlag } from '../base/global-flags.ts';
import { listed } from '../base/values/text/wording.ts';
import { asksVersion, version } from '../base/version.ts';
import { helpText, type Screen } from '../output/help-page.ts';
import { type Command, type Group, isTopic, loadGroups } from './command.ts';
import { helpOf, helpPage, termOf } from './help.ts';
import { commandAt, levelAbove, Walk, type WalkLevel, type WordReading } from './walk.ts';

/** The outcome of a parse. */
type ProgramAnswer =
  | { readonly kind: 'run'; readonly command: Command; readonly input: Input }
  /** Help or the version. */
  /** `isLong`: a topic, which the pager shows when it is longer than the screen. */
  | { readonly kind: 'print'; readonly text: string; readonly isLong?: true };

type ReadWord = WordReading<Flag> & { readonly word: string };

/** The flags of every level. */
const everywhere = [...globalFlags, helpFlag];

/**
 * Parses `argv`, without node and script. `screen`: where help is shown. Throws UsageError for an unknown command or flag, and for a
 * missing value.
 */
export async function parse(groups: readonly Group[], argv: readonly string[], screen: Screen): Promise<ProgramAnswer> {
  const versionAnswer = { kind: 'print', text: `${version}\n` } as const;
  if (asksVersion(argv[0])) return versionAnswer;
  const asked = groupsAsked(groups, argv);
  const commands = (await loadGroups(asked, new Set(argv))).flatMap((group) => group.commands);
  const walk = new Walk((path) => levelAt(path, groups, commands), everywhere);
  const read = argv.map((word): ReadWord => ({ word, ...walk.next(word) }));
  if (read.some(({ kind, flag }) => kind === 'flag' && flag === versionFlag)) return versionAnswer;
  const asksHelp = read.some(({ kind, flag, word }) => (kind === 'flag' && flag === helpFlag) || (kind === 'command' && word === 'help'));
  const unknown = read.find(({ kind }) => kind === 'unknown command' || kind === 'unknown flag');
  const isAlone = !asksHelp && unknown?.kind !== 'unknown command';
  const path = (isAlone ? walk.level?.implied?.nothing : undefined) ?? walk.path;
  const hint = `See: ${['crm', path, '--help'].filter(Boolean).join(' ')}`;
  if (unknown?.kind === 'unknown command') {
    const { word } = unknown;
    if (asksHelp && path === '' && isTopic(word) && !read.some((one) => one !== unknown && one.kind === unknown.kind)) {
      const { topicPage } = await import('./topics.ts');
      return { kind: 'print', text: helpText(topicPage(word), screen), isLong: true };
    }
    const { unknownCommand } = await import('./suggestions.ts');
    const named = groups.filter((one) => asked.includes(one) || [one.name, ...one.aliases].includes(word));
    throw unknownCommand(await loadGroups(named), path, argv, read.indexOf(unknown), hint);
  }
  checkValues(read, walk.flags, hint);
  const command = commandAt(commands, path);
  if (unknown !== undefined && !asksHelp) {
    const { unknownFlag } = await import('./suggestions.ts');
    throw unknownFlag(command, argv, unknown.word, hint);
  }
  if (asksHelp || command === undefined) return { kind: 'print', text: helpText(helpPage(await loadGroups(asked), path), screen) };
  const args = read.filter(({ kind }) => kind === 'argument').map(({ word }) => word);
  await checkCount(command, args, hint);
  const ofFlags = read.filter(({ kind }) => kind === 'flag' || kind === 'value').map(({ word }) => word);
  return { kind: 'run', command, input: { args, flags: flagsIn(ofFlags, command) } };
}

/** The group that the words name, else all groups. */
function groupsAsked(groups: readonly Group[], words: readonly string[]): readonly Group[] {
  const walk = new Walk((path) => levelAt(path, groups, []), everywhere);
  for (const word of words) if (walk.path === '') walk.next(word);
  const asked = groups.filter(({ name }) => name === walk.path);
  return asked.length > 0 ? asked : groups;
}

function levelAt(path: string, groups: readonly Group[], commands: readonly Command[]): WalkLevel<Flag> {
  if (path === '') {
    // `crm help leads convert` is `crm leads convert --help`.
    const help = { name: 'help', aliases: [], to: '' };
    return { commands: [...groups.map(({ name, aliases }) => ({ name, aliases, to: name })), help], flags: [versionFlag] };
  }
  const command = commandAt(commands, path);
  return command === undefined ? levelAbove(commands, path.split(' ')) : { commands: [], flags: command.flags };
}

/**
 * Checks that a flag has a value if the flag takes a value, and has no value otherwise. A value that looks like a flag needs an equals sign.
 * `hint` names the help page. Throws UsageError.
 */
function checkValues(read: readonly ReadWord[], flags: readonly Flag[], hint: string): void {
  for (const [index, { kind, flag, value }] of read.entries()) {
    if (kind !== 'flag' || flag === undefined) continue;
    const next = read[index + 1]?.word;
    if (flag.value === undefined && value !== undefined) throw takesNoValue(flag.name, value, flags, hint);
    if (flag.value === undefined || value !== undefined) continue;
    if (next === undefined || flagIn(next, flags) !== undefined) throw valueMissing(flag, next, hint);
  }
}

/** `value`: the text behind the =. */
function takesNoValue(name: string, value: string, flags: readonly Flag[], hint: string): UsageError {
  const isNo = /^(false|no|0|off)$/i.test(value);
  const instead = isNo ? `no-${name}` : name;
  const canSay = flags.some((flag) => flag.name === instead);
  const meant = canSay ? ` Did you mean --${instead}?` : isNo ? ' Without the flag it is off.' : '';
  return new UsageError(`--${name} takes no value.${meant}`, { hint });
}

/** `next`: the flag that follows. */
function valueMissing({ name, choices, type, wire }: Flag, next: string | undefined, hint: string): UsageError {
  const problem = `a value is missing${choices === undefined ? '' : ` (${listed(choices, 'or')})`}.`;
  const mayBeText = choices === undefined && (type === undefined || type.kind === 'text');
  const error = invalidValue(`--${name}`, problem, 'missing_value');
  error.details.fields = [{ flag: `--${name}`, name: wire ?? name, messages: [problem] }];
  error.details.hint = next !== undefined && mayBeText ? `If "${next}" is the value: --${name}=${next}` : hint;
  return error;
}

/** Throws UsageError for a missing argument, and for more words than the command takes. */
async function checkCount(command: Command, args: readonly string[], hint: string): Promise<void> {
  const missing = command.args.find(({ optional }, index) => !optional && index >= args.length);
  if (missing !== undefined) throw new UsageError(`Missing required argument '${missing.name}'.`, { code: 'missing_value', hint });
  const most = command.args.length;
  if (args.length <= most || command.args.at(-1)?.many) return;
  const { tooManyWords } = await import('./suggestions.ts');
  throw tooManyWords(command, args, hint);
}

/** The flags in some words by name. */
function flagsIn(words: readonly string[], command: Command): Input['flags'] {
  const options = [...globalFlags, ...command.flags].map((flag) => [flag.name, commanderOption(flag)] as const);
  const commander = new CommanderCommand().exitOverride();
  for (const [, option] of options) commander.addOption(option);
  commander.parseOptions([...words]);
  return Object.fromEntries(
    options.flatMap(([name, option]) => {
      const value = commander.getOptionValue(option.attributeName());
      if (option.negate) return value === false ? [[name, true]] : [];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function commanderOption(flag: Flag): Option {
  const option = new Option(termOf(flag), helpOf(flag));
  if (flag.repeatable) option.argParser((one: string, all: string[] | undefined) => [...(all ?? []), one]);
  if (flag.once)
    option.argParser((one: string, before: string | undefined) => (before === undefined ? one : refuseTwice(flag, before, one)));
  return option;
}

function refuseTwice({ name, isListed }: Flag, first: string, last: string): never {
  const both = `${first},${last}`;
  const instead =
    isListed && both.split(',').length === 2 && first !== last
      ? `Both at once: --${name} ${both}.`
      : `For --${name} ${last} run the command again.`;
  throw invalidValue(`--${name}`, `give this flag only once. ${instead}`);
}
