// `crm sandbox reset`: puts the embedded CRM back to its first state.

import { existsSync } from 'node:fs';
import { NotFoundError } from '../../base/errors.ts';
import { crmWith } from '../../base/values/text/shell-word.ts';
import type { Command } from '../../cli/command.ts';
import { waitFlag, waitOf } from '../../cli/pace.ts';
import { refuseReadOnly } from '../../client/problem.ts';
import { confirmNamed } from '../../session/ask/confirm.ts';
import { guardsOf, readOnlyBy } from '../../session/profiles/settings.ts';
import { lostText } from './init.ts';
import { sandboxPlace } from './place.ts';

export const sandboxReset: Command = {
  path: ['sandbox', 'reset'],
  sends: [],
  does: 'destroys',
  // Nothing: [].
  prints: { json: 'array', members: {} },
  summary: 'Put the embedded CRM back to its first state',
  description:
    "An embedded CRM of a snapshot is made anew from the snapshot's folder, which must still be there. Imports and seeds " +
    'of the embedded CRM are forgotten with its records. Each --profile has an embedded CRM of its own.',
  args: [],
  flags: [waitFlag()],
  examples: ['crm sandbox reset --yes', 'crm sandbox reset --dry-run'],
  run: async (context, { flags }) => {
    const wait = waitOf(flags, context.env);
    const { name, path, baseUrl } = await sandboxPlace(context);
    if (!existsSync(path))
      throw new NotFoundError(`There is no embedded CRM at ${path}.`, { hint: `Make one: ${crmWith(context.flags.profile)} sandbox init` });
    if (!context.flags.dryRun) refuseReadOnly(await readOnlyBy(context, { baseUrl, profile: name }));
    await confirmNamed(
      context,
      await guardsOf(context, baseUrl),
      `Reset the embedded CRM at ${path}? Everything that was changed is lost.`,
    );
    if (context.flags.dryRun) return { kind: 'text', notice: `Would reset the embedded CRM at ${path}.` };
    const [{ resetSandbox }, { forgettingRuns }] = await Promise.all([import('../../sandbox/create.ts'), import('./forget-runs.ts')]);
    const lost: string[] = [];
    await forgettingRuns(context, { baseUrl, wait }, () => lost.push(...resetSandbox(path)));
    return { kind: 'text', notice: `${lostText(lost)}The embedded CRM is in its first state.` };
  },
};
