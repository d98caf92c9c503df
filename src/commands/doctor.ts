// `crm doctor`: the command. The checks load when the command runs.

import type { Input } from '../base/flag.ts';
import type { Command } from '../cli/command.ts';
import type { Context } from '../session/context.ts';

/** The time for the service without --timeout, in milliseconds. */
const patience = 10_000;

export const doctorCommand: Command = {
  path: ['doctor'],
  sends: [{ method: 'GET', path: '/api/contacts' }],
  does: 'reads',
  fails: ['found'],
  prints: { json: 'array', members: { check: 'text', state: 'ok|wrong|unknown', found: 'text', advice: 'text|null' } },
  summary: 'Check this machine, the settings and the service',
  description:
    'Prints a line for each check: crm and Node; folders with owner and permissions; settings with their sources; proxy; key; ' +
    'service; clock. Sends one read, writes nothing and shows no key. The status is 11 when something is wrong. --json prints an ' +
    'array of {check, state, found, advice}: state is ok, wrong or unknown; advice is null when there is nothing to do. The read has ' +
    '10 seconds and one try, unless --timeout or --retries say otherwise.',
  args: [],
  flags: [],
  topics: ['settings'],
  examples: ['crm doctor', `crm doctor --jq '.[]|select(.state=="wrong").found'`],
  run: async (context, input) => (await import('../session/doctor.ts')).examine(impatient(context, input)),
};

/** A short timeout and no retries: a service that is down is reported soon. */
function impatient(context: Context, { flags }: Input): Context {
  const timeout = flags.timeout === undefined ? { timeout: patience } : {};
  const retries = flags.retries === undefined ? { retries: 0 } : {};
  return { ...context, flags: { ...context.flags, ...timeout, ...retries } };
}
