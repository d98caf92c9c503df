// A contact as it is stored and as it reads back (interface: Contact). Contacts and team members share one table of
// users; a deleted contact keeps its row, without email and password.

import type { SqlValues, Store } from '../store/store.ts';
import { jsonObject, searchText, userName } from './shared.ts';

const record = jsonObject({
  id: 'u.id',
  first_name: 'u.first_name',
  last_name: 'u.last_name',
  name: userName('u'),
  email: 'u.email',
  phone: 'u.phone',
  job_position: 'u.position',
  account_owner: 'u.account_owner',
  status: 'u.status',
  client: { id: 'c.id', company_name: 'c.company_name' },
  role: { id: '2', name: "'Client'" },
  social: { facebook: 'u.facebook', twitter: 'u.twitter', linkedin: 'u.linkedin', github: 'u.github', dribbble: 'u.dribbble' },
  dates: { created: 'u.created', updated: 'u.updated' },
});

/** The record, as JSON, of a contact that is neither deleted nor a team member, by its id. */
export const selectContact = `SELECT ${record} AS json
FROM users u LEFT JOIN clients c ON c.id = u.client_id WHERE u.id = ? AND u.type = 'client' AND u.deleted = 0`;

/** The columns that rules read. */
export interface ContactRow {
  readonly id: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly phone: string | null;
  readonly account_owner: string;
  readonly client_id: number | null;
}

const selectRow = `SELECT id, first_name, last_name, email, phone, account_owner, client_id
FROM users WHERE id = ? AND type = 'client' AND deleted = 0`;

export function contactRow(store: Store, id: number): ContactRow | undefined {
  return store.get<ContactRow>(selectRow, id);
}

/** The columns computed from others whenever those are written. Emails that differ only in case are the same. */
export function userKeys(user: { first_name: string; last_name: string; email: string; phone: string | null }): SqlValues {
  return { search: searchText(user.first_name, user.last_name, user.email, user.phone), email_key: user.email.toLowerCase() };
}
