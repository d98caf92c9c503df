// The flags --concurrency and --rate of commands that send many requests, and their checked values.

import { invalidValue } from '../base/errors.ts';
import type { Flag, Input } from '../base/flag.ts';
import { parseCount } from '../base/values/parse.ts';
import type { Pace } from '../runs/service.ts';

const usualConcurrency = 4;
const mostConcurrency = 64;

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
  ] as const satisfies readonly Flag[];

/** The pace that the flags give. Throws InvalidValues. */
export function paceOf({ concurrency, rate }: Input['flags']): Pace {
  return {
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
