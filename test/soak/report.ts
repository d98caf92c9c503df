// The soak as a table, a line for each kind of day.

import { calls } from './calls.ts';
import { days, openSoak, type Wrong } from './soak.ts';

/** Plays every command on every day with so many seeds. `table`: its first line names the columns, some of which are statuses. */
export async function soak(
  seeds: number,
): Promise<{ readonly table: readonly (readonly (string | number)[])[]; readonly wrongs: readonly string[] }> {
  const opened = await openSoak();
  const wrongs: Wrong[] = [];
  const ends: { readonly day: string; readonly statuses: readonly number[]; readonly faults: number; readonly wrong: number }[] = [];
  for (const day of Object.keys(days)) {
    const played = [];
    for (const command of Object.keys(calls))
      for (let seed = 1; seed <= seeds; seed += 1) played.push(await opened.play(command, day, seed));
    const found = played.flatMap((one) => one.wrongs);
    wrongs.push(...found);
    const faults = played.reduce((sum, one) => sum + one.faults, 0);
    ends.push({ day, statuses: played.map(({ status }) => status), faults, wrong: found.length });
  }
  await opened.close();
  const statuses = [...new Set(ends.flatMap((one) => one.statuses))].sort((a, b) => a - b);
  const table = ends.map(({ day, statuses: own, faults, wrong }) => [
    day,
    own.length,
    faults,
    ...statuses.map((status) => own.filter((one) => one === status).length),
    wrong,
  ]);
  return {
    table: [['', 'calls', 'faults', ...statuses, 'wrong'], ...table],
    wrongs: wrongs.map(({ command, day, seed, what, said }) => `crm ${command}, ${day}, seed ${seed}: ${what}\n${said}`),
  };
}
