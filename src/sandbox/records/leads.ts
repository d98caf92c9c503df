// A lead as it is stored and as it reads back (interface: Lead; Lead comment).

import { decimalKey } from '../decimals.ts';
import type { Columns, Store } from '../store.ts';
import { type Relation, relation, searchText, storedArray } from './shared.ts';

export interface LeadRow {
  readonly id: number;
  readonly title: string;
  readonly value: string | null;
  readonly status_id: number;
  readonly status_title: string;
  readonly status_color: string;
  readonly active_state: string;
  readonly category_id: number;
  readonly category_name: string;
  readonly source: string | null;
  readonly last_contacted: string | null;
  readonly description: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly job_position: string | null;
  readonly company_name: string | null;
  readonly website: string | null;
  readonly street: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
  readonly country: string | null;
  readonly converted_client_id: number | null;
  readonly converted: string | null;
  readonly assigned: string;
  readonly tags: string;
  readonly created: string;
  readonly updated: string;
}

const select = `
SELECT l.id, l.title, l.value, l.status_id, s.title AS status_title, s.color AS status_color, l.active_state,
  l.category_id, c.name AS category_name, l.source, l.last_contacted, l.description,
  l.first_name, l.last_name, l.email, l.phone, l.job_position, l.company_name, l.website,
  l.street, l.city, l.state, l.zip, l.country, l.converted_client_id, l.converted,
  (SELECT json_group_array(json_object('id', u.id, 'name', u.first_name || ' ' || u.last_name) ORDER BY a.position)
    FROM lead_assigned a JOIN users u ON u.id = a.user_id WHERE a.lead_id = l.id) AS assigned,
  l.tags, l.created, l.updated
FROM leads l JOIN lead_statuses s ON s.id = l.status_id JOIN categories c ON c.id = l.category_id
WHERE l.id = ?`;

export function leadRow(store: Store, id: number): LeadRow | undefined {
  return store.get<LeadRow>(select, id);
}

export function leadStatus(row: LeadRow): { id: number; title: string; color: string } {
  return { id: row.status_id, title: row.status_title, color: row.status_color };
}

/** The documented record, members in the document's order. */
export function leadRecord(row: LeadRow) {
  return {
    id: row.id,
    title: row.title,
    value: row.value,
    status: leadStatus(row),
    active_state: row.active_state,
    category: relation(row.category_id, row.category_name),
    source: row.source,
    last_contacted: row.last_contacted,
    description: row.description,
    contact: {
      first_name: row.first_name,
      last_name: row.last_name,
      email: row.email,
      phone: row.phone,
      job_position: row.job_position,
      company_name: row.company_name,
      website: row.website,
    },
    address: { street: row.street, city: row.city, state: row.state, zip: row.zip, country: row.country },
    converted: { is_converted: row.converted !== null, client_id: row.converted_client_id, date: row.converted },
    assigned: storedArray<Relation>(row.assigned),
    tags: storedArray<string>(row.tags),
    dates: { created: row.created, updated: row.updated },
  };
}

/** The columns that follow from others, whenever those are written. */
export function leadKeys(lead: { title: string; company_name: string | null; email: string | null; value: string | null }): Columns {
  return { search: searchText(lead.title, lead.company_name, lead.email), value_key: decimalKey(lead.value) };
}

interface CommentRow {
  readonly id: number;
  readonly text: string;
  readonly creator_id: number;
  readonly creator_name: string;
}

const selectComments = `
SELECT c.id, c.text, c.creator_id, u.first_name || ' ' || u.last_name AS creator_name
FROM lead_comments c JOIN users u ON u.id = c.creator_id`;

/** A lead's comments, oldest first. */
export function commentRecords(store: Store, leadId: number) {
  return store.all<CommentRow>(`${selectComments} WHERE c.lead_id = ? ORDER BY c.id`, leadId).map(commentRecord);
}

/** One of a lead's comments, or undefined. */
export function commentOf(store: Store, leadId: number, id: number) {
  const row = store.get<CommentRow>(`${selectComments} WHERE c.lead_id = ? AND c.id = ?`, leadId, id);
  return row && commentRecord(row);
}

function commentRecord(row: CommentRow) {
  return { id: row.id, text: row.text, creator: relation(row.creator_id, row.creator_name) };
}
