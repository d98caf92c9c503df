// --rate by the clock of the test: no row is sent before its time.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openWorkshop, type Workshop } from './support.ts';

let shop: Workshop;

beforeEach(() => {
  shop = openWorkshop();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
  shop.remove();
});

it('--rate 10 takes half a minute for 301 rows', async () => {
  shop.write('leads.csv', `title,status,category\n${'Slow,1,1\n'.repeat(301)}`);
  const begun = performance.now();
  let took: number | undefined;
  const run = shop.crm(['leads', 'import', 'leads.csv', '--rate', '10', '--json']).then((ended) => {
    took = performance.now() - begun;
    return ended;
  });
  while (took === undefined) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersToNextTimerAsync();
  }
  expect((await run).json()).toMatchObject({ created: 301 });
  expect(Math.round(took / 1000)).toBe(30);
});
