// The rules that all families share: read, delete and change a record, set its tags, put a checked body into it.

import { isMembers, type Members } from '../../base/values/paths.ts';
import { capitalised } from '../../base/values/text/wording.ts';
import { namedBy } from '../../base/values/value-type.ts';
import { type Field, pluralOf, type Resource } from '../../model/define.ts';
import { type FamilyTable, setAt } from '../store/family-table.ts';
import { drop, recordJson, save, storedRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { deleted, found, ok, type Reply, type SandboxService } from './service.ts';
import { tagsIn } from './sets.ts';
import { relation, thingWithId } from './things.ts';
import type { CheckedValues, WireValues } from './values.ts';

/** `Team member` */
const familyNoun = ({ resource }: FamilyTable): string => capitalised(resource.singular);
export const familyNouns = ({ resource }: FamilyTable): string => capitalised(pluralOf(resource as Resource));

export const shownRecord = (store: Store, family: FamilyTable, id: number): string =>
  found(recordJson(store, family, id), familyNoun(family));

/** A record. Throws the 404. */
export const existing = (store: Store, family: FamilyTable, id: number): Members =>
  found(storedRecord(store, family, id), familyNoun(family));

export function getRecord({ store }: SandboxService, family: FamilyTable, id: number): Reply {
  return ok(shownRecord(store, family, id), `${familyNoun(family)} retrieved successfully.`);
}

export function deleteRecord({ store }: SandboxService, family: FamilyTable, id: number): Reply {
  return store.transaction(() => {
    existing(store, family, id);
    drop(store, family, id);
    return deleted(id, `${familyNoun(family)} deleted successfully.`);
  });
}

/** Changes a record by `work`. `what`: the words of the message between family and `successfully`: `status updated`. */
export function changeReply(
  service: SandboxService,
  family: FamilyTable,
  id: number,
  what: string,
  work: (record: Members) => void,
): Reply {
  const { store } = service;
  return store.transaction(() => {
    const record = existing(store, family, id);
    work(record);
    save(store, family, touched(service, record));
    return ok(shownRecord(store, family, id), `${familyNoun(family)} ${what} successfully.`);
  });
}

export const setTags = (service: SandboxService, family: FamilyTable, id: number, body: WireValues): Reply =>
  changeReply(service, family, id, 'tags updated', (record) => {
    record.tags = tagsIn(body);
  });

/** Sets `dates.updated` to now, when the family has the member. */
export function touched({ now }: SandboxService, record: Members): Members {
  if (isMembers(record.dates) && 'updated' in record.dates) record.dates.updated = now();
  return record;
}

/** Sets `dates.created`, and `dates.updated` when the family has the member. */
export function stamped(record: Members, time: string): Members {
  setAt(record, 'dates.created', time);
  if (isMembers(record.dates) && 'updated' in record.dates) record.dates.updated = time;
  return record;
}

/**
 * Writes checked values into a record, each at the path where it reads back. A relation gets its id and names. Values that were
 * not sent stay.
 */
export function putValues(
  store: Store,
  { resource }: FamilyTable,
  fields: readonly Field[],
  checked: CheckedValues,
  record: Members,
): void {
  for (const { wire, read, type } of fields) {
    const value = checked[wire];
    if (read === undefined || value === undefined || type.kind === 'numbered' || type.kind === 'reference') continue;
    const kind = namedBy(type);
    if (kind === undefined) setAt(record, read, value);
    else {
      const path = read.replace(/\.id$/, '');
      setAt(record, path, relation(resource, path, value, typeof value === 'number' ? thingWithId(store, kind, value) : undefined));
    }
  }
}
