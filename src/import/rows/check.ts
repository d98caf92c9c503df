// The first reading of a file: every row is checked and nothing is sent. What comes out is what the second reading and
// the journal need to know.

import { createHash } from 'node:crypto';
import type { Problems } from '../../files/problems.ts';
import type { Field } from '../../resources/define.ts';
import { fieldKey } from '../../runs/field-key.ts';
import { valueText } from '../../values/parse.ts';
import { readRows } from '../files/readers.ts';
import type { Source } from '../files/source.ts';
import { CompactMap } from '../match/compact-map.ts';
import type { ImportPlan } from '../plan.ts';
import { isBlankRow, type Row, type RowReader } from './rows.ts';

export interface Checked {
  /** How many rows there are. */
  readonly rows: number;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly content: string;
}

/** Reads and checks all rows; what is wrong is in `problems` afterwards. Throws the signal's reason. */
export async function checkFile(
  plan: ImportPlan,
  source: Source,
  reader: RowReader,
  problems: Problems,
  signal: AbortSignal,
): Promise<Checked> {
  const digest = createHash('sha256');
  const uniques = uniqueChecks(plan, reader, problems);
  let rows = 0;
  try {
    for await (const row of checkedRows(plan, tapped(source.bytes(), digest), reader, problems)) {
      signal.throwIfAborted();
      rows += 1;
      if (row !== undefined) for (const check of uniques) check(row);
    }
  } catch (error) {
    if (!problems.takes(error)) throw error;
  }
  for (const name of reader.unmapped()) problems.add('--map', `there is no column "${name}".`);
  return { rows, content: digest.digest('hex') };
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
      if (!skip(number)) yield reader.read(raw, number);
    }
  }
}

async function* tapped(bytes: AsyncIterable<Uint8Array>, digest: ReturnType<typeof createHash>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    digest.update(chunk);
    yield chunk;
  }
}

type RowCheck = (row: Row) => void;

/** Values that must be there only once: unique fields, and what rows find their records by. */
function uniqueChecks(plan: ImportPlan, reader: RowReader, problems: Problems): RowCheck[] {
  const noun = plan.format === 'csv' ? 'column' : 'member';
  const once = (name: (row: Row) => string, key: (row: Row) => string | undefined): RowCheck => {
    const seen = new CompactMap();
    return (row) => {
      const value = key(row);
      const before = value === undefined ? undefined : seen.set(value, row.line);
      if (before !== undefined) problems.add(`line ${row.line}, ${noun} ${name(row)}`, `the same as on line ${before}.`);
    };
  };
  const { match } = plan;
  const isMatch = (field: Field): boolean => match?.kind === 'field' && match.field === field;
  const uniques = plan.resource.fields.filter((field) => field.unique && !isMatch(field));
  const matched = match?.kind === 'field' ? match.field.wire : 'id';
  return [
    ...uniques.map((field) =>
      once(
        () => reader.columnName(field.wire) ?? field.flag,
        (row) => uniqueValue(field, row),
      ),
    ),
    ...(match === undefined
      ? []
      : [
          once(
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
