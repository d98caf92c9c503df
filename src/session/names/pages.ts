// Reads the first pages of a list, to look for names in their records.

import { howMany } from '../../base/values/text/wording.ts';
import type { Api } from '../../client/client.ts';
import { recordsOf } from '../../client/envelope.ts';
import { largestPage } from '../../client/paging.ts';
import type { ApiRequest } from '../../client/types.ts';

/** A page of records. `isLast`: the list ends here, and the number of records read equals its total. */
export interface ListPage {
  readonly records: readonly unknown[];
  readonly isLast: boolean;
}

/** The most pages of a list that are searched for a name. */
const mostPages = 5;

/** The newest records of a family. Throws what Api.read throws. */
export async function* newestPages(api: Api, family: string, path: string): AsyncGenerator<ListPage> {
  const { familyNamed } = await import('../../model/resources/index.ts');
  const created = familyNamed(family)?.sort.created;
  const query: [string, string][] = created === undefined ? [] : [['sort', created]];
  yield* firstPages(api, { method: 'GET', path, query: [...query, ['order', 'desc']] });
}

/** The first pages of a list. Throws what Api.read throws, and UnavailableError for an answer without a list. */
export async function* firstPages(api: Api, request: ApiRequest): AsyncGenerator<ListPage> {
  let read = 0;
  for (let page = 1; page <= mostPages; page += 1) {
    const query = [...(request.query ?? []), ['limit', String(largestPage)] as const, ['page', String(page)] as const];
    const answer = await api.read({ ...request, query });
    const records = recordsOf(answer, request);
    read += records.length;
    const { last_page: last, total } = answer.meta ?? {};
    const isOver = last === undefined ? total !== undefined && read >= total : page >= last;
    const isEnd = isOver || records.length === 0;
    yield { records, isLast: isEnd && read >= (total ?? 0) };
    if (isEnd) return;
  }
}

/** `1 lead`, `44 leads`. */
export async function counted(records: number, family: string): Promise<string> {
  const { singularOf } = await import('../../model/resources/index.ts');
  return howMany(records, singularOf(family), family);
}
