// Removes the folder of a process that ran on a terminal.

import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Removes a folder. Tries again for ten seconds, because a process whose terminal was just closed may still write its compile cache there.
 */
export async function removed(folder: string, tries = 100): Promise<void> {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (tries === 0) throw error;
    await sleep(100);
    await removed(folder, tries - 1);
  }
}
