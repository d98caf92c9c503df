// What a command is: its place in the tree, what it takes, and the function that runs it. Commands stand in groups, one for
// each first word; beside them stand the topics that help explains. program/ turns these into commander's tree; the completion
// scripts are made from them too.

import type { Method } from './api/types.ts';
import type { Context } from './context.ts';
import type { ErrorCode } from './errors.ts';
import type { Argument, Flag, Input } from './flag.ts';
import type { Result, Shape } from './output/result.ts';

export interface Command {
  /** The words that call it: `['leads', 'comments', 'add']`. */
  readonly path: readonly string[];
  readonly aliases?: readonly string[];
  /** Other names of the word before its last: `comment`, as in `leads comment add`. */
  readonly levelAliases?: readonly string[];
  /** It is what the word before its last means when an id follows: `leads comment 12 'Called'`. */
  readonly takesIds?: true;
  /** It is what the group's word alone means, or that with something behind it that is no command: `history`, `history k7f2`. */
  readonly meantBy?: 'nothing' | 'argument';
  readonly summary: string;
  /** More than the summary, for its help page. */
  readonly description?: string;
  readonly args: readonly Argument[];
  readonly flags: readonly Flag[];
  /** What has to be given beside what is required. */
  readonly needs?: readonly Need[];
  /** Flags that nobody has to give and that are worth having: who is asked for the required ones is offered these as well. */
  readonly offers?: readonly string[];
  /** Flags that similar commands have and this one doesn't, each with the reason. */
  readonly refusals?: Readonly<Record<string, string>>;
  /**
   * What it asks of the service, in order; nothing where it is about this machine alone. Names in place of ids, --where and what else
   * makes it read more come on top.
   */
  readonly sends: readonly Endpoint[];
  /** What it does, here or at the service. `destroys`: it can't be undone, and asks first. */
  readonly does: 'reads' | 'writes' | 'destroys';
  /** When what writes can't be undone: `with --delete-lead`. */
  readonly destroysWhen?: string;
  /** When else it needs --yes off a terminal: `with --again`. */
  readonly asksWhen?: string;
  /** It needs somebody at a terminal. */
  readonly needsTerminal?: true;
  /** Codes of errors that few commands end with, this one among them. `crm help exit-statuses` tells those of all. */
  readonly fails?: readonly ErrorCode[];
  /** The records that it shows. What --fields may name of them is checked before anything is changed. */
  readonly shows?: Shape;
  /** What --json prints, where that isn't one of these records. */
  readonly prints?: Printed;
  /** Two or more command lines that work against the demo data. */
  readonly examples: readonly string[];
  /** What explains more: `crm help TOPIC`. */
  readonly topics?: readonly Topic[];
  /** Loads what it needs and runs. */
  readonly run: (context: Context, input: Input) => Promise<Result>;
}

/** Flags and arguments of which some have to be given. */
export interface Need {
  readonly count: 'exactly one' | 'at least one';
  /** Names, of flags without the hyphens. */
  readonly of: readonly string[];
  /** When none is needed: `with --data`. */
  readonly unless?: string;
}

/** A kind of request: `PUT /api/leads/{id}/archive`. */
export interface Endpoint {
  readonly method: Method;
  readonly path: string;
}

/** A JSON document: of records, or of the members that are named by their paths, each with its type; or something else. */
export type Printed =
  /** `only`: these of its members; with the flag `wholeWith` all of them. */
  | { readonly json: Form; readonly of: Shape; readonly only?: readonly string[]; readonly wholeWith?: string }
  | { readonly json: Form; readonly members: Readonly<Record<string, string>> }
  /** `anything`: whatever the service answers, or a file holds. */
  | { readonly json: 'text' | 'anything' };

/** `object or array`: an array wherever the command line doesn't name one record alone. */
export type Form = 'object' | 'array' | 'object or array';

/** The heading under which `crm --help` lists a group. */
export type Heading = 'Records' | 'Reference records (read only)' | 'Many at once' | 'Settings' | 'Programs';

/** What `crm help TOPIC` explains: the texts are files in `program/topics/`. */
export const topics = {
  output: 'Formats, fields, and what goes to which stream',
  settings: 'Profiles, variables, and which of them wins',
  scripting: 'Errors, confirmations and retries in scripts and CI jobs',
  import: 'Many records from a file, none lost or doubled',
  seeds: 'Demo and test records from a file, created once and destroyed again',
  flags: 'The flags that every command has, and names in place of ids',
  'exit-statuses': 'What the exit status and the code of an error say',
  agents: 'For agents: discover, read, write safely, go on after an error',
} as const;
export type Topic = keyof typeof topics;

export const isTopic = (word: string): word is Topic => Object.hasOwn(topics, word);

/** The commands under one first word. */
export interface Group {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly heading: Heading;
  readonly load: () => Promise<GroupContents>;
}

interface GroupContents {
  readonly summary: string;
  /** More than the summary, for its help page. */
  readonly description?: string;
  readonly commands: readonly Command[];
}

export type LoadedGroup = Group & GroupContents;

/** Loads the commands of some groups; gives the groups in the same order. */
export function loadGroups(some: readonly Group[]): Promise<LoadedGroup[]> {
  return Promise.all(some.map(async (one) => ({ ...one, ...(await one.load()) })));
}
