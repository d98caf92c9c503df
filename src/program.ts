// Commander's tree, fresh per call, out of the command objects. Parsing only finds out what to run; main runs it.

import { Argument, Command as CommanderCommand, CommanderError, Option } from 'commander';
import type { Command, Flag, Input } from './command.ts';
import type { Group } from './commands/index.ts';
import { exitStatuses, UsageError } from './errors.ts';
import { globalFlags } from './global-flags.ts';
import { version } from './version.ts';

/** What the command line asks for. */
export type Request =
  | { readonly kind: 'run'; readonly command: Command; readonly input: Input }
  /** Help or the version: print it, and that was all. */
  | { readonly kind: 'print'; readonly text: string };

/** Words between `crm` and a command that may stand before its own: `leads`, `comments`. */
interface Level {
  readonly words: readonly string[];
  readonly commander: CommanderCommand;
}

/**
 * Finds out what `argv` (without node and script) asks for. `width` is the help's width in columns.
 * Throws UsageError for an unknown command, flag or a missing value.
 */
export async function parse(groups: readonly Group[], argv: readonly string[], width: number): Promise<Request> {
  let printed = '';
  let run: Request | undefined;
  const program = buildProgram(groups, argv, width, {
    write: (text) => {
      printed += text;
    },
    pick: (command, input) => {
      run = { kind: 'run', command, input };
    },
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageError(error, argv);
  }
  return run ?? { kind: 'print', text: printed };
}

export interface Sinks {
  readonly write: (text: string) => void;
  readonly pick: (command: Command, input: Input) => void;
}

/** The whole tree; groups and commands that no word of `argv` names stay without their details. */
export function buildProgram(groups: readonly Group[], argv: readonly string[], width: number, sinks: Sinks): CommanderCommand {
  const program = new CommanderCommand('crm');
  program
    .description('Administer a CRM: contacts, proposals, leads, catalog items and notes.')
    .version(version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Show help')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: sinks.write, writeErr: () => undefined, getOutHelpWidth: () => width, getErrHelpWidth: () => width })
    .configureHelp({ showGlobalOptions: false, subcommandTerm: (command) => command.name() })
    .usage('<command> [flags]')
    .helpCommand('help [command]', 'Show help for a command')
    .action(() => program.help());
  addGlobalFlags(program);
  program.addHelpText('after', rootEpilogue);
  const words = new Set(argv);
  for (const group of groups) addGroup({ words: [], commander: program }, group, words, sinks);
  return program;
}

const rootEpilogue = `
Examples:
  $ crm sandbox init
  $ crm leads list --status 2

Exit statuses:
${Object.values(exitStatuses)
  .map(({ status, meaning }) => `  ${String(status).padEnd(4)} ${meaning}`)
  .join('\n')}
`;

function addGroup(root: Level, group: Group, words: ReadonlySet<string>, sinks: Sinks): void {
  const named = [group.name, ...group.aliases].some((name) => words.has(name));
  const commands = named ? group.commands() : [];
  const [only] = commands;
  if (only !== undefined && only.path.length === 1) {
    addCommand(root, only, words, sinks).helpGroup(`${group.heading}:`);
    return;
  }
  const commander = root.commander.command(group.name).aliases(group.aliases).summary(group.summary).description(`${group.summary}.`);
  commander.helpGroup(`${group.heading}:`);
  inner(commander);
  for (const command of commands) addCommand({ words: [group.name], commander }, command, words, sinks);
  if (named) commander.addHelpText('after', examplesText(commands.flatMap(({ examples }) => examples.slice(0, 1)).slice(0, 2)));
}

/** What a level above commands has: global flags, and help when nothing more is said. */
function inner(commander: CommanderCommand): void {
  commander.usage('<command> [flags]').enablePositionalOptions().helpCommand(false);
  addGlobalFlags(commander);
  commander.action(() => {
    const [unknown] = commander.args;
    if (unknown === undefined) commander.help();
    commander.error(`error: unknown command '${unknown}'${near(unknown ?? '', commander)}`, { code: 'commander.unknownCommand' });
  });
  commander.allowExcessArguments();
}

function near(word: string, commander: CommanderCommand): string {
  const names = commander.commands.flatMap((command) => [command.name(), ...command.aliases()]);
  const found = names.find((name) => name.startsWith(word.slice(0, 3)));
  return found === undefined ? '' : `\n(Did you mean ${found}?)`;
}

function addCommand(above: Level, command: Command, words: ReadonlySet<string>, sinks: Sinks): CommanderCommand {
  const [word, ...rest] = command.path.slice(above.words.length);
  if (word === undefined) throw new Error(`no word for ${command.path.join(' ')}`);
  if (rest.length > 0) return addCommand({ words: [...above.words, word], commander: levelBelow(above, word) }, command, words, sinks);
  const commander = above.commander.command(word).aliases(command.aliases ?? []).summary(command.summary);
  commander.description([`${command.summary}.`, command.description].filter(Boolean).join(' '));
  if (![word, ...(command.aliases ?? [])].some((name) => words.has(name))) return commander;
  for (const argument of command.args) commander.addArgument(commanderArgument(argument));
  for (const flag of command.flags) commander.addOption(commanderOption(flag));
  addGlobalFlags(commander);
  commander.addHelpText('after', examplesText(command.examples));
  commander.action(() => sinks.pick(command, inputOf(commander, command)));
  return commander;
}

function levelBelow(above: Level, word: string): CommanderCommand {
  const there = above.commander.commands.find((one) => one.name() === word);
  if (there !== undefined) return there;
  const noun = above.words.at(-1) ?? '';
  const commander = above.commander.command(word).summary(`${word} of ${noun}`).description(`The ${word} of ${noun}.`);
  inner(commander);
  return commander;
}

function addGlobalFlags(commander: CommanderCommand): void {
  for (const flag of globalFlags) commander.addOption(commanderOption(flag));
}

function commanderArgument({ name, help, optional, many, choices }: Command['args'][number]): Argument {
  const term = `${name}${many ? '...' : ''}`;
  return new Argument(optional ? `[${term}]` : `<${term}>`, choices === undefined ? help : `${help}: ${choices.join(', ')}`);
}

function commanderOption(flag: Flag): Option {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  const value = flag.value === undefined ? '' : ` <${flag.value}>`;
  const option = new Option(`${short}--${flag.name}${value}`, helpOf(flag));
  if (flag.group !== undefined) option.helpGroup(`${flag.group}:`);
  if (flag.hidden) option.hideHelp();
  if (flag.repeatable) option.argParser((one: string, all: string[] | undefined) => [...(all ?? []), one]);
  return option;
}

function helpOf({ help, choices, value }: Flag): string {
  return choices === undefined || value?.includes('|') ? help : `${help}: ${choices.join(', ')}`;
}

function examplesText(examples: readonly string[]): string {
  return examples.length === 0 ? '' : `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}\n`;
}

/** Flags of the command and of every level above it, the nearest winning; keyed by their own names. */
function inputOf(commander: CommanderCommand, command: Command): Input {
  const flags: Record<string, Input['flags'][string]> = {};
  const levels: CommanderCommand[] = [];
  for (let level: CommanderCommand | null = commander; level !== null; level = level.parent) levels.unshift(level);
  for (const level of levels) readFlags(level, level === commander ? [...globalFlags, ...command.flags] : globalFlags, flags);
  return { args: commander.args, flags };
}

function readFlags(level: CommanderCommand, declared: readonly Flag[], flags: Record<string, Input['flags'][string]>): void {
  for (const { name } of declared) {
    const negated = name.startsWith('no-');
    const attribute = (negated ? name.slice(3) : name).replace(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase());
    const value = level.getOptionValue(attribute);
    if (negated ? value === false : value !== undefined) flags[name] = negated ? true : value;
  }
}

function usageError(error: CommanderError, argv: readonly string[]): UsageError {
  const text = error.message.replace(/^error: /, '').replace(/\n\(?(Did you mean .*?)\)?$/, ' ($1)');
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  const words = argv.filter((word) => /^[a-z][a-z-]*$/.test(word)).slice(0, 2);
  return new UsageError(/[.?)]$/.test(sentence) ? sentence : `${sentence}.`, { hint: `See: crm ${[...words, '--help'].join(' ')}` });
}
