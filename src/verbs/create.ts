// `crm <family> create`: a checked body, one POST.

import { createBody } from '../bodies/create-body.ts';
import { createFlags } from '../bodies/flags.ts';
import { givenBody } from '../bodies/given.ts';
import { asFlag } from '../bodies/names.ts';
import { createShape } from '../bodies/shape.ts';
import type { Context } from '../context.ts';
import type { Input } from '../flag.ts';
import type { Result } from '../output/result.ts';
import type { Resource } from '../resources/define.ts';
import { effectOfCreate } from './effect.ts';
import { readBodyTexts, readLongTexts } from './texts.ts';

/** The command, without `crm`, that shows the newest records: it tells whether a create of unknown outcome took effect. */
export function newestCommand(resource: Resource): string {
  return `${resource.name} list${'created' in resource.sort ? ' --sort created --order desc' : ''} --limit 10`;
}

/** Creates a record. */
export async function create(resource: Resource, context: Context, input: Input): Promise<Result> {
  const flags = await readLongTexts(context, createFlags(resource), input.flags);
  const shape = createShape(resource);
  const body = createBody(shape, givenBody(shape, flags, await readBodyTexts(context, shape, flags)), asFlag);
  const api = await context.api();
  const answer = await api.write({ method: 'POST', path: resource.path, body, check: newestCommand(resource) });
  return { kind: 'record', answer, shape: resource, effect: effectOfCreate(resource, answer, body) };
}
