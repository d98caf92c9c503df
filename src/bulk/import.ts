// One import from beginning to end: check the file, find or begin its journal, run its rows, tell what became of them.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Context } from '../context.ts';
import { ConflictError, CrmError, type FieldProblem, InterruptedError, PartialError, type ProblemDetails, UsageError } from '../errors.ts';
import { notice } from '../output/notice.ts';
import { progress } from '../output/progress.ts';
import { progressBar } from '../output/progress-bar.ts';
import { updateShape } from '../verbs/flags.ts';
import { type Checked, checkFile } from './check.ts';
import { highestId } from './in-doubt.ts';
import { journalEntries, journalHeader } from './journal.ts';
import { limitedApi, openBulkApi } from './limited-api.ts';
import { createLimiter } from './limiter.ts';
import { listMatcher, type Matcher, recordMatcher } from './match.ts';
import type { ImportPlan } from './plan.ts';
import { Problems } from './problems.ts';
import { writeRejects } from './rejects.ts';
import { changedFile, type ImportHeader, type ImportIdentity, openRowJournal, type RowJournal, unwrittenJournal } from './row-journal.ts';
import type { Tally } from './row-states.ts';
import { type RowReader, rowReader } from './rows.ts';
import { type Halt, type RunOptions, runRows } from './run.ts';
import type { Source } from './spool.ts';

export interface ImportRequest {
  readonly plan: ImportPlan;
  readonly source: Source;
  /** Absent: in the data folder, under a name that follows from the file and what is done with it. */
  readonly journal?: string;
  readonly resume: boolean;
  readonly rejects?: string;
  readonly concurrency: number;
  readonly rate?: number;
  readonly maxErrors: number;
  /** The command that goes on where this one ends. */
  readonly resumeCommand: string;
}

export interface Summary extends Tally {
  /** Rows in the file. */
  readonly total: number;
  /** Rows of which nobody knows what became. */
  readonly unknown: number;
  readonly journal: string | null;
  readonly rejects: string | null;
}

export interface ImportEnd {
  readonly summary: Summary;
  /** Why it is not all done. */
  readonly problem?: unknown;
}

/** Rows that failed are shown up to this many; the rejects file has them all. */
const shownFailures = 10;

/** Runs an import. Throws UsageError for a file with problems (nothing is sent), ConflictError for its journal. */
export async function runImport(context: Context, request: ImportRequest): Promise<ImportEnd> {
  const { plan, source } = request;
  const problems = new Problems();
  const reader = rowReader(plan, problems);
  const { during } = progress(context.io, context.flags);
  const checked = await during(`Checking ${source.name}`, checkFile(plan, source, reader, problems, context.signal));
  problems.throwIfAny(source.name);
  await tellPassedOver(context, reader);
  await source.checkUnchanged();
  const journal = context.flags.dryRun ? unwrittenJournal(checked.rows) : await openJournalOf(context, request, checked);
  try {
    const { halt, failures } = await runOn(context, request, reader, journal);
    return await ended(context, request, journal, halt, failures);
  } finally {
    await journal.close();
  }
}

async function tellPassedOver(context: Context, { passedOver }: RowReader): Promise<void> {
  if (passedOver.size > 0)
    await notice(context.io, context.flags, `Passed over, for they can't be written: ${[...passedOver].join(', ')}.`);
}

interface Ran {
  readonly halt: Halt | undefined;
  readonly failures: readonly FieldProblem[];
}

async function runOn(context: Context, request: ImportRequest, reader: RowReader, journal: RowJournal): Promise<Ran> {
  const { plan, source, concurrency, rate, maxErrors } = request;
  const { states } = journal;
  const failures: FieldProblem[] = [];
  if (states.settled === states.rows) {
    if (states.hasBegun && !states.hasEnded) journal.note({ end: states.tally });
    return { halt: undefined, failures };
  }
  const { flags } = context;
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const limiter = createLimiter({
    concurrency,
    ...(rate === undefined ? {} : { rate }),
    retries: flags.retries,
    signal,
    now: context.now,
    random: Math.random,
    paused: (milliseconds) => tellPause(context, milliseconds),
  });
  const open = await openBulkApi(context, concurrency);
  const api = limitedApi(open, limiter);
  try {
    const { during } = progress(context.io, flags);
    if (plan.mode !== 'update' && !flags.dryRun && states.before === undefined) {
      journal.note({ before: await during('Looking at what is there', highestId(api, plan.resource)) });
    }
    const matcher = await during(`Reading ${plan.resource.name}`, matcherFor(context, request, api, reader, states.rows));
    const options: RunOptions = {
      plan,
      source,
      journal,
      api,
      limiter,
      ...(matcher === undefined ? {} : { matcher }),
      concurrency,
      maxErrors,
      dryRun: flags.dryRun,
      signal,
      stop: () => stop.abort(),
      columnName: reader.columnName,
      failed: ({ line }, error) => {
        if (failures.length < shownFailures) failures.push({ name: `line ${line}`, messages: [error] });
      },
    };
    const bar = progressBar(context.io, flags, `${flags.dryRun ? 'Comparing' : 'Importing'} ${plan.resource.name}`, () => ({
      done: states.settled,
      total: states.rows,
      ...(states.tally.failed === 0 ? {} : { aside: `${states.tally.failed} failed` }),
    }));
    try {
      return { halt: await runRows(options), failures };
    } finally {
      bar.stop();
    }
  } catch (error) {
    return { halt: context.signal.aborted ? { kind: 'interrupted' } : { kind: 'error', error }, failures };
  } finally {
    await open.close();
  }
}

const noticedPause = 2000;

function tellPause(context: Context, milliseconds: number): void {
  if (milliseconds < noticedPause || context.io.stderr.isTTY) return;
  void notice(context.io, context.flags, `Waiting ${Math.ceil(milliseconds / 1000)} s: the service can't take more now.`);
}

/** How rows find their records: out of the list, or one by one when that takes fewer requests. */
async function matcherFor(
  context: Context,
  { plan }: ImportRequest,
  api: RunOptions['api'],
  reader: RowReader,
  rows: number,
): Promise<Matcher | undefined> {
  if (plan.match === undefined || rows === 0) return undefined;
  if (plan.match.kind === 'id' && rows <= (await pageCount(api, plan))) return recordMatcher(api, plan);
  const fields = updateShape(plan.resource).fields.filter((field) => reader.fields.has(field));
  return listMatcher(api, plan, fields, context.signal, () => {
    void notice(context.io, context.flags, `The ${plan.resource.name} changed while they were being read; a record may have been missed.`);
  });
}

async function pageCount(api: RunOptions['api'], { resource }: ImportPlan): Promise<number> {
  const { meta } = await api.read({
    method: 'GET',
    path: resource.path,
    query: [
      ['limit', '100'],
      ['page', '1'],
    ],
  });
  return meta?.last_page ?? 0;
}

/** The journal of this import, opened: a new one, or with --resume an unfinished one. */
async function openJournalOf(context: Context, request: ImportRequest, checked: Checked): Promise<RowJournal> {
  const { source, resume } = request;
  const header = await headerOf(context, request, checked);
  const folder = join(await context.dataDir(), 'journals');
  const path = request.journal === undefined ? join(folder, journalName(header)) : resolve(context.cwd, request.journal);
  if (resume && (await journalHeader(path)) === undefined) {
    const changed = request.journal === undefined ? await unfinishedJournal(folder, header) : undefined;
    if (changed !== undefined) throw changedFile(changed, source.name);
    throw new UsageError(`There is no import of ${source.name} to resume.`, {
      hint: `Its journal would be ${path}. Without --resume the import begins.`,
    });
  }
  const journal = await openRowJournal(path, header);
  const { states } = journal;
  if (resume || !states.hasBegun) return journal;
  await journal.close();
  throw states.settled === states.rows ? importedAlready(request, states.tally, path) : unfinished(request, states.settled, checked.rows);
}

function importedAlready({ source }: ImportRequest, tally: Tally, path: string): ConflictError {
  const counts = Object.entries(tally)
    .filter(([, count]) => count > 0)
    .map(([did, count]) => `${count} ${did}`);
  return new ConflictError(`${source.name} was imported already: ${counts.join(', ')}. Nothing was sent.`, {
    hint: `Its journal: ${path}\nTo import it once more all the same, give --journal with the name of a new file.`,
  });
}

function unfinished(request: ImportRequest, settled: number, rows: number): ConflictError {
  return new ConflictError(`An import of ${request.source.name} is unfinished: ${settled} of ${rows} rows are done.`, {
    hint: goOnWith(request),
  });
}

/** The line that tells how to go on. */
function goOnWith({ source, resumeCommand }: ImportRequest): string {
  return `Go on with${source.path === undefined ? ' the same input and' : ''}: ${resumeCommand}`;
}

async function headerOf(context: Context, { plan, source }: ImportRequest, checked: Checked): Promise<ImportHeader> {
  const { baseUrl } = await context.settings();
  const { match, maps, clearBlanks, csvRaw, format } = plan;
  const matched = match?.kind === 'field' ? match.field.flag : (match?.kind ?? null);
  return {
    file: source.path ?? '-',
    service: baseUrl,
    family: plan.resource.name,
    mode: plan.mode,
    settings: JSON.stringify({ format, match: matched, maps: [...maps].sort(), clearBlanks, csvRaw }),
    content: checked.content,
    rows: checked.rows,
    began: context.now().toISOString(),
  };
}

function journalName({ content, service, family, mode, settings }: ImportIdentity): string {
  const identity = createHash('sha256')
    .update(JSON.stringify([content, service, family, mode, settings]))
    .digest('hex');
  return `${family}-${mode}-${identity.slice(0, 24)}.jsonl`;
}

/** The journal of the same import before its file changed. */
async function unfinishedJournal(folder: string, header: ImportHeader): Promise<string | undefined> {
  if (!existsSync(folder)) return undefined;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const other = name.endsWith('.jsonl') ? await journalHeader(path) : undefined;
    const isSame =
      other !== undefined && (['file', 'service', 'family', 'mode'] as const).every((member) => other[member] === header[member]);
    if (isSame && !(await hasEnded(path))) return path;
  }
  return undefined;
}

async function hasEnded(path: string): Promise<boolean> {
  for await (const entry of journalEntries(path)) if ('end' in entry) return true;
  return false;
}

async function ended(
  context: Context,
  request: ImportRequest,
  journal: RowJournal,
  halt: Halt | undefined,
  failures: readonly FieldProblem[],
): Promise<ImportEnd> {
  const { states } = journal;
  const { dryRun } = context.flags;
  const { failed } = states.tally;
  const rejects = request.rejects !== undefined && failed > 0 && !dryRun ? resolve(context.cwd, request.rejects) : null;
  if (rejects !== null) await writeRejects(request.plan, request.source, journal.path, rejects);
  const summary: Summary = {
    total: states.rows,
    ...states.tally,
    unknown: states.inDoubt,
    journal: dryRun ? null : journal.path,
    rejects: rejects === null ? null : (request.rejects ?? null),
  };
  const problem = problemOf(context, request, summary, halt, failures);
  return { summary, ...(problem === undefined ? {} : { problem }) };
}

function problemOf(
  context: Context,
  request: ImportRequest,
  summary: Summary,
  halt: Halt | undefined,
  failures: readonly FieldProblem[],
): unknown {
  const { total, failed, unknown, journal } = summary;
  const left = total - summary.created - summary.updated - summary.unchanged - failed;
  const goOn = left > 0 && journal !== null ? [goOnWith(request)] : [];
  if (halt?.kind === 'interrupted') return interruption(context.signal, left, goOn);
  if (halt?.kind === 'error') return withHints(halt.error, goOn);
  if (failed === 0 && unknown === 0) return undefined;
  const counts = [failed > 0 ? `${failed} failed` : '', unknown > 0 ? `${unknown} of unknown outcome` : ''].filter(Boolean);
  const early = halt?.kind === 'max-errors' ? `Stopped after ${request.maxErrors} failures, with ${left} rows to go: ` : '';
  const all = summary.rejects === null && failed > 0 && journal !== null;
  return new PartialError(`${early}${total} rows, ${counts.join(', ')}.`, {
    fields: [...failures],
    ...hintOf([
      ...(summary.rejects === null ? [] : [`The failed rows are in ${summary.rejects}: repair them and import that file.`]),
      ...(all ? [`The failed rows as a file: ${request.resumeCommand} --rejects FILE`] : []),
      ...goOn,
    ]),
  });
}

function interruption(signal: AbortSignal, left: number, goOn: readonly string[]): InterruptedError {
  const name = signal.reason instanceof InterruptedError && signal.reason.exitStatus === 143 ? 'SIGTERM' : 'SIGINT';
  const note = left === 0 ? 'Every row was done.' : `${left} rows are to go.`;
  return new InterruptedError(name, { note, ...hintOf(goOn) });
}

function withHints(error: unknown, goOn: readonly string[]): unknown {
  if (!(error instanceof CrmError) || goOn.length === 0) return error;
  error.details.hint = [error.details.hint, ...goOn].filter(Boolean).join('\n');
  return error;
}

const hintOf = (lines: readonly string[]): Pick<ProblemDetails, 'hint'> => (lines.length === 0 ? {} : { hint: lines.join('\n') });
