// Wire tests of several records in one command: lists of ids, ids from standard input, and records that match conditions.
// Typed by hand from the interface document and the command line's page; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { Exchange, WireCase } from '../support/wire-case.ts';
import { failure, invalid, LEAD, NOTE, ok, type Pair, PROPOSAL, refused } from './records.ts';

const SHOP = { ...LEAD, id: 13, title: 'Shop sign' };
const WON = { ...LEAD, status: { id: 4, title: 'Won', color: 'green' } };
const BARN = { ...LEAD, id: 14, title: 'Barn' };
const ARCHIVED = { ...BARN, active_state: 'archived' };
const SIGNED = { ...PROPOSAL, id: 6, status: 'accepted', signed: { date: '2026-03-05', first_name: 'Jane', last_name: 'Doe' } };

const get = (path: string, record: unknown): Exchange => ({ request: { method: 'GET', path }, reply: ok(record) });

const put = (path: string, form: Pair[], record: unknown): Exchange => ({ request: { method: 'PUT', path, form }, reply: ok(record) });

/** One page of a list that is read to its end. */
const page = (path: string, records: unknown[], current = 1, last = 1): Exchange => ({
  request: { method: 'GET', path, query: [['limit', '100'], ['page', String(current)]] },
  reply: {
    json: { data: records, meta: { current_page: current, per_page: 2, total: last === 1 ? records.length : 3, last_page: last }, message: 'OK' },
  },
});

wireCases('get several', [
  { name: 'reads each id of a list, in order', argv: ['leads', 'get', '13,12', '--json'],
    exchanges: [get('/api/leads/13', SHOP), get('/api/leads/12', LEAD)], stdout: { json: [SHOP, LEAD] } },
  { name: 'answers an array for one id on standard input', argv: ['leads', 'get', '-', '--json'], stdin: '12\n',
    exchanges: [get('/api/leads/12', LEAD)], stdout: { json: [LEAD] } },
  { name: 'takes ids between lines, blanks and commas, each once', argv: ['leads', 'get', '-', '-o', 'ids'], stdin: '12 14\r\n\n13,12\n',
    exchanges: [get('/api/leads/12', LEAD), get('/api/leads/14', BARN), get('/api/leads/13', SHOP)], stdout: /^12\n14\n13\n$/ },
  { name: 'answers an empty array for no ids', argv: ['leads', 'get', '-', '--json'], stdin: '\n', exchanges: [], stdout: { json: [] } },
  { name: 'takes matching records out of the list, over all pages', argv: ['leads', 'get', '--where', 'title~shop', '--json'],
    exchanges: [page('/api/leads', [LEAD, BARN], 1, 2), page('/api/leads', [SHOP], 2, 2)], stdout: { json: [LEAD, SHOP] } },
  { name: 'wants every condition to hold', argv: ['leads', 'get', '--where', 'title~shop', '--where', 'title~sign', '--json'],
    exchanges: [page('/api/leads', [LEAD, SHOP])], stdout: { json: [SHOP] } },
  { name: 'answers what is there, and tells what is not by its number', argv: ['leads', 'get', '99,12', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/leads/99' }, reply: failure(404, 'Lead not found.') }, get('/api/leads/12', LEAD)],
    exit: 8, stdout: { json: [LEAD] }, stderr: /"failures":\s*\[\s*\{\s*"id":\s*99,/ },
  { name: 'shows what was read under --dry-run', argv: ['leads', 'get', '12,13', '--dry-run', '--json'],
    exchanges: [get('/api/leads/12', LEAD), get('/api/leads/13', SHOP)], stdout: { json: [LEAD, SHOP] } },
  refused('refuses an id beside --where', ['leads', 'get', '12', '--where', 'title~shop'], /"12" can't stand beside --where/),
  refused('refuses an id that is given twice', ['leads', 'get', '12,13,12'], /12 is given twice/),
  refused('refuses a list with something else in it', ['leads', 'get', '12,x'], /"x" is not an id/),
  refused('refuses a list that ends in a comma', ['leads', 'get', '12,'], /"" is not an id/),
  refused('says how to select', ['leads', 'get'], /--where/),
  { ...refused('refuses a table on standard input', ['leads', 'get', '-'], /"TITLE"[\s\S]*-o ids/), stdin: '12\nTITLE\n' },
]);

wireCases('update several', [
  { name: 'reads, merges and sends each', argv: ['notes', 'update', '9,10', '--title', 'Mail', '--json'], atOnce: true,
    exchanges: [9, 10].flatMap((id): Exchange[] => [
      get(`/api/notes/${id}`, { ...NOTE, id, description: `Text ${id}` }),
      {
        request: {
          method: 'PATCH', path: `/api/notes/${id}`,
          form: [['note_title', 'Mail'], ['note_description', `Text ${id}`], ['note_visibility', 'public']],
        },
        reply: ok({ ...NOTE, id, title: 'Mail' }),
      },
    ]),
    stdout: { json: [9, 10].map((id) => ({ ...NOTE, id, title: 'Mail' })) } },
  { name: 'reads the whole selection before the first write; a failure stops nothing',
    argv: ['notes', 'update', '--where', 'title~call', '--visibility', 'private', '--yes', '--json'], atOnce: true,
    exchanges: [
      page('/api/notes', [NOTE, { ...NOTE, id: 10, title: 'Mail' }], 1, 2), page('/api/notes', [{ ...NOTE, id: 11 }], 2, 2),
      { request: { method: 'GET', path: '/api/notes/9' }, reply: failure(404, 'Note not found.') },
      get('/api/notes/11', { ...NOTE, id: 11 }),
      {
        request: {
          method: 'PATCH', path: '/api/notes/11',
          form: [['note_title', 'Call'], ['note_description', 'Asked for a price'], ['note_visibility', 'private']],
        },
        reply: ok({ ...NOTE, id: 11, visibility: 'private' }),
      },
    ],
    exit: 8, stdout: { json: [{ ...NOTE, id: 11, visibility: 'private' }] }, stderr: /1 of 2 failed/ },
  { name: 'changes nothing that matches without --yes, and says what it would',
    argv: ['notes', 'update', '--where', 'title~call', '--visibility', 'private'], exchanges: [page('/api/notes', [NOTE])], exit: 9,
    stderr: /Change note 9: visibility private\?.*--yes/s },
  { name: 'is done with nothing when nothing matches',
    argv: ['notes', 'update', '--where', 'title~fax', '--visibility', 'private', '--json'], exchanges: [page('/api/notes', [NOTE])],
    stdout: { json: [] } },
  { name: 'shows an array of requests under --dry-run, also of one',
    argv: [
      'notes', 'update', '--where', 'title~call', '--visibility', 'private', '--replace', '--title', 'x', '--description', 'y', '--dry-run',
      '--json',
    ],
    exchanges: [page('/api/notes', [NOTE]), get('/api/notes/9', NOTE)],
    stdout: {
      json: [{
        method: 'PATCH', url: 'https://crm.test/api/notes/9',
        fields: { note_title: 'x', note_description: 'y', note_visibility: 'private' },
      }],
    } },
  refused('refuses a second reader of standard input', ['notes', 'update', '-', '--description', '-'], /ids and --description/),
  refused('refuses --data from there as well', ['notes', 'update', '-', '--data', '-'], /ids and --data/),
]);

wireCases('delete, archive and activate several', [
  {
    name: 'archives a list without a question off a terminal', argv: ['leads', 'archive', '12,13', '--json'], atOnce: true,
    exchanges: [12, 13].flatMap((id): Exchange[] => [
      get(`/api/leads/${id}`, { ...LEAD, id }),
      { request: { method: 'PUT', path: `/api/leads/${id}/archive` }, reply: ok({ id, active_state: 'archived' }) },
    ]),
    stdout: { json: [{ id: 12, active_state: 'archived' }, { id: 13, active_state: 'archived' }] },
  },
  {
    name: 'archives what standard input lists, with --yes', argv: ['leads', 'archive', '-', '--yes', '--json'], stdin: '12\n',
    exchanges: [
      get('/api/leads/12', LEAD),
      { request: { method: 'PUT', path: '/api/leads/12/archive' }, reply: ok({ id: 12, active_state: 'archived' }) },
    ],
    stdout: { json: [{ id: 12, active_state: 'archived' }] },
  },
  {
    name: 'archives nothing of it without', argv: ['leads', 'archive', '-'], stdin: '12\n13\n', exchanges: [], exit: 9,
    stderr: /Archive 2 leads \(12, 13\)\?.*--yes/s,
  },
  {
    name: 'activates what matches', argv: ['leads', 'activate', '--where', 'title=barn', '--yes', '--json'],
    exchanges: [
      page('/api/leads', [LEAD, ARCHIVED]), get('/api/leads/14', ARCHIVED),
      { request: { method: 'PUT', path: '/api/leads/14/activate' }, reply: ok(BARN) },
    ],
    stdout: { json: [BARN] },
  },
  {
    name: 'sends nothing to what is active already', argv: ['leads', 'activate', '12,14', '--json'], atOnce: true,
    exchanges: [get('/api/leads/12', LEAD), get('/api/leads/14', BARN)], stdout: { json: [LEAD, BARN] },
  },
  {
    name: 'leaves what moved out of the selection meanwhile, and says why',
    argv: ['leads', 'delete', '--where', 'title=barn', '--yes'],
    exchanges: [page('/api/leads', [LEAD, BARN]), get('/api/leads/14', { ...BARN, title: 'Stable' })],
    exit: 8,
    stderr: /^lead 14: Changed meanwhile, so left as it is: --where title=barn holds no longer, title is Stable now\.\nerror: 1 of 1 left out\.$/m,
  },
  {
    name: 'deletes a list with words and commas in order', argv: ['items', 'delete', '8,9', '10', '--yes', '-o', 'ids'], atOnce: true,
    exchanges: [8, 9, 10].flatMap((id): Exchange[] => [
      get(`/api/items/${id}`, { id, description: 'Oak' }),
      { request: { method: 'DELETE', path: `/api/items/${id}` }, reply: ok({ id }) },
    ]),
    stdout: /^8\n9\n10\n$/,
  },
  {
    name: 'deletes nothing that matches without --yes', argv: ['contacts', 'delete', '--where', 'name~x'],
    exchanges: [page('/api/contacts', [{ id: 5, name: 'Max' }, { id: 6, name: 'Rex' }])], exit: 9,
    stderr: /Delete 2 contacts \(5, 6\)\? This can't be undone\./,
  },
  refused('refuses ids beside -', ['leads', 'archive', '-', '12'], /"12" can't stand beside -/),
  refused('refuses ids beside --where', ['leads', 'delete', '12', '--where', 'title~x', '--yes'], /--where/),
  refused('an account owner is one', ['contacts', 'account-owner', '5,6'], /"5,6" is not an id/),
]);

wireCases('status of several', [
  { name: 'sets the status of each lead to the value of --to', argv: ['leads', 'status', '12,13', '--to', '4', '--json'], atOnce: true,
    exchanges: [
      get('/api/leads/12', LEAD), get('/api/leads/13', SHOP), put('/api/leads/12/status', [['status', '4']], WON),
      put('/api/leads/13/status', [['status', '4']], { ...WON, id: 13 }),
    ],
    stdout: { json: [WON, { ...WON, id: 13 }] } },
  { name: 'takes --to for one, too, and names it when it is refused', argv: ['leads', 'status', '12', '--to', '99'],
    exchanges: [{
      request: { method: 'PUT', path: '/api/leads/12/status', form: [['status', '99']] },
      reply: invalid({ status: ['The selected status is invalid.'] }),
    }],
    exit: 5, stderr: /--to: The selected status is invalid\./ },
  { name: 'leaves signed proposals out', argv: ['proposals', 'status', '5,6', '--to', 'declined', '--yes', '--json'], atOnce: true,
    exchanges: [
      get('/api/proposals/5', PROPOSAL), put('/api/proposals/5/status', [['status', 'declined']], { ...PROPOSAL, status: 'declined' }),
      get('/api/proposals/6', SIGNED),
    ],
    exit: 8, stdout: { json: [{ ...PROPOSAL, status: 'declined' }] }, stderr: /"message":\s*"1 of 2 left out\."[\s\S]*"id":\s*6/ },
  { name: 'clears signatures on purpose',
    argv: ['proposals', 'status', '6,7', '--to', 'declined', '--clear-signatures', '--yes', '-o', 'ids'], atOnce: true,
    exchanges: [6, 7].flatMap((id) => [
      get(`/api/proposals/${id}`, { ...SIGNED, id }),
      put(`/api/proposals/${id}/status`, [['status', 'declined']], { ...PROPOSAL, id, status: 'declined' }),
    ]),
    stdout: /^6\n7\n$/ },
  { name: 'asks for that, also where ids are listed', argv: ['proposals', 'status', '6,7', '--to', 'declined', '--clear-signatures'],
    exchanges: [], exit: 9, stderr: /to declined, and clear the signatures of those that are signed\? This can't be undone\./ },
  { name: 'leaves those out, unread, that the selection shows to be signed',
    argv: ['proposals', 'status', '--where', 'title~relaunch', '--to', 'declined', '--yes', '--json'],
    exchanges: [
      page('/api/proposals', [SIGNED, PROPOSAL]), get('/api/proposals/5', PROPOSAL),
      put('/api/proposals/5/status', [['status', 'declined']], { ...PROPOSAL, status: 'declined' }),
    ],
    exit: 8, stdout: { json: [{ ...PROPOSAL, status: 'declined' }] }, stderr: /"id":\s*6/ },
  { name: 'asks about those only that will be changed', argv: ['proposals', 'status', '--where', 'title~relaunch', '--to', 'declined'],
    exchanges: [page('/api/proposals', [SIGNED, PROPOSAL, { ...SIGNED, id: 7 }])], exit: 9,
    stderr: /Set the status of proposal 5 to declined, leaving out 2 signed ones\?/ },
  { name: 'leaves one out whose signature cannot be told, whatever the selection showed',
    argv: ['proposals', 'status', '--where', 'title~relaunch', '--to', 'declined', '--yes'],
    exchanges: [
      page('/api/proposals', [PROPOSAL]),
      { request: { method: 'GET', path: '/api/proposals/5' }, reply: { json: { message: 'Maintenance' } } },
    ],
    exit: 8, stderr: /proposal 5: The service answered without a record/ },
  refused('refuses a status behind a list', ['leads', 'status', '12,13', '4'], /"4" can't stand beside 12,13\..*--to/),
  refused('refuses a status behind -', ['proposals', 'status', '-', 'declined'], /--to/),
  refused('refuses a status beside --where', ['leads', 'status', '--where', 'title~x', '4'], /--to/),
  refused('refuses a status twice', ['leads', 'status', '12', '4', '--to', '5'], /once/),
  refused('needs a status', ['leads', 'status', '12,13'], /--to/),
  refused('refuses an unknown status', ['proposals', 'status', '5,6', '--to', 'sent'], /--to: "sent" is not one of/),
]);

wireCases('tags and assignees of several', [
  {
    name: 'adds and removes, each after reading',
    argv: ['leads', 'tags', '12,13,14', '--add', 'hot', '--remove', 'warm', '-o', 'ids'],
    atOnce: true,
    exchanges: [
      get('/api/leads/12', LEAD),
      put('/api/leads/12/tags', [['tags[]', 'retail'], ['tags[]', 'hot']], { ...LEAD, tags: ['retail', 'hot'] }),
      get('/api/leads/13', { ...SHOP, tags: ['hot', 'warm'] }),
      put('/api/leads/13/tags', [['tags[]', 'hot']], { ...SHOP, tags: ['hot'] }),
      // It has just these tags already.
      get('/api/leads/14', { ...BARN, tags: ['hot'] }),
    ],
    stdout: /^12\n13\n14\n$/,
  },
  {
    name: '--clear with --add is the whole new set, and reads nothing', argv: ['leads', 'tags', '12', '--clear', '--add', 'hot'],
    exchanges: [put('/api/leads/12/tags', [['tags[]', 'hot']], { ...LEAD, tags: ['hot'] })],
  },
  {
    name: 'says what a whole new set drops, where the selection told',
    argv: ['leads', 'assign', '--where', 'title~shop fitting', '--clear', '--add', '8', '--yes'],
    exchanges: [page('/api/leads', [LEAD, BARN]), get('/api/leads/12', LEAD), put('/api/leads/12/assigned', [['assigned[]', '8']], { ...LEAD, assigned: [{ id: 8, name: 'Kim Park' }] })],
    stderr: /^Lead 12 changed: Shop fitting\. assigned -Sam Hill$/m,
  },
  ...([
    ['without tags', ['leads', 'tags'], 'without the record\'s tags', { tags: undefined }],
    ['with tags that are no list', ['leads', 'tags'], "with an unknown form of the record's tags", { tags: 'warm' }],
    ['with tags that have ids', ['leads', 'tags'], "with an unknown form of the record's tags", { tags: [{ id: 1, title: 'warm' }] }],
    ['with tags in arrays', ['leads', 'tags'], "with an unknown form of the record's tags", { tags: [['warm']] }],
    ['with a tag that is nothing', ['leads', 'tags'], "with an unknown form of the record's tags", { tags: [null] }],
    ['without assignees', ['leads', 'assign'], "without the record's assigned", { assigned: undefined }],
    ['with an assignee without id', ['leads', 'assign'], "with an unknown form of the record's assigned", { assigned: [{ name: 'Sam' }] }],
    ['with bare ids', ['leads', 'assign'], "with an unknown form of the record's assigned", { assigned: [5] }],
    ['with assignees in arrays', ['leads', 'assign'], "with an unknown form of the record's assigned", { assigned: [[{ id: 5 }]] }],
  ] as const).map(([what, verb, how, members]): WireCase => ({
    name: `adds nothing to a record ${what}`, argv: [...verb, '12', '--add', '9'],
    exchanges: [get('/api/leads/12', { ...LEAD, ...members })], exit: 7,
    stderr: new RegExp(`The service answered ${how}; nothing was changed\\.[\\s\\S]*whole new set`),
  })),
  {
    name: 'takes null for an empty set, and an id as text for that id',
    argv: ['leads', 'assign', '12,13', '--add', '5', '-o', 'ids'],
    encoding: 'json',
    atOnce: true,
    exchanges: [
      get('/api/leads/12', { ...LEAD, assigned: null }),
      { request: { method: 'PUT', path: '/api/leads/12/assigned', json: { assigned: [5] } }, reply: ok({ ...LEAD, assigned: [{ id: 5 }] }) },
      get('/api/leads/13', { ...SHOP, assigned: [{ id: '8' }, { id: '9' }] }),
      { request: { method: 'PUT', path: '/api/leads/13/assigned', json: { assigned: [8, 9, 5] } }, reply: ok({ ...SHOP, assigned: [{ id: 8 }, { id: 9 }, { id: 5 }] }) },
    ],
    stdout: /^12\n13\n$/,
  },
  refused('refuses tags behind a list', ['notes', 'tags', '9,10', 'hot'], /"hot" can't stand beside 9,10\..*--add/),
  refused('refuses tags beside --where', ['notes', 'tags', '--where', 'title~x', 'hot'], /--add/),
  refused('refuses --clear with --remove', ['notes', 'tags', '9', '--clear', '--remove', 'hot'], /--clear/),
]);

/** A page of leads by their ids, and what the service says of the list. */
const told = (current: number, ids: unknown[], meta: object): Exchange => ({
  request: { method: 'GET', path: '/api/leads', query: [['limit', '100'], ['page', String(current)]] },
  reply: { json: { data: ids.map((id) => ({ ...LEAD, id })), meta, message: 'OK' } },
});

const remove = (id: number): Exchange => ({ request: { method: 'DELETE', path: `/api/leads/${id}` }, reply: ok({ id }) });

wireCases('a selection that is written', [
  { name: 'is none where a later page says that there are more records than came',
    argv: ['leads', 'delete', '--where', 'active_state!=archived', '--yes'],
    exchanges: [told(1, [1, 2], { total: 3, last_page: 2 }), told(2, [3], { total: 4, last_page: 2 })], exit: 7,
    stderr: /The list changed while it was being read, so nothing was sent\./ },
  { name: 'holds every page that was told of once', argv: ['leads', 'delete', '--where', 'active_state!=archived', '--yes', '--json'],
    atOnce: true,
    exchanges: [
      told(1, [1], { last_page: 3 }), told(2, [2], { last_page: 2 }), told(3, [3], { last_page: 3 }),
      ...[1, 2, 3].flatMap((id) => [get(`/api/leads/${id}`, { ...LEAD, id }), remove(id)]),
    ],
    stdout: { json: [{ id: 1 }, { id: 2 }, { id: 3 }] } },
  { name: 'goes on where the last page is told to come before the first',
    argv: ['leads', 'delete', '--where', 'active_state!=archived', '--yes', '--json'],
    exchanges: [told(1, [1], { last_page: 0 }), told(2, [], { last_page: 0 }), get('/api/leads/1', { ...LEAD, id: 1 }), remove(1)],
    stdout: { json: [{ id: 1 }] } },
  { name: 'is none where a record comes twice, be it as a number and as a text',
    argv: ['leads', 'delete', '--where', 'active_state!=archived', '--yes'], exchanges: [told(1, [5, '5'], { last_page: 1 })], exit: 7,
    stderr: /The list changed while it was being read, so nothing was sent\./ },
  { name: 'is none where nobody can tell whether a record is meant',
    argv: ['leads', 'delete', '--where', 'converted.is_converted!=true', '--yes'],
    exchanges: [{
      request: { method: 'GET', path: '/api/leads', query: [['limit', '100'], ['page', '1']] },
      reply: { json: { data: [{ ...LEAD, converted: { ...LEAD.converted, is_converted: 'maybe' } }], meta: { total: 1, last_page: 1 } } },
    }],
    exit: 7, stderr: /lead 12 came with converted\.is_converted "maybe"/ },
]);
