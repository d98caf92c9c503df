// `crm leads contacted ID [TEXT]`: sets the date of the last contact of one or several leads, their status and tags, and comments on them.

import { contactFlags } from '../../changes/flags.ts';
import { contact, contacted } from '../../changes/leads/contacted.ts';
import { command } from '../../cli/command.ts';
import { leads } from '../../model/resources/leads.ts';
import { aSelection, selectionArgument } from '../family-arguments.ts';

export const leadContactedCommand = command({
  path: ['leads', 'contacted'],
  summary: 'Note a contact: its date, status, tags and comment',
  description:
    'Sends the date first, then the status and the tags, then the text as a comment. Nothing else of the lead changes. If a part fails, the ' +
    'message has the commands for the parts that are left.',
  args: [
    selectionArgument(leads),
    { name: 'comment', help: 'The comment; or @file, or - for standard input', optional: true, wire: 'comment', from: ['@file', '-'] },
  ],
  flags: contactFlags(leads),
  needs: [aSelection],
  sends: [
    { method: 'GET', path: '/api/leads/{id}' },
    { method: 'PATCH', path: '/api/leads/{id}' },
    { method: 'PUT', path: '/api/leads/{id}/status' },
    { method: 'PUT', path: '/api/leads/{id}/tags' },
    { method: 'POST', path: '/api/leads/{id}/comments' },
  ],
  does: 'writes',
  shows: contacted,
  prints: { json: 'object or array', of: contacted },
  examples: [
    "crm leads contacted 12 'Called, sends the figures on Friday'",
    "crm leads contacted 12 'Wants an offer' --status Negotiation --add-tag hot",
    'crm leads contacted 13,14 --on yesterday',
  ],
  run: contact,
});
