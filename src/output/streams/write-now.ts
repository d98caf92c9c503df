// Writes to files and to standard output without a stream: a stream is slower than a prepared answer, and takes a part of a text that a
// file took for the whole.

import { fstatSync, writeSync } from 'node:fs';
import { systemCode } from '../../base/errors.ts';

/** True if standard output is a character device, such as a terminal. Throws the system's error. */
export const isDevice = (): boolean => fstatSync(1).isCharacterDevice();

/**
 * Writes all bytes to an open file. When its disk fills up, the file takes a part of the bytes, and the next write fails. Throws the
 * system's errors.
 */
export function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Writes a text to standard output. A reader that went away is no error. Throws any other error of the system. */
export function writeNow(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      const code = systemCode(error);
      if (code === 'EPIPE') return;
      // A non-blocking pipe is full: the stream waits until there is room.
      if (code !== 'EAGAIN') throw error;
      process.stdout.on('error', () => {}).write(bytes.subarray(at));
      return;
    }
  }
}
