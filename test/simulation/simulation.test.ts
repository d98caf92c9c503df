// Stories of the program against a service that refuses, loses, lags and is late, with colleagues at work and kills between any
// two awaits: thousands of them, each drawn from a number, in one process under a clock of their own.
//
//   CRM_SIMULATION_SEED=281 npx vitest run test/simulation     plays one story and shows its log
//   CRM_SIMULATION_STORIES=10000 npx vitest run test/simulation

import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { type Fault, loadProgram } from './program.ts';
import { play, type Stage, type Title, type Told } from './story.ts';
import { ownTheSystem } from './world.ts';

const { CRM_SIMULATION_SEED: asked, CRM_SIMULATION_STORIES: count = '500' } = process.env;
/** SQLite's files are written quickest where nothing is kept. */
const folder = join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), `crm-simulation-${process.pid}`);
let stage: Stage;

beforeAll(async () => {
  ownTheSystem();
  stage = await stageFor();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A stage with everything loaded that a story may need: what loads for the first time takes time that no story has. */
async function stageFor(fault?: Fault): Promise<Stage> {
  const made = { program: await loadProgram(fault), folder, boot: systemClock.boot() };
  for (let seed = 1; seed <= 20; seed += 1) await play(made, seed);
  return made;
}

function textOf({ seed, title, wrongs, log }: Told): string {
  const told = wrongs.map(({ what, told }) => `  ${what}: ${told}`).join('\n');
  return `\nseed ${seed}, ${title}:\n${told}\nCRM_SIMULATION_SEED=${seed} npx vitest run test/simulation\n\n${log.join('\n')}\n`;
}

/** The first story, up to a seed, in which something is wrong, of what counts. */
async function firstWrong(
  where: Stage,
  last: number,
  counts: (what: string) => boolean = () => true,
  title?: Title,
): Promise<Told | undefined> {
  for (let seed = 1; seed <= last; seed += 1) {
    const told = await play(where, seed, title);
    if (told.wrongs.some(({ what }) => counts(what))) return told;
  }
  return undefined;
}

describe.skipIf(asked !== undefined)('stories', () => {
  it(`${count} of them: nothing twice, nothing of others' unseen, and what is said is true`, { timeout: 3_600_000 }, async () => {
    const told = await firstWrong(stage, Number(count));
    if (told !== undefined) expect.fail(textOf(told));
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

describe.skipIf(asked !== undefined)('a fault that is planted is found', () => {
  const faults: (Fault & { readonly name: string; readonly what: RegExp; readonly title: Title })[] = [
    {
      name: 'the mark before a request is forgotten',
      file: 'runs/runner.ts',
      right: '      this.#journal.sent(step.n, sent);\n',
      wrong: '',
      what: /^(made twice|nothing to resume)$/,
      title: 'an import of what is new',
    },
    {
      name: 'what was changed since the file was written is not compared',
      file: 'import/steps.ts',
      right: 'updated !== undefined && isLater(updated, changed) ? updated : undefined',
      wrong: 'undefined',
      what: /^wrote over what is newer than the file$/,
      title: 'an import of changes',
    },
  ];

  it.each(faults)('$name', async ({ what, title, ...fault }) => {
    const told = await firstWrong(await stageFor(fault), 500, (one) => what.test(one), title);
    expect(told?.wrongs.map((one) => one.what)).toContainEqual(expect.stringMatching(what));
  });
});
