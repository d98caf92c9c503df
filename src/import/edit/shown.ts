// What an editor shows of records: each value that an update takes, under the name of its flag, as a text that import reads back. Of what
// has a name the name stands there, else the id.

import { heldOf, isSameValue, notHeld } from '../../bodies/held.ts';
import { fieldSuggestion } from '../../bodies/names.ts';
import { updateShape } from '../../bodies/shape.ts';
import { type InvalidValue, InvalidValues } from '../../errors.ts';
import { nameIn } from '../../names/name-in.ts';
import { displayText } from '../../records/display.ts';
import type { Field, Resource } from '../../resources/define.ts';
import type { Body } from '../../values/body.ts';
import { scalarText } from '../../values/json.ts';
import type { Id } from '../../values/parse.ts';
import { isMembers, valueAt } from '../../values/paths.ts';
import { askedOf, type HeldValue } from '../../verbs/effect.ts';
import { meaningOf, namePath } from '../columns/columns.ts';

/** A value that is shown. */
export interface ShownField {
  /** The name of its flag; of one of the custom fields with its number: `custom-field-3`. */
  readonly name: string;
  readonly field: Field;
  /** Of custom fields: which one. Absent: all that the records have. */
  readonly number?: string;
}

/** A record as it was when the editor opened. */
export interface OpenRecord {
  readonly id: Id;
  /** What it is called; '' where it has no title. */
  readonly title: string;
  /** As it was read. */
  readonly record: unknown;
  /** The text of a value, as it was read. */
  textOf(shown: ShownField): string;
}

/** What is shown of a family's records: all that an update takes and a record tells, or what --fields names. Throws InvalidValues. */
export function shownFields(resource: Resource, names: readonly string[] | undefined): ShownField[] {
  const all = updateShape(resource).fields.filter(isShown);
  if (names === undefined) return all.map((field) => ({ name: field.flag, field }));
  const wrong: InvalidValue[] = [];
  const chosen = new Map<string, ShownField>();
  for (const name of names) {
    const column = meaningOf(resource, name);
    if (column?.kind === 'id') continue;
    const field = column !== undefined && 'field' in column ? all.find((one) => one === column.field) : undefined;
    if (column === undefined || field === undefined) {
      const set = column?.kind === 'extra' && 'set' in column.extra ? `: crm ${resource.name} ${column.extra.set.verb} changes it` : '';
      const never = column !== undefined && 'field' in column && column.field?.only === 'create' ? ' once the record is there' : '';
      const known = `"${name}" can't be edited${never}${set}.`;
      const problem = column === undefined ? `there is no field "${name}".${fieldSuggestion(all, name)}` : known;
      wrong.push({ where: '--fields', problem });
    } else if (column.kind === 'wire') {
      const number = column.wire.slice(field.wire.length);
      chosen.set(column.wire, { name: `${field.flag}-${number}`, field, number });
    } else chosen.set(field.wire, { name: field.flag, field });
  }
  if (wrong.length > 0) throw new InvalidValues(wrong);
  return [...chosen.values()];
}

const isShown = ({ read, type }: Field): boolean => read !== undefined && type.kind !== 'reference' && type.kind !== 'switch';

/** Where records hold what is shown. */
export const shownPaths = (resource: Resource, shown: readonly ShownField[]): string[] =>
  shown.flatMap(({ field }) => [field.read ?? field.flag, namePath(resource, field)].filter((path) => path !== undefined));

/** The fields, with one for each of the custom fields that some record has. */
export function numberedOut(shown: readonly ShownField[], records: readonly unknown[]): ShownField[] {
  return shown.flatMap((one) => {
    if (one.field.type.kind !== 'numbered' || one.number !== undefined) return [one];
    const numbers = new Set(records.flatMap((record) => numberedIn(one.field, record).map(({ id }) => scalarText(id))));
    return [...numbers].map((number) => ({ ...one, name: `${one.field.flag}-${number}`, number }));
  });
}

/** A record as the editor shows it. */
export function openRecord(resource: Resource, id: Id, record: unknown): OpenRecord {
  return {
    id,
    title: resource.title === undefined ? '' : scalarText(valueAt(record, resource.title)),
    record,
    textOf: ({ field, number }) => {
      if (number !== undefined) return scalarText(numberedIn(field, record).find((one) => scalarText(one.id) === number)?.value);
      const path = namePath(resource, field);
      const name = path === undefined ? '' : scalarText(valueAt(record, path));
      return nameIn(field.type, name)?.name === name ? name : scalarText(valueAt(record, field.read ?? ''));
    },
  };
}

/**
 * Which values that are given somebody has changed since a record was shown, in words: `status is Contacted there, not New`. What the record
 * holds already is none of them. Undefined where all the others are as they were shown.
 */
export function changedSince(resource: Resource, shown: unknown, record: unknown, given: Body): string | undefined {
  const { fields } = updateShape(resource);
  const wanted: Body = new Map(notHeld(fields, record, given));
  const [was, is] = [heldOf(fields, shown, wanted), heldOf(fields, record, wanted)];
  const changed: Body = new Map([...wanted].filter(([wire]) => !isSameValue(fields, wire, was[wire] ?? '', is[wire] ?? '')));
  if (changed.size === 0) return undefined;
  return askedOf(resource, fields, changed)
    .map(({ name, held }) => otherText(name, held(shown), held(record)))
    .join('; ');
}

/** A value longer than this is not repeated in a message. */
const longestTold = 60;

function otherText(name: string, was: HeldValue | undefined, is: HeldValue | undefined): string {
  if (was === undefined || is === undefined) return `${name} is another there`;
  const isAmbiguous = was.shown === is.shown;
  const [before, now] = [was, is].map(({ key, shown }) => (isAmbiguous ? displayText(key) : shown) || 'empty') as [string, string];
  if (before === now || Math.max(before.length, now.length) > longestTold) return `${name} is another there`;
  return `${name} is ${now} there, not ${before}`;
}

/** The custom fields of a record (interface: Item, `custom_fields`). */
function numberedIn({ read = '' }: Field, record: unknown): { readonly id?: unknown; readonly value?: unknown }[] {
  const value = valueAt(record, read);
  return Array.isArray(value) ? value.filter(isMembers) : [];
}
