// Wire tests of the proposals family: plain verbs, status, tags and clone.
// Typed by hand from the interface document (Proposals) and the command line's table; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { WireCase } from '../support/wire-case.ts';
import { changed, created, failure, invalid, list, ok, type Pair, PROPOSAL, refused, WHOLE, without } from './records.ts';

const DATES = PROPOSAL.dates;
const SIGNED = { ...PROPOSAL, status: 'accepted', signed: { date: '2026-03-05', first_name: 'Jane', last_name: 'Doe' } };
const FOR_LEAD = { ...PROPOSAL, client: { id: null, name: null }, lead: { id: 7, name: 'Shop fitting' } };

const NEW = created({ id: 40, title: 'Relaunch', status: 'draft' }, 'Proposal created successfully.');
const RELAUNCH = ['--title', 'Relaunch', '--start', '2026-03-01', '--category', '6'];

/** PROPOSAL as the update body has it. */
const FIELDS: Pair[] = [
  ['doc_title', 'Website relaunch'], ['doc_date_start', '2026-03-01'], ['doc_categoryid', '6'], ['doc_date_end', '2026-03-31'],
];

/** PROPOSAL as the clone body has it, title apart. */
const CLONE: Pair[] = [
  ['customer_type', 'client'], ['doc_client_id', '4'], ['doc_categoryid', '6'], ['doc_date_start', '2026-03-01'],
  ['doc_date_end', '2026-03-31'],
];

wireCases('proposals list', [
  { name: 'asks for pages of 100 and prints the records', argv: ['proposals', 'list', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/proposals', query: WHOLE }, reply: list([PROPOSAL, { ...SIGNED, id: 13 }]) }],
    stdout: { json: [PROPOSAL, { ...SIGNED, id: 13 }] } },
  { name: 'filters by status, client, category and text',
    argv: ['proposals', 'list', '--status', 'new', '--client', '4', '--category', '6', '--search', 'relaunch', '--order', 'asc'],
    exchanges: [{
      request: {
        method: 'GET', path: '/api/proposals',
        query: [['status', 'new'], ['client_id', '4'], ['category_id', '6'], ['search', 'relaunch'], ['order', 'asc'], ...WHOLE],
      },
      reply: list([PROPOSAL]),
    }] },
  { name: 'filters by lead', argv: ['proposals', 'list', '--lead', '7', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/proposals', query: [['lead_id', '7'], ...WHOLE] }, reply: list([FOR_LEAD]) }],
    stdout: { json: [FOR_LEAD] } },
  ...([['title', 'doc_title'], ['status', 'doc_status'], ['start', 'doc_date_start'], ['created', 'doc_created']] as const).map(([
    sort, wire,
  ]): WireCase => ({
    name: `sorts by ${sort}`, argv: ['proposals', 'list', '--sort', sort],
    exchanges: [{ request: { method: 'GET', path: '/api/proposals', query: [['sort', wire], ...WHOLE] }, reply: list([]) }],
  })),
  refused('refuses an unknown sort name', ['proposals', 'list', '--sort', 'client'], /--sort/),
  refused('refuses lead 0', ['proposals', 'list', '--lead', '0'], /--lead/),
]);

wireCases('proposals get', [
  { name: 'reads one proposal and prints it', argv: ['proposals', 'get', '5', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL, 'Proposal retrieved successfully.') }],
    stdout: { json: PROPOSAL } },
  { name: 'exits 3 on an unknown id', argv: ['proposals', 'get', '99'],
    exchanges: [{ request: { method: 'GET', path: '/api/proposals/99' }, reply: failure(404, 'Proposal not found.') }], exit: 3,
    stderr: /Proposal 99 not found\./ },
]);

wireCases('proposals create', [
  { name: 'derives the customer type client and sends every field by wire name',
    argv: ['proposals', 'create', '--client', '4', ...RELAUNCH, '--end', '2026-03-31', '--body', '<p>Hi</p>', '--json'],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/proposals',
        form: [
          ['customer_type', 'client'], ['doc_client_id', '4'], ['doc_title', 'Relaunch'], ['doc_date_start', '2026-03-01'],
          ['doc_categoryid', '6'], ['doc_date_end', '2026-03-31'], ['doc_body', '<p>Hi</p>'],
        ],
      },
      reply: NEW,
    }],
    stdout: { json: { id: 40, title: 'Relaunch', status: 'draft' } } },
  { name: 'derives the customer type lead and takes a template',
    argv: ['proposals', 'create', '--lead', '7', ...RELAUNCH, '--template', '2'],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/proposals',
        form: [
          ['customer_type', 'lead'], ['doc_lead_id', '7'], ['doc_title', 'Relaunch'], ['doc_date_start', '2026-03-01'],
          ['doc_categoryid', '6'], ['proposal_template', '2'],
        ],
      },
      reply: NEW,
    }] },
  { name: 'lets the end be the start',
    argv: ['proposals', 'create', '--client', '4', '--title', 'One day', '--start', '2028-02-29', '--end', '2028-02-29', '--category', '6'],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/proposals',
        form: [
          ['customer_type', 'client'], ['doc_client_id', '4'], ['doc_title', 'One day'], ['doc_date_start', '2028-02-29'],
          ['doc_date_end', '2028-02-29'], ['doc_categoryid', '6'],
        ],
      },
      reply: NEW,
    }] },
  { name: 'sends JSON with numeric ids', argv: ['proposals', 'create', '--lead', '7', ...RELAUNCH, '--template', '2'], encoding: 'json',
    exchanges: [{
      request: {
        method: 'POST', path: '/api/proposals',
        json: {
          customer_type: 'lead', doc_lead_id: 7, doc_title: 'Relaunch', doc_date_start: '2026-03-01', doc_categoryid: 6,
          proposal_template: 2,
        },
      },
      reply: NEW,
    }] },
  { name: 'reads the body from a file', argv: ['proposals', 'create', '--client', '4', ...RELAUNCH, '--body', '@offer.html'],
    files: { 'offer.html': '<h1>Offer</h1>\n<p>100 % & more</p>' },
    exchanges: [{
      request: {
        method: 'POST', path: '/api/proposals',
        form: [
          ['customer_type', 'client'], ['doc_client_id', '4'], ['doc_title', 'Relaunch'], ['doc_date_start', '2026-03-01'],
          ['doc_categoryid', '6'], ['doc_body', '<h1>Offer</h1>\n<p>100 % & more</p>'],
        ],
      },
      reply: NEW,
    }] },
  { name: 'shows a refused field beside the flag', argv: ['proposals', 'create', '--client', '4', ...RELAUNCH],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/proposals',
        form: [
          ['customer_type', 'client'], ['doc_client_id', '4'], ['doc_title', 'Relaunch'], ['doc_date_start', '2026-03-01'],
          ['doc_categoryid', '6'],
        ],
      },
      reply: invalid({ doc_categoryid: ['The selected category is invalid.'] }),
    }],
    exit: 5, stderr: /--category: The selected category is invalid\./ },
  refused(
    'refuses --client with --lead', ['proposals', 'create', '--client', '4', '--lead', '7', ...RELAUNCH],
    /(?=[\s\S]*--client)(?=[\s\S]*--lead)/
  ),
  refused('needs --client or --lead', ['proposals', 'create', ...RELAUNCH], /(?=[\s\S]*--client)(?=[\s\S]*--lead)/),
  refused(
    'needs a title, a start and a category', ['proposals', 'create', '--client', '4'],
    /(?=[\s\S]*--title)(?=[\s\S]*--start)(?=[\s\S]*--category)/
  ),
  refused(
    'refuses a day that does not exist',
    ['proposals', 'create', '--client', '4', '--title', 'x', '--start', '2026-02-30', '--category', '6'], /--start/
  ),
  refused(
    'refuses the 29th of February of a common year', ['proposals', 'create', '--client', '4', ...RELAUNCH, '--end', '2027-02-29'], /--end/
  ),
  refused(
    'refuses a date in another notation',
    ['proposals', 'create', '--client', '4', '--title', 'x', '--start', '2026-3-1', '--category', '6'], /--start/
  ),
  refused('refuses an end before the start', ['proposals', 'create', '--client', '4', ...RELAUNCH, '--end', '2026-02-28'], /--end/),
  refused('refuses a template that is no id', ['proposals', 'create', '--client', '4', ...RELAUNCH, '--template', 'web'], /--template/),
]);

wireCases('proposals update', [
  { name: 'reads, merges and keeps the end date, without the body', argv: ['proposals', 'update', '5', '--title', 'Relaunch 2', '--json'],
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL) },
      { request: { method: 'PATCH', path: '/api/proposals/5', form: changed(FIELDS, ['doc_title', 'Relaunch 2']) },
        reply: ok({ ...PROPOSAL, title: 'Relaunch 2' }, 'Proposal updated successfully.') },
    ],
    stdout: { json: { ...PROPOSAL, title: 'Relaunch 2' } } },
  { name: 'sends every flag by wire name, the body too',
    argv: ['proposals', 'update', '5', '--start', '2026-04-01', '--end', '2026-04-30', '--category', '8', '--body', '<p>New</p>'],
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL) },
      {
        request: {
          method: 'PATCH', path: '/api/proposals/5',
          form: [
            ['doc_title', 'Website relaunch'], ['doc_date_start', '2026-04-01'], ['doc_date_end', '2026-04-30'], ['doc_categoryid', '8'],
            ['doc_body', '<p>New</p>'],
          ],
        },
        reply: ok(PROPOSAL),
      },
    ] },
  { name: 'leaves out an end date that is null', argv: ['proposals', 'update', '5', '--category', '8'],
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok({ ...PROPOSAL, dates: { ...DATES, end: null } }) },
      {
        request: {
          method: 'PATCH', path: '/api/proposals/5',
          form: [['doc_title', 'Website relaunch'], ['doc_date_start', '2026-03-01'], ['doc_categoryid', '8']],
        },
        reply: ok(PROPOSAL),
      },
    ] },
  { name: 'clears the end date with an empty value', argv: ['proposals', 'update', '5', '--end', ''],
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL) },
      { request: { method: 'PATCH', path: '/api/proposals/5', form: changed(FIELDS, ['doc_date_end', '']) }, reply: ok(PROPOSAL) },
    ] },
  { name: 'sends JSON with a numeric category', argv: ['proposals', 'update', '5', '--title', 'Relaunch 2'], encoding: 'json',
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL) },
      {
        request: {
          method: 'PATCH', path: '/api/proposals/5',
          json: { doc_title: 'Relaunch 2', doc_date_start: '2026-03-01', doc_date_end: '2026-03-31', doc_categoryid: 6 },
        },
        reply: ok(PROPOSAL),
      },
    ] },
  { name: 'stops after the read when the record has no category', argv: ['proposals', 'update', '5', '--title', 'x'],
    exchanges: [{ request: { method: 'GET', path: '/api/proposals/5' }, reply: ok({ ...PROPOSAL, category: { id: null, name: null } }) }],
    exit: 2, stderr: /--category/ },
  { name: 'names the end that the proposal has when only the start is given', argv: ['proposals', 'update', '5', '--start', '2099-01-01'],
    exchanges: [{ request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL) }], exit: 2,
    stderr: /--start: 2099-01-01 is after the proposal's end, 2026-03-31: give --end, too\./ },
  { name: 'names the start that the proposal has when only the end is given', argv: ['proposals', 'update', '5', '--end', '2026-02-28'],
    exchanges: [{ request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL) }], exit: 2,
    stderr: /--end: 2026-02-28 is before the proposal's start, 2026-03-01: give --start, too\./ },
  { name: 'names both dates when the proposal itself has them the wrong way round', argv: ['proposals', 'update', '5', '--title', 'T'],
    exchanges: [{
      request: { method: 'GET', path: '/api/proposals/5' }, reply: ok({ ...PROPOSAL, dates: { ...DATES, end: '2026-01-01' } }),
    }],
    exit: 2, stderr: /--end: the proposal's end, 2026-01-01, is before the proposal's start, 2026-03-01/ },
  refused(
    'says in one sentence that there is nothing to change', ['proposals', 'update', '5'],
    /^error: Nothing to change: give at least one flag\.\nSee: crm proposals update --help\n$/
  ),
  refused('refuses an end before the start', ['proposals', 'update', '5', '--start', '2026-04-02', '--end', '2026-04-01'], /--end/),
  refused('refuses to change nothing', ['proposals', 'update', '5']),
  refused('cannot move to another client', ['proposals', 'update', '5', '--client', '9'], /--client/),
]);

wireCases('proposals delete', [
  { name: 'deletes one with --yes', argv: ['proposals', 'delete', '5', '--yes', '--json'],
    exchanges: [{ request: { method: 'DELETE', path: '/api/proposals/5' }, reply: ok({ id: 5 }, 'Proposal deleted successfully.') }],
    stdout: { json: { id: 5 } } },
  { name: 'sends nothing without --yes', argv: ['proposals', 'rm', '5', '6'], exchanges: [], exit: 9, stderr: /--yes/ },
]);

wireCases('proposals status', [
  { name: 'reads, then sets the status', argv: ['proposals', 'status', '5', 'accepted', '--json'],
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL) },
      { request: { method: 'PUT', path: '/api/proposals/5/status', form: [['status', 'accepted']] },
        reply: ok({ ...PROPOSAL, status: 'accepted' }, 'Proposal status updated successfully.') },
    ],
    stdout: { json: { ...PROPOSAL, status: 'accepted' } } },
  ...['draft', 'new', 'declined', 'revised'].map((status): WireCase => ({
    name: `sets ${status}`, argv: ['proposals', 'status', '5', status],
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok({ ...PROPOSAL, status: 'accepted' }) },
      { request: { method: 'PUT', path: '/api/proposals/5/status', form: [['status', status]] }, reply: ok({ ...PROPOSAL, status }) },
    ],
  })),
  { name: 'sends JSON', argv: ['proposals', 'status', '5', 'declined'], encoding: 'json',
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL) },
      { request: { method: 'PUT', path: '/api/proposals/5/status', json: { status: 'declined' } }, reply: ok(PROPOSAL) },
    ] },
  { name: 'does not touch a signed proposal without --yes', argv: ['proposals', 'status', '5', 'revised'],
    exchanges: [{ request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(SIGNED) }], exit: 9, stderr: /--yes/ },
  { name: 'takes a signer without a date as a signature', argv: ['proposals', 'status', '5', 'revised'],
    exchanges: [{
      request: { method: 'GET', path: '/api/proposals/5' },
      reply: ok({ ...SIGNED, signed: { date: null, first_name: 'Jane', last_name: null } }),
    }],
    exit: 9 },
  { name: 'changes a signed proposal with --yes', argv: ['proposals', 'status', '5', 'revised', '--yes'],
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(SIGNED) },
      { request: { method: 'PUT', path: '/api/proposals/5/status', form: [['status', 'revised']] }, reply: ok(PROPOSAL) },
    ] },
  ...(
    [
      ['says that it is being maintained', { json: { message: 'Maintenance' } }], ['is empty', { text: '' }],
      ['is another proposal', ok({ ...PROPOSAL, id: 6 })], ['does not tell of signatures', ok({ ...PROPOSAL, signed: undefined })],
    ] as const
  ).flatMap(([what, reply]) => [[], ['--yes']].map((yes): WireCase => ({
    name: `changes nothing when the answer ${what}${yes.length > 0 ? ', with --yes, too' : ''}`,
    argv: ['proposals', 'status', '5', 'accepted', ...yes], exchanges: [{ request: { method: 'GET', path: '/api/proposals/5' }, reply }],
    exit: 7, stderr: /nothing was changed\./,
  }))),
  refused('refuses an unknown status', ['proposals', 'status', '5', 'sent'], /sent/),
  refused('needs a status', ['proposals', 'status', '5']),
]);

wireCases('proposals tags', [
  { name: 'replaces the whole set without reading', argv: ['proposals', 'tags', '5', 'red', 'two words', '--json'],
    exchanges: [{
      request: { method: 'PUT', path: '/api/proposals/5/tags', form: [['tags[]', 'red'], ['tags[]', 'two words']] },
      reply: ok({ ...PROPOSAL, tags: ['red', 'two words'] }, 'Proposal tags updated successfully.'),
    }],
    stdout: { json: { ...PROPOSAL, tags: ['red', 'two words'] } } },
  { name: 'adds at the end and removes, after reading', argv: ['proposals', 'tags', '5', '--add', 'new', '--remove', 'web'],
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL) },
      { request: { method: 'PUT', path: '/api/proposals/5/tags', form: [['tags[]', 'big'], ['tags[]', 'new']] }, reply: ok(PROPOSAL) },
    ] },
  {
    name: 'clears with an empty JSON array', argv: ['proposals', 'tags', '5', '--clear'],
    exchanges: [{ request: { method: 'PUT', path: '/api/proposals/5/tags', json: { tags: [] } }, reply: ok({ ...PROPOSAL, tags: [] }) }],
  },
  { name: 'sends an empty JSON array when the last tags are removed',
    argv: ['proposals', 'tags', '5', '--remove', 'web', '--remove', 'big'],
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL) },
      { request: { method: 'PUT', path: '/api/proposals/5/tags', json: { tags: [] } }, reply: ok({ ...PROPOSAL, tags: [] }) },
    ] },
  refused('does not clear by accident', ['proposals', 'tags', '5'], /--clear/),
]);

wireCases('proposals clone', [
  { name: 'takes everything from the source, and marks the title', argv: ['proposals', 'clone', '5', '--json'],
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL) },
      { request: { method: 'POST', path: '/api/proposals/5/clone', form: [['doc_title', 'Website relaunch (copy)'], ...CLONE] },
        reply: created({ ...PROPOSAL, id: 41, title: 'Website relaunch (copy)' }, 'Proposal cloned successfully.') },
    ],
    stdout: { json: { ...PROPOSAL, id: 41, title: 'Website relaunch (copy)' } } },
  { name: 'takes every flag instead of the source',
    argv: [
      'proposals', 'clone', '5', '--title', 'Phase 2', '--client', '9', '--category', '8', '--start', '2026-05-01', '--end', '2026-05-31',
    ],
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL) },
      {
        request: {
          method: 'POST', path: '/api/proposals/5/clone',
          form: [
            ['doc_title', 'Phase 2'], ['customer_type', 'client'], ['doc_client_id', '9'], ['doc_categoryid', '8'],
            ['doc_date_start', '2026-05-01'], ['doc_date_end', '2026-05-31'],
          ],
        },
        reply: created({ ...PROPOSAL, id: 41 }),
      },
    ] },
  { name: "clones a client's proposal for a lead", argv: ['proposals', 'clone', '5', '--lead', '7'],
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL) },
      {
        request: {
          method: 'POST', path: '/api/proposals/5/clone',
          form: [
            ['doc_title', 'Website relaunch (copy)'], ['customer_type', 'lead'], ['doc_lead_id', '7'],
            ...without(CLONE, 'customer_type', 'doc_client_id'),
          ],
        },
        reply: created({ ...FOR_LEAD, id: 41 }),
      },
    ] },
  { name: 'keeps the lead of the source and leaves out an end date that is null, in JSON', argv: ['proposals', 'clone', '5'],
    encoding: 'json',
    exchanges: [
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: ok({ ...FOR_LEAD, dates: { ...DATES, end: null } }) },
      {
        request: {
          method: 'POST', path: '/api/proposals/5/clone',
          json: {
            doc_title: 'Website relaunch (copy)', customer_type: 'lead', doc_lead_id: 7, doc_categoryid: 6, doc_date_start: '2026-03-01',
          },
        },
        reply: created({ ...FOR_LEAD, id: 41 }),
      },
    ] },
  refused(
    'refuses --client with --lead', ['proposals', 'clone', '5', '--client', '4', '--lead', '7'], /(?=[\s\S]*--client)(?=[\s\S]*--lead)/
  ),
  { name: 'names the end that the source has when only the start is given', argv: ['proposals', 'clone', '5', '--start', '2099-01-01'],
    exchanges: [{ request: { method: 'GET', path: '/api/proposals/5' }, reply: ok(PROPOSAL) }], exit: 2,
    stderr: /--start: 2099-01-01 is after the proposal's end, 2026-03-31: give --end, too\./ },
  refused('refuses an end before the start', ['proposals', 'clone', '5', '--start', '2026-05-02', '--end', '2026-05-01'], /--end/),
]);
