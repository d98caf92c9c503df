// A proposal as it is stored and as it reads back (interface: Proposal).

import type { Store } from '../store/store.ts';
import { jsonObject } from './shared.ts';

const record = jsonObject({
  id: 'p.id',
  title: 'p.title',
  status: 'p.status',
  body: 'p.body',
  client: { id: 'c.id', name: 'c.company_name' },
  lead: { id: 'l.id', name: 'l.title' },
  category: { id: 'g.id', name: 'g.name' },
  project_id: 'p.project_id',
  dates: { start: 'p.date_start', end: 'p.date_end', created: 'p.created', published: 'p.published' },
  signed: { date: 'p.signed_date', first_name: 'p.signed_first_name', last_name: 'p.signed_last_name' },
  tags: 'json(p.tags)',
});

/** A proposal's record as JSON, by its id. */
export const selectProposal = `SELECT ${record} AS json
FROM proposals p JOIN categories g ON g.id = p.category_id
  LEFT JOIN clients c ON c.id = p.client_id LEFT JOIN leads l ON l.id = p.lead_id
WHERE p.id = ?`;

/** The columns that rules read. */
export interface ProposalRow {
  readonly id: number;
  readonly title: string;
  readonly status: string;
  readonly body: string | null;
  readonly date_end: string | null;
  readonly tags: string;
}

export function proposalRow(store: Store, id: number): ProposalRow | undefined {
  return store.get<ProposalRow>('SELECT id, title, status, body, date_end, tags FROM proposals WHERE id = ?', id);
}
