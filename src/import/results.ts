// What became of each row, beside the row: a line is added as soon as a row has its outcome. Before that and at the end the file is
// written anew from the journal, in the order of the rows, so that every row stands there once however often the run was killed.

import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { CrmError, systemCode, UnavailableError, UsageError } from '../errors.ts';
import { writeDurably } from '../files/durable-file.ts';
import type { Run, StepState } from '../runs/run.ts';
import type { Outcome } from '../runs/runner.ts';
import { scalarText } from '../values/json.ts';
import { keptId } from '../values/parse.ts';
import { csvLines, textIn } from './files/csv-lines.ts';
import { type Dialect, encodedIn, markIn, ownDialect } from './files/dialect.ts';
import { type BadRow, hasHeader, type RawRow } from './files/raw-row.ts';
import { readRows } from './files/readers.ts';
import type { Source } from './files/source.ts';
import type { ImportPlan } from './plan.ts';
import { lackingIn } from './request.ts';
import type { Row } from './rows/row.ts';
import { isBlankRow } from './rows/rows.ts';
import type { FoundRow, RowSink } from './watch.ts';

/** What stands behind a row's own columns. */
interface Ending {
  /** Of the record that was made, changed or left alone; empty where there is none, or nobody knows it. */
  readonly id: string;
  /** `created`, `updated`, `unchanged`, `conflict`, `failed` or `unknown`; `created; assigned failed: …` where it lacks something. */
  readonly outcome: string;
  readonly error: string;
}

/** The columns that are added; one that the row has itself gets a `_` in front. */
const added = ['id', 'outcome', 'error'] as const;

interface Writer {
  /** What stands above all rows; empty in JSON. */
  header(names: readonly string[]): string;
  line(raw: RawRow | BadRow, ending: Ending): string;
}

export class ResultsFile implements RowSink {
  readonly #path: string;
  readonly #name: string;
  readonly #writer: Writer;
  readonly #dialect: Dialect;
  readonly #file: number;

  private constructor(path: string, name: string, writer: Writer, dialect: Dialect = ownDialect) {
    this.#path = path;
    this.#name = name;
    this.#writer = writer;
    this.#dialect = dialect;
    this.#file = openSync(path, 'a');
  }

  /**
   * Writes what earlier processes did with the rows of the file to `path` (0600), as the journal has it, and takes further rows. `name`: as
   * messages call it. Throws UsageError where no file can be, UnavailableError when the disk is full.
   */
  static async begin(path: string, name: string, plan: ImportPlan, source: Source, run: Run): Promise<ResultsFile> {
    const writer = await writerFor(plan);
    try {
      await writeAll(path, plan, source, run, writer, ['done', 'failed']);
      return new ResultsFile(path, name, writer, plan.dialect);
    } catch (error) {
      throw unwritable(name, error, false);
    }
  }

  /** Adds a row. Throws UnavailableError when it can't be written. */
  takes({ raw }: Row, { id }: FoundRow, outcome: Outcome): void {
    if (raw === undefined) return;
    const own = 'did' in outcome ? outcome.made.find((one) => one.id !== undefined)?.id : undefined;
    const known = scalarText(own ?? id);
    this.#add(
      this.#writer.line(
        raw,
        'did' in outcome
          ? { id: known, outcome: outcome.did, error: '' }
          : { id: known, outcome: outcome.barred ?? 'failed', error: outcome.failed },
      ),
    );
  }

  /** Writes the file anew, with the rows of which nobody knows what became. Throws like `begin`. */
  async end(plan: ImportPlan, source: Source, run: Run): Promise<void> {
    try {
      await writeAll(this.#path, plan, source, run, this.#writer, ['done', 'failed', 'sent']);
    } catch (error) {
      throw unwritable(this.#name, error, true);
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Takes the file away again: nothing was done. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }

  #add(text: string): void {
    try {
      const bytes = encodedIn(this.#dialect, text);
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    } catch (error) {
      throw unwritable(this.#name, error, true);
    }
  }
}

function unwritable(name: string, error: unknown, hasBegun: boolean): unknown {
  const code = systemCode(error);
  if (error instanceof CrmError || code === undefined) return error;
  const what = `--results: ${name} can't be written (${code})`;
  const isFull = code === 'ENOSPC';
  if (hasBegun) {
    return new UnavailableError(`${what}, so nothing more is sent.`, { code: isFull ? 'disk_full' : undefined, cause: error });
  }
  return isFull
    ? new UnavailableError(`${what}. Nothing was sent.`, { code: 'disk_full', cause: error })
    : new UsageError(`${what}.`, { cause: error });
}

/** Writes the rows of the file that have one of these states. Throws ConflictError when the file holds other rows by now. */
async function writeAll(
  path: string,
  plan: ImportPlan,
  source: Source,
  run: Run,
  writer: Writer,
  states: readonly StepState[],
): Promise<void> {
  await writeDurably(path, async (file) => {
    const dialect = plan.dialect ?? ownDialect;
    await file.appendFile(markIn(dialect));
    for await (const text of resultTexts(plan, source, run, writer, states)) await file.appendFile(encodedIn(dialect, text));
    await source.checkUnchanged();
  });
}

async function* resultTexts(
  plan: ImportPlan,
  source: Source,
  run: Run,
  writer: Writer,
  states: readonly StepState[],
): AsyncGenerator<string> {
  const outcomes = run.outcomes();
  const lacking = lackingIn(run);
  let next = outcomes.next();
  let number = 0;
  for await (const rows of readRows(source.bytes(), plan)) {
    const texts: string[] = [];
    for (const raw of rows) {
      if ('header' in raw) texts.push(writer.header(raw.asWritten));
      if ('header' in raw || isBlankRow(raw)) continue;
      number += 1;
      while (!next.done && next.value.n < number) next = outcomes.next();
      if (next.done || next.value.n !== number || !states.includes(next.value.state)) continue;
      const { state, did, id = '', error = '' } = next.value;
      const lacks = lacking.get(number);
      const outcome = state === 'sent' ? 'unknown' : [did ?? 'failed', ...(lacks === undefined ? [] : [lacks])].join('; ');
      texts.push(writer.line(raw, { id, outcome, error }));
    }
    if (texts.length > 0) yield texts.join('');
  }
}

async function writerFor(plan: ImportPlan): Promise<Writer> {
  if (!hasHeader(plan.format)) {
    return {
      header: () => '',
      line: (raw, ending) => {
        const object = 'problem' in raw ? { _text: raw.text ?? '' } : (raw.object ?? {});
        const own = added.map((name) => [addedName(name, Object.keys(object)), jsonValue(name, ending)]);
        return `${JSON.stringify({ ...object, ...Object.fromEntries(own) })}\n`;
      },
    };
  }
  const { cell, own, line } = await csvLines(plan);
  let width = 0;
  return {
    header: (names) => {
      width = names.length;
      return line([...names.map(own), ...added.map((name) => addedName(name, names))]);
    },
    line: (raw, ending) => {
      const values: readonly unknown[] = 'problem' in raw ? (raw.cells ?? []) : raw.values;
      // A row with too few cells has its ending in the right columns all the same.
      const cells = Array.from({ length: Math.max(width, values.length) }, (_, index) => cell(textIn(values[index])));
      return line([...cells, ...added.map((name) => own(ending[name]))]);
    },
  };
}

/** Nothing is null, and an id is a number where that holds it exactly. */
function jsonValue(name: keyof Ending, ending: Ending): string | number | null {
  return (name === 'id' ? keptId(ending.id) : ending[name]) || null;
}

function addedName(name: string, names: readonly string[]): string {
  return names.some((one) => one.trim().toLowerCase() === name) ? addedName(`_${name}`, names) : name;
}
