// crm doctor: looks at this machine, the settings in force and the service, and says what is wrong and what to do. It writes
// nothing, and a check that fails is a row like any other.

import type { Command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { FoundError } from '../../errors.ts';
import type { Input } from '../../flag.ts';
import type { Finding, Result } from '../../output/result.ts';
import { checked, type Row } from './finding.ts';
import type { InForce } from './settings.ts';

/** How long the service may take when no --timeout is given, in milliseconds. */
const patience = 10_000;

export const doctorCommand: Command = {
  path: ['doctor'],
  sends: [{ method: 'GET', path: '/api/contacts' }],
  does: 'reads',
  tellsFailures: true,
  fails: ['found'],
  prints: { json: 'array', members: { check: 'text', state: 'ok|note|wrong|unknown', found: 'text', advice: 'text|null' } },
  summary: 'Check this machine, the settings and the service',
  description:
    'One line for each check: crm and Node, folders and their permissions, each setting with where it comes from, whether the service ' +
    'answers and takes the key, the clock, a proxy, and runs that were cut off. It sends one read, writes nothing and shows no key. ' +
    'The status is 11 when something is wrong. With --json an array of {check, state, found, advice}; state is ok, note, wrong or ' +
    'unknown, and advice null where there is nothing to do. The service has 10 seconds, or --timeout, and is asked once, or as often as --retries says.',
  args: [],
  flags: [],
  topics: ['settings'],
  examples: ['crm doctor', `crm doctor --jq '.[]|select(.state=="wrong").found'`],
  run: async (context, input) => examine(impatient(context, input)),
};

async function examine(context: Context): Promise<Result> {
  const [{ machineRows }, { settingsRows }, { serviceRows }] = await Promise.all([
    import('./machine.ts'),
    import('./settings.ts'),
    import('./service.ts'),
  ]);
  const rows: Row[] = [...(await machineRows(context))];
  const inForce: InForce = await settingsRows(context);
  rows.push(...inForce.rows, ...(await checked('service', () => serviceRows(context, inForce.settings))));
  const findings = rows.map((row) => finding(row, context));
  const wrong = findings.filter(({ state }) => state === 'wrong');
  const names = wrong.map(({ check }) => check).join(', ');
  const problem =
    wrong.length === 0 ? undefined : new FoundError(`${wrong.length} of ${findings.length} checks found something wrong: ${names}.`);
  return { kind: 'findings', rows: findings, ...(problem === undefined ? {} : { problem }) };
}

/** A row as it is shown. What a service says may quote the key, so what holds a secret is not shown. */
function finding({ check, state, found, advice }: Row, { io }: Context): Finding {
  const shown = (text: string): string => (io.holdsSecret(text) ? 'What there is to say holds the key, and is not shown.' : text);
  return { check, state, found: shown(found), advice: advice === undefined ? null : shown(advice) };
}

/** The same context, but nobody waits long for a service that is down. */
function impatient(context: Context, { flags }: Input): Context {
  const timeout = flags.timeout === undefined ? { timeout: patience } : {};
  const retries = flags.retries === undefined ? { retries: 0 } : {};
  return { ...context, flags: { ...context.flags, ...timeout, ...retries } };
}
