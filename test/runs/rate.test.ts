// --rate by the clock of the test: no row is sent before its time.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openWorkshop, type Workshop } from '../import/support.ts';

let shop: Workshop;

beforeEach(() => {
  shop = openWorkshop();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime', 'performance', 'Date'] });
});

afterEach(() => {
  vi.useRealTimers();
  shop.remove();
});

it('--rate 10 sends no more than ten rows a second', async () => {
  shop.write('leads.csv', `title,status,category\n${'Slow,1,1\n'.repeat(101)}`);
  let isOver = false;
  const run = shop.crm(['leads', 'import', 'leads.csv', '--rate', '10', '--json']).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(5);
  }
  expect((await run).json()).toMatchObject({ created: 101 });
  vi.useRealTimers();
  const leads = (await shop.crm(['leads', 'list', '--all', '--json'])).json() as { dates: { created: string } }[];
  const perSecond = [...Map.groupBy(leads, ({ dates }) => dates.created.slice(0, 19)).values()].map(({ length }) => length);
  // A second of the service's clock may hold the end of one of crm's and the beginning of the next.
  expect(Math.max(...perSecond)).toBeLessThanOrEqual(11);
});
