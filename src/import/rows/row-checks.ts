// Checks a row across its cells: fields that a new record needs, and fields that exclude each other. Builds the request bodies.

import type { Place, Problems, Where } from '../../base/files/problems.ts';
import type { Body } from '../../base/values/body.ts';
import { type BodyProblem, blankProblem, bodyCheck, createBody, withOneOf } from '../../model/bodies/create-body.ts';
import { asMember } from '../../model/bodies/names.ts';
import { withoutCreateOnly } from '../../model/bodies/read-back.ts';
import type { Field } from '../../model/define.ts';
import { createShape, updateShape } from '../../model/shape.ts';
import { hasHeader } from '../files/raw-row.ts';
import type { ImportPlan } from '../plan.ts';
import type { Row } from './row.ts';

/** The places and problems of a row. */
export interface Telling {
  readonly problems: Problems;
  /** The line that names the columns: the header's, or the row's own. */
  readonly header: Place;
  /** The place of a body field: the line, and the column where there is one. */
  place(wire: string): Place;
  /** True when a column gives the body field. */
  isGiven(wire: string): boolean;
  /** Adds a problem of the whole file once. */
  once(where: Where, message: string): void;
}

/**
 * Returns a function that checks a row across its cells, and returns its complete body. `hasKey`: a column gives the row's
 * key; `faulty`: body fields whose cells have problems already.
 */
export function rowCheck(plan: ImportPlan) {
  const shape = plan.mode === 'update' ? updateShape(plan.resource) : createShape(plan.resource);
  const problemsOf = bodyCheck(shape);
  return (row: Row, hasKey: boolean, faulty: ReadonlySet<string>, telling: () => Telling): Body => {
    if (!hasKey) tellKeyless(plan, row, telling());
    for (const problem of problemsOf(row.body, (wire) => faulty.has(wire))) tellProblem(plan, row, problem, telling());
    return plan.mode === 'create' ? withOneOf(shape, row.body) : row.body;
  };
}

/** Adds the problem of a row without a key. In mode upsert by id, such a JSON row creates a record. */
function tellKeyless(plan: ImportPlan, { line }: Row, { problems, header, once }: Telling): void {
  const { match, format, mode } = plan;
  const name = match?.kind === 'field' ? match.field.flag : 'id';
  if (hasHeader(format)) once(header, `there is no column for ${name}, by which rows find their records (--match).`);
  else if (mode === 'update' || match?.kind === 'field') {
    problems.addOfRow({ line }, `${name} is missing, by which rows find their records (--match).`);
  }
}

/** Adds a problem of a row. Fields that only a new record needs are required in mode create alone. */
function tellProblem(plan: ImportPlan, { line }: Row, problem: BodyProblem, telling: Telling): void {
  const { problems, place } = telling;
  const { makes = '' } = createShape(plan.resource);
  switch (problem.kind) {
    case 'missing':
      if (plan.mode === 'create') tellMissing(plan, [problem.field], place(problem.field.wire), telling);
      break;
    case 'blank':
      problems.addOfRow(
        place(problem.field.wire),
        blankProblem(plan.mode === 'create' ? createShape(plan.resource) : updateShape(plan.resource)),
      );
      break;
    case 'none-of':
      if (plan.mode === 'create') tellMissing(plan, problem.group, { line }, telling);
      break;
    case 'several-of': {
      const { first, second, group } = problem;
      problems.addOfRow(place(second.wire), `${first.flag} is given, too; ${makes} takes ${group.map(({ flag }) => flag).join(' or ')}.`);
      break;
    }
    case 'half': {
      const { flag, wire } = problem.field;
      problems.addOfRow(place(`${wire}_${problem.missing}`), `${flag}.${problem.missing} is missing beside ${flag}.${problem.there}.`);
      break;
    }
    case 'order':
      problems.addOfRow(place(problem.later.wire), `${problem.end} is before the ${problem.earlier.flag}, ${problem.start}.`);
  }
}

/** Adds the problem of missing fields: a blank cell, no column, or no member. */
function tellMissing({ format, resource }: ImportPlan, fields: readonly Field[], row: Place, telling: Telling): void {
  const { problems, header, place, isGiven, once } = telling;
  const { makes = '' } = createShape(resource);
  const names = fields.map(({ flag }) => flag).join(' or ');
  const column = fields.find(({ wire }) => isGiven(wire));
  if (column !== undefined) {
    const what = fields.length > 1 ? `it is blank, and ${makes} needs ${names}.` : blankProblem(createShape(resource));
    problems.addOfRow(place(column.wire), what);
  } else if (hasHeader(format)) once(header, `there is no column for ${names}, which ${makes} needs.`);
  else problems.addOfRow(row, `${names} is missing.`);
}

/** The body that creates the record. Throws UsageError. */
export function newRecordBody({ resource }: ImportPlan, row: Row): Body {
  return createBody(createShape(resource), row.body, asMember);
}

/** The part of a row's body that updates a record. */
export function updateGivenBy({ resource }: ImportPlan, row: Row): Body {
  return withoutCreateOnly(updateShape(resource), row.body);
}
