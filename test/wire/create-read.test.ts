// Wire tests of `create --read`: what the service answers to a create is little, so the record is read afterwards. A create that went
// through stays one, whatever becomes of the read. Typed by hand from the interface document; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { Exchange, WireCase } from '../support/wire-case.ts';
import { CONTACT, created, failure, ITEM, LEAD, NOTE, ok, PROPOSAL } from './records.ts';

const contact = ['contacts', 'create', '--first-name', 'Jane', '--last-name', 'Doe', '--email', 'jane@acme.test', '--client', '12'];
const posted: Exchange = {
  request: {
    method: 'POST', path: '/api/contacts',
    form: [['first_name', 'Jane'], ['last_name', 'Doe'], ['email', 'jane@acme.test'], ['clientid', '12']],
  },
  reply: created({ id: 5, name: 'Jane Doe' }),
};
const read = { method: 'GET', path: '/api/contacts/5' } as const;

/** The others, by the request that makes one and the record that reads back. */
const families: readonly [argv: string[], request: Exchange['request'], answered: unknown, record: { readonly id: number }][] = [
  [
    ['proposals', 'create', '--client', '4', '--title', 'Site', '--start', '2026-03-01', '--category', '6'],
    { method: 'POST', path: '/api/proposals',
      form: [
        ['customer_type', 'client'], ['doc_client_id', '4'], ['doc_title', 'Site'], ['doc_date_start', '2026-03-01'],
        ['doc_categoryid', '6'],
      ] },
    { id: 5, title: 'Site', status: 'draft' }, PROPOSAL,
  ],
  [
    ['leads', 'create', '--title', 'Shop', '--status', '3', '--category', '2'],
    { method: 'POST', path: '/api/leads', form: [['lead_title', 'Shop'], ['lead_status', '3'], ['lead_categoryid', '2']] },
    { id: 12, title: 'Shop', status: { id: 3, title: 'Qualified', color: 'blue' } }, LEAD,
  ],
  [
    ['items', 'create', '--description', 'Shelf', '--rate', '1', '--category', '7', '--default-tax', '1', '--unit', '3'],
    {
      method: 'POST', path: '/api/items',
      form: [['item_description', 'Shelf'], ['item_rate', '1'], ['item_categoryid', '7'], ['item_default_tax', '1'], ['item_unit', '3']],
    },
    { id: 8 }, ITEM,
  ],
  [
    ['notes', 'create', '--title', 'Call', '--description', 'Asked'],
    { method: 'POST', path: '/api/notes', form: [['note_title', 'Call'], ['note_description', 'Asked']] }, { id: 9 }, NOTE,
  ],
];

wireCases('create --read', [
  { name: 'prints the contact as it reads back', argv: [...contact, '--read', '--json'],
    exchanges: [posted, { request: read, reply: ok(CONTACT) }], stdout: { json: CONTACT }, stderr: /^Contact 5 created: Jane Doe\n$/ },
  ...families.map(([argv, request, answered, record]): WireCase => ({
    name: `works for ${argv[0]}`, argv: [...argv, '--read', '--json'],
    exchanges: [
      { request, reply: created(answered) },
      { request: { method: 'GET', path: `${request.path}/${record.id}` }, reply: ok(record) },
    ],
    stdout: { json: record },
  })),
  { name: 'is needed for more than the service answers', argv: [...contact, '--json'], exchanges: [posted],
    stdout: { json: { id: 5, name: 'Jane Doe' } } },
  { name: 'reads nothing in a dry run', argv: [...contact, '--read', '--dry-run'], exchanges: [], stdout: /^POST .*\/api\/contacts\n/ },
  { name: 'reads nothing after a create that was refused', argv: [...contact, '--read'],
    exchanges: [{ ...posted, reply: failure(422, 'The given data was invalid.') }], exit: 5, stdout: /^$/ },
]);

/** Reads that fail, each in its own way, after a create that went through. */
const unreadable: readonly [name: string, reply: NonNullable<Exchange['reply']>, says: RegExp][] = [
  ['not found', failure(404, 'Contact not found.'), /not found/], ['refused', failure(401, 'Unauthorized.'), /Unauthorized|key/],
  ['another record', ok({ ...CONTACT, id: 6 }), /something else/], ['no record', { text: '<h1>Maintenance</h1>' }, /HTML/],
];

wireCases(
  'create --read whose read fails',
  unreadable.map(
    ([name, reply, says]): WireCase => ({
      name: `says that it was created: ${name}`,
      argv: [...contact, '--read', '--retries', '0', '--json'],
      exchanges: [posted, { request: read, reply }],
      exit: 8,
      stdout: { json: { id: 5, name: 'Jane Doe' } },
      stderr: new RegExp(
        `"code":"partial","message":"Contact 5 was created, but could not be read: .*${says.source}.*"hint":"Don't create it again. See it with: crm contacts get 5"`,
      ),
    }),
  ),
);

wireCases('create --read of an answer without an id', [
  {
    name: 'says where to look',
    argv: [...contact, '--read', '--json'],
    exchanges: [{ ...posted, reply: created({ name: 'Jane Doe' }) }],
    exit: 7,
    stderr: /without the id of what it made\. The outcome of POST \/api\/contacts is unknown.*crm contacts list --sort created --order desc --limit 10/,
  },
]);
