// Standard output without a stream, for answers that are ready at once: making the stream takes longer than they do.

import { fstatSync, writeSync } from 'node:fs';
import { systemCode } from '../../errors.ts';

/** Whether standard output is a device, such as a terminal, and not a pipe or a file. Throws what the system says. */
export const isDevice = (): boolean => fstatSync(1).isCharacterDevice();

/**
 * Writes all of a text to standard output. A reader that went away is no error. Throws what the system says, with nothing
 * written yet or what is written still to be told of.
 */
export function writeNow(text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      const code = systemCode(error);
      if (code === 'EPIPE') return;
      // A pipe that doesn't block is full for the moment: the stream waits for it.
      if (code !== 'EAGAIN') throw error;
      process.stdout.on('error', () => {}).write(bytes.subarray(written));
      return;
    }
  }
}
