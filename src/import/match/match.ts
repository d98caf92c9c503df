// Finds the record of a row. The list is read once. The matcher keeps the key, the id and the members of the file's columns of each record.

import { NotFoundError } from '../../base/errors.ts';
import { parseJson, scalarText } from '../../base/values/json.ts';
import type { Id } from '../../base/values/parse.ts';
import { type Members, valueAt } from '../../base/values/paths.ts';
import type { Api } from '../../client/client.ts';
import { listPages } from '../../client/paging.ts';
import { readRecord } from '../../client/read-record.ts';
import { fieldKey } from '../../model/field-key.ts';
import { creationOrder, idOf } from '../../model/identity.ts';
import type { ImportJob } from '../job.ts';

/** The record that a key finds. */
export type Match =
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly ids: readonly string[] }
  /** `isListed`: the record comes from the list, with the compared members alone. Before a write, the record has to be read. */
  | { readonly kind: 'one'; readonly id: Id; readonly record: unknown; readonly isListed: boolean };

/** Finds the record of a key. `api`: also writes the record afterwards. */
export type Matcher = (key: string, api: Api) => Promise<Match>;

const none: Match = { kind: 'none' };

/**
 * A matcher that reads the whole list. `paths`: paths that rows are compared with; `moved`: called when the list changed during the
 * reading. Throws like Api.read.
 */
export async function listMatcher(
  api: Api,
  job: ImportJob,
  paths: readonly string[],
  signal: AbortSignal,
  moved: () => void,
): Promise<Matcher> {
  const { resource } = job;
  const members = new Set([resource.title ?? '', ...paths].map(firstName));
  const records = new Map<string, { readonly ids: string[]; readonly text: string }>();
  // In order of creation, so that new records come last and shift no page.
  const request = { method: 'GET' as const, path: resource.path, query: creationOrder(resource, 'asc') };
  for await (const { data } of listPages(api, request, { kind: 'all', complete: true, told: true }, signal, {
    moved,
    grew: moved,
    again: moved,
  })) {
    for (const record of data as Members[]) {
      const [key, id] = [keyOfRecord(job, record), idOf(record)];
      if (key === undefined || id === undefined) continue;
      const compared = Object.entries(record).filter(([name]) => members.has(firstName(name)));
      const before = records.get(key);
      if (before !== undefined) before.ids.push(scalarText(id));
      // A JSON text takes a fraction of the memory of an object.
      else records.set(key, { ids: [scalarText(id)], text: JSON.stringify(Object.fromEntries(compared)) });
    }
  }
  return async (key) => {
    const { ids, text } = records.get(key) ?? { ids: [], text: '' };
    const [id, ...others] = ids;
    if (id === undefined) return none;
    return others.length > 0 ? { kind: 'several', ids } : { kind: 'one', id, record: parseJson(text), isListed: true };
  };
}

const firstName = (path: string): string => path.split('.', 1)[0] ?? '';

/** A matcher that reads each record by its id, for few rows and many records. */
export const recordMatcher =
  ({ resource }: ImportJob): Matcher =>
  async (key, api) => {
    try {
      return { kind: 'one', id: key, record: await readRecord(api, `${resource.path}/${key}`), isListed: false };
    } catch (error) {
      if (error instanceof NotFoundError) return none;
      throw error;
    }
  };

/** The key of a record, by `fieldKey`; undefined for a record without a key. */
function keyOfRecord({ match }: ImportJob, record: unknown): string | undefined {
  if (match === undefined) return undefined;
  if (match.kind === 'id') return String(idOf(record) ?? '') || undefined;
  const text = scalarText(valueAt(record, match.read));
  return text === '' ? undefined : fieldKey(match.field, text);
}
