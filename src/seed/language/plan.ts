// What a seed file comes to: every record that is to be, with all that is known put in and checked, in an order in which
// whatever is referred to comes first. Nothing is sent while this is worked out.

import { UsageError } from '../../errors.ts';
import { Problems, type Where } from '../../files/problems.ts';
import { FileWords } from '../../names/file-words.ts';
import { parseInteger } from '../../values/parse.ts';
import { suggestion } from '../../values/text/suggest.ts';
import { checkDuplicates, checkMembers, checkPart } from './check.ts';
import { partOf } from './draft.ts';
import { loadFake } from './fake.ts';
import type { SeedFile, SeedRecord } from './file.ts';
import { cycleText, orderOfParts } from './order.ts';
import type { PlanPart } from './planned.ts';
import { type RunScope, resolvePlain } from './scope.ts';
import { ownWords } from './template.ts';

export interface SeedPlan {
  readonly run: string;
  readonly parts: readonly PlanPart[];
  /** Names in the order of the file, and whether each stands for counted records. */
  readonly names: readonly { readonly name: string; readonly isCounted: boolean }[];
}

export interface PlanOptions {
  readonly run: string;
  readonly randomSeed: number;
  /** The day that made-up dates are near to, `YYYY-MM-DD`. */
  readonly today: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names in place of ids; those that are not looked up yet stand for any id. */
  readonly words?: FileWords;
}

/** The most records that one name may stand for. */
const largestCount = 100_000;

/** The most records that a file may stand for. */
const mostRecords = 200_000;

/** Works out a file. Throws UsageError with everything that is wrong with it, each at its line. */
export async function planOf(file: SeedFile, options: PlanOptions): Promise<SeedPlan> {
  const problems = new Problems();
  const isFaking = JSON.stringify([file.vars, file.records]).includes('${fake.');
  const scope = scopeOf(file, options, isFaking ? await loadFake(options.today) : undefined);
  for (const name of Object.keys(file.vars)) problems.try(file.where(['vars', name]), () => scope.variable(name));
  const counts = countsOf(file, scope, problems);
  const total = [...counts.values()].reduce((sum: number, count) => sum + (countToTry(count) ?? 1), 0);
  if (total > mostRecords)
    throw new UsageError(`${file.shown}: It comes to ${total} records; one file is for ${mostRecords} at the most. Nothing was sent.`);
  const whole: RunScope = { ...scope, countOf: (name) => countIn(counts, name) };
  const faulty = new Set<string>();
  const parts = file.records.map((record) => {
    const before = problems.count;
    const part = partOf(file, record, countToTry(counts.get(record.name)), whole, problems);
    if (problems.count > before) faulty.add(record.name);
    return part;
  });
  const { ordered, cycles } = orderOfParts(parts);
  for (const part of parts) checkPart(part, faulty.has(part.name), problems);
  checkDuplicates(parts, problems);
  checkMembers(parts, problems);
  for (const [text, cycle] of new Map(cycles.map((cycle) => [cycleText(cycle), cycle])))
    problems.add(placeOf(file, cycle), `Records that need each other: ${text}.`);
  problems.throwIfAny(file.shown);
  return {
    run: options.run,
    parts: ordered,
    names: file.records.map(({ name }) => ({ name, isCounted: counts.get(name) !== undefined })),
  };
}

/** The variables of the environment that a file reads, those that are set. */
export function variablesRead({ vars, records }: SeedFile, env: PlanOptions['env']): string[] {
  const found = JSON.stringify([vars, records]).matchAll(/(?<!\$)\$\{env:([A-Za-z_][A-Za-z0-9_]*)/g);
  return [...new Set(Array.from(found, ([, name = '']) => name))].filter((name) => env[name]);
}

/** A unit that nothing has is made by its name: the file says so. */
export const newWords = (): FileWords => new FileWords({ makesNew: true });

function placeOf(file: SeedFile, [first]: readonly PlanPart[]): Where {
  return file.where(file.records.find(({ name }) => name === first?.name)?.place ?? []);
}

function scopeOf(file: SeedFile, { run, randomSeed, env, words = newWords() }: PlanOptions, fake: RunScope['fake']): RunScope {
  const values = new Map<string, string>();
  const underWay: string[] = [];
  const scope: RunScope = {
    run,
    randomSeed,
    env,
    fake,
    words,
    countOf: () => {
      throw new UsageError("A variable can't refer to records.");
    },
    variable: (name) => {
      const resolved = values.get(name);
      if (resolved !== undefined) return resolved;
      if (underWay.includes(name)) throw new UsageError(`Variables that need each other: ${[...underWay, name].join(' → ')}.`);
      underWay.push(name);
      try {
        const value = resolvePlain(variableText(file, name), { name: '', part: `vars.${name}` }, scope);
        values.set(name, value);
        return value;
      } finally {
        underWay.pop();
      }
    },
  };
  return scope;
}

function variableText(file: SeedFile, name: string): string {
  const value = Object.hasOwn(file.vars, name) ? file.vars[name] : undefined;
  if (value !== undefined) return value === null ? '' : String(value);
  if (file.records.some((one) => one.name === name)) throw new UsageError(`"${name}" is a record: write \${${name}.id}.`);
  throw new UsageError(`There is no variable "${name}".${suggestion(name, [...Object.keys(file.vars), ...ownWords])}`);
}

/** What stands for a count that can't be read: any number of its records may be referred to. */
const unreadable = Number.POSITIVE_INFINITY;

/** How many records to look at. */
const countToTry = (count: number | undefined): number | undefined => (count === unreadable ? 1 : count);

/** Every name and how many records it stands for; undefined: one, not counted. */
type Counts = ReadonlyMap<string, number | undefined>;

function countsOf(file: SeedFile, scope: RunScope, problems: Problems): Counts {
  const counts = new Map<string, number | undefined>();
  for (const record of file.records) {
    const text = record.kind === 'make' ? record.count : undefined;
    const where = file.where([...record.place, 'count']);
    const count = text === undefined ? undefined : problems.try(where, (place) => countOf(text, record, scope, place));
    counts.set(record.name, text === undefined ? undefined : (count ?? unreadable));
  }
  return counts;
}

function countOf(text: string, { name }: SeedRecord, scope: RunScope, where: string): number {
  const plain = resolvePlain(text, { name, part: 'count' }, scope);
  if (/^-\d+$/.test(plain)) throw new UsageError(`${where}: ${plain} is negative; give 0 or more.`);
  const count = parseInteger(plain, where);
  if (count > largestCount) throw new UsageError(`${where}: It is more than ${largestCount}.`);
  return count;
}

function countIn(counts: Counts, name: string): number | undefined {
  if (!counts.has(name)) throw new UsageError(`There is no record "${name}".${suggestion(name, [...counts.keys()])}`);
  return counts.get(name);
}
