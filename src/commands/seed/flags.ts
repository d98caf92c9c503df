// The flags, requests and printed members that the seed commands share.

import { invalidValue } from '../../base/errors.ts';
import type { Flag, Input } from '../../base/flag.ts';
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

export const runFlag: Flag = { name: 'run', value: 'name', help: "The name of the run (default: the file's name)", group: 'Run' };

export const seedFlag: Flag = {
  name: 'random-seed',
  value: 'n',
  help: 'Decides the made-up values: the same number gives the same values',
  least: 0,
  group: 'Run',
};

export const keepChangedFlag: Flag = {
  name: 'keep-changed',
  help: 'Keep records that somebody changed since the run created them',
  group: 'Run',
};

export const withCommentsFlag: Flag = {
  name: 'with-comments',
  help: 'Also delete leads with comments of others',
  group: 'Run',
};

export const envFlag: Flag = {
  name: 'env',
  value: 'name',
  help: 'Let the file read this environment variable, too; repeatable',
  repeatable: true,
  group: 'Run',
};

/** The names of --env. Throws InvalidValues. */
export function envNames(flags: Input['flags']): readonly string[] {
  const names = Array.isArray(flags.env) ? flags.env : [];
  for (const name of names)
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw invalidValue('--env', `"${name}" is not the name of a variable.`);
  return names;
}

/** The text of a flag, or undefined. */
export function textFlag(flags: Input['flags'], name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** The number of --random-seed, if given. Throws UsageError. */
export function randomSeedFlag(flags: Input['flags']): { randomSeed?: number } {
  const text = textFlag(flags, 'random-seed');
  return text === undefined ? {} : { randomSeed: parseInteger(text, '--random-seed') };
}
