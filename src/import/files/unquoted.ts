// A table with tabs whose quotes are letters, as IANA and Google Sheets write such files: `5" pipe`.

import { UsageError } from '../../base/errors.ts';
import { csvRows, namesSeparator } from './csv-reader.ts';
import { textLines } from './json-reader.ts';
import type { Layout } from './raw-row.ts';
import type { Source } from './source.ts';
import { decodedText } from './utf8.ts';

/**
 * The lines of a file with tabs, with its quotes written as quoting. Undefined unless every line fits the header without quoting, and with
 * quoting rows break or are joined. A file that also holds quoted cells is left as it is: nobody can tell what its quotes mean.
 */
export async function quotedAnew(source: Source, layout: Layout): Promise<AsyncGenerator<string> | undefined> {
  const texts = (): AsyncGenerator<string> => decodedText(source.bytes);
  try {
    return (await fitsUnquoted(texts(), layout)) && (await breaksQuoted(texts, layout)) ? quotedTexts(texts()) : undefined;
  } catch (error) {
    // The check of the rows tells the problem at its line.
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/** A quoted cell, also with a quote within. */
const quotedCell = /^"(?:[^"]|"")*"$/;

const cellsOf = (line: string): string[] => line.replace(/\r$/, '').split('\t');

async function fitsUnquoted(texts: AsyncIterable<string>, { headerLine = 1 }: Layout): Promise<boolean> {
  let number = 0;
  let width: number | undefined;
  let hasQuotes = false;
  for await (const lines of textLines(texts)) {
    for (const line of lines) {
      number += 1;
      if (number < headerLine || line.trim() === '' || (number === 1 && namesSeparator(`${line}\n`))) continue;
      const cells = cellsOf(line);
      width ??= cells.length;
      if (cells.length !== width || width === 1 || cells.some((cell) => cell.includes('\r'))) return false;
      if (!line.includes('"')) continue;
      if (cells.some((cell) => quotedCell.test(cell))) return false;
      hasQuotes = true;
    }
  }
  return hasQuotes;
}

async function breaksQuoted(texts: () => AsyncGenerator<string>, layout: Layout): Promise<boolean> {
  const isBroken = (values: readonly unknown[]): boolean => values.some((value) => typeof value === 'string' && /[\r\n]/.test(value));
  try {
    for await (const rows of csvRows(texts, true, layout))
      if (rows.some((row) => 'problem' in row || isBroken('header' in row ? row.asInFile : row.values))) return true;
    return false;
  } catch (error) {
    if (error instanceof UsageError) return true;
    throw error;
  }
}

async function* quotedTexts(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const lines of textLines(texts)) {
    if (lines.length === 0) continue;
    const quoted = lines.map((line) =>
      line.includes('"')
        ? cellsOf(line)
            .map((cell) => (cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell))
            .join('\t')
        : line,
    );
    yield `${isFirst ? '' : '\n'}${quoted.join('\n')}`;
    isFirst = false;
  }
}
