// `crm <family> <action> ID…`: a PUT that carries nothing, or one value from the command line.

import { actionBody } from '../bodies/operations.ts';
import type { Context } from '../context.ts';
import type { Input } from '../flag.ts';
import type { Result } from '../output/result.ts';
import type { Action, Resource } from '../resources/define.ts';
import { type Id, parseId } from '../values/parse.ts';
import { eachId, parseIds } from './each-id.ts';

/** Runs an action on one record, or on several where it takes them. */
export async function act(resource: Resource, action: Action, context: Context, input: Input): Promise<Result> {
  const body = action.value === undefined ? undefined : actionBody(action, input.args[1] ?? '', action.value.name);
  const ids = action.many ? parseIds(input.args, resource.singular) : [parseId(input.args[0] ?? '', resource.singular)];
  const api = await context.api();
  const send = (id: Id) =>
    api.write({
      method: 'PUT',
      path: `${resource.path}/${id}/${action.path}`,
      ...(body === undefined ? {} : { body }),
      ...(action.repeatable ? { repeatable: true as const } : {}),
      check: `crm ${resource.name} get ${id}`,
    });
  return eachId(resource, ids, context, send);
}
