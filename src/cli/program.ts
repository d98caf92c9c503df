// Parses the command line: builds commander's tree from the command objects, and finds the command to run or the text to print.

import { Argument, Command as CommanderCommand, CommanderError, Option } from 'commander';
import { invalidValue, UsageError } from '../base/errors.ts';
import type { Flag, Input } from '../base/flag.ts';
import { globalFlags } from '../base/global-flags.ts';
import { camelCase, capitalised } from '../base/values/text/wording.ts';
import { asksVersion, version } from '../base/version.ts';
import { type HelpPage, helpText, type Screen } from '../output/help-page.ts';
import type { Command } from './command.ts';
import { type Group, isTopic, type LoadedGroup, loadGroups, type Topic } from './command.ts';
import { checkFlagValues, complaint, complaintCode, understoodWords } from './flag-syntax.ts';
import { globalHeading, helpOf, helpPage, termOf } from './help.ts';

/** The outcome of a parse. */
type ProgramAnswer =
  | { readonly kind: 'run'; readonly command: Command; readonly input: Input }
  /** Help or the version. */
  | { readonly kind: 'print'; readonly text: string };

/** A level of the tree above commands: `leads`, `leads comments`. */
interface CommandLevel {
  readonly words: readonly string[];
  readonly commander: CommanderCommand;
}

/**
 * Parses `argv`, without node and script. `screen`: where help is shown. Throws UsageError for an unknown command or flag, and for a
 * missing value.
 */
export async function parse(groups: readonly Group[], argv: readonly string[], screen: Screen): Promise<ProgramAnswer> {
  if (asksVersion(argv[0])) return { kind: 'print', text: `${version}\n` };
  // `crm help leads convert` is `crm leads convert --help`.
  const asked = helpLast(argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv);
  const topic = askedTopic(asked);
  if (topic !== undefined) {
    const { topicPage } = await import('./topics.ts');
    return { kind: 'print', text: helpText(topicPage(topic), screen) };
  }
  const loaded = await loadGroups(askedGroups(groups, asked), new Set(asked));
  const words = withVerb(loaded, asked);
  let found: Found | undefined;
  const program = buildProgram(loaded, words, (one) => {
    found = one;
  });
  const command = commandAt(loaded, deepest(program, words));
  if (command !== undefined) checkFlagValues(command, words, seeHelp(deepest(program, words)));
  try {
    await program.parseAsync(words.map(shielded), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // `crm leads` alone asks for help, which commander reports as an error.
    if (error.exitCode !== 0 && error.code !== 'commander.help')
      throw await usageError(error, program, words, { command, groups: await loadGroups(askedGroups(groups, asked)) });
  }
  // Commander prints a group's help without checking whether the next word is one of its commands.
  if (found?.kind === 'page' && isMistyped(found.commander)) await parse(groups, words.filter(isNoHelp), screen);
  if (found?.kind === 'run') return found;
  return { kind: 'print', text: found?.kind === 'page' ? helpText(found.page, screen) : `${version}\n` };
}

/** Hides a value such as -3d from commander, which would take the value for a flag. */
const shield = '\u{FDD0}';

const shielded = (word: string): string => (/^-\d/.test(word) || word.startsWith(shield) ? shield + word : word);

const unshielded = (text: string): string => (text.startsWith(shield) ? text.slice(shield.length) : text);

const isMistyped = ({ commands, args }: CommanderCommand): boolean =>
  commands.length > 0 && args[0] !== undefined && !args[0].startsWith('-');

const isNoHelp = (word: string): boolean => word !== '--help' && word !== '-h';

/** The words with --help moved to the end, because commander shows the help of the words before --help. */
function helpLast(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, index) => !isNoHelp(word) && !mayTakeValue(words[index - 1]));
  return at < 0 || words.slice(0, at).includes('--') ? words : [...words.toSpliced(at, 1), '--help'];
}

/** The indexes of the words that are neither flags nor, probably, values of flags. */
function plainWords(words: readonly string[]): number[] {
  const end = words.indexOf('--');
  const places = [...words.keys()].slice(0, end < 0 ? words.length : end);
  return places.filter((index) => !words[index]?.startsWith('-') && !mayTakeValue(words[index - 1]));
}

/** The topic that words such as `output --help` ask for. */
function askedTopic(words: readonly string[]): Topic | undefined {
  const [word, ...others] = plainWords(words).map((index) => words[index] ?? '');
  const isAsked = word !== undefined && others.length === 0 && words.some((one) => !isNoHelp(one));
  return isAsked && isTopic(word) ? word : undefined;
}

/** The words with an implied command added: `leads comment 12 'Called'` is `leads comment add …`, `history k7f2` is `history show k7f2`. */
function withVerb(groups: readonly LoadedGroup[], words: readonly string[]): readonly string[] {
  const [first = -1, second = -1, third = -1] = plainWords(words);
  const isOf = (name: string | undefined, aliases: readonly string[] = [], at: number): boolean => [name, ...aliases].includes(words[at]);
  const commands = groups.find(({ name, aliases }) => isOf(name, aliases, first))?.commands ?? [];
  const isNamed = commands.some(({ path, aliases }) => isOf(path[1], aliases, second));
  const group = commands.find(({ meantBy }) => meantBy === (second < 0 ? 'nothing' : 'argument'));
  if (group !== undefined && !isNamed && words.every(isNoHelp)) return words.toSpliced(first + 1, 0, group.path.at(-1) ?? '');
  const meant = commands.find(({ path, levelAliases, takesIds }) => takesIds && isOf(path.at(-2), levelAliases, second));
  return meant === undefined || !/^\d+(,\d+)*$/.test(words[third] ?? '') ? words : words.toSpliced(second + 1, 0, meant.path.at(-1) ?? '');
}

/** True if a word may be a flag that takes the next word as its value. */
function mayTakeValue(word = ''): boolean {
  const flag = globalFlags.find(({ name, short }) => word === `--${name}` || word === `-${short}`);
  return flag === undefined ? word.startsWith('-') : flag.value !== undefined;
}

/** The help page of the command or level that some words lead to. */
export async function pageFor(groups: readonly Group[], words: readonly string[]): Promise<HelpPage> {
  let page: HelpPage | undefined;
  const program = buildProgram(await loadGroups(askedGroups(groups, words)), words, (found) => {
    if (found.kind === 'page') page = found.page;
  });
  deepest(program, words).helpInformation();
  if (page === undefined) throw new Error(`no page for ${words.join(' ')}`);
  return page;
}

/** The group that the first word names, else all groups. */
function askedGroups(groups: readonly Group[], [first]: readonly string[]): readonly Group[] {
  const asked = groups.find(({ name, aliases }) => name === first || aliases.some((alias) => alias === first));
  return asked === undefined ? groups : [asked];
}

/** What commander found in the words: a command to run, a help page, or the version. */
type Found =
  | Extract<ProgramAnswer, { readonly kind: 'run' }>
  | { readonly kind: 'page'; readonly commander: CommanderCommand; readonly page: HelpPage }
  | { readonly kind: 'version' };

/** The data that all levels of a tree share. */
interface CommandTree {
  readonly tell: (found: Found) => void;
  /** The words of the command line. Commands that no word names are built without details. */
  readonly words: ReadonlySet<string>;
  readonly globals: readonly Option[];
  /** The examples and topics of each command, which commander doesn't hold. */
  readonly more: Map<CommanderCommand, Pick<Command, 'examples' | 'topics'>>;
}

/** The tree of some groups. With a single group, which the command line named, the top level gets no global flags. */
export function buildProgram(groups: readonly LoadedGroup[], argv: readonly string[], tell: CommandTree['tell']): CommanderCommand {
  const more: CommandTree['more'] = new Map();
  const program = new CommanderCommand('crm');
  program
    .description('Administer a CRM: contacts, proposals, leads, catalog items and notes.')
    .addOption(new Option('-V, --version', 'Print the version').helpGroup(globalHeading))
    .on('option:version', () => {
      tell({ kind: 'version' });
      throw new CommanderError(0, 'commander.version', version);
    })
    .addHelpOption(helpOption())
    .enablePositionalOptions()
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .configureHelp({
      formatHelp: (commander, helper) => {
        tell({ kind: 'page', commander, page: helpPage(commander, helper, more.get(commander) ?? { examples: [] }) });
        return '';
      },
      subcommandTerm: (command) => [command.name(), ...command.aliases()].join(', '),
      commandUsage: usageOf,
    })
    .usage('<command> [flags]')
    .helpCommand(false);
  const tree: CommandTree = { tell, words: new Set(argv), globals: globalFlags.map(commanderOption), more };
  for (const group of groups) addGroup({ words: [], commander: program }, group, tree);
  if (groups.length === 1) return program;
  addGlobalFlags(program, tree);
  more.set(program, { examples: ['crm sandbox init && crm leads list --status Negotiation --sort value'] });
  program.command('help').summary('Show help for a command or topic');
  return program;
}

function addGroup(root: CommandLevel, group: LoadedGroup, tree: CommandTree): void {
  const { commands } = group;
  const [only] = commands;
  if (only !== undefined && only.path.length === 1) {
    addCommand(root, only, tree).helpGroup(group.heading);
    return;
  }
  const description = [`${group.summary}.`, group.description].filter(Boolean).join(' ');
  const commander = root.commander.command(group.name).aliases(group.aliases).summary(group.summary).description(description);
  commander.helpGroup(group.heading);
  if (![group.name, ...group.aliases].some((name) => tree.words.has(name))) return;
  inner(commander, tree);
  for (const command of namedCommands(commands, tree)) addCommand({ words: [group.name], commander }, command, tree);
  addExamples(commander, commands, tree);
  for (const below of commander.commands) {
    const deeper = commands.filter(({ path }) => path.length > 2 && path[1] === below.name());
    addExamples(below, deeper, tree);
  }
}

/** The commands of a group that the command line names, else all. */
function namedCommands(commands: readonly Command[], { words }: CommandTree): readonly Command[] {
  const named = commands.filter(({ path, aliases = [], levelAliases = [] }) =>
    [path[1], ...(path.length > 2 ? levelAliases : aliases)].some((name) => name !== undefined && words.has(name)),
  );
  return named.length > 0 ? named : commands;
}

/** Adds global flags and help to a level above commands. */
function inner(commander: CommanderCommand, tree: CommandTree): void {
  commander.addHelpOption(helpOption()).usage('<command> [flags]').enablePositionalOptions().helpCommand(false);
  addGlobalFlags(commander, tree);
}

function addCommand(above: CommandLevel, command: Command, tree: CommandTree): CommanderCommand {
  const [word, ...rest] = command.path.slice(above.words.length);
  if (word === undefined) throw new Error(`no word for ${command.path.join(' ')}`);
  if (rest.length > 0) {
    const commander = levelBelow(above, word, command.levelAliases ?? [], tree);
    return addCommand({ words: [...above.words, word], commander }, command, tree);
  }
  const commander = above.commander
    .command(word)
    .aliases(command.aliases ?? [])
    .summary(command.summary);
  if (![word, ...(command.aliases ?? [])].some((name) => tree.words.has(name))) return commander;
  commander.description([`${command.summary}.`, command.description].filter(Boolean).join(' '));
  for (const argument of command.args) commander.addArgument(commanderArgument(argument));
  for (const flag of command.flags) commander.addOption(commanderOption(flag));
  const last = command.args.at(-1);
  if (last?.isBehindDashes) commander.usage(`[flags] -- ${termOfArgument(last)}`);
  commander.addHelpOption(helpOption());
  addGlobalFlags(commander, tree);
  tree.more.set(commander, command);
  commander.action(() => tree.tell({ kind: 'run', command, input: inputOf(commander, command) }));
  return commander;
}

function levelBelow(above: CommandLevel, word: string, aliases: readonly string[], tree: CommandTree): CommanderCommand {
  const there = above.commander.commands.find((one) => one.name() === word);
  if (there !== undefined) return there;
  const noun = above.words.at(-1) ?? '';
  const commander = above.commander
    .command(word)
    .aliases(aliases)
    .summary(`${capitalised(word)} of ${noun}`)
    .description(`The ${word} of ${noun}.`);
  if ([word, ...aliases].some((name) => tree.words.has(name))) inner(commander, tree);
  return commander;
}

/** The first example of the first two commands below a level. */
function addExamples(level: CommanderCommand, commands: readonly Command[], tree: CommandTree): void {
  const examples = commands.flatMap((command) => command.examples.slice(0, 1)).slice(0, 2);
  if (examples.length > 0) tree.more.set(level, { examples });
}

const helpOption = (): Option => new Option('-h, --help', 'Show help').helpGroup(globalHeading);

/** The deepest level or command that the words lead to. */
function deepest(program: CommanderCommand, argv: readonly string[]): CommanderCommand {
  let level = program;
  for (const word of argv) level = level.commands.find((one) => one.name() === word || one.aliases().includes(word)) ?? level;
  return level;
}

/** The words that call a command, without aliases. */
function commanderPath(commander: CommanderCommand): string {
  const words: string[] = [];
  for (let level: CommanderCommand | null = commander; level !== null; level = level.parent) words.unshift(level.name());
  return words.join(' ');
}

/** `crm leads convert <id> [flags]`, `crm sandbox exec [flags] -- <command...>`. */
function usageOf(commander: CommanderCommand): string {
  const usage = `${commanderPath(commander)} ${commander.usage().replace('[options]', '')}`.replace(/ +/g, ' ').trimEnd();
  return usage.includes('[flags]') ? usage : `${usage} [flags]`;
}

function addGlobalFlags(commander: CommanderCommand, { globals }: CommandTree): void {
  for (const option of globals) commander.addOption(option);
}

function termOfArgument({ name, optional, many }: Command['args'][number]): string {
  const term = `${name}${many ? '...' : ''}`;
  return optional ? `[${term}]` : `<${term}>`;
}

function commanderArgument(argument: Command['args'][number]): Argument {
  const { help, choices } = argument;
  return new Argument(termOfArgument(argument), choices === undefined ? help : `${help}: ${choices.join(', ')}`);
}

function commanderOption(flag: Flag): Option {
  const option = new Option(termOf(flag), helpOf(flag));
  if (flag.group !== undefined) option.helpGroup(flag.group);
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

/** The arguments, and the flags of the command and of the levels above it, by name. The nearest level wins. */
function inputOf(commander: CommanderCommand, command: Command): Input {
  const flags: Record<string, Input['flags'][string]> = {};
  const levels: CommanderCommand[] = [];
  for (let level: CommanderCommand | null = commander; level !== null; level = level.parent) levels.unshift(level);
  for (const level of levels) readFlags(level, level === commander ? [...globalFlags, ...command.flags] : globalFlags, flags);
  return { args: commander.args.map(unshielded), flags };
}

function readFlags(level: CommanderCommand, declared: readonly Flag[], flags: Record<string, Input['flags'][string]>): void {
  for (const { name } of declared) {
    const negated = name.startsWith('no-');
    const attribute = camelCase(negated ? name.slice(3) : name);
    const value = level.getOptionValue(attribute);
    if (negated ? value === false : value !== undefined) flags[name] = negated ? true : typedValue(value);
  }
}

function typedValue(value: Input['flags'][string]): Input['flags'][string] {
  if (typeof value === 'string') return unshielded(value);
  return Array.isArray(value) ? value.map(unshielded) : value;
}

/** The commands whose last word is `word`, such as `leads convert`. Prefers groups that `words` name. */
function verbsCalled(groups: readonly LoadedGroup[], word: string, words: readonly string[]): string[] {
  const named = groups.filter(({ name, aliases }) => [name, ...aliases].some((one) => words.includes(one)));
  const called = (some: readonly LoadedGroup[]): string[] =>
    some.flatMap(({ commands }) =>
      commands
        .filter(({ path, aliases = [] }) => path.length > 1 && [path.at(-1), ...aliases].includes(word))
        .map(({ path }) => path.join(' ')),
    );
  const ofNamed = called(named);
  return ofNamed.length > 0 ? ofNamed : called(groups);
}

/** An error names at most this many commands. */
const mostVerbs = 3;

const verbsText = (verbs: readonly string[]): string =>
  `${verbs
    .slice(0, mostVerbs)
    .map((verb) => `crm ${verb}`)
    .join(', ')}${verbs.length > mostVerbs ? ` and ${verbs.length - mostVerbs} more` : ''}`;

async function usageError(
  error: CommanderError,
  program: CommanderCommand,
  words: readonly string[],
  { command, groups }: { readonly command: Command | undefined; readonly groups: readonly LoadedGroup[] },
): Promise<UsageError> {
  const understood = understoodWords(error, words.map(shielded));
  const unknown = understood.length === words.length ? undefined : words[understood.length];
  const level = deepest(program, understood);
  const code = complaintCode(error);
  const { commandMeant, flagMeant, isSynonym, wordsMeant } = await import('./suggestions.ts');
  const verbs = understood.length > 0 || isSynonym(unknown ?? '') ? [] : verbsCalled(groups, unknown ?? '', words);
  if (verbs.length > 0) {
    const hint = `See: crm help ${isTopic(unknown ?? '') ? unknown : verbs[0]}`;
    return new UsageError(`'${unknown}' needs a family in front: ${verbsText(verbs)}.`, { code, hint });
  }
  const path = commanderPath(level).split(' ').slice(1);
  const meantBy = (): string | undefined => {
    if (unknown !== undefined) return commandMeant(groups, path, unknown, words.slice(understood.length + 1));
    const [, flag] = error.code === 'commander.unknownOption' ? (/'(.*)'$/s.exec(error.message) ?? []) : [];
    if (command === undefined) return undefined;
    if (flag !== undefined) return flagMeant(command, words, flag);
    return error.code === 'commander.excessArguments' ? wordsMeant(command, level.args.map(unshielded)) : undefined;
  };
  const meant = meantBy();
  const said = complaint(error, command).replaceAll(shield, '');
  return new UsageError(`${said}${meant === undefined ? '' : ` Did you mean ${meant}?`}`, { code, hint: seeHelp(level) });
}

const seeHelp = (level: CommanderCommand): string => `See: ${commanderPath(level)} --help`;

/** The command at a place in the tree; undefined for a level above commands. */
function commandAt(groups: readonly LoadedGroup[], level: CommanderCommand): Command | undefined {
  const line = commanderPath(level);
  return groups.flatMap(({ commands }) => commands).find(({ path }) => `crm ${path.join(' ')}` === line);
}
