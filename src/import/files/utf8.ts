// Bytes to text, strictly: what is not UTF-8 is refused by the number of its line, before anything is made of it.

import { isUtf8 } from 'node:buffer';
import { UnreadableError } from '../../files/problems.ts';

/** The text of some bytes, chunk by chunk, without a byte order mark. Throws UsageError naming the line that is not UTF-8. */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const lines = new LineCount();
  let before: Uint8Array = new Uint8Array();
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst) refuseUtf16(chunk);
    isFirst = false;
    const text = decode(() => decoder.decode(chunk, { stream: true }), before, chunk, lines);
    lines.add(chunk);
    before = chunk.length >= 3 ? chunk : Buffer.concat([before, chunk]).subarray(-3);
    if (text !== '') yield text;
  }
  const last = decode(() => decoder.decode(), before, new Uint8Array(), lines);
  if (last !== '') yield last;
}

function decode(work: () => string, before: Uint8Array, chunk: Uint8Array, lines: LineCount): string {
  try {
    return work();
  } catch {
    lines.add(chunk.subarray(0, badPlace(before, chunk)));
    throw new UnreadableError(lines.ended + 1, 'it is not valid UTF-8.', {
      hint: 'Excel writes Windows-1252 unless it is told otherwise: --encoding windows-1252 reads it.',
    });
  }
}

/** Where the first line begins that is not UTF-8; the chunk may begin in the middle of a character. */
function badPlace(before: Uint8Array, chunk: Uint8Array): number {
  const tail = before.subarray(before.length - unfinishedBytes(before));
  const bytes = Buffer.concat([tail, chunk]);
  for (let start = 0; ; ) {
    const end = bytes.subarray(start).findIndex((byte) => byte === lineFeed || byte === carriageReturn);
    if (end < 0 || !isUtf8(bytes.subarray(start, start + end))) return Math.max(0, start - tail.length);
    start += end + 1;
  }
}

/** How many bytes at the end begin a character that goes on in the next chunk. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length += 1) {
    const byte = bytes[bytes.length - length] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return length;
  }
  return 0;
}

const lineFeed = 10;
const carriageReturn = 13;

/** How many lines have ended: with a line feed, a carriage return, or both. */
class LineCount {
  ended = 0;
  #isReturned = false;

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === carriageReturn || (byte === lineFeed && !this.#isReturned)) this.ended += 1;
      this.#isReturned = byte === carriageReturn;
    }
  }
}

function refuseUtf16(bytes: Uint8Array): void {
  const [first, second] = bytes;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // Without a mark every other byte of plain letters is 0.
  if (!isMarked && first !== 0 && second !== 0) return;
  throw new UnreadableError(1, 'the file is UTF-16.', { hint: '--encoding utf-16 reads it.' });
}
