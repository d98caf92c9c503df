// Wire tests of the contacts family: what a user types, and exactly what the service must then see.
// Typed by hand from the interface document (Contacts) and the command line's table; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { Exchange, WireCase } from '../support/wire-case.ts';
import { CONTACT, changed, created, failure, invalid, list, ok, type Pair, refused, WHOLE, without } from './records.ts';

const UPDATED = ok({ id: 5, name: 'Jane Doe' }, 'Contact updated successfully.');

/** CONTACT as the update body has it. */
const FIELDS: Pair[] = [
  ['first_name', 'Jane'], ['last_name', 'Doe'], ['email', 'jane@acme.test'], ['phone', '+44 20 7946 0001'], ['position', 'Buyer'],
];

const JOHN = ['--first-name', 'John', '--last-name', 'Roe', '--email', 'john@roe.test', '--client', '12'];

wireCases('contacts list', [
  {
    name: 'asks for pages of 100 and prints the records', argv: ['contacts', 'list', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/contacts', query: WHOLE }, reply: list([CONTACT]) }], stdout: { json: [CONTACT] },
  },
  { name: 'sends its filters by wire name',
    argv: [
      'contacts', 'list', '--status', 'active', '--client', '12', '--account-owner', 'yes', '--search', 'jane doe', '--sort', 'first_name',
      '--order', 'desc', '--json',
    ],
    exchanges: [{
      request: {
        method: 'GET', path: '/api/contacts',
        query: [
          ['status', 'active'], ['client_id', '12'], ['account_owner', 'yes'], ['search', 'jane doe'], ['sort', 'first_name'],
          ['order', 'desc'], ...WHOLE,
        ],
      },
      reply: list([]),
    }],
    stdout: { json: [] } },
  { name: 'filters by account owner no', argv: ['contacts', 'ls', '--account-owner', 'no'],
    exchanges: [{ request: { method: 'GET', path: '/api/contacts', query: [['account_owner', 'no'], ...WHOLE] }, reply: list([]) }] },
  ...['last_name', 'email', 'created', 'updated'].map((sort): WireCase => ({
    name: `sorts by ${sort}`, argv: ['contacts', 'list', '--sort', sort],
    exchanges: [{ request: { method: 'GET', path: '/api/contacts', query: [['sort', sort], ...WHOLE] }, reply: list([CONTACT]) }],
  })),
  refused('refuses an account owner that is neither yes nor no', ['contacts', 'list', '--account-owner', 'maybe'], /--account-owner/),
  refused('refuses an unknown sort name', ['contacts', 'list', '--sort', 'phone'], /--sort/),
  refused('refuses an unknown order', ['contacts', 'list', '--order', 'up'], /--order/),
  refused('refuses a client id with a fraction', ['contacts', 'list', '--client', '1.5'], /--client/),
]);

wireCases('contacts get', [
  { name: 'reads one contact and prints it', argv: ['contacts', 'get', '5', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/contacts/5' }, reply: ok(CONTACT, 'Contact retrieved successfully.') }],
    stdout: { json: CONTACT } },
  {
    name: 'exits 3 on a deleted contact', argv: ['contacts', 'get', '5'],
    exchanges: [{ request: { method: 'GET', path: '/api/contacts/5' }, reply: failure(404, 'Contact not found.') }], exit: 3, stdout: /^$/,
  },
  refused('refuses id 0', ['contacts', 'get', '0']), refused('needs an id', ['contacts', 'get']),
]);

wireCases('contacts create', [
  { name: 'sends every flag by wire name',
    argv: ['contacts', 'create', ...JOHN, '--phone', '+49 30 1', '--job-position', 'Head of Sales', '--send-email', '--json'],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/contacts',
        form: [
          ['first_name', 'John'], ['last_name', 'Roe'], ['email', 'john@roe.test'], ['clientid', '12'], ['phone', '+49 30 1'],
          ['position', 'Head of Sales'], ['send_email', 'yes'],
        ],
      },
      reply: created({ id: 31, name: 'John Roe' }, 'Contact created successfully.'),
    }],
    stdout: { json: { id: 31, name: 'John Roe' } } },
  { name: 'sends nothing that was not given', argv: ['contacts', 'create', ...JOHN],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/contacts',
        form: [['first_name', 'John'], ['last_name', 'Roe'], ['email', 'john@roe.test'], ['clientid', '12']],
      },
      reply: created({ id: 31, name: 'John Roe' }),
    }] },
  { name: 'sends JSON with a numeric client id', argv: ['contacts', 'create', ...JOHN, '--phone', '030', '--send-email'], encoding: 'json',
    exchanges: [{
      request: {
        method: 'POST', path: '/api/contacts',
        json: { first_name: 'John', last_name: 'Roe', email: 'john@roe.test', clientid: 12, phone: '030', send_email: 'yes' },
      },
      reply: created({ id: 31, name: 'John Roe' }),
    }] },
  { name: 'takes flag names, underscored or hyphened, from --data',
    argv: [
      'contacts', 'create', '--data', '{"first_name":"John","last-name":"Roe","email":"john@roe.test","client":12,"job_position":"CEO"}',
    ],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/contacts',
        form: [['first_name', 'John'], ['last_name', 'Roe'], ['email', 'john@roe.test'], ['clientid', '12'], ['position', 'CEO']],
      },
      reply: created({ id: 31, name: 'John Roe' }),
    }] },
  { name: 'shows a refused field beside the flag', argv: ['contacts', 'create', ...JOHN],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/contacts',
        form: [['first_name', 'John'], ['last_name', 'Roe'], ['email', 'john@roe.test'], ['clientid', '12']],
      },
      reply: invalid({ email: ['The email has already been taken.'], clientid: ['The selected clientid is invalid.'] }),
    }],
    exit: 5, stdout: /^$/, stderr: /--email: The email has already been taken\.[\s\S]*--client: The selected clientid is invalid\./ },
  refused(
    'names the required flags that are missing', ['contacts', 'create', '--first-name', 'John', '--client', '12'],
    /(?=[\s\S]*--last-name)(?=[\s\S]*--email)/
  ),
  refused('needs a client', ['contacts', 'create', '--first-name', 'A', '--last-name', 'B', '--email', 'a@b.test'], /--client/),
  refused(
    'refuses client 0', ['contacts', 'create', '--first-name', 'A', '--last-name', 'B', '--email', 'a@b.test', '--client', '0'], /--client/
  ),
  refused('refuses an unknown flag', ['contacts', 'create', ...JOHN, '--nickname', 'Jo'], /--nickname/),
]);

// The answer to an update tells no more than a name (interface: Contacts), so the record is read to say what it holds now.
const AFTERWARDS: Exchange = { request: { method: 'GET', path: '/api/contacts/5' }, reply: ok(CONTACT) };

wireCases('contacts update', [
  { name: 'reads, merges and sends all editable fields',
    argv: ['contacts', 'update', '5', '--first-name', 'Janet', '--last-name', 'Dow', '--json'],
    exchanges: [
      { request: { method: 'GET', path: '/api/contacts/5' }, reply: ok(CONTACT) },
      { request: { method: 'PATCH', path: '/api/contacts/5', form: changed(FIELDS, ['first_name', 'Janet'], ['last_name', 'Dow']) },
        reply: ok({ id: 5, name: 'Janet Dow' }, 'Contact updated successfully.') },
      { request: { method: 'GET', path: '/api/contacts/5' }, reply: ok({ ...CONTACT, first_name: 'Janet', last_name: 'Dow' }) },
    ],
    stdout: { json: { id: 5, name: 'Janet Dow' } } },
  { name: 'changes email, phone and job position',
    argv: ['contacts', 'update', '5', '--email', 'j@acme.test', '--phone', '040', '--job-position', 'Chief buyer'],
    exchanges: [
      { request: { method: 'GET', path: '/api/contacts/5' }, reply: ok(CONTACT) },
      {
        request: {
          method: 'PATCH', path: '/api/contacts/5',
          form: [['first_name', 'Jane'], ['last_name', 'Doe'], ['email', 'j@acme.test'], ['phone', '040'], ['position', 'Chief buyer']],
        },
        reply: UPDATED,
      },
      AFTERWARDS,
    ] },
  { name: 'clears a field with an empty value', argv: ['contacts', 'update', '5', '--phone', ''],
    exchanges: [
      { request: { method: 'GET', path: '/api/contacts/5' }, reply: ok(CONTACT) },
      { request: { method: 'PATCH', path: '/api/contacts/5', form: changed(FIELDS, ['phone', '']) }, reply: UPDATED }, AFTERWARDS,
    ] },
  { name: 'leaves nulls out and sends an empty value back as it is', argv: ['contacts', 'update', '5', '--first-name', 'Janet'],
    exchanges: [
      { request: { method: 'GET', path: '/api/contacts/5' }, reply: ok({ ...CONTACT, phone: null, job_position: '' }) },
      {
        request: {
          method: 'PATCH', path: '/api/contacts/5', form: changed(without(FIELDS, 'phone'), ['first_name', 'Janet'], ['position', '']),
        },
        reply: UPDATED,
      },
      AFTERWARDS,
    ] },
  { name: 'sends JSON', argv: ['contacts', 'update', '5', '--phone', ''], encoding: 'json',
    exchanges: [
      { request: { method: 'GET', path: '/api/contacts/5' }, reply: ok(CONTACT) },
      {
        request: {
          method: 'PATCH', path: '/api/contacts/5',
          json: { first_name: 'Jane', last_name: 'Doe', email: 'jane@acme.test', phone: '', position: 'Buyer' },
        },
        reply: UPDATED,
      },
      AFTERWARDS,
    ] },
  { name: 'stops after the read when the record lacks a required value', argv: ['contacts', 'update', '5', '--phone', '040'],
    exchanges: [{ request: { method: 'GET', path: '/api/contacts/5' }, reply: ok({ ...CONTACT, last_name: null }) }], exit: 2,
    stderr: /--last-name/ },
  { name: 'sends no PATCH when the contact is gone', argv: ['contacts', 'update', '5', '--phone', '040'],
    exchanges: [{ request: { method: 'GET', path: '/api/contacts/5' }, reply: failure(404, 'Contact not found.') }], exit: 3 },
  refused('refuses to change nothing', ['contacts', 'update', '5']),
  refused('has no --client', ['contacts', 'update', '5', '--client', '3'], /--client/),
  refused('refuses a negative id', ['contacts', 'update', '-5', '--phone', '040']),
]);

wireCases('contacts delete', [
  { name: 'deletes one with --yes', argv: ['contacts', 'delete', '5', '--yes', '--json'],
    exchanges: [{ request: { method: 'DELETE', path: '/api/contacts/5' }, reply: ok({ id: 5 }, 'Contact deleted successfully.') }],
    stdout: { json: { id: 5 } } },
  { name: 'sends nothing without --yes', argv: ['contacts', 'delete', '5'], exchanges: [], exit: 9, stdout: /^$/, stderr: /--yes/ },
  { name: 'deletes several in order', argv: ['contacts', 'rm', '7', '5', '6', '-y', '--json'], atOnce: true,
    exchanges: [7, 5, 6].flatMap((id): Exchange[] => [
      { request: { method: 'GET', path: `/api/contacts/${id}` }, reply: ok({ ...CONTACT, id }) },
      { request: { method: 'DELETE', path: `/api/contacts/${id}` }, reply: ok({ id }) },
    ]),
    stdout: { json: [{ id: 7 }, { id: 5 }, { id: 6 }] } },
  { name: 'goes on after one that is not found', argv: ['contacts', 'delete', '5', '6', '7', '--yes'], atOnce: true,
    exchanges: [
      { request: { method: 'GET', path: '/api/contacts/5' }, reply: ok({ ...CONTACT, id: 5 }) },
      { request: { method: 'DELETE', path: '/api/contacts/5' }, reply: ok({ id: 5 }) },
      { request: { method: 'GET', path: '/api/contacts/6' }, reply: failure(404, 'Contact not found.') },
      { request: { method: 'GET', path: '/api/contacts/7' }, reply: ok({ ...CONTACT, id: 7 }) },
      { request: { method: 'DELETE', path: '/api/contacts/7' }, reply: ok({ id: 7 }) },
    ],
    exit: 8, stderr: /\b6\b/ },
  { name: 'exits 3 when the only one is not found', argv: ['contacts', 'delete', '6', '--yes'],
    exchanges: [{ request: { method: 'DELETE', path: '/api/contacts/6' }, reply: failure(404, 'Contact not found.') }], exit: 3 },
  refused('checks every id before the first request', ['contacts', 'delete', '5', 'x', '--yes'], /x/),
  refused('needs an id', ['contacts', 'delete', '--yes']),
]);

wireCases('contacts account-owner', [
  { name: 'sends a PUT without a body', argv: ['contacts', 'account-owner', '5', '--json'],
    exchanges: [{
      request: { method: 'PUT', path: '/api/contacts/5/account-owner' },
      reply: ok({ ...CONTACT, account_owner: 'yes' }, 'Contact set as account owner successfully.'),
    }],
    stdout: { json: { ...CONTACT, account_owner: 'yes' } } },
  { name: 'exits 10 on a contact without a client account', argv: ['contacts', 'account-owner', '5'],
    exchanges: [{
      request: { method: 'PUT', path: '/api/contacts/5/account-owner' }, reply: failure(409, 'The contact has no client account.'),
    }],
    exit: 10, stderr: /The contact has no client account\./ },
  refused('refuses an id that is no number', ['contacts', 'account-owner', 'jane']),
]);
