// The prepared command line: what holds for all levels in the first line, then a line for each level, with its path, a tab and the level. A
// Tab parses only the levels on its way: to parse them all would take longer than everything else. Pure.

import type { CommandLine, Level } from './levels.ts';

/** The command line as a Tab reads it. */
export interface PreparedLine extends Omit<CommandLine, 'levels'> {
  readonly levelAt: (path: string) => Level | undefined;
}

/** The text of the prepared file. */
export function preparedLineText({ levels, ...everywhere }: CommandLine): string {
  const lines = Object.entries(levels).map(([path, level]) => `${path}\t${JSON.stringify(level)}`);
  return [JSON.stringify(everywhere), ...lines, ''].join('\n');
}

/** Reads the text of the prepared file. Throws SyntaxError for another text. */
export function preparedLine(text: string): PreparedLine {
  const levels = new Map<string, Level | undefined>();
  const read = (path: string): Level | undefined => {
    const at = text.indexOf(`\n${path}\t`);
    return at < 0 ? undefined : JSON.parse(text.slice(at + path.length + 2, text.indexOf('\n', at + 1)));
  };
  const levelAt = (path: string): Level | undefined => {
    if (!levels.has(path)) levels.set(path, read(path));
    return levels.get(path);
  };
  return { ...(JSON.parse(text.slice(0, text.indexOf('\n'))) as Omit<CommandLine, 'levels'>), levelAt };
}
