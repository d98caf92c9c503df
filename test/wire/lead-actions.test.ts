// Wire tests of what leads have beyond the plain verbs: archive, activate, status, assign, tags, convert, clone, comments.
// Typed by hand from the interface document (Leads) and the command line's table; imports no declaration.

import { wireCases } from '../support/wire.ts';
import { created, failure, invalid, LEAD, ok, refused } from './records.ts';

const CLIENT = { id: 77, company_name: 'Lee Stores', status: 'active', phone: null, tags: [] };
const COMMENT = { id: 34, text: 'Called.', creator: { id: 1, name: 'Admin' } };
const NAMED = ['--first-name', 'Bo', '--last-name', 'Ek', '--email', 'bo@ek.test', '--company-name', 'Ek AB'];

wireCases('leads archive and activate', [
  { name: 'archives with a PUT that has no body', argv: ['leads', 'archive', '12', '--json'],
    exchanges: [{ request: { method: 'PUT', path: '/api/leads/12/archive' }, reply: ok({ ...LEAD, active_state: 'archived' }) }],
    stdout: { json: { ...LEAD, active_state: 'archived' } } },
  { name: 'unarchives: the same as activate', argv: ['lead', 'unarchive', '12', '--json'],
    exchanges: [{ request: { method: 'PUT', path: '/api/leads/12/activate' }, reply: ok(LEAD) }], stdout: { json: LEAD } },
  { name: 'views a record: the same as get', argv: ['leads', 'view', '12', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) }], stdout: { json: LEAD } },
  { name: 'archives several in order, an empty answer and a 204 being fine', argv: ['leads', 'archive', '1', '2'], atOnce: true,
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/1' }, reply: ok({ ...LEAD, id: 1 }) },
      { request: { method: 'GET', path: '/api/leads/2' }, reply: ok({ ...LEAD, id: 2 }) },
      { request: { method: 'PUT', path: '/api/leads/1/archive' }, reply: { status: 200, text: '' } },
      { request: { method: 'GET', path: '/api/leads/1' }, reply: ok({ ...LEAD, id: 1, active_state: 'archived' }) },
      { request: { method: 'PUT', path: '/api/leads/2/archive' }, reply: { status: 204, text: '' } },
      { request: { method: 'GET', path: '/api/leads/2' }, reply: ok({ ...LEAD, id: 2, active_state: 'archived' }) },
    ] },
  { name: 'goes on after a lead that is not found', argv: ['leads', 'archive', '1', '2'], atOnce: true,
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/1' }, reply: failure(404, 'Lead not found.') },
      { request: { method: 'GET', path: '/api/leads/2' }, reply: ok({ ...LEAD, id: 2 }) },
      { request: { method: 'PUT', path: '/api/leads/2/archive' }, reply: ok({ ...LEAD, id: 2, active_state: 'archived' }) },
    ],
    exit: 8 },
  { name: 'activates several with PUTs that have no body', argv: ['leads', 'activate', '12', '13', '--json'], atOnce: true,
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok({ ...LEAD, active_state: 'archived' }) },
      { request: { method: 'GET', path: '/api/leads/13' }, reply: ok({ ...LEAD, id: 13, active_state: 'archived' }) },
      { request: { method: 'PUT', path: '/api/leads/12/activate' }, reply: ok(LEAD) },
      { request: { method: 'PUT', path: '/api/leads/13/activate' }, reply: ok({ ...LEAD, id: 13 }) },
    ],
    stdout: { json: [LEAD, { ...LEAD, id: 13 }] } },
  { name: 'activates with a 204', argv: ['leads', 'activate', '12'], encoding: 'json',
    exchanges: [
      { request: { method: 'PUT', path: '/api/leads/12/activate' }, reply: { status: 204, text: '' } },
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
    ] },
  { name: 'exits 3 when the only lead is not found', argv: ['leads', 'activate', '99'],
    exchanges: [{ request: { method: 'PUT', path: '/api/leads/99/activate' }, reply: failure(404, 'Lead not found.') }], exit: 3 },
  refused('archives no id 0', ['leads', 'archive', '12', '0']), refused('activates nothing without an id', ['leads', 'activate']),
]);

wireCases('leads status', [
  { name: 'sends the status id without reading', argv: ['leads', 'status', '12', '4', '--json'],
    exchanges: [{
      request: { method: 'PUT', path: '/api/leads/12/status', form: [['status', '4']] },
      reply: ok({ ...LEAD, status: { id: 4, title: 'Won', color: 'green' } }, 'Lead status updated successfully.'),
    }],
    stdout: { json: { ...LEAD, status: { id: 4, title: 'Won', color: 'green' } } } },
  { name: 'sends a JSON number', argv: ['leads', 'status', '12', '4'], encoding: 'json',
    exchanges: [{ request: { method: 'PUT', path: '/api/leads/12/status', json: { status: 4 } }, reply: ok(LEAD) }] },
  { name: 'exits 5 on a status that is not configured', argv: ['leads', 'status', '12', '99'],
    exchanges: [{
      request: { method: 'PUT', path: '/api/leads/12/status', form: [['status', '99']] },
      reply: invalid({ status: ['The selected status is invalid.'] }),
    }],
    exit: 5, stderr: /The selected status is invalid\./ },
  refused('refuses a status with a sign', ['leads', 'status', '12', '+3'], /\+3/),
  refused('refuses status 0', ['leads', 'status', '12', '0']), refused('needs a status', ['leads', 'status', '12']),
]);

wireCases('leads assign', [
  { name: 'replaces the assignees without reading', argv: ['leads', 'assign', '12', '5', '8', '--json'],
    exchanges: [{
      request: { method: 'PUT', path: '/api/leads/12/assigned', form: [['assigned[]', '5'], ['assigned[]', '8']] },
      reply: ok(LEAD, 'Lead assignees updated successfully.'),
    }],
    stdout: { json: LEAD } },
  { name: 'sends a JSON array of numbers, under its alias', argv: ['leads', 'assigned', '12', '5', '8'], encoding: 'json',
    exchanges: [{ request: { method: 'PUT', path: '/api/leads/12/assigned', json: { assigned: [5, 8] } }, reply: ok(LEAD) }] },
  { name: 'adds at the end and removes, after reading', argv: ['leads', 'assign', '12', '--add', '2', '--add', '8', '--remove', '5'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      { request: { method: 'PUT', path: '/api/leads/12/assigned', form: [['assigned[]', '8'], ['assigned[]', '2']] }, reply: ok(LEAD) },
    ] },
  { name: 'clears with an empty JSON array', argv: ['leads', 'assign', '12', '--clear'],
    exchanges: [{ request: { method: 'PUT', path: '/api/leads/12/assigned', json: { assigned: [] } }, reply: ok(LEAD) }] },
  { name: 'sends an empty JSON array when the last one is removed', argv: ['leads', 'assign', '12', '--remove', '5'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok({ ...LEAD, assigned: [{ id: 5, name: 'Sam Hill' }] }) },
      { request: { method: 'PUT', path: '/api/leads/12/assigned', json: { assigned: [] } }, reply: ok({ ...LEAD, assigned: [] }) },
    ] },
  { name: 'sends the set even when nothing in it changes', argv: ['leads', 'assign', '12', '--add', '5'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      { request: { method: 'PUT', path: '/api/leads/12/assigned', form: [['assigned[]', '5'], ['assigned[]', '8']] }, reply: ok(LEAD) },
    ] },
  { name: 'says which assignee is refused, in the words that were typed', argv: ['leads', 'assign', '12', '5', '99'],
    exchanges: [{
      request: { method: 'PUT', path: '/api/leads/12/assigned', form: [['assigned[]', '5'], ['assigned[]', '99']] },
      reply: invalid({ 'assigned.1': ['The selected assigned.1 is invalid.'] }),
    }],
    exit: 5, stderr: /<person> 99: The selected <person> 99 is invalid\./ },
  refused('does not clear by accident', ['leads', 'assign', '12'], /--clear/),
  refused('refuses ids with a comma between them', ['leads', 'assign', '12', '5,8'], /5,8/),
  refused('refuses user 0', ['leads', 'assign', '12', '--add', '0'], /--add/),
]);

wireCases('leads tags', [
  { name: 'replaces the whole set without reading', argv: ['leads', 'tags', '12', 'hot', 'retail', '--json'],
    exchanges: [{
      request: { method: 'PUT', path: '/api/leads/12/tags', form: [['tags[]', 'hot'], ['tags[]', 'retail']] },
      reply: ok({ ...LEAD, tags: ['hot', 'retail'] }, 'Lead tags updated successfully.'),
    }],
    stdout: { json: { ...LEAD, tags: ['hot', 'retail'] } } },
  { name: 'adds without doubling, in the order of the record', argv: ['leads', 'tags', '12', '--add', 'hot', '--add', 'warm'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      { request: { method: 'PUT', path: '/api/leads/12/tags', form: [['tags[]', 'warm'], ['tags[]', 'retail'], ['tags[]', 'hot']] },
        reply: ok(LEAD) },
    ] },
  { name: 'removes, after reading, in JSON', argv: ['leads', 'tags', '12', '--remove', 'warm'], encoding: 'json',
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      { request: { method: 'PUT', path: '/api/leads/12/tags', json: { tags: ['retail'] } }, reply: ok(LEAD) },
    ] },
  { name: 'clears with an empty JSON array', argv: ['leads', 'tags', '12', '--clear'],
    exchanges: [{ request: { method: 'PUT', path: '/api/leads/12/tags', json: { tags: [] } }, reply: ok(LEAD) }] },
  refused('does not clear by accident', ['leads', 'tags', '12'], /--clear/),
]);

wireCases('leads convert', [
  { name: 'takes names, email and company from the lead', argv: ['leads', 'convert', '12', '--json'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      {
        request: {
          method: 'POST', path: '/api/leads/12/convert',
          form: [['first_name', 'Ann'], ['last_name', 'Lee'], ['email', 'ann@lee.test'], ['client_company_name', 'Lee Stores']],
        },
        reply: created(CLIENT, 'Lead converted to client successfully.'),
      },
    ],
    stdout: { json: CLIENT }, stderr: /^Lead 12 converted to client 77: Lee Stores\. primary user Ann Lee, /m },
  { name: 'reads nothing when all is given, and sends every flag by wire name',
    argv: ['leads', 'convert', '12', ...NAMED, '--invoice-due-days', '30', '--send-welcome-email', '--delete-lead', '--yes'],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/leads/12/convert',
        form: [
          ['first_name', 'Bo'], ['last_name', 'Ek'], ['email', 'bo@ek.test'], ['client_company_name', 'Ek AB'],
          ['client_billing_invoice_due_days', '30'], ['send_welcome_email', 'yes'], ['delete_lead', 'yes'],
        ],
      },
      reply: created(CLIENT),
    }] },
  { name: 'prefers what is given and leaves out a company that is null', argv: ['leads', 'convert', '12', '--email', 'office@lee.test'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok({ ...LEAD, contact: { ...LEAD.contact, company_name: null } }) },
      {
        request: {
          method: 'POST', path: '/api/leads/12/convert', form: [['first_name', 'Ann'], ['last_name', 'Lee'], ['email', 'office@lee.test']],
        },
        reply: created(CLIENT),
      },
    ] },
  { name: 'sends JSON with numeric due days',
    argv: ['leads', 'convert', '12', ...NAMED, '--invoice-due-days', '14', '--send-welcome-email'], encoding: 'json',
    exchanges: [{
      request: {
        method: 'POST', path: '/api/leads/12/convert',
        json: {
          first_name: 'Bo', last_name: 'Ek', email: 'bo@ek.test', client_company_name: 'Ek AB', client_billing_invoice_due_days: 14,
          send_welcome_email: 'yes',
        },
      },
      reply: created(CLIENT),
    }] },
  { name: 'stops after the read when nobody gives an email', argv: ['leads', 'convert', '12'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12' }, reply: ok({ ...LEAD, contact: { ...LEAD.contact, email: null } }) }],
    exit: 2, stderr: /--email/ },
  { name: 'exits 10 on a lead that is converted already', argv: ['leads', 'convert', '12', ...NAMED],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/leads/12/convert',
        form: [['first_name', 'Bo'], ['last_name', 'Ek'], ['email', 'bo@ek.test'], ['client_company_name', 'Ek AB']],
      },
      reply: failure(409, 'The lead has already been converted.'),
    }],
    exit: 10, stderr: /already been converted/ },
  { name: 'shows a refused email beside the flag', argv: ['leads', 'convert', '12', ...NAMED],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/leads/12/convert',
        form: [['first_name', 'Bo'], ['last_name', 'Ek'], ['email', 'bo@ek.test'], ['client_company_name', 'Ek AB']],
      },
      reply: invalid({ email: ['The email has already been taken.'] }),
    }],
    exit: 5, stderr: /--email: The email has already been taken\./ },
  { name: 'sends nothing with --delete-lead and without --yes', argv: ['leads', 'convert', '12', '--delete-lead'], exchanges: [], exit: 9,
    stderr: /--yes/ },
  refused(
    'says which due days there are', ['leads', 'convert', '12', '--invoice-due-days', '-1'],
    /--invoice-due-days: "-1" is not a whole number from 0\./
  ),
  refused('refuses due days that are no integer', ['leads', 'convert', '12', '--invoice-due-days', '7.5'], /--invoice-due-days/),
]);

wireCases('leads clone', [
  { name: 'takes title and status from the source, the title as that of a copy, and nothing else', argv: ['leads', 'clone', '12', '--json'],
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      { request: { method: 'POST', path: '/api/leads/12/clone', form: [['lead_title', 'Shop fitting (copy)'], ['lead_status', '3']] },
        reply: created({ ...LEAD, id: 60, title: 'Shop fitting (copy)' }, 'Lead cloned successfully.') },
    ],
    stdout: { json: { ...LEAD, id: 60, title: 'Shop fitting (copy)' } } },
  { name: 'reads nothing when title and status are given, and sends every flag by wire name',
    argv: [
      'leads', 'clone', '12', '--title', 'Second shop', '--status', '4', '--first-name', 'Bo', '--last-name', 'Ek', '--email', 'bo@ek.test',
      '--phone', '040', '--company-name', 'Ek AB', '--website', 'https://ek.test', '--value', '99.90', '--copy-checklist', '--copy-files',
    ],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/leads/12/clone',
        form: [
          ['lead_title', 'Second shop'], ['lead_status', '4'], ['lead_firstname', 'Bo'], ['lead_lastname', 'Ek'],
          ['lead_email', 'bo@ek.test'], ['lead_phone', '040'], ['lead_company_name', 'Ek AB'], ['lead_website', 'https://ek.test'],
          ['lead_value', '99.90'], ['copy_checklist', 'on'], ['copy_files', 'on'],
        ],
      },
      reply: created({ ...LEAD, id: 60 }),
    }] },
  { name: 'keeps a given title as it is and takes the status from the source, in JSON',
    argv: ['leads', 'clone', '12', '--title', 'Second shop', '--value', '99.90', '--copy-files'], encoding: 'json',
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      {
        request: {
          method: 'POST', path: '/api/leads/12/clone',
          json: { lead_title: 'Second shop', lead_status: 3, lead_value: '99.90', copy_files: 'on' },
        },
        reply: created({ ...LEAD, id: 60 }),
      },
    ] },
  refused('refuses a value that is no decimal', ['leads', 'clone', '12', '--value', '1e3'], /--value/),
]);

wireCases('leads comments', [
  { name: 'lists the comments', argv: ['leads', 'comments', 'list', '12', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12/comments' }, reply: ok([COMMENT]) }], stdout: { json: [COMMENT] } },
  { name: 'lists no comments as an empty array', argv: ['leads', 'comments', 'ls', '12', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12/comments' }, reply: ok([]) }], stdout: { json: [] } },
  { name: 'adds a comment', argv: ['leads', 'comments', 'add', '12', 'Called.', '--json'],
    exchanges: [{
      request: { method: 'POST', path: '/api/leads/12/comments', form: [['comment', 'Called.']] },
      reply: created(COMMENT, 'Lead comment added successfully.'),
    }],
    stdout: { json: COMMENT } },
  ...[['leads', 'comment', '12', 'Called.'], ['lead', 'comments', '12', 'Called.'], ['leads', 'comment', 'add', '12', 'Called.']].map(
    (argv) => ({
      name: `adds a comment: ${argv.join(' ')}`, argv,
      exchanges: [{
        request: { method: 'POST' as const, path: '/api/leads/12/comments', form: [['comment', 'Called.'] as [string, string]] },
        reply: created(COMMENT),
      }],
    })
  ),
  { name: 'lists the comments in the singular', argv: ['leads', '--json', 'comment', 'list', '12'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12/comments' }, reply: ok([COMMENT]) }], stdout: { json: [COMMENT] } },
  { name: 'comments on several, each read before, and its comments',
    argv: ['leads', 'comments', 'add', '12,13', '--text', 'Called.', '--json'], atOnce: true,
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      { request: { method: 'GET', path: '/api/leads/12/comments' }, reply: ok([COMMENT]) },
      {
        request: { method: 'POST', path: '/api/leads/12/comments', form: [['comment', 'Called.']] }, reply: created({ ...COMMENT, id: 40 }),
      },
      { request: { method: 'GET', path: '/api/leads/13' }, reply: ok({ ...LEAD, id: 13 }) },
      { request: { method: 'GET', path: '/api/leads/13/comments' }, reply: ok([]) },
      {
        request: { method: 'POST', path: '/api/leads/13/comments', form: [['comment', 'Called.']] }, reply: created({ ...COMMENT, id: 41 }),
      },
    ],
    stdout: { json: [{ ...COMMENT, id: 40 }, { ...COMMENT, id: 41 }] } },
  { name: 'takes ids from standard input, and what an answer leaves out from the comments',
    argv: ['leads', 'comment', 'add', '-', '--text', 'Called.', '--yes', '-o', 'ids'], stdin: '12\n',
    exchanges: [
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      { request: { method: 'GET', path: '/api/leads/12/comments' }, reply: ok([]) },
      { request: { method: 'POST', path: '/api/leads/12/comments', form: [['comment', 'Called.']] }, reply: { status: 204, text: '' } },
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      { request: { method: 'GET', path: '/api/leads/12/comments' }, reply: ok([{ ...COMMENT, id: 42, text: 'Called.' }]) },
    ],
    stdout: /^42\n$/ },
  refused('comments on none of several without their text', ['leads', 'comments', 'add', '12,13', 'Called.'], /--text/),
  refused('comments once', ['leads', 'comments', 'add', '12', 'Called.', '--text', 'Called.'], /once/),
  refused('reads ids or a text from standard input', ['leads', 'comments', 'add', '-', '--text', '-'], /standard input/),
  refused('needs a text where an id stands alone', ['leads', 'comment', '12'], /text/),
  refused('takes no other word for an id', ['leads', 'comment', 'lst', '12'], /lst[\s\S]*list/),
  { name: 'adds a comment from a file, in JSON', argv: ['leads', 'comments', 'add', '12', '@call.txt'],
    files: { 'call.txt': 'Called.\nNo answer.' }, encoding: 'json',
    exchanges: [{
      request: { method: 'POST', path: '/api/leads/12/comments', json: { comment: 'Called.\nNo answer.' } }, reply: created(COMMENT),
    }] },
  { name: 'adds a comment from standard input', argv: ['leads', 'comments', 'add', '12', '-'], stdin: 'Called twice.',
    exchanges: [{
      request: { method: 'POST', path: '/api/leads/12/comments', form: [['comment', 'Called twice.']] }, reply: created(COMMENT),
    }] },
  {
    name: 'adds a comment from a pipe without the line break that ends it, and only that one',
    argv: ['leads', 'comments', 'add', '12', '-'], stdin: ' two\n\n',
    exchanges: [{ request: { method: 'POST', path: '/api/leads/12/comments', form: [['comment', ' two\n']] }, reply: created(COMMENT) }],
  },
  { name: 'deletes a comment with --yes', argv: ['leads', 'comments', 'delete', '12', '34', '--yes', '--json'],
    exchanges: [{
      request: { method: 'DELETE', path: '/api/leads/12/comments/34' }, reply: ok({ id: 34 }, 'Lead comment deleted successfully.'),
    }],
    stdout: { json: { id: 34 } } },
  { name: 'exits 3 when the comment is not found', argv: ['leads', 'comments', 'delete', '12', '35', '--yes'],
    exchanges: [{ request: { method: 'DELETE', path: '/api/leads/12/comments/35' }, reply: failure(404, 'Comment not found.') }], exit: 3,
    stderr: /^error: Comment 35 not found\.$/m },
  { name: 'says which lead is not there', argv: ['leads', 'comments', 'list', '12'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/12/comments' }, reply: failure(404, 'Lead not found.') }], exit: 3,
    stderr: /^error: Lead 12 not found\.$/m },
  { name: 'deletes nothing without --yes', argv: ['leads', 'comments', 'delete', '12', '34'], exchanges: [], exit: 9, stderr: /--yes/ },
  refused('needs a text', ['leads', 'comments', 'add', '12']),
  refused('needs the id of the comment', ['leads', 'comments', 'delete', '12', '--yes']),
  refused('refuses lead 0', ['leads', 'comments', 'list', '0']),
]);
