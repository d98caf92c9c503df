// The pages of the reference as data: the help page of every command, level and topic, with what a page that is read by itself
// has more: other names, what the command answers, what to read next.

import type { Command, LoadedGroup } from '../../command.ts';
import type { HelpPage, HelpSection } from '../../output/help-page.ts';
import type { Resource } from '../../resources/define.ts';
import { type ExplainedCommand, type ExplainedGroup, type ExplainedMember, explainGroups } from '../explain.ts';
import { choicesText, memberType, typeText } from '../explain-page.ts';
import type { Span } from './spans.ts';

export interface ReferencePage {
  /** What `crm help` shows it for: `['leads', 'create']`, `['output']`; empty: all of `crm`. */
  readonly words: readonly string[];
  readonly kind: 'program' | 'level' | 'command' | 'topic';
  /** In half a line. */
  readonly summary: string;
  readonly help: HelpPage;
  /** Of `crm`: the first words by heading. Of a level: its commands. */
  readonly below: readonly Below[];
  /** Command lines that mean the same. */
  readonly alsoCalled: readonly string[];
  /** Of a command: what it sends, prints and ends with. */
  readonly facts?: ExplainedCommand;
  /** Of a family: what its records hold. */
  readonly members?: readonly ExplainedMember[];
  /** Of a command that prints records of a family, whole: the family's page, where their members are. */
  readonly membersAt?: readonly string[];
  /** The same of one that prints them whole with a flag only. */
  readonly wholeAt?: readonly string[];
  /** Of a family: which command leads to which value. */
  readonly states?: ExplainedGroup['states'];
  /** Pages to read next, by their words. */
  readonly see: readonly (readonly string[])[];
}

export interface Below {
  readonly heading: string;
  readonly pages: readonly (readonly string[])[];
}

/** How pages are written: which page stands for which words, and how texts fall into spans. */
export interface Writing {
  readonly pageOf: (words: readonly string[]) => ReferencePage;
  readonly spans: (text: string) => readonly Span[];
}

/** The sections of the help page but for those that the reference writes itself. */
export function ownSections({ help, below }: ReferencePage): HelpSection[] {
  return help.sections.filter(({ heading }) => heading !== 'See also' && !below.some((one) => one.heading === heading));
}

/** Whether a command changes anything, as a sentence. */
export function deedSentence({ does, destroys_when: when, requests }: ExplainedCommand): string {
  const isHere = requests.length === 0;
  if (does === 'reads') return isHere ? 'Nothing is sent.' : 'It only reads.';
  if (does === 'destroys') return `It can't be undone, and asks first.${isHere ? ' Nothing is sent.' : ''}`;
  const writes = isHere ? 'Nothing is sent; it changes what this machine keeps' : 'It writes';
  return when === null ? `${writes}.` : `${writes}; ${when} that can't be undone, and asks first.`;
}

/** What a member holds. */
export function memberText(member: ExplainedMember): string {
  const type = [typeText(member), choicesText(member)].filter((text) => text !== '').join(': ');
  return memberType(member, type);
}

/** What is said of the JSON document that a command prints, by its form. */
export const printedAs: Readonly<Record<string, string>> = {
  object: 'An object.',
  array: 'An array of objects.',
  'object or array': 'An object for a single id, else an array of objects.',
  text: 'None: it prints text.',
  anything: 'A document of any form.',
};

/** What the pages are made from. */
export interface Sources {
  readonly groups: readonly LoadedGroup[];
  readonly families: readonly Resource[];
  readonly program: HelpPage;
  /** The help page of a command or level, by its words. */
  readonly pageFor: (words: readonly string[]) => HelpPage;
  /** The topics in order, each with its summary. */
  readonly topics: readonly { readonly name: string; readonly summary: string; readonly help: HelpPage }[];
}

/** Every page: `crm`, then each group's levels and commands, then the topics. */
export function referencePages({ groups, families, program, pageFor, topics }: Sources): ReferencePage[] {
  const first: ReferencePage = {
    words: [],
    kind: 'program',
    summary: 'administer a CRM from the command line',
    help: program,
    below: byHeading(groups),
    alsoCalled: [],
    see: topics.map(({ name }) => [name]),
  };
  const topicPages = topics.map(
    ({ name, summary, help }): ReferencePage => ({ words: [name], kind: 'topic', summary, help, below: [], alsoCalled: [], see: [[]] }),
  );
  return [first, ...groups.flatMap((group) => groupPages(group, families, pageFor)), ...topicPages];
}

function byHeading(groups: readonly LoadedGroup[]): Below[] {
  return [...Map.groupBy(groups, ({ heading }) => heading)].map(([heading, those]) => ({
    heading,
    pages: those.map(({ name }) => [name]),
  }));
}

/** What is told of a group on more than one page. */
interface Facts {
  readonly commands: readonly ExplainedCommand[];
  /** Of a family, the members of its records. */
  readonly members?: readonly ExplainedMember[];
  readonly states: ExplainedGroup['states'];
}

function groupPages(group: LoadedGroup, families: readonly Resource[], pageFor: Sources['pageFor']): ReferencePage[] {
  const [{ commands, states } = { commands: [], states: [] }] = explainGroups([group], families);
  const list = families.some(({ name }) => name === group.name) ? commands.find(({ name }) => name === `${group.name}.list`) : undefined;
  const facts: Facts = { commands, states, ...(list === undefined ? {} : { members: list.prints.members }) };
  const depths = group.commands.flatMap(({ path }) => path.slice(1).map((_word, index) => path.slice(0, index + 1)));
  const levels = [...new Map(depths.map((words) => [words.join(' '), words])).values()];
  return [
    ...levels.map((words) => levelPage(group, words, facts, pageFor(words))),
    ...group.commands.map((command) => commandPage(command, facts, pageFor(command.path))),
  ];
}

function levelPage(group: LoadedGroup, words: readonly string[], facts: Facts, help: HelpPage): ReferencePage {
  const { length } = words;
  const under = group.commands.filter(({ path }) => words.every((word, index) => path[index] === word));
  const next = new Map(under.map(({ path }) => [path[length] ?? '', path.slice(0, length + 1)]));
  const aliases = length === 1 ? group.aliases : (under[0]?.levelAliases ?? []);
  return {
    words,
    kind: 'level',
    summary: length === 1 ? group.summary : help.description.replace(/\.$/, ''),
    help,
    below: [{ heading: 'Commands', pages: [...next.values()] }],
    alsoCalled: aliases.map((alias) => ['crm', ...words.slice(0, -1), alias].join(' ')),
    ...(length > 1 || facts.members === undefined ? {} : { members: facts.members, states: facts.states }),
    see: [words.slice(0, -1)],
  };
}

function commandPage({ path, aliases = [], summary, topics = [] }: Command, { commands, members }: Facts, help: HelpPage): ReferencePage {
  const facts = commands.find(({ command }) => command === path.join(' '));
  const isOf = (some: ExplainedCommand['prints']['members'] | undefined): boolean =>
    members !== undefined && JSON.stringify(some) === JSON.stringify(members);
  return {
    words: path,
    kind: 'command',
    summary,
    help,
    below: [],
    alsoCalled: aliases.map((alias) => ['crm', ...path.slice(0, -1), alias].join(' ')),
    ...(facts === undefined ? {} : { facts }),
    ...(isOf(facts?.prints.members) ? { membersAt: path.slice(0, 1) } : {}),
    ...(isOf(facts?.prints.whole?.members) ? { wholeAt: path.slice(0, 1) } : {}),
    see: [path.slice(0, -1), ...[...new Set([...topics, 'flags', 'exit-statuses'])].map((topic) => [topic])],
  };
}
