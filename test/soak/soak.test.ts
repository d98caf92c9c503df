// Every command that the program declares comes through every fault of `crm sandbox serve --fault`: with a status of its own, in
// sentences, in its time, and with nothing written that it doesn't tell.

import { afterAll, expect, it } from 'vitest';
import { calls, notCalled } from './calls.ts';
import { days, openSoak } from './soak.ts';

const soak = await openSoak();
afterAll(() => soak.close());

it('a call of every command is typed', () => {
  expect([...Object.keys(calls), ...notCalled].sort()).toEqual([...soak.commands].sort());
});

// A third of the days for each, the same ones every time; `npm run simulation` plays all.
it.each(Object.keys(calls).map((command, at) => [command, at] as const))('crm %s', { timeout: 60_000 }, async (command, at) => {
  const wrongs = [];
  for (const [number, day] of Object.keys(days).entries()) {
    if ((at + number) % 3 > 0) continue;
    wrongs.push(...(await soak.play(command, day, Math.floor((at + number) / 3))).wrongs);
  }
  expect(wrongs).toEqual([]);
});
