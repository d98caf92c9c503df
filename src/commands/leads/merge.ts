// `crm leads merge 87,88 --into 22`: merges duplicate leads. The work is in changes/merge/merge.ts.

import { command } from '../../cli/command.ts';
import { leads } from '../../model/resources/leads.ts';

export const leadMergeCommand = command({
  path: ['leads', 'merge'],
  fails: ['partial'],
  summary: 'Merge duplicate leads into one',
  description:
    'The kept lead gets the values that it lacks, the latest date of a contact, and the tags and assignees of the others. Where values ' +
    'differ, the kept lead keeps its own, and the other value is named. Then the others get the tag merged-into-ID and are archived. ' +
    'Comments, proposals and notes of the others stay with the others. Nothing is deleted or overwritten. Asks first; off a terminal ' +
    'the command needs --yes. crm undo takes a merge back. For many groups, leads duplicates --plan FILE writes the changes and crm ' +
    'apply carries them out.',
  args: [{ name: 'id', help: 'The leads to merge into another lead, as in 87,88', isListed: true, listedBy: 'leads list' }],
  flags: [{ name: 'into', value: 'id', help: 'The lead that is kept', type: { kind: 'id' } }],
  needs: [{ count: 'exactly one', of: ['into'] }],
  sends: [
    { method: 'GET', path: '/api/leads/{id}' },
    { method: 'GET', path: '/api/leads/{id}/comments' },
    { method: 'GET', path: '/api/proposals' },
    { method: 'GET', path: '/api/notes' },
    { method: 'PATCH', path: '/api/leads/{id}' },
    { method: 'PUT', path: '/api/leads/{id}/assigned' },
    { method: 'PUT', path: '/api/leads/{id}/tags' },
    { method: 'PUT', path: '/api/leads/{id}/archive' },
  ],
  does: 'writes',
  asksWhen: 'always',
  shows: leads,
  prints: { json: 'array', of: leads },
  examples: ['crm leads merge 43,44 --into 42 --yes', 'crm leads merge 43 --into 42 --dry-run'],
  run: async (context, { args, flags: { into = '' } }) =>
    (await import('../../changes/merge/merge.ts')).mergeRecords(leads, context, args, into),
});
