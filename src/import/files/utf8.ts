// Decodes UTF-8 strictly: a file that is not UTF-8 is refused by line, before its rows are used.

import { UnreadableError } from '../../base/files/problems.ts';
import { likelyReadings, readingsText, strictDecoder, utf32Problem } from './encodings.ts';
import type { Source } from './source.ts';

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

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
    const hint = readingsText(await likelyReadings(bytes()));
    throw new UnreadableError(await wrongLine(bytes()), 'it is not valid UTF-8.', { hint });
  }
}

class NotUtf8 extends Error {}

async function wrongLine(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const decoded = strictDecoder('utf-8', () => new NotUtf8());
  let line = 1;
  let last: number | undefined;
  try {
    for await (const chunk of bytes) {
      let from = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at];
        if (byte === lineFeed || byte === carriageReturn) {
          decoded(chunk.subarray(from, at + 1));
          from = at + 1;
          if (byte === carriageReturn || last !== carriageReturn) line += 1;
        }
        last = byte;
      }
      decoded(chunk.subarray(from));
    }
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
  }
  return line;
}

function refuseUtf16(bytes: Uint8Array): void {
  const [first, second, third] = bytes;
  // Without a byte order mark, every second byte of plain letters is 0, in UTF-32 three of four.
  if (first !== 0 && second !== 0) return;
  if ((first === 0 && second === 0) || (second === 0 && third === 0)) throw new UnreadableError(1, utf32Problem);
  throw new UnreadableError(1, 'the file is UTF-16.', { hint: `--encoding ${first === 0 ? 'utf-16be' : 'utf-16'} reads it.` });
}
