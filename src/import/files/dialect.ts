// How a text file is written: its encoding, and the separator of its cells.

import { UsageError } from '../../errors.ts';
import type { ImportFormat } from './raw-row.ts';
import type { Source } from './source.ts';

export const encodings = ['utf-8', 'utf-16', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

/** The part of the imported file's form that the files of --rejects and --results share. They are always UTF-8. */
export interface Dialect {
  readonly encoding: Encoding;
  /** A spreadsheet wrote the file, so files made from it begin with a byte order mark: spreadsheets detect UTF-8 by the mark. */
  readonly isOfSpreadsheet: boolean;
  readonly separator: string;
}

/** The dialect of files that crm writes. */
export const ownDialect: Dialect = { encoding: 'utf-8', isOfSpreadsheet: false, separator: ',' };

/** The bytes at the beginning that are read for the header. */
const beginning = 65_536;

/** The dialect of a file. Throws UsageError for bytes that are not in `encoding`. */
export async function dialectOf({ file }: Source, format: ImportFormat, encoding: Encoding): Promise<Dialect> {
  if (format !== 'csv') return { ...ownDialect, encoding };
  const { buffer, bytesRead } = await file.read(Buffer.alloc(beginning), 0, beginning, 0);
  const head = buffer.subarray(0, bytesRead);
  const text = (await Array.fromAsync(decoded(once(head), encoding, false))).join('');
  const isMarked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  const separator = await (await import('./csv-reader.ts')).separatorOf(text);
  return { encoding, isOfSpreadsheet: isMarked || encoding !== 'utf-8', separator };
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

/** The encoding that the bytes show: UTF-16 by its mark, Windows-1252 where they are not UTF-8. May read the whole file. */
export async function encodingTold(source: Source): Promise<Encoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  try {
    for await (const bytes of source.bytes()) {
      const [first, second] = bytes;
      if (isFirst && ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))) return 'utf-16';
      isFirst = false;
      decoder.decode(bytes, { stream: true });
    }
    decoder.decode();
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/**
 * The text of bytes in an encoding. `isWhole` false: the bytes are part of a file, and the last character may be cut. Throws UsageError for
 * bytes that are not in the encoding.
 */
export async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: Encoding, isWhole = true): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const some of bytes) {
    decoder ??= decoderOf(encoding, some, isWhole);
    yield textFrom(decoder, encoding, some);
  }
  if (decoder !== undefined && isWhole) yield textFrom(decoder, encoding);
}

function decoderOf(encoding: Encoding, first: Uint8Array, isWhole: boolean): TextDecoder {
  // Node 22 reads Windows-1252 as Latin-1 unless `fatal` is set. No byte is an error in Windows-1252.
  if (encoding === 'windows-1252') return new TextDecoder(encoding, { fatal: true });
  return new TextDecoder(encoding === 'utf-8' ? 'utf-8' : first[0] === 0xfe ? 'utf-16be' : 'utf-16le', { fatal: isWhole });
}

function textFrom(decoder: TextDecoder, encoding: Encoding, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch (error) {
    throw new UsageError(`The file is not valid ${encoding.toUpperCase()}.`, { cause: error });
  }
}
