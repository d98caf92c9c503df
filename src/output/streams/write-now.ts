// Standard output without a stream, for answers that are ready at once: creating the stream would take longer than they do.

import { fstatSync, writeSync } from 'node:fs';
import { systemCode } from '../../errors.ts';

/** Whether standard output is a device, such as a terminal, and not a pipe or a file. Throws the system's error. */
export const isDevice = (): boolean => fstatSync(1).isCharacterDevice();

/**
 * Writes all of a text to standard output. A reader that went away is no error. Throws the system's error.
 */
export function writeNow(text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      const code = systemCode(error);
      if (code === 'EPIPE') return;
      // A non-blocking pipe is full for the moment; a stream waits until there is room.
      if (code !== 'EAGAIN') throw error;
      process.stdout.on('error', () => {}).write(bytes.subarray(written));
      return;
    }
  }
}
