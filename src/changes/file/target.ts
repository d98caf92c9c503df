// The way a changed value is written: as a field of the update, an action, a state or a set. Also the rows of changed values, from a
// change file, an editor or a merge.

import type { Place } from '../../base/files/problems.ts';
import type { Id } from '../../base/values/parse.ts';
import { extrasOf } from '../../model/bodies/extras.ts';
import { flagForm, isNumberUpTo } from '../../model/bodies/names.ts';
import type { Action, Field, ReplacedSet, Resource } from '../../model/define.ts';
import { underscored } from '../../model/members.ts';
import type { Difference } from '../../model/records/difference.ts';
import { updateShape } from '../../model/shape.ts';
import { numberedField } from '../../model/values.ts';
import type { Chosen } from '../../reading/selection.ts';
import type { RecordWrites } from '../record-change.ts';

/** A field of the update. `number`: of a custom field. */
export interface FieldTarget {
  readonly kind: 'field';
  readonly name: string;
  readonly field: Field;
  readonly number?: string;
}

/** The way a column's values are written. */
export type Target =
  | FieldTarget
  | { readonly kind: 'action'; readonly name: string; readonly action: Action }
  /** Each action sets one value. */
  | { readonly kind: 'state'; readonly name: string; readonly actions: readonly Action[] }
  | { readonly kind: 'set'; readonly name: string; readonly set: ReplacedSet };

/** A changed value, and the way it is written. */
export interface TargetChange extends Difference {
  readonly target: Target;
}

/** A row of a change file, an edit or a merge: the changes of one record. */
export interface FileRow {
  readonly id: Id;
  /** The place of the row, or of its value `name`, for messages. A text when the row is no line of a file. */
  place(name?: string): Place | string;
  readonly changes: readonly TargetChange[];
  /** Values that the record must still have, by member. */
  readonly guards: ReadonlyMap<string, string>;
  /** The texts of a file's other columns, whose old and new value are equal. */
  readonly alike?: ReadonlyMap<string, string>;
  /** The kept record of a merge. The kept record must be open, and is written first. */
  readonly into?: Id | undefined;
  /** The record, if it was read already. Messages name its title. */
  readonly record?: unknown;
  /** The record as an editor showed it: its values are compared to the letter. Absent for a file, since spreadsheets rewrite numbers. */
  readonly shown?: unknown;
}

/** A record with its row and the writes that the row makes. */
export interface ChangeOfRow {
  readonly one: Chosen;
  readonly change: RecordWrites;
  readonly row: FileRow;
}

/** The update field of a column. */
export function fieldTarget(resource: Resource, name: string): FieldTarget | undefined {
  const numbered = numberedField(resource, name);
  if (numbered !== undefined) {
    const { field, number } = numbered;
    return field.type.kind === 'numbered' && isNumberUpTo(field.type.max, number) ? { kind: 'field', name, field, number } : undefined;
  }
  const field = updateShape(resource).fields.find(({ flag, read }) => flag === flagForm(name) && read !== undefined);
  return field === undefined ? undefined : { kind: 'field', name, field };
}

/**
 * The target of a column. `isAlone`: no other column gives a field. Then an action sets the value, if the family has an action for the
 * value.
 */
export function targetOf(resource: Resource, name: string, isAlone: boolean): Target | undefined {
  const { actions = [], guarded = [] } = resource;
  const action = [...actions, ...guarded].find(({ value }) => value?.wire === name);
  const field = fieldTarget(resource, name);
  if (field !== undefined && (action === undefined || !isAlone)) return field;
  if (action !== undefined) return { kind: 'action', name, action };
  const extra = extrasOf(resource).find((one) => one.name === ('set' in one ? name : underscored(name)));
  if (extra === undefined) return undefined;
  return 'set' in extra ? { kind: 'set', name, set: extra.set } : { kind: 'state', name, actions: extra.actions };
}
