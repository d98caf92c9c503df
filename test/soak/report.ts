// The soak as a table, a line for each kind of day.

import { calls } from './calls.ts';
import { days, openSoak, type Wrong } from './soak.ts';

/** Plays every command on every day with so many seeds. */
export async function soak(
  seeds: number,
): Promise<{ readonly table: readonly (readonly [string, string])[]; readonly wrongs: readonly string[] }> {
  const opened = await openSoak();
  const wrongs: Wrong[] = [];
  const table: [string, string][] = [];
  for (const day of Object.keys(days)) {
    const statuses = new Map<number, number>();
    const found: Wrong[] = [];
    let failed = 0;
    for (const command of Object.keys(calls)) {
      for (let seed = 1; seed <= seeds; seed += 1) {
        const played = await opened.play(command, day, seed);
        failed += played.faults;
        statuses.set(played.status, (statuses.get(played.status) ?? 0) + 1);
        found.push(...played.wrongs);
      }
    }
    const ended = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    table.push([day, `${Object.keys(calls).length * seeds} calls  ${failed} failed  ${ended.join(', ')}  wrong ${found.length}`]);
    wrongs.push(...found);
  }
  await opened.close();
  return { table, wrongs: wrongs.map(({ command, day, seed, what, said }) => `crm ${command}, ${day}, seed ${seed}: ${what}\n${said}`) };
}
