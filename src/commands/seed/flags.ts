// What the seed commands have in common: their flags.

import { UsageError } from '../../errors.ts';
import type { Flag, Input } from '../../flag.ts';
import { parseRandomSeed } from '../../seed/random-seed.ts';
import { parseCount } from '../../values/parse.ts';

export const runFlag: Flag = { name: 'run', value: 'name', help: "What the run is called (default: the file's name)", group: 'Run' };

export const seedFlag: Flag = {
  name: 'random-seed',
  value: 'n',
  help: 'Made-up values follow from this number; the same number, the same values',
  group: 'Run',
};

export const rollbackFlag: Flag = { name: 'rollback-on-error', help: 'On an error, delete what this apply created', group: 'Run' };

export const paceFlags: readonly Flag[] = [
  { name: 'concurrency', value: 'n', help: 'Requests at once (default 4)', group: 'Pace' },
  { name: 'rate', value: 'n', help: 'Requests a second, at the most', group: 'Pace' },
];

const mostConcurrency = 64;

/** How fast a command may go. Throws UsageError. */
export function paceOf(flags: Input['flags']): { concurrency: number; rate?: number } {
  const concurrency = typeof flags.concurrency === 'string' ? parseCount(flags.concurrency, '--concurrency') : 4;
  if (concurrency > mostConcurrency) throw new UsageError(`--concurrency: ${concurrency} is more than ${mostConcurrency}.`);
  if (typeof flags.rate !== 'string') return { concurrency };
  const rate = Number(flags.rate);
  if (!/^\d+(\.\d+)?$/.test(flags.rate) || rate <= 0) {
    throw new UsageError(`--rate: "${flags.rate}" is not a number of requests per second above 0.`);
  }
  return { concurrency, rate };
}

/** A flag's text, when it was given. */
export function textFlag(flags: Input['flags'], name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** The number of --random-seed. Throws UsageError. */
export function randomSeedFlag(flags: Input['flags']): { randomSeed?: number } {
  const text = textFlag(flags, 'random-seed');
  return text === undefined ? {} : { randomSeed: parseRandomSeed(text, '--random-seed') };
}
