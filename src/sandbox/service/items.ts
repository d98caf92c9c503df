// The rules of catalog items (interface: Endpoints, Items). An unknown unit is made; a custom field is stored only when enabled.

import { parseJson, scalarText } from '../../base/values/json.ts';
import { isMembers, type Members } from '../../base/values/paths.ts';
import { items as family } from '../../model/resources/items.ts';
import { isDecimal } from '../store/decimals.ts';
import { items } from '../store/families.ts';
import { save, wholeRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { changeReply, putValues, shownRecord, stamped } from './families.ts';
import { created, type Reply, type SandboxService } from './service.ts';
import { checkBody, saveName, thingWithId } from './things.ts';
import { FieldProblems, isUnfilled, sentInteger, type WireValues } from './values.ts';

/** The most characters of a unit's name. The interface refuses an "invalid new unit name", and gives no limit. */
const longestUnitName = 100;

/** The highest number of a custom field (interface: Limits, `item_custom_field_N`). */
const mostCustomFields = 10;

export function createItem({ store, now }: SandboxService, body: WireValues): Reply {
  return store.transaction(() => {
    const record = stamped(wholeRecord(items, {}), now());
    putItem(store, body, 'create', record);
    const { id } = save(store, items, record);
    return created(shownRecord(store, items, id), 'Item created successfully.');
  });
}

/** Changes the required values, and notes and custom fields when they are sent (interface: Items, create body). */
export const updateItem = (service: SandboxService, id: number, body: WireValues): Reply =>
  changeReply(service, items, id, 'updated', (record) => putItem(service.store, body, 'update', record));

function putItem(store: Store, body: WireValues, mode: 'create' | 'update', record: Members): void {
  const problems = new FieldProblems();
  const checked = checkBody(store, family.fields, body, mode, problems);
  checkUnit(store, checked.item_unit, problems);
  for (const name of Object.keys(body)) {
    const number = /^item_custom_field_(\d+)$/.exec(name)?.[1];
    if (number !== undefined && (Number(number) < 1 || Number(number) > mostCustomFields)) problems.addInvalid(name);
  }
  problems.throwIfAny();
  putValues(store, items, family.fields, { ...checked, item_unit: unitId(store, checked.item_unit) }, record);
  record.custom_fields = customFields(store, body, record);
}

/** A number must be the id of a unit. Any other text is a name. */
function checkUnit(store: Store, unit: unknown, problems: FieldProblems): void {
  if (typeof unit !== 'string') return;
  const id = sentInteger(unit);
  if (isDecimal(unit.trim()) && (id === undefined || thingWithId(store, 'unit', id) === undefined)) problems.addInvalid('item_unit');
  if ([...unit.trim()].length <= longestUnitName) return;
  problems.add('item_unit', `The item unit must not be greater than ${longestUnitName} characters.`);
}

/** A unit that is missing is made (interface: Items, `item_unit`). */
function unitId(store: Store, unit: unknown): number {
  const id = sentInteger(unit);
  if (id !== undefined) return id;
  const name = String(unit).trim();
  const there = store.get<{ id: number }>("SELECT id FROM names WHERE kind = 'unit' AND key = ? ORDER BY id LIMIT 1", name.toLowerCase());
  if (there !== undefined) return there.id;
  const next = store.get<{ id: number }>("SELECT coalesce(max(id), 0) + 1 AS id FROM names WHERE kind = 'unit'")?.id ?? 1;
  saveName(store, 'unit', { id: next, name });
  return next;
}

/** Only enabled custom fields: other sent fields are ignored (interface: Items, create body). */
function customFields(store: Store, body: WireValues, record: Members): Members[] {
  const held = (Array.isArray(record.custom_fields) ? record.custom_fields : []).filter(isMembers);
  return store.all<{ doc: string }>("SELECT doc FROM names WHERE kind = 'item-field' ORDER BY id").map(({ doc }) => {
    const { id, name } = parseJson(doc) as Members;
    const sent = body[`item_custom_field_${id}`];
    const before = held.find((one) => one.id === id)?.value ?? null;
    if (sent === undefined) return { id, name, value: before };
    // A number becomes its digits, as in a form.
    const isNumber = typeof sent === 'number' || JSON.isRawJSON(sent);
    return { id, name, value: isUnfilled(sent) ? null : isNumber ? scalarText(sent) : sent };
  });
}
