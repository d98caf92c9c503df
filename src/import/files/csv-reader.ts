// Reads CSV: the header, then rows. Separators are commas, semicolons, tabs and pipes, or the separator asked for; cells may hold quoted
// line breaks; any line ending works. A row with more or fewer cells than the header becomes a BadRow, and so does a row with a stray
// quote whose end is certain. A quote that is never closed ends the reading: the rows behind the quote would be read as part of its cell.

import { UnreadableError } from '../../base/files/problems.ts';
import { limits, sizeText } from '../../base/limits.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { unguard } from '../../output/formats/formula-guard.ts';
import { type BadRow, type Header, headerNames, type Layout, type RawRow, rejectColumns } from './raw-row.ts';

const separators = [',', ';', '\t', '|'];

const strayQuote = 'a quote stands within a cell; a quoted cell begins and ends with a quote, and a quote within is written twice.';

/** The header and the rows, in chunks. `texts`: reads the file anew. Throws UsageError naming the line of a bad quote or header. */
export async function* csvRows(
  texts: () => AsyncGenerator<string>,
  csvRaw: boolean,
  layout: Layout,
): AsyncGenerator<(Header | RawRow | BadRow)[]> {
  let header: readonly string[] | undefined;
  for await (const records of csvRecords(texts, layout)) {
    const rows: (Header | RawRow | BadRow)[] = [];
    for (const { line, cells, isStray, isTold } of records) {
      // Rejects have their header in the first line, whatever the mapping says.
      const isRejects = header === undefined && rejectColumns.every((name) => cells.includes(name));
      if (header === undefined && !isRejects && line < (layout.headerLine ?? 1)) continue;
      if (isStray && (header === undefined || (lineBreaks(cells).all > 0 && !(isTold && cells.length === header.length))))
        throw new UnreadableError(line, strayQuote);
      if (header === undefined) {
        if (!isRejects && layout.headerLine !== undefined && line !== layout.headerLine)
          throw new UnreadableError(layout.headerLine, "no row begins here, so this can't be the header (--header-line).");
        const asInFile = csvRaw ? cells : cells.map(unguard);
        header = headerNames(asInFile, line);
        rows.push({ line, header, asInFile });
      } else if (isStray) rows.push({ line, problem: strayQuote, cells });
      else if (cells.length === header.length) rows.push({ line, names: header, values: cells });
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
  /** True when a quote stands within a cell that isn't quoted. */
  readonly isStray: boolean;
  /** True unless a line ends in a cell with such a quote: the record may be two. */
  readonly isTold: boolean;
}

class StrayQuote extends Error {}

interface RawRecord {
  readonly record: string[];
  readonly raw: string;
}

/** `whole` matches the text of a record whose quotes are right; `cellsIn` cuts any other text into cells, each as it stands in the file. */
function recordShapes(delimiter: string): {
  readonly whole: RegExp;
  readonly cellsIn: (text: string) => Pick<CsvRecord, 'cells' | 'isTold'>;
} {
  const mark = delimiter.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`);
  const quoted = '"[^"]*(?:""[^"]*)*"';
  const plain = `[^"${mark}\\r\\n]*`;
  // Excel reads ="007" without quotes around it as a text, and so programs write it.
  const excels = `="[^"${mark}\\r\\n]*"`;
  const any = `(?:${quoted}|${excels}|${plain})`;
  const cell = new RegExp(`(?:(${quoted})|((?:(?!${mark})[^])*))(${mark}|$)`, 'gy');
  return {
    whole: new RegExp(`^${any}(?:${mark}${any})*$`),
    cellsIn: (text) => {
      const cells: string[] = [];
      let isTold = true;
      for (const [, inQuotes, bare = '', separator] of text.matchAll(cell)) {
        cells.push(inQuotes === undefined ? bare : inQuotes.slice(1, -1).replaceAll('""', '"'));
        isTold &&= !/[\r\n]/.test(bare);
        if (separator === '') break;
      }
      return { cells, isTold };
    },
  };
}

/** The records that end in each chunk of text. After a stray quote the file is read again, with a look at each cell, which takes longer. */
async function* csvRecords(texts: () => AsyncGenerator<string>, layout: Layout): AsyncGenerator<CsvRecord[]> {
  let before = 0;
  try {
    for await (const records of parsedRecords(texts(), layout, false)) {
      before += records.length;
      yield records;
    }
  } catch (error) {
    if (!(error instanceof StrayQuote)) throw error;
    for await (const records of parsedRecords(texts(), layout, true)) {
      yield records.slice(before);
      before = Math.max(before - records.length, 0);
    }
  }
}

/** Throws StrayQuote at the first stray quote, unless `isTolerant`. */
async function* parsedRecords(texts: AsyncGenerator<string>, layout: Layout, isTolerant: boolean): AsyncGenerator<CsvRecord[]> {
  const { parse } = await import('csv-parse');
  const { delimiter, isNamed, all } = await sniff(texts, layout);
  let records: CsvRecord[] = [];
  // The parser counts a quoted CRLF as two lines.
  let excess = 0;
  // Lines and empty lines up to the end of the last record.
  let last = { lines: 0, empty: 0 };
  let isName = isNamed;
  const shapes = recordShapes(delimiter);
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    // A longer record means that a quote was never closed, and the rest of the file was read as one cell.
    max_record_size: limits.row,
    // The text of a record shows whether its quotes are right.
    ...(isTolerant ? { relax_quotes: true, raw: true } : {}),
    // Takes the records here, since reading the parser's stream would double the time.
    on_record: (record: string[] | RawRecord, { lines, empty_lines }) => {
      const { record: parsed, raw = '' } = Array.isArray(record) ? { record } : record;
      const text = isTolerant ? raw.replaceAll(/^[\r\n]+|[\r\n]+$/g, '') : '';
      const isStray = isTolerant && !shapes.whole.test(text);
      const breaks = lineBreaks(parsed);
      excess += breaks.double;
      last = { lines: lines - excess, empty: empty_lines };
      const line = lines - excess - breaks.all;
      if (!isName) records.push({ line, isStray, ...(isStray ? shapes.cellsIn(text) : { cells: parsed, isTold: true }) });
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
    if (failure) throw csvProblem(failure, last);
  }
  const failure = await fed((done) => parser.end(done));
  yield records;
  if (failure) throw csvProblem(failure, last);
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

function csvProblem(error: unknown, last: { lines: number; empty: number }): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('lines' in error) || typeof error.lines !== 'number') return error;
  const emptyLines = 'empty_lines' in error ? Number(error.empty_lines) - last.empty : 0;
  const begun = last.lines + emptyLines + 1;
  switch (error.code) {
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return new StrayQuote();
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

/** True when a text begins with the line in which spreadsheets name the separator. */
export const namesSeparator = (text: string): boolean => naming.test(text);

/**
 * Finds the separator: the separator asked for, else a first line `sep=;` names the separator, else the separator is guessed from the
 * header. `isNamed`: the first line is no record. `all`: all texts, also the texts already read.
 */
async function sniff(
  texts: AsyncGenerator<string>,
  { separator, headerLine = 1 }: Layout,
): Promise<{ readonly delimiter: string; readonly isNamed: boolean; readonly all: AsyncGenerator<string> }> {
  const heads: string[] = [];
  const uses = new Map(separators.map((separator) => [separator, 0]));
  const at = { isQuoted: false, isBegun: false, linesAbove: headerLine - 1, last: '' };
  for (let isWhole = false; !isWhole; ) {
    const { value: text, done } = await texts.next();
    if (done) break;
    heads.push(text);
    isWhole = countSeparators(text, uses, at);
  }
  const named = naming.exec(heads.join(''))?.[1];
  const useOf = (mark: string): number => uses.get(mark) ?? 0;
  // Nobody names a column with a tab in it, but with commas they do: `City, State`.
  const mostLikely = useOf('\t') > 0 ? '\t' : separators.toSorted((a, b) => useOf(b) - useOf(a))[0];
  const all = async function* (): AsyncGenerator<string> {
    yield* heads;
    yield* texts;
  };
  return { delimiter: separator ?? named ?? mostLikely ?? ',', isNamed: named !== undefined, all: all() };
}

/** The separator of a file, by the text at its beginning. A comma when `sep=` names a character that is not in `separators`. */
export async function separatorOf(text: string, layout: Layout): Promise<string> {
  const all = async function* (): AsyncGenerator<string> {
    yield text;
  };
  const { delimiter } = await sniff(all(), layout);
  return separators.includes(delimiter) || delimiter === layout.separator ? delimiter : ',';
}

/** Counts the separators of the record behind `linesAbove`. Returns true once the record ends. */
function countSeparators(
  text: string,
  uses: Map<string, number>,
  at: { isQuoted: boolean; isBegun: boolean; linesAbove: number; last: string },
): boolean {
  for (const character of text) {
    const { last } = at;
    at.last = character;
    if (at.linesAbove > 0) {
      if (character === '\r' || (character === '\n' && last !== '\r')) at.linesAbove -= 1;
      continue;
    }
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
