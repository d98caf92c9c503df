// Wire tests of `crm search`: the same text is asked of six lists, and the list of leads is read beside it, at the same time.
// Typed by hand from the interface document and the command line's page; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { Exchange } from '../support/wire-case.ts';
import { CONTACT, failure, get, ITEM, LEAD, list, NOTE, numbered, ok, PROPOSAL, type Reply, refused, sends, whole } from './records.ts';

type Fields = Readonly<Record<string, unknown>>;

const NORTH = { id: 4, company_name: 'Northgate', status: 'active' };
const nothing = list([]);

/** The lists in the order of the result. */
const asked = (text: string, { contacts = nothing, proposals = nothing, leads = nothing, items = nothing, notes = nothing, clients = nothing }:
  Readonly<Record<string, Reply>> = {}) =>
  Object.entries({ contacts, proposals, leads, items, notes, clients }).map(([name, reply]) => whole(`/api/${name}`, reply, 1, { search: text }));

/** The whole list of leads that is read beside the search, as its answers are told apart by their order alone. */
const beside = (...leads: unknown[]): Exchange => whole('/api/leads', list(leads));

const lead = (id: number, contact: Fields, more: Fields = {}) => ({ ...LEAD, ...more, id, contact: { ...LEAD.contact, ...contact } });
const ROSSI = lead(40, { first_name: 'Mara', last_name: 'ROSSÌ', company_name: 'Legno', email: 'mara@legno.test' });
const nowhere = (text: string) => new RegExp(
  `^Nothing was found for "${text}" in any text of leads, nor where the service's search looks in contacts, proposals, items, notes and clients\\.$`, 'm');

wireCases('search', [
  sends('asks contacts, proposals, leads, items, notes and clients, and shows what tells each apart', 'search north --json',
    asked('north', { contacts: list([CONTACT]), proposals: list([PROPOSAL]), leads: list([LEAD]), items: list([ITEM]), notes: list([NOTE]), clients: list([NORTH]) })
      .concat(beside(LEAD)), { atOnce: true, stderr: /^$/, json: [
      { family: 'contacts', id: 5, title: 'Jane Doe', about: 'jane@acme.test, Acme Ltd' },
      { family: 'proposals', id: 5, title: 'Website relaunch', about: 'draft, Acme Ltd' },
      { family: 'leads', id: 12, title: 'Shop fitting', about: 'Ann Lee, Qualified, 10.50' },
      { family: 'items', id: 8, title: 'Oak shelf', about: '12.50, piece' },
      { family: 'notes', id: 9, title: 'Call', about: 'public' },
      { family: 'clients', id: 4, title: 'Northgate', about: '' },
    ] }),
  sends('one word finds the person of a lead, whatever case and accents, behind what the service found', 'search rossi --json --fields family,id',
    [...asked('rossi', { leads: list([LEAD]) }), beside(ROSSI, LEAD)], { atOnce: true, stderr: /^$/, json: [{ family: 'leads', id: 12 }, { family: 'leads', id: 40 }] }),
  sends('a state, a colour, a day and a number are no texts', 'search blue --json', [...asked('blue'), beside(LEAD)], { atOnce: true, json: [], stderr: nowhere('blue') }),
  sends('of several words the longest is asked for, and each must stand in some text; off a terminal a row a record', 'search jane Doé',
    [...asked('jane', { contacts: list([CONTACT, { ...CONTACT, id: 6, last_name: 'Roe', name: 'Jane Roe', email: 'jane@roe.test', social: {} }]) }), beside(LEAD)],
    { atOnce: true, stdout: /^FAMILY\tID\tTITLE\tABOUT\ncontacts\t5\tJane Doe\t[^\n]*\n$/, stderr: /^$/ }),
  sends('words may stand in different texts of a lead', ['search', 'legno, mara', '-o', 'ids'], [...asked('legno'), beside(ROSSI, LEAD)],
    { atOnce: true, stdout: /^40\n$/ }),
  ...['0049 30-123.456', '(030) 123456', '+4930123456'].map((phone) =>
    sends(`a phone is found in any spelling, of contacts and leads: ${phone}`, ['search', phone, '-o', 'csv', '--fields', 'family,id,about'],
      [...asked(phone), beside(lead(41, { phone: '+49 30 123 456', first_name: 'Ida', last_name: 'Orth' }), LEAD),
        whole('/api/contacts', list([CONTACT, { ...CONTACT, id: 6, phone: '+49 30/123456' }]))],
      { atOnce: true, stdout: /^family,id,about\r\ncontacts,6,[^\n]*\nleads,41,"Ida Orth, [^\n]*\n$/, stderr: /^$/ })),
  sends('of many records a phone is asked of the service alone, and that is said', ['search', '+49 30 123456', '--json'],
    [...asked('+49 30 123456'), whole('/api/leads', list([LEAD], 1, 11, 100, 1001)), whole('/api/contacts', list([CONTACT]))], { atOnce: true, json: [],
      stderr: /^No lead was found by this spelling of the phone; other spellings were not searched\. By a part: crm leads list --where phone~123456$/m }),
  sends('a text with @ is asked of the service alone', ['search', 'ann lee@lee.test', '-o', 'ids'], asked('ann lee@lee.test', { leads: list([LEAD]) }),
    { atOnce: true, stdout: /^12\n$/ }),
  sends('more than 1,000 leads are not read whole; what was searched, and the list that finds a name', 'search rossi --json',
    [...asked('rossi'), whole('/api/leads', list([LEAD], 1, 11, 100, 1001))], { atOnce: true, json: [],
      stderr: /^Nothing was found for "rossi" where the service's search looks in contacts, [^\n]*\nNo lead was found by title, company or email; more was not searched\. By name: crm leads list --where name~rossi$/m }),
  sends('of many leads that the service finds nothing more is said', 'search shop -o ids',
    [...asked('shop', { leads: list([LEAD]) }), whole('/api/leads', list([LEAD], 1, 11, 100, 1001))], { atOnce: true, stdout: /^12\n$/, stderr: /^$/ }),
  sends('ten pages of several words are looked through, and a cut is said', 'search jane zzz --json',
    [...asked('jane').slice(1), beside(), ...Array.from({ length: 10 }, (_, page) =>
      whole('/api/contacts', list(numbered(page * 100 + 1, page * 100 + 100), page + 1, 12, 100, 1150), page + 1, { search: 'jane' }))],
    { atOnce: true, json: [], stderr: /^Only the first 1,000 of 1,150 contacts with "jane" were looked through\.$/m }),
  sends('more than a page is told, with the command for more', 'search north -o ids',
    [...asked('north', { contacts: list(numbered(1, 100), 1, 3, 100, 250) }), beside(lead(40, {}, { title: 'North' }))],
    { atOnce: true, stdout: /^1\n(\d+\n){99}40\n$/, stderr: /^101 of 251 records\. Not shown: 150 contacts\. More: crm search north --limit 251$/m }),
  sends('--limit counts all families', 'search north --limit 2 -o ids',
    [...asked('north', { contacts: list([CONTACT]), notes: list([NOTE]) }), beside(lead(40, {}, { title: 'North' }))],
    { atOnce: true, stdout: /^5\n40\n$/, stderr: /^2 of 3 records\. Not shown: 1 note\. More: crm search north --limit 3$/m }),
  sends('a --limit above a page reads further pages', 'search north --limit 251 -o ids', [
    ...asked('north').slice(1), beside(), ...[1, 2, 3].map((page) =>
      whole('/api/contacts', list(numbered(page * 100 - 99, Math.min(page * 100, 250)), page, 3, 100, 250), page, { search: 'north' }))],
    { atOnce: true, stdout: /^1\n(\d+\n){248}250\n$/, stderr: /^$/ }),
  sends('nothing found is 0', 'search xyz --json', [...asked('xyz'), beside(LEAD)], { atOnce: true, json: [], stderr: nowhere('xyz') }),
  sends('an installation may lack clients', 'search north -o ids', [...asked('north', { leads: list([LEAD]), clients: failure(404, 'Not found.') }), beside(LEAD)],
    { atOnce: true, stdout: /^12\n$/, stderr: /^This service has no \/api\/clients, so clients were not looked through\.$/m }),
  sends('a list that fails ends it', 'search north --retries 0', [...asked('north', { notes: failure(500, 'Oops.') }), beside()], { atOnce: true, exit: 7, stdout: /^$/ }),
  ...([['--json', /"name": "Mara ROSSÌ",\n *"id": 40/], ['--csv', /^name,id\r\nMara ROSSÌ,40\r\n$/], ['-o markdown', /Mara ROSSÌ \| 40/],
    ['--envelope', /"data": \[\s*\{\s*"name": "Mara ROSSÌ",\s*"id": 40/], ['-o table', /^NAME\tID\nMara ROSSÌ\t40\n$/]] as const).map(([format, stdout]) =>
    sends(`name is a field of leads: ${format}`, `leads list --fields name,id ${format}`, whole('/api/leads', list([ROSSI])), { stdout })),
  sends('name is a field of one lead', 'leads get 40 --fields name,id --json', get('/api/leads/40', ok(ROSSI)), { json: { name: 'Mara ROSSÌ', id: 40 } }),
  sends('a list without --fields has the members of the service alone', 'leads list -o ndjson', whole('/api/leads', list([ROSSI])),
    { stdout: /^(?!.*"name":"Mara)/ }),
  ...([['contacts', 'lena fischer', "The service compares the whole text with each field. Word by word: crm search 'lena fischer'"],
    ['leads', 'rossi', "The service's search looks in title, company or email. In every text: crm search rossi"], ['contacts', 'rossi', ''],
    ['contacts', '912 345-678', "By a phone, in any spelling: crm search '912 345-678'"],
    ['contacts', 'a b@c.test', ''], ['tasks', 'lena fischer', '']] as const).map(([family, text, more]) =>
    sends(`nothing in ${family} for ${text}`, ['--no-pager', family, 'list', '--search', text], get(`/api/${family}`, nothing, { search: text }),
      { terminal: true, stderr: new RegExp(`^No ${family} found\\.\\s*${more.replaceAll('.', '\\.').replaceAll(' ', '\\s+')}\n$`) })),
  sends('nothing contains a text without its accents', 'leads list --where name~rossi', whole('/api/leads', list([ROSSI])),
    { terminal: true, stderr: /^None of 1 lead match\. Accents count in --where\. Without them: crm\s+search rossi\n$/ }),
  refused('a limit is a number', 'search north --limit 0', /--limit/),
  refused('a text is needed', 'search', /text/),
  refused('a blank text is none', "search ' '", /Say what to look for/),
]);
