// The extras of a family: values with an endpoint of their own, such as assignees, tags, the archived state and a proposal's status. Pure.

import type { Action, ReplacedSet, Resource } from '../define.ts';
import { actionPath } from './held.ts';

/** A value with an endpoint of its own. `name` is the column, the word in messages and the path in records. */
export type Extra =
  | { readonly name: string; readonly set: ReplacedSet }
  /** The actions that set the value: a single action with a value, or an action for each value. */
  | { readonly name: string; readonly actions: readonly Action[] };

/**
 * The writes of one record in the order in which they are sent: an archived record is made active, then its fields, its status, its
 * assignees and tags; it is archived and commented on at the end. `kind`: `update`, or the verb of an action, a set or an operation.
 */
export function inOrder<T extends { readonly kind: string }>(
  { actions = [], guarded = [], sets = [] }: Resource,
  writes: readonly T[],
): T[] {
  const valued = [...actions, ...guarded].filter(({ value }) => value !== undefined);
  const order = [...actions.filter(({ initial }) => initial), { verb: 'update' }, ...valued, ...sets, ...actions].map(({ verb }) => verb);
  const orderOfWrite = ({ kind }: T): number => (order.includes(kind) ? order.indexOf(kind) : order.length);
  return writes.toSorted((one, other) => orderOfWrite(one) - orderOfWrite(other));
}

/** The extras of a family: actions with a value, sets, states. Journals have their numbers: the order never changes. */
export function extrasOf(resource: Resource): Extra[] {
  const { actions = [], guarded = [], sets = [], fields } = resource;
  const isExtra = (path: string | undefined): path is string => path !== undefined && fields.every(({ read }) => read !== path);
  const valued = [...actions, ...guarded].filter(({ value }) => value !== undefined);
  // An action without an opposite sets no state.
  const states = Map.groupBy(
    actions.filter(({ reads, undo }) => reads !== undefined && undo !== undefined),
    ({ reads }) => reads?.path ?? '',
  );
  return [
    ...valued.flatMap((action): Extra[] => {
      const path = actionPath(resource, action);
      return isExtra(path) ? [{ name: path, actions: [action] }] : [];
    }),
    ...sets.map((set): Extra => ({ name: set.read, set })),
    ...[...states].map(([name, some]): Extra => ({ name, actions: some })),
  ];
}
