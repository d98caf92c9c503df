// The flag or query that lists the records attached to a record, by the filter of their family. Pure.

import { scalarText } from '../base/values/json.ts';
import type { Id } from '../base/values/parse.ts';
import { isMembers, valueAt } from '../base/values/paths.ts';
import { filterQueries } from './bodies/given.ts';
import type { Attached, Resource } from './define.ts';
import { resources } from './resources/index.ts';

/**
 * The flag that lists the attached records: `['resource', 'lead:12']` for `--resource lead:12`. Undefined for a list below the record's
 * path.
 */
export function attachedFilter(attached: Attached, id: Id): readonly [flag: string, value: string] | undefined {
  if (!('filter' in attached)) return undefined;
  return [attached.filter, attached.type === undefined ? String(id) : `${attached.type}:${id}`];
}

/** The query that lists the attached records in their family. Throws UsageError when the family has no such filter. */
export function attachedQuery(family: Resource, attached: Attached, id: Id): readonly (readonly [name: string, value: string])[] {
  const filter = attachedFilter(attached, id);
  return filterQueries(family.filters, filter === undefined ? {} : { [filter[0]]: filter[1] })[0] ?? [];
}

/**
 * True when a record refers to the record with this id, or doesn't show the reference. Checked because a service may ignore a list's
 * filter.
 */
export function hangsOn(record: unknown, attached: Attached, id: Id): boolean {
  if (!('filter' in attached)) return true;
  const held = valueAt(record, attached.filter);
  if (held === undefined) return true;
  if (!isMembers(held) || scalarText(held.id) !== scalarText(id)) return false;
  return attached.type === undefined || held.type === undefined || held.type === attached.type;
}

/** The paths of the records whose deletion would also delete this record: `/api/leads/12`. */
export function pathsAbove(record: unknown, family: string): string[] {
  return resources.flatMap(({ path, attached = [] }) =>
    attached.flatMap((one) => {
      if (one.name !== family || !one.takenAlong || !('filter' in one)) return [];
      const held = valueAt(record, one.filter);
      return isMembers(held) && hangsOn(record, one, scalarText(held.id)) ? [`${path}/${scalarText(held.id)}`] : [];
    }),
  );
}
