// Reads files and standard input whole, up to a limit: an endless device must not fill the memory.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { systemReason, UsageError } from '../errors.ts';
import { limits, sizeText } from '../limits.ts';
import { interruptible, readAtMost } from './input-stream.ts';
import { pathIn, type WorkingFolder } from './path-in.ts';

/** The most bytes of a text for a field, a body or a seed file. */
export const longestText = limits.text;

/**
 * The text of a file or a pipe. Messages begin with `where`, such as `--data: `. Throws UsageError when the file can't be read, is too
 * long or is not UTF-8, and throws the signal's reason.
 */
export async function readSmallFile(place: WorkingFolder & { readonly signal: AbortSignal }, path: string, where = ''): Promise<string> {
  try {
    return decodeText(await fileBytes(pathIn(place, path), `${where}${path}`, place.signal), `${where}${path}`);
  } catch (error) {
    if (error instanceof UsageError || place.signal.aborted) throw error;
    throw new UsageError(`${where}${where === '' ? 'Can' : 'can'}'t read ${path} (${systemReason(error)}).`, {
      cause: error,
    });
  }
}

/** Standard input, and the signal that interrupts reading. */
interface Stdin {
  readonly io: { readonly stdin: { readAll(most: number, signal: AbortSignal): Promise<Uint8Array> } };
  readonly signal: AbortSignal;
}

/** All of standard input as a text. Throws UsageError like `readSmallFile`, and the signal's reason. */
export async function readStdin({ io, signal }: Stdin, where = ''): Promise<string> {
  try {
    return decodeText(await io.stdin.readAll(longestText, signal), `${where}standard input`);
  } catch (error) {
    if (error instanceof UsageError || signal.aborted) throw error;
    // Standard input may be open for writing only.
    throw new UsageError(`${where}${where === '' ? 'Can' : 'can'}'t read standard input (${systemReason(error)}).`, {
      cause: error,
    });
  }
}

/** Opens a file for reading. Doesn't wait for the writer of a pipe. */
export const openToRead = (path: string): number => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));

/** All bytes of an open file; undefined when there are more than `most`. Closes the file. */
export function bytesOfFile(file: number, most: number): Uint8Array | undefined {
  try {
    const chunks: Buffer[] = [];
    for (let length = 0; ; ) {
      const chunk = Buffer.alloc(65_536);
      const read = readSync(file, chunk);
      if (read === 0) return Buffer.concat(chunks, length);
      length += read;
      if (length > most) return undefined;
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

/** The chunks of an open pipe, until its writers close it. Throws the signal's reason. */
export async function* pipeOf(file: number, signal: AbortSignal): AsyncGenerator<string | Uint8Array> {
  // A socket waits without a thread. A thread that reads could not be interrupted.
  const { Socket } = await import('node:net');
  // The signal is checked before the socket is made: a socket keeps the process alive until `destroy`.
  signal.throwIfAborted();
  yield* interruptible(new Socket({ fd: file, readable: true, writable: false }), signal);
}

async function fileBytes(path: string, shown: string, signal: AbortSignal): Promise<Uint8Array> {
  const file = openToRead(path);
  const facts = fstatSync(file);
  if (facts.isFIFO()) return readAtMost(pipeOf(file, signal), longestText, shown);
  // A device may be endless, or wait for a person.
  if (facts.isCharacterDevice() || facts.isBlockDevice()) {
    closeSync(file);
    throw new UsageError(`${shown} is a device, not a file.`);
  }
  const bytes = bytesOfFile(file, longestText);
  if (bytes === undefined) throw new UsageError(`${shown} is longer than ${sizeText(longestText)}.`);
  return bytes;
}

/** Bytes as text. `where` begins the message. Throws UsageError for bytes that are not UTF-8. */
export function decodeText(bytes: Uint8Array, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${where} is not valid UTF-8.`);
  }
}
