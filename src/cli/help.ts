// Makes the help page of a command from commander's tree.

import type { Command as CommanderCommand, Help } from 'commander';
import type { Flag } from '../base/flag.ts';
import type { HelpPage, HelpSection } from '../output/help-page.ts';
import { type Command, topics } from './command.ts';

/** The group of the flags that every command has. */
export const globalHeading = 'Global flags';

/** The page of a command or of a level above commands. */
export function helpPage(command: CommanderCommand, helper: Help, more: Pick<Command, 'examples' | 'topics'>): HelpPage {
  const isRoot = command.parent === null;
  return {
    usage: helper.commandUsage(command),
    description: helper.commandDescription(command),
    sections: [
      ...argumentSection(command, helper),
      ...commandSections(command, helper),
      ...optionSections(command, helper),
      isRoot ? moreHelp : globalSummary,
      ...(more.examples.length === 0 ? [] : [{ heading: 'Examples', lines: more.examples.map((line) => `$ ${line}`) }]),
      ...(more.topics === undefined ? [] : [{ heading: 'See also', lines: more.topics.map((topic) => `crm help ${topic}`) }]),
    ],
  };
}

function argumentSection(command: CommanderCommand, helper: Help): HelpSection[] {
  const terms = helper
    .visibleArguments(command)
    .map((argument) => [helper.argumentTerm(argument), helper.argumentDescription(argument)] as const);
  return terms.length === 0 ? [] : [{ heading: 'Arguments', terms }];
}

function commandSections(command: CommanderCommand, helper: Help): HelpSection[] {
  // `crm help` has a section of its own.
  const visible = helper.visibleCommands(command).filter((one) => one.name() !== 'help');
  const groups = helper.groupItems(visible, visible, (one) => one.helpGroup() || 'Commands');
  return [...groups].map(([heading, commands]) => ({
    heading,
    terms: commands.map((one) => [helper.subcommandTerm(one), helper.subcommandDescription(one)] as const),
  }));
}

function optionSections(command: CommanderCommand, helper: Help): HelpSection[] {
  const visible = helper.visibleOptions(command).filter(({ helpGroupHeading }) => helpGroupHeading !== globalHeading);
  const groups = helper.groupItems(visible, visible, (option) => option.helpGroupHeading ?? 'Flags');
  return [...groups].map(([heading, options]) => ({
    heading,
    terms: options.map((option) => [helper.optionTerm(option), helper.optionDescription(option)] as const),
  }));
}

export const flowing = (text: string): readonly string[] => text.split(' ');

/** The most used global flags, and where the others are listed. */
const globalSummary: HelpSection = {
  heading: globalHeading,
  words: flowing('--json, --fields, --dry-run, --yes and more: crm help flags'),
};

const moreHelp: HelpSection = {
  heading: 'Help',
  terms: [['crm help WORDS', `A command, or a topic: ${Object.keys(topics).join(', ')}`]],
};

/** The term of a flag, with a placeholder for its value: `-o, --output <format>`. Commander parses the same text. */
export function termOf({ name, short, value }: Flag): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`;
}

/** The help of a flag, with its choices unless the placeholder lists them. */
export function helpOf({ help, choices, value }: Flag): string {
  return choices === undefined || value?.includes('|') ? help : `${help}: ${choices.join(', ')}`;
}
