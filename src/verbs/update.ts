// `crm <family> update ID`: read, merge, send everything back, so that an update never loses a field.

import { recordOf } from '../api/envelope.ts';
import type { Answer } from '../api/types.ts';
import { checkCompleted, checkGiven, createBody } from '../bodies/create-body.ts';
import { updateFlags } from '../bodies/flags.ts';
import { givenBody } from '../bodies/given.ts';
import { asFlag } from '../bodies/names.ts';
import { mergeBody } from '../bodies/read-back.ts';
import { updateShape } from '../bodies/shape.ts';
import type { Context } from '../context.ts';
import { UsageError, withHints } from '../errors.ts';
import type { Input } from '../flag.ts';
import type { Result } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import type { Field, Resource } from '../resources/define.ts';
import type { Body } from '../values/body.ts';
import { parseId, together } from '../values/parse.ts';
import { valueAt } from '../values/paths.ts';
import { readBodyTexts, readLongTexts } from './texts.ts';

/** Updates a record. */
export async function update(resource: Resource, context: Context, input: Input): Promise<Result> {
  const shape = updateShape(resource);
  const flags = await readLongTexts(context, updateFlags(resource), input.flags);
  const texts = await readBodyTexts(context, shape, flags);
  const [id, given] = together(
    () => parseId(input.args[0] ?? '', resource.singular),
    () => givenBody(shape, flags, texts),
  );
  if (given.size === 0)
    throw new UsageError('Nothing to change: give at least one flag.', { hint: `See: crm ${resource.name} update --help` });
  checkGiven(shape, given, asFlag);
  const path = `${resource.path}/${id}`;
  const whole = flags.replace === true ? createBody(shape, given, asFlag) : undefined;
  const api = await context.api();
  const body = whole ?? mergedWith(resource, context, await api.read({ method: 'GET', path }), given);
  const answer = await api.write({ method: 'PATCH', path, body, check: `crm ${resource.name} get ${id}` });
  return { kind: 'record', answer, shape: resource, notice: answer.message ?? `Updated ${resource.singular} ${id}.` };
}

function mergedWith(resource: Resource, context: Context, answer: Answer, given: Body): Body {
  const record = recordToMerge(answer);
  const shape = updateShape(resource);
  const body = mergeBody(shape.fields, record, given);
  checkCompleted(shape, body, asFlag, { singular: resource.singular, given });
  tellAbsent(context, shape.fields, record, given);
  return body;
}

function recordToMerge(answer: Answer): unknown {
  try {
    return recordOf(answer);
  } catch (error) {
    throw withHints(error, ['--replace skips the read and sends just the flags.']);
  }
}

/** A member that the service left out can't be sent back: say so, because the service may clear it. */
function tellAbsent(context: Context, fields: readonly Field[], record: unknown, given: Body): void {
  const absent = fields.filter(
    ({ read, wire, sentWhenGiven }) => read !== undefined && !sentWhenGiven && !given.has(wire) && valueAt(record, read) === undefined,
  );
  if (absent.length === 0) return;
  void notice(context.io, context.flags, `The record came without ${absent.map(({ read }) => read).join(', ')}; not sent back.`);
}
