// Compares a row with its record, field by field.

import { notHeld } from '../../bodies/held.ts';
import { readBack } from '../../bodies/read-back.ts';
import { createShape, updateShape } from '../../bodies/shape.ts';
import { listText } from '../../changes/file/change-cells.ts';
import type { Difference } from '../../records/difference.ts';
import type { Field, Resource } from '../../resources/define.ts';
import type { Body } from '../../values/body.ts';
import { scalarText } from '../../values/json.ts';
import { valueText } from '../../values/parse.ts';
import { isMembers, valueAt } from '../../values/paths.ts';
import { type Named, namedBy } from '../../values/value-type.ts';
import { type ExtraWrite, namedIn } from '../columns/extras.ts';
import type { ImportPlan } from '../plan.ts';

export interface FieldChange extends Difference {
  /** The kind of record whose ids `old` and `new` hold; ids of a set are separated by semicolons. */
  readonly of?: Named;
}

/** The differences between a record and the values of a row. Without a record, all values of the row. */
export function changesOf({ resource }: ImportPlan, record: unknown, given: Body, extras: readonly ExtraWrite[] = []): FieldChange[] {
  return [...fieldChanges(resource, record, given), ...extras.map((one) => extraChange(one, record))];
}

/** An extra as text: the elements of a set separated by semicolons, people by their ids. */
function extraChange({ extra, elements }: ExtraWrite, record: unknown): FieldChange {
  const held = valueAt(record, extra.name);
  const element = 'set' in extra ? extra.set.element : undefined;
  const texts = (Array.isArray(held) ? held : [held]).map((one: unknown) =>
    scalarText(element !== undefined && isMembers(one) ? one[element] : one),
  );
  const of = namedIn(extra);
  const old = listText(texts.filter((text) => text !== ''));
  return { field: extra.name, old, new: listText(elements), ...(of === undefined ? {} : { of }) };
}

function fieldChanges(resource: Resource, record: unknown, given: Body): FieldChange[] {
  const { fields } = record === undefined ? createShape(resource) : updateShape(resource);
  const held = new Map(fields.flatMap((field) => readBack(field, record)));
  return notHeld(fields, record, given).map(([wire, value]) => {
    const of = namedBy(fields.find((field) => field.wire === wire)?.type);
    return {
      field: nameOf(fields, wire),
      old: valueText(held.get(wire) ?? ''),
      new: valueText(value),
      ...(of === undefined ? {} : { of }),
    };
  });
}

function nameOf(fields: readonly Field[], wire: string): string {
  const field = fields.find((one) => one.wire === wire);
  if (field !== undefined) return field.flag;
  const whole = fields.find(({ type, wire: lead }) => (type.kind === 'numbered' || type.kind === 'reference') && wire.startsWith(lead));
  if (whole === undefined) return wire;
  return `${whole.flag}${whole.type.kind === 'numbered' ? '-' : '.'}${wire.slice(whole.wire.length).replace(/^_/, '')}`;
}
