// Wire tests of the contacts family: what a user types, and exactly what the service must then see.
// Typed by hand from the interface document (Contacts) and the command line's table; imports no declaration.

import { json, without } from '../support/request.ts';
import { wireCases } from '../support/wire.ts';
import { CONTACT, created, del, failure, get, invalid, list, ok, patch, post, put, refused, sends, whole } from './records.ts';

const UPDATED = ok({ id: 5, name: 'Jane Doe' }, 'Contact updated successfully.');

/** CONTACT as the update body has it. */
const FIELDS = { first_name: 'Jane', last_name: 'Doe', email: 'jane@acme.test', phone: '+44 20 7946 0001', position: 'Buyer' };

const JOHN = '--first-name John --last-name Roe --email john@roe.test --client 12';

wireCases('contacts list', [
  sends('asks for pages of 100 and prints the records', 'contacts list --json', whole('/api/contacts', list([CONTACT])),
    { json: [CONTACT] }),
  sends('sends its filters by wire name',
    "contacts list --status active --client 12 --account-owner yes --search 'jane doe' --sort first_name --order desc --json",
    whole('/api/contacts?status=active&client_id=12&account_owner=yes&search=jane doe&sort=first_name&order=desc', list([])), { json: [] }),
  sends('filters by account owner no', 'contacts ls --account-owner no', whole('/api/contacts?account_owner=no', list([]))),
  ...['last_name', 'email', 'created', 'updated'].map((sort) => sends(`sorts by ${sort}`, `contacts list --sort ${sort}`,
    whole(`/api/contacts?sort=${sort}`, list([CONTACT])))),
  refused('refuses an account owner that is neither yes nor no', 'contacts list --account-owner maybe', /--account-owner/),
  refused('refuses an unknown sort name', 'contacts list --sort phones', /--sort: unknown field "phones", did you mean phone\?/),
  refused('refuses an unknown order', 'contacts list --order up', /--order/),
  refused('refuses a client id with a fraction', 'contacts list --client 1.5', /--client/),
]);

wireCases('contacts get', [
  sends('reads one contact and prints it', 'contacts get 5 --json', get('/api/contacts/5', ok(CONTACT, 'Contact retrieved successfully.')),
    { json: CONTACT }),
  sends('exits 3 on a deleted contact', 'contacts get 5', get('/api/contacts/5', failure(404, 'Contact not found.')),
    { exit: 3, stdout: /^$/ }),
  refused('refuses id 0', 'contacts get 0'),
  refused('needs an id', 'contacts get'),
]);

wireCases('contacts create', [
  sends('sends every flag by wire name', `contacts create ${JOHN} --phone '+49 30 1' --job-position 'Head of Sales' --send-email --json`,
    post('/api/contacts',
      { first_name: 'John', last_name: 'Roe', email: 'john@roe.test', clientid: '12', phone: '+49 30 1', position: 'Head of Sales',
        send_email: 'yes' }, created({ id: 31, name: 'John Roe' }, 'Contact created successfully.')),
    { json: { id: 31, name: 'John Roe' } }),
  sends('sends nothing that was not given', `contacts create ${JOHN}`,
    post('/api/contacts', { first_name: 'John', last_name: 'Roe', email: 'john@roe.test', clientid: '12' },
      created({ id: 31, name: 'John Roe' }))),
  sends('sends JSON with a numeric client id', `contacts create ${JOHN} --phone 030 --send-email`,
    post('/api/contacts',
      json({ first_name: 'John', last_name: 'Roe', email: 'john@roe.test', clientid: 12, phone: '030', send_email: 'yes' }),
      created({ id: 31, name: 'John Roe' })), { encoding: 'json' }),
  sends('takes flag names, underscored or hyphened, from --data',
    `contacts create --data '{"first_name":"John","last-name":"Roe","email":"john@roe.test","client":12,"job_position":"CEO"}'`,
    post('/api/contacts', { first_name: 'John', last_name: 'Roe', email: 'john@roe.test', clientid: '12', position: 'CEO' },
      created({ id: 31, name: 'John Roe' }))),
  sends('shows a refused field beside the flag', `contacts create ${JOHN}`,
    post('/api/contacts', { first_name: 'John', last_name: 'Roe', email: 'john@roe.test', clientid: '12' },
      invalid({ email: ['The email has already been taken.'], clientid: ['The selected clientid is invalid.'] })),
    { exit: 5, stdout: /^$/, stderr: /--email: The email has already been taken\.[\s\S]*--client: The selected clientid is invalid\./ }),
  refused('names the required flags that are missing', 'contacts create --first-name John --client 12',
    /(?=[\s\S]*--last-name)(?=[\s\S]*--email)/),
  refused('needs a client', 'contacts create --first-name A --last-name B --email a@b.test', /--client/),
  refused('refuses client 0', 'contacts create --first-name A --last-name B --email a@b.test --client 0', /--client/),
  refused('refuses an unknown flag', `contacts create ${JOHN} --nickname Jo`, /--nickname/),
]);

// The answer to an update tells no more than a name (interface: Contacts), so the record is read to say what it holds now.
const AFTERWARDS = get('/api/contacts/5', ok(CONTACT));

wireCases('contacts update', [
  sends('reads, merges and sends all editable fields', 'contacts update 5 --first-name Janet --last-name Dow --json',
    [get('/api/contacts/5', ok(CONTACT)),
      patch('/api/contacts/5', { ...FIELDS, first_name: 'Janet', last_name: 'Dow' },
        ok({ id: 5, name: 'Janet Dow' }, 'Contact updated successfully.')),
      get('/api/contacts/5', ok({ ...CONTACT, first_name: 'Janet', last_name: 'Dow' }))], { json: { id: 5, name: 'Janet Dow' } }),
  sends('changes email, phone and job position', "contacts update 5 --email j@acme.test --phone 040 --job-position 'Chief buyer'",
    [get('/api/contacts/5', ok(CONTACT)),
      patch('/api/contacts/5', { first_name: 'Jane', last_name: 'Doe', email: 'j@acme.test', phone: '040', position: 'Chief buyer' },
        UPDATED), AFTERWARDS]),
  sends('clears a field with an empty value', "contacts update 5 --phone ''",
    [get('/api/contacts/5', ok(CONTACT)), patch('/api/contacts/5', { ...FIELDS, phone: '' }, UPDATED), AFTERWARDS]),
  sends('leaves nulls out and sends an empty value back as it is', 'contacts update 5 --first-name Janet',
    [get('/api/contacts/5', ok({ ...CONTACT, phone: null, job_position: '' })),
      patch('/api/contacts/5', { ...without(FIELDS, 'phone'), first_name: 'Janet', position: '' }, UPDATED), AFTERWARDS]),
  sends('sends JSON', "contacts update 5 --phone ''",
    [get('/api/contacts/5', ok(CONTACT)),
      patch('/api/contacts/5', json({ first_name: 'Jane', last_name: 'Doe', email: 'jane@acme.test', phone: '', position: 'Buyer' }),
        UPDATED), AFTERWARDS], { encoding: 'json' }),
  sends('stops after the read when the record lacks a required value', 'contacts update 5 --phone 040',
    get('/api/contacts/5', ok({ ...CONTACT, last_name: null })), { exit: 2, stderr: /--last-name/ }),
  ...([['--fields id,phone', /^id\t5\nphone\t040\n$/], ['-o csv --fields id,phone', /^id,phone\r\n5,040\r\n$/], ['-o csv', /^[^\n]*\n5,Jane,Doe,Jane Doe,[^\n]*,040,/]] as const).map(([asked, stdout]) =>
    sends(`shows what was asked for, of the record as it is now: ${asked}`, `contacts update 5 --phone 040 ${asked}`,
      [get('/api/contacts/5', ok(CONTACT)), patch('/api/contacts/5', { ...FIELDS, phone: '040' }, UPDATED),
        get('/api/contacts/5', ok({ ...CONTACT, phone: '040' }))], { stdout })),
  sends('with --replace, what was asked for is read', "contacts update 5 --first-name A --last-name B --email a@b.test --replace --fields id,phone",
    [patch('/api/contacts/5', { first_name: 'A', last_name: 'B', email: 'a@b.test' }, UPDATED), AFTERWARDS], { stdout: /^id\t5\nphone\t\+44 20 7946 0001\n$/ }),
  sends('what was asked for and can not be read: changed all the same', "contacts update 5 --first-name A --last-name B --email a@b.test --replace --fields id,phone",
    [patch('/api/contacts/5', { first_name: 'A', last_name: 'B', email: 'a@b.test' }, UPDATED), ...[1, 2].map(() => get('/api/contacts/5', failure(403, 'Forbidden.')))],
    { exit: 8, stderr: /Contact 5 was changed, but could not be read: [\s\S]*See it with: crm contacts get 5/ }),
  sends('a create shows what was asked for, too', `contacts create ${JOHN} --fields id,phone`,
    [post('/api/contacts', { first_name: 'John', last_name: 'Roe', email: 'john@roe.test', clientid: '12' }, created({ id: 31, name: 'John Roe' })),
      get('/api/contacts/31', ok({ ...CONTACT, id: 31 }))], { stdout: /^id\t31\nphone\t\+44 20 7946 0001\n$/ }),
  sends('sends no PATCH when the contact is gone', 'contacts update 5 --phone 040',
    get('/api/contacts/5', failure(404, 'Contact not found.')), { exit: 3 }),
  refused('refuses to change nothing', 'contacts update 5'),
  refused('has no --client', 'contacts update 5 --client 3', /--client/),
  refused('refuses a negative id', 'contacts update -5 --phone 040'),
]);

wireCases('contacts delete', [
  sends('deletes one with --yes', 'contacts delete 5 --yes --json', del('/api/contacts/5', ok({ id: 5 }, 'Contact deleted successfully.')),
    { json: { id: 5 } }),
  sends('sends nothing without --yes', 'contacts delete 5', [], { exit: 9, stdout: /^$/, stderr: /--yes/ }),
  sends('deletes several in order', 'contacts rm 7 5 6 -y --json',
    [7, 5, 6].flatMap((id) => [get(`/api/contacts/${id}`, ok({ ...CONTACT, id })), del(`/api/contacts/${id}`, ok({ id }))]),
    { atOnce: true, json: [{ id: 7 }, { id: 5 }, { id: 6 }] }),
  sends('goes on after one that is not found', 'contacts delete 5 6 7 --yes',
    [get('/api/contacts/5', ok({ ...CONTACT, id: 5 })), del('/api/contacts/5', ok({ id: 5 })),
      get('/api/contacts/6', failure(404, 'Contact not found.')), get('/api/contacts/7', ok({ ...CONTACT, id: 7 })),
      del('/api/contacts/7', ok({ id: 7 }))], { atOnce: true, exit: 8, stderr: /\b6\b/ }),
  sends('exits 3 when the only one is not found', 'contacts delete 6 --yes', del('/api/contacts/6', failure(404, 'Contact not found.')),
    { exit: 3 }),
  refused('checks every id before the first request', 'contacts delete 5 x --yes', /x/),
  refused('needs an id', 'contacts delete --yes'),
]);

wireCases('contacts account-owner', [
  sends('sends a PUT without a body', 'contacts account-owner 5 --json',
    put('/api/contacts/5/account-owner', {}, ok({ ...CONTACT, account_owner: 'yes' }, 'Contact set as account owner successfully.')),
    { json: { ...CONTACT, account_owner: 'yes' } }),
  sends('exits 10 on a contact without a client account', 'contacts account-owner 5',
    put('/api/contacts/5/account-owner', {}, failure(409, 'The contact has no client account.')),
    { exit: 10, stderr: /The contact has no client account\./ }),
  refused('refuses an id that is no number', 'contacts account-owner jane'),
]);

const named = (email: string, ...found: object[]) => whole('/api/contacts', list(found), 1, { search: email });

wireCases('an email in place of an id', [
  sends('get: found by one search, and compared whatever its case', 'contacts get JANE@Acme.test --json',
    [named('JANE@Acme.test', { ...CONTACT, id: 9, email: 'mary-jane@acme.test' }, CONTACT), get('/api/contacts/5', ok(CONTACT))], { json: CONTACT }),
  sends('in a list of ids', 'contacts get 8,jane@acme.test -o ids',
    [named('jane@acme.test', CONTACT), get('/api/contacts/8', ok({ ...CONTACT, id: 8 })), get('/api/contacts/5', ok(CONTACT))], { stdout: /^8\n5\n$/ }),
  sends('apart', 'contacts get 8 jane@acme.test -o ids',
    [named('jane@acme.test', CONTACT), get('/api/contacts/8', ok({ ...CONTACT, id: 8 })), get('/api/contacts/5', ok(CONTACT))], { stdout: /^8\n5\n$/ }),
  sends('from standard input', 'contacts delete - --yes', [named('jane@acme.test', CONTACT), get('/api/contacts/5', ok(CONTACT)), del('/api/contacts/5', ok({ id: 5 }))],
    { stdin: 'jane@acme.test\n' }),
  sends('update', 'contacts update jane@acme.test --phone 1 --dry-run', [named('jane@acme.test', CONTACT), get('/api/contacts/5', ok(CONTACT))],
    { stdout: /^PATCH .*\/api\/contacts\/5\n/ }),
  sends('account-owner', 'contacts account-owner jane@acme.test',
    [named('jane@acme.test', CONTACT), put('/api/contacts/5/account-owner', {}, ok({ ...CONTACT, account_owner: 'yes' }))]),
  sends('none: the search found others', 'contacts get jane@acme.tes --json', named('jane@acme.tes', CONTACT),
    { exit: 2, stdout: /^$/, stderr: /id: no contact has the email \\"jane@acme\.tes\\"\. The search found: 5 jane@acme\.test\./ }),
  sends('several', 'contacts delete jane@acme.test --yes', named('jane@acme.test', CONTACT, { ...CONTACT, id: 7 }),
    { exit: 2, stderr: /several contacts have the email "jane@acme\.test": 5 jane@acme\.test, 7 jane@acme\.test\. Give the id\./ }),
  refused('of leads is no id', 'leads get ann@lee.test', /"ann@lee\.test" is not an id/),
]);
