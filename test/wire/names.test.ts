// Wire tests of names in place of ids. Typed by hand from the interface document, the vendor's facts on reference records and
// the command line's own page ("Words for ids"); imports no declaration.

import type { Fields } from '../support/request.ts';
import { wireCases } from '../support/wire.ts';
import { created, failure, get, ITEM, LEAD, list, ok, post, put, sends, whole } from './records.ts';

const CLIENTS = [{ id: 3, company_name: 'Northgate Trading' }, { id: 4, company_name: 'Kestrel Aviation' },
  { id: 7, company_name: 'Kestrel Foods' }, { id: 9, company_name: 'Szent Anna Kórház' }, { id: 11, company_name: '2024' }];
const TEAM = [{ id: 5, name: 'Sam Hill' }, { id: 8, name: 'Kim Park' }, { id: 9, name: 'Sam Ode' }];
const STATUSES: [id: number, title: string][] = [[3, 'Qualified'], [4, 'Proposal Sent'], [6, 'Prospect']];
const LEADS = STATUSES.map(([id, title], index) => ({ ...LEAD, id: 20 + index, status: { id, title, color: 'blue' } }));

const searched = (path: string, text: string, records: unknown[], more: Fields = {}) =>
  whole(path, list(records), 1, { ...more, search: text });
const newest = (page: number, records: unknown[], last = 1) =>
  whole('/api/leads?sort=lead_created&order=desc', list(records, page, last, 100), page);
const status = (id: number, title: string) => put('/api/leads/12/status', { status: String(id) },
  ok({ ...LEAD, status: { id, title, color: 'blue' } }));

wireCases('names that the service lists', [
  sends('refuses the only match in a list that was cut', 'leads assign 12 Sam',
    whole('/api/team?search=Sam', { json: { data: [TEAM[0]], meta: { total: 2, current_page: 1, last_page: 1, per_page: 100 } } }),
    { exit: 2, stderr: /Only the first 1 team members were looked through/ }),
  sends('takes the beginning of a word for a filter', 'proposals list --client TRAD',
    [searched('/api/clients', 'TRAD', CLIENTS.slice(0, 1)), whole('/api/proposals?client_id=3', list([]))]),
  sends('finds a category of any type', 'categories get web',
    [searched('/api/categories', 'web', [{ id: 1, name: 'Web', type: 'item' }]),
      get('/api/categories/1', ok({ id: 1, name: 'Web', type: 'item' }))]),
  sends('compares the names where the service ignores the search', 'contacts list --client northgate',
    [searched('/api/clients', 'northgate', CLIENTS), whole('/api/contacts?client_id=3', list([]))]),
  sends("ignores accents, although the service's search doesn't", "contacts list --client 'szent anna korhaz'",
    [searched('/api/clients', 'szent anna korhaz', []), whole('/api/clients', list(CLIENTS)),
      whole('/api/contacts?client_id=9', list([]))]),
  sends('asks for categories of the type, and takes no other', 'leads list --category web',
    [searched('/api/categories', 'web', [{ id: 1, name: 'Web', type: 'item' }, { id: 2, name: 'Web shops', type: 'lead' }],
      { type: 'lead' }), whole('/api/leads?category_id=2', list([LEAD]))]),
  sends('assigns by a word of a name, one after the other', "leads assign 12 kim 'Sam Hill' 9",
    [searched('/api/team', 'kim', TEAM.slice(1, 2)), searched('/api/team', 'Sam Hill', []), whole('/api/team', list(TEAM)),
      put('/api/leads/12/assigned', { 'assigned[]': ['8', '5', '9'] }, ok(LEAD))]),
  sends('names the typed name behind a list', 'leads assign 12,13 kim', searched('/api/team', 'kim', TEAM.slice(1, 2)),
    { exit: 2, stderr: /"kim" can't be combined with 12,13\./ }),
  sends('writes nothing where two names have the word', 'leads assign 12 --add sam', searched('/api/team', 'sam', [TEAM[0], TEAM[2]]),
    { exit: 2, stderr: /--add: .*Sam Hill \(5\) or Sam Ode \(9\)/ }),
  sends('writes nothing for the beginning of a word', 'proposals create --client north --title A --start 2026-03-01 --category 6',
    [searched('/api/clients', 'north', CLIENTS.slice(0, 1)), whole('/api/clients', list(CLIENTS))],
    { exit: 2, stderr: /--client: .*whole name.*Northgate Trading \(3\)/ }),
  sends('takes a number as a name only after name:', 'contacts list --client name:2024',
    [searched('/api/clients', '2024', CLIENTS), whole('/api/contacts?client_id=11', list([]))]),
  sends('attaches a note by the name of a client', "notes create --title Call --description x --resource 'client:Kestrel Foods'",
    [searched('/api/clients', 'Kestrel Foods', [CLIENTS[2]]),
      post('/api/notes', { note_title: 'Call', note_description: 'x', noteresource_type: 'client', noteresource_id: '7' },
        created({ id: 1 }))]),
  sends('lists the notes of a team member', 'notes list --resource user:kim',
    [searched('/api/team', 'kim', TEAM), whole('/api/notes?resource_type=user&resource_id=8', list([]))]),
  sends('names the list that a service lacks', 'leads list --assigned kim', whole('/api/team?search=kim', failure(404, 'Not found.')),
    { exit: 2, stderr: /--assigned: .*"kim".*no \/api\/team/ }),
  sends('names the setting that @me needs', 'leads list --assigned @me', [],
    { exit: 2, stderr: /--assigned: .*crm profile set NAME --me USER/ }),
  ...['leads list --assigned me', 'leads assign 12 --add ME', 'team get me', 'leads list --where assigned=me'].map((line) =>
    sends(`me is never the beginning of a name: ${line}`, line, [], { exit: 2, stderr: /: me is not set\. Set it: crm profile set NAME --me USER$/im })),
  sends("me is the profile's own team member", 'leads list --assigned me -o ids', get('/api/leads', list([LEAD]), { assigned_user_id: '8', limit: '100', page: '1' }),
    { me: '8', stdout: /^12\n$/ }),
  sends('me is one of those assigned', 'leads assign 12 5 me', put('/api/leads/12/assigned', { 'assigned[]': ['5', '8'] }, ok(LEAD)), { me: '8' }),
  sends('name:me is a name', 'leads list --assigned name:me', whole('/api/team?search=me', failure(404, 'Not found.')), { exit: 2, me: '8', stderr: /"me"/ }),
  sends('in a cell me is a name, and @me the own team member', 'leads import new.csv --dry-run',
    [searched('/api/team', 'me', []), whole('/api/team', list(TEAM))],
    { me: '8', files: { 'new.csv': 'title,status,category,assigned\nA,3,2,me\nB,3,2,@me\n' }, exit: 2, stderr: /line 2(.|\n)*no team member is called "me"/ }),
  sends('refuses to decide by the first pages of a longer list', 'contacts list --client northgate',
    [1, 2, 3, 4, 5].map((page) => get('/api/clients',
      list([{ ...CLIENTS[0], id: 100 + page, company_name: `${'Northgate '.repeat(page === 2 ? 1 : 0)}${page}` }], page, 9, 1),
      { search: 'northgate', limit: '100', page: String(page) })),
    { exit: 2, stderr: /--client: Only the first 5 clients .*Northgate 2 \(102\)/ }),
]);

wireCases('names that only records tell', [
  sends('finds a status in the newest leads', 'leads list --status qual', [newest(1, LEADS), whole('/api/leads?status=3', list([LEAD]))]),
  sends('sets a status by its whole name, and stops at the page that shows it', "leads status 12 'proposal sent'",
    [newest(1, LEADS, 9), status(4, 'Proposal Sent')]),
  sends('names the typed word, not its id, behind a list', 'leads status 12,13 Qualified', newest(1, LEADS),
    { exit: 2, stderr: /"Qualified" can't be combined with 12,13\./ }),
  sends('names both words that were typed for one status', "leads status 12 Qualified --to 'Proposal Sent'", newest(1, LEADS),
    { exit: 2, stderr: /Give the status once: "Qualified" or --to "Proposal Sent"\./ }),
  sends('writes nothing for the beginning of a status, even of a single match', 'leads status 12 pro', newest(1, LEADS.slice(2)),
    { exit: 2, stderr: /status: .*whole name.*Prospect \(6\)/ }),
  sends('reads on after a match by its beginning, and refuses two', 'leads list --status pro',
    [newest(1, LEADS.slice(2), 2), newest(2, LEADS.slice(0, 2), 2)],
    { exit: 2, stderr: /--status: .*Proposal Sent \(4\).*Prospect \(6\)|--status: .*Prospect \(6\).*Proposal Sent \(4\)/ }),
  sends('stops after five pages', 'leads status 12 Won', [1, 2, 3, 4, 5].map((page) => newest(page, [LEADS[0]], 9)),
    { exit: 2, stderr: /status: .*"Won".*newest 5 leads/ }),
  sends('takes names in --data, but not in --set',
    `leads create --data '{"title":"Shop","lead_status":"prospect","category":2}' --set lead_source=Web`,
    [newest(1, LEADS),
      post('/api/leads', { lead_title: 'Shop', lead_status: '6', lead_categoryid: '2', lead_source: 'Web' },
        created({ id: 70, title: 'Shop', status: { id: 6, title: 'Prospect' } }))]),
  sends('refuses a name in --set', 'leads update 12 --set lead_status=Qualified', [], { exit: 2, stderr: /--set lead_status/ }),
]);

const newestItems = get('/api/items', list([ITEM, { ...ITEM, id: 9, unit: { id: 2, name: 'hour' } }]),
  { sort: 'item_created', order: 'desc', limit: '100', page: '1' });
const HOURLY = 'items create --description Visit --rate 80 --category 7 --default-tax vat --unit';

wireCases('units', [
  sends('sends the id of a known unit, and reads the newest items once', `${HOURLY} Hour`,
    [newestItems,
      post('/api/items', { item_description: 'Visit', item_rate: '80', item_categoryid: '7', item_default_tax: '1', item_unit: '2' },
        created({ ...ITEM, unit: { id: 2, name: 'hour' } }))]),
  sends('refuses an unknown unit without --new-unit', `${HOURLY} hours`, newestItems,
    { exit: 2, stderr: /--unit: .*"hours".*hour \(2\).*--new-unit/ }),
  sends('sends the id of a known unit with --new-unit, too', `${HOURLY} hour --new-unit`,
    [newestItems,
      post('/api/items', { item_description: 'Visit', item_rate: '80', item_categoryid: '7', item_default_tax: '1', item_unit: '2' },
        created({ ...ITEM, unit: { id: 2, name: 'hour' } }))]),
  sends('refuses a new unit whose name is a number', `${HOURLY} name:12 --new-unit`, newestItems,
    { exit: 2, stderr: /--unit: .*12/ }),
]);
