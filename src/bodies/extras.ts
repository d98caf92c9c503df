// What a family's records have beside their fields, and has an endpoint of its own: assignees, tags, whether it is archived, a proposal's
// status. Pure.

import type { Action, ReplacedSet, Resource } from '../resources/define.ts';
import { actionPath } from './shown.ts';

/** `name`: as columns and messages call it, and where records hold it. */
export type Extra =
  | { readonly name: string; readonly set: ReplacedSet }
  /** Actions that set it: one that carries the value, or one for each value. */
  | { readonly name: string; readonly actions: readonly Action[] };

/** They stand in the order in which they are written: what carries its value, sets, states. */
export function extrasOf(resource: Resource): Extra[] {
  const { actions = [], guarded = [], sets = [], fields } = resource;
  const isExtra = (path: string | undefined): path is string => path !== undefined && fields.every(({ read }) => read !== path);
  const valued = [...actions, ...guarded].filter(({ value }) => value !== undefined);
  // What can't be taken back is no state.
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
