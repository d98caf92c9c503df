// The command line as the completion scripts see it: levels (the root, a family, a command) with what each offers.
// Values that only this machine's files know are live: the scripts ask `crm __complete` for them, and for nothing else.

import { type Command, type LoadedGroup, topics } from '../command.ts';
import type { Argument, Flag } from '../flag.ts';
import { globalFlags } from '../global-flags.ts';
import { type Named, namedBy } from '../values/value-type.ts';
import { capitalised } from '../values/wording.ts';

/** What files know of a value: names of a kind of things, records by id, profiles, runs; and fields of the family that stands before. */
export type Live =
  | { readonly kind: 'names'; readonly of: Named }
  /** Some of these, separated by commas. */
  | { readonly kind: 'listed'; readonly words: readonly string[] }
  /** Fields separated by commas, or a condition that begins with one. */
  | { readonly kind: 'records' | 'fields' | 'condition' | 'profiles' | 'runs' };

/** What completes a value. */
export type Value =
  | { readonly kind: 'any' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'file' }
  /** A text, or `@` and a file that holds it. */
  | { readonly kind: 'text-or-file' }
  | { readonly kind: 'live'; readonly live: Live };

export interface FlagWord {
  /** `--sort`, and `-s` before it when there is a short one. */
  readonly spellings: readonly string[];
  readonly help: string;
  /** Absent for a flag without a value. */
  readonly value?: Value;
  /** What the value is called. */
  readonly placeholder: string;
  readonly repeatable: boolean;
}

/** A positional value. */
export interface Slot {
  readonly name: string;
  readonly many: boolean;
  readonly value: Value;
}

/** A word that leads to the next level. */
export interface CommandWord {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  /** The path of that level. */
  readonly to: string;
}

export interface Level {
  /** The words that lead there, joined by spaces; empty for the root. */
  readonly path: string;
  readonly commands: readonly CommandWord[];
  /** Without those that every level has. */
  readonly flags: readonly FlagWord[];
  readonly slots: readonly Slot[];
}

export interface CommandLine {
  readonly levels: readonly Level[];
  /** The flags that every level has. */
  readonly flags: readonly FlagWord[];
}

/** Its words are those of the root, `crm help leads convert`, and the topics. */
const help: CommandWord = { name: 'help', aliases: [], summary: 'Show help for a command or topic', to: 'help' };
const topicWords: readonly CommandWord[] = Object.entries(topics).map(([name, summary]) => ({
  name,
  aliases: [],
  summary,
  to: `help ${name}`,
}));

/** Every level of the command line, the root first. */
export function commandLine(groups: readonly LoadedGroup[]): CommandLine {
  const words = groups.map(({ name, aliases, summary }) => ({ name, aliases, summary, to: name }));
  const names = commandNames(groups);
  return {
    levels: [
      { path: '', commands: [...words, help], flags: [flagWord({ name: 'version', short: 'V', help: 'Print the version' })], slots: [] },
      ...groups.flatMap((group) => groupLevels(group.commands, names)),
      { path: help.to, commands: [...words, ...topicWords], flags: [], slots: [] },
      ...topicWords.map(({ to }) => ({ path: to, commands: [], flags: [], slots: [] })),
    ],
    flags: [...globalFlags, { name: 'help', short: 'h', help: 'Show help' }].map((flag) => flagWord(flag)),
  };
}

/** What names a family or a command in one word: `leads`, `leads.create`. */
const commandNames = (groups: readonly LoadedGroup[]): string[] => [
  ...new Set(groups.flatMap(({ name, commands }) => [name, ...commands.map(({ path }) => path.join('.'))])),
];

function groupLevels(commands: readonly Command[], names: readonly string[]): Level[] {
  const above = commands.flatMap(({ path }) => path.slice(1).map((_word, index) => path.slice(0, index + 1).join(' ')));
  return [
    ...[...new Set(above)].map((path) => levelAbove(path.split(' '), commands)),
    ...commands.map((command) => commandLevel(command, names)),
  ];
}

function levelAbove(words: readonly string[], commands: readonly Command[]): Level {
  const below = commands.filter(({ path }) => path.length > words.length && words.every((word, index) => path[index] === word));
  const named = below.map((command) => [command.path[words.length] ?? '', commandWord(command, words.length)] as const);
  return { path: words.join(' '), commands: [...new Map(named).values()], flags: [], slots: [] };
}

function commandWord({ path, aliases, levelAliases = [], summary }: Command, depth: number): CommandWord {
  const name = path[depth] ?? '';
  const to = path.slice(0, depth + 1).join(' ');
  if (path.length === depth + 1) return { name, aliases: aliases ?? [], summary, to };
  return { name, aliases: levelAliases, summary: `${capitalised(name)} of ${path[depth - 1]}`, to };
}

function commandLevel({ path, flags, args }: Command, names: readonly string[]): Level {
  const line = path.join(' ');
  return {
    path: line,
    commands: [],
    flags: flags.map((flag) => flagWord(flag, line)),
    slots: args.map((one) => (one.isCommand ? commandSlot(one, names) : slot(one, line))),
  };
}

const commandSlot = ({ name }: Argument, choices: readonly string[]): Slot => ({ name, many: false, value: { kind: 'choice', choices } });

function slot(argument: Argument, path: string): Slot {
  return { name: argument.name, many: argument.many === true, value: completedBy(argument.name, argument, path) };
}

function flagWord(flag: Flag, path = ''): FlagWord {
  return {
    spellings: [...(flag.short === undefined ? [] : [`-${flag.short}`]), `--${flag.name}`],
    help: flag.help,
    ...(flag.value === undefined ? {} : { value: completedBy(flag.value, flag, `${path} --${flag.name}`) }),
    placeholder: flag.choices === undefined ? (flag.value ?? '') : flag.name,
    repeatable: flag.repeatable === true,
  };
}

/** A file is recognised by its placeholder, `@file` by placeholder or help text, as a reader of the help page would. */
function completedBy(
  placeholder: string,
  { name, choices, isListed, type, help }: Pick<Flag, 'name' | 'choices' | 'isListed' | 'type' | 'help'>,
  at: string,
): Value {
  if (choices !== undefined && isListed) return { kind: 'live', live: { kind: 'listed', words: choices } };
  if (choices !== undefined) return { kind: 'choice', choices };
  if (type?.kind === 'reference') {
    return { kind: 'choice', choices: placeholder.includes('[') ? type.types : type.types.map((one) => `${one}:`) };
  }
  const live = liveAt(name, type, at);
  if (live !== undefined) return { kind: 'live', live };
  if (/^file\b/.test(placeholder)) return { kind: 'file' };
  return { kind: `${placeholder} ${help}`.includes('@file') ? 'text-or-file' : 'any' };
}

/** What is live at a flag or argument, by its type or by its name; `at`: its command, and after it the flag. */
function liveAt(name: string, type: Flag['type'], at: string): Live | undefined {
  const of = namedBy(type);
  if (of !== undefined) return { kind: 'names', of };
  if (/^profile (?!add$|list$)\S+$/.test(at) && name === 'name') return { kind: 'profiles' };
  if (/^seed (destroy --run|forget)$/.test(at)) return { kind: 'runs' };
  return type === undefined ? liveNames[name] : undefined;
}

/** An argument that is called `id` is a record of the command's own family. */
const liveNames: { readonly [name in string]?: Live } = {
  id: { kind: 'records' },
  profile: { kind: 'profiles' },
  fields: { kind: 'fields' },
  where: { kind: 'condition' },
};

/** A value at one point of the command line. */
export interface CompletionPoint {
  readonly level: string;
  /** The flag's spelling, or the number of the positional value, from 1. */
  readonly key: string;
  /** The key stands for all later positional values as well. */
  readonly many: boolean;
}

/** The values that can be completed, each with all points where it may be typed; `any` values are left out. */
export function completedValues({ levels, flags }: CommandLine): { readonly value: Value; readonly points: readonly CompletionPoint[] }[] {
  const found = new Map<string, { value: Value; points: CompletionPoint[] }>();
  const add = (value: Value, point: CompletionPoint): void => {
    if (value.kind === 'any') return;
    // The scripts do the same for whatever is live.
    const id = value.kind === 'live' ? value.kind : JSON.stringify(value);
    const entry = found.get(id) ?? { value, points: [] };
    entry.points.push(point);
    found.set(id, entry);
  };
  const addFlag = (level: string, { spellings, value }: FlagWord): void => {
    if (value !== undefined) for (const key of spellings) add(value, { level, key, many: false });
  };
  for (const level of levels) {
    for (const flag of level.flags) addFlag(level.path, flag);
    for (const [index, { value, many }] of level.slots.entries()) add(value, { level: level.path, key: String(index + 1), many });
  }
  for (const flag of flags) addFlag('*', flag);
  return [...found.values()];
}
