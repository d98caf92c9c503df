// Which record a row means: the list is read once, and of each record only its key, its id and checksums of the values
// that the file's columns could change are kept.

import type { Api } from '../../api/client.ts';
import { recordOf } from '../../api/envelope.ts';
import { listPages } from '../../api/paging.ts';
import { readBack } from '../../bodies/body.ts';
import { NotFoundError } from '../../errors.ts';
import type { Field } from '../../resources/define.ts';
import { creationOrder } from '../../runs/creation-order.ts';
import { fieldKey } from '../../runs/field-key.ts';
import { idOf, isName, nameOf } from '../../runs/readback.ts';
import type { Body, BodyValue } from '../../values/body.ts';
import { scalarText } from '../../values/json.ts';
import { type Id, valueText } from '../../values/parse.ts';
import { valueAt } from '../../values/paths.ts';
import { wiresOf } from '../columns/columns.ts';
import type { ImportPlan } from '../plan.ts';
import { CompactMap } from './compact-map.ts';
import { ValueHashes } from './value-hashes.ts';

/** What a row's key leads to. */
export type Match =
  | { readonly kind: 'none' }
  | { readonly kind: 'several' }
  /** `same`: the record held just these values when it was listed. False may also mean that only reading it can tell. */
  | { readonly kind: 'one'; readonly id: Id; same(given: Body): boolean; readonly record?: unknown };

export interface Matcher {
  find(key: string): Promise<Match>;
}

const none: Match = { kind: 'none' };
const several: Match = { kind: 'several' };

/**
 * Reads the whole list into a table of keys. `fields`: the ones that the file's columns give. Throws what Api.read throws.
 * `moved` is called when the list changed while it was read.
 */
export async function listMatcher(
  api: Api,
  plan: ImportPlan,
  fields: readonly Field[],
  signal: AbortSignal,
  moved: () => void,
): Promise<Matcher> {
  const numbers = new CompactMap();
  const ids: Id[] = [];
  const hashes = new ValueHashes(fields.flatMap(namesOf));
  const ambiguous = new Set<number>();
  const { resource } = plan;
  // What is added meanwhile comes last, and pushes nothing over a page's edge unseen.
  const request = { method: 'GET' as const, path: resource.path, query: creationOrder(resource, 'asc') };
  for await (const { data } of listPages(api, request, { kind: 'all' }, signal, { more: () => {}, moved })) {
    for (const record of data as unknown[]) {
      const [key, id] = [keyOf(plan, record), idOf(record)];
      if (key === undefined || id === undefined) continue;
      const before = numbers.set(key, ids.length);
      if (before !== undefined) ambiguous.add(ids.length);
      ids.push(id);
      hashes.push(fields.flatMap((field) => textsOf(field, record)));
    }
  }
  const isHeld = (index: number, wire: string, value: BodyValue): boolean =>
    hashes.is(index, wire, valueText(value)) || (isName(value) && hashes.is(index, wire + byName, valueText(value)));
  return {
    find: async (key) => {
      const index = numbers.get(key);
      if (index === undefined) return none;
      if (ambiguous.has(index)) return several;
      return { kind: 'one', id: ids[index] ?? '', same: (given) => [...given].every(([wire, value]) => isHeld(index, wire, value)) };
    },
  };
}

/** Reads each record by its id: for few rows beside many records. */
export function recordMatcher(api: Api, plan: ImportPlan): Matcher {
  return {
    find: async (key) => {
      try {
        const record = recordOf(await api.read({ method: 'GET', path: `${plan.resource.path}/${key}` }));
        return { kind: 'one', id: key, same: () => false, record };
      } catch (error) {
        if (error instanceof NotFoundError) return none;
        throw error;
      }
    },
  };
}

/** The key of a record, as `fieldKey` makes it; undefined when there is nothing to match. */
export function keyOf({ match }: ImportPlan, record: unknown): string | undefined {
  if (match === undefined) return undefined;
  if (match.kind === 'id') return String(idOf(record) ?? '') || undefined;
  const text = scalarText(valueAt(record, match.read));
  return text === '' ? undefined : fieldKey(match.field, text);
}

/** Behind the wire name of what may be given by its name, too. */
const byName = ' by name';

/** The names of a field's values. */
function namesOf(field: Field): string[] {
  const { wire, type } = field;
  if (type.kind === 'id-or-name') return [wire, wire + byName];
  if (type.kind !== 'numbered') return wiresOf({ kind: 'field', field });
  return Array.from({ length: type.max }, (_, index) => `${wire}${index + 1}`);
}

/** What a record holds of a field. A value that can't be sent back is left to the row's own reading, which tells why. */
function textsOf(field: Field, record: unknown): [name: string, text: string][] {
  try {
    const texts = readBack(field, record).map(([wire, value]): [string, string] => [wire, valueText(value)]);
    const name = nameOf(field, record);
    return name === undefined ? texts : [...texts, [field.wire + byName, name]];
  } catch {
    return namesOf(field).map((name) => [name, '\u0000unreadable']);
  }
}
