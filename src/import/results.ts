// What became of each row, beside the row: a line is added as soon as a row has its outcome, and the lines of an earlier process are
// written anew from its journal, so that every row stands there once however often the run was killed.

import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { CrmError, systemCode, UnavailableError, UsageError } from '../errors.ts';
import { writeDurably } from '../files/durable-file.ts';
import type { Journal } from '../runs/journal.ts';
import type { Outcome } from '../runs/runner.ts';
import { scalarText } from '../values/json.ts';
import { csvLines } from './files/csv-lines.ts';
import type { RawRow } from './files/raw-row.ts';
import { readRows } from './files/readers.ts';
import type { Source } from './files/source.ts';
import type { ImportPlan } from './plan.ts';
import type { Row } from './rows/row.ts';
import { isBlankRow } from './rows/rows.ts';
import type { Found, RowSink } from './watch.ts';

/** What stands behind a row's own columns. */
interface Ending {
  /** Of the record that was made, changed or left alone; empty where there is none, or nobody knows it. */
  readonly id: string;
  /** `created`, `updated`, `unchanged`, `conflict`, `failed` or `unknown`. */
  readonly outcome: string;
  readonly error: string;
}

/** The columns that are added; one that the row has itself gets a `_` in front. */
const added = ['id', 'outcome', 'error'] as const;

interface Writer {
  /** What stands above all rows; empty in JSON. */
  header(names: readonly string[]): string;
  line(raw: RawRow, ending: Ending): string;
}

export class ResultsFile implements RowSink {
  readonly #path: string;
  readonly #name: string;
  readonly #writer: Writer;
  readonly #file: number;

  private constructor(path: string, name: string, writer: Writer) {
    this.#path = path;
    this.#name = name;
    this.#writer = writer;
    this.#file = openSync(path, 'a');
  }

  /**
   * Writes what earlier processes did with the rows of the file to `path` (0600), as the journal has it, and takes further rows. `name`: as
   * messages call it. Throws UsageError where no file can be, UnavailableError when the disk is full.
   */
  static async begin(path: string, name: string, plan: ImportPlan, source: Source, journal: Journal): Promise<ResultsFile> {
    const writer = await writerFor(plan);
    try {
      await writeDurably(path, async (file) => {
        for await (const text of resultTexts(plan, source, journal, writer, (state) => state !== 'sent')) await file.appendFile(text);
      });
      return new ResultsFile(path, name, writer);
    } catch (error) {
      throw unwritable(name, error, false);
    }
  }

  /** Adds a row. Throws UnavailableError when it can't be written. */
  takes({ raw }: Row, { id }: Found, outcome: Outcome): void {
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

  /** Adds the rows of which nobody knows what became. Throws UnavailableError. */
  async end(plan: ImportPlan, source: Source, journal: Journal): Promise<void> {
    if (journal.counts().doubts === 0) return;
    const headless: Writer = { ...this.#writer, header: () => '' };
    for await (const text of resultTexts(plan, source, journal, headless, (state) => state === 'sent')) this.#add(text);
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
      const bytes = Buffer.from(text);
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
  if (hasBegun) return new UnavailableError(`${what}, so nothing more is sent.`, { cause: error });
  return code === 'ENOSPC'
    ? new UnavailableError(`${what}. Nothing was sent.`, { cause: error })
    : new UsageError(`${what}.`, { cause: error });
}

/** The header, and the lines of the rows of a file that have a certain state in the journal. */
async function* resultTexts(
  plan: ImportPlan,
  source: Source,
  journal: Journal,
  writer: Writer,
  isWanted: (state: string) => boolean,
): AsyncGenerator<string> {
  const outcomes = journal.outcomes();
  let next = outcomes.next();
  let number = 0;
  for await (const rows of readRows(source.bytes(), plan)) {
    for (const raw of rows) {
      if ('header' in raw) yield writer.header(raw.asWritten);
      if ('header' in raw || 'problem' in raw || isBlankRow(raw)) continue;
      number += 1;
      while (!next.done && next.value.n < number) next = outcomes.next();
      if (next.done || next.value.n !== number || !isWanted(next.value.state)) continue;
      const { state, did, id = '', error = '' } = next.value;
      const outcome = state === 'failed' ? (did ?? 'failed') : state === 'sent' ? 'unknown' : (did ?? '');
      yield writer.line(raw, { id, outcome, error: state === 'done' ? '' : error });
    }
  }
}

async function writerFor({ format, csvRaw }: ImportPlan): Promise<Writer> {
  if (format !== 'csv') {
    return {
      header: () => '',
      line: ({ object = {} }, ending) => {
        const own = added.map((name) => [addedName(name, Object.keys(object)), name === 'outcome' ? ending[name] : ending[name] || null]);
        return `${JSON.stringify({ ...object, ...Object.fromEntries(own) })}\n`;
      },
    };
  }
  const { cell, own, line } = await csvLines(csvRaw);
  return {
    header: (names) => line([...names.map(own), ...added.map((name) => addedName(name, names))]),
    line: ({ values }, ending) => line([...values.map((value) => cell(String(value ?? ''))), ...added.map((name) => own(ending[name]))]),
  };
}

function addedName(name: string, names: readonly string[]): string {
  return names.some((one) => one.trim().toLowerCase() === name) ? addedName(`_${name}`, names) : name;
}
