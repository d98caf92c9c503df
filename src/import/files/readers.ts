// Detects the format of a file, and streams its rows with the reader of that format.

import type { ImportFormat, Layout, RawRows } from './raw-row.ts';
import type { Source } from './source.ts';
import { decodedText } from './utf8.ts';

/**
 * The format: `asked`, else xlsx by the first bytes, else by the extension. The first character decides for .json, which may hold NDJSON,
 * and for other extensions.
 */
export async function formatOf(source: Source, name: string, asked: ImportFormat | undefined): Promise<ImportFormat> {
  if (asked !== undefined) return asked;
  if ((await workbookKind(source)) !== undefined) return 'xlsx';
  const named = formatByName(name);
  if (named !== undefined && named !== 'json') return named;
  for await (const text of decodedText(source.bytes)) {
    const first = text.trimStart()[0];
    if (first === '[') return 'json';
    if (first === '{') return 'ndjson';
    if (first !== undefined) break;
  }
  return named ?? 'csv';
}

/** A workbook by the first bytes: `zip` for .xlsx, `old` for .xls and for a workbook with a password; undefined for another file. */
export async function workbookKind({ file }: Source): Promise<'zip' | 'old' | undefined> {
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
  const mark = buffer.toString('hex');
  return mark === '504b0304' ? 'zip' : mark === 'd0cf11e0' ? 'old' : undefined;
}

/** The format of a file's extension; undefined for other extensions. */
export function formatByName(name: string): ImportFormat | undefined {
  if (/\.(csv|tsv)$/i.test(name)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'ndjson';
  if (/\.xls[xm]?$/i.test(name)) return 'xlsx';
  return /\.json$/i.test(name) ? 'json' : undefined;
}

/**
 * The header and the rows of a file, in chunks. For xlsx, `bytes` come from `unpackedWorkbook`. Throws UsageError naming the line where the
 * file can't be read further.
 */
export async function* readRows(
  bytes: Source['bytes'],
  { format, csvRaw, layout = {} }: { readonly format: ImportFormat; readonly csvRaw: boolean; readonly layout?: Layout },
): AsyncGenerator<RawRows> {
  if (format === 'csv') {
    yield* (await import('./csv-reader.ts')).csvRows(() => decodedText(bytes), csvRaw, layout);
    return;
  }
  const texts = decodedText(bytes);
  if (format === 'xlsx') yield* (await import('./xlsx/rows.ts')).workbookRows(texts);
  else if (format === 'ndjson') yield* (await import('./json-reader.ts')).ndjsonRows(texts);
  else yield* (await import('./json-reader.ts')).jsonRows(texts);
}
