// How the records that hang on a record are found in their family's list: as its filter says it, on a command line and in a query. Pure.

import type { Attached, Resource } from '../resources/define.ts';
import { resources } from '../resources/index.ts';
import { scalarText } from '../values/json.ts';
import type { Id } from '../values/parse.ts';
import { isMembers, valueAt } from '../values/paths.ts';
import { filterQueries } from './given.ts';

/** What is typed to list them: `['resource', 'lead:12']` for `--resource lead:12`. Undefined for what has a list of its own. */
export function attachedFilter(attached: Attached, id: Id): readonly [flag: string, value: string] | undefined {
  if (!('filter' in attached)) return undefined;
  return [attached.filter, attached.type === undefined ? String(id) : `${attached.type}:${id}`];
}

/** The query that lists them in their family. Throws UsageError where the family has no such filter. */
export function attachedQuery(family: Resource, attached: Attached, id: Id): readonly (readonly [name: string, value: string])[] {
  const filter = attachedFilter(attached, id);
  return filterQueries(family.filters, filter === undefined ? {} : { [filter[0]]: filter[1] })[0] ?? [];
}

/** Whether a record says itself that it hangs on another one: a service may ignore a list's filter. Of one that doesn't say the filter is believed. */
export function hangsOn(record: unknown, attached: Attached, id: Id): boolean {
  if (!('filter' in attached)) return true;
  const held = valueAt(record, attached.filter);
  if (held === undefined) return true;
  if (!isMembers(held) || scalarText(held.id) !== scalarText(id)) return false;
  return attached.type === undefined || held.type === undefined || held.type === attached.type;
}

/** The paths of the records that a record of `family` says it hangs on, and would go with: `/api/leads/12`. */
export function pathsAbove(record: unknown, family: string): string[] {
  return resources.flatMap(({ path, attached = [] }) =>
    attached.flatMap((one) => {
      if (one.name !== family || !one.takenAlong || !('filter' in one)) return [];
      const held = valueAt(record, one.filter);
      return isMembers(held) && hangsOn(record, one, scalarText(held.id)) ? [`${path}/${scalarText(held.id)}`] : [];
    }),
  );
}
