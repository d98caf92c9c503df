// Two processes at every moment of the beginning, and one that ends there: nothing is there twice, and whoever comes next is
// not in its way. A moment is what the program does to a file or a database of its own (moments.mjs).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Crm } from '../support/crm.ts';
import { fastEnv, later } from '../support/fast-time.ts';
import { attack, countsOf, leadsFile, type Place, seedLead, seedOf, titlesOf, titlesUpTo } from './place.ts';

const rows = 6;
const hook = fileURLToPath(new URL('moments.mjs', import.meta.url));

/** So many moments are tried, evenly over the beginning; all of them with CRM_MOMENTS=all. */
const most = process.env.CRM_MOMENTS === 'all' ? Number.POSITIVE_INFINITY : 5;

const momentEnv = (folder: string, more: Record<string, string>): Record<string, string> => ({
  ...fastEnv(),
  NODE_OPTIONS: `${fastEnv().NODE_OPTIONS} --import=${hook}`,
  MOMENTS_FOLDER: folder,
  ...more,
});

/** The moments of a command until it first sends a write. */
async function momentsOf(place: Place, args: readonly string[]): Promise<number[]> {
  const { service } = place;
  const [folder, counted] = [join(place.folder, 'counted'), join(place.folder, 'count')];
  let total = 0;
  service.script(({ method }) => {
    if (method === 'GET') return undefined;
    total = Number(readFileSync(counted, 'utf8'));
    return { carried: 'never', answer: 'cut' };
  });
  const run = place.start([...args], { CRM_DATA_DIR: folder, ...momentEnv(folder, { MOMENTS_COUNT: counted }) });
  await service.came(({ method }) => method !== 'GET');
  run.process.kill('SIGKILL');
  await run.ended;
  // What was on its way has come by then.
  await later(2000);
  service.script(undefined);
  expect(total).toBeGreaterThan(5);
  const step = Math.max(1, total / most);
  return [...new Set(Array.from({ length: Math.ceil(total / step) }, (_, index) => Math.floor(1 + index * step)))];
}

const importing = (place: Place): string[] => ['leads', 'import', place.write('leads.csv', leadsFile(rows)), '--json'];

const dataOf = (place: Place, name: string | number): string => join(place.folder, `data-${name}`);

/** Everything that is there is taken away. */
function clear({ service }: Place): void {
  for (const kept of service.there('leads')) service.colleague.remove(kept);
}

const once = (place: Place, what: string): void => expect(titlesOf(place), what).toEqual(titlesUpTo(rows));

const told = ({ status, stderr }: Crm): string => `${status}: ${stderr}`;

attack(
  'an import started twice at once in a folder without journals creates each row once',
  async (place) => {
    const command = importing(place);
    const ends = await Promise.all([place.crm(command), place.crm(command)]);
    once(place, ends.map(told).join('\n'));
    expect(ends.map(({ status }) => status).toSorted(), ends.map(told).join('\n')).toEqual([0, 10]);
  },
  { takes: 300 },
);

attack('an import that meets another one at any moment of its beginning: each row is there once', async (place) => {
  const command = importing(place);
  for (const moment of await momentsOf(place, command)) {
    const folder = dataOf(place, moment);
    const first = place.start(command, {
      CRM_DATA_DIR: folder,
      ...momentEnv(folder, { MOMENTS_AT: String(moment), MOMENTS_WHAT: 'stop' }),
    });
    await stopped(first.process.pid);
    const second = place.start(command, { CRM_DATA_DIR: folder });
    // It may wait for the first one, which goes on soon.
    await Promise.race([second.ended, later(4000)]);
    first.process.kill('SIGCONT');
    const ends = await Promise.all([first.ended, second.ended]);
    once(place, `moment ${moment}\n${ends.map(told).join('\n')}`);
    expect(ends.map(({ status }) => status).toSorted(), `moment ${moment}\n${ends.map(told).join('\n')}`).toEqual([0, 10]);
    clear(place);
  }
});

attack('an import that is killed at any moment of its beginning: the next one goes through, and so does the history', async (place) => {
  const command = importing(place);
  for (const moment of await momentsOf(place, command)) {
    const folder = dataOf(place, moment);
    const env = { CRM_DATA_DIR: folder };
    await place.crm(command, { env: { ...env, ...momentEnv(folder, { MOMENTS_AT: String(moment), MOMENTS_WHAT: 'kill' }) } });
    const list = await place.crm(['history', '--json'], { env });
    expect(list.status, `moment ${moment}: ${list.stderr}`).toBe(0);
    let end = await place.crm(command, { env });
    // It had begun, and may have sent something.
    if (end.status === 10) end = await place.crm([...command, '--resume'], { env });
    expect(end.status, `moment ${moment}: ${end.stderr}`).toBe(0);
    once(place, `moment ${moment}`);
    clear(place);
  }
});

attack('an apply that is killed at any moment of its beginning: the next one goes through', async (place) => {
  const file = place.write('people.yaml', seedOf(seedLead('ada'), seedLead('ben')));
  const command = ['seed', 'apply', file, '--json'];
  for (const moment of await momentsOf(place, command)) {
    const folder = dataOf(place, moment);
    const env = { CRM_DATA_DIR: folder };
    await place.crm(command, { env: { ...env, ...momentEnv(folder, { MOMENTS_AT: String(moment), MOMENTS_WHAT: 'kill' }) } });
    const end = await place.crm(command, { env });
    expect(end.status, `moment ${moment}: ${end.stderr}`).toBe(0);
    expect(titlesOf(place), `moment ${moment}`).toEqual(['Deal of ada', 'Deal of ben']);
    clear(place);
  }
});

attack(
  'no room on the disk from any moment of the beginning: 7, nothing is sent, and nothing is called whole that was never made',
  async (place) => {
    const command = importing(place);
    const before = place.service.writes().length;
    for (const moment of await momentsOf(place, command)) {
      const sent = place.service.writes().length;
      const folder = dataOf(place, moment);
      const env = { CRM_DATA_DIR: folder };
      const end = await place.crm(command, { env: { ...env, ...momentEnv(folder, { MOMENTS_AT: String(moment), MOMENTS_WHAT: 'full' }) } });
      expect([end.status, place.service.writes().length - sent], `moment ${moment}: ${end.stderr}`).toEqual([7, 0]);
      expect(end.stderr, `moment ${moment}`).not.toMatch(/journal is whole|--resume/);
    }
    expect(before).toBe(0);
  },
);

attack(
  'an apply that meets another one of the same run at any moment of its beginning: neither calls the journal damaged',
  async (place) => {
    const command = ['seed', 'apply', place.write('people.yaml', seedOf(seedLead('ada'), seedLead('ben'))), '--json'];
    for (const moment of await momentsOf(place, command)) {
      const folder = dataOf(place, moment);
      const first = place.start(command, {
        CRM_DATA_DIR: folder,
        ...momentEnv(folder, { MOMENTS_AT: String(moment), MOMENTS_WHAT: 'stop' }),
      });
      await stopped(first.process.pid);
      const second = place.start(command, { CRM_DATA_DIR: folder });
      await Promise.race([second.ended, later(4000)]);
      first.process.kill('SIGCONT');
      const ends = await Promise.all([first.ended, second.ended]);
      expect(
        ends.map(({ status }) => status),
        `moment ${moment}\n${ends.map(told).join('\n')}`,
      ).toEqual([0, 0]);
      expect(titlesOf(place)).toEqual(['Deal of ada', 'Deal of ben']);
      clear(place);
    }
  },
);

attack('another journal beside the first one does not turn the guard off', async (place) => {
  const command = importing(place);
  const first = await place.crm(command);
  expect(countsOf(first).created).toBe(rows);
  const again = await place.crm([...command, '--journal', join(place.folder, 'other.sqlite')]);
  once(place, again.stderr);
  expect([2, 10], again.stderr).toContain(again.status);
});

/** Resolves once a process stands still, or is over. */
async function stopped(pid: number | undefined): Promise<void> {
  for (let turn = 0; turn < 600; turn += 1) {
    try {
      const [, state] = /^\d+ \(.*\) (\S)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      if (state === 'T' || state === 'Z') return;
    } catch {
      return;
    }
    await later(100);
  }
  throw new Error('It never came to that moment.');
}
