// `crm sandbox reset`: the embedded CRM as it was when it was made.

import { existsSync } from 'node:fs';
import { confirmNamed, guardsOf } from '../../ask/confirm.ts';
import type { Command } from '../../command.ts';
import { NotFoundError } from '../../errors.ts';

export const sandboxReset: Command = {
  path: ['sandbox', 'reset'],
  sends: [],
  does: 'destroys',
  // Nothing: [].
  prints: { json: 'array', members: {} },
  summary: 'Put the embedded CRM back to how it was made',
  description: 'Imports and seeds of the embedded CRM are forgotten with its records.',
  args: [],
  flags: [],
  examples: ['crm sandbox reset --yes', 'crm sandbox reset --dry-run'],
  run: async (context) => {
    const { sandboxPath } = await import('../../open-client.ts');
    const path = await sandboxPath(context);
    if (!existsSync(path)) throw new NotFoundError(`There is no embedded CRM at ${path}.`, { hint: 'Make one: crm sandbox init' });
    await confirmNamed(
      context,
      await guardsOf(context, 'sandbox:'),
      `Reset the embedded CRM at ${path}? Everything that was changed is lost.`,
    );
    if (context.flags.dryRun) return { kind: 'nothing', notice: `Would reset the embedded CRM at ${path}.` };
    const [{ resetSandbox }, { forgettingRuns }] = await Promise.all([import('../../sandbox/create.ts'), import('./forget-runs.ts')]);
    await forgettingRuns(context, () => resetSandbox(path));
    return { kind: 'nothing', notice: 'The embedded CRM is as it was made.' };
  },
};
