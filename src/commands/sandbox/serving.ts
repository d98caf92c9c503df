// What `sandbox serve` and `sandbox exec` share: faults, ports and the OpenAPI document.

import { invalidValue, UsageError } from '../../base/errors.ts';
import type { Flag, FlagValues } from '../../base/flag.ts';
import { parseInteger } from '../../base/values/parse.ts';
import { notice } from '../../output/streams/notice.ts';
import { faultKinds } from '../../sandbox/http/fault-kinds.ts';
import type { WithFaults } from '../../sandbox/http/serve.ts';
import type { Context } from '../../session/context.ts';

export const faultFlags = [
  {
    name: 'fault',
    value: 'fault=often',
    help: `Make requests fail: faults with their probability, from 0 to 1, separated by commas. ${Object.entries(faultKinds)
      .map(([kind, what]) => `${kind}: ${what}`)
      .join('. ')}`,
    group: 'Faults',
  },
  { name: 'fault-seed', value: 'n', help: 'A number: the same number makes the same requests fail', least: 0, group: 'Faults' },
] as const satisfies readonly Flag[];

/** The faults of --fault; undefined without the flag. Reports a random seed, so that the run can be repeated. */
export async function faultsOf(
  { io, flags: { quiet }, clock }: Context,
  flags: FlagValues<typeof faultFlags>,
): Promise<WithFaults | undefined> {
  const [text, rawSeed] = [flags.fault, flags['fault-seed']];
  if (text === undefined) {
    if (rawSeed !== undefined) throw new UsageError('--fault-seed needs --fault.');
    return undefined;
  }
  const { faulty, parseFaults } = await import('../../sandbox/http/faults.ts');
  const faults = parseFaults(text, '--fault');
  const seed = rawSeed === undefined ? Math.floor(clock.random() * 2 ** 31) : parseInteger(rawSeed, '--fault-seed');
  if (rawSeed === undefined) await notice(io, { quiet }, `The same faults again: --fault-seed ${seed}`);
  return (answer) => faulty(answer, faults, seed);
}

/** The OpenAPI document, with this URL as its server. */
export async function openApiOf(url: string): Promise<string> {
  const { default: document } = await import('../../../docs/openapi.json', { with: { type: 'json' } });
  return JSON.stringify({ ...document, servers: [{ url }] });
}

/** The port of --port. Throws InvalidValues. */
export function readPort(raw: string | undefined, standard: number): number {
  const port = raw === undefined ? standard : parseInteger(raw, '--port', 'a whole number from 0');
  if (port > 65_535) throw invalidValue('--port', `${port} is not a port, 0 to 65535.`);
  return port;
}
