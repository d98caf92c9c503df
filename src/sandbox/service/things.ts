// The things that records refer to. Clients, team members, categories, leads and others have records. Statuses, units and tax rates have no
// records: their names stand in the table `names`.

import { parseJson, scalarText } from '../../base/values/json.ts';
import { isMembers, type Members, valueAt } from '../../base/values/paths.ts';
import type { Field } from '../../model/define.ts';
import { namedKinds } from '../../model/named.ts';
import { categories, clients, contacts, leads, projects, tasks, team } from '../store/families.ts';
import type { FamilyTable, StoredFamily } from '../store/family-table.ts';
import { save, storedRecord, wholeRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { type CheckedValues, checkedFields, type FieldProblems, type WireValues } from './values.ts';

/** The kinds of things that have records, each with its families. */
const thingFamilies: Readonly<Record<string, readonly FamilyTable[]>> = {
  client: [clients],
  lead: [leads],
  project: [projects],
  task: [tasks],
  team: [team],
  user: [contacts, team],
};

/**
 * The thing with an id: its record, or its members in `names` (a status: id, title, color). `kind` is a kind of the declarations, or the
 * type of a note's resource. Undefined when no thing has the id.
 */
export function thingWithId(store: Store, kind: string, id: number): Members | undefined {
  const type = /^(.*)-category$/.exec(kind)?.[1];
  for (const family of type === undefined ? (thingFamilies[kind] ?? []) : [categories]) {
    const record = storedRecord(store, family, id);
    if (record !== undefined) return type === undefined || record.type === type ? record : undefined;
  }
  const name = store.get<{ doc: string }>('SELECT doc FROM names WHERE kind = ? AND id = ?', kind, id);
  return name && (parseJson(name.doc) as Members);
}

/** Adds the problem `The selected … is invalid.` when no thing has the id. Ids that are no numbers are not checked. */
export function checkExists(store: Store, kind: string, id: unknown, name: string, problems: FieldProblems): void {
  if (typeof id === 'number' && thingWithId(store, kind, id) === undefined) problems.addInvalid(name);
}

/** `checkedFields`, and a check that every id belongs to an existing thing. */
export function checkBody(
  store: Store,
  fields: readonly Field[],
  body: WireValues,
  mode: 'create' | 'update',
  problems: FieldProblems,
): CheckedValues {
  const checked = checkedFields(fields, body, mode, problems);
  for (const { wire, type } of fields) {
    if (type.kind === 'id' && type.of !== undefined) checkExists(store, type.of, checked[wire], wire, problems);
  }
  return checked;
}

/** The members of a relation at a path, as records show them: id, name and the like. Without an id, all members are null. */
export function relation({ record }: StoredFamily, path: string, id: unknown, thing: Members | undefined): Members {
  const members = record.filter((one) => one.startsWith(`${path}.`)).map((one) => one.slice(path.length + 1));
  const name = thing?.name ?? thing?.title ?? thing?.company_name;
  const values = members.map((member) => (member === 'id' ? id : (thing?.[member] ?? (member === 'color' ? undefined : name))));
  return Object.fromEntries(members.map((member, index) => [member, values[index] ?? null]));
}

/** Stores a thing without a record: its id, its name and other members. */
export function saveName(store: Store, kind: string, doc: Members): void {
  const key = scalarText(doc.name ?? doc.title).toLowerCase();
  store.run('INSERT OR IGNORE INTO names (kind, id, key, doc) VALUES (?, ?, ?, ?)', kind, Number(doc.id), key, JSON.stringify(doc));
}

/**
 * Stores the things that a loaded record refers to, unless the store has them already. A thing gets a record when its source has no list
 * of the family (`lacks`), else a row in `names`. `known` holds the things that were looked up (`lead-status 3`).
 */
export function saveThingsOf(
  store: Store,
  family: StoredFamily,
  record: Members,
  known: Set<string>,
  lacks: (family: string) => boolean,
): void {
  const seen = Object.entries(namedKinds).flatMap(([kind, { seenIn }]) =>
    seenIn.filter((one) => one.family === family.name).map(({ id }) => ({ kind, path: id.slice(0, -'.id'.length) })),
  );
  for (const { kind, path } of [...seen, { kind: 'item-field', path: 'custom_fields' }]) {
    for (const thing of [valueAt(record, path)].flat()) {
      const id = isMembers(thing) ? Number(scalarText(thing.id)) : 0;
      if (!isMembers(thing) || !Number.isSafeInteger(id) || id < 1 || known.has(`${kind} ${id}`)) continue;
      known.add(`${kind} ${id}`);
      if (thingWithId(store, kind, id) !== undefined) continue;
      const { value: _, ...doc }: Members = { ...thing, id };
      const type = /^(.*)-category$/.exec(kind)?.[1];
      const [family] = type === undefined ? (thingFamilies[kind] ?? []) : [categories];
      if (family !== undefined && lacks(family.table))
        save(store, family, wholeRecord(family, { ...doc, ...(type && { type }), ...namesAsParts(kind, doc) }));
      else saveName(store, kind, doc);
    }
  }
}

/** The names of a thing as its own record has them: a client's company name, a team member's first and last name. */
function namesAsParts(kind: string, { name, company_name = name }: Members): Members {
  if (kind === 'client') return { company_name, name: undefined };
  const [, first_name, last_name] = kind === 'team' ? (/^(\S*)\s*(.*)$/s.exec(scalarText(name)) ?? []) : [];
  return kind === 'team' ? { first_name, last_name } : {};
}
