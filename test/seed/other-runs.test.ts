// Runs beside one another in one service: what one of them lost the answer to is none of the others' records.

import { expect, it } from 'vitest';
import { type Faults, startFaultyProxy } from '../support/faulty-proxy.ts';
import { openWorkplace, type Workplace } from './support.ts';

/** A seed file of leads, each known by its title. */
const leads = (...titles: string[]): string =>
  `version: 1\nrecords:\n${titles.map((title) => `  - { name: ${title}, type: lead, set: { title: ${title}, status: 1, category: 1 } }\n`).join('')}`;

async function inWorkplace(faults: Faults, work: (place: Workplace, apply: Apply, change: (faults?: Faults) => void) => Promise<void>) {
  const place = await openWorkplace({ empty: true });
  const proxy = await startFaultyProxy(place.server.baseUrl, faults);
  const env = { CRM_BASE_URL: proxy.baseUrl };
  const apply: Apply = async (file, run) => {
    place.write(`${run}.yaml`, file);
    const { status, stdout, stderr } = await place.crm(['seed', 'apply', `${run}.yaml`, '--run', run, '--json'], { env });
    expect(status, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  try {
    await work(place, apply, proxy.change);
  } finally {
    await proxy.close();
    await place.close();
  }
}

type Apply = (file: string, run: string) => Promise<Record<string, unknown>>;

it('what is there before a run is looked at once, before anything is sent', async () => {
  const seen: string[] = [];
  const answer: Faults['answer'] = ({ method }) => {
    seen.push(method);
    return undefined;
  };
  await inWorkplace({ answer }, async (_place, apply) => {
    await apply('version: 1\nrecords:\n  - { name: l, type: lead, count: 6, set: { title: L, status: 1, category: 1 } }\n', 'one');
  });
  // What is archived has a list of its own.
  expect(seen.slice(0, 3)).toEqual(['GET', 'GET', 'POST']);
  expect(seen.filter((method) => method === 'POST')).toHaveLength(6);
});

it('a record of a run that began later is not taken by one that was gone on with after that', async () => {
  await inWorkplace({}, async (_place, apply, change) => {
    await apply(leads('r1'), 'a');
    const b = await apply(leads('r1', 'r2'), 'b');
    await apply(leads('r1', 'r3'), 'a');
    let fails = 1;
    change({ answer: ({ method, body }) => (method === 'POST' && body.includes('=r2') && fails-- > 0 ? 500 : undefined) });
    const a = await apply(leads('r1', 'r2', 'r3'), 'a');
    expect(a.r2).not.toBe(b.r2);
  });
});

it('a record that another run is creating just now is not taken for a lost one', async () => {
  let fails = 1;
  const refuseFirst: Faults = { answer: ({ method }) => (method === 'POST' && fails-- > 0 ? 500 : undefined) };
  await inWorkplace(refuseFirst, async (place, apply, change) => {
    const first = apply(leads('x'), 'first');
    await expect.poll(() => fails, { timeout: 20_000 }).toBe(0);
    change({ delayWrites: 5000 });
    const ids = await Promise.all([first, apply(leads('x'), 'second')]);
    expect(ids[0]?.x).not.toBe(ids[1]?.x);
    expect((await place.everything()).leads).toHaveLength(2);
  });
}, 60_000);
