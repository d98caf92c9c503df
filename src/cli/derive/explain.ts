// The facts of a command as data: flags, requests, output and errors, from the command tree and the families' declarations. `crm explain`
// and the surface file use them.

import { type ErrorCode, errorCodes, exitStatuses, invalidValue, type Retry, type StatusName } from '../../base/errors.ts';
import type { Argument, Flag } from '../../base/flag.ts';
import { headOf } from '../../base/values/paths.ts';
import { suggestion } from '../../base/values/text/suggest.ts';
import { type Named, namedBy, type ValueType } from '../../base/values/value-type.ts';
import type { Resource } from '../../model/define.ts';
import { memberNamed } from '../../model/members.ts';
import { namedKinds, unlisted } from '../../model/named.ts';
import type { Shape } from '../../output/result.ts';
import { type Command, type Endpoint, type LoadedGroup, mayWrite, type Need, type Printed } from '../command.ts';

/** A typed or printed value. `of` is the kind of name that works in place of the id. */
interface ExplainedValue {
  readonly type: string;
  readonly of: string | null;
  readonly choices: readonly string[] | null;
}

interface ExplainedArgument extends ExplainedValue {
  readonly name: string;
  /** The name in the request. */
  readonly wire: string | null;
  readonly required: boolean;
  readonly repeatable: boolean;
  /** Several values with commas are allowed: `12,13`. */
  readonly commas: boolean;
  /** True if `@file` reads the value from a file. */
  readonly at_file: boolean;
  /** True if `-` reads the value (ids, a text, a file) from standard input. */
  readonly stdin: boolean;
  /** The command that lists the values, without `crm`, and the member of its records with the value. */
  readonly listed_by: string | null;
  readonly listed_member: string | null;
  readonly help: string;
  /** True if the value stands behind `--`, as the last words of the command line. */
  readonly behind_dashes: boolean;
}

export interface ExplainedFlag extends ExplainedArgument {
  readonly short: string | null;
  /** The placeholder in the help: `name=value`. Null for a switch. */
  readonly placeholder: string | null;
  /** True for a filter of a list. */
  readonly filter: boolean;
  readonly default: string | number | null;
  /** The bounds of a number; for N=VALUE, the bounds of N. */
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly exclusive_minimum: number | null;
}

/** A group of flags and arguments of which some must be given. Flags that are always required don't belong to a group. */
interface ExplainedNeed {
  readonly count: Need['count'];
  readonly of: readonly string[];
  readonly unless: string | null;
}

/** A member of a printed document, as a dotted path. `[]` stands for each element of an array. */
export interface ExplainedMember extends ExplainedValue {
  readonly name: string;
  /** The flag that sets the member. */
  readonly flag: string | null;
  readonly nullable: boolean;
  /** True for a member that some records lack. */
  readonly optional: boolean;
}

/** The output with --json. */
interface ExplainedPrint {
  readonly json: string;
  readonly members: readonly ExplainedMember[];
  /** The flag that prints all members, and the members. Null when all are always printed. */
  readonly whole: { readonly flag: string; readonly members: readonly ExplainedMember[] } | null;
}

/** A member whose value is a choice. */
interface ExplainedState {
  readonly member: string;
  readonly values: readonly { readonly value: string; readonly command: string | null }[];
}

interface ExplainedError {
  readonly code: ErrorCode;
  readonly status: number | string;
  /** What `error.retry` says by the code alone. */
  readonly retry: Retry;
  readonly meaning: string;
}

export interface ExplainedCommand {
  /** The name for `crm explain`: `leads.comments.add`. */
  readonly name: string;
  readonly command: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly description: string | null;
  readonly does: Command['does'];
  readonly destroys_when: string | null;
  readonly requests: readonly Endpoint[];
  readonly arguments: readonly ExplainedArgument[];
  readonly flags: readonly ExplainedFlag[];
  readonly needs: readonly ExplainedNeed[];
  /** The cases that need --yes off a terminal: `always`, or each case. */
  readonly yes_when: readonly string[];
  /** True for a command that a read-only profile or CRM_READ_ONLY refuses, unless a call only reads (`api GET`). */
  readonly refused_read_only: boolean;
  /** True for a command that needs a terminal. */
  readonly needs_terminal: boolean;
  /** The values of --sort, each with the sent value. */
  readonly sort: Readonly<Record<string, string>>;
  readonly prints: ExplainedPrint;
  /** The errors that few other commands have. */
  readonly errors: readonly ExplainedError[];
  readonly examples: readonly string[];
}

export interface ExplainedGroup {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly heading: string;
  readonly summary: string;
  readonly commands: readonly ExplainedCommand[];
  /** For a family, the members whose values are choices. */
  readonly states: readonly ExplainedState[];
}

/** All commands of some groups. `families` are the declarations of the groups that are families. */
export function explainGroups(groups: readonly LoadedGroup[], families: readonly Resource[]): ExplainedGroup[] {
  return groups.map(({ name, aliases, heading, summary, commands }) => {
    const family = families.find((one) => one.name === name);
    const explained = commands.map((command) => factsOfCommand(command, family));
    return { name, aliases, heading, summary, commands: explained, states: family === undefined ? [] : statesOf(family, commands) };
  });
}

function factsOfCommand(command: Command, family: Resource | undefined): ExplainedCommand {
  const { path, aliases = [], summary, description = null, does, destroysWhen = null, sends, args, flags, fails = [], examples } = command;
  const isSorted = flags.some(({ name }) => name === 'sort');
  return {
    name: path.join('.'),
    command: path.join(' '),
    aliases,
    summary,
    description,
    does,
    destroys_when: destroysWhen,
    requests: sends,
    arguments: args.map(explainArgument),
    flags: flags.map(explainFlag),
    needs: (command.needs ?? []).map((need) => explainNeed(need, flags)),
    yes_when: yesWhen(command),
    refused_read_only: mayWrite(command),
    needs_terminal: command.needsTerminal === true,
    sort: isSorted ? (family?.sort ?? {}) : {},
    prints: explainPrinted(command),
    errors: fails.map(explainCode),
    examples,
  };
}

const explainNeed = ({ count, of, unless }: Need, flags: readonly Flag[]): ExplainedNeed => ({
  count,
  of: of.map((name) => (flags.some((flag) => flag.name === name) ? `--${name}` : name)),
  unless: unless ?? null,
});

/** The cases in which a command needs --yes off a terminal. */
function yesWhen({ does, destroysWhen, asksWhen, needsTerminal, ...command }: Command): string[] {
  if (does === 'destroys') return ['always'];
  const isSelecting = does !== 'reads' && needsTerminal !== true && takesSeveral(command);
  return [...(isSelecting ? ['with -', 'with --where'] : []), ...[destroysWhen, asksWhen].filter((one) => one !== undefined)];
}

/** The types of flags with a number, by placeholder. */
const numbers: Readonly<Record<string, string>> = { n: 'integer', number: 'decimal', seconds: 'decimal' };

/** A flag with its facts. */
export function explainFlag(flag: Flag): ExplainedFlag {
  const { name, short, value, wire, required, repeatable, isFilter, help, type, choices } = flag;
  return {
    name: `--${name}`,
    short: short === undefined ? null : `-${short}`,
    wire: wire === undefined ? null : type?.kind === 'numbered' ? `${wire}N` : wire,
    ...valueFacts(type, choices, value === undefined ? 'switch' : (numbers[value] ?? 'text')),
    required: required === true,
    repeatable: repeatable === true,
    ...sourceFacts(flag),
    placeholder: value ?? null,
    filter: isFilter === true,
    default: flag.standard ?? null,
    minimum: flag.least ?? null,
    maximum: flag.most ?? null,
    exclusive_minimum: flag.above ?? null,
    help,
    behind_dashes: false,
  };
}

function explainArgument(argument: Argument): ExplainedArgument {
  const { name, wire, optional, many, help, type, choices } = argument;
  // A value named `id` takes an id, or several ids with commas.
  const plain = /(^|-)id$/.test(name) ? 'id' : 'text';
  return {
    name,
    wire: wire ?? null,
    ...valueFacts(type, choices, plain),
    required: optional !== true,
    repeatable: many === true,
    ...sourceFacts(argument),
    help,
    behind_dashes: argument.isBehindDashes === true,
  };
}

function sourceFacts({ isListed, from = [], listedBy, listedMember = 'id', type }: Argument | Flag) {
  const list = listedBy ?? commandListing(namedBy(type));
  return {
    commas: isListed === true,
    at_file: from.includes('@file'),
    stdin: from.includes('-'),
    listed_by: list,
    listed_member: list === null ? null : listedMember,
  };
}

/** The command that lists the names of a kind. */
function commandListing(of: Named | undefined): string | null {
  if (of === undefined) return null;
  const { list } = namedKinds[of];
  const unseen = Object.entries(unlisted).find(([, kind]) => kind === of)?.[0];
  if (list === undefined) return unseen === undefined ? null : `names ${unseen}`;
  return [list.path.replace('/api/', ''), 'list', ...list.query.map(([name, value]) => `--${name} ${value}`)].join(' ');
}

/** The type of a value; `instead`: the type when no type is declared. */
function valueFacts(type: ValueType | undefined, choices: readonly string[] | undefined, instead: string): ExplainedValue {
  if (type?.kind === 'choice' && type.isBoolean) return { type: 'boolean', of: null, choices: null };
  const words = choices ?? (type?.kind === 'choice' ? type.values : type?.kind === 'reference' ? type.types : null);
  return { type: type?.kind ?? (choices === undefined ? instead : 'choice'), of: namedBy(type) ?? null, choices: words };
}

const onePrinted = (command: Command): Printed | undefined =>
  command.prints ?? (command.shows === undefined ? undefined : { json: 'object', of: command.shows });

function explainPrinted(command: Command): ExplainedPrint {
  const printed = onePrinted(command);
  if (printed === undefined) return { json: 'nothing', members: [], whole: null };
  if ('members' in printed) {
    const members = Object.entries(printed.members).map(([name, type]) => writtenMember(name, type));
    return { json: printed.json, members, whole: null };
  }
  if (!('of' in printed)) return { json: printed.json, members: [], whole: null };
  const { json, of: shape, only = shape.record, wholeWith } = printed;
  const explain = (paths: readonly string[]) => paths.map((path) => explainMember(path, shape));
  const isPart = wholeWith !== undefined && only.length < shape.record.length;
  return { json, members: explain(only), whole: isPart ? { flag: `--${wholeWith}`, members: explain(shape.record) } : null };
}

/** The member for a type that a command declares: `text`, `integer|null`, `ok|wrong`, `text?` for an optional one. */
function writtenMember(name: string, written: string): ExplainedMember {
  const words = written.replace(/\?$/, '').split('|');
  const choices = words.filter((word) => word !== 'null');
  const [only = 'any', ...more] = choices;
  const value = more.length === 0 ? { type: only, of: null, choices: null } : { type: 'choice', of: null, choices };
  return { name, ...value, flag: null, nullable: words.includes('null'), optional: written.endsWith('?') };
}

function explainMember(path: string, shape: Shape): ExplainedMember {
  const member = memberNamed(shape, path);
  const type = member?.kind === 'value' || member?.kind === 'relation' ? member.type : undefined;
  const flag = shape.fields?.find(({ read }) => read === path)?.flag;
  const value = valueFacts(type, undefined, 'text');
  const isMany = shape.arrays?.includes(path) || shape.sets?.some(({ read }) => read === path) || member?.kind === 'group';
  const nullable = [path, headOf(path)].some((one) => shape.nullable?.includes(one));
  return {
    name: path,
    ...value,
    // Records have the id, even where a name may be typed.
    ...(isMany ? { type: 'array' } : value.type === 'id-or-name' ? { type: 'id' } : {}),
    flag: flag === undefined ? null : `--${flag}`,
    nullable,
    optional: false,
  };
}

/** The members of a family whose values are choices, with the command that sets each value, if there is one. */
function statesOf(family: Resource, siblings: readonly Command[]): ExplainedState[] {
  const members = family.record.map((path) => explainMember(path, family));
  return members.flatMap(({ name, choices }) => {
    if (choices === null) return [];
    return [{ member: name, values: choices.map((value) => ({ value, command: commandTo(name, value, siblings, family) })) }];
  });
}

/** The command that sets a member to a value: an action, or a command that takes the value. */
function commandTo(member: string, value: string, siblings: readonly Command[], family: Resource): string | null {
  const action = family.actions?.find(({ reads }) => reads?.path === member && reads.value === value);
  if (action !== undefined) return `${family.name} ${action.verb}`;
  const setter = siblings.find(
    ({ does, args }) => does !== 'reads' && args.some(({ wire, choices }) => wire === member && choices?.includes(value)),
  );
  return setter === undefined ? null : `${setter.path.join(' ')} ID ${value}`;
}

/** All error codes, in the order of the table. */
export const everyCode = Object.keys(errorCodes) as ErrorCode[];

/** True for a command that takes an id, several ids or --where. */
const takesSeveral = ({ args, flags }: Pick<Command, 'args' | 'flags'>): boolean =>
  flags.some(({ name }) => name === 'where') && args.some(({ name }) => name === 'id');

const signals: readonly StatusName[] = ['hungUp', 'interrupted', 'terminated'];

/** An error code with its exit status; a signal has one of three statuses. */
export function explainCode(code: ErrorCode): ExplainedError {
  const { status, retry, meaning } = errorCodes[code];
  const number = status === 'interrupted' ? signals.map((name) => exitStatuses[name].status).join('|') : exitStatuses[status].status;
  return { code, status: number, retry, meaning };
}

export type Explained =
  | { readonly kind: 'all'; readonly groups: readonly ExplainedGroup[] }
  | { readonly kind: 'group'; readonly group: ExplainedGroup }
  | { readonly kind: 'command'; readonly command: ExplainedCommand };

/**
 * The commands or families that words name: `leads`, `leads.create`, `leads create`; all commands without words. Throws InvalidValues
 * for unknown words.
 */
export function explained(groups: readonly LoadedGroup[], families: readonly Resource[], words: readonly string[]): Explained {
  const [first, ...rest] = words.flatMap((word) => word.split('.'));
  if (first === undefined) return { kind: 'all', groups: explainGroups(groups, families) };
  const group = groups.find(({ name, aliases }) => name === first || aliases.includes(first));
  if (group === undefined)
    throw nothingNamed(
      first,
      groups.map(({ name }) => name),
    );
  const [found] = explainGroups([group], families);
  const commands = group.commands.filter((command) => begins(command, rest));
  const meant = found?.commands.filter(({ name }) => commands.some(({ path }) => path.join('.') === name)) ?? [];
  const [only] = meant;
  if (found === undefined || only === undefined) {
    throw nothingNamed(
      [group.name, ...rest].join('.'),
      group.commands.map(({ path }) => path.join('.')),
    );
  }
  if (commands[0]?.path.length === rest.length + 1) return { kind: 'command', command: only };
  const name = [group.name, ...rest].join(' ');
  return { kind: 'group', group: rest.length === 0 ? found : { ...found, name, aliases: [], commands: meant, states: [] } };
}

/** True when the words of a command, after its first word, begin with `words`. */
const begins = ({ path, aliases = [], levelAliases = [] }: Command, words: readonly string[]): boolean =>
  words.every((word, at) => {
    const others = at === path.length - 2 ? aliases : at === path.length - 3 ? levelAliases : [];
    return path[at + 1] === word || others.includes(word);
  });

function nothingNamed(name: string, names: readonly string[]): Error {
  const meant = suggestion(name, names, ' crm explain lists them all.');
  return invalidValue('command', `there is no command "${name}".${meant}`, 'unknown_command');
}
