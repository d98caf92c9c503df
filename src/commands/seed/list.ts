// `crm seed list`: the runs that there are journals of.

import type { Command } from '../../command.ts';

export const seedList: Command = {
  path: ['seed', 'list'],
  sends: [],
  does: 'reads',
  prints: {
    json: 'array',
    members: {
      run: 'text',
      state: 'text',
      records: 'integer',
      profile: 'text|null',
      service: 'text',
      file: 'text|null',
      random_seed: 'integer|null',
      at: 'date',
    },
  },
  aliases: ['ls'],
  summary: 'List the runs of seeds, whatever service they went to',
  args: [],
  flags: [],
  examples: ['crm seed list', 'crm seed demo --items 2 -q && crm seed list --json'],
  run: async (context) => (await import('../../seed/list.ts')).listRuns(context),
};
