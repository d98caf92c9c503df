// Files to rows, streaming: which format a file is in, and the reader for it.

import type { BadRow, Header, ImportFormat, RawRow } from './raw-row.ts';
import type { Source } from './source.ts';
import { textOf } from './utf8.ts';

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
  { format, csvRaw }: { readonly format: ImportFormat; readonly csvRaw: boolean },
): AsyncGenerator<(Header | RawRow | BadRow)[]> {
  const texts = textOf(bytes);
  if (format === 'csv') yield* (await import('./csv-reader.ts')).csvRows(texts, csvRaw);
  else if (format === 'ndjson') yield* (await import('./json-reader.ts')).ndjsonRows(texts);
  else yield* (await import('./json-reader.ts')).jsonRows(texts);
}
