// Finds the record of a row. The list is read once. The matcher keeps the key, the id and the members of the file's columns of each record.

import { NotFoundError } from '../../base/errors.ts';
import { parseJson, scalarText } from '../../base/values/json.ts';
import type { Id } from '../../base/values/parse.ts';
import { headOf, type Members, valueAt } from '../../base/values/paths.ts';
import { keyNameOf } from '../../base/values/text/duplicate-key.ts';
import type { Api } from '../../client/client.ts';
import { largestPage, listPages } from '../../client/paging.ts';
import { readRecord } from '../../client/read-record.ts';
import { alikeKey, fieldKey } from '../../model/field-key.ts';
import { creationOrder, idOf } from '../../model/identity.ts';
import { notice } from '../../output/streams/notice.ts';
import { progress } from '../../output/streams/progress.ts';
import type { Context } from '../../session/context.ts';
import { pathsCompared } from '../columns/columns.ts';
import type { ImportJob } from '../job.ts';
import type { RowReader } from '../rows/rows.ts';

/** The record that a key finds. */
export type Match =
  | { readonly kind: 'none' }
  /** `isAlike`: the records have alike values, none the same. */
  | { readonly kind: 'several'; readonly ids: readonly string[]; readonly isAlike?: boolean }
  /** A record with an alike value in a field in which alike values are others. `value`: as the record has it. */
  | { readonly kind: 'alike'; readonly id: string; readonly value: string }
  /** `isListed`: the record comes from the list, with the compared members alone. Before a write, the record has to be read. */
  | { readonly kind: 'one'; readonly id: Id; readonly record: unknown; readonly isListed: boolean; readonly isAlike?: boolean };

/** Finds the record of a key. `api`: also writes the record afterwards. */
export type Matcher = (key: string, api: Api) => Promise<Match>;

const none: Match = { kind: 'none' };

/**
 * The matcher of rows to records; undefined without --match. Reads the whole list, but for a file of ids with no more rows than the list
 * has pages: then each record by its id. Throws like Api.read.
 */
export async function matcherOf(
  context: Context,
  job: ImportJob,
  { reader, rows }: { readonly reader: RowReader; readonly rows: number },
  api: Api,
): Promise<Matcher | undefined> {
  if (job.match === undefined) return undefined;
  const { during } = progress(context.io, context.flags);
  const readMatcher = async (): Promise<Matcher> => {
    if (job.match?.kind === 'id') {
      const query: [string, string][] = [
        ['limit', String(largestPage)],
        ['page', '1'],
      ];
      const { meta } = await api.read({ method: 'GET', path: job.resource.path, query });
      if (rows <= (meta?.last_page ?? 0)) return recordMatcher(job);
    }
    return listMatcher(api, job, reader.given().flatMap(pathsCompared), context.signal, () => {
      void notice(context.io, context.flags, `The ${job.resource.name} changed while they were being read; a record may have been missed.`);
    });
  };
  return during(`Reading ${job.resource.name}`, readMatcher());
}

/**
 * A matcher that reads the whole list. A phone is found by an alike phone where no record has the same. `paths`: those that rows are
 * compared with. `moved`: called when the list changed during the reading. Throws like Api.read.
 */
async function listMatcher(api: Api, job: ImportJob, paths: readonly string[], signal: AbortSignal, moved: () => void): Promise<Matcher> {
  const { resource } = job;
  const members = new Set([resource.title ?? '', ...paths].map(headOf));
  const records = new Map<string, { readonly ids: string[]; readonly text: string }>();
  /** The keys of records by `alikeKey`. */
  const alike = new Map<string, string[]>();
  const field = job.match?.kind === 'field' ? job.match.field : undefined;
  const alikeOf = (key: string): string | undefined => (field === undefined ? undefined : alikeKey(field, key));
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
      const compared = Object.entries(record).filter(([name]) => members.has(headOf(name)));
      const before = records.get(key);
      if (before !== undefined) {
        before.ids.push(scalarText(id));
        continue;
      }
      // A JSON text takes a fraction of the memory of an object.
      records.set(key, { ids: [scalarText(id)], text: JSON.stringify(Object.fromEntries(compared)) });
      const other = alikeOf(key);
      if (other !== undefined) alike.set(other, [...(alike.get(other) ?? []), key]);
    }
  }
  const matchOf = (keys: readonly string[]): Match => {
    const found = keys.flatMap((key) => records.get(key) ?? []);
    const [ids, text] = [found.flatMap((one) => one.ids), found[0]?.text ?? ''];
    const [id, ...others] = ids;
    if (id === undefined) return none;
    return others.length > 0 ? { kind: 'several', ids } : { kind: 'one', id, record: parseJson(text), isListed: true };
  };
  return async (key) => {
    if (records.has(key)) return matchOf([key]);
    const keys = alike.get(alikeOf(key) ?? '') ?? [];
    const match = matchOf(keys);
    if (match.kind !== 'one' && match.kind !== 'several') return match;
    if (field !== undefined && keyNameOf(field) === 'phone') return { ...match, isAlike: true };
    return { kind: 'alike', id: match.kind === 'one' ? String(match.id) : (match.ids[0] ?? ''), value: keys[0] ?? '' };
  };
}

/** A matcher that reads each record by its id, for few rows and many records. */
const recordMatcher =
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
