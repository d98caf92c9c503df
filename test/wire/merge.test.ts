// Wire tests of `leads duplicates` and `leads merge`: what is asked for, what is sent, in which order, and what is not when
// something fails. Typed by hand from the interface document and the command line's page; imports no declaration.

import { wireCases } from '../support/wire.ts';
import { get, LEAD, patch, put, type Reply, sends, thrice, whole } from './records.ts';

const contact = { first_name: null, last_name: null, email: null, phone: null, job_position: null, company_name: null, website: null };
const base = { ...LEAD, source: null, value: null, assigned: [], tags: [], last_contacted: null, description: null, contact };
const kept = { ...base, id: 22, title: 'Kept', address: {} };
const other = { ...base, id: 87, title: 'Other', address: {}, contact: { ...contact, phone: '555' }, tags: ['cold'] };

const read = (record: { id: number }) => get(`/api/leads/${record.id}`, { json: { data: record } });
const none = (target: string) => get(target, { json: { data: [], meta: { total: 0 } } });
const looked = [read(kept), read(other), none('/api/leads/87/comments'), none('/api/proposals?lead_id=87&limit=1&page=1'),
  none('/api/notes?resource_type=lead&resource_id=87&limit=1&page=1')];
const filled = { ...kept, contact: { ...contact, phone: '555' } };
const fill = (reply: Reply) =>
  patch('/api/leads/22', { lead_title: 'Kept', lead_status: '3', lead_categoryid: '2', lead_phone: '555' }, reply);
const tag = (id: number, tags: string[], record: object) =>
  put(`/api/leads/${id}/tags`, { 'tags[]': tags }, { json: { data: { ...record, tags } } });

const line = 'leads merge 87 --into 22 --yes --json';

wireCases('leads merge', [
  sends('fills and tags the kept lead, then tags and archives the other', line,
  [...looked, read(kept), fill({ json: { data: filled } }), read(filled), tag(22, ['cold'], filled), read(other),
    tag(87, ['cold', 'merged-into-22'], other), read(other),
    put('/api/leads/87/archive', {}, { json: { data: { ...other, active_state: 'archived' } } })], { atOnce: true, stdout: /^\[/ }),
  sends('sends nothing to the other lead when the kept lead could not be filled', line,
    [...looked, read(kept), fill({ status: 422, json: { message: 'The given data was invalid.', errors: { lead_phone: ['No.'] } } })],
    { atOnce: true, exit: 8, stderr: /a write to lead 22 did not succeed/ }),
  sends('sends nothing when the kept lead was converted meanwhile', line,
    [...looked, read({ ...kept, ...{ converted: { is_converted: true, client_id: 4, date: '2026-01-20' } } })],
    { atOnce: true, exit: 8, stderr: /converted\.is_converted is true now, not false/ }),
]);

const twins = [1, 2].map((id) => ({ ...base, id, contact: { ...contact, email: 'ann@north.example' } }));
const unread = (name: string, reply: Reply, stderr: RegExp) =>
  sends(name, 'leads duplicates --at-most 9 --retries 0 --json', whole('/api/leads', reply), { stdout: /^$/, stderr, exit: 7 });

wireCases('leads duplicates', [
  sends('asks for the list once', 'leads duplicates --json --fields group,keep,id',
    whole('/api/leads', { json: { data: twins, meta: { total: 2, last_page: 1 } } }),
    { json: [{ group: 1, keep: 1, id: 1 }, { group: 1, keep: 1, id: 2 }] }),
  sends('refuses a list that lacks records at the third reading, too', 'leads duplicates --at-most 9 --retries 0 --json',
    thrice(whole('/api/leads', { json: { data: twins, meta: { total: 3, last_page: 1 } } })),
    { stdout: /^$/, stderr: /3 records, but only 2 came/, exit: 7 }),
  unread('refuses an answer without a list', { json: { data: null } }, /./),
  unread("refuses a lead that doesn't say whether it was converted",
    { json: { data: twins.map(({ converted: _converted, ...lead }) => lead), meta: { total: 2, last_page: 1 } } },
    /lead 1 came without converted\.is_converted/),
]);
