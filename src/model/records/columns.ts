// Reads and selects members of records by dotted paths, and finds the paths that records have. The empty path is the record itself: the
// elements of a list of texts have no members.

import { headOf, isMembers, type Members, valueAt } from '../../base/values/paths.ts';

/** The value of a column in a record. */
export function cellValue(record: unknown, path: string): unknown {
  if (path === '') return record;
  const named = namedPath(record, path);
  return named === undefined ? valueAt(record, path) : valueListed(named.list, named.name);
}

/**
 * Returns a function that gives what `cellValue` gives at a path. For the many records of a list: the path is split once, and plain
 * members are read without a look at custom fields.
 */
export function cellReader(path: string): (record: unknown) => unknown {
  const dot = path.indexOf('.');
  const [head, rest] = [path.slice(0, dot), path.slice(dot + 1)];
  if (path === '' || rest.includes('.')) return (record) => cellValue(record, path);
  return (record) => {
    if (!isMembers(record)) return cellValue(record, path);
    if (dot < 0 || Object.hasOwn(record, path)) return Object.hasOwn(record, path) ? record[path] : undefined;
    const below = Object.hasOwn(record, head) ? record[head] : undefined;
    if (Array.isArray(below)) return cellValue(record, path);
    return isMembers(below) && Object.hasOwn(below, rest) ? below[rest] : undefined;
  };
}

/** The value of a column; null when an object above is null: `lead.name` when `lead` is null. */
export function valueHeld(record: unknown, path: string): unknown {
  const value = cellValue(record, path);
  return value === undefined && isBelowNull(record, path) ? null : value;
}

/** Returns a function that gives what `valueHeld` gives at a path, for the many records of a list. */
export function heldReader(path: string): (record: unknown) => unknown {
  const read = cellReader(path);
  const above = parentPaths(path).map(cellReader);
  return (record) => {
    const value = read(record);
    return value === undefined && above.some((parent) => parent(record) === null) ? null : value;
  };
}

interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

/** True for custom fields: `[{ id, name, value }]`. Output treats each custom field as a member of its own. */
export function isNamedValues(value: unknown): value is NamedValue[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((element) => isMembers(element) && typeof element.name === 'string' && Object.hasOwn(element, 'value'))
  );
}

/** Finds `custom_fields.SKU`. */
function namedPath(record: unknown, path: string): { list: readonly NamedValue[]; name: string } | undefined {
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const list = valueAt(record, path.slice(0, dot));
    const name = path.slice(dot + 1);
    if (isNamedValues(list) && isNoMember(list, name)) return { list, name };
  }
  return undefined;
}

const valueListed = (list: readonly NamedValue[], wanted: string): unknown => list.find(({ name }) => name === wanted)?.value;

/** `custom_fields.id` is no name: the path gives the ids of all custom fields. */
const isNoMember = (list: readonly NamedValue[], path: string): boolean =>
  list.every((element) => valueAt(element, headOf(path)) === undefined);

/** The words of a path for a column header: `contact company name` for `contact.company_name`. */
export function pathWords(path: string): string {
  return path === '' ? 'value' : path.replaceAll(/[._]+/g, ' ').trim();
}

/**
 * Every dotted path with a value that is no object, in the order of appearance. An array is a value. A null or empty object counts only
 * when no record has members there.
 */
export function leafPaths(records: readonly unknown[]): string[] {
  const leaves = new Map<string, 'value' | 'hollow'>();
  for (const record of records) collectLeaves(record, '', leaves);
  const parents = new Set([...leaves.keys()].flatMap(parentPaths));
  return [...leaves.keys()].filter((path) => leaves.get(path) === 'value' || !parents.has(path));
}

function collectLeaves(value: unknown, path: string, leaves: Map<string, 'value' | 'hollow'>): void {
  if (isNullOrEmpty(value)) {
    if (path !== '' && !leaves.has(path)) leaves.set(path, 'hollow');
  } else if (isMembers(value)) {
    for (const [name, member] of Object.entries(value)) collectLeaves(member, path === '' ? name : `${path}.${name}`, leaves);
  } else {
    leaves.set(path, 'value');
  }
}

function parentPaths(path: string): string[] {
  const parents: string[] = [];
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) parents.push(path.slice(0, dot));
  return parents;
}

/** The documented paths in their order, then the other paths of the records. */
export function allPaths(documented: readonly string[], records: readonly unknown[]): string[] {
  const paths = new Set(documented);
  const ancestors = new Set(documented.flatMap(parentPaths));
  const isDocumented = (path: string): boolean => paths.has(path) || parentPaths(path).some((parent) => paths.has(parent));
  const isHollow = (path: string): boolean => ancestors.has(path) && records.every((record) => isNullOrEmpty(cellValue(record, path)));
  return [...documented, ...leafPaths(records).filter((path) => !isDocumented(path) && !isHollow(path))];
}

function isNullOrEmpty(value: unknown): boolean {
  return value === null || value === undefined || (isMembers(value) && Object.keys(value).length === 0);
}

/** True when a record has a value at a path, even null. */
export function hasPath(record: unknown, path: string): boolean {
  return isPresent(cellValue(record, path));
}

/** True when any record has the path. An empty array counts only when no other record decides. */
export function anyHasPath(records: readonly unknown[], path: string): boolean {
  const found = records.map((record) => cellValue(record, path)).filter((value) => value !== undefined);
  const deciding = found.filter((value) => !Array.isArray(value) || value.length > 0);
  return (deciding.length > 0 ? deciding : found).some(isPresent);
}

function isPresent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some(isPresent);
  return value !== undefined;
}

/** True when an object above the path is null: `lead.name` when `lead` is null. */
export const isBelowNull = (record: unknown, path: string): boolean =>
  parentPaths(path).some((parent) => cellValue(record, parent) === null);

/**
 * The record with only the members at these paths, in their order. Paths with a common start share an object. A path through an array
 * selects from each element, or a custom field by its name. A missing member becomes null.
 */
export function selectFields(record: unknown, fields: readonly string[]): unknown {
  if (isNamedValues(record) && fields.every((field) => isNoMember(record, field))) {
    return Object.fromEntries(fields.map((field) => [field, valueListed(record, field) ?? null]));
  }
  if (Array.isArray(record)) return record.map((element) => selectFields(element, fields));
  const members: Members = isMembers(record) ? record : {};
  const selected = new Map<string, unknown>();
  for (const [name, below] of wantedMembers(fields, members)) {
    const value = Object.hasOwn(members, name) ? (members[name] ?? null) : null;
    selected.set(name, below.length === 0 ? value : selectFields(value, below));
  }
  return Object.fromEntries(selected);
}

/** A member whose own name has the dots comes first. */
function wantedMembers(fields: readonly string[], members: Members): Map<string, string[]> {
  const wanted = new Map<string, string[]>();
  const whole = new Set<string>();
  for (const field of fields) {
    const dot = Object.hasOwn(members, field) ? -1 : field.indexOf('.');
    const name = dot < 0 ? field : field.slice(0, dot);
    if (dot < 0) whole.add(name);
    wanted.set(name, [...(wanted.get(name) ?? []), ...(dot < 0 ? [] : [field.slice(dot + 1)])]);
  }
  for (const name of whole) wanted.set(name, []);
  return wanted;
}
