// The checklists of leads, which can be read, and copied with their lead (interface: conventions, 6; Leads, clone body).

import { checklistRows, selectChecklistItem } from '../records/checklists.ts';
import type { Store } from '../store/store.ts';
import { type Listing, listReply } from './lists.ts';
import type { Reply, SandboxService } from './service.ts';
import { isBlank, Problems, type Values } from './values.ts';

const checklistListing: Listing = {
  table: 'checklist_items',
  filters: [{ flag: 'resource', wire: 'resource', type: { kind: 'reference', types: ['lead'] }, help: '' }],
  where: { resource_type: "'lead' = ?", resource_id: 'lead_id = ?' },
  sort: {},
  by: 'position',
  order: 'asc',
};

/** A lead's checklist items by position. `resource_type` and `resource_id` must be given. */
export function listChecklist({ store }: SandboxService, query: Values): Reply {
  const problems = new Problems();
  for (const name of ['resource_type', 'resource_id']) if (isBlank(query[name])) problems.addRequired(name);
  problems.throwIfAny();
  return listReply(store, checklistListing, query, selectChecklistItem, 'Checklists retrieved successfully.');
}

/** Copies a lead's checklist items to another lead that has none. */
export function copyChecklist(store: Store, from: number, to: number, time: string): void {
  for (const row of checklistRows(store, from)) {
    store.insert('checklist_items', { ...row, lead_id: to, created: time, updated: time });
  }
}
