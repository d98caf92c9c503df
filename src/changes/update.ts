// `crm <family> update ID`: reads the record, merges the flags, and sends all fields back, so that an update never loses a field.

import { invalidValue, UsageError, withHints } from '../base/errors.ts';
import type { ResolvedInput } from '../base/flag.ts';
import type { Body } from '../base/values/body.ts';
import { scalarText } from '../base/values/json.ts';
import { type Id, together, valueText } from '../base/values/parse.ts';
import { valueAt } from '../base/values/paths.ts';
import { isPercent, raised } from '../base/values/percent.ts';
import { namedBy } from '../base/values/value-type.ts';
import { recordOf } from '../client/envelope.ts';
import { plainUpdate } from '../client/plain-change.ts';
import { checkGiven, createBody } from '../model/bodies/create-body.ts';
import { type UpdateFlags, updateFlags } from '../model/bodies/flags.ts';
import { givenBody } from '../model/bodies/given.ts';
import { holdsAll } from '../model/bodies/held.ts';
import { asFlag, type Naming } from '../model/bodies/names.ts';
import { absentFields } from '../model/bodies/read-back.ts';
import type { Field, Resource } from '../model/define.ts';
import { displayText } from '../model/records/display.ts';
import { updateShape } from '../model/shape.ts';
import type { Result } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import type { SelectionFlags } from '../reading/flags.ts';
import { choose, selectionOf } from '../reading/selection.ts';
import type { Context } from '../session/context.ts';
import { readBodyTexts, readLongTexts, refuseSecondReader } from '../session/texts.ts';
import { changeEach } from './change-each.ts';
import { tellUnreachable } from './create.ts';
import { givenChanges } from './file/change-cells.ts';
import { confirmChange, cutForQuestion } from './question.ts';
import type { RecordChange } from './record-change.ts';
import { changesBeside, changesOf, effectOfChange, requestedOf } from './what-changed.ts';

/** Updates a record, or each record of a selection with the same flags. */
export async function update(resource: Resource, context: Context, input: ResolvedInput<UpdateFlags & SelectionFlags>): Promise<Result> {
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
  if (input.flags.replace && context.flags.plan !== undefined)
    throw new UsageError('--plan reads the records, and --replace does not: give one of them.');
  const percents = percentFields(shape.fields, given);
  if (percents[0] !== undefined && input.flags.replace)
    throw invalidValue(`--${percents[0].flag}`, "a percent needs the record's value, and --replace does not read it.");
  if (percents[0] !== undefined && selection.kind !== 'one' && context.flags.plan === undefined)
    throw invalidValue(
      `--${percents[0].flag}`,
      'a percent over several records needs --plan FILE. Then crm apply FILE changes each value once.',
    );
  const whole = input.flags.replace ? createBody(shape, given, asFlag) : undefined;
  const reads = shape.fields.flatMap(({ read, wire }) => (read !== undefined && given.has(wire) ? [read] : []));
  const chosen = await choose(resource, context, selection, reads);
  const requested = requestedOf(resource, shape.fields, given, typedIn(input));
  // `value 61000, source Referral`, with names as they were typed.
  const words = requested.map(({ name, typed }) => cutForQuestion(displayText(`${name} ${typed || '(empty)'}`)));
  const what = selection.kind === 'one' ? '' : (await Promise.all(words)).join(', ');
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
  return changeEach(resource, context, { selection, chosen: confirmed }, change);
}

const percentFields = (fields: readonly Field[], given: Body): Field[] =>
  fields.filter(({ type, wire }) => type.kind === 'decimal' && isPercent(valueText(given.get(wire) ?? '')));

/**
 * The change of one record whose decimals are raised or lowered by percents. The new numbers are computed once, from the first read of the
 * record: a repeated attempt must not raise a value again. `changeOf`: makes a change from a body with numbers in place of percents.
 */
function percentChange(fields: readonly Field[], given: Body, changeOf: (given: Body) => RecordChange): RecordChange {
  const asTyped = changeOf(given);
  let change: RecordChange | undefined;
  const changeFrom = (record: unknown): RecordChange => {
    change ??= changeOf(withNumbers(fields, given, record));
    return change;
  };
  return {
    ...asTyped,
    holds: (record) => changeFrom(record).holds(record),
    write: (record, one) => changeFrom(record).write(record, one),
    tells: (record, sent) => changeFrom(record).tells(record, sent),
    asks: (sent) => (change ?? asTyped).asks?.(sent) ?? [],
    effect: (one, before, after, sent) => (change ?? asTyped).effect(one, before, after, sent),
    plans: (record, nameOf) => (record === undefined ? asTyped : changeFrom(record)).plans?.(record, nameOf) ?? [],
  };
}

/** The body with each percent replaced by the number computed from the record. Throws InvalidValues where the record has no number. */
function withNumbers(fields: readonly Field[], given: Body, record: unknown): Body {
  const numbers = percentFields(fields, given).map(({ flag, wire, read = '' }): [string, string] => {
    const percent = valueText(given.get(wire) ?? '');
    const number = raised(scalarText(valueAt(record, read)), percent);
    if (number === undefined) throw invalidValue(`--${flag}`, `the record has no ${flag} to take ${percent} of.`);
    return [wire, number];
  });
  return new Map([...given, ...numbers]);
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
      const answer = await api.read({ method: 'GET', path });
      try {
        return recordOf(answer, path);
      } catch (error) {
        throw withHints(error, ['--replace skips the read and sends just the flags.']);
      }
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
function typedIn({ typed }: ResolvedInput): (field: Field) => string | undefined {
  return ({ flag, type }) => {
    const text = namedBy(type) === undefined ? undefined : typed.flags[flag];
    return typeof text === 'string' ? text : undefined;
  };
}

/** Tells which fields the service left out of a record. An update can't send such a field back, so the service may clear the field. */
export function tellAbsent(context: Context, absent: string, which: string): void {
  void notice(context.io, context.flags, `${which} came without ${absent}; not sent back.`);
}
