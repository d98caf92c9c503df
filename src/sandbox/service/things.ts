// What records refer to: whether it is there, and what a record tells of it. Clients, team members, categories and leads have records of
// their own; of statuses, units and tax rates only other records tell.

import type { Field } from '../../resources/define.ts';
import { namedKinds } from '../../resources/named.ts';
import { parseJson, scalarText } from '../../values/json.ts';
import { isMembers, type Members, valueAt } from '../../values/paths.ts';
import { categories, clients, contacts, leads, projects, tasks, team } from '../store/families.ts';
import type { Kept, KeptFamily } from '../store/kept.ts';
import { keep, recordOf, whole } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { type CheckedValues, checkFields, type Problems, type Values } from './values.ts';

/** The things that have records. */
const families: Readonly<Record<string, readonly Kept[]>> = {
  client: [clients],
  lead: [leads],
  project: [projects],
  task: [tasks],
  team: [team],
  user: [contacts, team],
};

/** What is told of a thing: of a status its title and color. `kind`: as declarations name it, or the type of a note's resource. */
export function told(store: Store, kind: string, id: number): Members | undefined {
  const type = /^(.*)-category$/.exec(kind)?.[1];
  for (const kept of type === undefined ? (families[kind] ?? []) : [categories]) {
    const record = recordOf(store, kept, id);
    if (record !== undefined) return type === undefined || record.type === type ? record : undefined;
  }
  const name = store.get<{ doc: string }>('SELECT doc FROM names WHERE kind = ? AND id = ?', kind, id);
  return name && (parseJson(name.doc) as Members);
}

/** Notes `The selected … is invalid.` under `name` when `id` was given and nothing has it. */
export function checkExists(store: Store, kind: string, id: unknown, name: string, problems: Problems): void {
  if (typeof id === 'number' && told(store, kind, id) === undefined) problems.addInvalid(name);
}

/** The declared fields, and whether there is what they refer to. */
export function checkBody(
  store: Store,
  fields: readonly Field[],
  body: Values,
  mode: 'create' | 'update',
  problems: Problems,
): CheckedValues {
  const checked = checkFields(fields, body, mode, problems);
  for (const { wire, type } of fields) {
    if (type.kind === 'id' && type.of !== undefined) checkExists(store, type.of, checked[wire], wire, problems);
  }
  return checked;
}

/** What a record tells of a thing at a path: its id, its name, and the other members that the documents have there. All are null without an id. */
export function relation({ record }: KeptFamily, path: string, id: unknown, thing: Members | undefined): Members {
  const members = record.filter((one) => one.startsWith(`${path}.`)).map((one) => one.slice(path.length + 1));
  const name = thing?.name ?? thing?.title ?? thing?.company_name;
  const values = members.map((member) => (member === 'id' ? id : (thing?.[member] ?? (member === 'color' ? undefined : name))));
  return Object.fromEntries(members.map((member, index) => [member, values[index] ?? null]));
}

/** Keeps what is told of a thing that has no record. */
export function tellName(store: Store, kind: string, doc: Members): void {
  const key = scalarText(doc.name ?? doc.title).toLowerCase();
  store.run('INSERT OR IGNORE INTO names (kind, id, key, doc) VALUES (?, ?, ?, ?)', kind, Number(doc.id), key, JSON.stringify(doc));
}

/**
 * Keeps what a loaded record tells of things that have no record here. `known`: those that have been looked up, by kind and id. `lacks`: whether
 * there is no list of a family, so that what is told makes its records.
 */
export function tellThings(
  store: Store,
  family: KeptFamily,
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
      if (told(store, kind, id) !== undefined) continue;
      const { value: _, ...doc }: Members = { ...thing, id };
      const type = /^(.*)-category$/.exec(kind)?.[1];
      const [kept] = type === undefined ? (families[kind] ?? []) : [categories];
      if (kept !== undefined && lacks(kept.table)) keep(store, kept, whole(kept, { ...doc, ...(type && { type }), ...namesOf(kind, doc) }));
      else tellName(store, kind, doc);
    }
  }
}

/** What a thing is called, as its own record has it. */
function namesOf(kind: string, { name, company_name = name }: Members): Members {
  if (kind === 'client') return { company_name, name: undefined };
  const [, first_name, last_name] = kind === 'team' ? (/^(\S*)\s*(.*)$/s.exec(scalarText(name)) ?? []) : [];
  return kind === 'team' ? { first_name, last_name } : {};
}
