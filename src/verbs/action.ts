// `crm <family> <action> ID…`: a PUT that carries nothing, or one value from the command line.

import type { Context } from '../context.ts';
import type { Input } from '../flag.ts';
import type { Result } from '../output/result.ts';
import type { Action, Resource } from '../resources/define.ts';
import type { Body } from '../values/body.ts';
import { type Id, parseId, parseValue } from '../values/parse.ts';
import { eachId, parseIds } from './each-id.ts';

/** Runs an action on one record, or on several where it takes them. */
export async function act(resource: Resource, action: Action, context: Context, input: Input): Promise<Result> {
  const body = actionBody(action, input);
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

function actionBody(action: Action, input: Input): Body | undefined {
  if (action.value === undefined) return undefined;
  const { name, wire, type } = action.value;
  return new Map([[wire, parseValue(type, input.args[1] ?? '', name)]]);
}
