// `crm <family> update ID`: reads the record, merges the flags, and sends all fields back, so that an update never loses a field.

import { invalidValue, UsageError, withHints } from '../base/errors.ts';
import type { Input } from '../base/flag.ts';
import type { Body } from '../base/values/body.ts';
import { type Id, together } from '../base/values/parse.ts';
import { namedBy } from '../base/values/value-type.ts';
import { recordOf } from '../client/envelope.ts';
import { plainUpdate } from '../client/plain-change.ts';
import type { Answer } from '../client/types.ts';
import { checkGiven, createBody } from '../model/bodies/create-body.ts';
import { updateFlags } from '../model/bodies/flags.ts';
import { givenBody } from '../model/bodies/given.ts';
import { holdsAll } from '../model/bodies/held.ts';
import { asFlag, type Naming } from '../model/bodies/names.ts';
import { absentFields } from '../model/bodies/read-back.ts';
import type { Field, Resource } from '../model/define.ts';
import { displayText } from '../model/records/display.ts';
import { updateShape } from '../model/shape.ts';
import { changesBeside, changesOf, effectOfChange, type RequestedValue, requestedOf } from '../output/effect-of.ts';
import type { Result } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import { choose, selectionOf } from '../reading/selection.ts';
import type { Context } from '../session/context.ts';
import { readBodyTexts, readLongTexts, refuseSecondReader } from '../session/texts.ts';
import { changeEach } from './change-each.ts';
import { tellUnreachable } from './create.ts';
import { givenChanges } from './file/change-cells.ts';
import { percentChange, percentFields } from './percent-update.ts';
import { confirmChange, cutForQuestion } from './question.ts';
import type { RecordChange } from './record-change.ts';

/** Updates a record, or each record of a selection with the same flags. */
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
    throw new UsageError('Nothing to change: give at least one flag.', {
      code: 'missing_value',
      hint: `See: crm ${resource.name} update --help`,
    });
  checkGiven(shape, given, asFlag);
  await tellUnreachable(context, shape.fields, given);
  if (flags.replace === true && context.flags.plan !== undefined)
    throw new UsageError('--plan reads the records, and --replace does not: give one of them.');
  const percents = percentFields(shape.fields, given);
  if (percents[0] !== undefined && flags.replace === true)
    throw invalidValue(`--${percents[0].flag}`, "a percent needs the record's value, and --replace does not read it.");
  if (percents[0] !== undefined && selection.kind !== 'one' && context.flags.plan === undefined)
    throw invalidValue(
      `--${percents[0].flag}`,
      'a percent over several records needs --plan FILE. Then crm apply FILE changes each value once.',
    );
  const whole = flags.replace === true ? createBody(shape, given, asFlag) : undefined;
  const reads = shape.fields.flatMap(({ read, wire }) => (read !== undefined && given.has(wire) ? [read] : []));
  const chosen = await choose(resource, context, selection, reads);
  const requested = requestedOf(resource, shape.fields, given, typedIn(input));
  const what = selection.kind === 'one' ? '' : await givenText(requested);
  const confirmed = await confirmChange(resource, context, selection, chosen, {
    says: (records) => `Change ${records}: ${what}`,
    isHeld: (record) => whole === undefined && holdsAll(shape.fields, record, given),
  });
  const which = (id: Id): string => (selection.kind === 'one' ? 'The record' : `${resource.singular} ${id}`);
  const changeOf = (body: Body): RecordChange => ({
    ...mergeChange(resource, body, { tell: (id, absent) => tellAbsent(context, absent, which(id)) }),
    ...(whole === undefined ? {} : { reads: 'never', holds: () => false, write: () => ({ method: 'PATCH' as const, body: whole }) }),
    // With --replace no old values are told: the record was not read.
    effect: ({ id, record }, before, after) => {
      const wanted = body === given ? requested : requestedOf(resource, shape.fields, body, typedIn(input));
      const was = whole === undefined ? before : undefined;
      const changes = [...changesOf(wanted, was, after), ...changesBeside(shape.fields, body, was, after)];
      return effectOfChange(resource, id, changes, [after, before ?? record]);
    },
  });
  const change = percents.length === 0 ? changeOf(given) : () => percentChange(shape.fields, given, changeOf);
  return changeEach(resource, context, selection, confirmed, change);
}

/**
 * A change that sends the record with the given values. `tell`: called once for each record that lacks fields. `named`: gives the names of
 * fields in errors.
 */
export function mergeChange(
  resource: Resource,
  given: Body,
  { tell, named = asFlag }: { readonly tell?: (id: Id, absent: string) => void; readonly named?: Naming } = {},
): Omit<RecordChange, 'effect'> {
  const { fields } = updateShape(resource);
  const plain = plainUpdate(resource, given, named);
  const told = new Set<Id>();
  return {
    ...plain,
    kind: 'update',
    given,
    read: async (api, { id }) => {
      const path = `${resource.path}/${id}`;
      return recordToMerge(await api.read({ method: 'GET', path }), path);
    },
    write: (record, { id }) => {
      const write = plain.write(record);
      const absent = absentFields(fields, record, given);
      // A repeated write reads the record again, but its missing fields are told once only.
      if (absent.length > 0 && !told.has(id)) tell?.(id, absent.map(({ read }) => read).join(', '));
      told.add(id);
      return write;
    },
    plans: (record, nameOf) => givenChanges(resource, given, record, nameOf),
  };
}

/** The typed text of a field that takes a name in place of an id. */
function typedIn({ typed }: Input): (field: Field) => string | undefined {
  return ({ flag, type }) => {
    const text = namedBy(type) === undefined ? undefined : typed?.flags[flag];
    return typeof text === 'string' ? text : undefined;
  };
}

/** `value 61000, source Referral`: the given values, with names as they were typed. */
async function givenText(requested: readonly RequestedValue[]): Promise<string> {
  return (await Promise.all(requested.map(({ name, typed }) => cutForQuestion(displayText(`${name} ${typed || '(empty)'}`))))).join(', ');
}

function recordToMerge(answer: Answer, path: string): unknown {
  try {
    return recordOf(answer, path);
  } catch (error) {
    throw withHints(error, ['--replace skips the read and sends just the flags.']);
  }
}

/** Tells which fields the service left out of a record. An update can't send such a field back, so the service may clear the field. */
export function tellAbsent(context: Context, absent: string, which: string): void {
  void notice(context.io, context.flags, `${which} came without ${absent}; not sent back.`);
}
