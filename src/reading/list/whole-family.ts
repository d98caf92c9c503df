// Reads every record of a family, archived ones too. A list that isn't whole after three readings is an error.

import { IncompleteListError, UnavailableError } from '../../base/errors.ts';
import { IdSet } from '../../base/values/id-set.ts';
import { scalarText } from '../../base/values/json.ts';
import { checkChoice, togetherEach } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import type { Api } from '../../client/client.ts';
import { listPages } from '../../client/paging.ts';
import type { ApiRequest } from '../../client/types.ts';
import { archivedState, pluralOf, type Resource } from '../../model/define.ts';
import { allFamilies } from '../../model/resources/index.ts';
import type { Context } from '../../session/context.ts';

/** The families that --family names. Throws UsageError. */
export function familiesNamed(typed: string): Resource[] {
  const names = allFamilies.map(({ name }) => name);
  const asked = togetherEach(typed.split(','), (word) => checkChoice(word.trim(), names, '--family'));
  return allFamilies.filter(({ name }) => asked.includes(name));
}

/**
 * Every record of a family, page by page. Throws UnavailableError when the list changed during the reading, or disagrees with its own
 * total.
 */
export async function* wholeFamily(context: Context, api: Api, family: Resource): AsyncGenerator<readonly unknown[]> {
  const request: ApiRequest = { method: 'GET', path: family.path };
  const archived = archivedState(family);
  if (archived === undefined) return yield* wholeList(context, api, request, family);
  const { path, value } = archived;
  const isArchived = (record: unknown): boolean => valueAt(record, path) === value;
  const [all, past] = [new IdSet(), new IdSet()];
  let left = 0;
  for await (const records of wholeList(context, api, request, family)) {
    for (const record of records) {
      const id = valueAt(record, 'id');
      all.add(id);
      if (isArchived(record) && past.add(id)) left += 1;
    }
    yield records;
  }
  // Some installations list archived records with the others, some list them only on request (interface: Leads, list query parameters).
  const ofArchived: ApiRequest = { ...request, query: [[path, value]] };
  for await (const records of wholeList(context, api, ofArchived, family)) {
    const [inAll, others] = [true, false].map((is) =>
      records.filter((record) => isArchived(record) && all.has(valueAt(record, 'id')) === is),
    ) as [unknown[], unknown[]];
    if (inAll.some((record) => !past.has(valueAt(record, 'id')))) throw moved(family);
    left -= inAll.length;
    yield others;
  }
  if (left > 0) throw moved(family);
}

async function* wholeList(context: Context, api: Api, request: ApiRequest, family: Resource): AsyncGenerator<readonly unknown[]> {
  try {
    for await (const { data } of listPages(api, request, { kind: 'all' }, context.signal)) {
      const records = data as readonly unknown[];
      if (records.some((record) => !isMembers(record) || scalarText(record.id) === ''))
        throw new UnavailableError(`The service lists ${pluralOf(family)} without ids.`);
      yield records;
    }
  } catch (error) {
    throw error instanceof IncompleteListError ? moved(family) : error;
  }
}

/** The error for a list that changed during the reading. */
export const moved = (family: Resource): UnavailableError =>
  new UnavailableError(`The list of ${pluralOf(family)} changed while it was read, or its total is wrong.`, {
    hint: 'Take the snapshot again.',
  });
