// Writes records into a store: the demo data, and snapshots of a service. A record also names statuses, units and tax rates, which no list
// gives: their ids and names are kept without records.

import type { Members } from '../base/values/paths.ts';
import { keepName, keepThingsOf } from './service/things.ts';
import { familyTables } from './store/families.ts';
import type { FamilyTable } from './store/family-table.ts';
import { keep } from './store/records.ts';
import type { Store } from './store/store.ts';

/** Returns the records of a file (`leads` for leads.ndjson) in the file's order; none when there is no such file. */
export type RecordSource = (name: string) => Iterable<Members>;

export interface Loading {
  /** Makes the whole record of a line that leaves empty members out. Default: the line is the whole record. */
  readonly completed?: (family: FamilyTable, line: Members) => Members;
  /** True when the source has no list of a family. */
  readonly lacks?: (family: string) => boolean;
}

/** Writes the records of a source into a store. Returns the records that the store can't hold: `leads 7 (its id is there twice)`. */
export function loadRecords(
  store: Store,
  source: RecordSource,
  { completed = (_, line) => line, lacks = () => false }: Loading = {},
): string[] {
  const lost: string[] = [];
  const known = new Set<string>();
  for (const { kind, ...name } of source('names')) keepName(store, String(kind), name);
  for (const family of familyTables) {
    const { table, resource } = family;
    for (const line of source(table)) {
      try {
        if (store.get(`SELECT 1 FROM ${table} WHERE id = ?`, Number(line.id)) !== undefined) throw new RangeError('its id is there twice');
        keep(store, family, completed(family, line));
        keepThingsOf(store, resource, line, known, lacks);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        lost.push(`${table} ${line.id} (${error.message})`);
      }
    }
  }
  return lost;
}
