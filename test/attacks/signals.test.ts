// A signal while the service asks for a pause: what waits is not sent, and not failed.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { attack, leadsFile, makeLeads, titlesOf } from './place.ts';

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

for (const [signal, status] of signals) {
  attack(`${signal} in a pause of an import: no row has failed, and --resume sends every row once`, async (place) => {
    const command = ['leads', 'import', place.write('leads.csv', leadsFile(40)), '--json', '--concurrency', '16'];
    place.proxy.change({ answer: ({ method, nth }) => (method === 'POST' && nth > 8 ? 429 : undefined), retryAfter: '60' });
    const run = place.start(command);
    await place.proxy.came(({ method, nth }) => method === 'POST' && nth > 8);
    await sleep(300);
    run.process.kill(signal);
    const end = await run.ended;
    expect([end.status, end.stderr]).toEqual([status, expect.not.stringMatching(/\bfailed\b/)]);
    place.proxy.change();
    const resumed = await place.crm([...command, '--resume']);
    expect(JSON.parse(resumed.stdout), resumed.stderr).toMatchObject({ created: 40, unknown: 0, failed: 0 });
    expect(new Set(await titlesOf(place)).size).toBe(40);
    expect(await titlesOf(place)).toHaveLength(40);
  });
}

attack('SIGINT in a pause of an update of a selection: what was not sent is not called failed', async (place) => {
  await makeLeads(place, 6);
  const values = async (): Promise<number> =>
    ((await place.ask('GET', '/api/leads')) as { value: string }[]).filter(({ value }) => value === '7.00').length;
  const command = ['leads', 'update', '--where', 'source=Fair', '--value', '7', '--yes', '--json'];
  place.proxy.change({ answer: ({ method, nth }) => (method === 'PATCH' && nth > 2 ? 429 : undefined), retryAfter: '60' });
  const run = place.start(command);
  await place.proxy.came(({ method, nth }) => method === 'PATCH' && nth > 2);
  await sleep(300);
  run.process.kill('SIGINT');
  const end = await run.ended;
  expect([end.status, await values(), end.stderr]).toEqual([130, 2, expect.not.stringMatching(/[1-9]\d* failed/)]);
  place.proxy.change();
  expect([(await place.crm(command)).status, await values()]).toEqual([0, 6]);
});
