// Wire tests of imports: a file and what is said of it -> exact requests. Typed by hand from the interface document (Leads) and the
// command line's page; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { Exchange } from '../support/wire-case.ts';
import { changed, LEAD, LEAD_FORM, ok } from './records.ts';

const WON = { ...LEAD, id: 14, status: { id: 5, title: 'Negotiation', color: 'orange' } };

/** A page of the list that is read: in any order, newest first, or oldest first. */
const page = (records: unknown[], order?: 'asc' | 'desc', archived = false): Exchange => ({
  request: {
    method: 'GET',
    path: '/api/leads',
    query: [['limit', '100'], ['page', '1'], ...(archived ? [['active_state', 'archived']] as [string, string][] : []), ...(order === undefined ? [] : [['order', order], ['sort', 'lead_created']] as [string, string][])],
  },
  reply: { json: { data: records, meta: { current_page: 1, per_page: 100, total: records.length, last_page: 1 }, message: 'OK' } },
});

wireCases('import', [
  {
    name: 'numbers and days as a spreadsheet writes them, constants and words of a mapping',
    argv: ['leads', 'import', 'f.csv', '--mapping', 'm.yaml', '--constant', 'category=2', '--json'],
    files: {
      'f.csv': 'Deal;Stufe;Wert;Kontakt;Bemerkung\nA;gewonnen;1.250,5;31.12.2026;x\n',
      'm.yaml': "columns: {deal: title, Stufe: status, Wert: value, Kontakt: last-contacted, Bemerkung: ''}\ndecimal-mark: comma\ndate-order: dmy\nwords: {status: {Gewonnen: '5'}}\nconstants: {category: 1, source: Fair}\n",
    },
    exchanges: [
      page([LEAD], 'desc'),
      page([], 'desc', true),
      {
        request: {
          method: 'POST', path: '/api/leads',
          form: [
            ['lead_title', 'A'], ['lead_status', '5'], ['lead_categoryid', '2'], ['lead_value', '1250.5'],
            ['lead_last_contacted', '2026-12-31'], ['lead_source', 'Fair'],
          ],
        },
        reply: ok({ ...LEAD, id: 15, title: 'A' }),
      },
    ],
  },
  {
    name: 'of an id and its name the one that differs from the record; the rest of it goes back',
    argv: ['leads', 'import', 'f.csv', '--mode', 'update', '--json'],
    files: { 'f.csv': 'id,status.id,status.title,value,dates.created\n12,3,negotiation,10.5,2020-01-01\n' },
    exchanges: [
      page([LEAD, WON], 'desc'), page([LEAD, WON]),
      { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) },
      { request: { method: 'PATCH', path: '/api/leads/12', form: changed(LEAD_FORM, ['lead_status', '5'], ['lead_value', '10.5']) },
        reply: ok({ ...LEAD, status: WON.status }) },
    ],
    stderr: /Passed over, for they can't be written: dates\.created\./,
  },
  {
    name: 'a set that differs is not sent, and the row fails', argv: ['leads', 'import', 'f.csv', '--mode', 'update', '--json'],
    files: { 'f.csv': 'id,tags\n12,other\n' },
    exchanges: [page([LEAD]), { request: { method: 'GET', path: '/api/leads/12' }, reply: ok(LEAD) }],
    stderr: /line 2.*tags: it differs from the record's: --sets add adds what is new, --sets replace makes it the row's\./, exit: 8,
  },
  {
    name: 'nothing is sent for a file that could be read in two ways', argv: ['leads', 'import', 'f.csv'],
    files: { 'f.csv': 'title,status,category,value\nA,1,1,12.000\n' }, exchanges: [], exit: 2,
    stderr: /line 2, column value: "12\.000" could be thousands: write 12\.00 or 12000, or say with --decimal-mark/,
  },
]);
