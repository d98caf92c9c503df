// `crm leads merge 87,88 --into 22`, or `--from FILE`: what it takes and sends.

import type { Command } from '../../command.ts';
import { leads } from '../../resources/leads.ts';

export const leadMergeCommand: Command = {
  path: ['leads', 'merge'],
  summary: 'Merge duplicate leads into one',
  description:
    'The lead that is kept gets what it lacks, and the tags and assignees of the others; where both have a value it keeps its own, and the ' +
    'other one is named. Once that went through, the others get the tag merged and a comment, and are archived. Their comments, proposals ' +
    'and notes stay with them. Nothing is deleted or overwritten. A file is what `leads duplicates --csv` wrote, edited: lines with a keep ' +
    'are merged into that lead, all others are left as they are. Asks first; off a terminal it needs --yes. crm undo takes it back, but for the comment.',
  args: [{ name: 'id', help: 'The leads that go into another one, as in 87,88', optional: true, isListed: true, listedBy: 'leads list' }],
  flags: [
    { name: 'into', value: 'id', help: 'The lead that is kept', type: { kind: 'id' } },
    { name: 'from', value: 'file', help: 'CSV or .xlsx, as leads duplicates wrote it: every line with a keep' },
  ],
  needs: [
    { count: 'exactly one', of: ['into', 'from'] },
    { count: 'at least one', of: ['id'], unless: 'with --from' },
  ],
  sends: [
    { method: 'GET', path: '/api/leads/{id}' },
    { method: 'GET', path: '/api/leads/{id}/comments' },
    { method: 'GET', path: '/api/proposals' },
    { method: 'GET', path: '/api/notes' },
    { method: 'PATCH', path: '/api/leads/{id}' },
    { method: 'PUT', path: '/api/leads/{id}/assigned' },
    { method: 'PUT', path: '/api/leads/{id}/tags' },
    { method: 'POST', path: '/api/leads/{id}/comments' },
    { method: 'PUT', path: '/api/leads/{id}/archive' },
  ],
  does: 'writes',
  asksWhen: 'always',
  shows: leads,
  prints: { json: 'array', of: leads },
  examples: ['crm leads merge 43,44 --into 42 --yes', 'crm leads merge 43 --into 42 --dry-run'],
  run: async (context, input) => (await import('./merge.ts')).mergeLeads(context, input),
};
