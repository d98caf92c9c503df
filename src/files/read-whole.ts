// Files and standard input that are read whole, up to a limit: a device that never ends must not fill the memory.

import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemCode, UsageError } from '../errors.ts';

/** The longest text for a field, a body or a seed file, in bytes. */
export const longestText = 16 * 1024 * 1024;

/** The text of a file; messages begin with `where`, such as `--data: `. Throws UsageError when it can't be read, is too long or not UTF-8. */
export function readSmallFile({ cwd }: { readonly cwd: string }, path: string, where = ''): string {
  return decode(bytesOf(resolve(cwd, path), path, where), `${where}${path}`);
}

/** Standard input, and the signal that ends the wait for it. */
interface Stdin {
  readonly io: { readonly stdin: { readAll(most: number, signal: AbortSignal): Promise<Uint8Array> } };
  readonly signal: AbortSignal;
}

/** All of standard input as a text. Throws UsageError like `readSmallFile`, and the signal's reason. */
export async function readStdin({ io, signal }: Stdin, where = ''): Promise<string> {
  return decode(await io.stdin.readAll(longestText, signal), `${where}standard input`);
}

function bytesOf(path: string, shown: string, where: string): Uint8Array {
  try {
    return readAtMost(path, longestText, `${where}${shown}`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${where}${where === '' ? 'Can' : 'can'}'t read ${shown} (${systemCode(error) ?? 'unreadable'}).`, {
      cause: error,
    });
  }
}

function readAtMost(path: string, most: number, shown: string): Uint8Array {
  const file = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let length = 0; ; ) {
      const chunk = Buffer.alloc(65_536);
      const read = readSync(file, chunk);
      if (read === 0) return Buffer.concat(chunks, length);
      length += read;
      if (length > most) throw new UsageError(`${shown} is longer than ${most / 1024 / 1024} MiB.`);
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

function decode(bytes: Uint8Array, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${where} is not valid UTF-8.`);
  }
}
