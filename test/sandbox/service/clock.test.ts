// Time stamps: writes that follow each other have stamps that do, however fast they come and whatever the clock does.

import { expect, it } from 'vitest';
import { createService } from '../../../src/sandbox/service/service.ts';
import { memoryStore } from './support.ts';

const at = Date.UTC(2026, 0, 5, 9, 30);

it('are later one by one while the clock stands still', () => {
  const { now } = createService(memoryStore(), { clock: () => at });
  expect([now(), now(), now()]).toEqual(['2026-01-05T09:30:00.000000Z', '2026-01-05T09:30:00.000001Z', '2026-01-05T09:30:00.000002Z']);
  const stamps = Array.from({ length: 3000 }, now);
  expect(stamps).toEqual([...new Set(stamps)].sort());
  expect(stamps.at(-1)).toBe('2026-01-05T09:30:00.003002Z');
});

it('are later also when the clock is set back', () => {
  const times = [at + 5, at, at + 6];
  const { now } = createService(memoryStore(), { clock: () => times.shift() ?? at });
  expect([now(), now(), now()]).toEqual(['2026-01-05T09:30:00.005000Z', '2026-01-05T09:30:00.005001Z', '2026-01-05T09:30:00.006000Z']);
});
