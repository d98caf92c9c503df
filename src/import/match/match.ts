// Which record a row means: the list is read once, and of each record its key, its id and the values that the file's
// columns could change are kept.

import type { Api } from '../../api/client.ts';
import { listPages } from '../../api/paging.ts';
import { readRecord } from '../../api/read-record.ts';
import { isName, isSameValue, nameOf } from '../../bodies/held.ts';
import { readBack } from '../../bodies/read-back.ts';
import { NotFoundError } from '../../errors.ts';
import type { Field } from '../../resources/define.ts';
import { creationOrder, idOf } from '../../runs/doubts/newest.ts';
import { fieldKey } from '../../runs/field-key.ts';
import type { Body, BodyValue } from '../../values/body.ts';
import { parseJson, scalarText } from '../../values/json.ts';
import { type Id, valueText } from '../../values/parse.ts';
import { valueAt } from '../../values/paths.ts';
import { wiresOf } from '../columns/columns.ts';
import type { HeldAt, ImportPlan } from '../plan.ts';

/** What a row's key leads to. */
export type Match =
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly ids: readonly string[] }
  /**
   * `same`: the record held just these values when it was listed. False may also mean that only reading it can tell. `heldAt`: what the list
   * held at a path that cells are compared with; absent beside the record itself.
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
  /** `api`: that of the turn in which the record is then written. */
  find(key: string, api: Api): Promise<Match>;
}

const none: Match = { kind: 'none' };

/**
 * Reads the whole list. `fields`: the ones that the file's columns give; `paths`: those that its cells are compared with. Throws what Api.read throws. `moved` is called
 * when the list changed while it was read.
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
  // What is added meanwhile comes last, and pushes nothing over a page's edge unseen.
  const request = { method: 'GET' as const, path: resource.path, query: creationOrder(resource, 'asc') };
  for await (const { data } of listPages(api, request, { kind: 'all', complete: true }, signal, { moved })) {
    for (const record of data as unknown[]) {
      const [key, id] = [keyOf(plan, record), idOf(record)];
      if (key === undefined || id === undefined) continue;
      const called: [string, string][] = title === undefined ? [] : [[titleName, scalarText(valueAt(record, title))]];
      const texts = [...fields.flatMap((field) => textsOf(field, record)), ...paths.flatMap((path) => toldText(path, record))];
      const before = records.get(key);
      if (before !== undefined) before.ids.push(scalarText(id));
      // One text takes a fraction of the memory that its members take.
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
        same: (given) => [...given].every(([wire, value]) => isHeld(values, fields, wire, value)),
        heldAt: (path) => {
          const text = values[at + path];
          return text === undefined ? undefined : parseJson(text);
        },
      };
    },
  };
}

/** Before a path that cells are compared with. */
const at = 'at ';

/** What a record holds at a path, as JSON; nothing where it doesn't tell. */
function toldText(path: string, record: unknown): [name: string, text: string][] {
  const value = valueAt(record, path);
  return value === undefined ? [] : [[at + path, JSON.stringify(value)]];
}

function isHeld(values: Readonly<Record<string, string>>, fields: readonly Field[], wire: string, value: BodyValue): boolean {
  const isField = fields.some((field) => wire.startsWith(field.wire));
  return isField && (isSameValue(fields, wire, values[wire] ?? '', valueText(value)) || (isName(value) && values[wire + byName] === value));
}

/** Reads each record by its id: for few rows beside many records. */
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

/** The key of a record, as `fieldKey` makes it; undefined when there is nothing to match. */
function keyOf({ match }: ImportPlan, record: unknown): string | undefined {
  if (match === undefined) return undefined;
  if (match.kind === 'id') return String(idOf(record) ?? '') || undefined;
  const text = scalarText(valueAt(record, match.read));
  return text === '' ? undefined : fieldKey(match.field, text);
}

/** Under this name, which is no wire name, is what a record is called. */
const titleName = ' title';

/** Behind the wire name of what may be given by its name, too. */
const byName = ' by name';

/** What a record holds of a field. A value that can't be sent back is left to the row's own reading, which tells why. */
function textsOf(field: Field, record: unknown): [name: string, text: string][] {
  try {
    const texts = readBack(field, record).map(([wire, value]): [string, string] => [wire, valueText(value)]);
    const name = nameOf(field, record);
    return name === undefined ? texts : [...texts, [field.wire + byName, name]];
  } catch {
    return wiresOf({ kind: 'field', field }).map((name) => [name, '\u0000unreadable']);
  }
}
