// The rules of catalog items (interface: Endpoints, Items). Units are made on the fly, custom fields only when enabled.

import { items } from '../../resources/items.ts';
import { scalarText } from '../../values/json.ts';
import { type ItemRow, itemRow, selectItem } from '../records/items.ts';
import { searchText } from '../records/shared.ts';
import { decimalKey, isDecimal } from '../store/decimals.ts';
import type { SqlValues, Store } from '../store/store.ts';
import { checkExists, exists } from './existing.ts';
import { type Listing, listReply } from './lists.ts';
import { actingUser, created, deleted, found, ok, type Reply, type SandboxService } from './service.ts';
import { type CheckedValues, checkFields, columnsOf, isBlank, Problems, type Values, wholeNumber } from './values.ts';

export const itemListing: Listing = {
  table: 'items',
  ids: 'items_id',
  filters: items.filters,
  where: {
    category_id: 'category_id = ?',
    unit_id: 'unit_id = ?',
    tax_rate_id: 'tax_rate_id = ?',
    rate_min: 'rate_key >= ?',
    rate_max: 'rate_key <= ?',
  },
  sort: { item_description: 'description', item_rate: 'rate_key', item_created: 'created' },
  order: 'desc',
};

const columns = {
  item_description: 'description',
  item_rate: 'rate',
  item_categoryid: 'category_id',
  item_default_tax: 'tax_rate_id',
  item_notes: 'notes',
  item_notes_estimatation: 'estimation_notes',
};

/** The interface refuses an "invalid new unit name" without saying which: here a name has at most this many characters. */
const longestUnitName = 100;

/** The highest number of a custom field (interface: Limits). */
const mostCustomFields = 10;

export function listItems({ store }: SandboxService, query: Values): Reply {
  return listReply(store, itemListing, query, selectItem, 'Items retrieved successfully.');
}

export function getItem({ store }: SandboxService, id: number): Reply {
  return ok(recordOf(store, id), 'Item retrieved successfully.');
}

export function createItem({ store, now }: SandboxService, body: Values): Reply {
  return store.transaction(() => {
    const checked = checkedItem(store, body, 'create');
    const row = { ...columnsOf(checked, columns, 'replace'), unit_id: unitId(store, checked.item_unit) };
    const id = insertItem(store, { ...row, custom_fields: JSON.stringify(customFields(store, body)) }, now());
    return created(recordOf(store, id), 'Item created successfully.');
  });
}

/** Changes the required values; notes and custom fields only when they are sent (interface: Items, create body). */
export function updateItem({ store, now }: SandboxService, id: number, body: Values): Reply {
  return store.transaction(() => {
    const item = existingItem(store, id);
    const checked = checkedItem(store, body, 'update');
    const changes = { ...columnsOf(checked, columns, 'keep'), unit_id: unitId(store, checked.item_unit) };
    const custom = JSON.stringify({ ...JSON.parse(item.custom_fields), ...customFields(store, body) });
    store.update('items', id, { ...changes, ...keysOf({ ...item, ...changes }), custom_fields: custom, updated: now() });
    return ok(recordOf(store, id), 'Item updated successfully.');
  });
}

export function deleteItem({ store }: SandboxService, id: number): Reply {
  return store.transaction(() => {
    existingItem(store, id);
    store.remove('items', id);
    return deleted(id, 'Item deleted successfully.');
  });
}

/** Adds an item with all its relations given. Gives the new id. */
export function insertItem(store: Store, row: SqlValues, time: string): number {
  return store.insert('items', { creator_id: actingUser, created: time, updated: time, ...row, ...keysOf(row) });
}

function checkedItem(store: Store, body: Values, mode: 'create' | 'update'): CheckedValues {
  const problems = new Problems();
  const checked = checkFields(items.fields, body, mode, problems);
  checkExists(store, 'item category', checked.item_categoryid, 'item_categoryid', problems);
  checkExists(store, 'tax rate', checked.item_default_tax, 'item_default_tax', problems);
  checkUnit(store, checked.item_unit, problems);
  checkCustomFields(body, problems);
  problems.throwIfAny();
  return checked;
}

/** A number must be the id of a unit; anything else is a name, and only its length can be wrong. */
function checkUnit(store: Store, unit: unknown, problems: Problems): void {
  if (typeof unit !== 'string') return;
  const id = wholeNumber(unit);
  if (isDecimal(unit.trim()) && (id === undefined || !exists(store, 'unit', id))) problems.addInvalid('item_unit');
  if ([...unit.trim()].length <= longestUnitName) return;
  problems.add('item_unit', `The item unit must not be greater than ${longestUnitName} characters.`);
}

/** Custom fields are numbered from 1 (interface: Limits, `item_custom_field_N`). */
function checkCustomFields(body: Values, problems: Problems): void {
  for (const name of Object.keys(body)) {
    const number = /^item_custom_field_(\d+)$/.exec(name)?.[1];
    if (number !== undefined && (Number(number) < 1 || Number(number) > mostCustomFields)) problems.addInvalid(name);
  }
}

/** The unit with this id or, whatever its case, this name; made when there is none (interface: Items, `item_unit`). */
function unitId(store: Store, unit: unknown): number {
  const id = wholeNumber(unit);
  if (id !== undefined) return id;
  const name = String(unit).trim();
  const unitRow = store.get<{ id: number }>('SELECT id FROM units WHERE name_key = ?', name.toLowerCase());
  return unitRow?.id ?? store.insert('units', { name, name_key: name.toLowerCase() });
}

/** The values sent for enabled custom fields, by number; those of the others are ignored (interface: Items, create body). */
function customFields(store: Store, body: Values): Record<string, unknown> {
  const enabled = store.all<{ id: number }>('SELECT id FROM item_fields WHERE enabled = 1 ORDER BY id');
  const sent = enabled.map(({ id }) => [id, body[`item_custom_field_${id}`]] as const).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent.map(([id, value]) => [id, customValue(value)]));
}

/** "Mixed" values are kept; a number as its digits, as a form would send it. */
function customValue(value: unknown): unknown {
  if (isBlank(value)) return null;
  return typeof value === 'number' || JSON.isRawJSON(value) ? scalarText(value) : value;
}

function keysOf(row: SqlValues | ItemRow): SqlValues {
  const { description, notes, rate } = row as ItemRow;
  return { search: searchText(description, notes ?? null), rate_key: decimalKey(rate) };
}

const existingItem = (store: Store, id: number): ItemRow => found(itemRow(store, id), 'Item');

const recordOf = (store: Store, id: number): string => found(store.json(selectItem, id), 'Item');
