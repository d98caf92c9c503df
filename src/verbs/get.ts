// `crm <family> get ID`: one record.

import { recordOf } from '../api/envelope.ts';
import type { Context } from '../context.ts';
import type { Input } from '../flag.ts';
import type { Result } from '../output/result.ts';
import type { Resource } from '../resources/define.ts';
import { parseId } from '../values/parse.ts';

/** Reads one record. */
export async function get(resource: Resource, context: Context, input: Input): Promise<Result> {
  const id = parseId(input.args[0] ?? '', resource.singular);
  const api = await context.api();
  const answer = await api.read({ method: 'GET', path: `${resource.path}/${id}` });
  // A page that says nothing but "Maintenance" is no record.
  recordOf(answer);
  return { kind: 'record', answer, shape: resource };
}
