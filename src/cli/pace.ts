// The flags --concurrency, --rate and --wait of runs, and their checked values.

import { invalidValue } from '../base/errors.ts';
import type { Env } from '../base/files/own-folders.ts';
import type { Flag, Input } from '../base/flag.ts';
import { usualConcurrency, usualLockWait } from '../base/limits.ts';
import { parseCount } from '../base/values/parse.ts';
import type { Pace } from '../runs/service.ts';

const mostConcurrency = 64;
/** Seconds. */
const mostWait = 86_400;

/** The flags. `group`: their heading in help. */
export const paceFlags = (group: string) =>
  [
    {
      name: 'concurrency',
      value: 'n',
      help: `Requests at once (default ${usualConcurrency}, at most ${mostConcurrency})`,
      standard: usualConcurrency,
      least: 1,
      most: mostConcurrency,
      group,
    },
    { name: 'rate', value: 'number', help: 'Requests a second at the most, above 0; such as 2.5', above: 0, group },
    waitFlag(group),
  ] as const satisfies readonly Flag[];

/** The flag of whatever takes the lock of a service. */
export const waitFlag = <Group extends string | undefined = undefined>(group?: Group) =>
  ({
    name: 'wait',
    value: 'seconds',
    help: `Wait so long for another run on this service and data folder (default ${usualLockWait / 1000}, or CRM_WAIT)`,
    standard: usualLockWait / 1000,
    least: 0,
    most: mostWait,
    ...(group === undefined ? {} : { group }),
  }) as const satisfies Flag;

/** The milliseconds to wait for another run: of --wait, else of CRM_WAIT. Throws InvalidValues. */
export function waitOf({ wait }: Input['flags'], { CRM_WAIT }: Env): number {
  const [raw, where] = typeof wait === 'string' ? [wait, '--wait'] : [CRM_WAIT, 'CRM_WAIT'];
  if (!raw) return usualLockWait;
  const seconds = Number(raw);
  if (!/^\d+(\.\d+)?$/.test(raw) || seconds > mostWait)
    throw invalidValue(where, `"${raw}" is not a number of seconds from 0 to ${mostWait}, a day.`);
  return Math.ceil(seconds * 1000);
}

/** The pace that the flags and the environment give. Throws InvalidValues. */
export function paceOf(flags: Input['flags'], env: Env): Pace {
  const { concurrency, rate } = flags;
  return {
    wait: waitOf(flags, env),
    concurrency: typeof concurrency === 'string' ? parseConcurrency(concurrency) : usualConcurrency,
    ...(typeof rate === 'string' ? { rate: parseRate(rate) } : {}),
  };
}

function parseConcurrency(raw: string): number {
  const concurrency = parseCount(raw, '--concurrency');
  if (concurrency > mostConcurrency)
    throw invalidValue('--concurrency', `"${raw}" is more than ${mostConcurrency}, the most requests at once.`);
  return concurrency;
}

function parseRate(raw: string): number {
  const rate = Number(raw);
  if (!/^\d+(\.\d+)?$/.test(raw) || rate <= 0) throw invalidValue('--rate', `"${raw}" is not a number of requests a second above 0.`);
  return rate;
}
