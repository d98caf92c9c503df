// What help pages look like: the summary and usage first, then what is the command's own, the flags of all commands last.

import type { Command as CommanderCommand, Help } from 'commander';
import { globalFlags } from './global-flags.ts';

/** The heading that marks the flags of all commands. */
export const globalHeading = 'Global flags:';

/** Formats a help page; for commander's configureHelp. */
export function formatHelp(command: CommanderCommand, helper: Help): string {
  const width = helper.helpWidth ?? 80;
  const padWidth = helper.padWidth(command, helper);
  const item: Item = (term, text) => helper.formatItem(term, padWidth, text, helper);
  const isRoot = command.parent === null;
  const sections = [
    [`${helper.styleTitle('Usage:')} ${helper.commandUsage(command)}`],
    [helper.boxWrap(helper.commandDescription(command), width)],
    argumentLines(command, helper, item),
    ...commandSections(command, helper, item),
    ...optionSections(command, helper, item, isRoot),
    ...(isRoot ? [] : [globalSummary(helper, width)]),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

type Lines = readonly string[];

/** Formats one line of a list: a term and what it means. */
type Item = (term: string, text: string) => string;

function argumentLines(command: CommanderCommand, helper: Help, item: Item): Lines {
  const lines = helper
    .visibleArguments(command)
    .map((argument) => item(helper.argumentTerm(argument), helper.argumentDescription(argument)));
  return lines.length === 0 ? [] : [helper.styleTitle('Arguments:'), ...lines];
}

function commandSections(command: CommanderCommand, helper: Help, item: Item): Lines[] {
  const visible = helper.visibleCommands(command);
  const groups = helper.groupItems(visible, visible, (one) => one.helpGroup() || 'Commands:');
  return [...groups].map(([heading, commands]) => [
    helper.styleTitle(heading),
    ...commands.map((one) => item(helper.subcommandTerm(one), helper.subcommandDescription(one))),
  ]);
}

function optionSections(command: CommanderCommand, helper: Help, item: Item, isRoot: boolean): Lines[] {
  const visible = helper.visibleOptions(command).filter(({ helpGroupHeading }) => isRoot || helpGroupHeading !== globalHeading);
  const groups = helper.groupItems(visible, visible, (option) => option.helpGroupHeading ?? 'Flags:');
  return [...groups].map(([heading, options]) => [
    helper.styleTitle(heading),
    ...options.map((option) => item(helper.optionTerm(option), helper.optionDescription(option))),
  ]);
}

/** The flags of all commands by name only: `crm --help` explains them. */
function globalSummary(helper: Help, width: number): Lines {
  const names = globalFlags.map(
    ({ name, short, value }) => `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`,
  );
  const text = helper.boxWrap(`${names.join(' · ')} · -h, --help`, width - 2);
  return [`${helper.styleTitle(globalHeading)} (crm --help explains them)`, ...text.split('\n').map((line) => `  ${line}`)];
}
