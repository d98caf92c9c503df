// Reads streams until a signal fires, or up to a number of bytes.

import { UsageError } from '../errors.ts';
import { sizeText } from '../limits.ts';

/** A stream that can be destroyed. */
export type InputStream = NodeJS.ReadableStream & { destroy(reason?: Error): unknown };

/** The chunks of a stream. Throws the signal's reason, so that the user can interrupt the wait for a writer. */
export async function* interruptible(stream: InputStream, signal: AbortSignal): AsyncGenerator<string | Uint8Array> {
  signal.throwIfAborted();
  const destroyStream = (): void => void stream.destroy(signal.reason);
  signal.addEventListener('abort', destroyStream);
  try {
    yield* stream;
  } finally {
    signal.removeEventListener('abort', destroyStream);
  }
}

/** All bytes of a stream. Throws UsageError, which begins with `shown`, when there are more than `most` bytes. */
export async function readAtMost(stream: AsyncIterable<string | Uint8Array>, most: number, shown: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    length += bytes.length;
    if (length > most) throw new UsageError(`${shown} is longer than ${sizeText(most)}.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, length);
}
