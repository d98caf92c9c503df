// How a text file is written: its encoding, and the separator of its cells.

import { UsageError } from '../../base/errors.ts';
import type { ImportFormat } from './raw-row.ts';
import type { Source } from './source.ts';
import { isMarkedUtf16, strictDecoder } from './utf8.ts';

export const encodings = ['utf-8', 'utf-16', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

/** How the imported file is written. The files of --rejects and --results are written alike, but always in UTF-8. */
export interface Dialect {
  readonly encoding: Encoding;
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

/** The dialect of a file, by its first 64 KiB; files without separators get the separator of crm. */
export async function dialectOf({ file }: Source, format: ImportFormat, encoding: Encoding): Promise<Dialect> {
  if (format !== 'csv') return { ...ownDialect, encoding };
  const { buffer, bytesRead } = await file.read(Buffer.alloc(beginning), 0, beginning, 0);
  const head = buffer.subarray(0, bytesRead);
  const text = new TextDecoder(decoderLabel(encoding, head)).decode(head);
  const isMarked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  const separator = await (await import('./csv-reader.ts')).separatorOf(text);
  return { encoding, isOfSpreadsheet: isMarked || encoding !== 'utf-8', separator, looksReencoded: boxBetweenLetters.test(text) };
}

/** The label of an encoding for TextDecoder. The first byte shows big-endian UTF-16. */
const decoderLabel = (encoding: Encoding, [first]: Uint8Array): string => (encoding === 'utf-16' && first === 0xfe ? 'utf-16be' : encoding);

/** The encoding that the bytes show: UTF-16 by its mark, Windows-1252 where they are not UTF-8. May read the whole file. */
export async function encodingTold(source: Source): Promise<Encoding> {
  const decode = strictDecoder('utf-8', () => new Error('not UTF-8'));
  let isFirst = true;
  try {
    for await (const bytes of source.bytes()) {
      if (isFirst && isMarkedUtf16(bytes)) return 'utf-16';
      isFirst = false;
      decode(bytes);
    }
    decode();
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** The text of a file in an encoding. Throws UsageError for bytes that are not in the encoding. */
export async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  let decode: ((chunk?: Uint8Array) => string) | undefined;
  for await (const some of bytes) {
    decode ??= strictDecoder(decoderLabel(encoding, some), () => new UsageError(`The file is not valid ${encoding.toUpperCase()}.`));
    yield decode(some);
  }
  if (decode !== undefined) yield decode();
}
