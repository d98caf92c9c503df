// The first reading of a file: every row is checked, and nothing is sent.

import type { Problems } from '../../files/problems.ts';
import type { Field } from '../../resources/define.ts';
import { fieldKey } from '../../runs/field-key.ts';
import { valueText } from '../../values/parse.ts';
import { readRows } from '../files/readers.ts';
import type { Source } from '../files/source.ts';
import type { ImportPlan } from '../plan.ts';
import type { Scratch } from '../scratch.ts';
import { digestOf, type Row } from './row.ts';
import { isBlankRow, type RowReader } from './rows.ts';

/**
 * Reads and checks all rows; what is wrong is in `problems` afterwards. The digests of those that `isKept` asks for go
 * into `scratch`. Gives how many rows there are. Throws the signal's reason.
 */
export async function checkFile(
  plan: ImportPlan,
  source: Source,
  reader: RowReader,
  problems: Problems,
  scratch: Scratch,
  isKept: (row: Row) => boolean,
  signal: AbortSignal,
): Promise<number> {
  const uniques = uniqueChecks(plan, reader, problems, scratch);
  let rows = 0;
  try {
    for await (const row of checkedRows(plan, source.bytes(), reader, problems)) {
      signal.throwIfAborted();
      rows += 1;
      if (row === undefined) continue;
      for (const check of uniques) check(row);
      if (problems.count === 0 && isKept(row)) scratch.addRow(row.number, row.line, digestOf(row));
    }
  } catch (error) {
    if (!problems.takes(error)) throw error;
  }
  for (const name of reader.unmapped()) problems.add('--map', `there is no column "${name}".`);
  return rows;
}

/** Every row that is not blank, numbered from 1; undefined for one with problems. `skip`: rows that nobody needs. */
export async function* checkedRows(
  plan: ImportPlan,
  bytes: AsyncIterable<Uint8Array>,
  reader: RowReader,
  problems: Problems,
  skip: (number: number) => boolean = () => false,
): AsyncGenerator<Row | undefined> {
  let number = 0;
  for await (const rows of readRows(bytes, plan)) {
    for (const raw of rows) {
      if ('header' in raw) reader.readHeader(raw);
      if ('problem' in raw) problems.add(`line ${raw.line}`, raw.problem);
      if ('header' in raw || 'problem' in raw || isBlankRow(raw)) continue;
      number += 1;
      if (skip(number)) continue;
      const row = reader.read(raw, number);
      yield row === undefined ? undefined : { ...row, raw };
    }
  }
}

type RowCheck = (row: Row) => void;

/** Values that must be there only once: unique fields, and what rows find their records by. */
function uniqueChecks(plan: ImportPlan, reader: RowReader, problems: Problems, scratch: Scratch): RowCheck[] {
  const noun = plan.format === 'csv' ? 'column' : 'member';
  const once = (wire: string, name: () => string, key: (row: Row) => string | undefined): RowCheck => {
    return (row) => {
      const value = key(row);
      const before = value === undefined ? undefined : scratch.see(wire, value, row.line);
      if (before !== undefined) problems.add(`line ${row.line}, ${noun} ${name()}`, `the same as on line ${before}.`);
    };
  };
  const { match } = plan;
  const isMatch = (field: Field): boolean => match?.kind === 'field' && match.field === field;
  const uniques = plan.resource.fields.filter((field) => field.unique && !isMatch(field));
  const matched = match?.kind === 'field' ? match.field.wire : 'id';
  return [
    ...uniques.map((field) =>
      once(
        field.wire,
        () => reader.columnName(field.wire) ?? field.flag,
        (row) => uniqueValue(field, row),
      ),
    ),
    ...(match === undefined
      ? []
      : [
          once(
            matched,
            () => reader.columnName(matched) ?? matched,
            (row) => row.key,
          ),
        ]),
  ];
}

function uniqueValue(field: Field, row: Row): string | undefined {
  const value = row.body.get(field.wire);
  return value === undefined || value === '' ? undefined : fieldKey(field, valueText(value));
}
