// Each fault that is planted is found, by its seed: `npm run simulation` tells by which.

import { afterAll, expect, it } from 'vitest';
import { faults } from './faults.ts';
import { firstFound, strike } from './stage.ts';

afterAll(strike);

it.each(faults)('$name: it is found', { timeout: 3_600_000 }, async (fault) => {
  const told = await firstFound(fault, 4000);
  console.log(`${fault.name}: found by seed ${told?.seed ?? '-'}`);
  expect(told?.wrongs.map((one) => one.what)).toContainEqual(expect.stringMatching(fault.what));
});
