// How a text file is written: its encoding, and the separator of its cells.

import { UnconfirmedError, UsageError } from '../../base/errors.ts';
import { askLine, canAsk } from '../../session/ask/prompt.ts';
import type { Context } from '../../session/context.ts';
import { decoded, likelyReadings, markedEncoding, readingsText, strictDecoder, utf32Problem } from './encodings.ts';
import type { ImportFormat, Layout } from './raw-row.ts';
import { formatByName, workbookKind } from './readers.ts';
import { replaced, type Source } from './source.ts';

/** How the imported file is written. The files of --rejects and --results are written alike, but always in UTF-8. */
export interface Dialect {
  /** As the platform's decoder calls it. */
  readonly encoding: string;
  /** True when a spreadsheet wrote the file. Rejects and results then begin with a byte order mark, by which spreadsheets detect UTF-8. */
  readonly isOfSpreadsheet: boolean;
  readonly separator: string;
  /** True for UTF-8 that a shell read in another encoding, as far as the beginning of the file shows. */
  readonly looksReencoded: boolean;
}

/** The dialect of files that crm writes. */
export const ownDialect: Dialect = { encoding: 'utf-8', isOfSpreadsheet: false, separator: ',', looksReencoded: false };

/** `├╝` for ü, `╨¢` for a Cyrillic letter: the two bytes of a letter in the encoding of the console of Windows. */
const boxBetweenLetters = /\p{L}[\u2500-\u256C][^\s\p{L}]?\p{L}/u;

/** The number of bytes that are read to find the separator. */
const beginning = 65_536;

/**
 * The source as UTF-8 text, with its dialect; a workbook is unchanged. A byte order mark wins over `asked`. Asks about the encoding on a
 * terminal. `name`: the file as typed; `asked`: the encoding of a flag; `mapped`: of a mapping, which serves workbooks, too. Throws
 * UsageError, UnconfirmedError.
 */
export async function inUtf8(
  context: Context,
  source: Source,
  {
    name,
    format,
    asked,
    mapped,
    layout,
  }: {
    readonly name: string;
    readonly format?: string | undefined;
    readonly asked?: string | undefined;
    readonly mapped?: string | undefined;
    readonly layout?: Layout;
  },
): Promise<{ readonly source: Source; readonly dialect: Dialect }> {
  if (format === 'xlsx' || (format === undefined && (await workbookKind(source)) !== undefined)) {
    if (asked !== undefined) throw new UsageError(`--encoding is for texts, and ${source.name} is a workbook.`);
    return { source, dialect: { ...ownDialect, isOfSpreadsheet: true } };
  }
  const { buffer, bytesRead } = await source.file.read(Buffer.alloc(beginning), 0, beginning, 0);
  const head = buffer.subarray(0, bytesRead);
  const marked = markedEncoding(head);
  if (marked === 'utf-32') throw new UsageError(`${source.name}: ${utf32Problem}`);
  const encoding = marked ?? asked ?? mapped ?? (canAsk(context) ? await encodingAgreed(context, source) : 'utf-8');
  const dialect = await dialectOf(head, formatByName(name) ?? 'csv', encoding, { isMarked: marked !== undefined, layout });
  if (encoding === 'utf-8') return { source, dialect };
  return { source: await replaced(source, decoded(source.name, source.bytes, encoding)), dialect };
}

/** The dialect of a file, by its first 64 KiB; files without separators get the separator of crm. */
async function dialectOf(
  head: Uint8Array,
  format: ImportFormat,
  encoding: string,
  { isMarked, layout = {} }: { readonly isMarked: boolean; readonly layout: Layout | undefined },
): Promise<Dialect> {
  if (format !== 'csv') return { ...ownDialect, encoding };
  const text = new TextDecoder(encoding).decode(head);
  const separator = await (await import('./csv-reader.ts')).separatorOf(text, layout);
  return { encoding, isOfSpreadsheet: isMarked || encoding !== 'utf-8', separator, looksReencoded: boxBetweenLetters.test(text) };
}

async function encodingAgreed(context: Context, source: Source): Promise<string> {
  if (context.flags.yes || (await isUtf8(source))) return 'utf-8';
  const readings = await likelyReadings(source.bytes());
  const isNo = (typed: string): boolean => /^(no?)?$/i.test(typed);
  const typed = await askLine(context, {
    message: `${source.name} is not UTF-8. ${readingsText(readings.map((one, index) => ({ ...one, number: index + 1 })))}`,
    hint: `${readings.map((_, index) => index + 1).join('/')}/N`,
    problem: (one) => (isNo(one) || readings[Number(one) - 1] !== undefined ? undefined : `Type a number up to ${readings.length}, or n.`),
    shown: (one) => readings[Number(one) - 1]?.encoding ?? 'No',
  });
  const chosen = readings[Number(typed) - 1];
  if (chosen === undefined) throw new UnconfirmedError('Not confirmed: nothing was done.', { isAsked: true });
  return chosen.encoding;
}

/** True for a file of valid UTF-8, and for one that seems to be UTF-16. May read the whole file. */
async function isUtf8(source: Source): Promise<boolean> {
  const decode = strictDecoder('utf-8', () => new Error('not UTF-8'));
  try {
    for await (const bytes of source.bytes()) decode(bytes);
    decode();
    return true;
  } catch {
    return false;
  }
}
