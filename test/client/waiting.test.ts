// What stands beside the spinner of a single request: what it waits for, and how long yet.

import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { type ApiOptions, createApi } from '../../src/client/client.ts';
import type { Transport } from '../../src/client/transport/wire.ts';

it('the seconds of a pause go down, and the next try is told as one', async () => {
  let now = 5000;
  const timers: { readonly at: number; work(): void }[] = [];
  const clock: Clock = {
    now: () => new Date(now),
    steady: () => now,
    after: (milliseconds, work) => {
      const timer = { at: now + milliseconds, work };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer), 1);
    },
    tick: () => turn(),
    random: () => 0,
  };
  const answers = [{ status: 429, headers: { 'retry-after': '7' }, body: Buffer.from('') }, new Promise<never>(() => {})];
  const transport = { exchange: async () => answers.shift(), close: async () => {} } as unknown as Transport;
  let line: () => unknown = () => undefined;
  const options: ApiOptions = {
    ...{ transport, clock, key: 'k', encoding: 'form', userAgent: 'crm', command: 'crm', timeout: 30_000, retries: 3, dryRun: false },
    destination: { baseUrl: 'https://crm.example', keySource: 'CRM_API_KEY' },
    signal: new AbortController().signal,
    during: (label, work) => {
      line = () => label('3 s');
      return work;
    },
    begin: () => () => {},
    waits: () => {},
    trace: () => {},
  };
  void createApi(options).read({ method: 'GET', path: '/api/leads' });
  await turn();
  expect(line()).toEqual({ text: 'crm.example answered 429, GET /api/leads', tail: 'going on in 7 s (1 of 3)' });
  now += 4500;
  expect(line()).toEqual({ text: 'crm.example answered 429, GET /api/leads', tail: 'going on in 3 s (1 of 3)' });
  now += 2500;
  for (const { at, work } of [...timers]) if (at <= now) work();
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(line()).toEqual({ text: 'Waiting for crm.example again, GET /api/leads', tail: '3 s (1 of 3)' });
});
