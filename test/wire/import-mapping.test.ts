// Wire tests of imports: a file and what is said of it -> exact requests. Typed by hand from the interface document (Leads) and the
// command line's page; imports no declaration.

import { wireCases } from '../support/wire.ts';
import { get, LEAD, LEAD_FORM, ok, patch, post, sends, whole } from './records.ts';

const WON = { ...LEAD, id: 14, status: { id: 5, title: 'Negotiation', color: 'orange' } };

/** A page of the list that is read: in any order, newest first, or oldest first. */
const page = (records: unknown[], order?: 'asc' | 'desc') => whole('/api/leads',
  { json: { data: records, meta: { current_page: 1, per_page: 100, total: records.length, last_page: 1 }, message: 'OK' } }, 1,
  order && { order, sort: 'lead_created' });

wireCases('import', [
  sends('takes numbers and days as a spreadsheet writes them, and constants and words of a mapping',
    'leads import f.csv --mapping m.yaml --constant category=2 --json',
    [page([LEAD], 'desc'),
      post('/api/leads',
        { lead_title: 'A', lead_status: '5', lead_categoryid: '2', lead_value: '1250.5', lead_last_contacted: '2026-12-31',
          lead_source: 'Fair' }, ok({ ...LEAD, id: 15, title: 'A' }))],
    { files: { 'f.csv': 'Deal;Stufe;Wert;Kontakt;Bemerkung\nA;gewonnen;1.250,5;31.12.2026;x\n',
        'm.yaml': "columns: {deal: title, Stufe: status, Wert: value, Kontakt: last-contacted, Bemerkung: ''}\ndecimal-mark: comma\ndate-order: dmy\nwords: {status: {Gewonnen: '5'}}\nconstants: {category: 1, source: Fair}\n" } }),
  sends('takes the cell that differs from the record, of an id and its name', 'leads import f.csv --mode update --json',
    [page([LEAD, WON], 'desc'), page([LEAD, WON]), get('/api/leads/12', ok(LEAD)),
      patch('/api/leads/12', { ...LEAD_FORM, lead_status: '5', lead_value: '10.5' }, ok({ ...LEAD, status: WON.status }))],
    { files: { 'f.csv': 'id,status.id,status.title,value,dates.created\n12,3,negotiation,10.5,2020-01-01\n' },
      stderr: /Not sent, because an import can't write: dates\.created\./ }),
  sends('fails a row whose set differs', 'leads import f.csv --mode update --json',
    [page([LEAD]), get('/api/leads/12', ok(LEAD))],
    { files: { 'f.csv': 'id,tags\n12,other\n' },
      stderr: /line 2.*tags: it differs from the record's: --sets add keeps the record's and adds the row's, --sets replace keeps only the row's\./, exit: 8 }),
  sends('sends nothing for a file whose numbers are ambiguous', 'leads import f.csv', [],
    { files: { 'f.csv': 'title,status,category,value\nA,1,1,12.000\n' }, exit: 2,
      stderr: /line 2, column value: "12\.000" could be thousands: write 12\.00 or 12000, or say with --decimal-mark/ }),
]);
