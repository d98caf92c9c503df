// Wire tests of records that are changed in an editor, which sed plays here. Typed by hand from the interface document and the command
// line's page; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { Exchange } from '../support/wire-case.ts';
import { changed, ITEM, LEAD, LEAD_FORM, NOTE, ok, type Pair, PROPOSAL } from './records.ts';

const get = (path: string, record: unknown): Exchange => ({ request: { method: 'GET', path }, reply: ok(record) });

const leadForm = (changes: Record<string, string>): Pair[] => changed(LEAD_FORM, ...Object.entries(changes));

const patch = (form: Pair[], path = '/api/leads/12'): Exchange => ({ request: { method: 'PATCH', path, form }, reply: ok(LEAD) });

/** Before the question and again before it is sent. */
const readTwice = [get('/api/leads/12', LEAD), get('/api/leads/12', LEAD)];

/** A colleague changed it; no stamp has to tell that. */
const NEWER = { ...LEAD, value: '11.00' };
const STAMPED = { ...LEAD.dates, updated: '2026-01-16T12:00:00.000000Z' };
const MOVED = { ...LEAD, status: { id: 4, title: 'Negotiation', color: 'red' } };

wireCases('edit', [
  {
    name: 'sends what was changed, and all else as it was read', argv: ['leads', 'edit', '12', '--yes', '--json'],
    sed: 's/^value: 10.50$/value: 0123.10/\ns/^zip: 01001$/zip: 00501/\ns/^phone:.*/phone:/\ns/^state:.*/state: no/',
    exchanges: [
      get('/api/leads/12', LEAD), ...readTwice,
      patch(leadForm({ lead_value: '0123.10', lead_zip: '00501', lead_phone: '', lead_state: 'no' })),
    ],
    stdout: { json: [LEAD] },
  },
  {
    name: 'takes an id where the file has a name', argv: ['leads', 'edit', '12', '--yes'], sed: 's/^status: Qualified$/status: 4/',
    exchanges: [get('/api/leads/12', LEAD), ...readTwice, patch(leadForm({ lead_status: '4' }))],
  },
  {
    name: 'takes the words for days that flags take', argv: ['leads', 'edit', '12', '--yes', '--fields', 'last-contacted'],
    sed: 's/^last-contacted:.*/last-contacted: today/',
    exchanges: [get('/api/leads/12', LEAD), ...readTwice, patch(leadForm({ lead_last_contacted: new Date().toLocaleDateString('sv') }))],
  },
  {
    name: 'takes no number that could be thousands', argv: ['leads', 'edit', '12', '--yes'], sed: 's/^value: .*/value: 145.000/',
    exchanges: [get('/api/leads/12', LEAD)], exit: 2, stderr: /value.*"145\.000" could be thousands: write 145\.00 or 145000\./s,
  },
  {
    name: 'takes a text of several lines', argv: ['leads', 'edit', '12', '--yes', '--fields', 'description'],
    sed: 's/^description: .*/description: |-\\n  One: floor\\n\\n  # and a half/',
    exchanges: [get('/api/leads/12', LEAD), ...readTwice, patch(leadForm({ lead_description: 'One: floor\n\n# and a half' }))],
  },
  {
    name: 'sends nothing for a file that is as it was', argv: ['leads', 'edit', '12', '--yes'], sed: '',
    exchanges: [get('/api/leads/12', LEAD)], stdout: /^$/, stderr: /Nothing changed, and nothing was sent\./,
  },
  {
    name: 'sends nothing for a file that is emptied', argv: ['leads', 'edit', '12', '--yes'], sed: 'd',
    exchanges: [get('/api/leads/12', LEAD)], stderr: /Nothing changed, and nothing was sent\./,
  },
  {
    name: 'changes nothing for a line that is taken out', argv: ['leads', 'edit', '12', '--yes'],
    sed: '/^phone:/d\ns/^city: Leeds/city: York/',
    exchanges: [get('/api/leads/12', LEAD), ...readTwice, patch(leadForm({ lead_city: 'York' }))],
  },
  {
    name: 'does not send what somebody else changed meanwhile',
    argv: ['leads', 'edit', '12', '--yes'],
    sed: 's/^value: .*/value: 12.00/',
    exchanges: [get('/api/leads/12', LEAD), get('/api/leads/12', NEWER), get('/api/leads/12', NEWER)],
    exit: 8,
    stderr: /lead 12: Changed meanwhile, so left as it is: value is 11\.00 now, not 10\.50\.\n.*is kept in \S*lead-12\.yaml/,
  },
  {
    name: 'names what somebody else changed, and of that only what was changed here, too', argv: ['leads', 'edit', '12', '--yes'],
    sed: 's/^status: .*/status: 5/\ns/^title: .*/title: Shops/',
    exchanges: [
      get('/api/leads/12', LEAD), get('/api/leads/12', { ...MOVED, value: '11.00' }), get('/api/leads/12', { ...MOVED, value: '11.00' }),
    ],
    exit: 8, stderr: /lead 12: Changed meanwhile, so left as it is: status is Negotiation now, not\s+Qualified\./,
  },
  {
    name: 'names everything that somebody else changed of what was changed here, each once', argv: ['leads', 'edit', '12', '--yes'],
    sed: 's/^status: .*/status: 5/\ns/^value: .*/value: 12.00/',
    exchanges: [
      get('/api/leads/12', LEAD), get('/api/leads/12', { ...MOVED, value: '11.00' }), get('/api/leads/12', { ...MOVED, value: '11.00' }),
    ],
    exit: 8,
    stderr: /lead 12: Changed meanwhile, so left as it is: status is Negotiation now, not\s+Qualified; value is 11\.00 now, not 10\.50\.\n/,
  },
  {
    name: 'compares what was shown to the letter: digits of a text', argv: ['leads', 'edit', '12', '--yes', '--json'],
    sed: 's/^zip: 01001/zip: 01002/',
    exchanges: [
      get('/api/leads/12', LEAD), ...[1, 2].map(() => get('/api/leads/12', { ...LEAD, address: { ...LEAD.address, zip: '1001' } })),
    ],
    exit: 8, stdout: { json: [] },
    stderr: /zip is 1001 now, not 01001\./,
  },
  {
    name: 'compares what was shown to the letter: another status of the same name', argv: ['leads', 'edit', '12', '--yes', '--json'],
    sed: 's/^status: Qualified/status: 5/',
    exchanges: [get('/api/leads/12', LEAD), ...[1, 2].map(() => get('/api/leads/12', { ...LEAD, status: { ...LEAD.status, id: 7 } }))],
    exit: 8, stdout: { json: [] },
    stderr: /status is another now\./,
  },
  {
    name: 'opens one record: for several it says how, with what was typed',
    argv: ['leads', 'edit', '12,13', '--fields', 'id,title', '--yes'], sed: '', exchanges: [], exit: 2,
    stderr: /An editor opens one record\.[\s\S]*crm leads list --was --csv --fields id,title > leads\.csv\s[\s\S]*crm apply leads\.csv/,
  },
  {
    name: 'names the list that selects several', argv: ['leads', 'edit', '--where', 'title~shop', '--yes'], sed: '', exchanges: [], exit: 2,
    stderr: /crm leads list --where CONDITION --was --csv > leads\.csv, and crm apply leads\.csv/,
  },
  {
    name: 'looks at what was shown again after the question', argv: ['leads', 'edit', '12', '--yes'], sed: 's/^value: .*/value: 12.00/',
    exchanges: [get('/api/leads/12', LEAD), get('/api/leads/12', LEAD), get('/api/leads/12', NEWER)], exit: 8,
    stderr: /lead 12: Changed meanwhile, so left as it is: value is 11\.00 now, not 10\.50\./,
  },
  {
    name: 'sends what nobody else changed, and with it what somebody else did', argv: ['leads', 'edit', '12', '--yes'],
    sed: 's/^title: .*/title: Shops/',
    exchanges: [
      get('/api/leads/12', LEAD), get('/api/leads/12', { ...NEWER, dates: STAMPED }), get('/api/leads/12', { ...NEWER, dates: STAMPED }),
      patch(leadForm({ lead_title: 'Shops', lead_value: '11.00' })),
    ],
  },
  {
    name: 'has no conflict where somebody else gave one of the same values', argv: ['leads', 'edit', '12', '--yes'],
    sed: 's/^value: .*/value: 11/\ns/^title: .*/title: Shops/',
    exchanges: [
      get('/api/leads/12', LEAD), get('/api/leads/12', NEWER), get('/api/leads/12', NEWER),
      patch(leadForm({ lead_title: 'Shops', lead_value: '11' })),
    ],
  },
  {
    name: 'names the field that the service refuses, and keeps what was typed', argv: ['leads', 'edit', '12', '--yes', '--json'],
    sed: 's/^email: .*/email: nobody@lee.test/',
    exchanges: [
      get('/api/leads/12', LEAD), ...readTwice,
      { request: { method: 'PATCH', path: '/api/leads/12', form: leadForm({ lead_email: 'nobody@lee.test' }) },
        reply: { status: 422, json: { message: 'The given data was invalid.', errors: { lead_email: ['The email is refused.'] } } } },
    ],
    exit: 8, stdout: { json: [] },
    stderr: /"id":12,.*"flag":"email","name":"lead_email","messages":\["The email is refused\."\].*kept in/,
  },
  {
    name: 'checks a day beside one that it does not send', argv: ['proposals', 'edit', '5', '--yes'], sed: 's/^end: .*/end: 2026-04-30/',
    exchanges: [
      get('/api/proposals/5', PROPOSAL), get('/api/proposals/5', { ...PROPOSAL, dates: { ...PROPOSAL.dates, start: '2026-03-05' } }),
      get('/api/proposals/5', { ...PROPOSAL, dates: { ...PROPOSAL.dates, start: '2026-03-05' } }),
      {
        request: {
          method: 'PATCH', path: '/api/proposals/5',
          form: [
            ['doc_title', 'Website relaunch'], ['doc_date_start', '2026-03-05'], ['doc_date_end', '2026-04-30'], ['doc_categoryid', '6'],
          ],
        },
        reply: ok(PROPOSAL),
      },
    ],
  },
  {
    name: 'complains of days in the wrong order before it is closed', argv: ['proposals', 'edit', '5', '--yes'],
    sed: 's/^end: 2026-03-31/end: 2026-01-01/', exchanges: [get('/api/proposals/5', PROPOSAL)], exit: 2,
    stderr: /end: 2026-01-01 is before the proposal's start, 2026-03-01: give\s+start, too\.[\s\S]*kept in/,
  },
  {
    name: 'shows and sends nothing under --dry-run', argv: ['leads', 'edit', '12', '--dry-run', '--json'],
    sed: 's/^value: .*/value: 12.00/', exchanges: [get('/api/leads/12', LEAD), get('/api/leads/12', LEAD)],
    stdout: /"method": "PATCH"[\s\S]*"lead_value": "12\.00"/,
  },
  {
    name: 'keeps what was typed where it is wrong, and sends nothing',
    argv: ['leads', 'edit', '12', '--yes'],
    sed: 's/^value: 10.*/value: 1,5/\ns/^phone: 0.*/phones: 1/\ns/^title: S.*/title:/',
    exchanges: [get('/api/leads/12', LEAD)],
    exit: 2,
    stderr: /line \d+: There is no "phones" to be edited here\. Did you mean "phone"\?[\s\S]*value: "1,5" is not a decimal number such as 1250\.00\.\n {2}title: [\s\S]*kept in/,
  },
  {
    name: 'shows custom fields under their numbers', argv: ['items', 'edit', '8', '--dry-run', '--json', '--fields', 'custom-field'],
    sed: 's/^custom-field-2:.*/custom-field-2: red/', exchanges: [get('/api/items/8', ITEM), get('/api/items/8', ITEM)],
    stdout: /"item_custom_field_2": "red"/,
  },
  {
    name: 'puts the line breaks of the service back', argv: ['notes', 'edit', '9', '--dry-run', '--json', '--fields', 'description'],
    sed: 's/^  two$/  three/',
    exchanges: [
      get('/api/notes/9', { ...NOTE, id: 9, description: 'one\r\ntwo' }),
      get('/api/notes/9', { ...NOTE, id: 9, description: 'one\r\ntwo' }),
    ],
    stdout: /"note_description": "one\\r\\nthree"/,
  },
  {
    name: 'is refused off a terminal before anything is read', argv: ['leads', 'edit', '12', '--yes'], exchanges: [], exit: 9,
    stderr: /An editor needs a terminal/,
  },
  {
    name: 'is refused with --no-input', argv: ['leads', 'edit', '12', '--no-input'], sed: '', exchanges: [], exit: 9, stderr: /--no-input/,
  },
  {
    name: 'names fields that are not edited before anything is read', argv: ['leads', 'edit', '12', '--fields', 'title,tags'], sed: '',
    exchanges: [], exit: 2, stderr: /--fields: "tags" can't be edited: crm leads tags changes it\./,
  },
]);
