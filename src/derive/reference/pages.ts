// The pages of the reference as data: the help page of every command, level and topic, with what a page that is read by itself
// has more: other names, what the command answers, what to read next.

import type { Command, LoadedGroup } from '../../command.ts';
import type { HelpPage } from '../../output/help-page.ts';
import type { Shape } from '../../output/result.ts';

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
  readonly answer?: AnswerFacts;
  /** Pages to read next, by their words. */
  readonly see: readonly (readonly string[])[];
}

export interface Below {
  readonly heading: string;
  readonly pages: readonly (readonly string[])[];
}

/** What a command answers: records of these members. */
export interface AnswerFacts {
  readonly shape: Shape;
  /** The level on whose page the members are listed; absent: they are few, or those of no family. */
  readonly listedAt?: readonly string[];
  readonly isWrite: boolean;
}

/** What the pages are made from. */
export interface Sources {
  readonly groups: readonly LoadedGroup[];
  readonly program: HelpPage;
  /** The help page of a command or level, by its words. */
  readonly pageFor: (words: readonly string[]) => HelpPage;
  /** The topics in order, each with its summary. */
  readonly topics: readonly { readonly name: string; readonly summary: string; readonly help: HelpPage }[];
}

/** Every page: `crm`, then each group's levels and commands, then the topics. */
export function referencePages({ groups, program, pageFor, topics }: Sources): ReferencePage[] {
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
  return [first, ...groups.flatMap((group) => groupPages(group, pageFor)), ...topicPages];
}

function byHeading(groups: readonly LoadedGroup[]): Below[] {
  return [...Map.groupBy(groups, ({ heading }) => heading)].map(([heading, those]) => ({
    heading,
    pages: those.map(({ name }) => [name]),
  }));
}

function groupPages(group: LoadedGroup, pageFor: Sources['pageFor']): ReferencePage[] {
  const { commands } = group;
  const levels = new Map(
    commands.flatMap(({ path }) => path.slice(1).map((_word, index) => [path.slice(0, index + 1).join(' '), index + 1])),
  );
  return [
    ...[...levels].map(([line, depth]) => levelPage(group, line.split(' '), depth, pageFor)),
    ...commands.map((command) => commandPage(group, command, pageFor)),
  ];
}

function levelPage(
  { name, aliases, summary, commands }: LoadedGroup,
  words: readonly string[],
  depth: number,
  pageFor: Sources['pageFor'],
) {
  const under = commands.filter(({ path }) => words.every((word, index) => path[index] === word));
  const next = new Map(under.map(({ path }) => [path[depth] ?? '', path.slice(0, depth + 1)]));
  const names = depth === 1 ? aliases : (under[0]?.levelAliases ?? []);
  const page: ReferencePage = {
    words,
    kind: 'level',
    summary: depth === 1 ? summary : pageFor(words).description.replace(/\.$/, ''),
    help: pageFor(words),
    below: [{ heading: 'Commands', pages: [...next.values()] }],
    alsoCalled: names.map((alias) => ['crm', ...words.slice(0, -1), alias].join(' ')),
    ...(depth === 1 ? listedAnswer(name, under) : {}),
    see: depth === 1 ? [[]] : [[name]],
  };
  return page;
}

/** The members of a family's records, which stand on the family's page. */
function listedAnswer(name: string, commands: readonly Command[]): { answer?: AnswerFacts } {
  const shape = shapeOf(name, commands);
  return shape === undefined ? {} : { answer: { shape, listedAt: [name], isWrite: false } };
}

const shapeOf = (name: string, commands: readonly Command[]): Shape | undefined =>
  commands.find(({ path }) => path.join(' ') === `${name} list`)?.shows;

function commandPage({ name, commands }: LoadedGroup, command: Command, pageFor: Sources['pageFor']): ReferencePage {
  const { path, aliases = [], summary, answers, shows, topics = [] } = command;
  const shape = answers ?? shows;
  const isOfFamily = shape !== undefined && shape === shapeOf(name, commands);
  const above = path.length > 1 ? [path.slice(0, -1)] : [[]];
  return {
    words: path,
    kind: 'command',
    summary,
    help: pageFor(path),
    below: [],
    alsoCalled: aliases.map((alias) => ['crm', ...path.slice(0, -1), alias].join(' ')),
    ...(shape === undefined ? {} : { answer: { shape, ...(isOfFamily ? { listedAt: [name] } : {}), isWrite: answers !== undefined } }),
    see: [...above, ...topics.map((topic) => [topic]), ['flags'], ['exit-statuses']],
  };
}
