// Writes to standard output without a stream, for prepared answers: making a stream takes longer than the answer.

import { fstatSync, writeSync } from 'node:fs';
import { systemCode } from '../../base/errors.ts';

/** True if standard output is a character device, such as a terminal. Throws the system's error. */
export const isDevice = (): boolean => fstatSync(1).isCharacterDevice();

/** Writes a text to standard output. A reader that went away is no error. Throws any other error of the system. */
export function writeNow(text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      const code = systemCode(error);
      if (code === 'EPIPE') return;
      // A non-blocking pipe is full: the stream waits until there is room.
      if (code !== 'EAGAIN') throw error;
      process.stdout.on('error', () => {}).write(bytes.subarray(written));
      return;
    }
  }
}
