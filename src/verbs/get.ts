// `crm <family> get ID`: one record, or those of a selection.

import { recordOf } from '../api/envelope.ts';
import type { Answer } from '../api/types.ts';
import type { Context } from '../context.ts';
import type { Input } from '../flag.ts';
import type { Result } from '../output/result.ts';
import type { Resource } from '../resources/define.ts';
import { eachRecord } from './each-record.ts';
import { choose, selectionOf } from './selection.ts';

/** Reads records. Those that match conditions are as the list has them. */
export async function get(resource: Resource, context: Context, input: Input): Promise<Result> {
  const selection = selectionOf(resource, input);
  if (selection.kind === 'where') {
    const pages = matchingPages(resource, context, selection.conditions);
    return { kind: 'records', pages, shape: resource, empty: () => `No ${resource.name} found.` };
  }
  const chosen = await choose(resource, context, selection);
  const api = await context.api();
  return eachRecord(resource, context, selection, chosen, async ({ id }) => {
    const answer = await api.read({ method: 'GET', path: `${resource.path}/${id}` });
    // A page that says nothing but "Maintenance" is no record.
    recordOf(answer);
    return { answer };
  });
}

async function* matchingPages(resource: Resource, context: Context, conditions: readonly string[]): AsyncGenerator<Answer> {
  const [{ matchingRecords }, { largestPage }] = await Promise.all([import('./matching.ts'), import('../api/paging.ts')]);
  let records: unknown[] = [];
  for await (const record of matchingRecords(resource, context, { method: 'GET', path: resource.path }, conditions, 'part')) {
    records.push(record);
    if (records.length < largestPage) continue;
    yield pageOf(records);
    records = [];
  }
  if (records.length > 0) yield pageOf(records);
}

const pageOf = (data: readonly unknown[]): Answer => ({ status: 200, data, envelope: data });
