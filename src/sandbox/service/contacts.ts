// The rules of contacts (interface: Endpoints, Contacts; Contact `account_owner`; Contact existence).

import { scalarText } from '../../base/values/json.ts';
import { type Members, valueAt } from '../../base/values/paths.ts';
import { contacts as family } from '../../model/resources/contacts.ts';
import { clients, contacts } from '../store/families.ts';
import { drop, recordsWith, save, storedRecord, wholeRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { existing, putValues, shownRecord, stamped, touched } from './families.ts';
import { created, deleted, ok, Refusal, type Reply, type SandboxService } from './service.ts';
import { checkBody, relation } from './things.ts';
import { checkedFields, FieldProblems, type WireValues } from './values.ts';

/** Adds a contact. `send_email` is accepted, and sends nothing (interface: Contacts, create body). */
export function createContact({ store, now }: SandboxService, body: WireValues): Reply {
  return store.transaction(() => {
    const problems = new FieldProblems();
    const checked = checkBody(store, family.fields, body, 'create', problems);
    checkEmailFree(store, checked.email, null, problems);
    problems.throwIfAny();
    const record = stamped(wholeRecord(contacts, {}), now());
    putValues(store, contacts, family.fields, checked, record);
    return created(idAndName(save(store, contacts, withFullName(record))), 'Contact created successfully.');
  });
}

/** Changes the required values, and phone and position when they are sent (interface: Contacts, update body). */
export function updateContact(service: SandboxService, id: number, body: WireValues): Reply {
  const { store } = service;
  return store.transaction(() => {
    const record = existing(store, contacts, id);
    const problems = new FieldProblems();
    const checked = checkedFields(family.fields, body, 'update', problems);
    checkEmailFree(store, checked.email, id, problems);
    problems.throwIfAny();
    putValues(store, contacts, family.fields, checked, record);
    const contact = save(store, contacts, withFullName(touched(service, record)));
    writeOwner(store, contact);
    return ok(idAndName(contact), 'Contact updated successfully.');
  });
}

/** Removes the contact. Another user may then have the email; no other record gets the id (interface: Contact existence). */
export function deleteContact({ store }: SandboxService, id: number): Reply {
  return store.transaction(() => {
    const record = existing(store, contacts, id);
    drop(store, contacts, id);
    writeOwner(store, record);
    return deleted(id, 'Contact deleted successfully.');
  });
}

/** Makes the contact its client's owner in place of the previous one; 409 without a client (interface: Contact `account_owner`). */
export function setAccountOwner(service: SandboxService, id: number): Reply {
  const { store } = service;
  return store.transaction(() => {
    const record = existing(store, contacts, id);
    const client = clientId(record);
    if (client === '') throw new Refusal(409, 'The contact does not belong to a client account.');
    if (record.account_owner !== 'yes') {
      const before = recordsWith(store, contacts, 'client_id', Number(client)).filter((one) => one.account_owner === 'yes');
      for (const one of before) save(store, contacts, { ...touched(service, one), account_owner: 'no' });
      writeOwner(store, save(store, contacts, { ...touched(service, record), account_owner: 'yes' }));
    }
    return ok(shownRecord(store, contacts, id), 'Contact set as account owner successfully.');
  });
}

/** Writes the account owner into the client of a contact. */
export function writeOwner(store: Store, contact: Members): void {
  const client = storedRecord(store, clients, Number(clientId(contact)));
  if (client === undefined) return;
  const owner = recordsWith(store, contacts, 'client_id', Number(client.id)).find((one) => one.account_owner === 'yes');
  save(store, clients, { ...client, owner: relation(clients.resource, 'owner', owner?.id, owner) });
}

/**
 * Adds the problem `… has already been taken.` when a user other than `self` has this email, in any case (vendor facts: uniqueness
 * of emails).
 */
export function checkEmailFree(store: Store, email: unknown, self: number | null, problems: FieldProblems): void {
  if (typeof email !== 'string') return;
  const key = email.toLowerCase();
  const sql = 'SELECT id FROM contacts WHERE email = ? UNION ALL SELECT id FROM team WHERE email = ?';
  const holders = store.all<{ id: number }>(sql, key, key);
  if (holders.some(({ id }) => id !== self)) problems.add('email', 'The email has already been taken.');
}

const clientId = (contact: Members): string => scalarText(valueAt(contact, 'client.id'));

/** The contact with its full name, made of first and last name. */
export const withFullName = (contact: Members): Members => ({ ...contact, name: `${contact.first_name} ${contact.last_name}` });

const idAndName = ({ id, name }: Members): string => JSON.stringify({ id, name });
