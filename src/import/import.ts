// One import from beginning to end: checks the file, begins or resumes the run, sends the rows and reports the outcomes.

import { type CrmError, InterruptedError, type PartialError } from '../base/errors.ts';
import type { PreviewRow } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import { type ProgressBar, progress, progressBar } from '../output/streams/progress.ts';
import { favourMemory } from '../reading/list/lean-memory.ts';
import type { Run } from '../runs/journal/run.ts';
import type { Halt } from '../runs/runner.ts';
import type { Context } from '../session/context.ts';
import { type Engine, type EngineNeeds, withEngine } from '../session/engine.ts';
import { paced, tellFinishing, tellSentAgain } from '../session/open-service.ts';
import { beginImport } from './begin.ts';
import { type CheckedFile, checkedFile, readThrough, tellCheck } from './checked-file.ts';
import type { ImportJob } from './job.ts';
import { type Matcher, matcherOf } from './match/match.ts';
import { newTagsText, tellNewTags, tellOfTags } from './new-tags.ts';
import { Displaced } from './outcomes/displaced.ts';
import { noteOutputs } from './outcomes/outputs.ts';
import { endImport, previewProblem } from './outcomes/report.ts';
import { NewEmails } from './preview/new-emails.ts';
import { asksFirst, confirmRows, Preview } from './preview/preview.ts';
import { goOnWith, type ImportEnd, type ImportRequest, lackingIn, progressText } from './request.ts';
import type { RowWork } from './row-change.ts';
import { type RowAgain, rowsAgain } from './rows/check.ts';
import type { RowReader } from './rows/rows.ts';
import { importSteps } from './steps.ts';

/**
 * Runs an import. Throws UsageError for a file with problems, ConflictError for an import already done or begun. When nothing was sent at
 * all, throws the reason.
 */
export async function runImport(context: Context, asked: ImportRequest): Promise<ImportEnd> {
  favourMemory('young');
  const { request, ...checked } = await checkedFile(context, asked);
  await tellCheck(context, request, checked);
  const asks = asksFirst(context, request);
  const file: CheckedFile = asks ? { ...checked, asked: new Uint32Array(checked.rows + 1) } : checked;
  if (asks) {
    await tellNewTags(context, request.job.resource, file.doubles.tags);
    const preview = new Preview(request.job);
    const listing = { ...context, flags: { ...context.flags, dryRun: true } };
    const rows = async function* (): AsyncGenerator<readonly PreviewRow[]> {
      const tellRest = yield* listedRows(listing, request, file, preview);
      await tellRest();
    };
    await confirmRows(context, request, preview, rows());
  }
  return withEngine(context, engineNeedsOf(request), (engine) => imported(context, request, file, engine));
}

/** What stands behind the listed rows. */
export interface PreviewEnd {
  /** The reason why some rows would not be sent. */
  readonly problem: PartialError | undefined;
  /** Prints the notices: above a long list they would scroll away. */
  readonly tell: () => Promise<void>;
}

/** Lists under --dry-run the changes of an import, in chunks of rows, and counts them in `preview`. Throws like runImport. */
export async function* previewImport(
  context: Context,
  asked: ImportRequest,
  preview: Preview,
): AsyncGenerator<readonly PreviewRow[], PreviewEnd> {
  favourMemory('young');
  const { request, ...file } = await checkedFile(context, asked);
  const ofTags = await newTagsText(context, request.job.resource, file.doubles.tags);
  const tellRest = yield* listedRows(context, request, file, preview);
  const tell = async (): Promise<void> => {
    await tellCheck(context, request, file);
    await tellOfTags(context, ofTags);
    await tellRest();
  };
  return { problem: previewProblem(file, preview), tell };
}

const engineNeedsOf = (request: ImportRequest): EngineNeeds => ({
  title: `the import of ${request.source.name}`,
  creates: request.job.mode !== 'update',
  goesOn: request.resume,
  pace: request,
});

async function imported(context: Context, request: ImportRequest, file: CheckedFile, engine: Engine): Promise<ImportEnd> {
  const { rows, notes } = file;
  let run: Run | undefined;
  let isBegun = false;
  try {
    run = await begunIn(context, request, file, engine);
    run.keep({ total: rows });
    const doneBefore = run.counts('steps', rows).done;
    const { halt, idleSince } = await sendRows(context, request, { file, run, engine });
    if (halt !== undefined) {
      const { done, failed, lost } = run.counts();
      const isNothing = done + failed + lost === 0;
      if (halt.kind === 'error' && isNothing) throw halt.error;
      if (halt.kind === 'interrupted' && isNothing && !request.resume)
        throw InterruptedError.by(context.signal.reason, { note: 'No row was sent.' });
    }
    isBegun = true;
    return await endImport(context, request, {
      rows,
      leftOut: (n) => (request.job.skipInvalid ? notes.invalid(n) : undefined),
      leftOutCount: request.job.skipInvalid ? notes.invalidCount : 0,
      idleSince,
      doneBefore,
      run,
      halt,
    });
  } finally {
    // A run without rows would only stop the next attempt.
    if (!isBegun && !request.resume) run?.remove();
  }
}

type Counts = ReturnType<Run['counts']>;

const isSameCount = (one: Counts, other: Counts): boolean =>
  one.done === other.done && one.failed === other.failed && one.lost === other.lost;

/**
 * The run of an import; in memory under --dry-run. Throws ConflictError and UsageError for an import that must not begin.
 */
async function begunIn(context: Context, request: ImportRequest, file: CheckedFile, engine: Engine): Promise<Run> {
  // The first import of a journal may have begun while this file was checked without digests.
  const isFirst = file.mayRepeat || engine.journal.runs('import').length === 0;
  const { notes } = isFirst ? file : (await readThrough(context, request)).file;
  const run = await beginImport(context, request, { ...file, notes }, engine);
  await noteOutputs(context, run, request);
  return run;
}

/** The changes of an import, in chunks of rows. Returns a function that prints what the rows showed. */
async function* listedRows(
  context: Context,
  request: ImportRequest,
  file: CheckedFile,
  preview: Preview,
): AsyncGenerator<readonly PreviewRow[], () => Promise<void>> {
  const { job } = request;
  const { rows: total, notes, reader } = file;
  const wasSent = new Uint8Array(total + 1);
  const { done, failed, lost } = await withEngine(context, engineNeedsOf(request), async (engine) => {
    const run = await begunIn(context, request, file, engine);
    for (const { n, part, state } of run.steps()) if (part === 0 && state !== 'intended') wasSent[n] = 1;
    return run.counts('steps', total);
  });
  const before = done + failed + lost;
  const follow = before < total ? '; the others follow' : '';
  if (before > 0) await notice(context.io, context.flags, `${progressText(done + failed, total, lost)}${follow}.`);
  preview.unknown = lost;
  const api = await paced(context, request).api();
  const work = workOf(request, file, await matcherOf(context, request.job, file, api));
  const previewRow = ({ line, row, problem = '' }: RowAgain): PreviewRow | Promise<PreviewRow> =>
    row === undefined
      ? { line, id: null, title: null, outcome: 'invalid', changes: [], error: problem }
      : preview.rowOf(work, row, api, (error) => failureText(error, reader));
  const over = { count: before };
  const bar = barOf(context, job, { total, over, failed: { count: 0 } });
  const emails = new NewEmails(job);
  try {
    for await (const some of rowsAgain(request, notes, (n) => wasSent[n] === 1)) {
      context.signal.throwIfAborted();
      const rows = await Promise.all(Array.from(some, previewRow));
      for (const row of rows) {
        preview.add(row);
        emails.see(row);
      }
      over.count += rows.length;
      yield rows;
    }
  } finally {
    bar.stop();
  }
  return async () => {
    tellLostSigns(file);
    await progress(context.io, context.flags).during(`Looking for emails among the ${job.resource.name}`, emails.tell(context, api));
  };
}

function tellLostSigns({ tell, lostSigns, reader }: CheckedFile): void {
  for (const sentence of lostSigns.sentences((wire) => reader.columns.columnName(wire) ?? wire)) tell(sentence);
}

const workOf = (request: ImportRequest, file: CheckedFile, matcher: Matcher | undefined): RowWork => ({
  job: request.job,
  tell: file.tell,
  nameOf: file.nameOf,
  notes: file.notes,
  lostSigns: file.lostSigns,
  ...(file.asked === undefined ? {} : { asked: file.asked }),
  ...(matcher === undefined ? {} : { matcher }),
});

interface ImportRun {
  readonly file: CheckedFile;
  readonly run: Run;
  readonly engine: Engine;
}

/**
 * Sends the rows without an outcome. `halt`: the reason for an early end. `idleSince`: the end of an earlier session that left nothing to
 * send.
 */
async function sendRows(
  context: Context,
  request: ImportRequest,
  work: ImportRun,
): Promise<{ readonly halt?: Halt; readonly idleSince?: string }> {
  const { job } = request;
  const { run, engine } = work;
  const { rows, reader, notes } = work.file;
  const before = run.counts('steps', rows);
  const over = { count: before.done + before.failed - lackingIn(run).size };
  const countsBefore = run.counts();
  // An ended run lacks only parts that failed; an unfinished run may lack any part.
  const endedAt = run.ended;
  const isOver = endedAt !== undefined;
  const failedParts = [...run.past({ part: 'further', state: 'failed' })];
  for (const part of failedParts) run.forget(part);
  const lostParts = run.past({ part: 'further', state: 'sent' });
  const again = new Set([...failedParts, ...lostParts].map(({ n }) => n));
  const bar: { shown?: ProgressBar } = {};
  const displaced = new Displaced();
  // Says at once how to go on: a second signal may end the process.
  const tellInterruption = (): void => {
    bar.shown?.stop();
    const { done, failed, lost } = run.counts();
    tellFinishing(context, request.resume || done + failed + lost > 0 ? ` ${goOnWith(request)}` : '');
  };
  try {
    const matcher = await matcherOf(context, job, work.file, engine.service.api);
    const isLeftOut = (n: number): boolean => job.skipInvalid === true && notes.invalid(n) !== undefined;
    if (job.skipInvalid) run.keep({ left_out: notes.invalidCount });
    const leftOutBefore = [...run.past({ state: 'failed' })].filter(({ n }) => isLeftOut(n)).length;
    const failed = { count: before.failed - before.conflicts - leftOutBefore };
    bar.shown = barOf(context, job, { total: rows, over, failed });
    context.signal.addEventListener('abort', tellInterruption);
    const deleted = notes.deletedIn(run);
    const steps = importSteps({
      ...workOf(request, work.file, matcher),
      displaced,
      request,
      run,
      notes,
      mayGoOn: (n) => (!isOver || again.has(n)) && !deleted.has(n),
    });
    const halt = await engine.carryOut(steps, run, {
      maxFailures: request.maxErrors,
      describe: (_step, error) => failureText(error, reader),
      ended: ({ n }, outcome) => {
        over.count += 1;
        if ('failed' in outcome && !outcome.isConflict && !isLeftOut(n)) failed.count += 1;
      },
    });
    bar.shown.stop();
    tellLostSigns(work.file);
    for (const sentence of displaced.sentences(job.resource)) await notice(context.io, context.flags, sentence);
    const idleSince = isSameCount(countsBefore, run.counts()) ? endedAt : undefined;
    if (idleSince === undefined) {
      const match = job.match?.kind === 'field' ? { match: job.match.field } : {};
      await tellSentAgain(context, run, { noun: 'row', ...match, ...(halt === undefined ? { api: engine.service.api } : {}) });
    }
    if (halt !== undefined) return { halt };
    // Drops the intended parts of failed rows, which were never sent.
    run.dropIntents();
    // A row of unknown outcome keeps its mark: --resume looks for the row once more.
    run.end(idleSince !== undefined && run.counts().lost === 0 ? idleSince : context.clock.now().toISOString());
    return idleSince === undefined ? {} : { idleSince };
  } catch (error) {
    return { halt: context.signal.aborted ? { kind: 'interrupted' } : { kind: 'error', error } };
  } finally {
    context.signal.removeEventListener('abort', tellInterruption);
    bar.shown?.stop();
  }
}

function failureText({ message, details }: CrmError, reader: RowReader): string {
  const fields = (details.fields ?? []).map(({ name, messages }) => `${reader.columns.columnName(name) ?? name}: ${messages.join(' ')}`);
  return fields.length === 0 ? message : fields.join(' ');
}

function barOf(
  { io, flags }: Context,
  { resource }: ImportJob,
  {
    total,
    over,
    failed,
  }: { readonly total: number; readonly over: { readonly count: number }; readonly failed: { readonly count: number } },
): ProgressBar {
  return progressBar(io, flags, `${flags.dryRun ? 'Comparing' : 'Importing'} ${resource.name}`, () => ({
    done: over.count,
    total,
    ...(failed.count === 0 ? {} : { aside: `${failed.count} failed` }),
  }));
}
