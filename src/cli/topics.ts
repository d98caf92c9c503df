// Makes the pages of `crm help TOPIC` from the files in topics/. A blank line separates sections. A section begins with `# Heading
// (remark)`; flowing words, lines `  term  meaning`, lines `$ command` or the name of a table in braces follow.

import { errorCodes, exitStatuses } from '../base/errors.ts';
import { globalFlags, helpFlag, versionFlag } from '../base/global-flags.ts';
import { limitsInWords } from '../base/limits.ts';
import type { HelpPage, HelpSection } from '../output/help-page.ts';
import { type Topic, topics } from './command.ts';
import { flowing, helpOf, termOf } from './help.ts';
import { topicText } from './topics/texts.ts';

/** The page of a topic. */
export const topicPage = (topic: Topic): HelpPage => ({
  description: `${topics[topic]}.`,
  sections: withLimits(topicText(topic)).trimEnd().split('\n\n').map(helpSectionOf),
});

/** The text with limits in place of their names, such as `{jqMemory}`. */
const withLimits = (text: string): string => text.replace(/\{(\w+)\}/g, (name, limit) => limitsInWords[limit] ?? name);

type Term = readonly [string, string];

function helpSectionOf(text: string): HelpSection {
  const [first = '', ...lines] = text.split('\n');
  const [, heading = '', remark] = /^# (.*?)(?: \((.*)\))?$/.exec(first) ?? [];
  const terms = termsIn(lines);
  const commands = lines.filter((line) => line.startsWith('$ '));
  const words = lines.filter((line) => !/^(\$ | |\{\w+\}$)/.test(line));
  return {
    heading,
    ...(remark !== undefined && { remark }),
    ...(words.length > 0 && { words: flowing(words.join(' ')) }),
    ...(terms.length > 0 && { terms }),
    ...(commands.length > 0 && { lines: commands }),
  };
}

function termsIn(lines: readonly string[]): Term[] {
  const table = tables[/^\{(\w+)\}$/.exec(lines[0] ?? '')?.[1] ?? ''];
  if (table !== undefined) return table();
  const whole = lines
    .filter((line) => line.startsWith('  '))
    .join('\n')
    .replaceAll('\n    ', ' ');
  return [...whole.matchAll(/^ {2}(.*?) {2}(.*)$/gm)].map(([, term = '', meaning = '']) => [term, meaning]);
}

/** The tables of terms that the code declares. */
const tables: Readonly<Record<string, () => Term[]>> = {
  flags: () => [...globalFlags, helpFlag, versionFlag].map((flag) => [termOf(flag), helpOf(flag)]),
  statuses: () => Object.values(exitStatuses).map(({ status, meaning }) => [String(status), meaning]),
  codes: () =>
    Object.entries(errorCodes).map(([code, { status, retry, meaning }]) => [code, `${exitStatuses[status].status}, ${retry}: ${meaning}`]),
};
