// Wire tests of `create --read`: what the service answers to a create is little, so the record is read afterwards. A create that went
// through stays one, whatever becomes of the read. Typed by hand from the interface document; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { Exchange } from '../support/wire-case.ts';
import { CONTACT, created, failure, get, ITEM, LEAD, NOTE, ok, PROPOSAL, post, type Reply, sends } from './records.ts';

const contact = 'contacts create --first-name Jane --last-name Doe --email jane@acme.test --client 12';
const posted = post('/api/contacts', { first_name: 'Jane', last_name: 'Doe', email: 'jane@acme.test', clientid: '12' },
  created({ id: 5, name: 'Jane Doe' }));
const read = (reply: Reply) => get('/api/contacts/5', reply);

/** The others, by the command and the request that makes one, and the record that reads back. */
const families: readonly [line: string, request: Exchange, record: { readonly id: number }][] = [
  ['proposals create --client 4 --title Site --start 2026-03-01 --category 6',
    post('/api/proposals',
      { customer_type: 'client', doc_client_id: '4', doc_title: 'Site', doc_date_start: '2026-03-01', doc_categoryid: '6' },
      created({ id: 5, title: 'Site', status: 'draft' })), PROPOSAL],
  ['leads create --title Shop --status 3 --category 2',
    post('/api/leads', { lead_title: 'Shop', lead_status: '3', lead_categoryid: '2' },
      created({ id: 12, title: 'Shop', status: { id: 3, title: 'Qualified', color: 'blue' } })), LEAD],
  ['items create --description Shelf --rate 1 --category 7 --default-tax 1 --unit 3',
    post('/api/items',
      { item_description: 'Shelf', item_rate: '1', item_categoryid: '7', item_default_tax: '1', item_unit: '3' },
      created({ id: 8 })), ITEM],
  ['notes create --title Call --description Asked',
    post('/api/notes', { note_title: 'Call', note_description: 'Asked' }, created({ id: 9 })), NOTE],
];

wireCases('create --read', [
  sends('prints the contact that was read', `${contact} --read --json`, [posted, read(ok(CONTACT))],
    { json: CONTACT, stderr: /^Contact 5 created: Jane Doe\n$/ }),
  ...families.map(([line, made, record]) =>
    sends(`works for ${line.split(' ', 1)}`, `${line} --read --json`, [made, get(`${made.request.path}/${record.id}`, ok(record))],
      { json: record })),
  sends('without --read prints the answer to the create', `${contact} --json`, posted, { json: { id: 5, name: 'Jane Doe' } }),
  sends('reads nothing in a dry run', `${contact} --read --dry-run`, [], { stdout: /^POST .*\/api\/contacts\n/ }),
  sends('reads nothing after a create that was refused', `${contact} --read`,
    { ...posted, reply: failure(422, 'The given data was invalid.') }, { exit: 5, stdout: /^$/ }),
]);

/** Reads that fail, each in its own way, after a create that went through. */
const unreadable: readonly [name: string, reply: NonNullable<Exchange['reply']>, says: RegExp][] = [['not found',
  failure(404, 'Contact not found.'), /not found/], ['refused', failure(401, 'Unauthorized.'), /Unauthorized|key/],
  ['another record', ok({ ...CONTACT, id: 6 }), /The answer is not the new record\./], ['no record', { text: '<h1>Maintenance</h1>' }, /HTML/]];

wireCases('create --read whose read fails',
  unreadable.map(([name, reply, says]) => sends(`says that it was created: ${name}`, `${contact} --read --retries 0 --json`,
    [posted, read(reply)],
    { exit: 8, json: { id: 5, name: 'Jane Doe' },
      stderr: new RegExp(
        `"code":"partial","message":"Contact 5 was created, but could not be read: .*${says.source}.*"hint":"Don't create it again. See it with: crm contacts get 5"`) })));

wireCases('create --read of an answer without an id', [
  sends('says where to look', `${contact} --read --json`, { ...posted, reply: created({ name: 'Jane Doe' }) },
    { exit: 7,
      stderr: /without the id of the new record\. The outcome of POST \/api\/contacts is unknown.*crm contacts list --sort created --order desc --limit 10/ }),
]);
