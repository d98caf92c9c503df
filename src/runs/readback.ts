// Where body fields read back in a record, and whether a record holds what a row gives: exactly, to tell whether there is
// anything to update; leniently, to recognise what a lost request made.

import { readBack } from '../bodies/body.ts';
import type { Field } from '../resources/define.ts';
import type { Body, BodyValue } from '../values/body.ts';
import { scalarText } from '../values/json.ts';
import { type Id, valueText } from '../values/parse.ts';
import { isMembers, valueAt } from '../values/paths.ts';
import type { ValueType } from '../values/value-type.ts';

/** A record's id, a number where that holds it exactly; undefined when it has none. */
export function idOf(record: unknown): Id | undefined {
  const id = isMembers(record) ? record.id : undefined;
  if (typeof id === 'number') return id;
  const text = scalarText(id);
  return text === '' ? undefined : text;
}

/** Whether a record already holds everything that is given. A field that doesn't read back never counts as held. */
export function holdsAll(fields: readonly Field[], record: unknown, given: Body): boolean {
  const held = new Map(fields.flatMap((field) => readBack(field, record)));
  const names = new Map(fields.map((field) => [field.wire, nameOf(field, record)]));
  const readable = new Set(fields.filter(({ read }) => read !== undefined).map(({ wire }) => wire));
  const numbered = fields.filter(({ read, type }) => read !== undefined && type.kind === 'numbered');
  return [...given].every(([wire, value]) => {
    const isReadable = readable.has(wire) || numbered.some((field) => wire.startsWith(field.wire));
    if (!isReadable) return false;
    return valueText(held.get(wire) ?? '') === valueText(value) || (isName(value) && names.get(wire) === value);
  });
}

/** Whether a value of what may be given by its id or its name is a name. */
export const isName = (value: BodyValue): boolean => typeof value === 'string' && !/^\d+$/.test(value);

/** The name that stands in a record beside an id, where the field may be given by either; undefined when there is none. */
export function nameOf({ read, type }: Field, record: unknown): string | undefined {
  if (read === undefined || type.kind !== 'id-or-name') return undefined;
  return scalarText(valueAt(record, read.replace(/[^.]*$/, 'name'))) || undefined;
}

/** How a record fits what was sent. */
export interface Fit {
  /** How much of what was sent it holds: 2 for a value as it was sent, 1 for one that a service may have changed. */
  readonly held: number;
  /** How many fields it holds besides: the service's own defaults, or what somebody else sent. */
  readonly others: number;
}

/** How a record fits a create body; undefined when it holds something else than what was sent. */
export function fitOf(fields: readonly Field[], record: unknown, body: Body): Fit | undefined {
  let [held, others] = [0, 0];
  for (const { wire, type, value } of fields.flatMap((field) => places(field, record, body))) {
    const sent = body.get(wire);
    if (sent === undefined || sent === '') {
      if (value !== '') others += 1;
      if (sent === undefined) continue;
    }
    const text = valueText(sent);
    if (comparable(type, text) !== comparable(type, value)) return undefined;
    if (text !== '') held += text === value ? 2 : 1;
  }
  return { held, others };
}

/** Whether a record may be what a create body made: every field that reads back equals what was sent. */
export function couldBeFrom(fields: readonly Field[], record: unknown, body: Body): boolean {
  return fitOf(fields, record, body) !== undefined;
}

/** What of a body reads back in every record of the family, for finding candidates at once. */
export function commonKey(fields: readonly Field[], body: Body): string {
  return common(fields)
    .map(({ wire, type }) => comparable(type, valueText(body.get(wire) ?? '')))
    .join('\u0000');
}

/** The same of a record. */
export function commonKeyOf(fields: readonly Field[], record: unknown): string {
  return common(fields)
    .map(({ read = '', type }) => comparable(type, scalarText(valueAt(record, read))))
    .join('\u0000');
}

const common = (fields: readonly Field[]): Field[] =>
  fields.filter(({ required, read, type }) => required && read !== undefined && isPlain(type));

const isPlain = ({ kind }: ValueType): boolean => kind !== 'reference' && kind !== 'numbered' && kind !== 'id-or-name' && kind !== 'switch';

interface Place {
  readonly wire: string;
  readonly type: ValueType;
  readonly value: string;
}

/** Where the parts of a field stand in a record, and what stands there. */
function places(field: Field, record: unknown, body: Body): Place[] {
  const { read, wire, type } = field;
  // A unit may have been sent by the name that made it.
  if (read === undefined || type.kind === 'switch' || type.kind === 'id-or-name') return [];
  if (type.kind === 'reference') {
    return ['type', 'id'].map((part) => ({
      wire: `${wire}_${part}`,
      type: { kind: 'text' },
      value: scalarText(valueAt(record, `${read}.${part}`)),
    }));
  }
  if (type.kind === 'numbered') return numberedPlaces(field, record, body);
  return [{ wire, type, value: scalarText(valueAt(record, read)) }];
}

/** Of a record that tells its custom fields: those that it has, and those that were sent. */
function numberedPlaces(field: Field, record: unknown, body: Body): Place[] {
  if (!Array.isArray(valueAt(record, field.read ?? ''))) return [];
  const held = new Map(readBack(field, record).map(([wire, value]) => [wire, valueText(value)]));
  const sent = [...body.keys()].filter((wire) => wire.startsWith(field.wire));
  return [...new Set([...held.keys(), ...sent])].map((wire) => ({ wire, type: { kind: 'text' }, value: held.get(wire) ?? '' }));
}

/** A value without what a service may do to it: blanks, line endings, trailing zeros, the case of an email. */
function comparable(type: ValueType, text: string): string {
  const plain = text.replaceAll(/\s+/g, '');
  if (type.kind === 'email') return plain.toLowerCase();
  if (type.kind !== 'decimal' || !/^-?\d+(\.\d+)?$/.test(plain)) return plain;
  const short = plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain;
  return short.replace(/^(-?)0+(?=\d)/, '$1').replace(/^-0$/, '0');
}
