// Decodes UTF-8 strictly: a file that is not UTF-8 is refused by line, before its rows are used.

import { UnreadableError } from '../../base/files/problems.ts';

/** The text of the bytes, in chunks, without a byte order mark. Throws UnreadableError naming the line that is not UTF-8. */
export async function* decodedText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let line = 1;
  let before = '';
  let tail: Uint8Array = new Uint8Array();
  let isFirst = true;
  const decoded = strictDecoder('utf-8', (chunk) => {
    const wrong = line + (chunk === undefined ? 0 : lineEnds(before, soundLines(Buffer.concat([begunIn(tail), chunk]))));
    const hint = 'Excel writes Windows-1252 unless it is told otherwise: --encoding windows-1252 reads it.';
    return new UnreadableError(wrong, 'it is not valid UTF-8.', { hint });
  });
  for await (const chunk of bytes) {
    if (isFirst) refuseUtf16(chunk);
    isFirst = false;
    const text = decoded(chunk);
    line += lineEnds(before, text);
    before = text;
    tail = Buffer.concat([tail, chunk]).subarray(-longestBegun);
    if (text !== '') yield text;
  }
  const last = decoded();
  if (last !== '') yield last;
}

/** Decodes chunks of a text; without a chunk its end. Throws what `problem` makes of a chunk that is not in the encoding. */
export function strictDecoder(encoding: string, problem: (chunk?: Uint8Array) => Error): (chunk?: Uint8Array) => string {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (chunk) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw problem(chunk);
    }
  };
}

/** True for a beginning that marks UTF-16. */
export const isMarkedUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

/** The number of line ends in a text. CR and LF count as one, also when split between two chunks. */
function lineEnds(before: string, text: string): number {
  const ends = text.match(/\r\n|\n|\r/g)?.length ?? 0;
  return before.endsWith('\r') && text.startsWith('\n') ? ends - 1 : ends;
}

/** The most bytes of an unfinished character. */
const longestBegun = 3;

/** The last character of some bytes when it has several bytes, perhaps unfinished; else empty. */
function begunIn(bytes: Uint8Array): Uint8Array {
  const last = bytes.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0);
  return (bytes[last] ?? 0) < 0xc0 ? new Uint8Array() : bytes.subarray(last);
}

/** The whole lines before the first line that is not UTF-8. */
function soundLines(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; ) {
    const length = bytes.subarray(from).findIndex((byte) => byte === 0x0a || byte === 0x0d) + 1;
    if (length === 0) break;
    try {
      text += new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(from, from + length));
    } catch {
      break;
    }
    from += length;
  }
  return text;
}

function refuseUtf16(bytes: Uint8Array): void {
  const [first, second] = bytes;
  // Without a byte order mark, every second byte of plain letters is 0.
  if (!isMarkedUtf16(bytes) && first !== 0 && second !== 0) return;
  throw new UnreadableError(1, 'the file is UTF-16.', { hint: '--encoding utf-16 reads it.' });
}
