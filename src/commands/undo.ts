// `crm undo RUN`: restores the values that a run changed, unless somebody changed them since.

import type { Command } from '../cli/command.ts';
import { paceFlags, paceOf } from '../cli/pace.ts';

export const undoCommand: Command = {
  path: ['undo'],
  sends: [
    { method: 'GET', path: '/api/{family}/{id}' },
    { method: 'PATCH', path: '/api/{family}/{id}' },
    { method: 'PUT', path: '/api/{family}/{id}/{action}' },
    { method: 'DELETE', path: '/api/{family}/{id}' },
  ],
  does: 'destroys',
  prints: {
    json: 'array',
    members: { outcome: 'text', count: 'integer', family: 'text', what: 'text', ids: 'array' },
  },
  fails: ['partial'],
  summary: 'Take back what a run changed',
  description:
    'A field gets its old value again if the record still holds the value that the run wrote. Tags and assignees go back one by one. ' +
    'Archived leads become active. A record that the run created is deleted, unless somebody changed or converted it, or attached ' +
    "something to it. Records that stay are named (status 8). Deletions, conversions, cleared signatures and mails can't be undone. Asks " +
    'first; off a terminal it needs --yes. Without a run, crm undo takes back the last run, on a terminal only. After an interruption, ' +
    'type the command again. An undo can itself be undone.',
  args: [
    { name: 'run', help: 'The run, as crm history calls it', optional: true, listedBy: 'history list', listedMember: 'run' },
    { name: 'id', help: 'Only these records; - reads ids from standard input', optional: true, many: true, from: ['-'] },
  ],
  flags: paceFlags('Pace'),
  needs: [{ count: 'at least one', of: ['run'] }],
  examples: [
    'crm leads tags 12,13 --add hot --yes -q && crm undo "$(crm history --jq \'.[0].run\')" --dry-run',
    'crm leads update 12,13 --source Fair --yes -q && crm undo "$(crm history --jq \'.[0].run\')" 12 --yes',
  ],
  run: async (context, { args, flags }) => {
    const [{ undoRun }, { destroyRun }, { destroyRecords }] = await Promise.all([
      import('../changes/undo/undo.ts'),
      import('../seed/teardown/destroy.ts'),
      import('../seed/teardown/deletion.ts'),
    ]);
    return undoRun(context, args, { pace: paceOf(flags, context.env), teardown: { destroyRun, destroyRecords } });
  },
};
