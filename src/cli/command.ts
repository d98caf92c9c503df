// The types of commands and of their groups (a group for each first word), and the names of the help topics. program.ts finds the
// command that the words call, completions/ makes the words that a Tab offers.

import type { ErrorCode } from '../base/errors.ts';
import type { Argument, Flag, FlagValues, Input, ResolvedInput } from '../base/flag.ts';
import type { Method } from '../client/types.ts';
import type { Result, Shape } from '../output/result.ts';
import type { Context } from '../session/context.ts';

export interface Command {
  /** The words that call it: `['leads', 'comments', 'add']`. */
  readonly path: readonly string[];
  readonly aliases?: readonly string[];
  /** Aliases of the word before the last: `comment`, as in `leads comment add`. */
  readonly levelAliases?: readonly string[];
  /** The last word may be left out before an id: `leads comment 12 'Called'` runs `leads comments add`. */
  readonly takesIds?: true;
  /** The command runs for the group's word alone (`history`), or for that word and an argument (`history k7f2`). */
  readonly meantBy?: 'nothing' | 'argument';
  readonly summary: string;
  /** Follows the summary on the help page. */
  readonly description?: string;
  readonly args: readonly Argument[];
  readonly flags: readonly Flag[];
  /** Further requirements, on groups of arguments and flags. */
  readonly needs?: readonly Need[];
  /** Optional flags: a terminal offers them after it asked for the required flags. */
  readonly offers?: readonly string[];
  /** Flags that similar commands have and this one doesn't, each with the reason. */
  readonly refusals?: Readonly<Record<string, string>>;
  /** The requests, in order; empty for a command about this machine. Names in place of ids, --where and the like cause further reads. */
  readonly sends: readonly Endpoint[];
  /** The command's effect, here or at the service. `destroys`: can't be undone, and asks first. */
  readonly does: 'reads' | 'writes' | 'destroys';
  /** True for a call that only reads at the service, of a command that writes: `api GET`. */
  readonly onlyReads?: (input: Input) => boolean;
  /** When a command that writes can't be undone: `with --delete-lead`. */
  readonly destroysWhen?: string;
  /** A further case that needs --yes off a terminal: `with --again`. */
  readonly asksWhen?: string;
  /** The command runs only on a terminal. */
  readonly needsTerminal?: true;
  /** The codes of its unusual errors. `crm help exit-statuses` lists the common codes. */
  readonly fails?: readonly ErrorCode[];
  /** The records shown. The names in --fields are checked against this shape before a write. */
  readonly shows?: Shape;
  /** The printed JSON. Default: one record of `shows`. */
  readonly prints?: Printed;
  /** Two or more command lines that work against the demo data. */
  readonly examples: readonly string[];
  /** Related topics: `crm help TOPIC`. */
  readonly topics?: readonly Topic[];
  /** Runs the command. */
  readonly run: (context: Context, input: ResolvedInput) => Promise<Result>;
}

/** True for a command that may send anything but a GET to the service: a read-only service refuses it. */
export const mayWrite = ({ sends }: Pick<Command, 'sends'>): boolean => sends.some(({ method }) => method !== 'GET');

/** A command whose flags are written literally: the input of `run` has the type of each flag, as commander's options were declared. */
export const command = <const L extends readonly Flag[]>(
  declared: Omit<Command, 'flags' | 'run'> & {
    readonly flags: L;
    readonly run: (context: Context, input: ResolvedInput<FlagValues<L>>) => Promise<Result>;
  },
): Command => declared;

/** A requirement on a group of flags and arguments. */
export interface Need {
  readonly count: 'exactly one' | 'at least one';
  /** The names, flags without hyphens. */
  readonly of: readonly string[];
  /** When the requirement doesn't hold: `with --data`. */
  readonly unless?: string;
}

/** A kind of request: `PUT /api/leads/{id}/archive`. */
export interface Endpoint {
  readonly method: Method;
  readonly path: string;
}

/** The form of printed JSON: records, members by path with their types, or another document. */
export type Printed =
  /** `only`: just these members of the record. `wholeWith`: the flag that prints all members. */
  | { readonly json: Form; readonly of: Shape; readonly only?: readonly string[]; readonly wholeWith?: string }
  | { readonly json: Form; readonly members: Readonly<Record<string, string>> }
  /** `anything`: the service's answer or the content of a file. */
  | { readonly json: 'text' | 'anything' };

/** `object or array`: an array unless the command line names a single record. */
type Form = 'object' | 'array' | 'object or array';

/** The heading under which `crm --help` lists a group. */
export type Heading = 'Records' | 'Reference records (read only)' | 'Many at once' | 'Settings' | 'Programs';

/** The topics of `crm help TOPIC`, with their titles. The texts are the files in `topics/`. */
export const topics = {
  output: 'Formats, fields, and what goes to which stream',
  settings: 'Profiles, variables, and which of them wins',
  scripting: 'Errors, confirmations and retries in scripts and CI jobs',
  import: 'Many records from a file, none lost or doubled',
  seeds: 'Demo and test records from a file, created once and destroyed again',
  flags: 'The flags that every command has, and names in place of ids',
  'exit-statuses': 'The exit statuses, and the codes of errors',
  privacy: 'Where personal data lie on this machine, who can read them, how to erase them',
  agents: 'For agents: discover, read, write safely, go on after an error',
} as const;
export type Topic = keyof typeof topics;

export const isTopic = (word: string): word is Topic => Object.hasOwn(topics, word);

/** The commands under one first word. */
export interface Group {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly heading: Heading;
  /** With the words of a command line, commands that no word names may be missing. */
  readonly load: (words?: ReadonlySet<string>) => Promise<GroupContents>;
}

interface GroupContents {
  readonly summary: string;
  /** Follows the summary on the help page. */
  readonly description?: string;
  readonly commands: readonly Command[];
}

export type LoadedGroup = Group & GroupContents;

/** Loads the commands of some groups, in the same order. With the words of a command line, commands that no word names may be missing. */
export function loadGroups(some: readonly Group[], words?: ReadonlySet<string>): Promise<LoadedGroup[]> {
  return Promise.all(some.map(async (one) => ({ ...one, ...(await one.load(words)) })));
}
