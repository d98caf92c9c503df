// Two processes at every moment of the beginning, and one that ends there: nothing is there twice, and whoever comes next is not in its way.
// A moment is what the program does to a file or a database of its own (moments.mjs).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import type { Crm } from '../support/crm.ts';
import { runHere } from '../support/run-here.ts';
import { attack, leadsFile, type Place, titlesOf } from './place.ts';

const hook = fileURLToPath(new URL('moments.mjs', import.meta.url));

/** So many moments are tried, evenly over the beginning; all of them with CRM_MOMENTS=all. */
const most = process.env.CRM_MOMENTS === 'all' ? Number.POSITIVE_INFINITY : 5;

const seed = `version: 1\nrecords:\n${['ada', 'ben']
  .map((name) => `  - { name: ${name}, type: lead, set: { title: Deal of ${name}, status: 1, category: 1 } }\n`)
  .join('')}`;

/** The environment of a process that `what` befalls at a moment. */
const momentEnv = (folder: string, moment: number, what: 'kill' | 'stop' | 'full' | ''): Record<string, string> => ({
  ...{ CRM_DATA_DIR: folder, NODE_OPTIONS: `--import=${hook}`, MOMENTS_FOLDER: folder },
  ...{ MOMENTS_AT: String(moment), MOMENTS_WHAT: what },
});

/** How many moments a command has until it first sends a write, by its first word. */
const totals = new Map<string, Promise<number>>();

async function countMoments({ proxy, folder, start }: Place, command: readonly string[]): Promise<number> {
  const counted = join(folder, 'count');
  let total = 0;
  proxy.change({
    answer: ({ method }) => {
      if (method === 'GET') return undefined;
      total ||= Number(readFileSync(counted, 'utf8'));
      return { carried: 'never', answer: 'silence' };
    },
  });
  // One request at once: another one could reach the service after the faults are gone.
  const run = start([...command, '--concurrency', '1'], { ...momentEnv(join(folder, 'counted'), 0, ''), MOMENTS_COUNT: counted });
  await proxy.write(1);
  run.process.kill('SIGKILL');
  await run.ended;
  proxy.change();
  expect(total).toBeGreaterThan(5);
  return total;
}

/** Does the work at moments of a command until it first sends a write, each time with a new data folder and without leads. */
async function atMoments(place: Place, command: readonly string[], work: (moment: number, folder: string) => Promise<void>): Promise<void> {
  const [word = ''] = command;
  const counted = totals.get(word) ?? countMoments(place, command);
  totals.set(word, counted);
  const total = await counted;
  const step = Math.max(1, total / most);
  for (let at = 1; at <= total; at += step) {
    await work(Math.floor(at), join(place.folder, `data-${Math.floor(at)}`));
    for (const { id } of (await place.ask('GET', '/api/leads')) as { id: number }[]) await place.ask('DELETE', `/api/leads/${id}`);
  }
}

const told = (moment: number, ...ends: readonly Crm[]): string =>
  [moment, ...ends.map(({ status, stderr }) => `${status}: ${stderr}`)].join('\n');

/** The front ends; `twice`: the statuses of two at once. */
const frontEnds = [
  {
    ...{ name: 'an import', file: 'leads.csv', text: leadsFile(6), words: ['leads', 'import'], twice: [0, 10] },
    titles: [1, 2, 3, 4, 5, 6].map((number) => `Lead ${number}`),
  },
  {
    ...{ name: 'an apply', file: 'people.yaml', text: seed, words: ['seed', 'apply'], twice: [0, 0] },
    titles: ['Deal of ada', 'Deal of ben'],
  },
];

describe.concurrent.each(frontEnds)('$name', ({ file, text, words, twice, titles }) => {
  const commandIn = (place: Place): string[] => [...words, place.write(file, text), '--json'];

  attack('that meets another one at any moment of its beginning: each record is there once', async (place) => {
    const command = commandIn(place);
    await atMoments(place, command, async (moment, folder) => {
      const first = place.start(command, momentEnv(folder, moment, 'stop'));
      await stopped(first.process.pid);
      const second = place.start(command, { CRM_DATA_DIR: folder });
      // It may wait for the first one, which goes on soon.
      await Promise.race([second.ended, sleep(400)]);
      first.process.kill('SIGCONT');
      const ends = await Promise.all([first.ended, second.ended]);
      expect([await titlesOf(place), ends.map(({ status }) => status).toSorted()], told(moment, ...ends)).toEqual([titles, twice]);
    });
  });

  attack('that is killed at any moment of its beginning: the history and the next one go through', async (place) => {
    const command = commandIn(place);
    await atMoments(place, command, async (moment, folder) => {
      const here = (args: readonly string[]): Promise<Crm> => runHere(args, { env: { ...place.env, CRM_DATA_DIR: folder } });
      await place.crm(command, momentEnv(folder, moment, 'kill'));
      const list = await here(['history', '--json']);
      const next = await here(command);
      // It had begun, and may have sent something.
      const end = next.status === 10 ? await here([...command, '--resume']) : next;
      expect([list.status, end.status, await titlesOf(place)], told(moment, list, end)).toEqual([0, 0, titles]);
    });
  });

  attack('without room on the disk from any moment of its beginning: 7, nothing is sent, and nothing is called whole', async (place) => {
    const command = commandIn(place);
    await atMoments(place, command, async (moment, folder) => {
      const end = await place.crm(command, momentEnv(folder, moment, 'full'));
      expect([end.status, await titlesOf(place)], told(moment, end)).toEqual([7, []]);
      expect(end.stderr, told(moment)).not.toMatch(/journal is whole|--resume/);
    });
  });
});

/** Resolves once a process stands still, or is over. */
async function stopped(pid: number | undefined): Promise<void> {
  for (let turn = 0; turn < 6000; turn += 1) {
    try {
      const [, state] = /^\d+ \(.*\) (\S)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      if (state === 'T' || state === 'Z') return;
    } catch {
      return;
    }
    await sleep(10);
  }
  throw new Error('It never came to that moment.');
}
