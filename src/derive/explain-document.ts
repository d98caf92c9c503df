// What `crm explain --json` prints. Of one command it is all of it; of several, what they share stands once: records, flags, errors.

import { exitStatuses } from '../errors.ts';
import { globalFlags } from '../global-flags.ts';
import { version } from '../version.ts';
import {
  type Explained,
  type ExplainedCommand,
  type ExplainedFlag,
  type ExplainedGroup,
  type ExplainedMember,
  everyCode,
  explainCode,
  explainFlag,
} from './explain.ts';

/** It changes when programs that read these documents have to. */
const schemaVersion = 2;

const head = { schema_version: schemaVersion, crm: version };

/** The document of what was asked about; what is null, false or empty is left out. `families`: those whose records several commands print. */
export function explainDocument(found: Explained, families: readonly ExplainedGroup[]): object {
  if (found.kind === 'command') return { ...head, ...lean(found.command) };
  const groups = found.kind === 'all' ? found.groups : [found.group];
  const records = recordsOf(families, groups);
  const flags = flagsOfSeveral(groups);
  const { name, aliases, summary } = found.kind === 'group' ? found.group : {};
  return {
    ...head,
    ...lean({ name, aliases, summary }),
    commands: groups.flatMap(({ name: group, heading, commands }) =>
      commands.map((command) => lean({ group, heading, ...sharing(command, records, flags) })),
    ),
    records: lean(Object.fromEntries(records)),
    flags: lean(Object.fromEntries(flags)),
    global_flags: lean(globalFlags.map(explainFlag)),
    statuses: Object.values(exitStatuses),
    errors: everyCode.map(explainCode),
  };
}

interface SharedRecord {
  readonly members: readonly ExplainedMember[];
  readonly states: ExplainedGroup['states'];
}

/** The records of the families of which any of these commands prints some. */
function recordsOf(families: readonly ExplainedGroup[], groups: readonly ExplainedGroup[]): ReadonlyMap<string, SharedRecord> {
  const all = new Map<string, SharedRecord>();
  for (const { name, commands, states } of families) {
    const list = commands.find(({ command }) => command === `${name} list`);
    if (list !== undefined) all.set(name, { members: list.prints.members, states });
  }
  const printed = groups.flatMap(({ commands }) => commands.map(({ prints }) => recordOf(prints, all)));
  return new Map([...all].filter(([name]) => printed.includes(name)));
}

/** The family whose records, or some members of them, a command prints. */
function recordOf({ members, whole }: ExplainedCommand['prints'], records: ReadonlyMap<string, SharedRecord>): string | undefined {
  const all = whole?.members ?? members;
  if (all.length === 0) return undefined;
  const isIn = ({ members: of }: SharedRecord): boolean => all.every((one) => of.some((other) => isSame(one, other)));
  return [...records].find(([, record]) => isIn(record))?.[0];
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The flags that several commands have in the same words, each by a key that begins with the first of these commands. */
function flagsOfSeveral(groups: readonly ExplainedGroup[]): ReadonlyMap<string, ExplainedFlag> {
  const all = groups.flatMap(({ commands }) =>
    commands.flatMap(({ name, flags }) => flags.map((flag) => ({ key: `${name} ${flag.name}`, flag }))),
  );
  const alike = Map.groupBy(all, ({ flag }) => JSON.stringify(flag));
  return new Map([...alike.values()].flatMap(([first, second]) => (first && second ? [[first.key, first.flag] as const] : [])));
}

/** A command without what stands elsewhere in the document: a flag that is `shared` is in `flags`, under that key. */
function sharing(
  { errors, flags, prints, ...command }: ExplainedCommand,
  records: ReadonlyMap<string, SharedRecord>,
  shared: ReadonlyMap<string, ExplainedFlag>,
): object {
  const sharedAs = (flag: ExplainedFlag): string | undefined => [...shared].find(([, one]) => isSame(one, flag))?.[0];
  return {
    ...command,
    flags: flags.map((flag) => (sharedAs(flag) === undefined ? flag : { name: flag.name, shared: sharedAs(flag) })),
    prints: sharedPrint(prints, records),
    errors: errors.map(({ code }) => code),
  };
}

/** `only`: these members of the record alone. */
function sharedPrint(prints: ExplainedCommand['prints'], records: ReadonlyMap<string, SharedRecord>): object {
  const record = recordOf(prints, records);
  const { json, members, whole } = prints;
  if (record === undefined) return { json, members };
  const isAll = members.length === records.get(record)?.members.length;
  return { json, record, only: isAll ? [] : members.map(({ name }) => name), whole_with: whole?.flag };
}

/** Without members that are null, false or empty, at any depth. */
function lean(value: unknown): object {
  if (Array.isArray(value)) return value.map((one) => (isThing(one) ? lean(one) : one));
  const kept = isThing(value) ? Object.entries(value).filter(([, one]) => !isNothing(one)) : [];
  return Object.fromEntries(kept.map(([name, one]) => [name, isThing(one) ? lean(one) : one]));
}

const isThing = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === false || (isThing(value) && Object.keys(value).length === 0);
