// Reads the newest records of a family, among which lost creates are looked for.

import { scalarText } from '../../base/values/json.ts';
import type { Api } from '../../client/client.ts';
import { largestPage, listPages } from '../../client/paging.ts';
import type { Resource } from '../../model/define.ts';
import { createdOf, creationOrder, idOf, timeOf } from '../../model/identity.ts';

/**
 * The newest records of a family, by id. Without a baseline, the newest hundred. With a baseline, the records above its lowest one: stamps
 * of creation are cut to seconds, so new records may stand among those of the baseline. Reads the whole list when a page does not come
 * newest first. Throws the errors of Api.read, and UnavailableError when fewer records came than the service's total.
 */
export async function newestRecords(
  api: Api,
  resource: Resource,
  baseline: ReadonlySet<string> | undefined,
  signal: AbortSignal,
): Promise<Map<string, unknown>> {
  const request = { method: 'GET' as const, path: resource.path, query: creationOrder(resource, 'desc') };
  const read: [id: string, record: unknown][] = [];
  /** The place of the first record of the baseline; without a baseline, of the first record. */
  let first: number | undefined;
  const isNew = ([id]: readonly [string, unknown]): boolean => baseline?.has(id) !== true;
  let isOrdered = resource.sort.created !== undefined;
  for await (const { data } of listPages(api, request, { kind: 'all', complete: true }, signal)) {
    const page = (data as unknown[]).map((record) => [scalarText(idOf(record)), record] as [string, unknown]);
    const known = baseline === undefined ? 0 : page.findIndex((one) => !isNew(one));
    if (first === undefined && known >= 0) first = read.length + known;
    read.push(...page);
    isOrdered &&= comesNewestFirst(page.map(([, record]) => record));
    if (!isOrdered || first === undefined || read.length - first < largestPage) continue;
    const end = baseline === undefined ? read.length : read.findLastIndex((one) => !isNew(one));
    return new Map(read.slice(0, end).filter(isNew));
  }
  return new Map(read.filter(isNew));
}

/** True when the first record of a page was created after the last one, or at the same time. */
function comesNewestFirst(page: readonly unknown[]): boolean {
  const [first, last] = [page[0], page.at(-1)].map((record) => timeOf(createdOf(record)));
  return page.length < 2 || (first !== undefined && last !== undefined && first >= last);
}
