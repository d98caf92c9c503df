// The command line as a Tab needs it, to find out which live value stands at the cursor: what the build prepares. Pure.

import type { Resource } from '../resources/define.ts';
import { memberNamed, underscored } from '../resources/members.ts';
import { type Named, namedBy, type ValueType } from '../values/value-type.ts';
import type { CommandLine, FlagWord, Level, Live, Value } from './levels.ts';

export interface LiveLine {
  /** The flags with a value that every level has. */
  readonly flags: LiveFlags;
  /** By the words that lead there. */
  readonly levels: { readonly [path in string]?: LiveLevel };
  readonly families: { readonly [name in string]?: LiveFamily };
}

/** What completes the value of a flag, by spelling; null: nothing live. Flags without a value are left out. */
type LiveFlags = { readonly [spelling in string]?: Live | null };

interface LiveLevel {
  /** The paths that words lead to. */
  readonly below: { readonly [word in string]?: string };
  readonly flags: LiveFlags;
  /** The positional values in order; null: nothing live. */
  readonly slots: readonly (Live | null)[];
  /** The last positional value repeats. */
  readonly many: boolean;
}

export interface LiveFamily {
  /** Names of fields: paths of a record, and flags with the path where they read back. */
  readonly fields: readonly (readonly [name: string, path: string])[];
  /** What values a field takes, by its name with underscores: names of a kind, or words. */
  readonly values: { readonly [field in string]?: Named | readonly string[] };
}

/** What the build prepares. */
export function liveLine({ levels, flags }: CommandLine, families: readonly Resource[]): LiveLine {
  return {
    flags: liveFlags(flags),
    levels: Object.fromEntries(levels.map((level) => [level.path, liveLevel(level)])),
    families: Object.fromEntries(families.map((one) => [one.name, liveFamily(one)])),
  };
}

function liveLevel({ commands, flags, slots }: Level): LiveLevel {
  return {
    below: Object.fromEntries(commands.flatMap(({ name, aliases, to }) => [name, ...aliases].map((word) => [word, to]))),
    flags: liveFlags(flags),
    slots: slots.map(({ value }) => liveOf(value)),
    many: slots.at(-1)?.many === true,
  };
}

const liveFlags = (flags: readonly FlagWord[]): LiveFlags =>
  Object.fromEntries(
    flags.flatMap(({ spellings, value }) => (value === undefined ? [] : spellings.map((spelling) => [spelling, liveOf(value)]))),
  );

const liveOf = (value: Value): Live | null => (value.kind === 'live' ? value.live : null);

/** The names that --where and --fields take, each member under one of them, and what may be its value. */
function liveFamily(resource: Resource): LiveFamily {
  const { record, fields, filters } = resource;
  const flags = [...fields, ...filters].map(({ flag }) => flag).filter((flag) => !record.includes(underscored(flag)));
  const names = [...new Set([...record, ...flags])].flatMap((name) => {
    const member = memberNamed(resource, name);
    return member === undefined ? [] : [{ name, member }];
  });
  return {
    fields: names.map(({ name, member }) => [name, member.path === name ? '' : member.path] as const),
    values: Object.fromEntries(names.flatMap(({ name, member }) => ('type' in member ? valuesOf(underscored(name), member.type) : []))),
  };
}

function valuesOf(name: string, type: ValueType | undefined): [string, Named | readonly string[]][] {
  if (type?.kind === 'choice') return [[name, type.values]];
  const of = namedBy(type);
  return of === undefined ? [] : [[name, of]];
}
