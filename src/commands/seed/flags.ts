// The flags, requests and printed members that the seed commands share.

import { invalidValue } from '../../base/errors.ts';
import type { Flag, FlagValues } from '../../base/flag.ts';
import { parseInteger } from '../../base/values/parse.ts';
import type { Command } from '../../cli/command.ts';

/** The requests of a seed. */
export const seedRequests: Command['sends'] = [
  { method: 'GET', path: '/api/{family}' },
  { method: 'POST', path: '/api/{family}' },
  { method: 'PUT', path: '/api/{family}/{id}/{action}' },
];

/** The printed ids of created records, by their names in the file. */
export const namedIds = { NAME: 'any|null' } as const;

export const runFlag = {
  name: 'run',
  value: 'name',
  help: "The name of the run (default: the file's name)",
  group: 'Run',
} as const satisfies Flag;

export const seedFlag = {
  name: 'random-seed',
  value: 'n',
  help: 'Decides the made-up values: the same number gives the same values',
  least: 0,
  group: 'Run',
} as const satisfies Flag;

export const keepChangedFlag = {
  name: 'keep-changed',
  help: 'Keep records that somebody changed since the run created them',
  group: 'Run',
} as const satisfies Flag;

export const withCommentsFlag = {
  name: 'with-comments',
  help: 'Also delete leads with comments of others',
  group: 'Run',
} as const satisfies Flag;

export const envFlag = {
  name: 'env',
  value: 'name',
  help: 'Let the file read this environment variable, too; repeatable',
  repeatable: true,
  group: 'Run',
} as const satisfies Flag;

/** The checked names of --env. Throws InvalidValues. */
export function envNames({ env = [] }: FlagValues<[typeof envFlag]>): readonly string[] {
  for (const name of env)
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw invalidValue('--env', `"${name}" is not the name of a variable.`);
  return env;
}

/** The number of --random-seed, if given. Throws UsageError. */
export function randomSeedFlag({ 'random-seed': text }: FlagValues<[typeof seedFlag]>): { randomSeed?: number } {
  return text === undefined ? {} : { randomSeed: parseInteger(text, '--random-seed') };
}
