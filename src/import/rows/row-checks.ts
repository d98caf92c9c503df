// Checks a row across its cells: fields that a new record needs, and fields that exclude each other. Builds the request bodies.

import type { Place, Problems } from '../../base/files/problems.ts';
import type { Body } from '../../base/values/body.ts';
import { type BodyProblem, blankProblem, bodyCheck, withOneOf } from '../../model/bodies/create-body.ts';
import { withoutCreateOnly } from '../../model/bodies/read-back.ts';
import type { Field } from '../../model/define.ts';
import { createShape, updateShape } from '../../model/shape.ts';
import type { ColumnTable } from '../columns/column-table.ts';
import { hasHeader } from '../files/raw-row.ts';
import type { ImportJob } from '../job.ts';
import type { Row } from './row.ts';
import { noteUnknown, type UnknownWords } from './unknown-words.ts';

/** What the check of a row knows beside its body. */
interface Checked {
  readonly line: number;
  /** The line that names the columns: the header's, or the row's own. */
  readonly header: Place;
  /** The body fields that columns give. */
  readonly wires: ReadonlySet<string>;
  /** Body fields whose cells have problems already. */
  readonly faulty: ReadonlySet<string>;
  /** True when a column gives the row's key. */
  readonly hasKey: boolean;
}

/**
 * Returns a function that checks a row across its cells, and returns its complete body. Problems go to `problems`, those of columns to
 * `table`, blank cells of fields that a new record needs to `unknown`. Fields that only a new record needs are required in mode create alone.
 */
export function rowCheck(
  job: ImportJob,
  problems: Problems,
  table: ColumnTable,
  unknown: UnknownWords,
): (body: Body, checked: Checked) => Body {
  const { resource, mode, match, format } = job;
  const isCreate = mode === 'create';
  const shape = mode === 'update' ? updateShape(resource) : createShape(resource);
  const { makes = '' } = createShape(resource);
  const problemsOf = bodyCheck(shape);
  const place = (wire: string, { line, wires }: Checked): Place =>
    wires.has(wire) ? { line, noun: hasHeader(format) ? 'column' : 'member', column: table.columnName(wire) ?? wire } : { line };
  /** Adds the problem of a row without a key. In mode upsert by id, such a JSON row creates a record. */
  const tellKeyless = ({ line, header }: Checked): void => {
    const name = match?.kind === 'field' ? match.field.flag : 'id';
    if (hasHeader(format)) table.tellOnce(header, `there is no column for ${name}, by which rows find their records (--match).`);
    else if (mode === 'update' || match?.kind === 'field')
      problems.addOfRow({ line }, `${name} is missing, by which rows find their records (--match).`);
  };
  /** Adds the problem of missing fields: a blank cell, no column, or no member. */
  const tellMissing = (fields: readonly Field[], body: Body, checked: Checked): void => {
    const names = fields.map(({ flag }) => flag).join(' or ');
    const column = fields.find(({ wire }) => checked.wires.has(wire));
    const parts = column === undefined ? [] : table.partsOfName(column.wire);
    if (column !== undefined && parts.some(({ wire }) => (body.get(wire) ?? '') !== '')) {
      const what = `it is one word, and ${makes} needs a first and a last name: write both in the cell.`;
      problems.addOfRow(place(column.wire, checked), what);
    } else if (column !== undefined) {
      // A blank name lacks both of its parts, and is told once.
      if (parts.length > 0 && parts[0]?.wire !== column.wire) return;
      const what = fields.length > 1 ? `it is blank, and ${makes} needs ${names}.` : blankProblem(shape);
      problems.addOfRow(place(column.wire, checked), what);
      // A mapping translates words of a field, and no part of a whole name.
      if (fields.length === 1 && parts.length === 0) noteUnknown(unknown, column.flag, '');
    } else if (hasHeader(format)) table.tellOnce(checked.header, `there is no column for ${names}, which ${makes} needs.`);
    else problems.addOfRow({ line: checked.line }, `${names} is missing.`);
  };
  const tell = (problem: BodyProblem, body: Body, checked: Checked): void => {
    const add = (wire: string, message: string): void => problems.addOfRow(place(wire, checked), message);
    switch (problem.kind) {
      case 'missing':
        if (isCreate) tellMissing([problem.field], body, checked);
        break;
      case 'blank':
        add(problem.field.wire, blankProblem(isCreate ? shape : updateShape(resource)));
        break;
      case 'none-of':
        if (isCreate) tellMissing(problem.group, body, checked);
        break;
      case 'several-of': {
        const { first, second, group } = problem;
        add(second.wire, `${first.flag} is given, too; ${makes} takes ${group.map(({ flag }) => flag).join(' or ')}.`);
        break;
      }
      case 'half': {
        const { flag, wire } = problem.field;
        add(`${wire}_${problem.missing}`, `${flag}.${problem.missing} is missing beside ${flag}.${problem.there}.`);
        break;
      }
      case 'order':
        add(problem.later.wire, `${problem.end} is before the ${problem.earlier.flag}, ${problem.start}.`);
    }
  };
  return (body, checked) => {
    if (!checked.hasKey) tellKeyless(checked);
    for (const problem of problemsOf(body, (wire) => checked.faulty.has(wire))) tell(problem, body, checked);
    return isCreate ? withOneOf(shape, body) : body;
  };
}

/** The part of a row's body that updates a record. */
export function updateGivenBy({ resource }: ImportJob, row: Row): Body {
  return withoutCreateOnly(updateShape(resource), row.body);
}
