// A lead's checklist item as it is stored and as it reads back (vendor's checklists: see service/checklists.ts).

import type { SqlValues, Store } from '../store/store.ts';
import { jsonObject } from './shared.ts';

/** Comments on checklist items can't be made here, so there are none to count. */
const record = jsonObject({
  id: 'i.id',
  text: 'i.text',
  status: 'i.status',
  position: 'i.position',
  resource: { type: "'lead'", id: 'i.lead_id' },
  comments_count: '0',
  dates: { created: 'i.created', updated: 'i.updated' },
});

/** A checklist item's record as JSON, by its id. */
export const selectChecklistItem = `SELECT ${record} AS json FROM checklist_items i WHERE i.id = ?`;

/** What a clone copies of a lead's checklist items, in their order. */
export function checklistRows(store: Store, leadId: number): SqlValues[] {
  return store.all<SqlValues>('SELECT position, status, text FROM checklist_items WHERE lead_id = ? ORDER BY position, id', leadId);
}
