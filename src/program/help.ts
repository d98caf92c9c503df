// The help page of a command, made from commander's tree.

import type { Command as CommanderCommand, Help } from 'commander';
import { exitStatuses } from '../errors.ts';
import { globalFlags } from '../global-flags.ts';
import type { HelpPage, HelpSection } from '../output/help-page.ts';

/** The heading that marks the flags of all commands. */
export const globalHeading = 'Global flags';

/** The page of a command or of a level above commands. */
export function helpPage(command: CommanderCommand, helper: Help, examples: readonly string[]): HelpPage {
  const isRoot = command.parent === null;
  return {
    usage: helper.commandUsage(command),
    description: helper.commandDescription(command),
    sections: [
      ...argumentSection(command, helper),
      ...commandSections(command, helper),
      ...optionSections(command, helper, isRoot),
      ...(isRoot ? [] : [globalSummary]),
      ...(examples.length === 0 ? [] : [{ heading: 'Examples', lines: examples.map((line) => `$ ${line}`) }]),
      ...(isRoot ? [statuses] : []),
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
  const visible = helper.visibleCommands(command);
  const groups = helper.groupItems(visible, visible, (one) => one.helpGroup() || 'Commands');
  return [...groups].map(([heading, commands]) => ({
    heading,
    terms: commands.map((one) => [helper.subcommandTerm(one), helper.subcommandDescription(one)] as const),
  }));
}

function optionSections(command: CommanderCommand, helper: Help, isRoot: boolean): HelpSection[] {
  const visible = helper.visibleOptions(command).filter(({ helpGroupHeading }) => isRoot || helpGroupHeading !== globalHeading);
  const groups = helper.groupItems(visible, visible, (option) => option.helpGroupHeading ?? 'Flags');
  return [...groups].map(([heading, options]) => ({
    heading,
    terms: options.map((option) => [helper.optionTerm(option), helper.optionDescription(option)] as const),
  }));
}

/** The flags of all commands by name only. */
const globalSummary: HelpSection = {
  heading: globalHeading,
  remark: '(crm --help explains them)',
  words: [...globalFlags.map(({ name, short, value }) => `${spelled(short, name, value)} ·`), spelled('h', 'help')],
};

function spelled(short: string | undefined, name: string, value?: string): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`;
}

const statuses: HelpSection = {
  heading: 'Exit statuses',
  lines: Object.values(exitStatuses).map(({ status, meaning }) => `${String(status).padEnd(4)} ${meaning}`),
};
