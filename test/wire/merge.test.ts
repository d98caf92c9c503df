// Wire tests of `leads duplicates` and `leads merge`: what is asked for, what is sent, in which order, and what is not when something fails. Typed by hand from the interface
// document and the command line's page; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { Exchange, WireCase } from '../support/wire-case.ts';
import { LEAD } from './records.ts';

const contact = { first_name: null, last_name: null, email: null, phone: null, job_position: null, company_name: null, website: null };
const base = { ...LEAD, source: null, value: null, assigned: [], tags: [], last_contacted: null, description: null, contact };
const kept = { ...base, id: 22, title: 'Kept', address: {} };
const other = { ...base, id: 87, title: 'Other', address: {}, contact: { ...contact, phone: '555' }, tags: ['cold'] };

const read = (record: { id: number }): Exchange => ({
  request: { method: 'GET', path: `/api/leads/${record.id}` }, reply: { json: { data: record } },
});
const none = (path: string, query?: [string, string][]): Exchange => ({
  request: { method: 'GET', path, ...(query && { query }) }, reply: { json: { data: [], meta: { total: 0 } } },
});
const page: [string, string][] = [['limit', '1'], ['page', '1']];
const looked: Exchange[] = [
  read(kept), read(other), none('/api/leads/87/comments'), none('/api/proposals', [['lead_id', '87'], ...page]),
  none('/api/notes', [['resource_type', 'lead'], ['resource_id', '87'], ...page]),
];
const filled = { ...kept, contact: { ...contact, phone: '555' } };
const fill = (reply: Exchange['reply']): Exchange => ({
  request: {
    method: 'PATCH', path: '/api/leads/22',
    form: [['lead_title', 'Kept'], ['lead_status', '3'], ['lead_categoryid', '2'], ['lead_phone', '555']],
  },
  ...(reply && { reply }),
});
const tag = (id: number, tags: string[], record: object): Exchange => ({
  request: { method: 'PUT', path: `/api/leads/${id}/tags`, form: tags.map((one) => ['tags[]', one]) },
  reply: { json: { data: { ...record, tags } } },
});

const argv = ['leads', 'merge', '87', '--into', '22', '--yes', '--json'];
const cases: WireCase[] = [
  { name: 'fills and tags the kept one, then tags and archives the other', argv, atOnce: true,
    exchanges: [
      ...looked, read(kept), fill({ json: { data: filled } }), read(filled), tag(22, ['cold'], filled), read(other),
      tag(87, ['cold', 'merged-into-22'], other), read(other),
      { request: { method: 'PUT', path: '/api/leads/87/archive' }, reply: { json: { data: { ...other, active_state: 'archived' } } } },
    ],
    stdout: /^\[/ },
  { name: 'sends nothing to the other one when the kept one could not be filled', argv,
    exchanges: [
      ...looked, read(kept), fill({ status: 422, json: { message: 'The given data was invalid.', errors: { lead_phone: ['No.'] } } }),
    ],
    atOnce: true, exit: 8, stderr: /not all went through with lead 22/ },
  { name: 'sends nothing when the kept one was converted meanwhile', argv,
    exchanges: [...looked, read({ ...kept, ...{ converted: { is_converted: true, client_id: 4, date: '2026-01-20' } } })], atOnce: true,
    exit: 8, stderr: /converted\.is_converted is true now, not false/ },
];

wireCases('leads merge', cases);

const all: Exchange['request'] = { method: 'GET', path: '/api/leads', query: [['limit', '100'], ['page', '1']] };
const twins = [1, 2].map((id) => ({ ...base, id, contact: { ...contact, email: 'ann@north.example' } }));
const unread = (name: string, reply: Exchange['reply'], stderr: RegExp): WireCase => ({
  name, argv: ['leads', 'duplicates', '--at-most', '9', '--retries', '0', '--json'], exchanges: [{ request: all, ...(reply && { reply }) }],
  stdout: /^$/, stderr, exit: 7,
});

wireCases('leads duplicates', [
  { name: 'asks for the list once', argv: ['leads', 'duplicates', '--json', '--fields', 'group,keep,id'],
    exchanges: [{ request: all, reply: { json: { data: twins, meta: { total: 2, last_page: 1 } } } }],
    stdout: { json: [{ group: 1, keep: 1, id: 1 }, { group: 1, keep: 1, id: 2 }] } },
  unread('a list of which some are missing has no duplicates to tell', { json: { data: twins, meta: { total: 3, last_page: 1 } } }, /./),
  unread('an answer that holds no list neither', { json: { data: null } }, /./),
  unread(
    'of a lead that does not say whether it was converted nobody can tell',
    { json: { data: twins.map(({ converted: _converted, ...lead }) => lead), meta: { total: 2, last_page: 1 } } },
    /lead 1 came without converted\.is_converted/
  ),
]);
