// Wire tests of several records in one command: lists of ids, ids from standard input, and records that match conditions.
// Typed by hand from the interface document and the command line's page; imports no declaration.

import { json } from '../support/request.ts';
import { wireCases } from '../support/wire.ts';
import { del, failure, get, invalid, LEAD, NOTE, ok, PROPOSAL, patch, put, refused, sends, whole } from './records.ts';

const SHOP = { ...LEAD, id: 13, title: 'Shop sign' };
const WON = { ...LEAD, status: { id: 4, title: 'Won', color: 'green' } };
const BARN = { ...LEAD, id: 14, title: 'Barn' };
const ARCHIVED = { ...BARN, active_state: 'archived' };
const SIGNED = { ...PROPOSAL, id: 6, status: 'accepted', signed: { date: '2026-03-05', first_name: 'Jane', last_name: 'Doe' } };

/** One page of a list that is read to its end. */
const page = (path: string, records: unknown[], current = 1, last = 1) => whole(path, { json: {
  data: records, meta: { current_page: current, per_page: 2, total: last === 1 ? records.length : 3, last_page: last }, message: 'OK',
} }, current);

wireCases('get several', [
  sends('reads each id of a list, in order', 'leads get 13,12 --json', [get('/api/leads/13', ok(SHOP)), get('/api/leads/12', ok(LEAD))],
    { json: [SHOP, LEAD] }),
  sends('answers an array for one id on standard input', 'leads get - --json', get('/api/leads/12', ok(LEAD)),
    { stdin: '12\n', json: [LEAD] }),
  sends('takes ids between lines, blanks and commas, each once', 'leads get - -o ids',
    [get('/api/leads/12', ok(LEAD)), get('/api/leads/14', ok(BARN)), get('/api/leads/13', ok(SHOP))],
    { stdin: '12 14\r\n\n13,12\n', stdout: /^12\n14\n13\n$/ }),
  sends('answers an empty array for no ids', 'leads get - --json', [], { stdin: '\n', json: [] }),
  sends('takes matching records out of the list, over all pages', 'leads get --where title~shop --json',
    [page('/api/leads', [LEAD, BARN], 1, 2), page('/api/leads', [SHOP], 2, 2)], { json: [LEAD, SHOP] }),
  sends('wants every condition to hold', 'leads get --where title~shop --where title~sign --json', page('/api/leads', [LEAD, SHOP]),
    { json: [SHOP] }),
  sends('prints the records that exist, and names the missing one', 'leads get 99,12 --json',
    [get('/api/leads/99', failure(404, 'Lead not found.')), get('/api/leads/12', ok(LEAD))],
    { exit: 8, json: [LEAD], stderr: /"failures":\s*\[\s*\{\s*"id":\s*99,/ }),
  sends('shows what was read under --dry-run', 'leads get 12,13 --dry-run --json',
    [get('/api/leads/12', ok(LEAD)), get('/api/leads/13', ok(SHOP))], { json: [LEAD, SHOP] }),
  refused('refuses an id beside --where', 'leads get 12 --where title~shop', /"12" can't be combined with --where/),
  refused('refuses an id that is given twice', 'leads get 12,13,12', /12 is given twice/),
  refused('refuses a list with something else in it', 'leads get 12,x', /"x" is not an id/),
  refused('refuses a list that ends in a comma', 'leads get 12,', /"" is not an id/),
  refused('says how to select', 'leads get', /--where/),
  { ...refused('refuses a table on standard input', 'leads get -', /"TITLE"[\s\S]*-o ids/), stdin: '12\nTITLE\n' },
]);

wireCases('update several', [
  sends('reads, merges and sends each', 'notes update 9,10 --title Mail --json',
    [9, 10].flatMap((id) => [get(`/api/notes/${id}`, ok({ ...NOTE, id, description: `Text ${id}` })),
      patch(`/api/notes/${id}`, { note_title: 'Mail', note_description: `Text ${id}`, note_visibility: 'public' },
        ok({ ...NOTE, id, title: 'Mail' }))]), { atOnce: true, json: [9, 10].map((id) => ({ ...NOTE, id, title: 'Mail' })) }),
  sends('reads the whole selection before the first write, and goes on after a failure',
    'notes update --where title~call --visibility private --yes --json',
    [page('/api/notes', [NOTE, { ...NOTE, id: 10, title: 'Mail' }], 1, 2), page('/api/notes', [{ ...NOTE, id: 11 }], 2, 2),
      get('/api/notes/9', failure(404, 'Note not found.')), get('/api/notes/11', ok({ ...NOTE, id: 11 })),
      patch('/api/notes/11', { note_title: 'Call', note_description: 'Asked for a price', note_visibility: 'private' },
        ok({ ...NOTE, id: 11, visibility: 'private' }))],
    { atOnce: true, exit: 8, json: [{ ...NOTE, id: 11, visibility: 'private' }], stderr: /1 of 2 failed/ }),
  sends('changes nothing without --yes, and says what would change', 'notes update --where title~call --visibility private',
    page('/api/notes', [NOTE]), { exit: 9, stderr: /Change note 9: visibility private\?.*--yes/s }),
  sends('succeeds when nothing matches', 'notes update --where title~fax --visibility private --json',
    page('/api/notes', [NOTE]), { json: [] }),
  sends('shows an array of requests under --dry-run, also of one',
    'notes update --where title~call --visibility private --replace --title x --description y --dry-run --json',
    [page('/api/notes', [NOTE]), get('/api/notes/9', ok(NOTE))],
    { json: [{ method: 'PATCH', url: 'https://crm.test/api/notes/9',
        fields: { note_title: 'x', note_description: 'y', note_visibility: 'private' } }] }),
  refused('refuses a second reader of standard input', 'notes update - --description -', /ids and --description/),
  refused('refuses --data from standard input as well', 'notes update - --data -', /ids and --data/),
]);

wireCases('delete, archive and activate several', [
  sends('archives a list without a question off a terminal', 'leads archive 12,13 --json',
    [12, 13].flatMap((id) => [get(`/api/leads/${id}`, ok({ ...LEAD, id })),
      put(`/api/leads/${id}/archive`, {}, ok({ id, active_state: 'archived' }))]),
    { atOnce: true, json: [{ id: 12, active_state: 'archived' }, { id: 13, active_state: 'archived' }] }),
  sends('archives the ids of standard input with --yes', 'leads archive - --yes --json',
    [get('/api/leads/12', ok(LEAD)), put('/api/leads/12/archive', {}, ok({ id: 12, active_state: 'archived' }))],
    { stdin: '12\n', json: [{ id: 12, active_state: 'archived' }] }),
  sends('archives nothing of standard input without --yes', 'leads archive -', [],
    { stdin: '12\n13\n', exit: 9, stderr: /Archive 2 leads \(12, 13\)\?.*--yes/s }),
  sends('activates what matches', 'leads activate --where title=barn --yes --json',
    [page('/api/leads', [LEAD, ARCHIVED]), get('/api/leads/14', ok(ARCHIVED)), put('/api/leads/14/activate', {}, ok(BARN))],
    { json: [BARN] }),
  sends('sends nothing to active leads', 'leads activate 12,14 --json',
    [get('/api/leads/12', ok(LEAD)), get('/api/leads/14', ok(BARN))], { atOnce: true, json: [LEAD, BARN] }),
  sends('leaves a record that no longer matches, and says why', 'leads delete --where title=barn --yes',
    [page('/api/leads', [LEAD, BARN]), get('/api/leads/14', ok({ ...BARN, title: 'Stable' }))],
    { exit: 8,
      stderr: /^lead 14: Changed meanwhile, so left as it is: --where title=barn holds no longer, title is Stable now\.\nerror: 1 of 1 left out\.$/m }),
  sends('deletes a list with words and commas in order', 'items delete 8,9 10 --yes -o ids',
    [8, 9, 10].flatMap((id) => [get(`/api/items/${id}`, ok({ id, description: 'Oak' })), del(`/api/items/${id}`, ok({ id }))]),
    { atOnce: true, stdout: /^8\n9\n10\n$/ }),
  sends('deletes nothing that matches without --yes', 'contacts delete --where name~x',
    page('/api/contacts', [{ id: 5, name: 'Max' }, { id: 6, name: 'Rex' }]),
    { exit: 9, stderr: /Delete 2 contacts \(5, 6\)\? This can't be undone\./ }),
  refused('refuses ids beside -', 'leads archive - 12', /"12" can't be combined with -/),
  refused('refuses ids beside --where', 'leads delete 12 --where title~x --yes', /--where/),
  refused('refuses several account owners', 'contacts account-owner 5,6', /"5,6" is not an id/),
]);

wireCases('status of several', [
  sends('sets the status of each lead to the value of --to', 'leads status 12,13 --to 4 --json',
    [get('/api/leads/12', ok(LEAD)), get('/api/leads/13', ok(SHOP)), put('/api/leads/12/status', { status: '4' }, ok(WON)),
      put('/api/leads/13/status', { status: '4' }, ok({ ...WON, id: 13 }))], { atOnce: true, json: [WON, { ...WON, id: 13 }] }),
  sends('takes --to for a single lead, and names the flag when the status is refused', 'leads status 12 --to 99',
    put('/api/leads/12/status', { status: '99' }, invalid({ status: ['The selected status is invalid.'] })),
    { exit: 5, stderr: /--to: The selected status is invalid\./ }),
  sends('leaves signed proposals out', 'proposals status 5,6 --to declined --yes --json',
    [get('/api/proposals/5', ok(PROPOSAL)), put('/api/proposals/5/status', { status: 'declined' }, ok({ ...PROPOSAL, status: 'declined' })),
      get('/api/proposals/6', ok(SIGNED))],
    { atOnce: true, exit: 8, json: [{ ...PROPOSAL, status: 'declined' }], stderr: /"message":\s*"1 of 2 left out\."[\s\S]*"id":\s*6/ }),
  sends('clears signatures with --clear-signatures', 'proposals status 6,7 --to declined --clear-signatures --yes -o ids',
    [6, 7].flatMap((id) => [get(`/api/proposals/${id}`, ok({ ...SIGNED, id })),
      put(`/api/proposals/${id}/status`, { status: 'declined' }, ok({ ...PROPOSAL, id, status: 'declined' }))]),
    { atOnce: true, stdout: /^6\n7\n$/ }),
  sends('asks before it clears signatures, also for listed ids', 'proposals status 6,7 --to declined --clear-signatures', [],
    { exit: 9, stderr: /to declined, and clear their signatures\? This can't be undone\./ }),
  sends('leaves out signed proposals without a read',
    'proposals status --where title~relaunch --to declined --yes --json',
    [page('/api/proposals', [SIGNED, PROPOSAL]), get('/api/proposals/5', ok(PROPOSAL)),
      put('/api/proposals/5/status', { status: 'declined' }, ok({ ...PROPOSAL, status: 'declined' }))],
    { exit: 8, json: [{ ...PROPOSAL, status: 'declined' }], stderr: /"id":\s*6/ }),
  sends('asks only about the proposals that will change', 'proposals status --where title~relaunch --to declined',
    page('/api/proposals', [SIGNED, PROPOSAL, { ...SIGNED, id: 7 }]),
    { exit: 9, stderr: /Set the status of proposal 5 to declined, leaving out 2 signed ones\?/ }),
  sends('leaves out a proposal whose signature is unknown, whatever the selection showed',
    'proposals status --where title~relaunch --to declined --yes',
    [page('/api/proposals', [PROPOSAL]), get('/api/proposals/5', { json: { message: 'Maintenance' } })],
    { exit: 8, stderr: /proposal 5: The service answered without a record/ }),
  refused('refuses a status behind a list', 'leads status 12,13 4', /"4" can't be combined with 12,13\..*--to/),
  refused('refuses a status behind -', 'proposals status - declined', /--to/),
  refused('refuses a status beside --where', 'leads status --where title~x 4', /--to/),
  refused('refuses a status twice', 'leads status 12 4 --to 5', /once/),
  refused('needs a status', 'leads status 12,13', /--to/),
  refused('refuses an unknown status', 'proposals status 5,6 --to sent', /--to: "sent" is not one of/),
]);

wireCases('tags and assignees of several', [
  sends('adds and removes, each after reading', 'leads tags 12,13,14 --add hot --remove warm -o ids',
    [get('/api/leads/12', ok(LEAD)), put('/api/leads/12/tags', { 'tags[]': ['retail', 'hot'] }, ok({ ...LEAD, tags: ['retail', 'hot'] })),
      get('/api/leads/13', ok({ ...SHOP, tags: ['hot', 'warm'] })),
      put('/api/leads/13/tags', { 'tags[]': 'hot' }, ok({ ...SHOP, tags: ['hot'] })),
      // It has just these tags already.
      get('/api/leads/14', ok({ ...BARN, tags: ['hot'] }))], { atOnce: true, stdout: /^12\n13\n14\n$/ }),
  sends('--clear with --add is the whole new set, and reads nothing', 'leads tags 12 --clear --add hot',
    put('/api/leads/12/tags', { 'tags[]': 'hot' }, ok({ ...LEAD, tags: ['hot'] }))),
  sends('names the assignees that a whole new set drops', "leads assign --where 'title~shop fitting' --clear --add 8 --yes",
    [page('/api/leads', [LEAD, BARN]), get('/api/leads/12', ok(LEAD)),
      put('/api/leads/12/assigned', { 'assigned[]': '8' }, ok({ ...LEAD, assigned: [{ id: 8, name: 'Kim Park' }] }))],
    { stderr: /^Lead 12 changed: Shop fitting\. assigned -Sam Hill$/m }),
  ...([['without tags', ['leads', 'tags'], 'without the record\'s tags', { tags: undefined }],
    ['with tags that are no list', ['leads', 'tags'], "with an unknown form of the record's tags", { tags: 'warm' }],
    ['with tags that have ids', ['leads', 'tags'], "with an unknown form of the record's tags", { tags: [{ id: 1, title: 'warm' }] }],
    ['with tags in arrays', ['leads', 'tags'], "with an unknown form of the record's tags", { tags: [['warm']] }],
    ['with a tag that is nothing', ['leads', 'tags'], "with an unknown form of the record's tags", { tags: [null] }],
    ['without assignees', ['leads', 'assign'], "without the record's assigned", { assigned: undefined }],
    ['with an assignee without id', ['leads', 'assign'], "with an unknown form of the record's assigned", { assigned: [{ name: 'Sam' }] }],
    ['with bare ids', ['leads', 'assign'], "with an unknown form of the record's assigned", { assigned: [5] }],
    ['with assignees in arrays', ['leads', 'assign'], "with an unknown form of the record's assigned",
      { assigned: [[{ id: 5 }]] }]] as const).map(([what, verb, how, members]) => sends(`adds nothing to a record ${what}`,
    [...verb, '12', '--add', '9'], get('/api/leads/12', ok({ ...LEAD, ...members })),
    { exit: 7, stderr: new RegExp(`The service answered ${how}; nothing was changed\\.[\\s\\S]*whole new set`) })),
  sends('takes null for an empty set, and an id as text for that id', 'leads assign 12,13 --add 5 -o ids',
    [get('/api/leads/12', ok({ ...LEAD, assigned: null })),
      put('/api/leads/12/assigned', json({ assigned: [5] }), ok({ ...LEAD, assigned: [{ id: 5 }] })),
      get('/api/leads/13', ok({ ...SHOP, assigned: [{ id: '8' }, { id: '9' }] })),
      put('/api/leads/13/assigned', json({ assigned: [8, 9, 5] }), ok({ ...SHOP, assigned: [{ id: 8 }, { id: 9 }, { id: 5 }] }))],
    { encoding: 'json', atOnce: true, stdout: /^12\n13\n$/ }),
  refused('refuses tags behind a list', 'notes tags 9,10 hot', /"hot" can't be combined with 9,10\..*--add/),
  refused('refuses tags beside --where', 'notes tags --where title~x hot', /--add/),
  refused('refuses --clear with --remove', 'notes tags 9 --clear --remove hot', /--clear/),
]);

/** A page of leads by their ids, and what the service says of the list. */
const told = (current: number, ids: unknown[], meta: object) => whole('/api/leads',
  { json: { data: ids.map((id) => ({ ...LEAD, id })), meta, message: 'OK' } }, current);

const remove = (id: number) => del(`/api/leads/${id}`, ok({ id }));

wireCases('a selection that is written', [
  sends('is refused where a later page tells of more records than came', 'leads delete --where active_state!=archived --yes',
    [told(1, [1, 2], { total: 3, last_page: 2 }), told(2, [3], { total: 4, last_page: 2 })],
    { exit: 7, stderr: /The list changed while it was being read, so nothing was sent\./ }),
  sends('holds every page that any answer told of', 'leads delete --where active_state!=archived --yes --json',
    [told(1, [1], { last_page: 3 }), told(2, [2], { last_page: 2 }), told(3, [3], { last_page: 3 }),
      ...[1, 2, 3].flatMap((id) => [get(`/api/leads/${id}`, ok({ ...LEAD, id })), remove(id)])],
    { atOnce: true, json: [{ id: 1 }, { id: 2 }, { id: 3 }] }),
  sends('goes on where the last page is said to be page 0', 'leads delete --where active_state!=archived --yes --json',
    [told(1, [1], { last_page: 0 }), told(2, [], { last_page: 0 }), get('/api/leads/1', ok({ ...LEAD, id: 1 })), remove(1)],
    { json: [{ id: 1 }] }),
  sends('is refused where a record comes twice, as a number and as a text', 'leads delete --where active_state!=archived --yes',
    told(1, [5, '5'], { last_page: 1 }), { exit: 7, stderr: /The list changed while it was being read, so nothing was sent\./ }),
  sends("is refused where a record doesn't tell whether it matches", 'leads delete --where converted.is_converted!=true --yes',
    whole('/api/leads',
      { json: { data: [{ ...LEAD, converted: { ...LEAD.converted, is_converted: 'maybe' } }], meta: { total: 1, last_page: 1 } } }),
    { exit: 7, stderr: /lead 12 came with converted\.is_converted "maybe"/ }),
]);
