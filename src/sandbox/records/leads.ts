// A lead as it is stored and as it reads back (interface: Lead; Lead comment).

import { decimalKey } from '../store/decimals.ts';
import type { SqlValues, Store } from '../store/store.ts';
import { jsonObject, searchText, userName } from './shared.ts';

const assigned = `(SELECT json_group_array(${jsonObject({ id: 'u.id', name: userName('u') })} ORDER BY a.position)
  FROM lead_assigned a JOIN users u ON u.id = a.user_id WHERE a.lead_id = l.id)`;

const record = jsonObject({
  id: 'l.id',
  title: 'l.title',
  value: 'l.value',
  status: { id: 's.id', title: 's.title', color: 's.color' },
  active_state: 'l.active_state',
  category: { id: 'c.id', name: 'c.name' },
  source: 'l.source',
  last_contacted: 'l.last_contacted',
  description: 'l.description',
  contact: {
    first_name: 'l.first_name',
    last_name: 'l.last_name',
    email: 'l.email',
    phone: 'l.phone',
    job_position: 'l.job_position',
    company_name: 'l.company_name',
    website: 'l.website',
  },
  address: { street: 'l.street', city: 'l.city', state: 'l.state', zip: 'l.zip', country: 'l.country' },
  converted: {
    is_converted: "json(iif(l.converted IS NULL, 'false', 'true'))",
    client_id: 'l.converted_client_id',
    date: 'l.converted',
  },
  assigned: `json(${assigned})`,
  tags: 'json(l.tags)',
  dates: { created: 'l.created', updated: 'l.updated' },
});

/** A lead's record as JSON, by its id. */
export const selectLead = `SELECT ${record} AS json
FROM leads l JOIN lead_statuses s ON s.id = l.status_id JOIN categories c ON c.id = l.category_id WHERE l.id = ?`;

/** The columns that rules read, and a clone copies. */
export interface LeadRow {
  readonly id: number;
  readonly title: string;
  readonly status_id: number;
  readonly category_id: number;
  readonly value: string | null;
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
  readonly converted: string | null;
  readonly tags: string;
  /** JSON: field name to value. */
  readonly custom_fields: string;
}

export function leadRow(store: Store, id: number): LeadRow | undefined {
  return store.get<LeadRow>('SELECT * FROM leads WHERE id = ?', id);
}

interface LeadStatus {
  readonly id: number;
  readonly title: string;
  readonly color: string;
}

export function leadStatus(store: Store, id: number): LeadStatus | undefined {
  return store.get<LeadStatus>('SELECT id, title, color FROM lead_statuses WHERE id = ?', id);
}

/** The columns computed from others whenever those are written. */
export function leadKeys(lead: { title: string; company_name: string | null; email: string | null; value: string | null }): SqlValues {
  return { search: searchText(lead.title, lead.company_name, lead.email), value_key: decimalKey(lead.value) };
}

const comment = jsonObject({ id: 'c.id', text: 'c.text', creator: { id: 'u.id', name: userName('u') } });
const selectComment = `SELECT ${comment} AS json FROM lead_comments c JOIN users u ON u.id = c.creator_id`;

/** A lead's comments as JSON, oldest first. */
export function commentRecords(store: Store, leadId: number): string[] {
  return store.all<{ json: string }>(`${selectComment} WHERE c.lead_id = ? ORDER BY c.id`, leadId).map(({ json }) => json);
}

/** One of a lead's comments as JSON, or undefined. */
export function commentRecord(store: Store, leadId: number, id: number): string | undefined {
  return store.get<{ json: string }>(`${selectComment} WHERE c.lead_id = ? AND c.id = ?`, leadId, id)?.json;
}
