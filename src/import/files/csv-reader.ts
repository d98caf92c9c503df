// CSV: the header once, then a row at a time. Commas, semicolons and tabs; quoted line breaks; any line ending. What can
// be read past (a row with too many cells) is told row by row; a bad quote ends the reading, for it swallows what follows.

import { UnreadableError } from '../../files/problems.ts';
import { unguard } from '../../output/formats/formula-guard.ts';
import { inMebibytes } from '../../values/limits.ts';
import { howMany } from '../../values/text/wording.ts';
import type { BadRow, Header, RawRow } from './raw-row.ts';
import { checkHeader, longestRow } from './raw-row.ts';

const separators = [',', ';', '\t'];

/** The header and the rows under it, some at a time. Throws UsageError naming the line for a bad quote or header. */
export async function* csvRows(texts: AsyncGenerator<string>, csvRaw: boolean): AsyncGenerator<(Header | RawRow | BadRow)[]> {
  let header: readonly string[] | undefined;
  for await (const records of csvRecords(texts)) {
    const rows: (Header | RawRow | BadRow)[] = [];
    for (const { line, cells } of records) {
      if (header === undefined) {
        const asWritten = csvRaw ? cells : cells.map(unguard);
        header = asWritten.map((name) => name.trim());
        checkHeader(header, line);
        rows.push({ line, header, asWritten });
      } else if (cells.length === header.length) rows.push({ line, names: header, values: cells });
      else if (!isBlankLine(cells))
        rows.push({ line, problem: `it has ${howMany(cells.length, 'cell')}, and the header has ${header.length}.`, cells });
    }
    yield rows;
  }
}

const isBlankLine = (cells: readonly string[]): boolean => cells.length === 1 && cells[0]?.trim() === '';

interface CsvRecord {
  /** The line on which it begins. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The records of each text. */
async function* csvRecords(texts: AsyncGenerator<string>): AsyncGenerator<CsvRecord[]> {
  const { parse } = await import('csv-parse');
  const { delimiter, isNamed, all } = await sniff(texts);
  let records: CsvRecord[] = [];
  // The parser counts a quoted CRLF as two lines.
  let excess = 0;
  // Where the last record ended, and how many empty lines there were by then.
  let last = { lines: 0, empty: 0 };
  let isName = isNamed;
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    // A longer one is an open quote that took the rest of the file with it.
    max_record_size: longestRow,
    // Taken here instead of out of the stream, which takes as long for each as the parsing itself.
    on_record: (cells: string[], { lines, empty_lines }) => {
      const breaks = lineBreaks(cells);
      excess += breaks.double;
      last = { lines: lines - excess, empty: empty_lines };
      if (!isName) records.push({ line: lines - excess - breaks.all, cells });
      isName = false;
      return null;
    },
  });
  parser.on('error', () => {}).resume();
  const fed = (feed: (done: (error?: Error | null) => void) => void) => new Promise<Error | null | undefined>(feed);
  for await (const text of all) {
    const failure = await fed((done) => parser.write(text, done));
    yield records;
    records = [];
    if (failure) throw csvProblem(failure, excess, last);
  }
  const failure = await fed((done) => parser.end(done));
  yield records;
  if (failure) throw csvProblem(failure, excess, last);
}

function lineBreaks(cells: readonly string[]): { all: number; double: number } {
  let all = 0;
  let double = 0;
  for (const cell of cells) {
    if (!cell.includes('\n') && !cell.includes('\r')) continue;
    for (const [found] of cell.matchAll(/\r\n|\n|\r/g)) {
      all += 1;
      if (found.length === 2) double += 1;
    }
  }
  return { all, double };
}

function csvProblem(error: unknown, excess: number, last: { lines: number; empty: number }): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('lines' in error) || typeof error.lines !== 'number') return error;
  const line = error.lines - excess;
  const emptyLines = 'empty_lines' in error ? Number(error.empty_lines) - last.empty : 0;
  const begun = last.lines + emptyLines + 1;
  switch (error.code) {
    case 'CSV_INVALID_CLOSING_QUOTE':
      return new UnreadableError(line, 'a quoted cell goes on behind its closing quote; a quote within quotes is written twice.');
    case 'INVALID_OPENING_QUOTE':
      return new UnreadableError(
        line,
        'a quote stands in the middle of a cell; the cell must begin with it, and a quote within is written twice.',
      );
    case 'CSV_QUOTE_NOT_CLOSED':
      return new UnreadableError(begun, 'the file ends within a quoted cell: a quote of the row that begins here is never closed.');
    case 'CSV_MAX_RECORD_SIZE':
      return new UnreadableError(
        begun,
        `the row that begins here is longer than ${inMebibytes(longestRow)}: is a quote in it never closed?`,
      );
    default:
      return error;
  }
}

/** How spreadsheets name the separator in a line of its own. */
const naming = /^[\r\n]*"?sep=([^\w"\s]|\t)"?[\r\n]/i;

/**
 * The separator: what a first line `sep=;` says, which is no record then (`isNamed`); else by the first record, outside quotes, a tab where
 * there is one, or what it uses most. `all`: the texts again.
 */
async function sniff(
  texts: AsyncGenerator<string>,
): Promise<{ readonly delimiter: string; readonly isNamed: boolean; readonly all: AsyncGenerator<string> }> {
  const heads: string[] = [];
  const uses = new Map(separators.map((separator) => [separator, 0]));
  const at = { isQuoted: false, isBegun: false };
  for (let isWhole = false; !isWhole; ) {
    const { value: text, done } = await texts.next();
    if (done) break;
    heads.push(text);
    isWhole = countSeparators(text, uses, at);
  }
  const named = naming.exec(heads.join(''))?.[1];
  return { delimiter: named ?? mostLikely(uses), isNamed: named !== undefined, all: again(heads, texts) };
}

/** The separator of a text that begins a file: one of those that are found again; of another, a comma. */
export async function separatorOf(text: string): Promise<string> {
  const all = async function* (): AsyncGenerator<string> {
    yield text;
  };
  const { delimiter } = await sniff(all());
  return separators.includes(delimiter) ? delimiter : ',';
}

/** Nobody names a column with a tab in it, but with commas they do: `City, State`. */
function mostLikely(uses: ReadonlyMap<string, number>): string {
  if ((uses.get('\t') ?? 0) > 0) return '\t';
  return (uses.get(';') ?? 0) > (uses.get(',') ?? 0) ? ';' : ',';
}

/** Counts the separators of the first record; true once its end is there. */
function countSeparators(text: string, uses: Map<string, number>, at: { isQuoted: boolean; isBegun: boolean }): boolean {
  for (const character of text) {
    if (character === '"') at.isQuoted = !at.isQuoted;
    if (at.isQuoted) continue;
    const isBreak = character === '\n' || character === '\r';
    if (isBreak && at.isBegun) return true;
    at.isBegun ||= !isBreak;
    const before = uses.get(character);
    if (before !== undefined) uses.set(character, before + 1);
  }
  return false;
}

async function* again(heads: readonly string[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield* heads;
  yield* rest;
}
