// Where body fields read back in a record, and whether a record holds what a row gives: exactly, to tell whether there is
// anything to update; leniently, to recognise what a lost request made.

import type { Body } from '../body.ts';
import { scalarText } from '../json.ts';
import { isMembers, valueAt } from '../paths.ts';
import type { Field, ValueType } from '../resources/define.ts';
import { type Id, valueText } from '../values.ts';
import { readBack } from '../verbs/body.ts';

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
  const readable = new Set(fields.filter(({ read }) => read !== undefined).map(({ wire }) => wire));
  const numbered = fields.filter(({ read, type }) => read !== undefined && type.kind === 'numbered');
  return [...given].every(([wire, value]) => {
    const isReadable = readable.has(wire) || numbered.some((field) => wire.startsWith(field.wire));
    return isReadable && valueText(held.get(wire) ?? '') === valueText(value);
  });
}

/** Whether a record may be what a create body made: every field that reads back equals what was sent. */
export function couldBeFrom(fields: readonly Field[], record: unknown, body: Body): boolean {
  return fields.every((field) =>
    places(field, record).every(({ wire, type, value }) => {
      const sent = body.get(wire);
      return sent === undefined || comparable(type, valueText(sent)) === comparable(type, value);
    }),
  );
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
function places(field: Field, record: unknown): Place[] {
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
  if (type.kind === 'numbered')
    return readBack(field, record).map(([name, value]) => ({ wire: name, type: { kind: 'text' }, value: valueText(value) }));
  return [{ wire, type, value: scalarText(valueAt(record, read)) }];
}

/** A value without what a service may do to it: blanks around, line endings, trailing zeros, the case of an email. */
function comparable(type: ValueType, text: string): string {
  const plain = text.trim().replaceAll(/\r\n?/g, '\n');
  if (type.kind === 'email') return plain.toLowerCase();
  if (type.kind !== 'decimal' || !/^-?\d+(\.\d+)?$/.test(plain)) return plain;
  const short = plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain;
  return short.replace(/^(-?)0+(?=\d)/, '$1').replace(/^-0$/, '0');
}
