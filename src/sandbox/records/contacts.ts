// A contact as it is stored and as it reads back (interface: Contact). Contacts and team members share one table of
// users; a deleted contact keeps its row, without email and password.

import type { Columns, Store } from '../store.ts';
import { searchText } from './shared.ts';

export interface ContactRow {
  readonly id: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly phone: string | null;
  readonly position: string | null;
  readonly account_owner: string;
  readonly status: string;
  readonly client_id: number | null;
  readonly company_name: string | null;
  readonly facebook: string | null;
  readonly twitter: string | null;
  readonly linkedin: string | null;
  readonly github: string | null;
  readonly dribbble: string | null;
  readonly created: string;
  readonly updated: string;
}

const select = `
SELECT u.id, u.first_name, u.last_name, u.email, u.phone, u.position, u.account_owner, u.status, u.client_id,
  c.company_name, u.facebook, u.twitter, u.linkedin, u.github, u.dribbble, u.created, u.updated
FROM users u LEFT JOIN clients c ON c.id = u.client_id
WHERE u.id = ? AND u.type = 'client' AND u.deleted = 0`;

/** A contact that is neither deleted nor a team member, or undefined. */
export function contactRow(store: Store, id: number): ContactRow | undefined {
  return store.get<ContactRow>(select, id);
}

export const contactName = (row: Pick<ContactRow, 'first_name' | 'last_name'>): string => `${row.first_name} ${row.last_name}`;

/** The documented record, members in the document's order. */
export function contactRecord(row: ContactRow) {
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    name: contactName(row),
    email: row.email,
    phone: row.phone,
    job_position: row.position,
    account_owner: row.account_owner,
    status: row.status,
    client: { id: row.client_id, company_name: row.company_name },
    role: { id: 2, name: 'Client' },
    social: { facebook: row.facebook, twitter: row.twitter, linkedin: row.linkedin, github: row.github, dribbble: row.dribbble },
    dates: { created: row.created, updated: row.updated },
  };
}

/** The columns that follow from others, whenever those are written. Emails are one whatever their case. */
export function userKeys(user: { first_name: string; last_name: string; email: string; phone: string | null }): Columns {
  return { search: searchText(user.first_name, user.last_name, user.email, user.phone), email_key: user.email.toLowerCase() };
}
