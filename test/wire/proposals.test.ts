// Wire tests of the proposals family: plain verbs, status, tags and clone.
// Typed by hand from the interface document (Proposals) and the command line's table; imports no declaration.

import { json, without } from '../support/request.ts';
import { wireCases } from '../support/wire.ts';
import { created, del, failure, get, invalid, list, ok, PROPOSAL, patch, post, put, refused, sends, whole } from './records.ts';

const DATES = PROPOSAL.dates;
const SIGNED = { ...PROPOSAL, status: 'accepted', signed: { date: '2026-03-05', first_name: 'Jane', last_name: 'Doe' } };
const FOR_LEAD = { ...PROPOSAL, client: { id: null, name: null }, lead: { id: 7, name: 'Shop fitting' } };

const NEW = created({ id: 40, title: 'Relaunch', status: 'draft' }, 'Proposal created successfully.');
const RELAUNCH = '--title Relaunch --start 2026-03-01 --category 6';

/** PROPOSAL as the update body has it. */
const FIELDS = { doc_title: 'Website relaunch', doc_date_start: '2026-03-01', doc_categoryid: '6', doc_date_end: '2026-03-31' };

/** PROPOSAL as the clone body has it, title apart. */
const CLONE = { customer_type: 'client', doc_client_id: '4', doc_categoryid: '6', doc_date_start: '2026-03-01',
  doc_date_end: '2026-03-31' };

wireCases('proposals list', [
  sends('asks for pages of 100 and prints the records', 'proposals list --json',
    whole('/api/proposals', list([PROPOSAL, { ...SIGNED, id: 13 }])), { json: [PROPOSAL, { ...SIGNED, id: 13 }] }),
  sends('filters by status, client, category and text', 'proposals list --status new --client 4 --category 6 --search relaunch --order asc',
    whole('/api/proposals?status=new&client_id=4&category_id=6&search=relaunch&order=asc', list([PROPOSAL]))),
  sends('filters by lead', 'proposals list --lead 7 --json', whole('/api/proposals?lead_id=7', list([FOR_LEAD])), { json: [FOR_LEAD] }),
  ...[['title', 'doc_title'], ['status', 'doc_status'], ['start', 'doc_date_start'], ['created', 'doc_created']].map(([sort, wire]) =>
    sends(`sorts by ${sort}`, `proposals list --sort ${sort}`, whole(`/api/proposals?sort=${wire}`, list([])))),
  refused('refuses an unknown sort name', 'proposals list --sort clien', /--sort: unknown field "clien", did you mean client\?/),
  refused('refuses lead 0', 'proposals list --lead 0', /--lead/),
]);

wireCases('proposals get', [
  sends('reads one proposal and prints it', 'proposals get 5 --json',
    get('/api/proposals/5', ok(PROPOSAL, 'Proposal retrieved successfully.')), { json: PROPOSAL }),
  sends('exits 3 on an unknown id', 'proposals get 99', get('/api/proposals/99', failure(404, 'Proposal not found.')),
    { exit: 3, stderr: /Proposal 99 not found\./ }),
]);

wireCases('proposals create', [
  sends('derives the customer type client and sends every field by wire name',
    `proposals create --client 4 ${RELAUNCH} --end 2026-03-31 --body <p>Hi</p> --json`,
    post('/api/proposals',
      { customer_type: 'client', doc_client_id: '4', doc_title: 'Relaunch', doc_date_start: '2026-03-01', doc_categoryid: '6',
        doc_date_end: '2026-03-31', doc_body: '<p>Hi</p>' }, NEW), { json: { id: 40, title: 'Relaunch', status: 'draft' } }),
  sends('derives the customer type lead and takes a template', `proposals create --lead 7 ${RELAUNCH} --template 2`,
    post('/api/proposals',
      { customer_type: 'lead', doc_lead_id: '7', doc_title: 'Relaunch', doc_date_start: '2026-03-01', doc_categoryid: '6',
        proposal_template: '2' }, NEW)),
  sends('lets the end be the start', "proposals create --client 4 --title 'One day' --start 2028-02-29 --end 2028-02-29 --category 6",
    post('/api/proposals',
      { customer_type: 'client', doc_client_id: '4', doc_title: 'One day', doc_date_start: '2028-02-29', doc_date_end: '2028-02-29',
        doc_categoryid: '6' }, NEW)),
  sends('sends JSON with numeric ids', `proposals create --lead 7 ${RELAUNCH} --template 2`,
    post('/api/proposals',
      json({ customer_type: 'lead', doc_lead_id: 7, doc_title: 'Relaunch', doc_date_start: '2026-03-01', doc_categoryid: 6,
        proposal_template: 2 }), NEW), { encoding: 'json' }),
  sends('reads the body from a file', `proposals create --client 4 ${RELAUNCH} --body @offer.html`,
    post('/api/proposals',
      { customer_type: 'client', doc_client_id: '4', doc_title: 'Relaunch', doc_date_start: '2026-03-01', doc_categoryid: '6',
        doc_body: '<h1>Offer</h1>\n<p>100 % & more</p>' }, NEW), { files: { 'offer.html': '<h1>Offer</h1>\n<p>100 % & more</p>' } }),
  sends('shows a refused field beside the flag', `proposals create --client 4 ${RELAUNCH}`,
    post('/api/proposals',
      { customer_type: 'client', doc_client_id: '4', doc_title: 'Relaunch', doc_date_start: '2026-03-01', doc_categoryid: '6' },
      invalid({ doc_categoryid: ['The selected category is invalid.'] })),
    { exit: 5, stderr: /--category: The selected category is invalid\./ }),
  refused('refuses --client with --lead', `proposals create --client 4 --lead 7 ${RELAUNCH}`, /(?=[\s\S]*--client)(?=[\s\S]*--lead)/),
  refused('needs --client or --lead', `proposals create ${RELAUNCH}`, /(?=[\s\S]*--client)(?=[\s\S]*--lead)/),
  refused('needs a title, a start and a category', 'proposals create --client 4',
    /(?=[\s\S]*--title)(?=[\s\S]*--start)(?=[\s\S]*--category)/),
  refused('refuses a day that does not exist', 'proposals create --client 4 --title x --start 2026-02-30 --category 6', /--start/),
  refused('refuses the 29th of February of a common year', `proposals create --client 4 ${RELAUNCH} --end 2027-02-29`, /--end/),
  refused('refuses a date in another notation', 'proposals create --client 4 --title x --start 2026-3-1 --category 6', /--start/),
  refused('refuses an end before the start', `proposals create --client 4 ${RELAUNCH} --end 2026-02-28`, /--end/),
  refused('refuses a template that is no id', `proposals create --client 4 ${RELAUNCH} --template web`, /--template/),
]);

wireCases('proposals update', [
  sends('reads, merges and keeps the end date, without the body', "proposals update 5 --title 'Relaunch 2' --json",
    [get('/api/proposals/5', ok(PROPOSAL)),
      patch('/api/proposals/5', { ...FIELDS, doc_title: 'Relaunch 2' },
        ok({ ...PROPOSAL, title: 'Relaunch 2' }, 'Proposal updated successfully.'))], { json: { ...PROPOSAL, title: 'Relaunch 2' } }),
  sends('sends every flag by wire name, the body too',
    'proposals update 5 --start 2026-04-01 --end 2026-04-30 --category 8 --body <p>New</p>',
    [get('/api/proposals/5', ok(PROPOSAL)),
      patch('/api/proposals/5',
        { doc_title: 'Website relaunch', doc_date_start: '2026-04-01', doc_date_end: '2026-04-30', doc_categoryid: '8',
          doc_body: '<p>New</p>' }, ok(PROPOSAL))]),
  sends('leaves out an end date that is null', 'proposals update 5 --category 8',
    [get('/api/proposals/5', ok({ ...PROPOSAL, dates: { ...DATES, end: null } })),
      patch('/api/proposals/5', { doc_title: 'Website relaunch', doc_date_start: '2026-03-01', doc_categoryid: '8' }, ok(PROPOSAL))]),
  sends('clears the end date with an empty value', "proposals update 5 --end ''",
    [get('/api/proposals/5', ok(PROPOSAL)), patch('/api/proposals/5', { ...FIELDS, doc_date_end: '' }, ok(PROPOSAL))]),
  sends('sends JSON with a numeric category', "proposals update 5 --title 'Relaunch 2'",
    [get('/api/proposals/5', ok(PROPOSAL)),
      patch('/api/proposals/5',
        json({ doc_title: 'Relaunch 2', doc_date_start: '2026-03-01', doc_date_end: '2026-03-31', doc_categoryid: 6 }), ok(PROPOSAL))],
    { encoding: 'json' }),
  sends('stops after the read when the record has no category', 'proposals update 5 --title x',
    get('/api/proposals/5', ok({ ...PROPOSAL, category: { id: null, name: null } })), { exit: 2, stderr: /--category/ }),
  sends('names the end that the proposal has when only the start is given', 'proposals update 5 --start 2099-01-01',
    get('/api/proposals/5', ok(PROPOSAL)),
    { exit: 2, stderr: /--start: 2099-01-01 is after the proposal's end, 2026-03-31: give --end, too\./ }),
  sends('names the start that the proposal has when only the end is given', 'proposals update 5 --end 2026-02-28',
    get('/api/proposals/5', ok(PROPOSAL)),
    { exit: 2, stderr: /--end: 2026-02-28 is before the proposal's start, 2026-03-01: give --start, too\./ }),
  sends('names both dates when the proposal itself has them the wrong way round', 'proposals update 5 --title T',
    get('/api/proposals/5', ok({ ...PROPOSAL, dates: { ...DATES, end: '2026-01-01' } })),
    { exit: 2, stderr: /--end: the proposal's end, 2026-01-01, is before the proposal's start, 2026-03-01/ }),
  refused('says in one sentence that there is nothing to change', 'proposals update 5',
    /^error: Nothing to change: give at least one flag\.\nSee: crm proposals update --help\n$/),
  refused('refuses an end before the start', 'proposals update 5 --start 2026-04-02 --end 2026-04-01', /--end/),
  refused('refuses to change nothing', 'proposals update 5'),
  refused('cannot move to another client', 'proposals update 5 --client 9', /--client/),
]);

wireCases('proposals delete', [
  sends('deletes one with --yes', 'proposals delete 5 --yes --json',
    del('/api/proposals/5', ok({ id: 5 }, 'Proposal deleted successfully.')), { json: { id: 5 } }),
  sends('sends nothing without --yes', 'proposals rm 5 6', [], { exit: 9, stderr: /--yes/ }),
]);

wireCases('proposals status', [
  sends('reads, then sets the status', 'proposals status 5 accepted --json',
    [get('/api/proposals/5', ok(PROPOSAL)),
      put('/api/proposals/5/status', { status: 'accepted' },
        ok({ ...PROPOSAL, status: 'accepted' }, 'Proposal status updated successfully.'))], { json: { ...PROPOSAL, status: 'accepted' } }),
  ...['draft', 'new', 'declined', 'revised'].map((status) => sends(`sets ${status}`, `proposals status 5 ${status}`,
    [get('/api/proposals/5', ok({ ...PROPOSAL, status: 'accepted' })),
      put('/api/proposals/5/status', { status }, ok({ ...PROPOSAL, status }))])),
  sends('sends JSON', 'proposals status 5 declined',
    [get('/api/proposals/5', ok(PROPOSAL)), put('/api/proposals/5/status', json({ status: 'declined' }), ok(PROPOSAL))],
    { encoding: 'json' }),
  sends('does not touch a signed proposal without --yes', 'proposals status 5 revised', get('/api/proposals/5', ok(SIGNED)),
    { exit: 9, stderr: /--yes/ }),
  sends('takes a signer without a date as a signature', 'proposals status 5 revised',
    get('/api/proposals/5', ok({ ...SIGNED, signed: { date: null, first_name: 'Jane', last_name: null } })), { exit: 9 }),
  sends('changes a signed proposal with --yes', 'proposals status 5 revised --yes',
    [get('/api/proposals/5', ok(SIGNED)), put('/api/proposals/5/status', { status: 'revised' }, ok(PROPOSAL))]),
  ...([['says that it is being maintained', { json: { message: 'Maintenance' } }], ['is empty', { text: '' }],
    ['is another proposal', ok({ ...PROPOSAL, id: 6 })], ['does not tell of signatures', ok({ ...PROPOSAL, signed: undefined })],
  ] as const).flatMap(([what, reply]) => ['', '--yes'].map((yes) => sends(
    `changes nothing when the answer ${what}${yes === '' ? '' : ', with --yes, too'}`, `proposals status 5 accepted ${yes}`,
    get('/api/proposals/5', reply), { exit: 7, stderr: /nothing was changed\./ }))),
  refused('refuses an unknown status', 'proposals status 5 sent', /sent/),
  refused('needs a status', 'proposals status 5'),
]);

wireCases('proposals tags', [
  sends('replaces the whole set without reading', "proposals tags 5 red 'two words' --json",
    put('/api/proposals/5/tags', { 'tags[]': ['red', 'two words'] },
      ok({ ...PROPOSAL, tags: ['red', 'two words'] }, 'Proposal tags updated successfully.')),
    { json: { ...PROPOSAL, tags: ['red', 'two words'] } }),
  sends('adds at the end and removes, after reading', 'proposals tags 5 --add new --remove web',
    [get('/api/proposals/5', ok(PROPOSAL)), put('/api/proposals/5/tags', { 'tags[]': ['big', 'new'] }, ok(PROPOSAL))]),
  sends('clears with an empty JSON array', 'proposals tags 5 --clear',
    put('/api/proposals/5/tags', json({ tags: [] }), ok({ ...PROPOSAL, tags: [] }))),
  sends('sends an empty JSON array when the last tags are removed', 'proposals tags 5 --remove web --remove big',
    [get('/api/proposals/5', ok(PROPOSAL)), put('/api/proposals/5/tags', json({ tags: [] }), ok({ ...PROPOSAL, tags: [] }))]),
  refused('does not clear by accident', 'proposals tags 5', /--clear/),
]);

wireCases('proposals clone', [
  sends('takes everything from the source, and marks the title', 'proposals clone 5 --json',
    [get('/api/proposals/5', ok(PROPOSAL)),
      post('/api/proposals/5/clone', { doc_title: 'Website relaunch (copy)', ...CLONE },
        created({ ...PROPOSAL, id: 41, title: 'Website relaunch (copy)' }, 'Proposal cloned successfully.'))],
    { json: { ...PROPOSAL, id: 41, title: 'Website relaunch (copy)' } }),
  sends('takes every flag instead of the source',
    "proposals clone 5 --title 'Phase 2' --client 9 --category 8 --start 2026-05-01 --end 2026-05-31",
    [get('/api/proposals/5', ok(PROPOSAL)),
      post('/api/proposals/5/clone',
        { doc_title: 'Phase 2', customer_type: 'client', doc_client_id: '9', doc_categoryid: '8', doc_date_start: '2026-05-01',
          doc_date_end: '2026-05-31' }, created({ ...PROPOSAL, id: 41 }))]),
  sends("clones a client's proposal for a lead", 'proposals clone 5 --lead 7',
    [get('/api/proposals/5', ok(PROPOSAL)),
      post('/api/proposals/5/clone',
        { doc_title: 'Website relaunch (copy)', customer_type: 'lead', doc_lead_id: '7',
          ...without(CLONE, 'customer_type', 'doc_client_id') }, created({ ...FOR_LEAD, id: 41 }))]),
  sends('keeps the lead of the source and leaves out an end date that is null, in JSON', 'proposals clone 5',
    [get('/api/proposals/5', ok({ ...FOR_LEAD, dates: { ...DATES, end: null } })),
      post('/api/proposals/5/clone',
        json({ doc_title: 'Website relaunch (copy)', customer_type: 'lead', doc_lead_id: 7, doc_categoryid: 6,
          doc_date_start: '2026-03-01' }), created({ ...FOR_LEAD, id: 41 }))], { encoding: 'json' }),
  refused('refuses --client with --lead', 'proposals clone 5 --client 4 --lead 7', /(?=[\s\S]*--client)(?=[\s\S]*--lead)/),
  sends('names the end that the source has when only the start is given', 'proposals clone 5 --start 2099-01-01',
    get('/api/proposals/5', ok(PROPOSAL)),
    { exit: 2, stderr: /--start: 2099-01-01 is after the proposal's end, 2026-03-31: give --end, too\./ }),
  refused('refuses an end before the start', 'proposals clone 5 --start 2026-05-02 --end 2026-05-01', /--end/),
]);
