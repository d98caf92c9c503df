// What a row would make different: field by field, what its record holds and what the file has.

import { notHeld } from '../bodies/held.ts';
import { readBack } from '../bodies/read-back.ts';
import { createShape, updateShape } from '../bodies/shape.ts';
import type { Field } from '../resources/define.ts';
import type { Body } from '../values/body.ts';
import { valueText } from '../values/parse.ts';
import { type Named, namedBy } from '../values/value-type.ts';
import type { ImportPlan } from './plan.ts';

export interface Change {
  /** The name of its flag; of what has none the wire name. */
  readonly field: string;
  /** Null for nothing, and for what can't be read. */
  readonly from: string | null;
  /** Empty for what is cleared. */
  readonly to: string;
  /** Whose ids both are. */
  readonly of?: Named;
}

/** What differs between a record and what a row gives; without a record everything that the row gives. */
export function changesOf({ resource }: ImportPlan, record: unknown, given: Body): Change[] {
  const { fields } = record === undefined ? createShape(resource) : updateShape(resource);
  const held = new Map(fields.flatMap((field) => readBack(field, record)));
  return notHeld(fields, record, given).map(([wire, value]) => {
    const from = valueText(held.get(wire) ?? '');
    const of = namedBy(fields.find((field) => field.wire === wire)?.type);
    return { field: nameOf(fields, wire), from: from === '' ? null : from, to: valueText(value), ...(of === undefined ? {} : { of }) };
  });
}

function nameOf(fields: readonly Field[], wire: string): string {
  const field = fields.find((one) => one.wire === wire);
  if (field !== undefined) return field.flag;
  const whole = fields.find(({ type, wire: lead }) => (type.kind === 'numbered' || type.kind === 'reference') && wire.startsWith(lead));
  if (whole === undefined) return wire;
  return `${whole.flag}${whole.type.kind === 'numbered' ? '-' : '.'}${wire.slice(whole.wire.length).replace(/^_/, '')}`;
}
