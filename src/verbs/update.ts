// `crm <family> update ID`: read, merge, send everything back, so that an update never loses a field.

import { recordOf } from '../api/envelope.ts';
import type { Answer } from '../api/types.ts';
import { checkCompleted, checkGiven, createBody } from '../bodies/create-body.ts';
import { updateFlags } from '../bodies/flags.ts';
import { givenBody } from '../bodies/given.ts';
import { asFlag } from '../bodies/names.ts';
import { mergeBody } from '../bodies/read-back.ts';
import { updateShape, wiresOf } from '../bodies/shape.ts';
import type { Context } from '../context.ts';
import { UsageError, withHints } from '../errors.ts';
import type { Input } from '../flag.ts';
import { displayText } from '../output/display.ts';
import type { Result } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import type { Field, Resource } from '../resources/define.ts';
import type { Body } from '../values/body.ts';
import { type Id, together, valueText } from '../values/parse.ts';
import { valueAt } from '../values/paths.ts';
import { namedBy } from '../values/value-type.ts';
import { eachRecord } from './each-record.ts';
import { confirmDeed, cutText } from './question.ts';
import { choose, selectionOf } from './selection.ts';
import { readBodyTexts, readLongTexts, refuseSecondReader } from './texts.ts';

/** Updates a record, or each of a selection by what the same flags say. */
export async function update(resource: Resource, context: Context, input: Input): Promise<Result> {
  const shape = updateShape(resource);
  if (input.args[0] === '-') refuseSecondReader(updateFlags(resource), input.flags);
  const flags = await readLongTexts(context, updateFlags(resource), input.flags);
  const texts = await readBodyTexts(context, shape, flags);
  const [selection, given] = together(
    () => selectionOf(resource, input),
    () => givenBody(shape, flags, texts),
  );
  if (given.size === 0)
    throw new UsageError('Nothing to change: give at least one flag.', { hint: `See: crm ${resource.name} update --help` });
  checkGiven(shape, given, asFlag);
  const whole = flags.replace === true ? createBody(shape, given, asFlag) : undefined;
  const chosen = await choose(resource, context, selection);
  const change = selection.kind === 'one' ? '' : await changeText(shape.fields, given, input);
  await confirmDeed(resource, context, selection, chosen, { says: (records) => `Change ${records}: ${change}` });
  const api = await context.api();
  const which = (id: Id): string => (selection.kind === 'one' ? 'The record' : `${resource.singular} ${id}`);
  return eachRecord(resource, context, selection, chosen, async ({ id }) => {
    const path = `${resource.path}/${id}`;
    const body = whole ?? mergedWith(resource, context, recordToMerge(await api.read({ method: 'GET', path }), path), given, which(id));
    const answer = await api.write({ method: 'PATCH', path, body, check: `crm ${resource.name} get ${id}` });
    return { answer, notice: answer.message ?? `Updated ${resource.singular} ${id}.` };
  });
}

/** `value 61000, source Referral`: what is given, names as they were typed. */
async function changeText(fields: readonly Field[], given: Body, { typed }: Input): Promise<string> {
  const parts = [...given].map(([wire, value]) => {
    const field = fields.find((one) => wiresOf(one).includes(wire));
    const text = field !== undefined && namedBy(field.type) !== undefined ? typed?.flags[field.flag] : undefined;
    return cutText(displayText(`${field?.flag ?? wire} ${typeof text === 'string' ? text : valueText(value) || '(empty)'}`));
  });
  return (await Promise.all(parts)).join(', ');
}

/** `which`: what messages call the record. */
function mergedWith(resource: Resource, context: Context, record: unknown, given: Body, which: string): Body {
  const shape = updateShape(resource);
  const body = mergeBody(shape.fields, record, given);
  checkCompleted(shape, body, asFlag, { singular: resource.singular, given });
  tellAbsent(context, shape.fields, record, given, which);
  return body;
}

function recordToMerge(answer: Answer, path: string): unknown {
  try {
    return recordOf(answer, path);
  } catch (error) {
    throw withHints(error, ['--replace skips the read and sends just the flags.']);
  }
}

/** A member that the service left out can't be sent back: say so, because the service may clear it. */
function tellAbsent(context: Context, fields: readonly Field[], record: unknown, given: Body, which: string): void {
  const absent = fields.filter(
    ({ read, wire, sentWhenGiven }) => read !== undefined && !sentWhenGiven && !given.has(wire) && valueAt(record, read) === undefined,
  );
  if (absent.length === 0) return;
  void notice(context.io, context.flags, `${which} came without ${absent.map(({ read }) => read).join(', ')}; not sent back.`);
}
