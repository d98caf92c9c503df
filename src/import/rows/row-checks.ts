// The checks across the cells of a row: what a new record needs, what must not stand together, and the bodies that come
// out of it. Each problem is told at the column that it is about.

import { checkOrder, withOneOf } from '../../bodies/body.ts';
import { createShape } from '../../bodies/shapes.ts';
import { UsageError } from '../../errors.ts';
import type { Problems } from '../../files/problems.ts';
import type { Field } from '../../resources/define.ts';
import type { Body } from '../../values/body.ts';
import { wiresOf } from '../columns/columns.ts';
import type { ImportPlan } from '../plan.ts';
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
  /** Whether the cell of a body field has a problem of its own already. */
  isFaulty(wire: string): boolean;
  /** A problem of the whole file. */
  once(where: string, message: string): void;
  /** Whether anything is wrong with the row, or with the header above it. */
  isFlawed(): boolean;
}

export type RowCheck = (row: Row, hasKey: boolean, telling: Telling) => Row | undefined;

/** What gives a row once the checks across its cells are done, or undefined. `hasKey`: a column is there by which it finds its record. */
export function rowCheck(plan: ImportPlan): RowCheck {
  const required = plan.mode === 'create' ? requiredFields(plan) : [];
  const checks = [...oneOfChecks(plan), ...halvesChecks(plan), ...orderChecks(plan)];
  return (row, hasKey, telling) => {
    if (!hasKey) tellKeyless(plan, row, telling);
    for (const field of required) if (isMissing(field, row.body)) tellMissing(plan, field, telling);
    for (const check of checks) check(row, telling);
    if (telling.isFlawed()) return undefined;
    return plan.mode === 'create' ? { ...row, body: createBodyOf(plan, row) } : row;
  };
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
function tellMissing({ format, resource }: ImportPlan, { wire, flag }: Field, telling: Telling): void {
  const { problems, header, place, isGiven, isFaulty, once } = telling;
  if (isFaulty(wire)) return;
  if (isGiven(wire)) problems.add(place(wire), `it is blank, and a new ${resource.singular} needs it.`);
  else if (format === 'csv') once(header, `there is no column for ${flag}, which a new ${resource.singular} needs.`);
  else problems.add(place(wire), `${flag} is missing.`);
}

type Check = (row: Row, telling: Telling) => void;

/** A new record takes exactly one of some fields. */
function oneOfChecks(plan: ImportPlan): Check[] {
  const { oneOf, singular, fields } = plan.resource;
  if (oneOf === undefined || plan.mode === 'update') return [];
  const group = fields.filter(({ flag }) => oneOf.flags.includes(flag));
  const names = oneOf.flags.join(' or ');
  const check: Check = ({ body, line }, telling) => {
    const [first, second] = group.filter(({ wire }) => body.has(wire) || telling.isFaulty(wire));
    if (first !== undefined && second !== undefined) {
      telling.problems.add(telling.place(second.wire), `${first.flag} is given, too; a new ${singular} takes ${names}.`);
    } else if (first === undefined && plan.mode === 'create') tellNoneOf(plan, group, names, line, telling);
  };
  return [check];
}

function tellNoneOf({ format, resource }: ImportPlan, group: readonly Field[], names: string, line: number, telling: Telling): void {
  const { problems, header, place, isGiven, once } = telling;
  const column = group.find(({ wire }) => isGiven(wire));
  if (column !== undefined) problems.add(place(column.wire), `it is blank, and a new ${resource.singular} needs ${names}.`);
  else if (format === 'csv') once(header, `there is no column for ${names}, which a new ${resource.singular} needs.`);
  else problems.add(`line ${line}`, `${names} is missing.`);
}

/** References travel as a type and an id: neither goes without the other. */
function halvesChecks({ resource }: ImportPlan): Check[] {
  const references = resource.fields.filter(({ type }) => type.kind === 'reference');
  return references.map(({ wire, flag }) => ({ body }, { problems, place, isFaulty }) => {
    const isThere = (part: string): boolean => body.has(`${wire}_${part}`) || isFaulty(`${wire}_${part}`);
    const [withType, withId] = [isThere('type'), isThere('id')];
    if (withType === withId) return;
    const [there, missing] = withType ? ['type', 'id'] : ['id', 'type'];
    problems.add(place(`${wire}_${missing}`), `${flag}.${missing} is missing beside ${flag}.${there}.`);
  });
}

/** Dates that come before those that they must not come before. */
function orderChecks({ resource }: ImportPlan): Check[] {
  return resource.fields.flatMap(({ notBefore, wire }): Check[] => {
    const earlier = resource.fields.find(({ flag }) => flag === notBefore);
    if (earlier === undefined) return [];
    return [
      ({ body }, { problems, place }) => {
        const [start, end] = [body.get(earlier.wire), body.get(wire)];
        if (typeof start !== 'string' || typeof end !== 'string' || end === '' || end >= start) return;
        problems.add(place(wire), `${end} is before the ${earlier.flag}, ${start}.`);
      },
    ];
  });
}

const requiredFields = ({ resource }: ImportPlan): Field[] => createShape(resource).fields.filter(({ required }) => required);

const isMissing = ({ wire }: Field, body: Body): boolean => (body.get(wire) ?? '') === '';

/** The body that creates a row's record. Throws UsageError. */
export function createBodyOf(plan: ImportPlan, row: Row): Body {
  const shape = createShape(plan.resource);
  const missing = requiredFields(plan).filter((field) => isMissing(field, row.body));
  if (missing.length > 0) throw new UsageError(`A new ${plan.resource.singular} needs ${missing.map(({ flag }) => flag).join(', ')}.`);
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
