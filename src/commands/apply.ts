// `crm apply FILE`: writes the new values of a change file to records that still hold the old values.

import type { Command } from '../cli/command.ts';
import { notationFlags } from './family-flags.ts';

export const applyCommand: Command = {
  path: ['apply'],
  sends: [
    { method: 'GET', path: '/api/{family}/{id}' },
    { method: 'PATCH', path: '/api/{family}/{id}' },
    { method: 'PUT', path: '/api/{family}/{id}/{action}' },
  ],
  does: 'writes',
  prints: { json: 'array', members: { id: 'integer' } },
  summary: 'Carry out a change file',
  description:
    'A change file holds old and new values side by side. --plan or list --was writes one; then strike out what shall stay as it is. ' +
    'A row stays back, named and counted (status 8), when its record holds neither the old nor the new value. Tags and assignees are ' +
    'added and removed one by one. A was. column without a new value beside it must still hold. Applied twice, the second time ' +
    'changes nothing. On a terminal it shows the rows and asks.',
  args: [{ name: 'file', help: 'CSV or .xlsx: family, id, then each new value with its was. beside it' }],
  flags: notationFlags,
  topics: ['import'],
  examples: [
    'crm leads update --where source~web --source Website --plan web.csv -q && crm apply web.csv',
    'crm leads tags 12,13 --add hot --plan hot.xlsx -q && crm apply hot.xlsx --dry-run',
  ],
  run: async (context, input) => (await import('../import/change-file/apply.ts')).apply(context, input),
};
