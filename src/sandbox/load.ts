// Records as a service tells them, written into a store: the demo data, and snapshots. A line is the record. What it refers to and no list
// told (statuses, units, tax rates, a category that is gone) is known by what it says of it, and makes no record.

import type { Members } from '../values/paths.ts';
import { tellName, tellThings } from './service/things.ts';
import { keptFamilies } from './store/families.ts';
import type { Kept } from './store/kept.ts';
import { keep } from './store/records.ts';
import type { Store } from './store/store.ts';

/** The records of a file (`leads` for leads.ndjson), in its order; none where there is no such file. */
export type RecordSource = (name: string) => Iterable<Members>;

export interface Loading {
  /** Makes a record of a line that leaves out what is empty. Default: a line is the record. */
  readonly completed?: (kept: Kept, line: Members) => Members;
  /** Whether the source has no list of a family. */
  readonly lacks?: (family: string) => boolean;
}

/** Writes the records of a source into a store. Gives those that it can't hold, as messages name them, each with the reason. */
export function loadRecords(
  store: Store,
  source: RecordSource,
  { completed = (_, line) => line, lacks = () => false }: Loading = {},
): string[] {
  const lost: string[] = [];
  const known = new Set<string>();
  for (const { kind, ...name } of source('names')) tellName(store, String(kind), name);
  for (const kept of keptFamilies) {
    const { table, resource } = kept;
    for (const line of source(table)) {
      try {
        if (store.get(`SELECT 1 FROM ${table} WHERE id = ?`, Number(line.id)) !== undefined) throw new RangeError('its id is there twice');
        keep(store, kept, completed(kept, line));
        tellThings(store, resource, line, known, lacks);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        lost.push(`${table} ${line.id} (${error.message})`);
      }
    }
  }
  return lost;
}
