// Finds the record of a row. The list is read once; each record leaves its key, its id and the values that the file's columns may change.

import { NotFoundError } from '../../base/errors.ts';
import type { Body, BodyValue } from '../../base/values/body.ts';
import { parseJson, scalarText } from '../../base/values/json.ts';
import { type Id, valueText } from '../../base/values/parse.ts';
import { valueAt } from '../../base/values/paths.ts';
import type { Api } from '../../client/client.ts';
import { listPages } from '../../client/paging.ts';
import { readRecord } from '../../client/read-record.ts';
import { heldName, isNameSent, isSameValue } from '../../model/bodies/held.ts';
import { readBack } from '../../model/bodies/read-back.ts';
import type { Field } from '../../model/define.ts';
import { creationOrder, idOf } from '../../model/identity.ts';
import { fieldKey } from '../../runs/field-key.ts';
import { wiresFilled } from '../columns/columns.ts';
import type { HeldAt, ImportPlan } from '../plan.ts';

/** The record that a key finds. */
export type Match =
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly ids: readonly string[] }
  /**
   * `same`: true when the listed record held the given values; after false, the record has to be read. `heldAt`: the listed value at a
   * compared path; absent where `record` is given.
   */
  | {
      readonly kind: 'one';
      readonly id: Id;
      readonly title?: string;
      same(given: Body): boolean;
      readonly heldAt?: HeldAt;
      readonly record?: unknown;
    };

export interface Matcher {
  /** `api`: the one that then writes the record. */
  find(key: string, api: Api): Promise<Match>;
}

const none: Match = { kind: 'none' };

/**
 * A matcher that reads the whole list. `fields`: fields of the file's columns; `paths`: paths that cells are compared with; `moved`: called
 * when the list changed during the reading. Throws like Api.read.
 */
export async function listMatcher(
  api: Api,
  plan: ImportPlan,
  fields: readonly Field[],
  paths: readonly string[],
  signal: AbortSignal,
  moved: () => void,
): Promise<Matcher> {
  const { resource } = plan;
  const { title } = resource;
  const records = new Map<string, { readonly ids: string[]; readonly values: string }>();
  // In order of creation, so that new records come last and shift no page.
  const request = { method: 'GET' as const, path: resource.path, query: creationOrder(resource, 'asc') };
  for await (const { data } of listPages(api, request, { kind: 'all', complete: true }, signal, { moved })) {
    for (const record of data as unknown[]) {
      const [key, id] = [keyOfRecord(plan, record), idOf(record)];
      if (key === undefined || id === undefined) continue;
      const called: [string, string][] = title === undefined ? [] : [[titleName, scalarText(valueAt(record, title))]];
      const texts = [...fields.flatMap((field) => searchTexts(field, record)), ...paths.flatMap((path) => toldText(path, record))];
      const before = records.get(key);
      if (before !== undefined) before.ids.push(scalarText(id));
      // One JSON text takes a fraction of the memory of an object.
      else records.set(key, { ids: [scalarText(id)], values: JSON.stringify(Object.fromEntries([...called, ...texts])) });
    }
  }
  return {
    find: async (key) => {
      const found = records.get(key);
      const [id, ...others] = found?.ids ?? [];
      if (found === undefined || id === undefined) return none;
      if (others.length > 0) return { kind: 'several', ids: found.ids };
      const values = JSON.parse(found.values) as Record<string, string>;
      return {
        kind: 'one',
        id,
        title: values[titleName] ?? '',
        same: (given) => [...given].every(([wire, value]) => listShows(values, fields, wire, value)),
        heldAt: (path) => {
          const text = values[at + path];
          return text === undefined ? undefined : parseJson(text);
        },
      };
    },
  };
}

/** The prefix of a compared path. */
const at = 'at ';

/** A record's value at a path, as JSON; empty where the record doesn't tell. */
function toldText(path: string, record: unknown): [name: string, text: string][] {
  const value = valueAt(record, path);
  return value === undefined ? [] : [[at + path, JSON.stringify(value)]];
}

function listShows(values: Readonly<Record<string, string>>, fields: readonly Field[], wire: string, value: BodyValue): boolean {
  const isField = fields.some((field) => wire.startsWith(field.wire));
  return (
    isField && (isSameValue(fields, wire, values[wire] ?? '', valueText(value)) || (isNameSent(value) && values[wire + byName] === value))
  );
}

/** A matcher that reads each record by its id, for few rows and many records. */
export function recordMatcher(plan: ImportPlan): Matcher {
  return {
    find: async (key, api) => {
      try {
        const path = `${plan.resource.path}/${key}`;
        const record = await readRecord(api, path);
        return { kind: 'one', id: key, same: () => false, record };
      } catch (error) {
        if (error instanceof NotFoundError) return none;
        throw error;
      }
    },
  };
}

/** The key of a record, by `fieldKey`; undefined for a record without a key. */
function keyOfRecord({ match }: ImportPlan, record: unknown): string | undefined {
  if (match === undefined) return undefined;
  if (match.kind === 'id') return String(idOf(record) ?? '') || undefined;
  const text = scalarText(valueAt(record, match.read));
  return text === '' ? undefined : fieldKey(match.field, text);
}

/** The name of the record's title among its values: no wire name begins with a blank. */
const titleName = ' title';

/** The suffix after a wire name, for the name beside an id. */
const byName = ' by name';

/** A record's values of a field. A value that can't be sent back never matches, so the row reads the record and reports the error. */
function searchTexts(field: Field, record: unknown): [name: string, text: string][] {
  try {
    const texts = readBack(field, record).map(([wire, value]): [string, string] => [wire, valueText(value)]);
    const name = heldName(field, record);
    return name === undefined ? texts : [...texts, [field.wire + byName, name]];
  } catch {
    return wiresFilled({ kind: 'field', field }).map((name) => [name, '\u0000unreadable']);
  }
}
