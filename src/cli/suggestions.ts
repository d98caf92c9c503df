// Suggests a flag or command for an unknown one: first a field of the family, then the synonyms of other tools, then similar names. Names
// that write or confirm are suggested only for a slip of one letter.

import { UsageError } from '../base/errors.ts';
import { globalFlags } from '../base/global-flags.ts';
import { quoteWord } from '../base/values/text/shell-word.ts';
import { fieldMeantBy, nameNear, nameWithin, stepsBetween } from '../base/values/text/suggest.ts';
import { asSentence } from '../base/values/text/wording.ts';
import type { Resource } from '../model/define.ts';
import { memberNamed } from '../model/members.ts';
import { allFamilies } from '../model/resources/index.ts';
import { type Command, isTopic, type LoadedGroup, topics } from './command.ts';
import { commandsBelow, idsTyped } from './walk.ts';

/** Verbs of other tools, with the command here. The words typed after the verb replace the braces. */
const verbs: Readonly<Record<string, string>> = {
  export: 'list --csv',
  count: 'list --count',
  find: 'list --search {TEXT}',
  search: 'list --search {TEXT}',
  show: 'get {ID}',
  close: 'status {ID} --to STATUS',
};

/** Command lines that people guess, with the line here. A number typed behind the words replaces {ID}. */
const lines: Readonly<Record<string, string>> = {
  'seed list': 'history',
  whoami: 'profile show',
  me: 'team get me',
  today: 'leads list --assigned me',
  'leads note': 'notes create --resource lead:{ID}',
  'tags rename': 'leads tags --where tags=OLD --add NEW --remove OLD',
  'report pipeline': 'report leads',
};

const sending = 'The service sends proposals in its web application alone. crm sets their status: crm proposals status {ID} STATUS';

/** Command lines that people guess, and why there is no such command. */
const absent: Readonly<Record<string, string>> = { 'proposals send': sending, 'proposals publish': sending };

/** Flags of other tools, with the flag here. The typed value replaces the braces. */
const flags: Readonly<Record<string, string>> = {
  n: '--limit {N}',
  format: '-o {FORMAT}',
  reverse: '--order desc',
  desc: '--order desc',
  asc: '--order asc',
  mine: '--assigned me',
  status: '--to {STATUS}',
};

/** Flags that agree to a write or to sending again. */
const agreeing = ['yes', 'confirm'];

/** A name to suggest. `isCareful`: the name writes or confirms. `isWritten`: the flag's value is written. */
interface Candidate {
  readonly name: string;
  readonly isCareful: boolean;
  readonly isWritten?: boolean;
}

/** The error for an unknown command, the word at an index of the command line. `path`: the level that has no such command. */
export function unknownCommand(
  groups: readonly LoadedGroup[],
  path: string,
  words: readonly string[],
  at: number,
  hint: string,
): UsageError {
  const [typed = '', ...rest] = words.slice(at);
  const code = 'unknown_command';
  const guessed = [...(path === '' ? [] : [path]), typed].join(' ');
  const isLine = ownEntry({ ...lines, ...absent }, guessed) === undefined && rest[0] !== undefined;
  const line = isLine ? `${guessed} ${rest[0]}` : guessed;
  const behind = line === guessed ? rest : rest.slice(1);
  const filled = (template: string): string => filledTemplate(template, idsTyped.test(behind[0] ?? '') ? behind[0] : undefined);
  const [known, reason] = [ownEntry(lines, line), ownEntry(absent, guessed)];
  if (reason !== undefined) return new UsageError(`Unknown command '${typed}'. ${filled(reason)}`, { code, hint });
  if (known !== undefined)
    return new UsageError(asking(`Unknown command '${line.slice(path === '' ? 0 : path.length + 1)}'.`, `crm ${filled(known)}`), {
      code,
      hint,
    });
  const turned = typedBehind(groups, path, typed);
  if (turned !== undefined) return new UsageError(asking(`Unknown command '${typed}'.`, turned), { code, hint });
  const called = path === '' && !Object.hasOwn(verbs, typed) ? verbsCalled(groups, typed, words) : [];
  if (called.length > 0) {
    const some = called.slice(0, mostVerbs).map((verb) => `crm ${verb}`);
    const more = called.length > mostVerbs ? ` and ${called.length - mostVerbs} more` : '';
    const page = isTopic(typed) ? typed : called[0];
    return new UsageError(`'${typed}' needs a family in front: ${some.join(', ')}${more}.`, { code, hint: `See: crm help ${page}` });
  }
  const meant = commandMeant(groups, path === '' ? [] : path.split(' '), typed, rest);
  return new UsageError(asking(`Unknown command '${typed}'.`, meant), { code, hint });
}

/** The command whose words were typed the other way round: `crm report leads` for `leads report`. Only commands that read. */
function typedBehind(groups: readonly LoadedGroup[], path: string, typed: string): string | undefined {
  const group = groups.find(({ name, aliases }) => [name, ...aliases].includes(typed));
  const command = group?.commands.find((one) => one.path.length === 2 && one.path[1] === path && one.does === 'reads');
  return command && `crm ${command.path.join(' ')}`;
}

/** An error names at most this many commands. */
const mostVerbs = 3;

/** The commands whose last word is `word`, such as `leads convert`. Prefers groups that `words` name. */
function verbsCalled(groups: readonly LoadedGroup[], word: string, words: readonly string[]): string[] {
  const called = (some: readonly LoadedGroup[]): string[] =>
    some.flatMap(({ commands }) =>
      commands
        .filter(({ path, aliases = [] }) => path.length > 1 && [path.at(-1), ...aliases].includes(word))
        .map(({ path }) => path.join(' ')),
    );
  const ofNamed = called(groups.filter(({ name, aliases }) => [name, ...aliases].some((one) => words.includes(one))));
  return ofNamed.length > 0 ? ofNamed : called(groups);
}

const asking = (said: string, meant: string | undefined): string => (meant === undefined ? said : `${said} Did you mean ${meant}?`);

/** The error for an unknown flag. `command`: undefined for a level above commands. `words`: the whole command line. */
export function unknownFlag(command: Command | undefined, words: readonly string[], typed: string, hint: string): UsageError {
  const name = typed.slice(2).split('=', 1)[0] ?? '';
  const refusal = typed.startsWith('--') ? command?.refusals?.[name] : undefined;
  const said = refusal === undefined ? `Unknown option '${typed}'.` : asSentence(`--${name}: ${refusal}`);
  return new UsageError(asking(said, command && flagMeant(command, words, typed)), { code: 'unknown_flag', hint });
}

/** The suggestion for an unknown flag of `command`: a flag or a command. `words`: the whole command line. */
function flagMeant(command: Command, words: readonly string[], typed: string): string | undefined {
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
    return filledTemplate(synonym, value === undefined ? [] : [value]);
  const candidates = all.map((one) => ({
    name: one.name,
    isCareful: agreeing.includes(one.name) || (does !== 'reads' && one.value === undefined && own.includes(one)),
    isWritten: does !== 'reads' && own.includes(one),
  }));
  const near = nearest(name, candidates);
  return near === undefined ? undefined : `--${near}`;
}

/** The suggestion for a flag that names a field: the command of a set or an action, else a --where condition. */
function fieldMeant(
  resource: Resource,
  { path, flags: own }: Command,
  words: readonly string[],
  { name, value }: { readonly name: string; readonly value: string | undefined },
): string | undefined {
  const [family, verb = ''] = path;
  // A field of the family that has the name wins.
  const member = memberNamed(resource, name) ?? memberNamed(resource, fieldMeantBy(name));
  const meant = member === undefined || memberNamed(resource, name) !== undefined ? name : fieldMeantBy(name);
  const id = words.find((word, at) => (word === '-' || idsTyped.test(word)) && !words[at - 1]?.startsWith('-')) ?? 'ID';
  if (verb === 'update') {
    const set = resource.sets?.find((one) => [one.verb, one.read, ...(one.aliases ?? [])].includes(meant));
    if (set !== undefined) return filledTemplate(`crm ${family} ${set.verb} ${id} --add {${set.value.name.toUpperCase()}}`, value);
    const action = [...(resource.actions ?? []), ...(resource.guarded ?? [])].find((one) => one.value !== undefined && one.verb === name);
    if (action !== undefined) return filledTemplate(`crm ${family} ${action.verb} ${id} {${name.toUpperCase()}}`, value);
  }
  const has = (flag: string): boolean => own.some((one) => one.name === flag);
  const { standing } = resource;
  if (standing !== undefined && has(standing.name) && standing.words.some(({ word }) => word === name)) return `--${standing.name} ${name}`;
  if (!has('where') || id !== 'ID' || member === undefined || (member.kind === 'group' && !member.isJoined)) return undefined;
  return `--where ${quoteWord(`${meant}${member.kind === 'group' ? '~' : '='}${value ?? 'VALUE'}`)}`;
}

/** The suggestion for an unknown word. `level`: the words before the unknown word. `rest`: the words after it. */
function commandMeant(
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
  if (named === undefined && synonym?.startsWith('list --search')) return `crm ${filledTemplate('search {TEXT}', words)}`;
  if (family !== undefined && synonym !== undefined) {
    const texts = words.filter((word) => level.length > 0 || !isOf(family, word));
    return `crm ${family.name} ${filledTemplate(synonym, texts)}`;
  }
  const gets = groups.some((group) => level.length === 1 && canRun(group, 'get'));
  if (gets && idsTyped.test(typed)) return `crm ${level[0]} get ${typed}`;
  const near = nearest(typed, namesBelow(groups, level));
  return near === undefined
    ? undefined
    : ['crm', ...(level.length === 0 && Object.hasOwn(topics, near) ? ['help'] : level), near].join(' ');
}

/** True if a family has the verb and flags of a synonym. */
function canRun({ name, commands }: LoadedGroup, synonym: string): boolean {
  const [verb, ...words] = synonym.split(' ');
  const command = commands.find(({ path }) => path.length === 2 && path[0] === name && path[1] === verb);
  const known = [...(command?.flags ?? []), ...globalFlags].map((flag) => `--${flag.name}`);
  return command !== undefined && words.every((word) => !word.startsWith('--') || known.includes(word));
}

/** The words that may follow a level: commands and levels with their aliases; after `crm` also topics. */
function namesBelow(groups: readonly LoadedGroup[], level: readonly string[]): Candidate[] {
  const commands = groups.flatMap((group) => group.commands);
  const own = commandsBelow(commands, level).flatMap(({ path, aliases = [], levelAliases = [], does }) => {
    const isLast = path.length === level.length + 1;
    const isLevel = path.length === level.length + 2;
    const names = [path[level.length] ?? '', ...(isLast ? aliases : isLevel && level.length > 0 ? levelAliases : [])];
    return names.map((name) => ({ name, isCareful: isLast && does !== 'reads' }));
  });
  if (level.length > 0) return own;
  const aliases = groups.flatMap((group) => group.aliases.map((name) => ({ name, isCareful: false })));
  return [...own, ...aliases, ...Object.keys(topics).map((name) => ({ name, isCareful: false }))];
}

/** The error for more words than a command takes. */
export function tooManyWords(command: Command, words: readonly string[], hint: string): UsageError {
  const said = `Too many words after '${command.path.at(-1)}': ${words.slice(command.args.length).join(' ')}.`;
  return new UsageError(asking(said, wordsMeant(command, words)), { hint });
}

/** The suggestion for excess words: ids joined by commas; for a list, get by id, a --where condition, or --search. */
function wordsMeant({ path, args, flags: own }: Command, words: readonly string[]): string | undefined {
  const [first = ''] = words;
  const areIds = words.every((word) => idsTyped.test(word));
  const ids = words.slice(0, -1);
  const value = own.find(({ name }) => name === 'to' || name === 'text');
  if (!areIds && value !== undefined && args[0]?.isListed && ids.every((word) => idsTyped.test(word)))
    return `crm ${path.join(' ')} ${ids.join(',')} --${value.name} ${quoteWord(words.at(-1) ?? '')}`;
  if (areIds && args.length === 1 && args[0]?.isListed) return words.join(',');
  if (path[1] !== 'list' || path.length > 2) return undefined;
  if (areIds) return `crm ${path[0]} get ${words.join(',')}`;
  if (/^[a-z][\w.-]*(!?=|~)./i.test(first)) return `--where ${quoteWord(first)}`;
  return own.some(({ name }) => name === 'search') ? filledTemplate('--search {TEXT}', words) : undefined;
}

/** The nearest name. A careful name must be at most one letter away; a written name may also contain the typed name. */
function nearest(typed: string, candidates: readonly Candidate[]): string | undefined {
  const plain = typed.toLowerCase().replaceAll('_', '-');
  const harmless = candidates.filter(({ isCareful }) => !isCareful).map(({ name }) => name);
  const names = candidates.map(({ name }) => name);
  const slips = names.filter((name) => name[0] === plain[0] && name.length + 1 >= plain.length && stepsBetween(plain, name) <= 1);
  const unwritten = candidates.filter(({ isCareful, isWritten = false }) => !isCareful && !isWritten).map(({ name }) => name);
  return nameNear(plain, [...slips, ...unwritten]) ?? nameWithin(plain, harmless);
}

/** The template with its braces replaced by the typed text, quoted for a shell, or by the word in braces. */
function filledTemplate(template: string, typed: string | readonly string[] | undefined): string {
  const text = typeof typed === 'string' ? typed : (typed ?? []).join(' ');
  return template.replace(/\{(\w+)\}/, (_, word: string) => (text === '' ? word : quoteWord(text)));
}

const ownEntry = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
