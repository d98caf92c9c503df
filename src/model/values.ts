// The values of a family's records that crm writes or compares: one table, for differences, change files, diff, undo and merges. Pure.

import { scalarText } from '../base/values/json.ts';
import { isNumeral } from '../base/values/parse.ts';
import { isMembers, valueAt } from '../base/values/paths.ts';
import { namedBy, type ValueType } from '../base/values/value-type.ts';
import { valueHeld } from '../model/records/columns.ts';
import { actionPath } from './bodies/held.ts';
import { flagForm } from './bodies/names.ts';
import { elementTexts, isSameSet } from './bodies/replaced-set.ts';
import type { Action, Field, ReplacedSet, Resource } from './define.ts';
import { memberNamed } from './members.ts';
import { cellText } from './records/cells.ts';
import { heldReader } from './records/columns.ts';
import { isSameToTheLetter } from './same.ts';

/** A value as text; a set as the texts of its elements. */
export type HeldText = string | readonly string[];

/** A value of a family's records. */
export interface FamilyValue {
  /** The name in a change file: `source`, `custom-field-3`, `tags`. */
  readonly name: string;
  /** The path in a record; the wire name of a custom field, which has no path. */
  readonly path: string;
  /** The wire name in a request body; empty for a value that no body holds. */
  readonly wire: string;
  readonly type: ValueType | undefined;
  /** The compared text: the id of a relation, the elements of a set. Undefined when the record lacks the member. */
  keyOf(record: unknown): HeldText | undefined;
  /** The text of a cell: the name of a relation, a set as a list. */
  shownOf(record: unknown): string;
  /** True when two keys are the same to the letter. */
  isSame(one: HeldText, other: HeldText): boolean;
  /** The way in which the value is written; absent for a value that crm only reads. */
  readonly target?: Field | ReplacedSet | Action | undefined;
}

/** The values of each family: every record of an import is compared by them, so they are found once. */
const found = new WeakMap<Resource, readonly FamilyValue[]>();

/** The fields that records show, the sets and the states of a family. */
export function valuesOf(resource: Resource): readonly FamilyValue[] {
  const known = found.get(resource);
  if (known !== undefined) return known;
  const { fields, sets = [], actions = [], guarded = [], standing } = resource;
  const ofFields = fields.flatMap((field): FamilyValue[] => {
    const { type, read } = field;
    if (read === undefined || type.kind === 'switch') return [];
    if (type.kind === 'numbered') return Array.from({ length: type.max }, (_, index) => customValue(field, String(index + 1)));
    return [fieldValue(resource, field, read)];
  });
  const reads = new Set(fields.map(({ read }) => read));
  const states = new Map<string, FamilyValue>();
  const addState = (name: string, path: string | undefined, target?: Action): void => {
    if (path === undefined || reads.has(path) || states.has(path)) return;
    states.set(path, { ...plainValue(name, path), wire: target?.value?.wire ?? '', target });
  };
  for (const action of [...actions, ...guarded]) {
    const path = actionPath(resource, action);
    addState(action.value?.wire ?? path ?? '', path, action);
  }
  for (const { path } of standing?.words ?? []) addState(path ?? '', path);
  const values = [...ofFields, ...sets.map((set) => setValue(resource, set)), ...states.values()];
  found.set(resource, values);
  return values;
}

/** The value with the name of a flag, a custom field, or any documented member. */
export function valueNamed(resource: Resource, name: string): FamilyValue {
  const numbered = numberedField(resource, name);
  if (numbered !== undefined) return customValue(numbered.field, numbered.number);
  const path = memberPath(resource, name);
  const set = resource.sets?.find(({ read }) => read === path);
  if (set !== undefined) return setValue(resource, set);
  const member = memberNamed(resource, path);
  const own = member?.kind === 'relation' ? member.id : path;
  const field = resource.fields.find(({ read, only }) => only !== 'create' && read === own);
  const value = member?.kind === 'relation' ? relationValue(resource, name, path) : plainValue(name, path);
  return {
    ...value,
    wire: field?.wire ?? '',
    target: field,
    ...(member?.kind === 'value' ? { type: member.type, isSame: sameOf(member.type) } : {}),
  };
}

function plainValue(name: string, path: string): FamilyValue {
  const held = heldReader(path);
  return {
    name,
    path,
    wire: '',
    type: undefined,
    keyOf: (record) => keyText(held(record)),
    shownOf: (record) => cellText(record, path),
    isSame: sameOf(undefined),
  };
}

const sameOf =
  (type: ValueType | undefined): FamilyValue['isSame'] =>
  (one, other) =>
    typeof one === 'string' && typeof other === 'string'
      ? isSameToTheLetter(type, one, other)
      : isSameSet([...listOf(one)], [...listOf(other)]);

const listOf = (held: HeldText): readonly string[] => (typeof held !== 'string' ? held : held === '' ? [] : [held]);

function keyText(value: unknown): HeldText | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return value.map((one) => (isMembers(one) ? scalarText(one.id) || JSON.stringify(one) : scalarText(one)));
  return isMembers(value) ? JSON.stringify(value) : scalarText(value);
}

function fieldValue(resource: Resource, field: Field, read: string): FamilyValue {
  const { flag, wire, type } = field;
  const isRelation = namedBy(type) !== undefined;
  const plain = isRelation ? relationValue(resource, flag, read.replace(/\.id$/, '')) : plainValue(flag, read);
  const value = { ...plain, wire, type, path: read, isSame: sameOf(type), target: field };
  if (type.kind !== 'reference') return { ...value, keyOf: plainValue(flag, read).keyOf };
  const keyOf = (record: unknown): string | undefined => {
    const [of, id] = [valueAt(record, `${read}.type`), valueHeld(record, `${read}.id`)];
    return id === undefined ? undefined : scalarText(id) === '' ? '' : `${scalarText(of)}:${scalarText(id)}`;
  };
  return { ...value, keyOf, shownOf: (record) => keyOf(record) ?? '' };
}

/** Compared by id, shown by name. */
function relationValue(resource: Resource, name: string, path: string): FamilyValue {
  const member = memberNamed(resource, path);
  if (member?.kind !== 'relation') return plainValue(name, path);
  const { type } = member;
  const idHeld = heldReader(member.id);
  return {
    ...plainValue(name, path),
    type,
    keyOf: (record) => {
      const held = valueAt(record, path);
      return keyText(Array.isArray(held) ? held : idHeld(record));
    },
    shownOf: (record) => {
      const held = valueAt(record, path);
      if (Array.isArray(held)) return listText(held.map((one) => namedText(type, valueAt(one, 'name'), valueAt(one, 'id'))));
      return namedText(type, valueAt(record, member.name), valueAt(record, member.id));
    },
  };
}

/** A record has the field's number and value (interface: Item, `custom_fields`). */
function customValue({ flag, wire, read = '' }: Field, number: string): FamilyValue {
  const keyOf = (record: unknown): string | undefined => {
    const all = valueAt(record, read);
    const one = Array.isArray(all) ? all.find((each) => isMembers(each) && scalarText(each.id) === number) : undefined;
    return one === undefined ? undefined : scalarText(valueAt(one, 'value'));
  };
  return {
    ...plainValue(`${flag}-${number}`, `${wire}${number}`),
    wire: `${wire}${number}`,
    keyOf,
    shownOf: (record) => keyOf(record) ?? '',
  };
}

const setValue = (resource: Resource, set: ReplacedSet): FamilyValue => ({
  ...relationValue(resource, set.read, set.read),
  wire: set.wire,
  keyOf: (record) => elementTexts(set, record),
  target: set,
});

/** A list of values in one cell. */
export const listText = (texts: readonly (string | number)[]): string => cellText({ list: texts }, 'list');

/** The name of a relation, or the id when the name could be mistaken for something else. */
export function namedText(type: ValueType, name: unknown, id: unknown): string {
  const text = scalarText(name);
  const isName = namedBy(type) !== undefined && text !== '' && text !== '-' && text === text.trim() && !isNumeral(text);
  return isName ? text : scalarText(id);
}

/** The path of a flag or member in a record. A relation gives its whole object. */
export function memberPath(resource: Resource, name: string): string {
  const read = resource.fields.find(({ flag, only }) => only !== 'create' && flag === flagForm(name))?.read?.replace(/\.id$/, '');
  if (read !== undefined) return read;
  const member = memberNamed(resource, name);
  return member !== undefined && 'path' in member ? member.path : name;
}

/** True when a name means the record's title, or a part of the title. */
export function isOfTitle(resource: Resource, name: string): boolean {
  return (
    resource.titleFlags?.includes(flagForm(name)) === true ||
    (resource.title !== undefined && memberPath(resource, name) === resource.title)
  );
}

/** The custom field of a name such as `custom-field-3`. */
export function numberedField({ fields }: Resource, name: string): { readonly field: Field; readonly number: string } | undefined {
  for (const field of fields) {
    if (field.type.kind !== 'numbered' || !flagForm(name).startsWith(`${field.flag}-`)) continue;
    return { field, number: flagForm(name).slice(field.flag.length + 1) };
  }
  return undefined;
}

/** The numbers of the custom fields that a record has. */
export function numbersIn({ read = '' }: Field, record: unknown): string[] {
  const held = valueAt(record, read);
  return Array.isArray(held) ? held.filter(isMembers).map(({ id }) => scalarText(id)) : [];
}
