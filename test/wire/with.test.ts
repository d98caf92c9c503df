// Wire tests of `get --with`: a record and what hangs on it. Typed by hand from the interface document (lists and their query parameters)
// and the vendor facts; imports no declaration.

import { wireCases } from '../support/wire.ts';
import { failure, get, LEAD, list, NOTE, ok, PROPOSAL, type Reply, refused, sends, whole } from './records.ts';

const COMMENT = { id: 3, text: 'Called', creator: { id: 5, name: 'Sam Hill' } };

const hundred = Array.from({ length: 100 }, (_, index) => ({ ...NOTE, id: 312 - index }));

/** One page of a hundred, the newest first. */
const newest = (target: string, sort: string, reply: Reply) => whole(target, reply, 1, { sort, order: 'desc' });

const notesOn = (type: string, id: string, reply: Reply = list([])) =>
  newest(`/api/notes?resource_type=${type}&resource_id=${id}`, 'note_created', reply);

const cut = (records: unknown[], total: number): Reply => ({
  json: { data: records, meta: { current_page: 1, per_page: 100, total, last_page: Math.ceil(total / 100) }, message: 'OK' } });

wireCases('get --with', [
  sends('reads the lists of a lead into members of their names, in the given order',
    'leads get 12 --with notes,comments,proposals --json',
    [get('/api/leads/12', ok(LEAD)), notesOn('lead', '12', list([NOTE])), get('/api/leads/12/comments', ok([COMMENT])),
      newest('/api/proposals?lead_id=12', 'doc_created', list([PROPOSAL]))],
    { json: { ...LEAD, notes: [NOTE], comments: [COMMENT], proposals: [PROPOSAL] } }),
  sends('has an empty array for an empty list', 'leads get 12 --with comments --with notes --json --fields id,comments,notes',
    [get('/api/leads/12', ok(LEAD)), get('/api/leads/12/comments', ok([])), notesOn('lead', '12')],
    { json: { id: 12, comments: [], notes: [] } }),
  sends('knows what hangs on a client', 'client get 4 --with contacts,proposals,projects,notes --json',
    [get('/api/clients/4', ok({ id: 4 })), newest('/api/contacts?client_id=4', 'created', list([])),
      newest('/api/proposals?client_id=4', 'doc_created', list([])),
      newest('/api/projects?client_id=4', 'project_created', list([{ id: 2 }])), notesOn('client', '4')],
    { json: { id: 4, contacts: [], proposals: [], projects: [{ id: 2 }], notes: [] } }),
  sends('knows what hangs on a project', 'projects get 7 --with tasks,notes -o ndjson',
    [get('/api/projects/7', ok({ id: 7 })), newest('/api/tasks?project_id=7', 'task_created', list([])), notesOn('project', '7')],
    { stdout: /^\{"id":7,"tasks":\[\],"notes":\[\]\}\n$/ }),
  ...([['tasks', 'task'], ['contacts', 'user'], ['team', 'user']] as const).map(([family, type]) => sends(`knows the notes on ${family}`,
    `${family} get 8 --with notes --json`, [get(`/api/${family}/8`, ok({ id: 8 })), notesOn(type, '8')], { json: { id: 8, notes: [] } })),
  sends('says how much of a long list is missing, and names the command for all', 'leads get 12 --with notes --json --fields id,notes.id',
    [get('/api/leads/12', ok(LEAD)), notesOn('lead', '12', cut(hundred, 312))],
    { json: { id: 12, notes: hundred.map(({ id }) => ({ id })) },
      stderr: /^lead 12: the newest 100 of 312 notes\. All of them: crm notes list --resource lead:12 --all\n$/ }),
  sends("prints the record and the other lists when a list fails, with that list's exit status",
    'leads get 12 --with comments,notes --json --retries 0 --fields id,notes',
    [get('/api/leads/12', ok(LEAD)), get('/api/leads/12/comments', failure(500, 'Server Error')), notesOn('lead', '12')],
    { exit: 7, json: { id: 12, notes: [] }, stderr: /"message":"The comments of lead 12 are missing: / }),
  sends('names every list that failed', 'leads get 12 --with comments,notes -o yaml --retries 0 --fields id',
    [get('/api/leads/12', ok(LEAD)), get('/api/leads/12/comments', failure(404, 'Not Found')),
      notesOn('lead', '12', failure(500, 'Server Error'))],
    { exit: 3, stdout: /^id: 12\n$/, stderr: /The comments of lead 12 are missing: .*\n(.*\n)*.*The notes of lead 12 are missing: / }),
  sends('says that an installation lacks the list', 'projects get 7 --with tasks --json',
    [get('/api/projects/7', ok({ id: 7 })), newest('/api/tasks?project_id=7', 'task_created', failure(404, 'Not Found'))],
    { exit: 3, json: { id: 7 }, stderr: /The tasks of project 7 are missing: This service has no \/api\/tasks/ }),
  sends('refuses an answer without a list', 'leads get 12 --with comments --json',
    [get('/api/leads/12', ok(LEAD)), get('/api/leads/12/comments', { json: { message: 'Maintenance' } })],
    { exit: 7, json: LEAD, stderr: /without a list of records/ }),
  sends('fails as the record does when the record is missing', 'leads get 12 --with comments',
    [get('/api/leads/12', failure(404, 'Not Found')), get('/api/leads/12/comments', failure(404, 'Not Found'))],
    { exit: 3, stdout: /^$/, stderr: /^error: There is nothing at \/api\/leads\/12 \(404\)\.\n$/ }),
  sends('works for each of several', 'leads get 12,13 --with notes --json --fields id,notes.id --retries 0',
    [get('/api/leads/12', ok(LEAD)), notesOn('lead', '12', list([NOTE])), get('/api/leads/13', ok({ ...LEAD, id: 13 })),
      notesOn('lead', '13', failure(500, 'Server Error'))],
    { exit: 8, json: [{ id: 12, notes: [{ id: 9 }] }, { id: 13, notes: { id: null } }], stderr: /"message":"1 of 2 failed\."/ }),
  sends('works for the matches of --where',
    'leads get --where source=Web --with comments --json --fields id,comments',
    [get('/api/leads', list([LEAD, { ...LEAD, id: 13, source: 'Fair' }]), { limit: '100', page: '1' }),
      get('/api/leads/12/comments', ok([]))], { json: [{ id: 12, comments: [] }] }),
  sends('knows the members of an empty list', 'leads get 12 --with comments --json --fields comments.text',
    [get('/api/leads/12', ok(LEAD)), get('/api/leads/12/comments', ok([]))], { json: { comments: [] } }),
  sends('refuses an unknown member of a list', 'leads get 12 --with comments --fields comments.txt',
    [get('/api/leads/12', ok(LEAD)), get('/api/leads/12/comments', ok([COMMENT]))],
    { exit: 2, stdout: /^$/, stderr: /--fields: unknown field "comments\.txt"/ }),
  refused('refuses an unknown name', 'leads get 12 --with comment',
    /--with: "comment" is not one of comments, proposals, notes\. Did you mean comments\?/),
  refused('refuses a name twice', 'leads get 12 --with notes,notes', /--with: notes is given twice\./),
  refused('refuses nothing', "leads get 12 --with ''", /--with: give names separated by commas: comments, proposals, notes\./),
  refused('refuses nothing behind a comma', 'leads get 12 --with notes,', /--with: give names/),
  refused('refuses CSV', 'leads get 12 --with notes --csv', /no place in -o csv: choose --json, -o ndjson or -o yaml/),
  refused('refuses ids', 'leads get 12 --with notes -o ids', /no place in -o ids/),
  refused('refuses a table of several off a terminal', 'leads get 12,13 --with notes', /no place in a table off a terminal/),
  refused('refuses the whole answer', 'leads get 12 --with notes --envelope', /--envelope .*--with/),
  refused('is unknown for families without such lists', 'items get 8 --with notes', /Unknown option '--with'/),
]);
