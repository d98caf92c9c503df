// Wire tests of `crm search`: the same text is asked of six lists, at the same time.
// Typed by hand from the interface document and the command line's page; imports no declaration.

import { wireCases } from '../support/wire.ts';
import { CONTACT, failure, ITEM, LEAD, list, NOTE, PROPOSAL, type Reply, refused, sends, whole } from './records.ts';

const NORTH = { id: 4, company_name: 'Northgate', status: 'active' };
const nothing = list([]);

/** The lists in the order of the result. */
const asked = (text: string, { contacts = nothing, proposals = nothing, leads = nothing, items = nothing, notes = nothing, clients = nothing }:
  Readonly<Record<string, Reply>> = {}) =>
  Object.entries({ contacts, proposals, leads, items, notes, clients }).map(([name, reply]) => whole(`/api/${name}`, reply, 1, { search: text }));

wireCases('search', [
  sends('asks contacts, proposals, leads, items, notes and clients, and shows what tells each apart', 'search north --json',
    asked('north', { contacts: list([CONTACT]), proposals: list([PROPOSAL]), leads: list([LEAD]), items: list([ITEM]), notes: list([NOTE]), clients: list([NORTH]) }),
    { atOnce: true, stderr: /^$/, json: [
      { family: 'contacts', id: 5, title: 'Jane Doe', about: 'jane@acme.test, Acme Ltd' },
      { family: 'proposals', id: 5, title: 'Website relaunch', about: 'draft, Acme Ltd' },
      { family: 'leads', id: 12, title: 'Shop fitting', about: 'Qualified, 10.50' },
      { family: 'items', id: 8, title: 'Oak shelf', about: '12.50, piece' },
      { family: 'notes', id: 9, title: 'Call', about: 'public' },
      { family: 'clients', id: 4, title: 'Northgate', about: '' },
    ] }),
  sends('words are one text; off a terminal a row a record', 'search jane doe', asked('jane doe', { contacts: list([CONTACT]), leads: list([LEAD]) }),
    { atOnce: true, stdout: /^FAMILY\tID\tTITLE\tABOUT\ncontacts\t5\tJane Doe\t[^\n]*\nleads\t12\tShop fitting\tQualified, 10\.50\n$/ }),
  sends('more than a page is told, with the command for all', 'search north -o ids', asked('north', { leads: list([LEAD], 1, 3, 100, 250) }),
    { atOnce: true, stdout: /^12\n$/, stderr: /^1 of 250 leads\. All of them: crm leads list --search north --all$/m }),
  sends('nothing found is 0', 'search xyz --json', asked('xyz'),
    { atOnce: true, json: [], stderr: /^Nothing was found for "xyz" in contacts, proposals, leads, items, notes and clients\.$/m }),
  sends('an installation may lack clients', 'search north -o ids', asked('north', { leads: list([LEAD]), clients: failure(404, 'Not found.') }),
    { atOnce: true, stdout: /^12\n$/, stderr: /^This service has no \/api\/clients, so clients were not looked through\.$/m }),
  sends('a list that fails ends it', 'search north --retries 0', asked('north', { notes: failure(500, 'Oops.') }), { atOnce: true, exit: 7, stdout: /^$/ }),
  refused('a text is needed', 'search', /text/),
  refused('a blank text is none', "search ' '", /Say what to look for/),
]);
