// An item as it is stored and as it reads back (interface: Item).

import type { Store } from '../store/store.ts';
import { jsonObject } from './shared.ts';

const customField = jsonObject({ id: 'f.id', name: 'f.name', value: `json(i.custom_fields -> ('$."' || f.id || '"'))` });

const record = jsonObject({
  id: 'i.id',
  type: 'i.type',
  description: 'i.description',
  notes: 'i.notes',
  rate: 'i.rate',
  tax_status: 'i.tax_status',
  default_tax: { id: 't.id', name: 't.name' },
  unit: { id: 'u.id', name: 'u.name' },
  category: { id: 'c.id', name: 'c.name' },
  creator_id: 'i.creator_id',
  estimation_notes: 'i.estimation_notes',
  custom_fields: `json((SELECT json_group_array(${customField} ORDER BY f.id) FROM item_fields f WHERE f.enabled = 1))`,
  dates: { created: 'i.created', updated: 'i.updated' },
});

/** An item's record as JSON, by its id. */
export const selectItem = `SELECT ${record} AS json
FROM items i JOIN tax_rates t ON t.id = i.tax_rate_id JOIN units u ON u.id = i.unit_id JOIN categories c ON c.id = i.category_id
WHERE i.id = ?`;

/** The columns that rules read. */
export interface ItemRow {
  readonly description: string;
  readonly notes: string | null;
  readonly rate: string;
  /** JSON: field number to value. */
  readonly custom_fields: string;
}

export function itemRow(store: Store, id: number): ItemRow | undefined {
  return store.get<ItemRow>('SELECT description, notes, rate, custom_fields FROM items WHERE id = ?', id);
}
