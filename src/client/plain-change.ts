// Changes of a record: the write, whether a record holds its values, and what a record tells of the sent write. Commands and the library share them. Pure.

import type { Body } from '../base/values/body.ts';
import { valueText } from '../base/values/parse.ts';
import { valueAt } from '../base/values/paths.ts';
import { checkCompleted } from '../model/bodies/create-body.ts';
import { actionPath, heldOf, holdsAll, tellsAction, tellsGiven, tellsSet } from '../model/bodies/held.ts';
import type { Naming } from '../model/bodies/names.ts';
import { setBody } from '../model/bodies/operations.ts';
import { mergeBody } from '../model/bodies/read-back.ts';
import { type Element, elementsShown, elementTexts, isSameSet } from '../model/bodies/replaced-set.ts';
import type { Action, ReplacedSet, Resource } from '../model/define.ts';
import { updateShape } from '../model/shape.ts';
import type { AskedValue } from '../model/taken.ts';
import { type FamilyValue, valuesOf } from '../model/values.ts';
import type { RecordWrite } from './write-record.ts';

export interface PlainChange {
  /** The write for a record. `record` is undefined when the record was not read. Throws a CrmError when no write can be made. */
  write(record: unknown): RecordWrite;
  /** True when the record already holds all values: then nothing is sent. */
  holds(record: unknown): boolean;
  /** Tells whether a record has the sent values; undefined when the record lacks their members. Not called for a delete. */
  tells(record: unknown, sent: RecordWrite): boolean | undefined;
  /** The overwritten values of a record, for the journal. */
  valuesIn(record: unknown): unknown;
  /** The values that a sent write asks for, as far as records show them. Absent for what records don't show: a delete, a comment. */
  asks?(sent: RecordWrite): readonly AskedValue[];
}

/** An update: sends the whole record with the given values. The write throws UsageError. `named`: field names in its message. */
export function plainUpdate(resource: Resource, given: Body, named: Naming): PlainChange {
  const shape = updateShape(resource);
  return {
    write: (record) => {
      const body = mergeBody(shape.fields, record, given);
      checkCompleted(shape, body, named, { singular: resource.singular, given });
      return { method: 'PATCH', body };
    },
    holds: (record) => holdsAll(shape.fields, record, given),
    tells: (record) => tellsGiven(shape.fields, record, given),
    valuesIn: (record) => heldOf(shape.fields, record, given),
    asks: () =>
      [...given].flatMap(([wire, sent]) =>
        askedOf(
          valuesOf(resource).find((one) => one.wire === wire),
          valueText(sent),
        ),
      ),
  };
}

/** An action. `body`: its value, if it has one. */
export function plainAction(resource: Resource, action: Action, body: Body | undefined): PlainChange {
  const path = actionPath(resource, action);
  const wanted = action.value === undefined ? (action.reads?.value ?? '') : valueText(body?.get(action.value.wire) ?? '');
  return {
    write: () => ({
      method: 'PUT',
      below: action.path,
      ...(body === undefined ? {} : { body }),
      ...(action.repeatable ? { repeatable: true as const } : {}),
      ...(action.conflict === undefined ? {} : { conflict: action.conflict.code }),
    }),
    holds: (record) => path !== undefined && tellsAction(resource, action, body, record) === true,
    tells: (record) => tellsAction(resource, action, body, record),
    valuesIn: (record) => (path === undefined ? {} : { [path]: valueAt(record, path) ?? null }),
    asks: () =>
      askedOf(
        valuesOf(resource).find((one) => one.path === path),
        wanted,
        true,
      ),
  };
}

/** A set that is replaced. `elementsFor`: the whole new set for a record. */
export function plainSet(set: ReplacedSet, elementsFor: (record: unknown) => readonly Element[]): PlainChange {
  return {
    write: (record) => ({ method: 'PUT', below: set.path, body: setBody(set, elementsFor(record)), repeatable: true }),
    holds: (record) => tellsSet(set, elementsFor(record), record) === true,
    tells: (record, sent) => tellsSet(set, elementsSent(set, sent), record),
    valuesIn: (record) => ({ [set.read]: valueAt(record, set.read) ?? null }),
    asks: (sent) => [{ value: valueOfSet(set), asked: elementsSent(set, sent).map(String), isPlain: true }],
  };
}

/** The kinds of values that are judged without a read before their write: nothing but the value itself is right. */
const plainKinds: ReadonlySet<string | undefined> = new Set(['id', 'id-or-name', 'choice']);

const askedOf = (value: FamilyValue | undefined, asked: string, isPlain = plainKinds.has(value?.type?.kind)): AskedValue[] =>
  value === undefined ? [] : [{ value, asked, isPlain }];

/** A set as a compared value. */
function valueOfSet(set: ReplacedSet): AskedValue['value'] {
  const { read, value } = set;
  return {
    name: read,
    type: value.type,
    keyOf: (record) => elementTexts(set, record),
    shownOf: (record) => elementsShown(set, valueAt(record, read)).join(', '),
    isSame: (one, other) => isSameSet([one].flat(), [other].flat()),
  };
}

/** The given fields of a write's body, for the journal. Without `given`: the whole body. */
export const bodyToNote = ({ body }: RecordWrite, given: Body | undefined): Body | undefined =>
  given === undefined ? body : new Map([...given].map(([wire, value]) => [wire, body?.get(wire) ?? value]));

/** The elements that a write of a set holds. */
export function elementsSent({ wire }: ReplacedSet, { body }: RecordWrite): readonly Element[] {
  const sent = body?.get(wire);
  return typeof sent === 'object' ? sent : [];
}
