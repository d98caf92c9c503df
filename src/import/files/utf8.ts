// Decodes UTF-8 strictly: a file that is not UTF-8 is refused by line, before its rows are used.

import { UnreadableError } from '../../base/files/problems.ts';
import type { Source } from './source.ts';

const lineFeed = 0x0a;

/** The text of a file, in chunks, without a byte order mark. Throws UnreadableError naming the first line that is not UTF-8. */
export async function* decodedText(bytes: Source['bytes']): AsyncGenerator<string> {
  const decoded = strictDecoder('utf-8', () => new NotUtf8());
  let isFirst = true;
  try {
    for await (const chunk of bytes()) {
      if (isFirst) refuseUtf16(chunk);
      isFirst = false;
      yield decoded(chunk);
    }
    yield decoded();
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
    const hint = 'Excel writes Windows-1252 unless it is told otherwise: --encoding windows-1252 reads it.';
    throw new UnreadableError(await wrongLine(bytes()), 'it is not valid UTF-8.', { hint });
  }
}

class NotUtf8 extends Error {}

/** The line of the first byte that is not UTF-8. */
async function wrongLine(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const decoded = strictDecoder('utf-8', () => new NotUtf8());
  let line = 1;
  try {
    for await (const chunk of bytes) {
      for (let from = 0, to = 0; from < chunk.length; from = to) {
        to = chunk.indexOf(lineFeed, from) + 1 || chunk.length;
        decoded(chunk.subarray(from, to));
        if (chunk[to - 1] === lineFeed) line += 1;
      }
    }
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
  }
  return line;
}

/** Returns a decoder of chunks; called without a chunk, the decoder ends the text. The decoder throws `problem` for a wrong chunk. */
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

function refuseUtf16(bytes: Uint8Array): void {
  const [first, second] = bytes;
  // Without a byte order mark, every second byte of plain letters is 0.
  if (!isMarkedUtf16(bytes) && first !== 0 && second !== 0) return;
  throw new UnreadableError(1, 'the file is UTF-16.', { hint: '--encoding utf-16 reads it.' });
}
