// Finds the header in a file that begins with a title, notes or a second header, for messages.

import { UsageError } from '../../base/errors.ts';
import { hasHeader, textIn } from '../files/raw-row.ts';
import { readRows } from '../files/readers.ts';
import type { Source } from '../files/source.ts';
import { decodedText } from '../files/utf8.ts';
import type { ImportJob } from '../job.ts';
import { guessedNames, headerMeaning } from './columns.ts';

/** The most lines that are looked at below the first line. */
const mostLines = 10;

/**
 * The line that looks more like a header than the first line: with two known names at least, and twice as many as the first line. Undefined
 * where no line does, and with --header-line.
 */
export async function likelyHeaderLine(job: ImportJob, source: Source): Promise<number | undefined> {
  const { format, layout } = job;
  if (layout?.headerLine !== undefined || !hasHeader(format)) return undefined;
  const lines = await firstLines(job, source).catch((error: unknown): FileLine[] => {
    // A file that can't be read has a problem of its own.
    if (error instanceof UsageError) return [];
    throw error;
  });
  const known = lines.map(({ cells }) => cells.filter((cell) => isKnown(job, cell)).length);
  const most = Math.max(...known.slice(1));
  return most > 1 && most >= 2 * (known[0] ?? 0) ? lines[known.lastIndexOf(most)]?.line : undefined;
}

function isKnown(job: ImportJob, cell: string): boolean {
  const name = cell.trim();
  return name !== '' && (headerMeaning(job.resource, name) !== undefined || guessedNames(job, [name]).size > 0);
}

interface FileLine {
  readonly line: number;
  readonly cells: readonly string[];
}

async function firstLines(job: ImportJob, source: Source): Promise<FileLine[]> {
  if (job.format === 'xlsx') {
    for await (const rows of readRows(source.bytes, job))
      return rows.slice(0, mostLines + 1).map((raw): FileLine => {
        const cells = 'header' in raw ? raw.header : 'values' in raw ? raw.values.map(textIn) : (raw.cells ?? []);
        return { line: raw.line, cells };
      });
    return [];
  }
  let head = '';
  for await (const text of decodedText(source.bytes)) {
    head = text.slice(0, 65_536);
    if (head !== '') break;
  }
  // Each line for itself: a title has other marks than the table below.
  const split = (line: string): string[] =>
    [';', '\t', '|', ','].map((mark) => line.split(mark)).toSorted((a, b) => b.length - a.length)[0] ?? [];
  return head
    .split(/\r\n|[\r\n]/)
    .slice(0, mostLines + 1)
    .map((text, index) => ({ line: index + 1, cells: split(text).map((cell) => cell.replaceAll('"', '')) }));
}
