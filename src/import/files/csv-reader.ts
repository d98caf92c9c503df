// Reads CSV: the header, then rows. Separators are commas, semicolons and tabs; cells may hold quoted line breaks; any line ending works. A
// row with too many cells becomes a BadRow; a bad quote ends the reading, because it swallows what follows.

import { UnreadableError } from '../../base/files/problems.ts';
import { limits, sizeText } from '../../base/limits.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { unguard } from '../../output/formats/formula-guard.ts';
import type { BadRow, Header, RawRow } from './raw-row.ts';
import { checkHeader } from './raw-row.ts';

const separators = [',', ';', '\t'];

/** The header and the rows, in chunks. Throws UsageError naming the line of a bad quote or header. */
export async function* csvRows(texts: AsyncIterable<string>, csvRaw: boolean): AsyncGenerator<(Header | RawRow | BadRow)[]> {
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
async function* csvRecords(texts: AsyncIterable<string>): AsyncGenerator<readonly CsvRecord[]> {
  let [text, line, least, isFirst] = ['', 1, 0, true];
  let separator: Separator | undefined;
  const taken = function* (isWhole: boolean): Generator<readonly CsvRecord[]> {
    separator ??= separatorIn(text, isWhole);
    const { records, end, next, problem } =
      separator === undefined ? { records: [], end: 0, next: line } : recordsIn(text, line, separator.character.charCodeAt(0), isWhole);
    [text, line] = [text.slice(end), next];
    // A long record is looked at again when the text is twice as long.
    least = Math.min(2 * text.length, limits.row);
    yield separator?.isNamed && isFirst ? records.slice(1) : records;
    isFirst &&= records.length === 0;
    if (problem !== undefined) throw problem;
    if (text.length > limits.row)
      throw new UnreadableError(line, `the row that begins here is longer than ${sizeText(limits.row)}: is a quote in it never closed?`);
  };
  for await (const more of texts) {
    text += more;
    if (text.length >= least) yield* taken(false);
  }
  yield* taken(true);
}

/** The records at the beginning of a text. */
interface Taken {
  /** Empty lines are no records. */
  readonly records: readonly CsvRecord[];
  /** The position behind the last record, and the line there. */
  readonly end: number;
  readonly next: number;
  /** Set where the text can't be read further. */
  readonly problem?: UnreadableError;
}

const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d];

/** Splits a text into records and cells. `line`: where the text begins; `isWhole`: the text goes on to the end of the file. */
function recordsIn(text: string, line: number, separator: number, isWhole: boolean): Taken {
  const records: CsvRecord[] = [];
  let [at, end, next, breaks] = [0, 0, line, 0];
  let cells: string[] = [];
  while (at < text.length) {
    const start = at;
    if (text.charCodeAt(at) === quote) {
      const closing = closingQuote(text, at);
      if (closing < 0 && isWhole) return { records, end, next, problem: new UnreadableError(next, unclosed) };
      if (closing < 0 || (closing + 1 === text.length && !isWhole)) break;
      const cell = text.slice(start + 1, closing).replaceAll('""', '"');
      breaks += lineBreaks(cell);
      cells.push(cell);
      at = closing + 1;
    } else {
      while (at < text.length && !endsCell(text.charCodeAt(at), separator)) at += 1;
      cells.push(text.slice(start, at));
    }
    if (at === text.length && !isWhole) break;
    const code = text.charCodeAt(at);
    if (code === separator) {
      at += 1;
      if (at < text.length || !isWhole) continue;
      cells.push('');
    } else if (at < text.length && code !== lineFeed && code !== carriageReturn)
      return { records, end, next, problem: new UnreadableError(next + breaks, code === quote ? quoteWithin : behindQuote) };
    if (code === carriageReturn && at + 1 === text.length && !isWhole) break;
    at += code === carriageReturn && text.charCodeAt(at + 1) === lineFeed ? 2 : 1;
    if (cells.length > 1 || cells[0] !== '') records.push({ line: next, cells });
    [end, next, breaks, cells] = [at, next + breaks + 1, 0, []];
  }
  return { records, end, next };
}

const unclosed = 'the file ends within a quoted cell: a quote of the row that begins here is never closed.';
const quoteWithin = 'a quote stands in the middle of a cell; the cell must begin with it, and a quote within is written twice.';
const behindQuote = 'a quoted cell goes on behind its closing quote; a quote within quotes is written twice.';

const endsCell = (code: number, separator: number): boolean =>
  code === separator || code === lineFeed || code === carriageReturn || code === quote;

/** The position of the quote that ends the cell at `start`; -1 when there is none. Two quotes stand for one. */
function closingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && text.charCodeAt(at + 1) === quote) at = text.indexOf('"', at + 2);
  return at;
}

const lineBreaks = (cell: string): number => (/[\r\n]/.test(cell) ? (cell.match(/\r\n|\n|\r/g)?.length ?? 0) : 0);

/** The line in which spreadsheets name the separator. */
const naming = /^[\r\n]*"?sep=([^\w"\s]|\t)"?[\r\n]/i;

interface Separator {
  readonly character: string;
  /** True when a first line `sep=;` names the separator. */
  readonly isNamed: boolean;
}

/** The separator that a text names or that its first record uses; undefined for a part of a text that ends within the record. */
function separatorIn(text: string, isWhole: boolean): Separator | undefined {
  const uses = new Map(separators.map((separator) => [separator, 0]));
  const begin = /[^\r\n]/.exec(text)?.index ?? text.length;
  let at = begin;
  for (let isQuoted = false; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '\n' || character === '\r') break;
    const before = uses.get(character);
    if (before !== undefined) uses.set(character, before + 1);
  }
  if (at === text.length && !isWhole) return undefined;
  const named = naming.exec(text)?.[1];
  return { character: named ?? mostLikely(uses), isNamed: named !== undefined };
}

/** The separator of a text that begins a file; a comma where `sep=` names a separator that can't be guessed. */
export function separatorOf(text: string): string {
  const { character = ',' } = separatorIn(text, true) ?? {};
  return separators.includes(character) ? character : ',';
}

/** Nobody names a column with a tab in it, but with commas they do: `City, State`. */
function mostLikely(uses: ReadonlyMap<string, number>): string {
  if ((uses.get('\t') ?? 0) > 0) return '\t';
  return (uses.get(';') ?? 0) > (uses.get(',') ?? 0) ? ';' : ',';
}
