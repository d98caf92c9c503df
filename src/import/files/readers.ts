// Detects the format of a file, and streams its rows with the reader of that format.

import { UsageError } from '../../base/errors.ts';
import type { ImportFormat, Layout, RawRows } from './raw-row.ts';
import type { Source } from './source.ts';
import { decodedText } from './utf8.ts';

/**
 * The format: `asked`, else xlsx by the first bytes, else by the extension. The first character decides for .json, which may hold NDJSON,
 * and for other extensions. Throws UsageError for a file of another program.
 */
export async function formatOf(source: Source, name: string, asked: ImportFormat | undefined): Promise<ImportFormat> {
  const { buffer } = await source.file.read(Buffer.alloc(100), 0, 100, 0);
  const other = others.find(({ begins }) => begins.test(buffer.toString('latin1')));
  if (other !== undefined) throw new UsageError(`${source.name} is ${other.what}, which is not read.`, { hint: other.wayOut });
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

/** Files of other programs by their first bytes, and what makes a file of them that is read. */
const others = [
  { begins: /^\x1f\x8b/, what: 'packed with gzip', wayOut: 'Unpack it first: gunzip -c FILE | crm … import -' },
  { begins: /^BZh|^\xfd7zXZ|^7z\xbc\xaf|^Rar!/, what: 'a packed file', wayOut: 'Unpack it first.' },
  {
    begins: /^PK\x03\x04.{26}mimetypeapplication\/vnd\.oasis\.opendocument/s,
    what: 'an OpenDocument file (.ods)',
    wayOut: 'Save it as .xlsx, or as CSV.',
  },
  {
    begins: /^(?:\xef\xbb\xbf)?BEGIN:VCARD/i,
    what: 'a file of vCards (.vcf)',
    wayOut: 'Load it into an address book, such as Google Contacts, and export it from there as CSV.',
  },
  {
    begins: /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|table|\?xml)/i,
    what: 'HTML or XML',
    wayOut: 'Open it in a spreadsheet program, and save it as .xlsx, or as CSV.',
  },
  { begins: /^%PDF/, what: 'a PDF', wayOut: 'Ask for the table as .xlsx, or as CSV.' },
];

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
  if (format === 'xlsx') yield* (await import('./xlsx/sheet-lines.ts')).workbookRows(texts);
  else if (format === 'ndjson') yield* (await import('./json-reader.ts')).ndjsonRows(texts);
  else yield* (await import('./json-reader.ts')).jsonRows(texts);
}
