// `npm run simulation`: plays stories, plants the faults, and prints what came of it as tables.
//
//   npm run simulation            10,000 stories, and every fault up to its 2,000th story
//   npm run simulation -- 500     so many stories

import { faults } from './faults.ts';
import { firstFound, stageFor, strike, textOf } from './stage.ts';
import { play, type Told } from './story.ts';

const count = Number(process.argv[2] ?? 10_000);
const mostSeeds = 2000;

/** What must never happen, and how the stories call it. */
const sorts: readonly (readonly [what: string, called: RegExp])[] = [
  ['lost', /^(lost|said to|nothing to resume|did not go back|a row without|made, and neither)/],
  ['doubled untold', /^made (twice(?!, and named)|beside)/],
  ['doubled and named', /^made twice, and named/],
  ['overwritten or deleted unseen', /^(overwrote|erased|deleted|took|wrote|an undo deleted|not as a colleague|kept,)/],
  ['hangs', /comes to no end/],
  ['refused too often, or not done', /^(asked again and again|refused,|spaced,)/],
  ['asked without need', /^(asked without need|kept as changed)/],
];

const say = (text: string): void => void process.stdout.write(`${text}\n`);
/** Rows of a table: numbers below each other. */
function lines(rows: readonly (readonly (string | number)[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  for (const [name, ...values] of rows)
    say(
      `  ${String(name).padEnd(widths[0] ?? 0)}${values.map((value, at) => `  ${String(value).padStart(widths[at + 1] ?? 0)}`).join('')}`,
    );
}

const [titles, befell, asked, wrong] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>(), [] as Told[]];
const add = (map: Map<string, number>, name: string, number: number): void => void map.set(name, (map.get(name) ?? 0) + number);
say(`Stories: ${count.toLocaleString('en')}, which takes minutes`);
const stage = await stageFor();
for (let seed = 1; seed <= count; seed += 1) {
  const told = await play(stage, seed);
  add(titles, told.title, 1);
  for (const [what, number] of told.befell) add(befell, what, number);
  for (const { what } of told.questions) add(asked, what, 1);
  if (told.wrongs.length > 0) wrong.push(told);
}
const kinds = wrong.flatMap(({ wrongs }) => wrongs.map(({ what }) => what));
const isSorted = (what: string): boolean => sorts.some(([, called]) => called.test(what));
lines([...titles].toSorted(([a], [b]) => a.localeCompare(b)));
say('\nWhat befell them, and how often');
lines([...befell].toSorted(([a], [b]) => a.localeCompare(b)));
say('\nWhat must never happen, and how often it did');
lines([
  ...sorts.map(([what, called]) => [what, kinds.filter((kind) => called.test(kind)).length] as const),
  ['anything else', kinds.filter((kind) => !isSorted(kind)).length],
]);
say('\nWhat a person was asked to decide, and how often');
lines([...asked].toSorted(([a], [b]) => a.localeCompare(b)));
for (const told of wrong.slice(0, 3)) say(textOf(told));

say('\nFaults planted in the program, and the story that finds each');
const found: (readonly [string, string | number])[] = [];
for (const fault of faults) found.push([fault.name, (await firstFound(fault, mostSeeds))?.seed ?? 'not found']);
lines(found);
strike();
process.exitCode = wrong.length > 0 || found.some(([, seed]) => seed === 'not found') ? 1 : 0;
