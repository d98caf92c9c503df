// Makes the help page of a command, of a level above commands, and of crm from their declarations.

import type { Flag } from '../base/flag.ts';
import type { HelpPage, HelpSection } from '../output/help-page.ts';
import { type Command, type LoadedGroup, topics } from './command.ts';
import { type CommandWord, commandAt, commandsBelow, wordsBelow } from './walk.ts';

/** The page of a path: of a command or of a level above commands. */
export function helpPage(groups: readonly LoadedGroup[], path: string): HelpPage {
  if (path === '') return rootPage(groups);
  const words = path.split(' ');
  const group = groups.find(({ name }) => name === words[0]);
  if (group === undefined) throw new Error(`no page for ${path}`);
  const command = commandAt(group.commands, path);
  if (command !== undefined) return commandPage(command);
  const examples = commandsBelow(group.commands, words).flatMap((one) => one.examples.slice(0, 1));
  return {
    usage: `crm ${path} <command> [flags]`,
    description: words.length > 1 ? `The ${words.at(-1)} of ${words.at(-2)}.` : described(group),
    sections: [
      { heading: 'Commands', terms: wordsBelow(group.commands, words).map(commandTerm) },
      globalSummary,
      ...exampleSection(examples.slice(0, 2)),
    ],
  };
}

const rootPage = (groups: readonly LoadedGroup[]): HelpPage => ({
  usage: 'crm <command> [flags]',
  description: 'Administer a CRM: contacts, proposals, leads, catalog items and notes.',
  sections: [
    ...[...Map.groupBy(groups, ({ heading }) => heading)].map(([heading, some]) => ({ heading, terms: some.map(commandTerm) })),
    { heading: 'Help', terms: [['crm help WORDS', `A command, or a topic: ${Object.keys(topics).join(', ')}`]] },
    ...exampleSection(['crm sandbox init && crm leads list --status Negotiation --sort value']),
  ],
});

function commandPage(command: Command): HelpPage {
  const own = Map.groupBy(command.flags, ({ group = 'Flags' }) => group);
  return {
    usage: `crm ${usageOf(command)}`,
    description: described(command),
    sections: [
      ...(command.args.length === 0 ? [] : [{ heading: 'Arguments', terms: command.args.map(argumentTerm) }]),
      ...[...own].map(([heading, flags]) => ({ heading, terms: flags.map((flag) => [termOf(flag), helpOf(flag)] as const) })),
      globalSummary,
      ...exampleSection(command.examples),
      ...(command.topics === undefined ? [] : [{ heading: 'See also', lines: command.topics.map((topic) => `crm help ${topic}`) }]),
    ],
  };
}

const described = ({ summary, description }: Pick<Command, 'summary' | 'description'>): string =>
  [`${summary}.`, description].filter(Boolean).join(' ');

/** `leads convert <id> [flags]`, `sandbox exec [flags] -- <command...>`. */
function usageOf({ path, args }: Command): string {
  const terms = args.map(({ name, optional, many }) => {
    const term = `${name}${many ? '...' : ''}`;
    return optional ? `[${term}]` : `<${term}>`;
  });
  return [...path, ...(args.at(-1)?.isBehindDashes ? ['[flags]', '--', ...terms] : [...terms, '[flags]'])].join(' ');
}

const argumentTerm = ({ name, help, choices }: Command['args'][number]) =>
  [name, choices === undefined ? help : `${help}: ${choices.join(', ')}`] as const;

const commandTerm = ({ name, aliases, summary }: Pick<CommandWord, 'name' | 'aliases' | 'summary'>) =>
  [[name, ...aliases].join(', '), summary] as const;

const exampleSection = (lines: readonly string[]): HelpSection[] =>
  lines.length === 0 ? [] : [{ heading: 'Examples', lines: lines.map((line) => `$ ${line}`) }];

export const flowing = (text: string): readonly string[] => text.split(' ');

/** The most used global flags, and where the others are listed. */
const globalSummary: HelpSection = {
  heading: 'Global flags',
  words: flowing('--json, --fields, --dry-run, --yes and more: crm help flags'),
};

/** The term of a flag, with a placeholder for its value: `-o, --output <format>`. Commander parses the same text. */
export function termOf({ name, short, value }: Flag): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`;
}

/** The help of a flag, with its choices unless the placeholder lists them. */
export function helpOf({ help, choices, value }: Flag): string {
  return choices === undefined || value?.includes('|') ? help : `${help}: ${choices.join(', ')}`;
}
