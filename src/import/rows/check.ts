// Checks every row of a file before anything is sent, and reads the checked rows again for sending. Warns of values that stand twice.

import { Lines, Problems } from '../../base/files/problems.ts';
import { valueText } from '../../base/values/parse.ts';
import { keyNameOf, keyOf } from '../../base/values/text/duplicate-key.ts';
import { howMany } from '../../base/values/text/wording.ts';
import type { Field } from '../../model/define.ts';
import { alikeKey, fieldKey } from '../../model/field-key.ts';
import { hasHeader, headerKey, headerNames, type RawRow, type RawRows } from '../files/raw-row.ts';
import { readRows } from '../files/readers.ts';
import { fileChanged } from '../files/source.ts';
import type { ImportJob } from '../job.ts';
import type { ImportRequest } from '../request.ts';
import { type Row, rowDigests } from './row.ts';
import type { RowNotes } from './row-notes.ts';
import { isBlankRow, type RowReader, rowReader } from './rows.ts';

/** The counts of a file's rows. */
export interface RowCounts {
  readonly rows: number;
  readonly valid: number;
  readonly doubles: Doubles;
}

interface RowsCheck {
  readonly problems: Problems;
  readonly notes: RowNotes;
  /** True for a row whose digest is noted. */
  isDigested(row: Row): boolean;
  /** Called with each chunk before its rows are read. */
  first(rows: RawRows): Promise<void>;
  readonly signal: AbortSignal;
}

/** Reads and checks all rows. Problems go to `problems`, invalid rows and digests to `notes`. Throws the reason of the signal. */
export async function checkFile(
  { job, source }: Pick<ImportRequest, 'job' | 'source'>,
  reader: RowReader,
  { problems, notes, isDigested, first, signal }: RowsCheck,
): Promise<RowCounts> {
  const checkUnique = uniqueCheck(job, reader, problems, notes);
  const doubles = new Doubles(job, notes);
  const digests = rowDigests(job);
  let rows = 0;
  let valid = 0;
  try {
    for await (const some of checkedRows(readRows(source.bytes, job), reader, problems, { first })) {
      signal.throwIfAborted();
      for (const { number, row } of some) {
        rows += 1;
        if (row !== undefined) checkUnique(row);
        const wrong = problems.takeRow();
        if (wrong !== undefined) notes.addInvalid(number, wrong);
        if (row === undefined || wrong !== undefined) continue;
        valid += 1;
        doubles.see(row);
        if ((job.skipInvalid || problems.count === 0) && isDigested(row)) notes.addRow(row.number, row.line, digests(row));
      }
    }
  } catch (error) {
    if (!problems.takes(error)) throw error;
  }
  for (const { name, where } of reader.columns.unmapped()) problems.add(where, `there is no column "${name}".`);
  for (const { where, message } of reader.doubtful()) problems.add(where, message);
  return { rows, valid, doubles };
}

/** A row of the file, numbered from 1; `row` is undefined where it has problems. */
interface CheckedRow {
  readonly number: number;
  readonly line: number;
  readonly row: Row | undefined;
}

/**
 * All rows that are not blank, in chunks; each row is read on demand. `skip`: true for rows not needed. `first`: called with each chunk
 * before its rows are read.
 */
async function* checkedRows(
  fileRows: AsyncIterable<RawRows>,
  reader: RowReader,
  problems: Problems,
  { skip, first }: { readonly skip?: (number: number) => boolean; readonly first?: (rows: RawRows) => Promise<void> },
): AsyncGenerator<Iterable<CheckedRow>> {
  let number = 0;
  function* checkedChunk(rows: RawRows): Generator<CheckedRow> {
    for (const raw of rows) {
      if ('header' in raw) reader.readHeader(raw);
      if ('header' in raw || isBlankRow(raw)) continue;
      number += 1;
      if (skip?.(number)) continue;
      const problem = 'problem' in raw ? raw.problem : isHeaderAgain(raw) ? 'the row repeats the header.' : undefined;
      if (problem !== undefined) problems.addOfRow({ line: raw.line }, problem);
      const row = 'problem' in raw || problem !== undefined ? undefined : reader.read(raw, number);
      yield { number, line: raw.line, row };
    }
  }
  for await (const rows of fileRows) {
    await first?.(rows);
    yield checkedChunk(rows);
  }
}

/** True for a row with the names of its columns: files were put together. A name that stands twice has its number in `names` alone. */
function isHeaderAgain({ names, values, object, line }: RawRow): boolean {
  const isName = (value: unknown, index: number): boolean =>
    typeof value === 'string' && headerKey(value) === headerKey(names[index] ?? '');
  if (object !== undefined || values.length !== names.length || !isName(values[0], 0)) return false;
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length === values.length && headerNames(texts, line).every(isName);
}

/** A row of a checked file: its values, or the problem for which it is left out. */
export interface RowAgain extends CheckedRow {
  readonly problem?: string;
}

/** The rows of a checked file, in chunks. `skip`: true for rows not needed. Throws ConflictError where the file changed since. */
export async function* rowsAgain(
  { job, source }: Pick<ImportRequest, 'job' | 'source'>,
  notes: RowNotes,
  skip: (number: number) => boolean,
): AsyncGenerator<Iterable<RowAgain>> {
  const problems = new Problems();
  const rowOrProblem = ({ number, line, row }: CheckedRow): RowAgain => {
    problems.takeRow();
    const problem = job.skipInvalid ? notes.invalid(number) : undefined;
    if (problem !== undefined) return { number, line, row: undefined, problem };
    if (row === undefined) throw fileChanged(source.name);
    return { number, line, row };
  };
  for await (const some of checkedRows(readRows(source.bytes, job), rowReader(job, problems), problems, { skip }))
    yield Iterator.from(some).map(rowOrProblem);
}

function uniqueCheck(job: ImportJob, reader: RowReader, problems: Problems, notes: RowNotes): (row: Row) => void {
  const noun = hasHeader(job.format) ? 'column' : 'member';
  const match = job.match?.kind === 'field' ? job.match.field : undefined;
  const uniques = job.resource.fields.filter((field) => field.unique && field !== match);
  const uniqueValue = (field: Field, { body }: Row): string | undefined => {
    const value = body.get(field.wire);
    return value === undefined || value === '' ? undefined : fieldKey(field, valueText(value));
  };
  const keys = [
    ...uniques.map((field) => ({ wire: field.wire, flag: field.flag, valueIn: (row: Row) => uniqueValue(field, row) })),
    { wire: match?.wire ?? 'id', flag: match?.flag ?? 'id', valueIn: ({ key }: Row) => key },
  ];
  return (row) => {
    for (const { wire, flag, valueIn } of keys) {
      const value = valueIn(row);
      const before = value === undefined ? undefined : notes.see(wire, value, row.line);
      if (before === undefined) {
        if (match !== undefined && wire === match.wire && value !== undefined) notes.seeAlike(alikeKey(match, value), row.line);
        continue;
      }
      problems.addOfRow({ line: row.line, noun, column: reader.columns.columnName(wire) ?? flag }, `the same as on line ${before}.`);
    }
  };
}

/** The most tags stored. */
const mostTags = 1000;

/** Gathers emails and phones that stand twice in the file, for warnings, and the tags of the file. */
class Doubles {
  readonly #job: ImportJob;
  readonly #notes: RowNotes;
  /** The fields that tell people apart. `keyOf` gives undefined for a value that identifies nobody. */
  readonly #fields: readonly { readonly field: Field; readonly keyOf: (text: string) => string | undefined }[];
  /** The lines of rows that repeat an earlier value, by flag. */
  readonly #again = new Map<string, Lines>();
  /** The tags of the rows, up to `mostTags`. */
  readonly tags = new Set<string>();

  constructor(job: ImportJob, notes: RowNotes) {
    this.#job = job;
    this.#notes = notes;
    this.#fields = job.resource.fields.flatMap((field) => {
      const name = keyNameOf(field);
      return name === 'email' || name === 'phone' ? [{ field, keyOf: keyOf[name] }] : [];
    });
  }

  see({ body, line, extras = [] }: Row): void {
    for (const { extra, elements } of extras) {
      if (!('set' in extra) || extra.set.element !== undefined) continue;
      for (const one of elements) if (this.tags.size < mostTags) this.tags.add(String(one));
    }
    for (const { field, keyOf } of this.#fields) {
      const text = valueText(body.get(field.wire) ?? '');
      if (text === '') continue;
      const key = this.#job.mode === 'create' ? keyOf(text) : undefined;
      if (key === undefined || this.#notes.see(` ${field.flag} of a person`, key, line) === undefined) continue;
      const lines = this.#again.get(field.flag) ?? new Lines();
      this.#again.set(field.flag, lines);
      lines.add(line);
    }
  }

  /** The warnings from the file alone. */
  sentences(): string[] {
    return [...this.#again].map(
      ([flag, { count, text }]) => `${howMany(count, 'row has', 'rows have')} the ${flag} of an earlier row: ${text}.`,
    );
  }
}
