// What a value of a change is written by: a field of the update, an action, a state or a set; and the row of a change file, of an editor or
// of a merge that gives such values.

import { extrasOf } from '../../bodies/extras.ts';
import { flagForm, isNumberUpTo } from '../../bodies/names.ts';
import { updateShape } from '../../bodies/shape.ts';
import type { Place } from '../../files/problems.ts';
import type { Difference } from '../../records/difference.ts';
import type { Action, Field, ReplacedSet, Resource } from '../../resources/define.ts';
import { underscored } from '../../resources/members.ts';
import { type Id, keptId } from '../../values/parse.ts';
import { listIn, numberedField } from './change-cells.ts';

/** A field. `number`: which of the custom fields. */
export interface FieldTarget {
  readonly kind: 'field';
  readonly name: string;
  readonly field: Field;
  readonly number?: string;
}

/** What a column's values are written by. */
export type Target =
  | FieldTarget
  | { readonly kind: 'action'; readonly name: string; readonly action: Action }
  /** Each of the actions stands for a value. */
  | { readonly kind: 'state'; readonly name: string; readonly actions: readonly Action[] }
  | { readonly kind: 'set'; readonly name: string; readonly set: ReplacedSet };

/** A value that is to be different, and what it is written by. */
export interface TargetChange extends Difference {
  readonly target: Target;
}

/** A row of a change file, or what was changed of a record in an editor. */
export interface FileRow {
  readonly id: Id;
  /** Where it stands, or its value of that name: on its line; of a row on no line what messages call it. */
  place(name?: string): Place | string;
  readonly changes: readonly TargetChange[];
  /** What must still be so, by the names of members. */
  readonly guards: ReadonlyMap<string, string>;
  /** The kept record of a merge. It must be open, and its writes come before those of this row. */
  readonly into?: Id | undefined;
  /** The record, where somebody has read it: what it is called. */
  readonly record?: unknown;
  /** The record as an editor showed it: compared to the letter, where a text that went through a spreadsheet can't be. */
  readonly shown?: unknown;
}

/** How the tag of a record begins that is merged into another one: its id follows. */
export const mergedInto = 'merged-into-';

/** The kept record's id, when the row archives its record with a `merged-into-` tag. `pairs`: also values that stay. */
export function intoOf(pairs: readonly TargetChange[]): Id | undefined {
  const isArchiving = pairs.some(
    ({ target, old, new: now }) =>
      target.kind === 'state' && old !== now && target.actions.some((one) => one.reads?.value === now && !one.initial),
  );
  const tags = pairs.flatMap(({ target, new: now }) => (target.kind === 'set' && target.set.element === undefined ? listIn(now) : []));
  const id = tags.find((tag) => tag.startsWith(mergedInto))?.slice(mergedInto.length) ?? '';
  return isArchiving && /^[1-9]\d*$/.test(id) ? keptId(id) : undefined;
}

/** The field of an update that a column gives. */
export function fieldNamed(resource: Resource, name: string): FieldTarget | undefined {
  const numbered = numberedField(resource, name);
  if (numbered !== undefined) {
    const { field, number } = numbered;
    return field.type.kind === 'numbered' && isNumberUpTo(field.type.max, number) ? { kind: 'field', name, field, number } : undefined;
  }
  const field = updateShape(resource).fields.find(({ flag, read }) => flag === flagForm(name) && read !== undefined);
  return field === undefined ? undefined : { kind: 'field', name, field };
}

/** `isAlone`: no other column gives a field, so that what has an action of its own is set by that. */
export function targetOf(resource: Resource, name: string, isAlone: boolean): Target | undefined {
  const { actions = [], guarded = [] } = resource;
  const action = [...actions, ...guarded].find(({ value }) => value?.wire === name);
  const field = fieldNamed(resource, name);
  if (field !== undefined && (action === undefined || !isAlone)) return field;
  if (action !== undefined) return { kind: 'action', name, action };
  const extra = extrasOf(resource).find((one) => one.name === ('set' in one ? name : underscored(name)));
  if (extra === undefined) return undefined;
  return 'set' in extra ? { kind: 'set', name, set: extra.set } : { kind: 'state', name, actions: extra.actions };
}
