// Reads the newest records of a family, for looks and for the baseline.

import { UnavailableError } from '../../base/errors.ts';
import { scalarText } from '../../base/values/json.ts';
import type { Api } from '../../client/client.ts';
import { largestPage, listPages } from '../../client/paging.ts';
import type { Resource } from '../../model/define.ts';
import { createdOf, creationOrder, idOf, timeOf } from '../../model/identity.ts';

/** The newest records of a family. */
interface Newest {
  /** The records that are newer than the baseline, by id. */
  readonly records: ReadonlyMap<string, unknown>;
  /** The ids of the next baseline: the newest hundred, or all ids if the list does not come newest first. */
  readonly ids: readonly string[];
}

/**
 * Reads the new records above the lowest record of the baseline. Times of creation are cut to seconds, so a new record may stand between
 * records of the baseline. Without a baseline, reads the newest hundred records. If a page does not come newest first, reads the whole
 * list. Throws the errors of Api.read, and UnavailableError when the list has fewer records than the service's total.
 */
export async function newestRecords(
  api: Api,
  resource: Resource,
  baseline: ReadonlySet<string> | undefined,
  signal: AbortSignal,
): Promise<Newest> {
  const request = { method: 'GET' as const, path: resource.path, query: creationOrder(resource, 'desc') };
  const read: [id: string, record: unknown][] = [];
  /** The place of the first baseline record in `read`; 0 without a baseline. */
  let first: number | undefined;
  const isNew = ([id]: readonly [string, unknown]): boolean => baseline?.has(id) !== true;
  let isOrdered = resource.sort.created !== undefined;
  let total = 0;
  const extent = { kind: 'all', complete: true, once: true, told: baseline !== undefined } as const;
  for await (const { data, meta } of listPages(api, request, extent, signal)) {
    // When a record goes between two pages, the first record of the later page is never shown.
    if ((meta?.total ?? total) < total) throw new UnavailableError(`The list ${resource.path} became shorter while crm read the list.`);
    total = meta?.total ?? total;
    const page = (data as unknown[]).map((record) => [scalarText(idOf(record)), record] as [string, unknown]);
    const known = baseline === undefined ? 0 : page.findIndex((one) => !isNew(one));
    if (first === undefined && known >= 0) first = read.length + known;
    read.push(...page);
    isOrdered &&= comesNewestFirst(page.map(([, record]) => record));
    if (!isOrdered || first === undefined || read.length - first < largestPage) continue;
    const end = baseline === undefined ? read.length : read.findLastIndex((one) => !isNew(one));
    return { records: new Map(read.slice(0, end).filter(isNew)), ids: read.slice(0, largestPage).map(([id]) => id) };
  }
  return { records: new Map(read.filter(isNew)), ids: (isOrdered ? read.slice(0, largestPage) : read).map(([id]) => id) };
}

function comesNewestFirst(page: readonly unknown[]): boolean {
  const [first, last] = [page[0], page.at(-1)].map((record) => timeOf(createdOf(record)));
  return page.length < 2 || (first !== undefined && last !== undefined && first >= last);
}
