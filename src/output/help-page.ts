// A help page as data, and its text for a screen. The build stores every page (entry/prepared.ts), so help loads no command. Backticks mark
// typed words: the reference shows these words as code, a terminal drops the backticks.

import { styleText } from 'node:util';

export interface HelpPage {
  /** Absent for a page that isn't about a command. */
  readonly usage?: string;
  readonly description: string;
  readonly sections: readonly HelpSection[];
}

/** A heading with rows, terms, words, lines, or several of these. */
export interface HelpSection {
  readonly heading: string;
  /** Printed on the line of the heading. */
  readonly remark?: string;
  /** Terms and their meanings. The meanings of all sections begin at the same column. */
  readonly terms?: readonly (readonly [string, string])[];
  /** Cells in columns; the last cell of a row wraps. */
  readonly rows?: readonly (readonly string[])[];
  /** Words that flow over lines; no word is broken. */
  readonly words?: readonly string[];
  readonly lines?: readonly string[];
}

/** Where a page is shown. `width`: in columns. `isRead`: a person reads the page on a terminal, so long commands are broken. */
export interface Screen {
  readonly width: number;
  readonly color: boolean;
  readonly isRead?: boolean;
}

/** The screen of a stream: on a terminal at most 120 columns, elsewhere 80, because a pager may show the text. */
export function screenOf({ isTTY, columns, color }: { isTTY: boolean; columns: number; color: boolean }): Screen {
  return { width: isTTY ? Math.min(columns, 120) : 80, color, isRead: isTTY };
}

export const screenText = (page: HelpPage, stream: Parameters<typeof screenOf>[0]): string => helpText(page, screenOf(stream));

/** The part of the width that a term may take; a wider term gets a line of its own. */
const widestTerm = 0.45;
const indent = '  ';

/** The text of a page, ending with a newline. */
export function helpText({ usage, description, sections }: HelpPage, screen: Screen): string {
  const title = (text: string): string => (screen.color ? styleText('bold', text, { validateStream: false }) : text);
  const widths = sections.flatMap(({ terms = [] }) => terms.map(([term]) => term.length));
  const column = Math.max(0, ...widths.filter((one) => one <= screen.width * widestTerm)) + indent.length;
  const paragraphs = [
    ...(usage === undefined ? [] : [`${title('Usage:')} ${usage}`]),
    ...(description === '' ? [] : [wrap(description.split(' '), screen.width).join('\n')]),
    ...sections.map((section) => {
      const heading = `${title(`${section.heading.replaceAll('`', '')}:`)}${section.remark === undefined ? '' : ` ${section.remark.replaceAll('`', '')}`}`;
      const lines = (section.lines ?? []).flatMap((line) => (screen.isRead ? commandLines(line, screen.width - indent.length) : [line]));
      return [heading, ...sectionLines({ ...section, lines }, column, screen.width - indent.length).map((line) => indent + line)].join(
        '\n',
      );
    }),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

/** Meanings begin at `column`. */
function sectionLines({ terms = [], rows = [], words = [], lines = [] }: HelpSection, column: number, width: number): string[] {
  const cells = cellWidths(rows);
  return [
    ...rows.flatMap((row) => rowLines(row, cells, width)),
    ...terms.flatMap(([term, meaning]) => termLines(term, meaning, column, width)),
    ...(words.length === 0 ? [] : wrap(words, width)),
    ...lines,
  ];
}

/** The lines of a command, a long one continued with backslashes. Any other line stays whole. */
function commandLines(line: string, width: number): string[] {
  const words = line.startsWith('$ ') && line.length > width ? line.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) : null;
  if (words === null || words.join(' ') !== line) return [line];
  const below = indent.repeat(2);
  const lines = wrap(words, width - below.length - 2);
  return lines.map((one, index) => `${index === 0 ? '' : below}${one}${index < lines.length - 1 ? ' \\' : ''}`);
}

function termLines(term: string, meaning: string, column: number, width: number): string[] {
  const meanings = wrap(meaning.split(' '), width - column).map((line) => ' '.repeat(column) + line);
  if (term.length + indent.length > column) return [term, ...meanings];
  const [first = '', ...rest] = meanings;
  return [`${term.padEnd(column)}${first.slice(column)}`.trimEnd(), ...rest];
}

/** The last cell of a row wraps, and has no width. */
function cellWidths(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.slice(0, -1).entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return widths;
}

/** With fewer columns than this left, the last cell of a row stands below the others. */
const narrowest = 24;

function rowLines(row: readonly string[], cells: readonly number[], width: number): string[] {
  const head = row
    .slice(0, -1)
    .map((cell, at) => cell.padEnd(cells[at] ?? 0) + indent)
    .join('');
  const words = (row.at(-1) ?? '').split(' ');
  const left = width - head.length;
  if (left < Math.min(narrowest, words.join(' ').length)) {
    const below = indent.repeat(3);
    return [head.trimEnd(), ...wrap(words, width - below.length).map((line) => below + line)];
  }
  const [first = '', ...rest] = wrap(words, left);
  return [head + first, ...rest.map((line) => ' '.repeat(head.length) + line)].map((line) => line.trimEnd());
}

/** Fills words into lines of at most `width` characters, backticks removed. Longer words stay whole. */
function wrap(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const marked of words) {
    const word = marked.replaceAll('`', '');
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
