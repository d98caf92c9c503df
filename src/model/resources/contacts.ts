// Contacts: users that belong to a client account (interface: Contact; Endpoints, Contacts).

import { type Action, choice, email, idType, phone, resource, text, toggle } from '../define.ts';

/** Makes a contact the owner of its client's account (interface: Endpoints, Contacts). */
export const accountOwner: Action = {
  verb: 'account-owner',
  path: 'account-owner',
  summary: "Make a contact its client's account owner",
  done: "is its client's account owner now",
  reads: { path: 'account_owner', value: 'yes' },
  conflict: { code: 'no_client_account', when: 'The contact has no client account.' },
};

export const contacts = resource({
  name: 'contacts',
  singular: 'contact',
  path: '/api/contacts',
  summary: 'People at client accounts',
  emailIn: 'email',
  title: 'name',
  titleFlags: ['first-name', 'last-name'],
  tellApart: ['email', 'client.company_name'],
  fields: [
    { flag: 'first-name', wire: 'first_name', read: 'first_name', type: text, required: true, help: 'First name' },
    { flag: 'last-name', wire: 'last_name', read: 'last_name', type: text, required: true, help: 'Last name' },
    { flag: 'email', wire: 'email', read: 'email', type: email, required: true, unique: true, help: 'Email, unique across all users' },
    { flag: 'client', wire: 'clientid', read: 'client.id', type: idType('client'), required: true, only: 'create', help: 'Owning client' },
    { flag: 'phone', wire: 'phone', read: 'phone', type: phone, help: 'Phone' },
    { flag: 'job-position', wire: 'position', read: 'job_position', type: text, help: 'Job position' },
    { flag: 'send-email', wire: 'send_email', type: toggle('yes', 'no'), only: 'create', help: 'Send a welcome email' },
  ],
  record: [
    'id',
    'first_name',
    'last_name',
    'name',
    'email',
    'phone',
    'job_position',
    'account_owner',
    'status',
    'client.id',
    'client.company_name',
    'role.id',
    'role.name',
    'social.facebook',
    'social.twitter',
    'social.linkedin',
    'social.github',
    'social.dribbble',
    'dates.created',
    'dates.updated',
  ],
  // A contact may have no client account: the account-owner action answers 409 for such a contact.
  nullable: ['client', 'phone', 'job_position', 'social'],
  answers: { create: ['id', 'name'], update: ['id', 'name'] },
  columns: [
    { path: 'id', align: 'right' },
    { path: 'name' },
    { path: 'email', priority: 3 },
    { path: 'phone', priority: 5 },
    { path: 'client.company_name', header: 'client', priority: 4 },
    { path: 'job_position' },
    { path: 'account_owner', header: 'owner' },
    { path: 'status' },
  ],
  view: {
    state: 'status',
    facts: ['job_position', 'at client', 'role: role', 'account owner: account_owner'],
    groups: [
      ['Contact', 'email · phone'],
      ['Created', 'dates.created · changed dates.updated'],
    ],
    unsaid: ['dates.updated=dates.created', 'first_name', 'last_name', 'account_owner=no'],
    entry: ['name, job_position · email · phone'],
  },
  // Contacts are users (interface: Contact, Note).
  attached: [{ name: 'notes', filter: 'resource', type: 'user' }],
  filters: [
    { flag: 'status', wire: 'status', type: text, help: 'Status, such as active' },
    { flag: 'client', wire: 'client_id', type: idType('client'), help: 'Owning client' },
    { flag: 'account-owner', wire: 'account_owner', type: choice('yes', 'no'), help: 'Account owners, or everyone else' },
    { flag: 'search', wire: 'search', type: text, help: 'Text in first name, last name, email or phone' },
  ],
  sort: { first_name: 'first_name', last_name: 'last_name', email: 'email', created: 'created', updated: 'updated' },
  defaultOrder: 'asc',
  actions: [accountOwner],
  examples: {
    list: ['crm contacts list --client northgate --sort last_name', 'crm contacts list --account-owner yes --csv'],
    create: [
      "crm contacts create --first-name Ada --last-name Byron --email ada@example.com --client 'Northgate Trading'",
      `crm contacts create --data '{"first-name":"Ada","last-name":"King","email":"king@example.com","client":2}'`,
    ],
    ids: ['crm clients list'],
    update: ["crm contacts update 5 --phone '+44 20 7946 0000'", "crm contacts update 5 --job-position ''"],
    'account-owner': ['crm contacts account-owner 6', 'crm contacts account-owner 6 --json'],
  },
});
