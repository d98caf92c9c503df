// `crm apply FILE`: writes the new values of a change file to records that still hold the old values.

import { changeFileFlags } from '../changes/flags.ts';
import { command } from '../cli/command.ts';
import { outcomeMembers } from '../output/outcome-rows.ts';

export const applyCommand = command({
  path: ['apply'],
  sends: [
    { method: 'GET', path: '/api/{family}/{id}' },
    { method: 'PATCH', path: '/api/{family}/{id}' },
    { method: 'PUT', path: '/api/{family}/{id}/{action}' },
  ],
  does: 'writes',
  fails: ['partial'],
  prints: { json: 'array', members: outcomeMembers },
  summary: 'Carry out a change file',
  description:
    'A change file holds old and new values side by side: --plan or list --was writes one. Delete the rows of records that shall stay ' +
    'as they are. If a record holds neither the old nor the new value, its row is not sent, but named and counted (status 8). So is a ' +
    'row whose unchanged title is not the title of the record: it was renamed, or the file was made at another service. Tags and ' +
    'assignees are added and removed one by one. A was. column without a column for the new value is a condition: the record must still hold this value. A file ' +
    'that is applied again changes nothing. On a terminal crm shows the rows and asks. --json prints an outcome for each record: changed, ' +
    'unchanged, conflict, failed or unknown.',
  args: [{ name: 'file', help: 'CSV or .xlsx: family, id, then each new value with its was. beside it' }],
  flags: [...changeFileFlags, { name: 'summary', help: 'Print only how many records had each outcome', group: 'Output' }],
  topics: ['import'],
  examples: [
    'crm leads update --where source~web --source Website --plan web.csv -q && crm apply web.csv',
    'crm leads tags 12,13 --add hot --plan hot.xlsx -q && crm apply hot.xlsx --dry-run',
  ],
  run: async (context, { args: [file = ''], flags }) =>
    (await import('../import/apply/apply.ts')).apply(context, file, flags, flags.summary ? 'counts' : 'outcomes'),
});
