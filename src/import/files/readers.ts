// Files to rows, streaming: which format, and what a row is before anybody knows what its columns mean.

import { UsageError } from '../../errors.ts';
import type { Members } from '../../values/paths.ts';
import type { ImportPlan } from '../plan.ts';
import type { Source } from './source.ts';
import { textOf } from './utf8.ts';

export const importFormats = ['csv', 'ndjson', 'json'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** A row as it stands in the file. */
export interface RawRow {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** The names of its cells: the CSV header (the same array for every row), or the dotted paths of its members. */
  readonly names: readonly string[];
  /** CSV: the texts as they stand in the file. JSON: what the members hold; null for nothing. */
  readonly values: readonly unknown[];
  /** JSON: the object itself. */
  readonly object?: Members;
}

/** CSV: the names of the columns, before the first row. */
export interface Header {
  /** The line on which it begins. */
  readonly line: number;
  /** The names of the columns, without blanks around them. */
  readonly header: readonly string[];
  /** The same with them. */
  readonly asWritten: readonly string[];
}

/** A row that can't be read, where the next one still can. */
export interface BadRow {
  readonly line: number;
  readonly problem: string;
}

/** The format of a file: as asked for, by its name, or by its first character. */
export async function formatOf(source: Source, name: string, asked: ImportFormat | undefined): Promise<ImportFormat> {
  return asked ?? formatByName(name) ?? formatByContent(source);
}

/** The format that a file's name tells, if any. */
export function formatByName(name: string): ImportFormat | undefined {
  if (/\.(csv|tsv)$/i.test(name)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'ndjson';
  return /\.json$/i.test(name) ? 'json' : undefined;
}

async function formatByContent(source: Source): Promise<ImportFormat> {
  for await (const text of textOf(source.bytes())) {
    const first = text.trimStart()[0];
    if (first !== undefined) return first === '[' ? 'json' : first === '{' ? 'ndjson' : 'csv';
  }
  return 'csv';
}

/** The header, where there is one, and the rows of a file, some at a time. Throws UsageError naming the line where it can't be read any further. */
export async function* readRows(
  bytes: AsyncIterable<Uint8Array>,
  { format, csvRaw }: Pick<ImportPlan, 'format' | 'csvRaw'>,
): AsyncGenerator<(Header | RawRow | BadRow)[]> {
  const texts = textOf(bytes);
  if (format === 'csv') yield* (await import('./csv-reader.ts')).csvRows(texts, csvRaw);
  else if (format === 'ndjson') yield* (await import('./json-reader.ts')).ndjsonRows(texts);
  else yield* (await import('./json-reader.ts')).jsonRows(texts);
}

/** No row is longer than this many bytes or characters. */
export const longestRow = 16 * 1024 * 1024;

/** The error for a place behind which nothing can be read. */
export const unreadable = (line: number, message: string): UsageError => new UsageError(`line ${line}: ${message}`);
