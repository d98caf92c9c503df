// Words and tables as shell text. Everything generated is quoted here, so that a help text can't become code.

import { isPlainWord } from '../values/shell-word.ts';
import type { FlagWord, Level } from './levels.ts';

/** A word for fish. */
export const quoteFish = (word: string): string => (isPlainWord(word) ? word : `'${word.replace(/[\\']/g, String.raw`\$&`)}'`);

/** A flag's spellings for the tables of bash and fish: a trailing `=` takes a value. */
export function tableWords({ spellings, value }: FlagWord): string[] {
  return spellings.map((spelling) => `${spelling}${value === undefined ? '' : '='}`);
}

/** Joins words by spaces into indented lines of at most 120 columns. */
export function wrap(words: readonly string[], indent: string): string {
  const lines = [''];
  for (const word of words) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (indent.length + line.length + word.length < 120) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => indent + line).join('\n');
}

/** Every step from a level to the one below: the words that make it, and where it leads. */
export function steps(levels: readonly Level[]): { readonly from: string; readonly words: readonly string[]; readonly to: string }[] {
  return levels.flatMap(({ path, commands }) => commands.map(({ name, aliases, to }) => ({ from: path, words: [name, ...aliases], to })));
}
