// Wire tests of names in place of ids. Typed by hand from the interface document, the vendor's facts on reference records and
// the command line's own page ("Words for ids"); imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { Exchange } from '../support/wire-case.ts';
import { created, failure, ITEM, LEAD, list, ok, type Pair, type Reply, WHOLE } from './records.ts';

const CLIENTS = [
  { id: 3, company_name: 'Northgate Trading' }, { id: 4, company_name: 'Kestrel Aviation' }, { id: 7, company_name: 'Kestrel Foods' },
  { id: 9, company_name: 'Szent Anna Kórház' }, { id: 11, company_name: '2024' },
];
const TEAM = [{ id: 5, name: 'Sam Hill' }, { id: 8, name: 'Kim Park' }, { id: 9, name: 'Sam Ode' }];
const STATUSES: [id: number, title: string][] = [[3, 'Qualified'], [4, 'Proposal Sent'], [6, 'Prospect']];
const LEADS = STATUSES.map(([id, title], index) => ({ ...LEAD, id: 20 + index, status: { id, title, color: 'blue' } }));

const read = (path: string, query: Pair[], reply: Reply): Exchange => ({ request: { method: 'GET', path, query }, reply });
const searched = (path: string, text: string, records: unknown[], more: Pair[] = []): Exchange =>
  read(path, [...more, ['search', text], ['limit', '100'], ['page', '1']], list(records));
const all = (path: string, records: unknown[], more: Pair[] = []): Exchange =>
  read(path, [...more, ['limit', '100'], ['page', '1']], list(records));
const newest = (page: number, records: unknown[], last = 1): Exchange =>
  read('/api/leads', [['sort', 'lead_created'], ['order', 'desc'], ['limit', '100'], ['page', String(page)]], list(records, page, last, 100));
const leadsWith = (name: string, id: string): Exchange => read('/api/leads', [[name, id], ...WHOLE], list([LEAD]));
const status = (id: number, title: string): Exchange => ({
  request: { method: 'PUT', path: '/api/leads/12/status', form: [['status', String(id)]] },
  reply: ok({ ...LEAD, status: { id, title, color: 'blue' } }),
});

wireCases('names that the service lists', [
  { name: 'does not take the only one of a list that is cut for the only one there is', argv: ['leads', 'assign', '12', 'Sam'],
    exchanges: ['Sam', undefined].map((text) => read(
      '/api/team', [...(text === undefined ? [] : [['search', text] as Pair]), ['limit', '100'], ['page', '1']],
      { status: 200, json: { data: [TEAM[0]], meta: { total: 2, current_page: 1, last_page: 1, per_page: 100 } } }
    )).slice(0, 1),
    exit: 2, stderr: /Only the first 1 team members were looked through/ },
  {
    name: 'takes the beginning of a word for a filter', argv: ['proposals', 'list', '--client', 'TRAD'],
    exchanges: [searched('/api/clients', 'TRAD', CLIENTS.slice(0, 1)), read('/api/proposals', [['client_id', '3'], ...WHOLE], list([]))],
  },
  { name: 'finds a category of whatever type', argv: ['categories', 'get', 'web'],
    exchanges: [
      searched('/api/categories', 'web', [{ id: 1, name: 'Web', type: 'item' }]),
      read('/api/categories/1', [], ok({ id: 1, name: 'Web', type: 'item' })),
    ] },
  { name: 'compares by itself where the service does not search', argv: ['contacts', 'list', '--client', 'northgate'],
    exchanges: [searched('/api/clients', 'northgate', CLIENTS), read('/api/contacts', [['client_id', '3'], ...WHOLE], list([]))] },
  { name: 'takes no notice of accents, though the search of the service does', argv: ['contacts', 'list', '--client', 'szent anna korhaz'],
    exchanges: [
      searched('/api/clients', 'szent anna korhaz', []), all('/api/clients', CLIENTS),
      read('/api/contacts', [['client_id', '9'], ...WHOLE], list([])),
    ] },
  { name: 'asks for categories of the type alone, and believes no others', argv: ['leads', 'list', '--category', 'web'],
    exchanges: [
      searched('/api/categories', 'web', [{ id: 1, name: 'Web', type: 'item' }, { id: 2, name: 'Web shops', type: 'lead' }], [[
        'type', 'lead',
      ]]),
      leadsWith('category_id', '2'),
    ] },
  { name: 'assigns by a word of a name, one after the other', argv: ['leads', 'assign', '12', 'kim', 'Sam Hill', '9'],
    exchanges: [
      searched('/api/team', 'kim', TEAM.slice(1, 2)), searched('/api/team', 'Sam Hill', []), all('/api/team', TEAM),
      { request: { method: 'PUT', path: '/api/leads/12/assigned', form: [['assigned[]', '8'], ['assigned[]', '5'], ['assigned[]', '9']] },
        reply: ok(LEAD) },
    ] },
  { name: 'complains about the name that was typed behind a list', argv: ['leads', 'assign', '12,13', 'kim'],
    exchanges: [searched('/api/team', 'kim', TEAM.slice(1, 2))], exit: 2, stderr: /"kim" can't stand beside 12,13\./ },
  { name: 'writes nothing where two have the word', argv: ['leads', 'assign', '12', '--add', 'sam'],
    exchanges: [searched('/api/team', 'sam', [TEAM[0], TEAM[2]])], exit: 2, stderr: /--add: .*Sam Hill \(5\) or Sam Ode \(9\)/ },
  { name: 'writes nothing for the beginning of a word',
    argv: ['proposals', 'create', '--client', 'north', '--title', 'A', '--start', '2026-03-01', '--category', '6'],
    exchanges: [searched('/api/clients', 'north', CLIENTS.slice(0, 1)), all('/api/clients', CLIENTS)], exit: 2,
    stderr: /--client: .*whole name.*Northgate Trading \(3\)/ },
  { name: 'takes a number for a name only where that is said', argv: ['contacts', 'list', '--client', 'name:2024'],
    exchanges: [searched('/api/clients', '2024', CLIENTS), read('/api/contacts', [['client_id', '11'], ...WHOLE], list([]))] },
  { name: 'attaches a note by the name of a client',
    argv: ['notes', 'create', '--title', 'Call', '--description', 'x', '--resource', 'client:Kestrel Foods'],
    exchanges: [
      searched('/api/clients', 'Kestrel Foods', [CLIENTS[2]]),
      {
        request: {
          method: 'POST', path: '/api/notes',
          form: [['note_title', 'Call'], ['note_description', 'x'], ['noteresource_type', 'client'], ['noteresource_id', '7']],
        },
        reply: created({ id: 1 }),
      },
    ] },
  { name: 'lists the notes of a team member', argv: ['notes', 'list', '--resource', 'user:kim'],
    exchanges: [
      searched('/api/team', 'kim', TEAM), read('/api/notes', [['resource_type', 'user'], ['resource_id', '8'], ...WHOLE], list([])),
    ] },
  { name: 'says what a service lacks', argv: ['leads', 'list', '--assigned', 'kim'],
    exchanges: [{
      request: { method: 'GET', path: '/api/team', query: [['search', 'kim'], ['limit', '100'], ['page', '1']] },
      reply: failure(404, 'Not found.'),
    }],
    exit: 2, stderr: /--assigned: .*"kim".*no \/api\/team/ },
  { name: 'says what is missing for @me', argv: ['leads', 'list', '--assigned', '@me'], exchanges: [], exit: 2,
    stderr: /--assigned: .*crm profile set NAME --me USER/ },
  { name: 'decides nothing by the first pages of a longer list', argv: ['contacts', 'list', '--client', 'northgate'],
    exchanges: [1, 2, 3, 4, 5].map((page) => read('/api/clients', [['search', 'northgate'], ['limit', '100'], ['page', String(page)]], list(
      [{ ...CLIENTS[0], id: 100 + page, company_name: `${'Northgate '.repeat(page === 2 ? 1 : 0)}${page}` }], page, 9, 1
    ))),
    exit: 2, stderr: /--client: Only the first 5 clients .*Northgate 2 \(102\)/ },
]);

wireCases('names that only records tell', [
  { name: 'finds a status in the newest leads', argv: ['leads', 'list', '--status', 'qual'],
    exchanges: [newest(1, LEADS), leadsWith('status', '3')] },
  { name: 'sets a status by its whole name, and stops at the page that shows it', argv: ['leads', 'status', '12', 'proposal sent'],
    exchanges: [newest(1, LEADS, 9), status(4, 'Proposal Sent')] },
  { name: 'complains about the word that was typed, not its id, behind a list', argv: ['leads', 'status', '12,13', 'Qualified'],
    exchanges: [newest(1, LEADS)], exit: 2, stderr: /"Qualified" can't stand beside 12,13\./ },
  { name: 'complains about both words that were typed for one status',
    argv: ['leads', 'status', '12', 'Qualified', '--to', 'Proposal Sent'], exchanges: [newest(1, LEADS)], exit: 2,
    stderr: /Give the status once: "Qualified" or --to "Proposal Sent"\./ },
  { name: 'writes nothing for the beginning of a status, though only one begins so', argv: ['leads', 'status', '12', 'pro'],
    exchanges: [newest(1, LEADS.slice(2))], exit: 2, stderr: /status: .*whole name.*Prospect \(6\)/ },
  { name: 'reads on where a name begins so, and leaves it at that where two do', argv: ['leads', 'list', '--status', 'pro'],
    exchanges: [newest(1, LEADS.slice(2), 2), newest(2, LEADS.slice(0, 2), 2)], exit: 2,
    stderr: /--status: .*Proposal Sent \(4\).*Prospect \(6\)|--status: .*Prospect \(6\).*Proposal Sent \(4\)/ },
  { name: 'reads five pages and no more', argv: ['leads', 'status', '12', 'Won'],
    exchanges: [1, 2, 3, 4, 5].map((page) => newest(page, [LEADS[0]], 9)), exit: 2, stderr: /status: .*"Won".*newest 5 leads/ },
  { name: 'takes names in --data, and none in --set',
    argv: ['leads', 'create', '--data', '{"title":"Shop","lead_status":"prospect","category":2}', '--set', 'lead_source=Web'],
    exchanges: [
      newest(1, LEADS),
      {
        request: {
          method: 'POST', path: '/api/leads',
          form: [['lead_title', 'Shop'], ['lead_status', '6'], ['lead_categoryid', '2'], ['lead_source', 'Web']],
        },
        reply: created({ id: 70, title: 'Shop', status: { id: 6, title: 'Prospect' } }),
      },
    ] },
  { name: 'refuses a name in --set', argv: ['leads', 'update', '12', '--set', 'lead_status=Qualified'], exchanges: [], exit: 2,
    stderr: /--set lead_status/ },
]);

const newestItems: Exchange = read('/api/items', [['sort', 'item_created'], ['order', 'desc'], ['limit', '100'], ['page', '1']], list([
  ITEM, { ...ITEM, id: 9, unit: { id: 2, name: 'hour' } },
]));
const HOURLY = ['items', 'create', '--description', 'Visit', '--rate', '80', '--category', '7', '--default-tax', 'vat', '--unit'];

wireCases('units', [
  { name: 'sends the id of a unit that is known, and reads the newest items once', argv: [...HOURLY, 'Hour'],
    exchanges: [
      newestItems,
      {
        request: {
          method: 'POST', path: '/api/items',
          form: [
            ['item_description', 'Visit'], ['item_rate', '80'], ['item_categoryid', '7'], ['item_default_tax', '1'], ['item_unit', '2'],
          ],
        },
        reply: created({ ...ITEM, unit: { id: 2, name: 'hour' } }),
      },
    ] },
  { name: 'makes no unit of a slip of the fingers', argv: [...HOURLY, 'hours'], exchanges: [newestItems], exit: 2,
    stderr: /--unit: .*"hours".*hour \(2\).*--new-unit/ },
  { name: 'sends the id of a unit that is known with --new-unit, too', argv: [...HOURLY, 'hour', '--new-unit'],
    exchanges: [
      newestItems,
      {
        request: {
          method: 'POST', path: '/api/items',
          form: [
            ['item_description', 'Visit'], ['item_rate', '80'], ['item_categoryid', '7'], ['item_default_tax', '1'], ['item_unit', '2'],
          ],
        },
        reply: created({ ...ITEM, unit: { id: 2, name: 'hour' } }),
      },
    ] },
  { name: 'makes no unit whose name the service takes for an id', argv: [...HOURLY, 'name:12', '--new-unit'], exchanges: [newestItems],
    exit: 2, stderr: /--unit: .*12/ },
]);
