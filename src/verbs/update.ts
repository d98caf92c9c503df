// `crm <family> update ID`: reads the record, merges and sends everything back, so that an update never loses a field.

import { recordOf } from '../api/envelope.ts';
import type { Answer } from '../api/types.ts';
import { checkOrder, givenBody, readBack, requireFields } from '../bodies/body.ts';
import { updateFlags } from '../bodies/flags.ts';
import { updateShape } from '../bodies/shapes.ts';
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

/**
 * The whole update body: what the user gave, and for the rest what the record holds (interface: Leads, update "replaces all editable
 * values"; the other families require fields on update). Throws UsageError when something required is in neither.
 */
export function mergeBody(fields: readonly Field[], record: unknown, given: Body): Body {
  const body: Body = new Map();
  for (const field of fields) {
    if (field.sentWhenGiven && !given.has(field.wire)) continue;
    for (const [wire, value] of readBack(field, record)) body.set(wire, value);
    if (given.has(field.wire)) body.set(field.wire, given.get(field.wire) ?? '');
  }
  for (const [wire, value] of given) body.set(wire, value);
  return body;
}

/** Updates a record. */
export async function update(resource: Resource, context: Context, input: Input): Promise<Result> {
  const shape = updateShape(resource);
  const { fields } = shape;
  const flags = await readLongTexts(context, updateFlags(resource), input.flags);
  const texts = await readBodyTexts(context, flags);
  const [id, given] = together(
    () => parseId(input.args[0] ?? '', resource.singular),
    () => givenBody(shape, flags, texts),
  );
  if (given.size === 0)
    throw new UsageError('Nothing to change: give at least one flag.', { hint: `See: crm ${resource.name} update --help` });
  checkOrder(fields, given);
  const path = `${resource.path}/${id}`;
  const replace = flags.replace === true;
  if (replace) requireFields(fields, given);
  const api = await context.api();
  const body = replace ? given : mergedWith(resource, context, await api.read({ method: 'GET', path }), given);
  const answer = await api.write({ method: 'PATCH', path, body, check: `crm ${resource.name} get ${id}` });
  return { kind: 'record', answer, shape: resource, notice: answer.message ?? `Updated ${resource.singular} ${id}.` };
}

function mergedWith(resource: Resource, context: Context, answer: Answer, given: Body): Body {
  const record = recordToMerge(answer);
  const { fields } = updateShape(resource);
  const body = mergeBody(fields, record, given);
  requireFields(fields, body);
  checkOrder(fields, body, { singular: resource.singular, given });
  tellAbsent(context, fields, record, given);
  return body;
}

function recordToMerge(answer: Answer): unknown {
  try {
    return recordOf(answer);
  } catch (error) {
    throw withHints(error, ['--replace skips the read and sends just the flags.']);
  }
}

/** Warns of members that the service left out: they can't be sent back, and the service may clear them. */
function tellAbsent(context: Context, fields: readonly Field[], record: unknown, given: Body): void {
  const absent = fields.filter(
    ({ read, wire, sentWhenGiven }) => read !== undefined && !sentWhenGiven && !given.has(wire) && valueAt(record, read) === undefined,
  );
  if (absent.length === 0) return;
  void notice(context.io, context.flags, `The record came without ${absent.map(({ read }) => read).join(', ')}; not sent back.`);
}
