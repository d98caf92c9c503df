// Stories of the program against a service that refuses, loses, lags and is late, with colleagues at work and kills between any
// two awaits: thousands of them, each drawn from a number, in one process under a clock of their own.
//
//   CRM_SIMULATION_SEED=281 npx vitest run test/simulation     plays one story and shows its log
//   CRM_SIMULATION_STORIES=10000 npx vitest run test/simulation

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stageFor, strike, textOf } from './stage.ts';
import { play, type Stage } from './story.ts';

const { CRM_SIMULATION_SEED: asked, CRM_SIMULATION_STORIES: count = '500' } = process.env;
let stage: Stage;

beforeAll(async () => {
  stage = await stageFor();
});

afterAll(strike);

describe.skipIf(asked !== undefined)('stories', () => {
  it(`${count} of them: nothing twice, nothing of others' unseen, and what is said is true`, { timeout: 3_600_000 }, async () => {
    for (let seed = 1; seed <= Number(count); seed += 1) {
      const told = await play(stage, seed);
      if (told.wrongs.length > 0) expect.fail(textOf(told));
    }
  });

  it('the same seed gives the same log', async () => {
    for (const seed of [3, 12, 49, 73, 281]) {
      const { log } = await play(stage, seed);
      expect((await play(stage, seed)).log).toEqual(log);
    }
  });
});

it.runIf(asked !== undefined)(`the story of seed ${asked}`, async () => {
  const told = await play(stage, Number(asked));
  console.log(textOf(told));
  expect(told.wrongs).toEqual([]);
});
