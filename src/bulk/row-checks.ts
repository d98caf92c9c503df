// The checks across the cells of a row: what a new record needs, what must not stand together, and the bodies that come
// out of it. Each problem is told at the column that it is about.

import type { Body } from '../body.ts';
import { UsageError } from '../errors.ts';
import type { Field } from '../resources/define.ts';
import { checkOrder, withOneOf } from '../verbs/body.ts';
import { createShape } from '../verbs/flags.ts';
import { wiresOf } from './columns.ts';
import type { ImportPlan } from './plan.ts';
import type { Problems } from './problems.ts';
import type { Row } from './rows.ts';

/** How a row's problems are told. */
export interface Telling {
  readonly problems: Problems;
  /** Where the columns are named: the header's line, or the row's own. */
  readonly header: string;
  /** The place of a body field in this row: its line, and its column where it has one. */
  place(wire: string): string;
  /** Whether some column gives a body field. */
  isGiven(wire: string): boolean;
  /** A problem of the whole file. */
  once(where: string, message: string): void;
  /** Whether there was one, so that no row can be whole. */
  isHopeless(): boolean;
}

/** The row once the checks across its cells are done, or undefined. `hasKey`: there is a column by which it finds its record. */
export function checkedRow(plan: ImportPlan, row: Row, hasKey: boolean, telling: Telling): Row | undefined {
  const { problems } = telling;
  const before = problems.count;
  if (!hasKey) tellKeyless(plan, row, telling);
  if (plan.mode === 'create') tellMissing(plan, row, telling);
  tellOneOf(plan, row, telling);
  tellHalves(plan, row, telling);
  tellOrder(plan, row, telling);
  if (problems.count > before || telling.isHopeless()) return undefined;
  return plan.mode === 'create' ? { ...row, body: createBodyOf(plan, row) } : row;
}

/** A row without a key: it may only create, and only where rows find their records by the id. */
function tellKeyless(plan: ImportPlan, { line }: Row, { problems, header, once }: Telling): void {
  const { match, format, mode } = plan;
  const name = match?.kind === 'field' ? match.field.flag : 'id';
  if (format === 'csv') once(header, `there is no column for ${name}, by which rows find their records (--match).`);
  else if (mode === 'update' || match?.kind === 'field') {
    problems.add(`line ${line}`, `${name} is missing, by which rows find their records (--match).`);
  }
}

/** What a new record needs and the row doesn't give. */
function tellMissing(plan: ImportPlan, row: Row, { problems, header, place, isGiven, once }: Telling): void {
  const { singular } = plan.resource;
  for (const { wire, flag } of missingFields(plan, row.body)) {
    if (isGiven(wire)) problems.add(place(wire), `it is blank, and a new ${singular} needs it.`);
    else if (plan.format === 'csv') once(header, `there is no column for ${flag}, which a new ${singular} needs.`);
    else problems.add(place(wire), `${flag} is missing.`);
  }
}

/** A new record takes exactly one of some fields. */
function tellOneOf(plan: ImportPlan, row: Row, telling: Telling): void {
  const { oneOf, singular, fields } = plan.resource;
  if (oneOf === undefined || plan.mode === 'update') return;
  const group = fields.filter(({ flag }) => oneOf.flags.includes(flag));
  const [first, second] = group.filter(({ wire }) => row.body.has(wire));
  const names = oneOf.flags.join(' or ');
  if (first !== undefined && second !== undefined) {
    telling.problems.add(telling.place(second.wire), `${first.flag} is given, too; a new ${singular} takes ${names}.`);
  } else if (first === undefined && plan.mode === 'create') tellNoneOf(plan, row, group, names, telling);
}

function tellNoneOf(
  { format, resource: { singular } }: ImportPlan,
  { line }: Row,
  group: readonly Field[],
  names: string,
  { problems, header, place, isGiven, once }: Telling,
): void {
  const column = group.find(({ wire }) => isGiven(wire));
  if (column !== undefined) problems.add(place(column.wire), `it is blank, and a new ${singular} needs ${names}.`);
  else if (format === 'csv') once(header, `there is no column for ${names}, which a new ${singular} needs.`);
  else problems.add(`line ${line}`, `${names} is missing.`);
}

/** References travel as a type and an id: neither goes without the other. */
function tellHalves({ resource }: ImportPlan, { body }: Row, { problems, place }: Telling): void {
  for (const { wire, flag, type } of resource.fields) {
    if (type.kind !== 'reference') continue;
    const [withType, withId] = [body.has(`${wire}_type`), body.has(`${wire}_id`)];
    if (withType === withId) continue;
    const [there, missing] = withType ? ['type', 'id'] : ['id', 'type'];
    problems.add(place(`${wire}_${missing}`), `${flag}.${missing} is missing beside ${flag}.${there}.`);
  }
}

/** Dates that come before those that they must not come before. */
function tellOrder({ resource }: ImportPlan, { body }: Row, { problems, place }: Telling): void {
  for (const { notBefore, wire } of resource.fields) {
    const earlier = resource.fields.find(({ flag }) => flag === notBefore);
    const [start, end] = [earlier && body.get(earlier.wire), body.get(wire)];
    if (earlier === undefined || typeof start !== 'string' || typeof end !== 'string' || end === '' || end >= start) continue;
    problems.add(place(wire), `${end} is before the ${earlier.flag}, ${start}.`);
  }
}

function missingFields(plan: ImportPlan, body: Body): Field[] {
  return createShape(plan.resource).fields.filter(({ required, wire }) => required && (body.get(wire) ?? '') === '');
}

/** The body that creates a row's record. Throws UsageError. */
export function createBodyOf(plan: ImportPlan, row: Row): Body {
  const shape = createShape(plan.resource);
  const missing = missingFields(plan, row.body).map(({ flag }) => flag);
  if (missing.length > 0) throw new UsageError(`A new ${plan.resource.singular} needs ${missing.join(', ')}.`);
  const body = withOneOf(shape, row.body);
  checkOrder(shape.fields, body);
  return body;
}

/** What a row gives of a body that updates a record. */
export function updateGivenBy(plan: ImportPlan, row: Row): Body {
  const createOnly = plan.resource.fields.filter(({ only }) => only === 'create');
  const wires = new Set(createOnly.flatMap((field) => [field.wire, ...wiresOf({ kind: 'field', field })]));
  return new Map([...row.body].filter(([wire]) => !wires.has(wire)));
}
