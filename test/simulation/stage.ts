// What stories are played on: the program with everything loaded that they need, and a folder where nothing is kept.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTests } from '../support/memory-folder.ts';
import { dropDatabases, keepDatabasesIn } from './databases.ts';
import { type Fault, loadProgram } from './program.ts';
import type { Traits } from './service.ts';
import { play, type Stage, type Title, type Told, titlesApart } from './story.ts';
import { ownTheSystem } from './world.ts';

const folder = join(folderForTests(), `crm-simulation-${process.pid}`);
let ownsTheSystem = false;

/** The stage of the program as it is. */
let usual: Promise<Stage> | undefined;

/** A stage; what loads for the first time takes time that no story has, so some are played before. */
export async function stageFor(fault?: Fault, title?: Title): Promise<Stage> {
  if (fault !== undefined || title !== undefined) return build(fault, title);
  usual ??= build();
  return usual;
}

async function build(fault?: Fault, title?: Title): Promise<Stage> {
  if (!ownsTheSystem) ownTheSystem();
  ownsTheSystem = true;
  keepDatabasesIn(`${folder}-databases`);
  const made = { program: await loadProgram(fault), folder };
  // Of one kind of stories one loads what the others need.
  const [about, count] = title === undefined ? [[undefined, ...titlesApart], 8] : [[title], 1];
  for (const one of about) for (let seed = 1; seed <= count; seed += 1) await play(made, seed, one);
  return made;
}

export function strike(): void {
  dropDatabases();
  rmSync(folder, { recursive: true, force: true });
}

/** A story that went wrong, with the command that plays it again. */
export function textOf({ seed, title, wrongs, log }: Told): string {
  const told = wrongs.map(({ what, told }) => `  ${what}: ${told}`).join('\n');
  return `\nseed ${seed}, ${title}:\n${told}\nCRM_SIMULATION_SEED=${seed} npx vitest run test/simulation\n\n${log.join('\n')}\n`;
}

/** A fault that is planted, what is found of it, in stories about what, and with what service where few have what it takes. */
export interface Planted extends Fault {
  readonly name: string;
  readonly what: RegExp;
  readonly title: Title;
  readonly traits?: Partial<Traits>;
  /** The story that found it last, where none of the first ten does: it is tried first. */
  readonly seed?: number;
}

/** The first story, up to a seed, in which a fault is found: its own one, or else of all. */
export async function firstFound({ what, title, traits, seed: own = 1, ...fault }: Planted, last: number): Promise<Told | undefined> {
  const stage = await stageFor(fault, title);
  for (let seed = 0; seed <= last; seed += 1) {
    const told = await play(stage, seed === 0 ? own : seed, title, traits);
    if (told.wrongs.some((one) => what.test(one.what))) return told;
  }
  return undefined;
}
