// A signal while the service asks for a pause: what waits is not sent, and not failed.

import { expect } from 'vitest';
import { later } from '../support/fast-time.ts';
import { tooMany } from '../support/strange-service.ts';
import { attack, countsOf, expectOnce, leadOf, leadsFile } from './place.ts';

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

for (const [signal, status] of signals) {
  attack(`${signal} in a pause of an import: no row has failed, and --resume sends every row once`, async (place) => {
    const { service } = place;
    const file = place.write('leads.csv', leadsFile(40));
    const command = ['leads', 'import', file, '--json', '--concurrency', '16'];
    service.script(({ method, nth }) => (method === 'POST' && nth > 8 ? tooMany(60) : undefined));
    const run = place.start(command);
    await service.came(({ method, nth }) => method === 'POST' && nth > 8);
    await later(3000);
    run.process.kill(signal);
    const end = await run.ended;
    expect(end.status, end.stderr).toBe(status);
    expect(end.stderr).not.toMatch(/\bfailed\b/);
    service.script(undefined);
    const resumed = await place.crm([...command, '--resume']);
    expectOnce(place, resumed, 40);
  });

  attack(`${signal} in a pause of an update of a selection: what was not sent is not called failed`, async (place) => {
    const { service } = place;
    const leads = Array.from({ length: 6 }, (_, index) => leadOf(place, index + 1, { source: 'Fair' }));
    service.script(({ method, nth }) => (method === 'PATCH' && nth > 2 ? tooMany(60) : undefined));
    const run = place.start(['leads', 'update', '--where', 'source=Fair', '--value', '7', '--yes', '--json']);
    await service.came(({ method, nth }) => method === 'PATCH' && nth > 2);
    await later(3000);
    run.process.kill(signal);
    const end = await run.ended;
    expect(end.status, end.stderr).toBe(status);
    expect(leads.filter((lead) => service.values(lead).value === '7.00')).toHaveLength(2);
    expect(end.stderr).not.toMatch(/[1-9]\d* failed/);
    service.script(undefined);
    const again = await place.crm(['leads', 'update', '--where', 'source=Fair', '--value', '7', '--yes', '--json']);
    expect(again.status, again.stderr).toBe(0);
    expect(leads.filter((lead) => service.values(lead).value === '7.00')).toHaveLength(6);
  });
}

attack('a second signal in a pause ends it at once, and --resume sends every row once', async (place) => {
  const { service } = place;
  const file = place.write('leads.csv', leadsFile(40));
  const command = ['leads', 'import', file, '--json', '--concurrency', '16'];
  service.script(({ method, nth }) => (method === 'POST' && nth > 8 ? tooMany(60) : undefined));
  const run = place.start(command);
  await service.came(({ method, nth }) => method === 'POST' && nth > 8);
  await later(3000);
  run.process.kill('SIGINT');
  await later(12_000);
  run.process.kill('SIGINT');
  await run.ended;
  service.script(undefined);
  const resumed = await place.crm([...command, '--resume']);
  expect(countsOf(resumed).failed).toBe(0);
  expectOnce(place, resumed, 40);
});
