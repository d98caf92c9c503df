// What is said on standard error after a write: what was read before it, compared with what the service answered. The sentences are
// typed by hand; the requests beside them are those of each verb's own tests.

import { wireCases } from '../support/wire.ts';
import type { Exchange } from '../support/wire-case.ts';
import { CONTACT, created, failure, ITEM, LEAD, NOTE, ok, type Pair, PROPOSAL, type Reply } from './records.ts';

const get = (path: string, record: unknown): Exchange => ({ request: { method: 'GET', path }, reply: ok(record) });
const patch = (path: string, form: Pair[], reply: Reply): Exchange => ({ request: { method: 'PATCH', path, form }, reply });
const put = (path: string, reply: Reply, form?: Pair[]): Exchange => ({ request: { method: 'PUT', path, ...(form && { form }) }, reply });

const NOTE_FORM = (title: string, description: string): Pair[] => [
  ['note_title', title], ['note_description', description], ['note_visibility', 'public'],
];
const CONTACT_FORM = (phone: string, position: string): Pair[] => [
  ['first_name', 'Jane'], ['last_name', 'Doe'], ['email', 'jane@acme.test'], ['phone', phone], ['position', position],
];
const ITEM_FORM = (rate: string, unit: string, sku: string): Pair[] => [
  ['item_description', 'Oak shelf'], ['item_rate', rate], ['item_categoryid', '7'], ['item_default_tax', '1'], ['item_unit', unit],
  ['item_notes', 'Oiled'], ['item_notes_estimatation', 'Two weeks'], ['item_custom_field_1', sku],
];
const EMPTY: Reply = { status: 204, text: '' };

wireCases('what an update made different', [
  {
    name: 'is told by the flags, numbers as numbers, relations and custom fields by name; what the service changed beside them, too',
    argv: ['items', 'update', '8', '--rate', '12.5050', '--unit', '4', '--custom-field', '1=AB-2'],
    exchanges: [
      get('/api/items/8', ITEM),
      patch('/api/items/8', ITEM_FORM('12.5050', '4', 'AB-2'), ok({
        ...ITEM, rate: '12.51', unit: { id: 4, name: 'metre' }, custom_fields: [{ id: 1, name: 'SKU', value: 'AB-2' }],
        notes: 'A colleague was here', dates: { ...ITEM.dates, updated: '2026-05-01T00:00:00.000000Z' },
      })),
    ],
    stderr: /^Item 8 changed: Oak shelf\. rate 12\.50 -> 12\.51, unit piece -> metre, custom-field-1 AB-1 -> AB-2, notes Oiled -> A colleague was here\n$/,
  },
  {
    name: 'is nothing where a number is only written differently', argv: ['items', 'update', '8', '--rate', '12.5'],
    exchanges: [get('/api/items/8', ITEM), patch('/api/items/8', ITEM_FORM('12.5', '3', 'AB-1'), ok(ITEM))],
    stderr: /^Item 8 is as it was: Oak shelf\n$/,
  },
  {
    name: 'is told where the service kept what it had, also a correction of capitals; blanks at the edges are none',
    argv: ['notes', 'update', '9', '--title', ' Call ', '--description', 'asked for a price'],
    exchanges: [get('/api/notes/9', NOTE), patch('/api/notes/9', NOTE_FORM(' Call ', 'asked for a price'), ok(NOTE))],
    stderr: /^Note 9: Call\. description is still Asked for a price; asked for a price was asked for\n$/,
  },
  {
    name: 'is what the record holds afterwards where the answer tells no more than a name',
    argv: ['contacts', 'update', '5', '--phone', '', '--job-position', 'Buyer'],
    exchanges: [
      get('/api/contacts/5', CONTACT), patch('/api/contacts/5', CONTACT_FORM('', 'Buyer'), ok({ id: 5, name: 'Jane Doe' })),
      get('/api/contacts/5', { ...CONTACT, phone: null }),
    ],
    stderr: /^Contact 5 changed: Jane Doe\. phone \+44 20 7946 0001 -> \(empty\)\n$/,
  },
  {
    name: 'is nothing that was cleared where the answer tells nothing and the record still has it',
    argv: ['contacts', 'update', '5', '--phone', ''],
    exchanges: [
      get('/api/contacts/5', CONTACT), patch('/api/contacts/5', CONTACT_FORM('', 'Buyer'), EMPTY), get('/api/contacts/5', CONTACT),
    ],
    exit: 7, stderr: /does not have it/,
  },
  {
    name: 'is on one line, whatever the service answered', argv: ['notes', 'update', '9', '--description', 'a\nb'],
    exchanges: [
      get('/api/notes/9', NOTE),
      patch('/api/notes/9', NOTE_FORM('Call', 'a\nb'), ok({ ...NOTE, title: 'Call\u001b[2J', description: `a\r\nb${'x'.repeat(200)}` })),
    ],
    stderr: /^Note 9 changed: Call\\x1b\[2J\. description Asked for a price -> a↵bx{96}…, title Call -> Call\\x1b\[2J\n$/,
  },
  {
    name: 'is not known without a read', argv: ['notes', 'update', '9', '--replace', '--title', 'Mail', '--description', 'x'],
    exchanges: [
      patch('/api/notes/9', [['note_title', 'Mail'], ['note_description', 'x']], EMPTY),
      get('/api/notes/9', { ...NOTE, title: 'Mail', description: 'x' }),
    ],
    stderr: /^Note 9: Mail\. title set to Mail, description set to x\n$/,
  },
]);

wireCases('what other writes made different', [
  { name: 'a status is read where the answer does not tell it', argv: ['leads', 'status', '12', '4'],
    exchanges: [
      put('/api/leads/12/status', EMPTY, [['status', '4']]),
      get('/api/leads/12', { ...LEAD, status: { id: 4, title: 'Won', color: 'green' } }),
    ],
    stderr: /^Lead 12: Shop fitting\. status set to Won\n$/ },
  { name: 'a status has the name that the service gives it', argv: ['leads', 'status', '12', '4'],
    exchanges: [put('/api/leads/12/status', ok({ ...LEAD, status: { id: 4, title: 'Won', color: 'green' } }), [['status', '4']])],
    stderr: /^Lead 12: Shop fitting\. status set to Won\n$/ },
  { name: 'a status that is null is empty', argv: ['leads', 'status', '12', '4'],
    exchanges: [put('/api/leads/12/status', ok({ ...LEAD, status: null }), [['status', '4']])],
    stderr: /^Lead 12: Shop fitting\. status is \(empty\); 4 was asked for\n$/ },
  { name: 'archiving says so, with an answer and without one', argv: ['leads', 'archive', '12', '13'], atOnce: true,
    exchanges: [
      get('/api/leads/12', LEAD), get('/api/leads/13', { ...LEAD, id: 13, title: 'Barn' }),
      put('/api/leads/12/archive', ok({ ...LEAD, active_state: 'archived' })), put('/api/leads/13/archive', EMPTY),
      get('/api/leads/13', { ...LEAD, id: 13, title: 'Barn', active_state: 'archived' }),
    ],
    stderr: /^Lead 12 archived: Shop fitting\nLead 13 archived: Barn\nUndo: crm undo \w{4}\n$/ },
  { name: 'what is printed where the answer tells nothing is what was read afterwards', argv: ['leads', 'status', '12', '4', '--json'],
    exchanges: [
      put('/api/leads/12/status', EMPTY, [['status', '4']]),
      get('/api/leads/12', { ...LEAD, status: { id: 4, title: 'Won', color: 'green' } }),
    ],
    stdout: { json: { ...LEAD, status: { id: 4, title: 'Won', color: 'green' } } } },
  { name: 'so it is with several', argv: ['leads', 'archive', '12', '13', '-o', 'ids'], atOnce: true,
    exchanges: [
      get('/api/leads/12', LEAD), get('/api/leads/13', { ...LEAD, id: 13 }),
      put('/api/leads/12/archive', { json: { message: 'Archived.' } }), get('/api/leads/12', { ...LEAD, active_state: 'archived' }),
      put('/api/leads/13/archive', EMPTY), get('/api/leads/13', { ...LEAD, id: 13, active_state: 'archived' }),
    ],
    stdout: /^12\n13\n$/ },
  { name: 'archiving that left the lead active is told as that', argv: ['leads', 'archive', '12'],
    exchanges: [put('/api/leads/12/archive', ok(LEAD))],
    stderr: /^Lead 12: Shop fitting\. active-state is active; archived was asked for\n$/ },
  { name: 'tags are told by what came and went', argv: ['leads', 'tags', '12', '--add', 'hot', '--remove', 'warm'],
    exchanges: [
      get('/api/leads/12', LEAD),
      put('/api/leads/12/tags', ok({ ...LEAD, tags: ['retail', 'hot'] }), [['tags[]', 'retail'], ['tags[]', 'hot']]),
    ],
    stderr: /^Lead 12 changed: Shop fitting\. tags \+hot -warm\n$/ },
  { name: 'a tag of two words stands in quotes', argv: ['leads', 'tags', '12', '--add', 'big deal', '--add', 'hot', '--remove', 'too cold'],
    exchanges: [
      get('/api/leads/12', { ...LEAD, tags: ['too cold'] }),
      put('/api/leads/12/tags', ok({ ...LEAD, tags: ['big deal', 'hot'] }), [['tags[]', 'big deal'], ['tags[]', 'hot']]),
    ],
    stderr: /^Lead 12 changed: Shop fitting\. tags \+"big deal" \+hot -"too cold"\n$/ },
  { name: 'a whole set of tags stands for itself where nothing was read', argv: ['leads', 'tags', '12', 'hot', 'new'],
    exchanges: [
      put('/api/leads/12/tags', EMPTY, [['tags[]', 'hot'], ['tags[]', 'new']]), get('/api/leads/12', { ...LEAD, tags: ['new', 'hot'] }),
    ],
    stderr: /^Lead 12: Shop fitting\. tags set to new, hot\n$/ },
  { name: 'a signature that a status cleared is told', argv: ['proposals', 'status', '5', 'revised', '--yes'],
    exchanges: [
      get('/api/proposals/5', { ...PROPOSAL, status: 'accepted', signed: { date: '2026-03-05', first_name: 'Jane', last_name: 'Doe' } }),
      put('/api/proposals/5/status', ok({ ...PROPOSAL, status: 'revised' }), [['status', 'revised']]),
    ],
    stderr: /^Proposal 5 changed: Website relaunch\. status accepted -> revised, signature Jane Doe, 2026-03-05 -> cleared\n$/ },
  { name: 'nothing is told of a record whose id nobody was told', argv: ['notes', 'create', '--title', 'Call', '--description', 'x'],
    exit: 7,
    exchanges: [{
      request: { method: 'POST', path: '/api/notes', form: [['note_title', 'Call'], ['note_description', 'x']] }, reply: created(null),
    }],
    stderr: /^error: The service answered 201, but without the id of what it made\. The outcome of POST \/api\/notes is unknown/ },
  { name: 'several are told one line each, failures in between', argv: ['notes', 'delete', '9', '10', '--yes'], atOnce: true,
    exchanges: [
      { request: { method: 'GET', path: '/api/notes/9' }, reply: failure(404, 'Note not found.') },
      get('/api/notes/10', { ...NOTE, id: 10 }),
      { request: { method: 'DELETE', path: '/api/notes/10' }, reply: ok({ id: 10 }) },
    ],
    exit: 8, stdout: /^ID\n10\n$/, stderr: /^note 9: Note 9 not found\.\nNote 10 deleted: Call\nerror: 1 of 2 failed\.\n$/ },
]);
