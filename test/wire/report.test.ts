// Wire tests of reports: what is asked of the service, and figures that were worked out by hand from the records that it answers.
// Typed by hand from the interface document and the command line's page; imports no declaration.

import { wireCases } from '../support/wire.ts';
import { LEAD, list, PROPOSAL, refused, sends, whole } from './records.ts';

/** A lead of the fixture: active, not converted, status New, assigned to nobody, without a source. */
const lead = (id: number, value: unknown, members: object = {}) => ({ ...LEAD, id, value, status: { id: 1, title: 'New', color: 'blue' },
  assigned: [], source: null, ...members });
const NEGOTIATION = { id: 10, title: 'Negotiation', color: 'red' };
const SENT = { id: 9, title: 'Proposal Sent', color: 'red' };
const SAM = { id: 5, name: 'Sam Hill' };
const KIM = { id: 8, name: 'Kim Park' };
const archived = { active_state: 'archived' };
const converted = { converted: { is_converted: true, client_id: 4, date: '2026-02-01' } };

const LEADS = [lead(1, '0.1'), lead(2, '0.2', { assigned: [SAM] }),
  lead(3, '12345678901234567890.10', { status: NEGOTIATION, assigned: [SAM, KIM], source: 'Web' }),
  lead(4, null, { status: NEGOTIATION, assigned: [KIM] }), lead(5, '', { status: SENT, source: 'Fair' }), lead(6, '100', { ...archived }),
  lead(7, null, { ...archived, source: 'Web' }), lead(8, '40.00', { ...converted, source: 'Web' }),
  lead(9, '2.005', { ...converted, ...archived, source: 'Web', assigned: [SAM] }), lead(10, '-0.90', { status: SENT })];
const NONE = { leads: 0, value: '0.000', without_value: 0 };
const TOTAL = {
  // 0.1 + 0.2 + 12345678901234567890.10 - 0.90
  leads: 6, value: '12345678901234567889.500', without_value: 2, converted: { leads: 2, value: '42.005', without_value: 0 },
  archived: { leads: 2, value: '100.000', without_value: 1 } };

/** A report of the ten leads, which stand on two pages. */
const figures = (by: string, rows: object[]) => sends(`leads by ${by}`, `report leads --by ${by} --json`,
  [whole('/api/leads', list(LEADS.slice(0, 5), 1, 2, 5)), whole('/api/leads', list(LEADS.slice(5), 2, 2, 5), 2)],
  { json: { rows, total: TOTAL }, stderr: /^$/ });

wireCases('figures', [
  figures('status',
    [{ status: { id: 1, title: 'New' }, leads: 2, value: '0.300', without_value: 0,
      converted: { leads: 2, value: '42.005', without_value: 0 }, archived: { leads: 2, value: '100.000', without_value: 1 } },
      { status: { id: 9, title: 'Proposal Sent' }, leads: 2, value: '-0.900', without_value: 1, converted: NONE, archived: NONE },
      { status: { id: 10, title: 'Negotiation' }, leads: 2, value: '12345678901234567890.100', without_value: 1, converted: NONE,
        archived: NONE }]),
  figures('assigned',
    [{ assigned: KIM, leads: 2, value: '12345678901234567890.100', without_value: 1, converted: NONE, archived: NONE },
      { assigned: SAM, leads: 2, value: '12345678901234567890.300', without_value: 0,
        converted: { leads: 1, value: '2.005', without_value: 0 }, archived: NONE },
      { assigned: null, leads: 3, value: '-0.800', without_value: 1, converted: { leads: 1, value: '40.000', without_value: 0 },
        archived: { leads: 2, value: '100.000', without_value: 1 } }]),
  figures('source',
    [{ source: 'Fair', leads: 1, value: '0.000', without_value: 1, converted: NONE, archived: NONE },
      { source: 'Web', leads: 1, value: '12345678901234567890.100', without_value: 0,
        converted: { leads: 2, value: '42.005', without_value: 0 }, archived: { leads: 1, value: '0.000', without_value: 1 } },
      { source: null, leads: 4, value: '-0.600', without_value: 1, converted: NONE,
        archived: { leads: 1, value: '100.000', without_value: 0 } }]),
  figures('category', [{ category: { id: 2, name: 'Retail' }, ...TOTAL }]),
  sends('two groupings: a row a pair that has records, in the order of both', ['report', 'leads', '--by', 'source,assigned', '--jq', '.rows[] | "\\(.source)/\\(.assigned.name):\\(.leads)=\\(.value)"'],
    [whole('/api/leads', list(LEADS.slice(0, 5), 1, 2, 5)), whole('/api/leads', list(LEADS.slice(5), 2, 2, 5), 2)],
    { stdout: /^Fair\/null:1=0\.000\nWeb\/Kim Park:1=12345678901234567890\.100\nWeb\/Sam Hill:1=12345678901234567890\.100\nWeb\/null:0=0\.000\nnull\/Kim Park:1=0\.000\nnull\/Sam Hill:1=0\.200\nnull\/null:2=-0\.800\n$/ }),
  sends('the total of pairs is the total', 'report leads --by assigned,source --json --jq .total',
    [whole('/api/leads', list(LEADS.slice(0, 5), 1, 2, 5)), whole('/api/leads', list(LEADS.slice(5), 2, 2, 5), 2)], { json: TOTAL }),
  sends('off a terminal a pair is a row with both words', 'report leads --by month,source',
    whole('/api/leads', list([lead(1, '1', { dates: { created: '2026-02-03T10:00:00.000000Z' }, source: 'Web' }),
      lead(2, '2', { dates: { created: '2026-02-04T10:00:00.000000Z' } })])),
    { stdout: /^MONTH\tSOURCE\tLEADS\tVALUE\tWITHOUT VALUE\tCONVERTED\tARCHIVED\n2026-02\tWeb\t1\t1\t0\t0\t0\n2026-02\t\t1\t2\t0\t0\t0\n$/,
      stderr: /^Total: leads 2, value 3\.$/m }),
  sends('on a terminal the first word stands once a group, and the total is the last row',
    'report leads --by month,source', whole('/api/leads', list([lead(1, '1', { dates: { created: '2026-02-03T10:00:00.000000Z' }, source: 'Web' }),
      lead(2, '2', { dates: { created: '2026-02-04T10:00:00.000000Z' } })])),
    { terminal: true, stdout: /^MONTH {4}SOURCE +LEADS +BY VALUE +VALUE\n2026-02 {2}Web +1 +█+ +1\n {9}no source +1 +█+ +2\n─+\nTotal +2 +3\n/ }),
  sends('a lead counts under each of its tags, and once in the total; owner is assigned', ['report', 'leads', '--by', 'tag', '--jq', '.rows[] | "\\(.tag)=\\(.leads)"'],
    whole('/api/leads', list([lead(1, '1', { tags: ['hot', 'fair', 'hot'] }), lead(2, '2', { tags: ['fair'] }), lead(3, '4', { tags: [] })])),
    { stdout: /^fair=2\nhot=1\nnull=1\n$/, stderr: /^$/ }),
  sends('the total of tags', 'report leads --by tag', whole('/api/leads', list([lead(1, '1', { tags: ['hot', 'fair'] }), lead(2, '2', { tags: ['fair'] })])),
    { stdout: /^TAG\tLEADS.*\nfair\t2\t3\t.*\nhot\t1\t1\t.*\n$/, stderr: /^Total: leads 2, value 3; 1 lead counts in several rows, once in the total\.$/m }),
  sends('a page says below its table why the rows add up to more than the total', 'report leads --by assigned -o html', whole('/api/leads', list(LEADS)),
    { stdout: /Total[^\n]*\n<\/tbody>\n<\/table>\n<p>2 without a value; 1 lead counts in several rows, once in the total<\/p>\n<p>Not counted: 2 converted \(42\.005\), 2 archived \(100\.000\)<\/p>\n<footer/ }),
  sends('so does markdown', 'report leads --by assigned -o markdown', whole('/api/leads', list(LEADS)),
    { stdout: /\n\| Total [^\n]*\|\n\n2 without a value; 1 lead counts in several rows, once in the total\n\nNot counted: 2 converted \(42\.005\), 2 archived \(100\.000\)\n$/ }),
  sends('tags that are no array are told', 'report leads --by tag', whole('/api/leads', list([lead(1, '1', { tags: 'hot' })])), { exit: 7 }),
  sends('owner is assigned', 'report leads --by owner --jq .rows[].assigned.name', whole('/api/leads', list([lead(1, '1', { assigned: [{ id: 1, name: 'Kim' }] })])),
    { stdout: /^Kim\n$/ }),
  sends('a status has its latest name', 'report lead -o ndjson',
    whole('/api/leads', list([lead(1, '1'), lead(2, '2', { status: { id: 1, title: 'Fresh', color: 'blue' } })])),
    { json: { status: { id: 1, title: 'Fresh' }, leads: 2, value: '3', without_value: 0,
        converted: { leads: 0, value: '0', without_value: 0 }, archived: { leads: 0, value: '0', without_value: 0 } },
      stderr: /^Total: leads 2, value 3\.$/m }),
  sends('rows off a terminal, as they are; the total is a notice', 'report leads --by assigned', whole('/api/leads', list(LEADS)),
    { stdout: new RegExp(
        `^${[
      'ASSIGNED\tLEADS\tVALUE\tWITHOUT VALUE\tCONVERTED\tARCHIVED',
      'Kim Park\t2\t12345678901234567890.100\t1\t0\t0',
      'Sam Hill\t2\t12345678901234567890.300\t0\t1\t0',
      '\t3\t-0.800\t1\t1\t2',
    ].join('\n')}\n$`),
      stderr: /^Total: leads 6, value 12345678901234567889\.500; 2 without a value; 1 lead counts in several rows, once in the total. Not counted: 2 converted \(42\.005\), 2 archived \(100\.000\)\.$/m }),
  sends('counts by the month of creation, which --sort calls created', 'report leads --by created --json --jq [.rows[].month]',
    whole('/api/leads',
      list([lead(1, '1', { dates: { created: '2026-02-03T10:00:00.000000Z' } }),
        lead(2, '1', { dates: { created: '2025-12-31T10:00:00.000000Z' } })])), { json: ['2025-12', '2026-02'] }),
  sends('csv is the rows, in dotted columns', 'report leads --csv -q', whole('/api/leads', list([lead(1, '5.5')])),
    { stdout: new RegExp(
        '^status\\.id,status\\.title,leads,value,without_value,converted\\.leads,converted\\.value,converted\\.without_value,' +
        'archived\\.leads,archived\\.value,archived\\.without_value\r\n1,New,1,5\\.5,0,0,0\\.0,0,0,0\\.0,0\r\n$'), stderr: /^$/ }),
  sends('of nothing is 0', 'report leads --json', whole('/api/leads', list([])),
    { json: { rows: [],
        total: { leads: 0, value: '0', without_value: 0, converted: { leads: 0, value: '0', without_value: 0 },
          archived: { leads: 0, value: '0', without_value: 0 } } } }),
  sends('proposals are counted, in the order of the interface document', 'report proposals --json',
    whole('/api/proposals', list(['revised', 'draft', 'draft', 'new'].map((status, index) => ({ ...PROPOSAL, id: index + 1, status })))),
    { json: { rows: [{ status: 'draft', proposals: 2 }, { status: 'new', proposals: 1 }, { status: 'revised', proposals: 1 }],
        total: { proposals: 4 } } }),
  sends('proposals by the month in which they start', 'report proposal --by month --json',
    whole('/api/proposals',
      list(['2026-03-31', '2025-12-01', '2026-03-01'].map((start, index) => ({ ...PROPOSAL, id: index + 1, dates: { start } })))),
    { json: { rows: [{ month: '2025-12', proposals: 1 }, { month: '2026-03', proposals: 2 }], total: { proposals: 3 } } }),
]);

wireCases('what is counted', [
  sends('filters and ids go to the service, the rest is compared here',
    'report leads --status 1 --search shop --where assigned=5 --where value=1.. --by status --json',
    whole('/api/leads?status=1&search=shop&assigned_user_id=5',
      list([lead(1, '1.00', { assigned: [SAM] }), lead(2, '0.99', { assigned: [SAM] }), lead(3, '2.00')])),
    { json: {
        rows: [{ status: { id: 1, title: 'New' }, leads: 1, value: '1.00', without_value: 0,
          converted: { leads: 0, value: '0.00', without_value: 0 }, archived: { leads: 0, value: '0.00', without_value: 0 } }],
        total: { leads: 1, value: '1.00', without_value: 0, converted: { leads: 0, value: '0.00', without_value: 0 },
          archived: { leads: 0, value: '0.00', without_value: 0 } } }, stderr: /^1 of 3 leads matches\.$/m }),
  sends('a filter given twice means any of its values, a record of both counts once', 'report proposals --client 4 --client 5 --json',
    [whole('/api/proposals?client_id=4', list([PROPOSAL])), whole('/api/proposals?client_id=5', list([PROPOSAL, { ...PROPOSAL, id: 6 }]))],
    { json: { rows: [{ status: 'draft', proposals: 2 }], total: { proposals: 2 } } }),
  sends('a list that changes meanwhile is told', 'report proposals --json',
    [whole('/api/proposals', list([PROPOSAL], 1, 2, 1)), whole('/api/proposals', list([PROPOSAL, { ...PROPOSAL, id: 4 }], 2, 2, 1), 2)],
    { json: { rows: [{ status: 'draft', proposals: 2 }], total: { proposals: 2 } },
      stderr: /^The list changed while it was being read: the newest records may be missing\.$/m }),
]);

/** A lead that nobody can count. */
const odd = (name: string, more: string, members: object, stderr: RegExp) => sends(name, `report leads ${more}`,
  whole('/api/leads', list([lead(1, '5'), { ...lead(12, '5'), ...members }])), { exit: 7, stdout: /^$/, stderr });

wireCases('a record that can’t be counted ends the report', [
  odd('a value that is none', '', { value: 'n/a' },
    /^error: Lead 12 came with value "n\/a", so the report can't count this record\.\nTo leave it out: --where id!=12/m),
  odd('a value with an exponent', '', { value: '1e3' }, /Lead 12 came with value "1e3"/),
  odd('no value at all', '', { value: undefined }, /Lead 12 came without value/),
  odd('no state', '', { active_state: undefined }, /Lead 12 came without active_state/),
  odd('nothing on a conversion', '', { converted: { client_id: null } }, /Lead 12 came without converted\.is_converted/),
  odd('a status that is no object', '', { status: 'New' }, /Lead 12 came with status "New"/),
  odd('an assignee without an id', '--by assigned', { assigned: [{ name: 'Sam' }] }, /Lead 12 came with assigned/),
  odd('a day that is none', '--by age', { dates: { created: 'soon' } }, /Lead 12 came with dates\.created "soon"/),
]);

wireCases('reports refuse', [
  refused('ids', 'report leads -o ids', /--output: a row has no id of the service; json, csv and others show it/),
  refused('the whole answer', 'report leads --envelope', /--envelope: a report is counted by crm/),
  refused('two of --by', 'report leads --by status --by month',
    /--by: give this flag only once\. Both at once: --by status,month\./),
  refused('three groupings', 'report leads --by status,month,source', /--by: a report has two groupings at most: --by month,source\./),
  refused('the same twice', 'report leads --by month,created', /--by: month is given twice\./),
  refused('one of two that is none', 'report leads --by month,colour', /--by: "colour" is not one of /),
  refused('another --by', 'report leads --by week', /--by: "week" is not one of status, assigned, source, category, tag, age, month\./),
  refused('a wrong condition', 'report leads --where titel=x', /--where: unknown field "titel"/),
  refused('an unknown member', 'report leads --fields title', /--fields: unknown field "title"/),
  refused('a state', 'report leads --active-state archived', /--active-state: archived leads have figures of their own/),
  refused('another state', 'report leads --state converted', /--state: converted and archived leads have figures of their own/),
  refused('a part of the list', 'report leads --limit 5', /--limit: a report counts every record/),
  refused('other families', 'report contacts', /Unknown command 'contacts'/),
]);
