// Which record a row means: the list is read once, and of each record only its key, its id and a hash of the values that
// the file's columns could change are kept.

import type { Api } from '../api/client.ts';
import { recordOf } from '../api/envelope.ts';
import { listPages } from '../api/paging.ts';
import type { Body } from '../body.ts';
import { NotFoundError } from '../errors.ts';
import { scalarText } from '../json.ts';
import { valueAt } from '../paths.ts';
import type { Field } from '../resources/define.ts';
import { type Id, valueText } from '../values.ts';
import { readBack } from '../verbs/body.ts';
import { CompactMap, fingerprint } from './compact-map.ts';
import { creationOrder } from './creation-order.ts';
import type { ImportPlan } from './plan.ts';
import { idOf } from './readback.ts';
import { fieldKey } from './rows.ts';

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
  const hashes = new HashList();
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
      hashes.push(valuesText(fields.flatMap((field) => safeReadBack(field, record))));
    }
  }
  return {
    find: async (key) => {
      const index = numbers.get(key);
      if (index === undefined) return none;
      if (ambiguous.has(index)) return several;
      return { kind: 'one', id: ids[index] ?? '', same: (given) => hashes.is(index, valuesText(given)) };
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

/** A value that can't be sent back is left to the row's own reading, which tells why. */
function safeReadBack(field: Field, record: unknown): ReturnType<typeof readBack> {
  try {
    return readBack(field, record);
  } catch {
    return [[field.wire, '\u0000unreadable']];
  }
}

/** Values that are not empty, in a fixed order: a blank cell leaves a field alone, and an empty one stays so. */
function valuesText(entries: Iterable<readonly [string, Parameters<typeof valueText>[0]]>): string {
  const texts = [...entries].map(([wire, value]) => [wire, valueText(value)] as const).filter(([, text]) => text !== '');
  return texts
    .map(([wire, text]) => `${wire}\u0000${text}\u0001`)
    .sort()
    .join('');
}

/** Hashes by index, eight bytes each. */
class HashList {
  #words = new Uint32Array(2048);
  #length = 0;

  push(text: string): void {
    if (this.#length + 2 > this.#words.length) {
      const old = this.#words;
      this.#words = new Uint32Array(old.length * 2);
      this.#words.set(old);
    }
    this.#words.set(fingerprint(text), this.#length);
    this.#length += 2;
  }

  is(index: number, text: string): boolean {
    const [high, low] = fingerprint(text);
    return this.#words[index * 2] === high && this.#words[index * 2 + 1] === low;
  }
}
