// The stories that `npm test` and CI play, in parts beside each other.

import { expect } from 'vitest';
import { stageFor, textOf } from './stage.ts';
import { play } from './story.ts';

/** How many there are in all; every day plays one half. */
export const count = Number(process.env.CRM_SIMULATION_STORIES ?? 100);

/** Plays every so many-th story from one on. */
export async function playEach(first: number, step: number): Promise<void> {
  const stage = await stageFor();
  for (let seed = first; seed <= count; seed += step) {
    const told = await play(stage, seed);
    if (told.wrongs.length > 0) expect.fail(textOf(told));
  }
}
