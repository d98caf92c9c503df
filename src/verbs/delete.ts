// `crm <family> delete ID…`: one question, then one DELETE each.

import { confirm } from '../ask/confirm.ts';
import type { Context } from '../context.ts';
import type { Input } from '../flag.ts';
import type { Result } from '../output/result.ts';
import type { Resource } from '../resources/define.ts';
import { eachId, parseIds } from './each-id.ts';

/** Deletes records, in order; a failure does not stop the rest. */
export async function deleteRecords(resource: Resource, context: Context, input: Input): Promise<Result> {
  const ids = parseIds(input.args, resource.singular);
  const what = ids.length === 1 ? `${resource.singular} ${ids[0]}` : `${ids.length} ${resource.name} (${ids.join(', ')})`;
  await confirm(context, `Delete ${what}? This can't be undone.`);
  const api = await context.api();
  return eachId(resource, ids, context, (id) =>
    api.write({ method: 'DELETE', path: `${resource.path}/${id}`, check: `crm ${resource.name} get ${id}` }),
  );
}
