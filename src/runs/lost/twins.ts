// Finds the records that may stand twice, because their creates were sent again.

import { scalarText } from '../../base/values/json.ts';
import { valueAt } from '../../base/values/paths.ts';
import type { Api } from '../../client/client.ts';
import { seeRecords } from '../../client/paging.ts';
import type { Resource } from '../../model/define.ts';
import { creationOrder, idOf } from '../../model/identity.ts';

/**
 * Groups of ids: the record of a run, then the records with the same title; the other values of a twin may have been edited since. `made`:
 * ids of the run's records. `known`: ids that are nobody's twin, because a journal knows who made them. Undefined when the list has more
 * than 100 pages. Throws like Api.read.
 */
export async function twinsIn(
  api: Api,
  resource: Resource,
  made: ReadonlySet<string>,
  known: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<string[][] | undefined> {
  const own = new Map<string, string>();
  const others = new Map<string, string[]>();
  const request = { method: 'GET' as const, path: resource.path, query: creationOrder(resource, 'desc') };
  const isWhole = await seeRecords(api, request, signal, (record) => {
    const id = scalarText(idOf(record));
    const title = scalarText(valueAt(record, resource.title ?? '')).trim();
    if (made.has(id)) own.set(title, id);
    else if (!known.has(id)) others.set(title, [...(others.get(title) ?? []), id]);
  });
  if (!isWhole) return undefined;
  return [...own].flatMap(([title, id]) => {
    const twins = others.get(title);
    return twins === undefined ? [] : [[id, ...twins]];
  });
}
