// A proposal as it is stored and as it reads back (interface: Proposal).

import type { Store } from '../store.ts';
import { relation, storedArray } from './shared.ts';

export interface ProposalRow {
  readonly id: number;
  readonly title: string;
  readonly status: string;
  readonly body: string | null;
  readonly client_id: number | null;
  readonly client_name: string | null;
  readonly lead_id: number | null;
  readonly lead_name: string | null;
  readonly category_id: number;
  readonly category_name: string;
  readonly project_id: number | null;
  readonly date_start: string;
  readonly date_end: string | null;
  readonly created: string;
  readonly published: string | null;
  readonly signed_date: string | null;
  readonly signed_first_name: string | null;
  readonly signed_last_name: string | null;
  readonly tags: string;
}

const select = `
SELECT p.id, p.title, p.status, p.body, p.client_id, c.company_name AS client_name, p.lead_id, l.title AS lead_name,
  p.category_id, g.name AS category_name, p.project_id, p.date_start, p.date_end, p.created, p.published,
  p.signed_date, p.signed_first_name, p.signed_last_name, p.tags
FROM proposals p JOIN categories g ON g.id = p.category_id
  LEFT JOIN clients c ON c.id = p.client_id LEFT JOIN leads l ON l.id = p.lead_id
WHERE p.id = ?`;

export function proposalRow(store: Store, id: number): ProposalRow | undefined {
  return store.get<ProposalRow>(select, id);
}

/** The documented record, members in the document's order. */
export function proposalRecord(row: ProposalRow) {
  return {
    id: row.id,
    title: row.title,
    status: row.status,
    body: row.body,
    client: relation(row.client_id, row.client_name),
    lead: relation(row.lead_id, row.lead_name),
    category: relation(row.category_id, row.category_name),
    project_id: row.project_id,
    dates: { start: row.date_start, end: row.date_end, created: row.created, published: row.published },
    signed: { date: row.signed_date, first_name: row.signed_first_name, last_name: row.signed_last_name },
    tags: storedArray<string>(row.tags),
  };
}
