// The command line for completion: levels (the root, a family, a command) with their words, and the fields of each family. The build stores
// it. Pure.

import type { Flag } from '../../base/flag.ts';
import { globalFlags, helpFlag, versionFlag } from '../../base/global-flags.ts';
import { type Named, namedBy, type ValueType } from '../../base/values/value-type.ts';
import type { Resource } from '../../model/define.ts';
import { memberNamed, underscored } from '../../model/members.ts';
import { type Command, type LoadedGroup, topics } from '../command.ts';
import { isFilePlaceholder } from '../named-files.ts';
import { type CommandWord, levelAbove, type WalkLevel } from '../walk.ts';

export type Completes =
  | { readonly kind: 'any' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /** Several of the choices, separated by commas. */
  | { readonly kind: 'listed'; readonly choices: readonly string[] }
  /** A file, or `@` and a file with a text. */
  | { readonly kind: 'file' | 'text-or-file' }
  /** Remembered names of a kind. */
  | { readonly kind: 'names'; readonly of: Named }
  /** Other words in this machine's files: records by id, profiles, titles of seeds, runs. */
  | { readonly kind: 'records' | 'profiles' | 'seeds' | 'runs' }
  /** Fields of the family before the flag: with commas, or at the start of a condition. */
  | { readonly kind: 'fields' | 'condition' };

interface FlagWord {
  readonly name: string;
  readonly short?: string;
  readonly help: string;
  /** Absent for a flag without a value. */
  readonly value?: Completes;
}

interface Slot {
  readonly many: boolean;
  readonly value: Completes;
}

export interface Level extends WalkLevel<FlagWord> {
  readonly commands: readonly CommandWord[];
  readonly slots: readonly Slot[];
}

/** The fields of a family's records. */
export interface FamilyWords {
  /** The names of fields: paths of a record, and flags, each with its path. */
  readonly fields: readonly (readonly [name: string, path: string])[];
  /** The values of a field, by its name with underscores: names of a kind, or words. */
  readonly values: { readonly [field in string]?: Named | readonly string[] };
}

export interface CommandLine {
  /** The levels by their words, joined by spaces. The root has the empty path. */
  readonly levels: { readonly [path in string]?: Level };
  /** The flags that every level has. */
  readonly flags: readonly FlagWord[];
  readonly families: { readonly [name in string]?: FamilyWords };
}

/** The command `help`, which the root's commands (`crm help leads convert`) and the topics follow. */
const help: CommandWord = { name: 'help', aliases: [], summary: 'Show help for a command or topic', to: 'help' };
const topicWords: readonly CommandWord[] = Object.entries(topics).map(([name, summary]) => ({
  name,
  aliases: [],
  summary,
  to: `help ${name}`,
}));

/** Every level of the command line, the root first, and the words of the families. */
export function commandLine(groups: readonly LoadedGroup[], families: readonly Resource[]): CommandLine {
  const words = groups.map(({ name, aliases, summary }) => ({ name, aliases, summary, to: name }));
  // `leads`, `leads.create`
  const names = [...new Set(groups.flatMap(({ name, commands }) => [name, ...commands.map(({ path }) => path.join('.'))]))];
  const levels: [path: string, Level][] = [
    ['', { commands: [...words, help], flags: [flagWord(versionFlag)], slots: [] }],
    ...groups.flatMap((group) => groupLevels(group.commands, names)),
    [help.to, { commands: [...words, ...topicWords], flags: [], slots: [] }],
    ...topicWords.map(({ to }): [string, Level] => [to, { commands: [], flags: [], slots: [] }]),
  ];
  return {
    levels: Object.fromEntries(levels),
    flags: [...globalFlags, helpFlag].map((flag) => flagWord(flag)),
    families: Object.fromEntries(families.map((one) => [one.name, familyWords(one)])),
  };
}

function groupLevels(commands: readonly Command[], names: readonly string[]): [path: string, Level][] {
  const above = commands.flatMap(({ path }) => path.slice(1).map((_word, index) => path.slice(0, index + 1).join(' ')));
  return [
    ...[...new Set(above)].map((path): [string, Level] => [path, tabLevel(path.split(' '), commands)]),
    ...commands.map((command): [string, Level] => [command.path.join(' '), commandLevel(command, names)]),
  ];
}

function tabLevel(words: readonly string[], commands: readonly Command[]): Level {
  const level = levelAbove(commands, words);
  return { ...level, flags: level.flags.map((flag) => flagWord(flag, level.implied?.nothing)), slots: [] };
}

function commandLevel({ path, flags, args }: Command, names: readonly string[]): Level {
  const line = path.join(' ');
  return {
    commands: [],
    flags: flags.map((flag) => flagWord(flag, line)),
    slots: args.map((one) =>
      one.isCommand
        ? { many: false, value: { kind: 'choice', choices: names } }
        : { many: one.many === true, value: completedBy(one.name, one, line) },
    ),
  };
}

function flagWord(flag: Flag, path = ''): FlagWord {
  return {
    name: flag.name,
    ...(flag.short === undefined ? {} : { short: flag.short }),
    help: flag.help,
    ...(flag.value === undefined ? {} : { value: completedBy(flag.value, flag, `${path} --${flag.name}`) }),
  };
}

/** The completion of a flag or argument: its choices, else by its type and name, else by a placeholder or help that names a file. */
function completedBy(
  placeholder: string,
  { name, choices, isListed, type, help }: Pick<Flag, 'name' | 'choices' | 'isListed' | 'type' | 'help'>,
  at: string,
): Completes {
  if (choices !== undefined) return { kind: isListed ? 'listed' : 'choice', choices };
  if (type?.kind === 'reference') {
    return { kind: 'choice', choices: placeholder.includes('[') ? type.types : type.types.map((one) => `${one}:`) };
  }
  const completes = completesAt(name, type, at);
  if (completes !== undefined) return completes;
  if (isFilePlaceholder(placeholder)) return { kind: 'file' };
  return { kind: `${placeholder} ${help}`.includes('@file') ? 'text-or-file' : 'any' };
}

/** The completion of a flag or argument, by its type or name. `at` is the command, with the flag after it. */
function completesAt(name: string, type: Flag['type'], at: string): Completes | undefined {
  const of = namedBy(type);
  if (of !== undefined) return { kind: 'names', of };
  if (/^profile (?!add$|list$)\S+$/.test(at) && name === 'name') return { kind: 'profiles' };
  if (at === 'seed destroy --run') return { kind: 'seeds' };
  if (/^(undo|history (show|forget))$/.test(at) && name === 'run') return { kind: 'runs' };
  return type === undefined ? completesByName[name] : undefined;
}

/** The completions by an argument's name. `id` is a record of the command's family. */
const completesByName: { readonly [name in string]?: Completes } = {
  id: { kind: 'records' },
  profile: { kind: 'profiles' },
  fields: { kind: 'fields' },
  where: { kind: 'condition' },
  sort: { kind: 'fields' },
};

/** The names for --where and --fields, each member once, with their values. */
function familyWords(resource: Resource): FamilyWords {
  const { record, fields, filters } = resource;
  const flags = [...fields, ...filters].map(({ flag }) => flag).filter((flag) => !record.includes(underscored(flag)));
  const names = [...new Set([...record, ...flags])].flatMap((name) => {
    const member = memberNamed(resource, name);
    return member === undefined ? [] : [{ name, member }];
  });
  return {
    fields: names.map(({ name, member }) => [name, member.path === name ? '' : member.path] as const),
    values: Object.fromEntries(
      names.flatMap(({ name, member }) => ('type' in member ? valuesOfField(underscored(name), member.type) : [])),
    ),
  };
}

function valuesOfField(name: string, type: ValueType | undefined): [string, Named | readonly string[]][] {
  if (type?.kind === 'choice') return [[name, type.values]];
  const of = namedBy(type);
  return of === undefined ? [] : [[name, of]];
}
