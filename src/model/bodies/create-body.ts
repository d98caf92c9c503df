// Checks a body as a whole: required fields, exactly one of a group, both halves of a reference, the order of dates. The caller names the
// fields: `--title` for a flag, `title` in a file. Pure.

import { type InvalidValue, InvalidValues, invalidValue, UsageError } from '../../base/errors.ts';
import type { Body, BodyValue } from '../../base/values/body.ts';
import type { Field, OneOf } from '../define.ts';
import type { BodyShape } from '../shape.ts';
import { type Entry, isBlankGiven } from './entries.ts';
import type { Naming } from './names.ts';

export type BodyProblem =
  | { readonly kind: 'missing' | 'blank'; readonly field: Field }
  /** Exactly one field of the group must be given. `none-of`: no field is given. `several-of`: two fields are given. */
  | { readonly kind: 'none-of'; readonly group: readonly Field[] }
  | { readonly kind: 'several-of'; readonly group: readonly Field[]; readonly first: Field; readonly second: Field }
  /** A reference with a type and no id, or the other way round. */
  | { readonly kind: 'half'; readonly field: Field; readonly there: string; readonly missing: string }
  | { readonly kind: 'order'; readonly earlier: Field; readonly later: Field; readonly start: string; readonly end: string };

/**
 * Returns a function that gives all problems of a body. `isFaulty` is true for a wire name whose value was refused already: such a field is
 * not missing.
 */
export function bodyCheck(shape: BodyShape): (body: Body, isFaulty?: (wire: string) => boolean) => BodyProblem[] {
  const { fields, oneOf } = shape;
  const required = fields.filter((field) => field.required);
  const group = oneOf === undefined ? undefined : groupOf(shape, oneOf);
  const references = fields.filter(({ type }) => type.kind === 'reference');
  const bounded = fields.filter(({ notBefore }) => notBefore !== undefined);
  return (body, isFaulty = () => false) => {
    const problems: BodyProblem[] = [];
    for (const field of required) {
      const value = body.get(field.wire);
      if (isBlankGiven(value) && !isFaulty(field.wire)) problems.push({ kind: value === undefined ? 'missing' : 'blank', field });
    }
    if (group !== undefined) problems.push(...oneOfProblems(group, body, isFaulty));
    if (references.length > 0) problems.push(...halves(references, body, isFaulty));
    if (bounded.length > 0) problems.push(...orderProblems(fields, bounded, body));
    return problems;
  };
}

const bodyProblems = (shape: BodyShape, body: Body): BodyProblem[] => bodyCheck(shape)(body);

const groupOf = (shape: BodyShape, oneOf: OneOf): Field[] => shape.fields.filter(({ flag }) => oneOf.flags.includes(flag));

function oneOfProblems(group: readonly Field[], body: Body, isFaulty: (wire: string) => boolean): BodyProblem[] {
  const [first, second] = group.filter(({ wire }) => !isBlankGiven(body.get(wire)) || isFaulty(wire));
  if (first === undefined) return [{ kind: 'none-of', group }];
  return second === undefined ? [] : [{ kind: 'several-of', group, first, second }];
}

/** References with only one of type and id. */
function halves(references: readonly Field[], body: Body, isFaulty: (wire: string) => boolean): BodyProblem[] {
  return references.flatMap((field): BodyProblem[] => {
    const isPartGiven = (part: string): boolean => !isBlankGiven(body.get(`${field.wire}_${part}`)) || isFaulty(`${field.wire}_${part}`);
    if (isPartGiven('type') === isPartGiven('id')) return [];
    const [there = '', missing = ''] = isPartGiven('type') ? ['type', 'id'] : ['id', 'type'];
    return [{ kind: 'half', field, there, missing }];
  });
}

/** interface: Limits, `doc_date_end`. */
function orderProblems(fields: readonly Field[], bounded: readonly Field[], body: Body): Extract<BodyProblem, { kind: 'order' }>[] {
  return bounded.flatMap((later) => {
    const earlier = fields.find(({ flag }) => flag === later.notBefore);
    const [start, end] = [body.get(earlier?.wire ?? ''), body.get(later.wire)];
    if (earlier === undefined || typeof start !== 'string' || typeof end !== 'string' || end === '' || end >= start) return [];
    return [{ kind: 'order', earlier, later, start, end }];
  });
}

/** The message for a blank value of a required field. */
export const blankProblem = ({ makes }: { readonly makes?: string | undefined }): string =>
  makes === undefined ? "it is blank, and can't be cleared." : `it is blank, and ${makes} needs it.`;

/** The whole body of a create. Throws UsageError for missing, blank and contradicting values. */
export function createBody(shape: BodyShape, entries: Iterable<readonly [string, BodyValue]>, named: Naming): Body {
  const body: Body = new Map(entries);
  refuse(
    shape,
    bodyProblems(shape, body).filter((problem) => !mayClear(shape, body, problem)),
    named,
  );
  return withOneOf(shape, body);
}

/** The service decides whether a required text may be empty (`--set lead_title=`). */
const mayClear = ({ makes }: BodyShape, given: Body, problem: BodyProblem): boolean =>
  makes === undefined && problem.kind === 'blank' && problem.field.type.kind === 'text' && given.get(problem.field.wire) === '';

/** Checks the given part of a body that a record will complete. Throws UsageError for blank required values and contradictions. */
export function checkGiven(shape: BodyShape, given: Body, named: Naming): void {
  const isOfGiven = (problem: BodyProblem): boolean =>
    problem.kind !== 'missing' && problem.kind !== 'none-of' && !mayClear(shape, given, problem);
  const problems = bodyProblems(shape, given).filter(isOfGiven);
  refuse(shape, problems, named);
}

/** Adds the wire name of the `oneOf` group, with the flag of the given field. */
export function withOneOf(shape: BodyShape, body: Body): Body {
  const { oneOf } = shape;
  if (oneOf === undefined) return body;
  const group = groupOf(shape, oneOf);
  const only = group.find(({ wire }) => !isBlankGiven(body.get(wire)));
  const blank = new Set(group.filter((field) => field !== only).map(({ wire }) => wire));
  const rest = [...body].filter(([wire]) => !blank.has(wire));
  return new Map(only === undefined ? rest : [[oneOf.wire, only.flag] satisfies Entry, ...rest]);
}

/** The record that completed a body: its singular, and the given values. */
interface Completed {
  readonly singular: string;
  readonly given: Body;
}

/**
 * Checks a body that a record completed. Throws UsageError. Blank required values pass: `checkGiven` refuses given blanks, and the
 * record's own blanks may go back.
 */
export function checkCompleted(shape: BodyShape, body: Body, named: Naming, completed: Completed): void {
  const problems = bodyProblems(shape, body).filter(({ kind }) => kind !== 'blank');
  refuse(shape, problems, named, completed);
}

/** Throws UsageError for the first kind of problem. The error lists the missing fields when nothing else is wrong with a create. */
function refuse(shape: BodyShape, problems: readonly BodyProblem[], named: Naming, completed?: Completed): void {
  const [first] = problems;
  if (first === undefined) return;
  const missing = problems.flatMap((one) => (one.kind === 'missing' ? [named(one.field)] : []));
  const blank = problems.flatMap((one) => (one.kind === 'blank' ? [named(one.field)] : []));
  const isRequired = missing.length + blank.length > 0;
  const error = isRequired ? requiredError(missing, blank, blankProblem(shape)) : problemError(first, named, completed);
  const lacking = problems.flatMap((one) => (one.kind === 'missing' ? [[one.field]] : one.kind === 'none-of' ? [one.group] : []));
  if (shape.makes !== undefined && lacking.length === problems.length) error.details.missing = lacking.map((group) => group.map(named));
  throw error;
}

function requiredError(missing: readonly string[], blank: readonly string[], why: string): UsageError {
  const values: InvalidValue[] = [
    ...missing.map((where) => ({ where, problem: 'it is missing.', code: 'missing_value' as const })),
    ...blank.map((where) => ({ where, problem: why })),
  ];
  if (missing.length === 0) return new InvalidValues(values);
  const sentences = [`Missing ${missing.join(', ')}.`, ...blank.map((where) => `${where}: ${why}`)];
  return new InvalidValues(values, sentences.join(' '));
}

function problemError(problem: BodyProblem, named: Naming, completed?: Completed): UsageError {
  switch (problem.kind) {
    case 'none-of':
      return new UsageError(`Give ${problem.group.map(named).join(' or ')}.`, { code: 'missing_value' });
    case 'several-of':
      return new UsageError(`Give only one of ${problem.group.map(named).join(' and ')}.`);
    case 'half':
      return invalidValue(named(problem.field), `its ${problem.missing} is missing beside its ${problem.there}.`, 'missing_value');
    case 'order':
      return orderError(problem, named, completed);
    default:
      return invalidValue(named(problem.field), 'it is missing.', 'missing_value');
  }
}

/** The message says which date is the record's own. */
function orderError(
  { earlier, later, start, end }: Extract<BodyProblem, { kind: 'order' }>,
  named: Naming,
  completed?: Completed,
): UsageError {
  const isGiven = ({ wire }: Field): boolean => completed === undefined || completed.given.has(wire);
  const heldDate = ({ flag }: Field, date: string): string => `the ${completed?.singular}'s ${flag}, ${date}`;
  const [atStart, atEnd] = [named(earlier), named(later)];
  if (!isGiven(earlier) && !isGiven(later))
    return invalidValue(atEnd, `${heldDate(later, end)}, is before ${heldDate(earlier, start)}: give another date.`);
  if (!isGiven(later)) return invalidValue(atStart, `${start} is after ${heldDate(later, end)}: give ${atEnd}, too.`);
  if (!isGiven(earlier)) return invalidValue(atEnd, `${end} is before ${heldDate(earlier, start)}: give ${atStart}, too.`);
  return invalidValue(atEnd, `${end} is before ${atStart} ${start}.`);
}
