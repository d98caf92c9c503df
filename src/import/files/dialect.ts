// How a file is written, beside what stands in it: its encoding, its byte order mark, its separator and how its lines end. What is written
// beside a file is written in the same way.

import { UsageError } from '../../errors.ts';
import type { ImportFormat } from './raw-row.ts';
import type { Source } from './source.ts';

export const encodings = ['utf-8', 'utf-16', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

export interface Dialect {
  readonly encoding: Encoding;
  /** UTF-16 with the greater byte first. */
  readonly isSwapped: boolean;
  /** It begins with a byte order mark. */
  readonly hasMark: boolean;
  readonly separator: string;
  readonly lineBreak: string;
}

/** How crm writes by itself. */
export const ownDialect: Dialect = { encoding: 'utf-8', isSwapped: false, hasMark: false, separator: ',', lineBreak: '\r\n' };

/** So much of a file tells how it is written, in bytes. */
const beginning = 65_536;

/** How a file is written that has this encoding, and its text as UTF-8. Throws UsageError for what can't be read at all. */
export async function dialectOf({ file }: Source, format: ImportFormat, encoding: Encoding): Promise<Dialect> {
  if (format === 'xlsx') return ownDialect;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(beginning), 0, beginning, 0);
  const head = buffer.subarray(0, bytesRead);
  const facts = markOf(head);
  const text = (await Array.fromAsync(decoded(once(head), encoding, false))).join('');
  const [lineBreak = ownDialect.lineBreak] = /\r\n|\n|\r/.exec(text.replaceAll(/"[^"]*"/g, '')) ?? [];
  const separator = format === 'csv' ? await (await import('./csv-reader.ts')).separatorOf(text) : ownDialect.separator;
  return { encoding, ...facts, separator, lineBreak };
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

function markOf(head: Uint8Array): Pick<Dialect, 'isSwapped' | 'hasMark'> {
  const [first, second, third] = head;
  const isSwapped = first === 0xfe && second === 0xff;
  return { isSwapped, hasMark: isSwapped || (first === 0xff && second === 0xfe) || (first === 0xef && second === 0xbb && third === 0xbf) };
}

/** The encoding that the bytes of a file tell: UTF-16 by its mark, Windows-1252 where they are not UTF-8. Reads all of it. */
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

/** What the bytes 0x80 to 0x9f are in Windows-1252 (the WHATWG's encoding standard); five of them are control characters. */
const highWords =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';
const high = [...highWords];
const bytesOfHigh = new Map(high.map((letter, index) => [letter, String.fromCharCode(0x80 + index)]));

/** The text of bytes in an encoding; of a part of a file the last letter may be cut. Throws UsageError for bytes that are none. */
export async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: Encoding, isWhole = true): AsyncGenerator<string> {
  if (encoding === 'windows-1252') {
    for await (const some of bytes)
      yield Buffer.from(some)
        .toString('latin1')
        .replaceAll(/[\x80-\x9f]/g, (letter) => high[letter.charCodeAt(0) - 0x80] ?? letter);
    return;
  }
  let decoder: TextDecoder | undefined;
  for await (const some of bytes) {
    decoder ??= new TextDecoder(encoding === 'utf-8' ? 'utf-8' : some[0] === 0xfe ? 'utf-16be' : 'utf-16le', { fatal: isWhole });
    yield textFrom(decoder, encoding, some);
  }
  if (decoder !== undefined && isWhole) yield textFrom(decoder, encoding);
}

function textFrom(decoder: TextDecoder, encoding: Encoding, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch (error) {
    throw new UsageError(`The file is not valid ${encoding.toUpperCase()}.`, { cause: error });
  }
}

/** A text as a file of this dialect holds it; a letter that its encoding lacks becomes a question mark. */
export function encodedIn({ encoding, isSwapped }: Dialect, text: string): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  if (encoding === 'utf-16') {
    const bytes = Buffer.from(text, 'utf16le');
    return isSwapped ? bytes.swap16() : bytes;
  }
  return Buffer.from(
    text.replaceAll(/[^\x00-\x7f\xa0-\xff]/gu, (letter) => bytesOfHigh.get(letter) ?? '?'),
    'latin1',
  );
}

/** What a file of this dialect begins with. */
export const markIn = (dialect: Dialect): Buffer => encodedIn(dialect, dialect.hasMark ? '\ufeff' : '');
