// Finds the records that may stand twice, because their creates were sent again.

import { scalarText } from '../../base/values/json.ts';
import type { Api } from '../../client/client.ts';
import { listPages } from '../../client/paging.ts';
import { toldText } from '../../model/bodies/telling.ts';
import type { Resource } from '../../model/define.ts';
import { creationOrder, idOf } from '../../model/identity.ts';

/** The longest list that is read, in pages. */
const mostPages = 100;

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
  const titles = resource.fields.filter(({ read }) => read !== undefined && read === resource.title);
  const own = new Map<string, string>();
  const others = new Map<string, string[]>();
  const request = { method: 'GET' as const, path: resource.path, query: creationOrder(resource, 'desc') };
  let pages = 0;
  for await (const { data, meta } of listPages(api, request, { kind: 'all', complete: true }, signal)) {
    pages += 1;
    if (Math.max(pages, meta?.last_page ?? 0) > mostPages) return undefined;
    for (const record of data as readonly unknown[]) {
      const id = scalarText(idOf(record));
      const title = toldText(titles, record);
      if (made.has(id)) own.set(title, id);
      else if (!known.has(id)) others.set(title, [...(others.get(title) ?? []), id]);
    }
  }
  return [...own].flatMap(([title, id]) => {
    const twins = others.get(title);
    return twins === undefined ? [] : [[id, ...twins]];
  });
}
