// Writes the rejects and results. At the end of an import, the rows are read once more beside the journal. A file gets its name once the
// file is complete.

import { openDraft } from '../../base/files/durable-file.ts';
import { scalarText } from '../../base/values/json.ts';
import { storedId } from '../../base/values/parse.ts';
import { guard, unguard } from '../../output/formats/formula-guard.ts';
import { type PlainWorkbook, plainWorkbook } from '../../output/formats/xlsx.ts';
import type { Run } from '../../runs/journal/run.ts';
import type { Context } from '../../session/context.ts';
import { textInFormula } from '../columns/text-care.ts';
import { ownDialect } from '../files/dialect.ts';
import { type BadRow, type Header, isOfRejects, type RawRow, rejectColumns, rejectId, textIn } from '../files/raw-row.ts';
import { readRows } from '../files/readers.ts';
import type { ImportJob } from '../job.ts';
import { type ImportRequest, lackingIn, notTakenIn } from '../request.ts';
import { isBlankRow } from '../rows/rows.ts';
import { outputFormat } from './outputs.ts';

/** The outcome of a row. */
interface RowEnd {
  /** True for a failed row, for one with a value that was not taken, and for one of unknown outcome once the run is finished. */
  readonly isReject: boolean;
  /** The id of the record that the row created, changed or left alone; empty when no id is known. */
  readonly id: string;
  /** `created`, `updated`, `unchanged`, `conflict`, `failed` or `unknown`; `created; assigned failed: …` for a row that lacks a part. */
  readonly outcome: string;
  /** The HTTP status with which the service refused the row; `unknown` for a row of unknown outcome. */
  readonly status: number | 'unknown' | null;
  readonly error: string;
}

/** The content of an output file. */
interface OutputForm {
  takes(end: RowEnd): boolean;
  /** The names of the added columns. `names`: the names in the row. */
  added(names: readonly string[]): readonly string[];
  values(line: number, end: RowEnd): readonly (string | number | null)[];
  /** True when the output file has this column of the input, too. */
  keeps(name: string, names: readonly string[]): boolean;
}

/**
 * The failed rows and the rows of unknown outcome. Importing the file again ignores the added columns. `_id`: only where a row of unknown
 * outcome has an id.
 */
function rejectsOf(run: Run): OutputForm {
  const hasIds = run.past({ state: 'sent', part: 'first' }).some(({ id }) => id !== undefined);
  return {
    takes: ({ isReject }) => isReject,
    added: () => (hasIds ? [...rejectColumns, rejectId] : rejectColumns),
    values: (line, { id, status, error }) => [line, status, error, ...(hasIds ? [status === 'unknown' ? storedId(id) || null : null] : [])],
    keeps: (name, names) => !isOfRejects(name.trim(), names),
  };
}

/** Every row that has an outcome. */
const results: OutputForm = {
  takes: () => true,
  added: (names) => ['id', 'outcome', 'error'].map((name) => addedName(name, names)),
  // Empty values are null. An id is a number, unless the number would lose digits.
  values: (_line, { id, outcome, error }) => [storedId(id) || null, outcome, error || null],
  keeps: () => true,
};

/** The name of an added column. `_` is put before the name until no column of the row is called so. */
function addedName(name: string, names: readonly string[]): string {
  return names.some((one) => one.trim().toLowerCase() === name) ? addedName(`_${name}`, names) : name;
}

type OutputName = 'rejects' | 'results';

/** `leftOut`: the problem of an invalid row that the run leaves out, also where the run did not come so far. */
interface OutcomesOf {
  readonly run: Run;
  leftOut(n: number): string | undefined;
}

/** Returns a function that gives the outcome of each row, called in row order; undefined for a row not sent. */
function endsIn({ run, leftOut }: OutcomesOf): (n: number) => RowEnd | undefined {
  const outcomes = run.past({ part: 'first' });
  const [lacking, notTaken] = [lackingIn(run), notTakenIn(run)];
  const isOver = run.ended !== undefined;
  let next = outcomes.next();
  return (n) => {
    while (!next.done && next.value.n < n) next = outcomes.next();
    if (next.done || next.value.n !== n) {
      const problem = leftOut(n);
      return problem === undefined ? undefined : { isReject: true, id: '', outcome: 'failed', status: null, error: problem };
    }
    const { state, did = 'failed', id = '', status, error = '' } = next.value;
    const kept = notTaken.get(n);
    const outcome = state === 'sent' ? 'unknown' : [did, kept?.outcome, lacking.get(n)].filter((text) => text !== undefined).join('; ');
    if (state === 'sent') return { isReject: isOver, id, outcome, status: 'unknown', error };
    return { isReject: state === 'failed' || kept !== undefined, id, outcome, status, error: kept?.error ?? error };
  };
}

type RowText = (raw: Header | RawRow | BadRow, end: RowEnd | undefined) => string;

/** Writes an output file (0600), with fsync, in the format of its name. Throws when the file can't be written. */
export async function writeOutcomes(
  { clock }: Pick<Context, 'clock'>,
  { job, source }: ImportRequest,
  of: OutcomesOf,
  output: OutputName,
  path: string,
): Promise<void> {
  const endOf = endsIn(of);
  const form = output === 'rejects' ? rejectsOf(of.run) : results;
  const format = outputFormat(job.format, path);
  const textOf = format === 'csv' ? await csvOutcomes(job, form) : jsonOutcomes(form);
  const rowOf = tableOutcomes(job, form);
  const draft = await openDraft(path);
  let book: PlainWorkbook | undefined;
  let number = 0;
  try {
    if (format === 'csv' && job.dialect?.isOfSpreadsheet) await draft.file.appendFile('\ufeff');
    for await (const some of readRows(source.bytes, job)) {
      let text = '';
      for (const raw of some) {
        const isRow = !('header' in raw);
        if (isRow && isBlankRow(raw)) continue;
        if (isRow) number += 1;
        const end = isRow ? endOf(number) : undefined;
        const row = format === 'xlsx' ? rowOf(raw, end) : undefined;
        if (format !== 'xlsx') text += textOf(raw, end);
        else if (row !== undefined && !isRow) book = await plainWorkbook(output, [...row.held, ...row.added].map(textIn), clock.now());
        else if (row !== undefined) await book?.add([...row.held.map(bookValue), ...row.added]);
      }
      await draft.file.appendFile(text);
    }
    if (book !== undefined) for await (const bytes of book.end()) await draft.file.appendFile(bytes);
    await draft.keep();
  } catch (error) {
    await book?.drop();
    await draft.drop();
    throw error;
  }
}

/** A value for a cell of a workbook: a number or a truth value, else the text that a sheet shows. */
const bookValue = (value: unknown): unknown => (typeof value === 'number' || typeof value === 'boolean' ? value : textIn(value));

/** The cells of a row of an output table: those of the input, without guard and as the file has them, and the added ones. */
interface OutputRow {
  readonly held: readonly unknown[];
  readonly asInFile: readonly unknown[];
  readonly added: readonly (string | number | null)[];
}

/** Returns a function that gives the cells of a row of an output table; undefined for a row that the file doesn't take. */
function tableOutcomes({ csvRaw, format }: ImportJob, { takes, added, values, keeps }: OutputForm) {
  // Cells of a workbook have no guard to take off.
  const unguarded = (value: unknown): unknown => (csvRaw || format !== 'csv' || typeof value !== 'string' ? value : unguard(value));
  let indexes: readonly number[] = [];
  let width = 0;
  return (raw: Header | RawRow | BadRow, end: RowEnd | undefined): OutputRow | undefined => {
    if ('header' in raw) {
      const names = raw.asInFile;
      width = names.length;
      indexes = [...names.keys()].filter((index) => keeps(names[index] ?? '', names));
      return { held: indexes.map((index) => names[index] ?? ''), asInFile: [], added: added(names) };
    }
    if (end === undefined || !takes(end)) return undefined;
    const held: readonly unknown[] = 'problem' in raw ? (raw.cells ?? []) : raw.values;
    // A row with too many cells stays as it is, so that the next import refuses the row again.
    const cells = held.length > width ? held : indexes.map((index) => held[index]);
    return { held: cells.map(unguarded), asInFile: cells, added: values(raw.line, end) };
  };
}

/** Lines of CSV (RFC 4180) in the dialect of the imported file. Cells are guarded against formulas, unless --csv-raw is given. */
async function csvOutcomes(job: ImportJob, form: OutputForm): Promise<RowText> {
  const { stringify } = await import('csv-stringify/sync');
  const { csvRaw, dialect: { separator } = ownDialect } = job;
  const rowOf = tableOutcomes(job, form);
  return (raw, end) => {
    const row = rowOf(raw, end);
    if (row === undefined) return '';
    const cells = [...row.held.map(textIn), ...row.added.map(scalarText)];
    // A guard would make another text of ="007", which no spreadsheet calculates.
    const own = csvRaw
      ? cells
      : cells.map((cell, index) => (textInFormula(textIn(row.asInFile[index])) === undefined ? guard(cell) : cell));
    return stringify([own], { delimiter: separator, record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
  };
}

function jsonOutcomes({ takes, added, values }: OutputForm): RowText {
  return (raw, end) => {
    if ('header' in raw || end === undefined || !takes(end)) return '';
    const object = 'problem' in raw ? { _text: raw.text ?? '' } : (raw.object ?? {});
    const all = values(raw.line, end);
    return `${JSON.stringify({ ...object, ...Object.fromEntries(added(Object.keys(object)).map((name, index) => [name, all[index]])) })}\n`;
  };
}
