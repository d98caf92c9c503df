// Finds existing records by values. Reads each list once.

import { ConflictError, NotFoundError, UsageError } from '../../base/errors.ts';
import { placeText, type Where } from '../../base/files/problems.ts';
import { scalarText } from '../../base/values/json.ts';
import { type Id, parseId } from '../../base/values/parse.ts';
import { isMembers, type Members, valueAt } from '../../base/values/paths.ts';
import { suggestion } from '../../base/values/text/suggest.ts';
import type { Api } from '../../client/client.ts';
import { allRecords } from '../../client/paging.ts';
import { readRecord } from '../../client/read-record.ts';
import type { Field, Resource } from '../../model/define.ts';
import { namedKinds, unlisted } from '../../model/named.ts';
import { categories } from '../../model/resources/categories.ts';
import { clients } from '../../model/resources/clients.ts';
import { resources } from '../../model/resources/index.ts';
import { projects } from '../../model/resources/projects.ts';
import { tasks } from '../../model/resources/tasks.ts';
import { team } from '../../model/resources/team.ts';
import { fieldKey } from '../../runs/field-key.ts';
import { idOf } from '../../runs/lost/newest.ts';
import { fieldNamed } from './values.ts';

/** A family or other list in which records can be found. */
export interface Collection {
  readonly type: string;
  readonly path: string;
  /** The declaration of a writable family. */
  readonly resource?: Resource;
  /** Members by which the service filters the list. */
  readonly narrowedBy?: readonly string[];
}

/** Read-only families. */
const others: readonly (Collection & { readonly plural: string })[] = [
  { type: clients.singular, plural: clients.name, path: clients.path },
  { type: categories.singular, plural: categories.name, path: categories.path, narrowedBy: ['type'] },
  { type: team.name, plural: team.name, path: team.path },
  { type: projects.singular, plural: projects.name, path: projects.path },
  { type: tasks.singular, plural: tasks.name, path: tasks.path },
];

/** The family with a name, singular or plural. */
export function familyOf(type: string): Resource | undefined {
  return resources.find(({ name, singular }) => type === name || type === singular);
}

/** The collection with a name. Throws UsageError with a suggestion. */
export function collectionOf(type: string): Collection {
  const resource = familyOf(type);
  if (resource !== undefined) return { type: resource.singular, path: resource.path, resource };
  const other = others.find((one) => type === one.type || type === one.plural);
  if (other !== undefined) return other;
  const kind = Object.values(unlisted).find((one) => type === one);
  if (kind !== undefined)
    throw new UsageError(`No list has a ${namedKinds[kind].noun}: give its name where a record refers to it, such as status: Negotiation.`);
  const names = [...resources.map(({ singular }) => singular), ...others.map((one) => one.type)];
  throw new UsageError(`There is no type "${type}".${suggestion(type, names)}`);
}

/** A value that identifies a record: its path, and its field for the comparison. */
interface Mark {
  readonly read: string;
  readonly field?: Field;
}

/** The mark for a flag or member. Throws UsageError for one that doesn't read back as a single value. */
export function markOf(collection: Collection, name: string): Mark {
  const { resource } = collection;
  const member = name.replaceAll('-', '_');
  if (resource === undefined) return { read: member };
  const documented = [name, member].find((path) => path === 'id' || resource.record.includes(path));
  if (documented !== undefined) {
    const own = resource.fields.find(({ read }) => read === documented);
    return { read: documented, ...(own === undefined ? {} : { field: own }) };
  }
  const field = fieldNamed(resource.fields, name);
  const isComparable = field.type.kind !== 'reference' && field.type.kind !== 'numbered';
  if (field.read !== undefined && isComparable) return { read: field.read, field };
  throw new UsageError(`Nothing can be found by "${name}": it does not read back as one value.`);
}

/** Returns the records of a collection with these values. Throws like Api.read, and UsageError for an unknown name. */
export type Find = (collection: Collection, by: ReadonlyMap<string, string>) => Promise<readonly Members[]>;

/** A finder that reads each list once, and so doesn't see records created later. */
export function createFinder(api: Api, signal: AbortSignal): Find {
  const lists = new Map<string, Promise<Members[]>>();
  const indexes = new Map<string, Promise<Map<string, Members[]>>>();

  const list = ({ path }: Collection, query: readonly (readonly [string, string])[]): Promise<Members[]> =>
    kept(lists, JSON.stringify([path, query]), () => readAll(api, path, query, signal));

  return async (collection, by) => {
    const id = by.get('id');
    if (id !== undefined && by.size === 1) return readOne(api, collection, id);
    const query = queryOf(collection, by);
    const names = [...by.keys()];
    const marks = names.map((name) => markOf(collection, name));
    const indexKey = JSON.stringify([collection.type, query, names]);
    const index = await kept(indexes, indexKey, async () => indexOf(await list(collection, query), marks));
    const wanted = names.map((name, at) => comparable(marks[at]?.field, by.get(name) ?? ''));
    return index.get(keyText(wanted)) ?? [];
  };
}

/** The only match. Throws NotFoundError for none, ConflictError for several. */
export function onlyMatch(
  matches: readonly Members[],
  { where, type }: { readonly where: Where; readonly type: string },
  by: ReadonlyMap<string, string>,
): { readonly id: Id; readonly record: Members } {
  const [record] = matches;
  const collection = collectionOf(type);
  const what = `${placeText(where)}: ${collection.type} with ${[...by].map(([name, value]) => `${name} "${value}"`).join(' and ')}`;
  if (record === undefined) throw new NotFoundError(`There is no such record. ${what}.`);
  const id = idOf(record);
  if (id === undefined) throw new NotFoundError(`The record has no id. ${what}.`);
  if (matches.length === 1) return { id, record };
  const ids = matches.slice(0, 5).map((one) => String(idOf(one)));
  throw new ConflictError(`There are ${matches.length} such records (${ids.join(', ')}${matches.length > 5 ? ', …' : ''}). ${what}.`);
}

/** The only record with a key; undefined for none. Throws ConflictError for several. */
export function onlyKeyed({ name }: Resource, key: ReadonlyMap<string, string>, ids: readonly Id[]): Id | undefined {
  const different = new Map(ids.map((id) => [scalarText(id), id]));
  if (different.size > 1) throw new ConflictError(`${different.size} ${name} have its key, ${[...key.values()].join(', ')}.`);
  return [...different.values()][0];
}

function kept<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const there = map.get(key) ?? make();
  map.set(key, there);
  // A failed reading is repeated.
  there.catch(() => map.delete(key));
  return there;
}

const keyText = (values: readonly string[]): string => values.join('\u0001');

function indexOf(records: readonly Members[], marks: readonly Mark[]): Map<string, Members[]> {
  const index = new Map<string, Members[]>();
  for (const record of records) {
    const key = keyText(marks.map(({ read, field }) => comparable(field, scalarText(valueAt(record, read)))));
    const there = index.get(key);
    if (there === undefined) index.set(key, [record]);
    else there.push(record);
  }
  return index;
}

const comparable = (field: Field | undefined, text: string): string => (field === undefined ? text : fieldKey(field, text));

/** The filters that the service offers, by id or in `narrowedBy`. Other values are compared here. */
function queryOf({ resource, narrowedBy = [] }: Collection, by: ReadonlyMap<string, string>): [string, string][] {
  if (resource === undefined) return narrowedBy.flatMap((name) => (by.has(name) ? [[name, by.get(name) ?? ''] as [string, string]] : []));
  return resource.filters.flatMap(({ flag, wire, type }) =>
    type.kind === 'id' && by.has(flag) ? [[wire, by.get(flag) ?? ''] as [string, string]] : [],
  );
}

async function readOne(api: Api, { path, type }: Collection, id: string): Promise<readonly Members[]> {
  try {
    const itsPath = `${path}/${parseId(id, type)}`;
    const record = await readRecord(api, itsPath);
    return isMembers(record) ? [record] : [];
  } catch (error) {
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

async function readAll(api: Api, path: string, query: readonly (readonly [string, string])[], signal: AbortSignal): Promise<Members[]> {
  const records: Members[] = [];
  for await (const record of allRecords(api, { method: 'GET', path, query }, signal)) if (isMembers(record)) records.push(record);
  return records;
}
