// The rows that failed, with their own columns and what was wrong with them. The file can be repaired and imported as it
// is: the columns that are added here are passed over. It is complete or not there: it gets its name when it is whole.

import { fstatSync, type Stats } from 'node:fs';
import { access, constants, lstat, open, realpath, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Context } from '../context.ts';
import { CrmError, systemCode, UsageError } from '../errors.ts';
import { writeDurably } from '../files/durable-file.ts';
import type { Input } from '../flag.ts';
import type { Run } from '../runs/run.ts';
import { rejectColumns } from './columns/columns.ts';
import { csvLines, textIn } from './files/csv-lines.ts';
import { encodedIn, markIn, ownDialect } from './files/dialect.ts';
import { type BadRow, hasHeader, type RawRow } from './files/raw-row.ts';
import { formatByName, readRows } from './files/readers.ts';
import type { Source } from './files/source.ts';
import type { ImportPlan } from './plan.ts';
import type { ImportRequest } from './request.ts';
import { isBlankRow } from './rows/rows.ts';
import type { Scratch } from './scratch.ts';

/** What is wrong with the files of --rejects and --results must show before anything is sent. Throws UsageError. */
export async function checkOutputs(context: Context, plan: ImportPlan, source: Source, flags: Input['flags']): Promise<void> {
  const { rejects, results } = flags;
  if (results === '-') throw new UsageError('--results: standard output has the summary; name a file.');
  await checkOutput(context, plan, source, '--rejects', rejects, flags);
  await checkOutput(context, plan, source, '--results', results, flags);
  if (typeof rejects !== 'string' || typeof results !== 'string') return;
  if (await isSameFile(resolve(context.cwd, rejects), resolve(context.cwd, results))) {
    throw new UsageError('--results: that is the file of --rejects; name another one.');
  }
}

type OutputFlag = '--rejects' | '--results';

async function checkOutput(
  context: Context,
  plan: ImportPlan,
  source: Source,
  flag: OutputFlag,
  name: Input['flags'][string],
  { mapping }: Input['flags'],
): Promise<void> {
  if (typeof name !== 'string') return;
  checkName(plan, flag, name);
  const path = resolve(context.cwd, name);
  await access(dirname(path), constants.W_OK).catch(() => {
    throw new UsageError(`${flag}: files can't be written to ${dirname(path)}.`);
  });
  const facts = await stat(path).catch(() => undefined);
  if (facts !== undefined && !facts.isFile()) throw new UsageError(`${flag}: ${name} is not a file.`);
  if (source.path === undefined ? isStandardInput(facts) : await isSameFile(path, source.path)) {
    throw new UsageError(`${flag}: that is the file that is imported; name another one.`);
  }
  if (typeof mapping === 'string' && (await isSameFile(path, resolve(context.cwd, mapping)))) {
    throw new UsageError(`${flag}: that is the file of --mapping; name another one.`);
  }
  if (facts !== undefined && facts.size > 0 && !(await isOfImport(flag, path))) {
    throw new UsageError(`${flag}: ${name} is there already and is no file that ${flag} wrote; name another one.`);
  }
}

/** So much of a file tells what wrote it, in bytes. */
const beginning = 65_536;

/** What only the file of the flag has: the columns that it adds, at the end of a CSV header or of a line of JSON. */
const marks: Readonly<Record<OutputFlag, RegExp>> = {
  '--rejects': new RegExp(`^(?:.*[,;\\t])?${rejectColumns.join('[,;\\t]')}\\r?$|^\\{.*"_status":(?:null|\\d+),"_error":.*\\}$`, 'm'),
  '--results': /^(?:.*[,;\t])?_*id[,;\t]_*outcome[,;\t]_*error\r?$|^\{.*"_*outcome":"(?:[^"\\]|\\.)*","_*error":.*\}$/m,
};

/** Whether an import wrote the file for this flag, so that nothing of anybody else's is lost with it. */
async function isOfImport(flag: OutputFlag, path: string): Promise<boolean> {
  const file = await open(path).catch((error: unknown) => {
    throw new UsageError(`${flag}: ${path} can't be read (${systemCode(error) ?? 'unreadable'}); name another file.`);
  });
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(beginning), position: 0 });
    // Whatever the encoding, the names of the columns are plain letters.
    return marks[flag].test(
      buffer
        .toString('latin1', 0, bytesRead)
        .replaceAll('\0', '')
        .replace(/\r(?!\n|$)/g, '\n'),
    );
  } finally {
    await file.close();
  }
}

/** Imported again, the file must be read as what it is. */
function checkName({ format }: ImportPlan, flag: string, name: string): void {
  const written = hasHeader(format) ? 'csv' : 'ndjson';
  const read = formatByName(name) ?? written;
  if ((read === 'csv') === (written === 'csv')) return;
  throw new UsageError(`${flag}: the rows are written as ${written}, and ${name} would be read as ${read}; name it .${written}.`);
}

function isStandardInput(facts: Stats | undefined): boolean {
  const input = fstatSync(0);
  return facts !== undefined && facts.ino === input.ino && facts.dev === input.dev;
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  return (await realName(one)) === (await realName(other));
}

const realName = (path: string): Promise<string> => realpath(path).catch(() => path);

/** A row that failed: the service's status, empty where nothing was sent, and what was wrong. */
interface FailedRow {
  readonly status: string;
  readonly error: string;
}

/** Writes the failed rows of a run to `path` (0600), durably. Throws ConflictError when the file holds other rows by now. */
export async function writeRejects(plan: ImportPlan, source: Source, run: Run, path: string): Promise<void> {
  const failed = new Map([...run.failures()].map(({ n, status, error }) => [n, { status: status === null ? '' : String(status), error }]));
  await writeRows(plan, source, (n) => failed.get(n), path);
}

/**
 * Writes the rows that a check found wrong, of an import that is refused for them. Gives the sentence that says so, or why they are not
 * written; undefined where no row is wrong.
 */
export async function writeInvalid(
  { cwd }: Context,
  { plan, source }: ImportRequest,
  scratch: Scratch,
  name: string,
): Promise<string | undefined> {
  const count = scratch.invalidCount;
  if (count === 0) return undefined;
  const failureOf = (n: number): FailedRow | undefined => {
    const error = scratch.invalid(n);
    return error === undefined ? undefined : { status: '', error };
  };
  try {
    await writeRows(plan, source, failureOf, resolve(cwd, name));
    return count === 1 ? `The row that is wrong is in ${name}.` : `The ${count} rows that are wrong are in ${name}.`;
  } catch (error) {
    if (error instanceof CrmError) return `${name} is not written: ${error.message}`;
    const code = systemCode(error);
    if (code === undefined) throw error;
    return `${name} can't be written (${code}).`;
  }
}

/** So many characters are written at once. */
const writtenAtOnce = 65_536;

type FailureOf = (n: number) => FailedRow | undefined;

async function writeRows(plan: ImportPlan, source: Source, failureOf: FailureOf, path: string): Promise<void> {
  await writeDurably(path, async (file) => {
    const dialect = plan.dialect ?? ownDialect;
    await file.appendFile(markIn(dialect));
    let text = '';
    for await (const one of rejectTexts(plan, source, failureOf)) {
      text += one;
      if (text.length < writtenAtOnce) continue;
      await file.appendFile(encodedIn(dialect, text));
      text = '';
    }
    await file.appendFile(encodedIn(dialect, text));
    await source.checkUnchanged();
  });
}

/** Takes the file of an earlier run away: this one has no row for it. */
export async function removeRejects(path: string): Promise<void> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts?.isFile()) await rm(path);
}

async function* rejectTexts(plan: ImportPlan, source: Source, failureOf: FailureOf): AsyncGenerator<string> {
  const write = hasHeader(plan.format) ? await rejectLines(plan) : jsonLine;
  let number = 0;
  let header: readonly string[] = [];
  for await (const rows of readRows(source.bytes(), plan)) {
    for (const raw of rows) {
      if ('header' in raw) header = raw.asWritten;
      if ('header' in raw || isBlankRow(raw)) continue;
      number += 1;
      const failure = failureOf(number);
      if (failure !== undefined) yield write(raw, failure, header);
    }
  }
}

type Write = (raw: RawRow | BadRow, failure: FailedRow, header: readonly string[]) => string;

/** The header comes with the first row. What was read guarded is written guarded, and the rest is guarded too. */
async function rejectLines(plan: ImportPlan): Promise<Write> {
  const { cell, own: text, line } = await csvLines(plan);
  let isFirst = true;
  return (raw, { status, error }, header) => {
    const own = header.flatMap((name, index) => (isAdded(name.trim()) ? [] : [index]));
    // A row with too few or too many cells stays one, so that it is refused again until somebody has mended it.
    const cells = 'problem' in raw ? (raw.cells ?? []) : own.map((index) => textIn(raw.values[index]));
    const values = [...cells.map(cell), String(raw.line), status, text(error)];
    const names = own.map((index) => header[index] ?? '').map(text);
    const first = isFirst ? line([...names, ...rejectColumns]) : '';
    isFirst = false;
    return first + line(values);
  };
}

const jsonLine: Write = (raw, { status, error }) => {
  const own = 'problem' in raw ? { _text: raw.text ?? '' } : (raw.object ?? {});
  return `${JSON.stringify({ ...own, _line: raw.line, _status: status === '' ? null : Number(status), _error: error })}\n`;
};

const isAdded = (name: string): boolean => rejectColumns.some((added) => added === name);
