// Finds existing records by values.

import { ConflictError, NotFoundError, UsageError } from '../../base/errors.ts';
import { placeText, type Where } from '../../base/files/problems.ts';
import { scalarText } from '../../base/values/json.ts';
import { type Id, parseId } from '../../base/values/parse.ts';
import { isMembers, type Members, valueAt } from '../../base/values/paths.ts';
import { suggestion } from '../../base/values/text/suggest.ts';
import { firstOf } from '../../base/values/text/wording.ts';
import type { Api } from '../../client/client.ts';
import { allRecords } from '../../client/paging.ts';
import { readRecord } from '../../client/read-record.ts';
import type { Field, Resource } from '../../model/define.ts';
import { fieldKey } from '../../model/field-key.ts';
import { idOf } from '../../model/identity.ts';
import { namedKinds, unlisted } from '../../model/named.ts';
import { referenceFamilies, resources } from '../../model/resources/index.ts';
import { team } from '../../model/resources/team.ts';
import { fieldNamed } from './values.ts';

const isCalled =
  (type: string) =>
  ({ name, singular }: Resource): boolean =>
    type === name || type === singular;

/** The writable family with a name, singular or plural. */
export const familyOf = (type: string): Resource | undefined => resources.find(isCalled(type));

/** The name of a family's records in a seed file. */
export const typeIn = (family: Resource): string => (family === team ? team.name : family.singular);

/** The family with a name, also a read-only one. Throws UsageError with a suggestion. */
export function familyToFindIn(type: string): Resource {
  const family = familyOf(type) ?? referenceFamilies.find(isCalled(type));
  if (family !== undefined) return family;
  const kind = Object.values(unlisted).find((one) => type === one);
  if (kind !== undefined)
    throw new UsageError(`No list has a ${namedKinds[kind].noun}: give its name where a record refers to it, such as status: Negotiation.`);
  throw new UsageError(`There is no type "${type}".${suggestion(type, [...resources, ...referenceFamilies].map(typeIn))}`);
}

/** A value that identifies a record: its path, and its field for the comparison. */
interface Mark {
  readonly read: string;
  readonly field?: Field;
}

/** The Mark of a flag or member. Throws UsageError when records don't show a single value there. */
export function markOf(resource: Resource, name: string): Mark {
  const member = name.replaceAll('-', '_');
  if (resource.readOnly) return { read: member };
  const documented = [name, member].find((path) => path === 'id' || resource.record.includes(path));
  if (documented !== undefined) {
    const own = resource.fields.find(({ read }) => read === documented);
    return { read: documented, ...(own === undefined ? {} : { field: own }) };
  }
  const field = fieldNamed(resource.fields, name);
  const isComparable = field.type.kind !== 'reference' && field.type.kind !== 'numbered';
  if (field.read !== undefined && isComparable) return { read: field.read, field };
  throw new UsageError(`No record can be found by "${name}": records don't show "${name}" as one value.`);
}

/** Returns the records of a family with these values. Throws like Api.read, and UsageError for an unknown name. */
export type Find = (family: Resource, by: ReadonlyMap<string, string>) => Promise<readonly Members[]>;

/** A finder that reads the list for the same names once, and so doesn't see records created later. */
export function createFinder(api: Api, signal: AbortSignal): Find {
  const indexes = new Map<string, Promise<Map<string, Members[]>>>();
  return async (family, by) => {
    const id = by.get('id');
    if (id !== undefined && by.size === 1) return readOne(api, family, id);
    const names = [...by.keys()];
    const marks = names.map((name) => markOf(family, name));
    const indexKey = JSON.stringify([family.name, names]);
    const all = allRecords(api, { method: 'GET', path: family.path }, signal);
    const reading = indexes.get(indexKey) ?? indexOf(all, marks);
    indexes.set(indexKey, reading);
    // A failed reading is repeated.
    reading.catch(() => indexes.delete(indexKey));
    const index = await reading;
    const wanted = names.map((name, at) => comparable(marks[at]?.field, by.get(name) ?? ''));
    return index.get(markText(wanted)) ?? [];
  };
}

/** The id of the only match. Throws NotFoundError when no record matches, ConflictError when several records match. */
export function onlyMatch(
  matches: readonly Members[],
  { where, type }: { readonly where: Where; readonly type: string },
  by: ReadonlyMap<string, string>,
): Id {
  const what = `${placeText(where)}: ${type} with ${[...by].map(([name, value]) => `${name} "${value}"`).join(' and ')}`;
  // A page that moves lists a record twice.
  const ids = new Map(matches.flatMap((one) => idOf(one) ?? []).map((id) => [scalarText(id), id]));
  const [id] = ids.values();
  if (id === undefined) throw new NotFoundError(`There is no such record. ${what}.`);
  if (ids.size > 1) throw new ConflictError(`There are ${ids.size} such records (${firstOf([...ids.keys()])}). ${what}.`);
  return id;
}

const markText = (values: readonly string[]): string => values.join('\u0001');

async function indexOf(records: AsyncIterable<unknown>, marks: readonly Mark[]): Promise<Map<string, Members[]>> {
  const index = new Map<string, Members[]>();
  for await (const record of records) {
    if (!isMembers(record)) continue;
    const key = markText(marks.map(({ read, field }) => comparable(field, scalarText(valueAt(record, read)))));
    const there = index.get(key);
    if (there === undefined) index.set(key, [record]);
    else there.push(record);
  }
  return index;
}

const comparable = (field: Field | undefined, text: string): string => (field === undefined ? text : fieldKey(field, text));

async function readOne(api: Api, family: Resource, id: string): Promise<readonly Members[]> {
  try {
    const itsPath = `${family.path}/${parseId(id, typeIn(family))}`;
    const record = await readRecord(api, itsPath);
    return isMembers(record) ? [record] : [];
  } catch (error) {
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}
