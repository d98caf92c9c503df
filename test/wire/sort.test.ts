// Wire tests of --sort by a field that the service doesn't sort by: the list is read whole, without sort and order, and sorted by crm.
// Typed by hand from the interface document and the command line's rule; imports no declaration.

import { wireCases } from '../support/wire.ts';
import { CONTACT, LEAD, list, PROPOSAL, refused, sends, whole } from './records.ts';

const lead = (id: number, more: object): object => ({ ...LEAD, id, ...more });
const company = (name: string | null): object => ({ contact: { ...LEAD.contact, company_name: name } });
const sorts = (name: string, line: string, records: readonly object[], ids: string) =>
  sends(name, `${line} -o ids`, whole(`/api/${line.split(' ')[0]}`, list([...records])), { stdout: new RegExp(`^${ids.replaceAll(' ', '\\n')}\\n$`) });

const COMPANIES = [lead(1, company('Zeta')), lead(2, company(null)), lead(3, company('ábel')), lead(4, company('Beta')), lead(5, company(''))];
const NAMED = [['Ulf', 9], ['Ada', 10], ['Bo', 2]].map(([name, id], place) => lead(place + 1, { status: { id, title: name, color: '' } }));

wireCases('--sort by any field', [
  sorts('texts whatever their case and accents, empty ones last', 'leads list --sort company-name', COMPANIES, '3 4 1 2 5'),
  sorts('empty ones are last downwards, too', 'leads list --sort contact.company_name --order desc', COMPANIES, '1 4 3 2 5'),
  sorts("a lead's name is first and last name", 'leads list --sort name',
    [['Bo', 'Ek'], ['Ada', 'Oz'], [null, 'Ant']].map(([first_name, last_name], place) => lead(place + 1, { contact: { first_name, last_name } })), '2 3 1'),
  sorts('a relation by its name', 'leads list --sort status', NAMED, '2 3 1'),
  sorts('the id of a relation by number', 'leads list --sort status.id', NAMED, '3 1 2'),
  sorts('days, among them none', 'proposals list --sort end',
    ['2026-05-01', null, '2025-12-31'].map((end, place) => ({ ...PROPOSAL, id: place + 1, dates: { ...PROPOSAL.dates, end } })), '3 1 2'),
  sorts('equal ones in the order of the service', 'contacts list --sort phone',
    [7, 8, 9].map((id) => ({ ...CONTACT, id, phone: id === 9 ? '+1' : '030' })), '9 7 8'),
  sorts('numbers as numbers', 'items list --sort estimation-notes', [{ id: 1, estimation_notes: 'b' }, { id: 2, estimation_notes: 'a' }], '2 1'),
  sends('--limit cuts what is sorted', 'leads list --sort company-name --limit 2 -o ids', whole('/api/leads', list(COMPANIES)),
    { stdout: /^3\n4\n$/ }),
  sends('--where narrows first', 'leads list --sort company-name --where company-name~eta -o ids', whole('/api/leads', list(COMPANIES)),
    { stdout: /^4\n1\n$/ }),
  sends('with two values of a filter', 'leads list --status 3 --status 4 --sort company-name -o ids',
    [whole('/api/leads?status=3', list(COMPANIES.slice(0, 2))), whole('/api/leads?status=4', list(COMPANIES.slice(2)))], { stdout: /^3\n4\n1\n2\n5\n$/ }),
  sends("a path of the service's own sort is that sort", 'leads list --sort dates.created --order desc -o ids',
    whole('/api/leads?sort=lead_created&order=desc', list([LEAD])), { stdout: /^12\n$/ }),
  sends('of proposals, too', 'proposals list --sort dates.start', whole('/api/proposals?sort=doc_date_start', list([]))),
  refused('a list is no value to sort by', 'leads list --sort tags', /--sort: tags is a list/),
  refused('nor are people', 'leads list --sort assigned', /--sort: assigned is a list/),
  refused('nor is an object', 'leads list --sort contact', /--sort: this field has several values\. Name one of them: contact\.first_name, /),
  refused('a page has its own order', 'leads list --sort company-name --page 2', /--page can't be combined with --sort company-name: /),
  sends('more than can be sorted are refused after the first page', 'leads list --sort company-name -o ids',
    whole('/api/leads', list([LEAD], 1, 1, 100, 100_001)),
    { exit: 2, stdout: /^$/, stderr: /--sort: crm sorts at most 100,000 leads by company-name, and these are 100,001\. Narrow the list with --where/ }),
  sends('a record of which the value is a list is refused', 'leads list --sort source -o ids',
    whole('/api/leads', list([lead(1, { source: ['a'] }), lead(2, {})])), { exit: 2, stdout: /^$/, stderr: /--sort: source of lead 1 is a list/ }),
]);
