// `crm <family> create`: a checked body, one POST.

import { type BodyTexts, checkOrder, givenBody, requireFields, withOneOf } from '../bodies/body.ts';
import { createFlags } from '../bodies/flags.ts';
import { createShape } from '../bodies/shapes.ts';
import type { Context } from '../context.ts';
import type { Input } from '../flag.ts';
import type { Result } from '../output/result.ts';
import type { Resource } from '../resources/define.ts';
import type { Body } from '../values/body.ts';
import { readBodyTexts, readLongTexts } from './texts.ts';

/** The checked create body. Throws UsageError. */
export function createBody(resource: Resource, flags: Input['flags'], texts: BodyTexts): Body {
  const shape = createShape(resource);
  const given = givenBody(shape, flags, texts);
  requireFields(shape.fields, given);
  const body = withOneOf(shape, given);
  checkOrder(shape.fields, body);
  return body;
}

/** The command that shows the newest records: it tells whether a create of unknown outcome took effect. */
export function newestCommand(resource: Resource): string {
  return `crm ${resource.name} list${'created' in resource.sort ? ' --sort created --order desc' : ''} --limit 10`;
}

/** Creates a record. */
export async function create(resource: Resource, context: Context, input: Input): Promise<Result> {
  const flags = await readLongTexts(context, createFlags(resource), input.flags);
  const body = createBody(resource, flags, await readBodyTexts(context, flags));
  const api = await context.api();
  const answer = await api.write({ method: 'POST', path: resource.path, body, check: newestCommand(resource) });
  return { kind: 'record', answer, shape: resource, notice: answer.message ?? `Created the ${resource.singular}.` };
}
