// Wire tests of `get --with`: a record and what hangs on it. Typed by hand from the interface document (lists and their query parameters)
// and the vendor facts; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { Exchange } from '../support/wire-case.ts';
import { failure, LEAD, list, NOTE, ok, type Pair, PROPOSAL, type Reply, refused } from './records.ts';

const COMMENT = { id: 3, text: 'Called', creator: { id: 5, name: 'Sam Hill' } };

const get = (path: string, reply: Reply, query?: Pair[]): Exchange => ({ request: { method: 'GET', path, ...(query === undefined ? {} : { query }) }, reply });

const hundred = Array.from({ length: 100 }, (_, index) => ({ ...NOTE, id: 312 - index }));

/** One page of a hundred, the newest first. */
const newest = (path: string, sort: string, filter: Pair[], reply: Reply): Exchange =>
  get(path, reply, [...filter, ['sort', sort], ['order', 'desc'], ['limit', '100'], ['page', '1']]);

const notesOn = (type: string, id: string, reply: Reply = list([])): Exchange =>
  newest('/api/notes', 'note_created', [['resource_type', type], ['resource_id', id]], reply);

const cut = (records: unknown[], total: number): Reply => ({
  json: { data: records, meta: { current_page: 1, per_page: 100, total, last_page: Math.ceil(total / 100) }, message: 'OK' },
});

wireCases('get --with', [
  { name: 'reads what hangs on a lead beside it, into members of those names, in the order asked for',
    argv: ['leads', 'get', '12', '--with', 'notes,comments,proposals', '--json'],
    exchanges: [
      get('/api/leads/12', ok(LEAD)), notesOn('lead', '12', list([NOTE])), get('/api/leads/12/comments', ok([COMMENT])),
      newest('/api/proposals', 'doc_created', [['lead_id', '12']], list([PROPOSAL])),
    ],
    stdout: { json: { ...LEAD, notes: [NOTE], comments: [COMMENT], proposals: [PROPOSAL] } } },
  { name: 'has an empty array where nothing hangs',
    argv: ['leads', 'get', '12', '--with', 'comments', '--with', 'notes', '--json', '--fields', 'id,comments,notes'],
    exchanges: [get('/api/leads/12', ok(LEAD)), get('/api/leads/12/comments', ok([])), notesOn('lead', '12')],
    stdout: { json: { id: 12, comments: [], notes: [] } } },
  { name: 'knows what hangs on a client', argv: ['client', 'get', '4', '--with', 'contacts,proposals,projects,notes', '--json'],
    exchanges: [
      get('/api/clients/4', ok({ id: 4 })), newest('/api/contacts', 'created', [['client_id', '4']], list([])),
      newest('/api/proposals', 'doc_created', [['client_id', '4']], list([])),
      newest('/api/projects', 'project_created', [['client_id', '4']], list([{ id: 2 }])), notesOn('client', '4'),
    ],
    stdout: { json: { id: 4, contacts: [], proposals: [], projects: [{ id: 2 }], notes: [] } } },
  { name: 'knows what hangs on a project', argv: ['projects', 'get', '7', '--with', 'tasks,notes', '-o', 'ndjson'],
    exchanges: [
      get('/api/projects/7', ok({ id: 7 })), newest('/api/tasks', 'task_created', [['project_id', '7']], list([])), notesOn('project', '7'),
    ],
    stdout: /^\{"id":7,"tasks":\[\],"notes":\[\]\}\n$/ },
  ...([['tasks', 'task'], ['contacts', 'user'], ['team', 'user']] as const).map(([family, type]) => ({
    name: `knows the notes on ${family}`, argv: [family, 'get', '8', '--with', 'notes', '--json'],
    exchanges: [get(`/api/${family}/8`, ok({ id: 8 })), notesOn(type, '8')], stdout: { json: { id: 8, notes: [] } },
  })),
  { name: 'says what of a long list is missing, and where it is',
    argv: ['leads', 'get', '12', '--with', 'notes', '--json', '--fields', 'id,notes.id'],
    exchanges: [get('/api/leads/12', ok(LEAD)), notesOn('lead', '12', cut(hundred, 312))],
    stdout: { json: { id: 12, notes: hundred.map(({ id }) => ({ id })) } },
    stderr: /^lead 12: the newest 100 of 312 notes\. All of them: crm notes list --resource lead:12 --all\n$/ },
  { name: 'shows the record and the rest when a list fails, and ends as that list did',
    argv: ['leads', 'get', '12', '--with', 'comments,notes', '--json', '--retries', '0', '--fields', 'id,notes'],
    exchanges: [get('/api/leads/12', ok(LEAD)), get('/api/leads/12/comments', failure(500, 'Server Error')), notesOn('lead', '12')],
    exit: 7, stdout: { json: { id: 12, notes: [] } }, stderr: /"message":"The comments of lead 12 are missing: / },
  { name: 'tells every list that failed',
    argv: ['leads', 'get', '12', '--with', 'comments,notes', '-o', 'yaml', '--retries', '0', '--fields', 'id'],
    exchanges: [
      get('/api/leads/12', ok(LEAD)), get('/api/leads/12/comments', failure(404, 'Not Found')),
      notesOn('lead', '12', failure(500, 'Server Error')),
    ],
    exit: 3, stdout: /^id: 12\n$/, stderr: /The comments of lead 12 are missing: .*\n(.*\n)*.*The notes of lead 12 are missing: / },
  { name: 'says so where an installation has no such list', argv: ['projects', 'get', '7', '--with', 'tasks', '--json'],
    exchanges: [
      get('/api/projects/7', ok({ id: 7 })), newest('/api/tasks', 'task_created', [['project_id', '7']], failure(404, 'Not Found')),
    ],
    exit: 3, stdout: { json: { id: 7 } }, stderr: /The tasks of project 7 are missing: This service has no \/api\/tasks/ },
  { name: 'takes an answer without a list for no empty list', argv: ['leads', 'get', '12', '--with', 'comments', '--json'],
    exchanges: [get('/api/leads/12', ok(LEAD)), get('/api/leads/12/comments', { json: { message: 'Maintenance' } })], exit: 7,
    stdout: { json: LEAD }, stderr: /without a list of records/ },
  { name: 'ends as the record did when that is not there', argv: ['leads', 'get', '12', '--with', 'comments'],
    exchanges: [get('/api/leads/12', failure(404, 'Not Found')), get('/api/leads/12/comments', failure(404, 'Not Found'))], exit: 3,
    stdout: /^$/, stderr: /^error: There is nothing at \/api\/leads\/12 \(404\)\.\n$/ },
  {
    name: 'works for each of several',
    argv: ['leads', 'get', '12,13', '--with', 'notes', '--json', '--fields', 'id,notes.id', '--retries', '0'],
    exchanges: [
      get('/api/leads/12', ok(LEAD)), notesOn('lead', '12', list([NOTE])), get('/api/leads/13', ok({ ...LEAD, id: 13 })),
      notesOn('lead', '13', failure(500, 'Server Error')),
    ],
    exit: 8, stdout: { json: [{ id: 12, notes: [{ id: 9 }] }, { id: 13, notes: { id: null } }] }, stderr: /"message":"1 of 2 failed\."/,
  },
  { name: 'works for those that match conditions, as the list has them',
    argv: ['leads', 'get', '--where', 'source=Web', '--with', 'comments', '--json', '--fields', 'id,comments'],
    exchanges: [
      get('/api/leads', list([LEAD, { ...LEAD, id: 13, source: 'Fair' }]), [['limit', '100'], ['page', '1']]),
      get('/api/leads/12/comments', ok([])),
    ],
    stdout: { json: [{ id: 12, comments: [] }] } },
  { name: 'knows the members of what hangs there where none is there',
    argv: ['leads', 'get', '12', '--with', 'comments', '--json', '--fields', 'comments.text'],
    exchanges: [get('/api/leads/12', ok(LEAD)), get('/api/leads/12/comments', ok([]))], stdout: { json: { comments: [] } } },
  { name: 'refuses a member that they do not have', argv: ['leads', 'get', '12', '--with', 'comments', '--fields', 'comments.txt'],
    exchanges: [get('/api/leads/12', ok(LEAD)), get('/api/leads/12/comments', ok([COMMENT]))], exit: 2, stdout: /^$/,
    stderr: /--fields: unknown field "comments\.txt"/ },
  refused(
    'refuses a word that names nothing', ['leads', 'get', '12', '--with', 'comment'],
    /--with: "comment" is not one of comments, proposals, notes\. Did you mean comments\?/
  ),
  refused('refuses a name twice', ['leads', 'get', '12', '--with', 'notes,notes'], /--with: notes is given twice\./),
  refused('refuses nothing', ['leads', 'get', '12', '--with', ''], /--with: give names separated by commas: comments, proposals, notes\./),
  refused('refuses nothing behind a comma', ['leads', 'get', '12', '--with', 'notes,'], /--with: give names/),
  refused('refuses CSV', ['leads', 'get', '12', '--with', 'notes', '--csv'], /no place in -o csv: choose --json, -o ndjson or -o yaml/),
  refused('refuses ids', ['leads', 'get', '12', '--with', 'notes', '-o', 'ids'], /no place in -o ids/),
  refused('refuses a table of several off a terminal', ['leads', 'get', '12,13', '--with', 'notes'], /no place in a table off a terminal/),
  refused('refuses the whole answer', ['leads', 'get', '12', '--with', 'notes', '--envelope'], /--envelope .*--with/),
  refused('is unknown where nothing hangs on records', ['items', 'get', '8', '--with', 'notes'], /Unknown option '--with'/),
]);
