// Removes the folder of a terminal.

import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Removes a folder. A program on a terminal that was just taken away may still be writing there what it compiled. */
export async function removed(folder: string, tries = 100): Promise<void> {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (tries === 0) throw error;
    await sleep(100);
    await removed(folder, tries - 1);
  }
}
