// Streams that are read: they hear signals, and give no more than they may.

import { UsageError } from '../errors.ts';
import { inMebibytes } from '../values/limits.ts';

/** A stream that can be given up. */
export type InputStream = NodeJS.ReadableStream & { destroy(reason?: Error): unknown };

/** What a stream gives. Throws the signal's reason: nobody can be made to wait for a writer that never writes. */
export async function* interruptible(stream: InputStream, signal: AbortSignal): AsyncGenerator<string | Uint8Array> {
  signal.throwIfAborted();
  const stop = (): void => void stream.destroy(signal.reason);
  signal.addEventListener('abort', stop);
  try {
    yield* stream;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** All that a stream gives. Throws UsageError, which begins with `shown`, when that is longer than `most` bytes. */
export async function readAtMost(stream: AsyncIterable<string | Uint8Array>, most: number, shown: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    length += bytes.length;
    if (length > most) throw new UsageError(`${shown} is longer than ${inMebibytes(most)}.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, length);
}
