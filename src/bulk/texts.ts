// Bytes to text, strictly: what is not UTF-8 is refused by the number of its line, before anything is made of it.

import { isUtf8 } from 'node:buffer';
import { UsageError } from '../errors.ts';

/** The text of some bytes, chunk by chunk, without a byte order mark. Throws UsageError naming the line that is not UTF-8. */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let lines = 0;
  let before: Uint8Array = new Uint8Array();
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst) refuseUtf16(chunk);
    isFirst = false;
    const text = decode(() => decoder.decode(chunk, { stream: true }), before, chunk, lines);
    lines += countLineFeeds(chunk);
    before = chunk.length >= 3 ? chunk : Buffer.concat([before, chunk]).subarray(-3);
    if (text !== '') yield text;
  }
  const last = decode(() => decoder.decode(), before, new Uint8Array(), lines);
  if (last !== '') yield last;
}

function decode(work: () => string, before: Uint8Array, chunk: Uint8Array, lines: number): string {
  try {
    return work();
  } catch {
    throw new UsageError(`line ${lines + 1 + badLine(before, chunk)}: it is not valid UTF-8.`, {
      hint: 'Save the file as UTF-8 and try again.',
    });
  }
}

/** How many line feeds come before the first line that is not UTF-8; the chunk may begin in the middle of a character. */
function badLine(before: Uint8Array, chunk: Uint8Array): number {
  const tail = before.subarray(before.length - unfinishedBytes(before));
  const bytes = Buffer.concat([tail, chunk]);
  let line = 0;
  for (let start = 0; ; line += 1) {
    const end = bytes.indexOf(10, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
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

function countLineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

function refuseUtf16(bytes: Uint8Array): void {
  const [first, second] = bytes;
  if ((first !== 0xff || second !== 0xfe) && (first !== 0xfe || second !== 0xff)) return;
  throw new UsageError('line 1: the file is UTF-16.', { hint: 'Save it as UTF-8 and try again.' });
}
