// Reads CSV: the header, then rows. Separators are commas, semicolons and tabs; cells may hold quoted line breaks; any line ending works. A
// row with more or fewer cells than the header becomes a BadRow. A bad quote ends the reading: the rows behind the quote would be read as
// part of its cell.

import { UnreadableError } from '../../base/files/problems.ts';
import { limits, sizeText } from '../../base/limits.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { unguard } from '../../output/formats/formula-guard.ts';
import type { BadRow, Header, RawRow } from './raw-row.ts';
import { checkHeader } from './raw-row.ts';

const separators = [',', ';', '\t'];

/** The header and the rows, in chunks. Throws UsageError naming the line of a bad quote or header. */
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
  /** The line on which the record begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The records that end in each chunk of text. */
async function* csvRecords(texts: AsyncGenerator<string>): AsyncGenerator<CsvRecord[]> {
  const { parse } = await import('csv-parse');
  const { delimiter, isNamed, all } = await sniff(texts);
  let records: CsvRecord[] = [];
  // The parser counts a quoted CRLF as two lines.
  let excess = 0;
  // Lines and empty lines up to the end of the last record.
  let last = { lines: 0, empty: 0 };
  let isName = isNamed;
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    // A longer record means that a quote was never closed, and the rest of the file was read as one cell.
    max_record_size: limits.row,
    // Takes the records here, since reading the parser's stream would double the time.
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
        'a quote stands in the middle of a cell; a quoted cell begins with its quote, and a quote within is written twice.',
      );
    case 'CSV_QUOTE_NOT_CLOSED':
      return new UnreadableError(begun, 'the file ends within a quoted cell: a quote of the row that begins here is never closed.');
    case 'CSV_MAX_RECORD_SIZE':
      return new UnreadableError(begun, `the row that begins here is longer than ${sizeText(limits.row)}: is a quote in it never closed?`);
    default:
      return error;
  }
}

/** The line in which spreadsheets name the separator. */
const naming = /^[\r\n]*"?sep=([^\w"\s]|\t)"?[\r\n]/i;

/**
 * Finds the separator: a first line `sep=;` names the separator, else the separator is guessed from the first record. `isNamed`: the first
 * line is no record. `all`: all texts, also the texts already read.
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
  return { delimiter: named ?? mostLikely(uses), isNamed: named !== undefined, all: textsAgain(heads, texts) };
}

/** The separator of a file, by the text at its beginning. A comma when `sep=` names a character that is not in `separators`. */
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

/** Counts the separators of the first record. Returns true once the record ends. */
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

async function* textsAgain(heads: readonly string[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield* heads;
  yield* rest;
}
