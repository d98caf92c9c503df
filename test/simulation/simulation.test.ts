// Stories of the program against a service that refuses, loses, lags and is late, with colleagues at work and kills between any
// two awaits: thousands of them, each drawn from a number, in one process under a clock of their own. Every other one is even.test.ts's.
//
//   CRM_SIMULATION_SEED=281 npx vitest run test/simulation     plays one story and shows its log
//   CRM_SIMULATION_STORIES=10000 npx vitest run test/simulation

import { afterAll, describe, expect, it } from 'vitest';
import { stageFor, strike, textOf } from './stage.ts';
import { count, playEach } from './stories.ts';
import { play } from './story.ts';

const { CRM_SIMULATION_SEED: asked } = process.env;

afterAll(strike);

describe.skipIf(asked !== undefined)('stories', () => {
  it(`half of ${count}: nothing twice, nothing of others' unseen, and what is said is true`, { timeout: 3_600_000 }, () => playEach(1, 2));

  it('the same seed gives the same log', async () => {
    const stage = await stageFor();
    // Every day three, in CI five.
    for (const seed of [3, 49, 281, ...(process.env.CRM_SIMULATION_STORIES === undefined ? [] : [12, 73])]) {
      const { log } = await play(stage, seed);
      expect((await play(stage, seed)).log).toEqual(log);
    }
  });
});

it.runIf(asked !== undefined)(`the story of seed ${asked}`, async () => {
  const told = await play(await stageFor(), Number(asked));
  console.log(textOf(told));
  expect(told.wrongs).toEqual([]);
});
