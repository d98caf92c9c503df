// Time that nobody can set: milliseconds since this machine started, and which start that was. File dates and the wall
// clock are never used to tell how long ago a request was sent.

import { readFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';

/** Milliseconds of the machine's own steady clock; comparable between processes of one boot. */
export const steadyTime = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** What tells this start of the machine from any other. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Elsewhere the time of the start, roughly: a guess that is wrong only makes a run wait longer.
    return `${hostname()} ${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
  }
}
