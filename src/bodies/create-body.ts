// What a body must hold as a whole: what is required, exactly one of some fields, both halves of a reference, dates in
// order. Said once; where and how a field is named is the caller's: `--title` of a flag, `title` of a file. Pure.

import { type InvalidValue, InvalidValues, invalidValue, UsageError } from '../errors.ts';
import type { Field, OneOf } from '../resources/define.ts';
import type { Body, BodyValue } from '../values/body.ts';
import { type Entry, isBlank } from './entries.ts';
import type { Naming } from './names.ts';
import type { BodyShape } from './shape.ts';

/** What is wrong with a body as a whole. */
export type BodyProblem =
  | { readonly kind: 'missing' | 'blank'; readonly field: Field }
  /** Exactly one of the group is wanted: none is there, or a second. */
  | { readonly kind: 'none-of'; readonly group: readonly Field[] }
  | { readonly kind: 'several-of'; readonly group: readonly Field[]; readonly first: Field; readonly second: Field }
  /** One half of a reference without the other: `type` or `id`. */
  | { readonly kind: 'half'; readonly field: Field; readonly there: string; readonly missing: string }
  | { readonly kind: 'order'; readonly earlier: Field; readonly later: Field; readonly start: string; readonly end: string };

/** Everything that is wrong with a body. `isFaulty`: wire names whose values are wrong already, and so are not missing. */
export function bodyProblems(shape: BodyShape, body: Body, isFaulty: (wire: string) => boolean = () => false): BodyProblem[] {
  return [
    ...shape.fields.filter(({ required, wire }) => required && !isFaulty(wire)).flatMap((field) => requiredProblem(field, body)),
    ...oneOfProblems(shape, body, isFaulty),
    ...halves(shape, body, isFaulty),
    ...orderProblems(shape, body),
  ];
}

function requiredProblem(field: Field, body: Body): BodyProblem[] {
  const value = body.get(field.wire);
  return isBlank(value) ? [{ kind: value === undefined ? 'missing' : 'blank', field }] : [];
}

const groupOf = (shape: BodyShape, oneOf: OneOf): Field[] => shape.fields.filter(({ flag }) => oneOf.flags.includes(flag));

function oneOfProblems(shape: BodyShape, body: Body, isFaulty: (wire: string) => boolean): BodyProblem[] {
  if (shape.oneOf === undefined) return [];
  const group = groupOf(shape, shape.oneOf);
  const [first, second] = group.filter(({ wire }) => !isBlank(body.get(wire)) || isFaulty(wire));
  if (first === undefined) return [{ kind: 'none-of', group }];
  return second === undefined ? [] : [{ kind: 'several-of', group, first, second }];
}

/** References travel as a type and an id: neither goes without the other. */
function halves({ fields }: BodyShape, body: Body, isFaulty: (wire: string) => boolean): BodyProblem[] {
  const references = fields.filter(({ type }) => type.kind === 'reference');
  return references.flatMap((field): BodyProblem[] => {
    const isThere = (part: string): boolean => !isBlank(body.get(`${field.wire}_${part}`)) || isFaulty(`${field.wire}_${part}`);
    if (isThere('type') === isThere('id')) return [];
    const [there = '', missing = ''] = isThere('type') ? ['type', 'id'] : ['id', 'type'];
    return [{ kind: 'half', field, there, missing }];
  });
}

/** Dates that come before those that they must not come before (interface: Limits, `doc_date_end`). */
function orderProblems({ fields }: BodyShape, body: Body): Extract<BodyProblem, { kind: 'order' }>[] {
  const bounded = fields.filter(({ notBefore }) => notBefore !== undefined);
  return bounded.flatMap((later) => {
    const earlier = fields.find(({ flag }) => flag === later.notBefore);
    const [start, end] = [body.get(earlier?.wire ?? ''), body.get(later.wire)];
    if (earlier === undefined || typeof start !== 'string' || typeof end !== 'string' || end === '' || end >= start) return [];
    return [{ kind: 'order', earlier, later, start, end }];
  });
}

/** What is wrong with a required value that is blank. */
export const blankProblem = ({ makes }: BodyShape): string =>
  makes === undefined ? "it is blank, and can't be cleared." : `it is blank, and ${makes} needs it.`;

/** The whole body that creates something. Throws UsageError for what is missing, blank or contradicts. */
export function createBody(shape: BodyShape, entries: Iterable<readonly [string, BodyValue]>, named: Naming): Body {
  const body: Body = new Map(entries);
  refuse(
    shape,
    bodyProblems(shape, body).filter((problem) => !mayClear(shape, body, problem)),
    named,
  );
  return withOneOf(shape, body);
}

/** An empty text that is given clears what is there (`--title ''`): whether it may be cleared is the service's to say. */
const mayClear = ({ makes }: BodyShape, given: Body, problem: BodyProblem): boolean =>
  makes === undefined && problem.kind === 'blank' && problem.field.type.kind === 'text' && given.get(problem.field.wire) === '';

/** Checks what is given of a body that a record completes: nothing required blank, no contradiction. Throws UsageError. */
export function checkGiven(shape: BodyShape, given: Body, named: Naming): void {
  const isTold = (problem: BodyProblem): boolean =>
    problem.kind !== 'missing' && problem.kind !== 'none-of' && !mayClear(shape, given, problem);
  const problems = bodyProblems(shape, given).filter(isTold);
  refuse(shape, problems, named);
}

/** Adds the field that tells which one of the group is there. */
export function withOneOf(shape: BodyShape, body: Body): Body {
  const { oneOf } = shape;
  if (oneOf === undefined) return body;
  const group = groupOf(shape, oneOf);
  const only = group.find(({ wire }) => !isBlank(body.get(wire)));
  const blank = new Set(group.filter((field) => field !== only).map(({ wire }) => wire));
  const rest = [...body].filter(([wire]) => !blank.has(wire));
  return new Map(only === undefined ? rest : [[oneOf.wire, only.flag] satisfies Entry, ...rest]);
}

/** The record that a body was completed from: what it is called, and what was given over its values. */
export interface Completed {
  readonly singular: string;
  readonly given: Body;
}

/** Checks a body that was completed from a record. What is required may be blank there: it goes back as it was. Throws UsageError. */
export function checkCompleted(shape: BodyShape, body: Body, named: Naming, completed: Completed): void {
  const problems = bodyProblems(shape, body).filter(({ kind }) => kind !== 'blank');
  refuse(shape, problems, named, completed);
}

/** Throws UsageError for the first kind of problem that there is; it tells when something new lacks values, and that is all. */
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

/** The error for two dates; a date that the user didn't give is told as the record's. */
function orderError(
  { earlier, later, start, end }: Extract<BodyProblem, { kind: 'order' }>,
  named: Naming,
  completed?: Completed,
): UsageError {
  const isGiven = ({ wire }: Field): boolean => completed === undefined || completed.given.has(wire);
  const held = ({ flag }: Field, date: string): string => `the ${completed?.singular}'s ${flag}, ${date}`;
  const [atStart, atEnd] = [named(earlier), named(later)];
  if (!isGiven(earlier) && !isGiven(later))
    return invalidValue(atEnd, `${held(later, end)}, is before ${held(earlier, start)}: give another one.`);
  if (!isGiven(later)) return invalidValue(atStart, `${start} is after ${held(later, end)}: give ${atEnd}, too.`);
  if (!isGiven(earlier)) return invalidValue(atEnd, `${end} is before ${held(earlier, start)}: give ${atStart}, too.`);
  return invalidValue(atEnd, `${end} is before ${atStart} ${start}.`);
}
