// What a name means: a field by its flag, hyphens or underscores; a part of a body by its wire name; and what somebody may
// have meant by a name that there isn't. Pure.

import type { Field } from '../resources/define.ts';
import { nameNear, nameWithin } from '../values/text/suggest.ts';
import type { ValueType } from '../values/value-type.ts';
import type { BodyShape } from './shape.ts';

/** How a message names a field. */
export type Naming = (field: Field) => string;

export const asFlag: Naming = ({ flag }) => `--${flag}`;
export const asMember: Naming = ({ flag }) => flag;

/** A name as flags are written: `Company Name` and `company_name` are `company-name`. */
export const flagForm = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '-');

/** The field of that flag, however its words are put together. */
export function fieldByFlag(fields: readonly Field[], name: string): Field | undefined {
  const flag = flagForm(name);
  return fields.find((field) => field.flag === flag);
}

/**
 * What a wire name means: a field, the type or id of a reference, one of the custom fields. Undefined for all else. `field`: absent for the
 * name that tells which of some flags was given.
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

/** Whether a text is a whole number from 1 to `max`, as a wire name has it. */
export const isNumberUpTo = (max: number, text: string): boolean => /^[1-9]\d*$/.test(text) && Number(text) <= max;

/** What a field is called on the wire, for messages. */
export function wireName({ wire, type }: Field): string {
  if (type.kind === 'reference') return `${wire}_type (and ${wire}_id)`;
  return type.kind === 'numbered' ? `${wire}1 to ${wire}${type.max}` : wire;
}

/** ` Did you mean "category"?`: by flags, wire names and where values read back; '' when no name is near. */
export function fieldSuggestion(fields: readonly Field[], name: string): string {
  const flag = nearFlag(fields, name);
  return flag === undefined ? '' : ` Did you mean "${flag}"?`;
}

function nearFlag(fields: readonly Field[], name: string): string | undefined {
  const flags = new Map(fields.map(({ flag }) => [flag, flag]));
  for (const { flag, wire, read } of fields) {
    for (const other of [wire, read ?? wire].map(flagForm)) if (!flags.has(other)) flags.set(other, flag);
  }
  const wanted = flagForm(name);
  const near = nameNear(wanted, [...flags.keys()]);
  if (near !== undefined) return flags.get(near);
  return nameWithin(
    wanted,
    fields.map(({ flag }) => flag),
  );
}
