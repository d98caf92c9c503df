// Bytes to text, strictly: what is not UTF-8 is refused by the number of its line, before anything is made of it.

import { UnreadableError } from '../../files/problems.ts';

/** The text of some bytes, chunk by chunk, without a byte order mark. Throws UnreadableError naming the line that is not UTF-8. */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  let before = '';
  let tail: Uint8Array = new Uint8Array();
  let isFirst = true;
  const decoded = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new UnreadableError(
        line + (chunk === undefined ? 0 : lineEnds(before, soundLines(Buffer.concat([begunIn(tail), chunk])))),
        'it is not valid UTF-8.',
        {
          hint: 'Excel writes Windows-1252 unless it is told otherwise: --encoding windows-1252 reads it.',
        },
      );
    }
  };
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

/** How many lines end in a text. A carriage return and a line feed are one end, also where one chunk has each. */
function lineEnds(before: string, text: string): number {
  const ends = text.match(/\r\n|\n|\r/g)?.length ?? 0;
  return before.endsWith('\r') && text.startsWith('\n') ? ends - 1 : ends;
}

/** Bytes of a character of which the last is missing. */
const longestBegun = 3;

/** The character that begins at the end of some bytes. */
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
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // Without a mark every other byte of plain letters is 0.
  if (!isMarked && first !== 0 && second !== 0) return;
  throw new UnreadableError(1, 'the file is UTF-16.', { hint: '--encoding utf-16 reads it.' });
}
