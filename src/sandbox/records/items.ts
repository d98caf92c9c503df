// An item as it is stored and as it reads back (interface: Item).

import type { Store } from '../store.ts';
import { relation, storedArray } from './shared.ts';

export interface ItemRow {
  readonly id: number;
  readonly type: string;
  readonly description: string;
  readonly notes: string | null;
  readonly rate: string;
  readonly tax_status: string;
  readonly tax_rate_id: number;
  readonly tax_rate_name: string;
  readonly unit_id: number;
  readonly unit_name: string;
  readonly category_id: number;
  readonly category_name: string;
  readonly creator_id: number;
  readonly estimation_notes: string | null;
  /** JSON: field number to value. */
  readonly custom_fields: string;
  /** JSON: `[{ id, name, value }]` of the enabled fields. */
  readonly enabled_fields: string;
  readonly created: string;
  readonly updated: string;
}

const select = `
SELECT i.id, i.type, i.description, i.notes, i.rate, i.tax_status, i.tax_rate_id, t.name AS tax_rate_name,
  i.unit_id, u.name AS unit_name, i.category_id, c.name AS category_name, i.creator_id, i.estimation_notes, i.custom_fields,
  (SELECT json_group_array(json_object('id', f.id, 'name', f.name, 'value', json(i.custom_fields -> ('$."' || f.id || '"'))) ORDER BY f.id)
    FROM item_fields f WHERE f.enabled = 1) AS enabled_fields,
  i.created, i.updated
FROM items i JOIN tax_rates t ON t.id = i.tax_rate_id JOIN units u ON u.id = i.unit_id JOIN categories c ON c.id = i.category_id
WHERE i.id = ?`;

export function itemRow(store: Store, id: number): ItemRow | undefined {
  return store.get<ItemRow>(select, id);
}

/** The documented record, members in the document's order. */
export function itemRecord(row: ItemRow) {
  return {
    id: row.id,
    type: row.type,
    description: row.description,
    notes: row.notes,
    rate: row.rate,
    tax_status: row.tax_status,
    default_tax: relation(row.tax_rate_id, row.tax_rate_name),
    unit: relation(row.unit_id, row.unit_name),
    category: relation(row.category_id, row.category_name),
    creator_id: row.creator_id,
    estimation_notes: row.estimation_notes,
    custom_fields: storedArray<{ id: number; name: string; value: unknown }>(row.enabled_fields),
    dates: { created: row.created, updated: row.updated },
  };
}
