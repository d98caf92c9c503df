// Finds a field by its flag, written with hyphens or underscores, or by its wire name. Suggests a field for an unknown name. Pure.

import { nameNear, nameWithin } from '../../base/values/text/suggest.ts';
import type { ValueType } from '../../base/values/value-type.ts';
import type { Field } from '../define.ts';
import type { BodyShape } from '../shape.ts';

/** Names a field in messages. */
export type Naming = (field: Field) => string;

export const asFlag: Naming = ({ flag }) => `--${flag}`;
export const asMember: Naming = ({ flag }) => flag;

/** A name in the form of a flag: `company-name` for `Company Name` and `company_name`. */
export const flagForm = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '-');

/** The field with this flag, in any form of the name. */
export function fieldByFlag(fields: readonly Field[], name: string): Field | undefined {
  const flag = flagForm(name);
  return fields.find((field) => field.flag === flag);
}

/**
 * The part of a body with a wire name: a field, the type or id of a reference, or a custom field. Undefined for other names. `field` is
 * absent for the wire name of a `oneOf`.
 */
export function wirePart(
  { fields, oneOf }: BodyShape,
  name: string,
): { readonly wire: string; readonly type: ValueType; readonly field?: Field } | undefined {
  if (name === oneOf?.wire) return { wire: name, type: { kind: 'choice', values: oneOf.flags } };
  for (const field of fields) {
    const { wire, type } = field;
    if (type.kind === 'reference') {
      if (name === `${wire}_type`) return { wire: name, type: { kind: 'choice', values: type.types }, field };
      if (name === `${wire}_id`) return { wire: name, type: { kind: 'id' }, field };
    } else if (type.kind === 'numbered') {
      if (isNumberUpTo(type.max, name.startsWith(wire) ? name.slice(wire.length) : ''))
        return { wire: name, type: { kind: 'text' }, field };
    } else if (name === wire) return { wire, type, field };
  }
  return undefined;
}

/** True for a whole number from 1 to `max` without leading zeros. */
export const isNumberUpTo = (max: number, text: string): boolean => /^[1-9]\d*$/.test(text) && Number(text) <= max;

/** The wire name of a field for messages. */
export function wireName({ wire, type }: Field): string {
  if (type.kind === 'reference') return `${wire}_type (and ${wire}_id)`;
  return type.kind === 'numbered' ? `${wire}1 to ${wire}${type.max}` : wire;
}

/** ` Did you mean "category"?` for a name near a flag, a wire name or a path; empty when no name is near. */
export function fieldSuggestion(fields: readonly Field[], name: string): string {
  const flags = new Map(fields.map(({ flag }) => [flag, flag]));
  for (const { flag, wire, read } of fields) {
    for (const other of [wire, read ?? wire].map(flagForm)) if (!flags.has(other)) flags.set(other, flag);
  }
  const wanted = flagForm(name);
  const ownFlags = fields.map(({ flag }) => flag);
  const flag = flags.get(nameNear(wanted, [...flags.keys()]) ?? '') ?? nameWithin(wanted, ownFlags);
  return flag === undefined ? '' : ` Did you mean "${flag}"?`;
}
