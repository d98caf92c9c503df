// Makes the prepared files at build time: help pages and completion scripts for prepared.ts, the command line for complete.ts. The same
// commands always give the same files.

import { isTopic, type LoadedGroup, loadGroups, topics } from '../cli/command.ts';
import { commandLine } from '../cli/completions/levels.ts';
import { preparedLineText } from '../cli/completions/prepared-line.ts';
import { scriptOf, shells } from '../cli/completions/scripts.ts';
import { helpPage } from '../cli/help.ts';
import { topicPage } from '../cli/topics.ts';
import { groups } from '../commands/index.ts';
import { referenceFamilies, resources } from '../model/resources/index.ts';
import type { PreparedPage, PreparedPages } from './prepared.ts';

/** The text of each prepared file, by name. */
export async function preparedFiles(): Promise<ReadonlyMap<string, string>> {
  const loaded = await loadGroups(groups);
  const files = new Map<string, string>();
  files.set('help.json', JSON.stringify({ '': { page: helpPage(loaded, ''), isLevel: true } } satisfies PreparedPages));
  for (const group of loaded) {
    files.set(`${group.name}.json`, JSON.stringify(pagesOfGroup(group)));
    for (const alias of group.aliases) files.set(`${alias}.json`, JSON.stringify(group.name));
  }
  for (const topic of Object.keys(topics).filter(isTopic)) {
    files.set(`${topic}.json`, JSON.stringify({ '': { page: topicPage(topic), isLevel: false } } satisfies PreparedPages));
  }
  for (const shell of shells) files.set(`completion-${shell}.txt`, scriptOf(shell));
  files.set('tab.txt', preparedLineText(commandLine(loaded, [...resources, ...referenceFamilies])));
  return files;
}

function pagesOfGroup(group: LoadedGroup): PreparedPages {
  const { name, commands } = group;
  const pages: Record<string, PreparedPage | string> = {};
  const addPage = (words: readonly string[], isLevel: boolean): void => {
    pages[words.join(' ')] ??= { page: helpPage([group], [name, ...words].join(' ')), isLevel };
  };
  // A group whose word alone runs a command (history) prints its page only for --help.
  if (commands.some(({ meantBy }) => meantBy === 'nothing')) addPage([], false);
  for (const { path, aliases = [], levelAliases = [] } of commands) {
    const words = path.slice(1);
    for (let depth = 0; depth < words.length; depth += 1) addPage(words.slice(0, depth), true);
    addPage(words, false);
    for (const alias of aliases) pages[[...words.slice(0, -1), alias].join(' ')] = words.join(' ');
    for (const level of levelAliases) {
      const above = [...words.slice(0, -2), level];
      pages[above.join(' ')] = words.slice(0, -1).join(' ');
      for (const name of [words.at(-1), ...aliases]) pages[[...above, name].join(' ')] = words.join(' ');
    }
  }
  return pages;
}
