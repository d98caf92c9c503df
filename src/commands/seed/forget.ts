// `crm seed forget RUN`: drops a run whose records can't be told any more.

import type { Command } from '../../command.ts';

export const seedForget: Command = {
  path: ['seed', 'forget'],
  sends: [],
  does: 'destroys',
  // Nothing: [].
  prints: { json: 'array', members: {} },
  summary: 'Drop a run without deleting anything',
  description:
    'For a run whose records can no longer be told: what it created stays. Nothing is sent. Asks first; off a terminal it needs --yes.',
  args: [{ name: 'run', help: 'What the run is called', listedBy: 'seed list', listedMember: 'run' }],
  flags: [],
  examples: [
    'crm seed demo --leads 2 --run trial -q && crm seed forget trial --yes',
    'crm seed demo --items 2 --run shop -q && crm seed forget shop --yes --dry-run',
  ],
  run: async (context, { args }) => {
    const [{ checkRun }, { forgetSeed }] = await Promise.all([import('../../seed/run.ts'), import('../history/runs.ts')]);
    return forgetSeed(context, checkRun(args[0] ?? ''));
  },
};
