// Time that runs faster: for the programs that a test starts, from outside (fast-clock.mjs), and for the services that they
// talk to. A minute's wait of theirs is six seconds of the test's; what they compute takes as long as ever.

import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** How many seconds pass in a second of the test. */
export const speed = 10;

const epoch = Date.now();

/** The time, in milliseconds; later than it is. */
export const timeNow = (): number => epoch + (Date.now() - epoch) * speed;

/** Resolves in so many milliseconds of that time. */
export const later = (milliseconds: number): Promise<void> => sleep(milliseconds / speed);

const clock = fileURLToPath(new URL('fast-clock.mjs', import.meta.url));

/** What the environment of a program says for that. `ahead`: by how many milliseconds its wall clock is ahead; less is behind. */
export function fastEnv({ ahead = 0 } = {}): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${clock}`,
    // Waits are as long as ever: it is the time that is short.
    CRM_TEST_WAITS: '1',
    FAST_SPEED: String(speed),
    FAST_EPOCH: String(epoch),
    FAST_AHEAD: String(ahead),
  };
}
