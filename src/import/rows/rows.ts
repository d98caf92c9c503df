// A row of a file as a checked body: each cell by what its column means, each problem by its line and column.

import type { Problems } from '../../files/problems.ts';
import type { Field } from '../../resources/define.ts';
import type { Body } from '../../values/body.ts';
import type { TimeSpan } from '../../values/time-span.ts';
import { changedIn, entriesOf, keyIn, nameToMake, settledCell, valueIn } from '../columns/cells.ts';
import { ColumnTable, type Shape } from '../columns/column-table.ts';
import { isMatchColumn, wiresOf } from '../columns/columns.ts';
import type { Header, RawRow } from '../files/raw-row.ts';
import type { ImportPlan } from '../plan.ts';
import type { Row } from './row.ts';
import { rowCheck } from './row-checks.ts';

export interface RowReader {
  /** Takes in the columns of a file that names them once. */
  readHeader(header: Header): void;
  /** The row, or undefined once its problems are noted. */
  read(raw: RawRow, number: number): Row | undefined;
  /** The columns that were passed over, because they can only be read. */
  readonly passedOver: ReadonlySet<string>;
  /** The fields that some column gives. */
  readonly fields: ReadonlySet<Field>;
  /** The columns of --map that were not there; none before some column was. */
  unmapped(): string[];
  /** The column that gives a body field, for messages. */
  columnName(wire: string): string | undefined;
}

/** A reader of rows for a plan; what is wrong goes to `problems`. */
export function rowReader(plan: ImportPlan, problems: Problems): RowReader {
  const noun = plan.format === 'csv' ? 'column' : 'member';
  const table = new ColumnTable(plan, problems);
  const check = rowCheck(plan);
  let headerLine: number | undefined;

  const read = (raw: RawRow, number: number): Row | undefined => {
    const before = problems.count;
    const { line } = raw;
    const shape = table.shapeOf(raw.names, line);
    const { key, body, written, changed, faulty } = cellsOf(plan, shape, raw, noun, problems);
    const hasKey = plan.match === undefined || shape.columns.some((column) => isMatchColumn(plan, column));
    const known = { ...(key === undefined ? {} : { key }), ...(changed === undefined ? {} : { changed }) };
    return check({ number, line, ...known, body, written }, hasKey, {
      problems,
      header: `line ${headerLine ?? line}`,
      place: (wire) => `line ${line}${shape.wires.has(wire) ? `, ${noun} ${table.columnName(wire)}` : ''}`,
      isGiven: (wire) => shape.wires.has(wire),
      isFaulty: (wire) => faulty.has(wire),
      once: (where, message) => table.tellOnce(where, message),
      isFlawed: () => problems.count > before || (plan.format === 'csv' && table.isFlawed),
    });
  };

  return {
    readHeader: ({ header, line }) => {
      headerLine = line;
      table.shapeOf(header, line);
    },
    read,
    passedOver: table.passedOver,
    fields: table.fields,
    unmapped: () => table.unmapped(),
    columnName: (wire) => table.columnName(wire),
  };
}

interface Cells {
  readonly key: string | undefined;
  readonly body: Body;
  /** Names of what may be made on the fly, by wire name. */
  readonly written: ReadonlyMap<string, string>;
  readonly changed: TimeSpan | undefined;
  /** Body entries whose cells are wrong. */
  readonly faulty: ReadonlySet<string>;
}

/** What the cells of a row give. */
function cellsOf(plan: ImportPlan, { columns }: Shape, { names, values, line }: RawRow, noun: string, problems: Problems): Cells {
  const body: Body = new Map();
  const written = new Map<string, string>();
  const faulty = new Set<string>();
  let key: string | undefined;
  let changed: TimeSpan | undefined;
  columns.forEach((column, index) => {
    if (column.kind === 'read-only' || column.kind === 'left-out') return;
    const name = names[index] ?? '';
    const where = name === '' ? `line ${line}` : `line ${line}, ${noun} ${name}`;
    const isRight = problems.try(where, () => {
      const cell = valueIn(plan, values[index]);
      const value = settledCell(plan, column, cell, where);
      const made = nameToMake(column, cell);
      if (made !== undefined) written.set(made.wire, made.name);
      for (const [wire, one] of entriesOf(plan, column, value, where)) body.set(wire, one);
      if (column.kind === 'changed') changed = changedIn(value, where);
      if (isMatchColumn(plan, column)) key = keyIn(plan, column, value, where);
      return true;
    });
    if (!isRight) for (const wire of wiresOf(column)) faulty.add(wire);
  });
  return { key, body, written, changed, faulty };
}

/** Whether nothing stands in a row: spreadsheets end in such rows. They are not counted. */
export function isBlankRow(raw: RawRow): boolean {
  return raw.values.every((value) => value === '' || value === null);
}
