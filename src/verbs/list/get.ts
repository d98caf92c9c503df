// `crm <family> get ID`: reads a record, or the records of a selection.

import type { Input } from '../../base/flag.ts';
import { recordOf } from '../../client/envelope.ts';
import type { ApiRequest } from '../../client/types.ts';
import { pluralOf, type Resource } from '../../model/define.ts';
import type { Result } from '../../output/result.ts';
import type { Context } from '../../session/context.ts';
import { eachRecord } from '../each-record.ts';
import { choose, selectionOf } from '../selection.ts';
import { isLookedAt } from './list-facts.ts';
import { matchingPages } from './matching.ts';

/** Reads records. Records selected by conditions come from the list itself, without a further read. */
export async function get(resource: Resource, context: Context, input: Input): Promise<Result> {
  if (input.flags.with !== undefined) return (await import('./get-with.ts')).getWith(resource, context, input);
  const selection = selectionOf(resource, input);
  if (selection.kind === 'where') {
    const { conditions } = selection;
    const requests: ApiRequest[] = [{ method: 'GET', path: resource.path }];
    const pages = matchingPages(resource, context, {
      conditions,
      match: 'part',
      requests,
      extent: { kind: 'all', once: isLookedAt(context) },
    });
    return { kind: 'records', pages, shape: resource, empty: () => `No ${pluralOf(resource)} found.` };
  }
  const chosen = await choose(resource, context, selection);
  const api = await context.api();
  return eachRecord(resource, context, selection, chosen, async ({ id }) => {
    const path = `${resource.path}/${id}`;
    const answer = await api.read({ method: 'GET', path });
    // An answer without a record, such as a maintenance page, is an error.
    recordOf(answer, path);
    return { answer };
  });
}
