// What somebody meant by a flag, a verb or a word that there isn't: the one place that knows. First a field of the family, then what
// other tools call the same, then a slip of the fingers. Never a guess that writes or confirms: such a name is only a letter away.

import { type Command, type LoadedGroup, topics } from '../command.ts';
import { globalFlags } from '../global-flags.ts';
import type { Resource } from '../resources/define.ts';
import { allFamilies } from '../resources/index.ts';
import { memberNamed } from '../resources/members.ts';
import { quotePosix } from '../values/text/shell-word.ts';
import { nameNear, nameWithin, stepsBetween } from '../values/text/suggest.ts';

/** What other tools call a verb. In braces: the words behind it, or what belongs there. */
const verbs: Readonly<Record<string, string>> = {
  export: 'list --csv',
  count: 'list --count',
  find: 'list --search {TEXT}',
  search: 'list --search {TEXT}',
  show: 'get {ID}',
  close: 'status {ID} --to STATUS',
};

/** Whether other tools have a verb of that name. */
export const isSynonym = (word: string): boolean => Object.hasOwn(verbs, word);

/** What other tools call a flag. In braces: its value, or what belongs there. */
const flags: Readonly<Record<string, string>> = {
  n: '--limit {N}',
  format: '-o {FORMAT}',
  reverse: '--order desc',
  desc: '--order desc',
  asc: '--order asc',
};

/** Flags that agree to a write or send again, beside the switches of commands that write. */
const agreeing = ['yes', 'confirm', 'send-again', 'arrived'];

/** A name that may be meant. `isCareful`: it writes or confirms. */
interface Candidate {
  readonly name: string;
  readonly isCareful: boolean;
}

/** The flag, or the command, that is meant by a flag which `command` doesn't have. `words`: all that was typed. */
export function flagMeant(command: Command, words: readonly string[], typed: string): string | undefined {
  const { path, flags: own, does } = command;
  const [name = '', given] = typed.replace(/^--?/, '').split(/=(.*)/s);
  if (command.refusals?.[name] !== undefined) return undefined;
  const next = words[words.indexOf(typed) + 1];
  const value = given ?? (next === undefined || next.startsWith('-') ? undefined : next);
  const resource = allFamilies.find((one) => one.name === path[0]);
  const field = resource === undefined ? undefined : fieldMeant(resource, command, words, { name, value });
  if (field !== undefined) return field;
  const all = [...own, ...globalFlags];
  const synonym = ownEntry(flags, name);
  if (synonym !== undefined && all.some((one) => synonym.startsWith(`--${one.name} `) || synonym.startsWith(`-${one.short} `)))
    return filled(synonym, value === undefined ? [] : [value]);
  const candidates = all.map((one) => ({
    name: one.name,
    isCareful: agreeing.includes(one.name) || (does !== 'reads' && one.value === undefined && own.includes(one)),
  }));
  const near = nearest(name, candidates);
  return near === undefined ? undefined : `--${near}`;
}

/** A field of the family under another roof: a set or an action has a command of its own, anything else is a condition. */
function fieldMeant(
  resource: Resource,
  { path, flags: own }: Command,
  words: readonly string[],
  { name, value }: { readonly name: string; readonly value: string | undefined },
): string | undefined {
  const [family, verb = ''] = path;
  const id = words.find((word, at) => /^\d+(,\d+)*$|^-$/.test(word) && !words[at - 1]?.startsWith('-')) ?? 'ID';
  if (verb === 'update') {
    const set = resource.sets?.find((one) => [one.verb, one.read, ...(one.aliases ?? [])].includes(name));
    if (set !== undefined) return filled(`crm ${family} ${set.verb} ${id} --add {${set.value.name.toUpperCase()}}`, value);
    const action = [...(resource.actions ?? []), ...(resource.guarded ?? [])].find((one) => one.value !== undefined && one.verb === name);
    if (action !== undefined) return filled(`crm ${family} ${action.verb} ${id} {${name.toUpperCase()}}`, value);
  }
  const has = (flag: string): boolean => own.some((one) => one.name === flag);
  const { standing } = resource;
  if (standing !== undefined && has(standing.name) && standing.words.some(({ word }) => word === name)) return `--${standing.name} ${name}`;
  const member = memberNamed(resource, name);
  if (!has('where') || id !== 'ID' || member === undefined || member.kind === 'group') return undefined;
  return `--where ${quotePosix(`${name}=${value ?? 'VALUE'}`)}`;
}

/** The command that is meant by a word which no command has, behind the words of a level (`leads`; none). `rest`: the words behind it. */
export function commandMeant(
  groups: readonly LoadedGroup[],
  level: readonly string[],
  typed: string,
  rest: readonly string[],
): string | undefined {
  const flagsAt = rest.findIndex((word) => word.startsWith('-'));
  const words = flagsAt < 0 ? rest : rest.slice(0, flagsAt);
  const isOf = (group: LoadedGroup, word: string | undefined): boolean => [group.name, ...group.aliases].some((one) => one === word);
  const named = groups.find((group) => isOf(group, level[0])) ?? groups.find((group) => words.some((word) => isOf(group, word)));
  const synonym = level.length > 1 ? undefined : ownEntry(verbs, typed);
  const family = (named === undefined ? groups : [named]).find((group) => synonym !== undefined && canRun(group, synonym));
  if (family !== undefined && synonym !== undefined) {
    const texts = words.filter((word) => level.length > 0 || !isOf(family, word));
    return `crm ${family.name} ${filled(synonym, texts)}`;
  }
  const gets = groups.some((group) => level.length === 1 && canRun(group, 'get'));
  if (gets && idsTyped.test(typed)) return `crm ${level[0]} get ${typed}`;
  const near = nearest(typed, namesBelow(groups, level));
  return near === undefined
    ? undefined
    : ['crm', ...(level.length === 0 && Object.hasOwn(topics, near) ? ['help'] : level), near].join(' ');
}

/** Whether a family has the verb of a synonym, with its flag. */
function canRun({ name, commands }: LoadedGroup, synonym: string): boolean {
  const [verb, ...words] = synonym.split(' ');
  const command = commands.find(({ path }) => path.length === 2 && path[0] === name && path[1] === verb);
  const known = [...(command?.flags ?? []), ...globalFlags].map((flag) => `--${flag.name}`);
  return command !== undefined && words.every((word) => !word.startsWith('--') || known.includes(word));
}

/** The words that may stand behind those of a level: commands and levels by all their names; behind `crm` topics, too. */
function namesBelow(groups: readonly LoadedGroup[], level: readonly string[]): Candidate[] {
  const commands = groups.flatMap((group) => group.commands);
  const below = commands.filter(({ path }) => path.length > level.length && level.every((word, at) => path[at] === word));
  const own = below.flatMap(({ path, aliases = [], levelAliases = [], does }) => {
    const isLast = path.length === level.length + 1;
    const isLevel = path.length === level.length + 2;
    const names = [path[level.length] ?? '', ...(isLast ? aliases : isLevel && level.length > 0 ? levelAliases : [])];
    return names.map((name) => ({ name, isCareful: isLast && does !== 'reads' }));
  });
  if (level.length > 0) return own;
  const aliases = groups.flatMap((group) => group.aliases.map((name) => ({ name, isCareful: false })));
  return [...own, ...aliases, ...Object.keys(topics).map((name) => ({ name, isCareful: false }))];
}

/** What is meant by words that a command doesn't take: ids between commas; behind a list records by id, a condition, or a text to look for. */
export function wordsMeant({ path, args, flags: own }: Command, words: readonly string[]): string | undefined {
  const [first = ''] = words;
  const areIds = words.every((word) => idsTyped.test(word));
  if (areIds && args.length === 1 && args[0]?.isListed) return words.join(',');
  if (path[1] !== 'list' || path.length > 2) return undefined;
  if (areIds) return `crm ${path[0]} get ${words.join(',')}`;
  if (/^[a-z][\w.-]*(!?=|~)./i.test(first)) return `--where ${quotePosix(first)}`;
  return own.some(({ name }) => name === 'search') ? filled('--search {TEXT}', words) : undefined;
}

/** `12`, `12,13` */
const idsTyped = /^\d+(,\d+)*$/;

/** The nearest name. One that writes or confirms is at most a letter away. */
function nearest(typed: string, candidates: readonly Candidate[]): string | undefined {
  const plain = typed.toLowerCase().replaceAll('_', '-');
  const harmless = candidates.filter(({ isCareful }) => !isCareful).map(({ name }) => name);
  const names = candidates.map(({ name }) => name);
  const slips = names.filter((name) => name[0] === plain[0] && name.length + 1 >= plain.length && stepsBetween(plain, name) <= 1);
  return nameNear(plain, [...slips, ...harmless]) ?? nameWithin(plain, harmless);
}

/** A template with what stands in braces replaced by what was typed, as a shell takes it; by the word in braces where nothing was. */
function filled(template: string, typed: string | readonly string[] | undefined): string {
  const text = typeof typed === 'string' ? typed : (typed ?? []).join(' ');
  return template.replace(/\{(\w+)\}/, (_, word: string) => (text === '' ? word : quotePosix(text)));
}

const ownEntry = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
