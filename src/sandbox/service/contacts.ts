// The rules of contacts (interface: Endpoints, Contacts; Contact `account_owner`; Contact existence).

import { contacts } from '../../resources/contacts.ts';
import { type ContactRow, contactRow, selectContact, userKeys } from '../records/contacts.ts';
import type { Store } from '../store/store.ts';
import { checkEmailFree, checkExists } from './existing.ts';
import { type Listing, listReply } from './lists.ts';
import { created, deleted, found, ok, Refusal, type Reply, type SandboxService } from './service.ts';
import { type CheckedValues, checkFields, columnsOf, Problems, type Values } from './values.ts';

export const contactListing: Listing = {
  table: 'users',
  ids: 'contacts_id',
  always: "type = 'client' AND deleted = 0",
  filters: contacts.filters,
  where: { status: 'status = ?', client_id: 'client_id = ?', account_owner: 'account_owner = ?' },
  sort: { first_name: 'first_name', last_name: 'last_name', email: 'email', created: 'created', updated: 'updated' },
  order: 'asc',
};

const columns = {
  first_name: 'first_name',
  last_name: 'last_name',
  email: 'email',
  clientid: 'client_id',
  phone: 'phone',
  position: 'position',
};

export function listContacts({ store }: SandboxService, query: Values): Reply {
  return listReply(store, contactListing, query, selectContact, 'Contacts retrieved successfully.');
}

export function getContact({ store }: SandboxService, id: number): Reply {
  return ok(recordOf(store, id), 'Contact retrieved successfully.');
}

/** Adds a contact with a password of its own; `send_email` is accepted and sends nothing (interface: Contacts, create body). */
export function createContact({ store, now }: SandboxService, body: Values): Reply {
  return store.transaction(() => {
    const problems = new Problems();
    const checked = checkFields(contacts.fields, body, 'create', problems);
    checkExists(store, 'client', checked.clientid, 'clientid', problems);
    checkEmailFree(store, checked.email, 'email', null, problems);
    problems.throwIfAny();
    const id = insertContact(store, columnsOf(checked, columns, 'keep'), now());
    return created(idAndName(store, id), 'Contact created successfully.');
  });
}

/** Changes the required values, and phone and position when they are sent (interface: Contacts, update body). */
export function updateContact({ store, now }: SandboxService, id: number, body: Values): Reply {
  return store.transaction(() => {
    const contact = existingContact(store, id);
    const problems = new Problems();
    const checked = checkFields(contacts.fields, body, 'update', problems);
    checkEmailFree(store, checked.email, 'email', id, problems);
    problems.throwIfAny();
    const changes = columnsOf(checked, columns, 'keep');
    store.update('users', id, { ...changes, ...userKeys({ ...contact, ...changes }), updated: now() });
    return ok(idAndName(store, id), 'Contact updated successfully.');
  });
}

/** Marks the account deleted and clears its email and password (interface: Contact existence). */
export function deleteContact({ store, now }: SandboxService, id: number): Reply {
  return store.transaction(() => {
    existingContact(store, id);
    store.update('users', id, { deleted: 1, email: null, email_key: null, password: null, updated: now() });
    return deleted(id, 'Contact deleted successfully.');
  });
}

/** Makes the contact its client's owner in place of the previous one; 409 without a client (interface: Contact `account_owner`). */
export function setAccountOwner({ store, now }: SandboxService, id: number): Reply {
  return store.transaction(() => {
    const contact = existingContact(store, id);
    if (contact.client_id === null) throw new Refusal(409, 'The contact does not belong to a client account.');
    if (contact.account_owner !== 'yes') handOver(store, contact.client_id, id, now());
    return ok(recordOf(store, id), 'Contact set as account owner successfully.');
  });
}

/** Adds a user of type client; the columns hold first and last name, email, client_id. Gives the new id. */
export function insertContact(store: Store, row: CheckedValues, time: string): number {
  const contact = row as CheckedValues & Pick<ContactRow, 'first_name' | 'last_name' | 'email' | 'phone'>;
  return store.insert('users', {
    ...row,
    ...userKeys({ ...contact, phone: contact.phone ?? null }),
    type: 'client',
    password: newPassword(store),
    created: time,
    updated: time,
  });
}

/** A random password that nobody learns, since nobody can sign in here. From SQLite: loading node:crypto takes too long. */
function newPassword(store: Store): string | null {
  return store.get<{ password: string }>('SELECT hex(randomblob(12)) AS password')?.password ?? null;
}

function handOver(store: Store, clientId: number, id: number, time: string): void {
  store.run(
    "UPDATE users SET account_owner = 'no', updated = ? WHERE client_id = ? AND account_owner = 'yes' AND deleted = 0",
    time,
    clientId,
  );
  store.update('users', id, { account_owner: 'yes', updated: time });
}

function idAndName(store: Store, id: number): string {
  const { first_name, last_name } = existingContact(store, id);
  return JSON.stringify({ id, name: `${first_name} ${last_name}` });
}

const existingContact = (store: Store, id: number): ContactRow => found(contactRow(store, id), 'Contact');

const recordOf = (store: Store, id: number): string => found(store.json(selectContact, id), 'Contact');
