// One import from beginning to end: checks the file, begins or resumes the run, sends the rows and reports the outcomes.

import { CrmError, InterruptedError, type PartialError, UsageError } from '../base/errors.ts';
import { Problems } from '../base/files/problems.ts';
import { howMany } from '../base/values/text/wording.ts';
import type { Api } from '../client/client.ts';
import { largestPage } from '../client/paging.ts';
import type { PreviewRow } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import { type ProgressBar, progress, progressBar } from '../output/streams/progress.ts';
import { favourMemory } from '../reading/list/lean-memory.ts';
import type { Run } from '../runs/journal/run.ts';
import type { Halt } from '../runs/runner.ts';
import type { Context } from '../session/context.ts';
import { type Engine, type EngineNeeds, withEngine, withJournal } from '../session/engine.ts';
import type { ReadLists } from '../session/names/resolve.ts';
import { namesById } from '../session/names/run-names.ts';
import { paced, tellFinishing, tellSentAgain } from '../session/open-service.ts';
import { beginImport, digestedIn } from './begin.ts';
import { guessedNames, pathsCompared } from './columns/columns.ts';
import { mapFlag } from './command-line.ts';
import { headerKey, type RawRows } from './files/raw-row.ts';
import type { Source } from './files/source.ts';
import { decodedText } from './files/utf8.ts';
import type { ImportJob, Mapped } from './job.ts';
import { NewEmails } from './known-emails.ts';
import type { SavedMapping } from './mapping/write.ts';
import { LostSigns } from './match/lost-signs.ts';
import { listMatcher, type Matcher, recordMatcher } from './match/match.ts';
import { tellNewTags } from './new-tags.ts';
import { noteOutputs } from './outcomes/outputs.ts';
import { endImport, previewProblem } from './outcomes/report.ts';
import { asksFirst, confirmRows, Preview } from './preview/preview.ts';
import { goOnWith, type ImportEnd, type ImportRequest, lackingIn, progressText, rejectsName } from './request.ts';
import type { RowWork } from './row-change.ts';
import { checkFile, type RowAgain, type RowCounts, rowsAgain } from './rows/check.ts';
import { RowNotes } from './rows/row-notes.ts';
import { type RowReader, rowReader } from './rows/rows.ts';
import { Displaced, importSteps } from './steps.ts';

/**
 * Runs an import. Throws UsageError for a file with problems, ConflictError for an import already done or begun. When nothing was sent at
 * all, throws the reason.
 */
export async function runImport(context: Context, asked: ImportRequest): Promise<ImportEnd> {
  favourMemory('young');
  const { request, ...checked } = await checkedFile(context, asked);
  const asks = asksFirst(context, request);
  const file: CheckedFile = asks ? { ...checked, asked: new Uint32Array(checked.rows + 1) } : checked;
  if (asks) {
    await tellNewTags(context, request.job.resource, file.doubles.tags);
    const preview = new Preview(request.job);
    await confirmRows(
      context,
      request,
      preview,
      listedRows({ ...context, flags: { ...context.flags, dryRun: true } }, request, file, preview),
    );
  }
  return withEngine(context, needsOf(request), (engine) => imported(context, request, file, engine));
}

/**
 * Lists under --dry-run the changes of an import, in chunks of rows, and counts them in `preview`. Returns the reason why some rows would
 * not be sent. Throws like runImport.
 */
export async function* previewImport(
  context: Context,
  asked: ImportRequest,
  preview: Preview,
): AsyncGenerator<readonly PreviewRow[], PartialError | undefined> {
  favourMemory('young');
  const { request, ...file } = await checkedFile(context, asked);
  await tellNewTags(context, request.job.resource, file.doubles.tags);
  yield* listedRows(context, request, file, preview);
  return previewProblem(file, preview);
}

const needsOf = (request: ImportRequest): EngineNeeds => ({
  title: `the import of ${request.source.name}`,
  creates: request.job.mode !== 'update',
  goesOn: request.resume,
  pace: request,
});

/** A file after its check. */
interface CheckedFile extends RowCounts {
  readonly reader: RowReader;
  readonly notes: RowNotes;
  /** False when the journal held no import, so that `notes` has no digests. */
  readonly mayRepeat: boolean;
  /** Prints a sentence the first time only: a confirmed import goes through the rows twice. */
  readonly tell: RowWork['tell'];
  readonly nameOf: RowWork['nameOf'];
  readonly lostSigns: LostSigns;
  readonly asked?: RowWork['asked'];
}

/**
 * Reads and checks the whole file. Returns also the request, with what only the whole file shows about its columns. Throws UsageError with
 * all problems.
 */
async function checkedFile(context: Context, request: ImportRequest): Promise<CheckedFile & { readonly request: ImportRequest }> {
  const { problems, file, job } = await readThrough(context, request);
  const known = withShownMark({ ...request, job: { ...job, leadingSigns: file.reader.leadingSigns() } });
  return { ...(await sound(context, known, problems, file)), request: known };
}

/**
 * A request whose command for the rejects names the decimal mark that the columns show: the rows that show it may not be among the rejects.
 * Unchanged where columns show different marks.
 */
function withShownMark(request: ImportRequest): ImportRequest {
  const [mark, ...others] = new Set([...(request.job.shownMarks?.values() ?? [])].map((shown) => shown.mark));
  if (mark === undefined || others.length > 0) return request;
  return { ...request, rejectsCommand: (file) => request.rejectsCommand(file, { 'decimal-mark': mark }) };
}

/** Writes a mapping file with the meanings known so far and guesses for other columns, to be filled in. Sends nothing. */
export async function saveMapping(context: Context, request: ImportRequest, path: string): Promise<SavedMapping> {
  const [advice] = await headerAdvice(request);
  if (advice !== undefined) throw new UsageError(`The first line of ${request.source.name} is not its header.`, { hint: advice });
  const { columns } = (await readThrough(context, request)).file.reader;
  const guesses = guessedNames(request.job, columns.unknown(), columns.fields);
  const maps = [...guesses].map(([name, to]): [string, Mapped] => [headerKey(name), { name, to, where: '--save-mapping' }]);
  // The guesses give guessed columns a meaning, so that their unknown words get into the mapping file, too.
  const job = { ...request.job, maps: new Map([...request.job.maps, ...maps]) };
  const { problems, file } = await readThrough(context, { ...request, job });
  if (problems.isCutOff) throw problems.error(request.source.name);
  const { writeMapping } = await import('./mapping/write.ts');
  return writeMapping(context, path, { job, reader: file.reader, problems, guesses });
}

/**
 * Reads and checks the whole file, and once more where a column shows its decimal mark, or the sign of another program, only at the end.
 * `job`: with what columns show.
 */
async function readThrough(context: Context, request: ImportRequest): Promise<{ problems: Problems; file: CheckedFile; job: ImportJob }> {
  const problems = new Problems();
  const file = await readOnce(context, request, problems);
  const { job } = request;
  const [shownMarks, shownLeads] = [file.reader.shownMarks(), file.reader.shownLeads()];
  if (shownMarks.size + shownLeads.size === 0) return { problems, file, job };
  const known = { ...job, shownMarks, shownLeads };
  const anew = new Problems();
  return { problems: anew, file: await readOnce(context, { ...request, job: known }, anew), job: known };
}

/**
 * Reads and checks the whole file. Only after the check V8 keeps the memory of old objects small: a small memory would make the check
 * slower.
 */
async function readOnce(context: Context, request: ImportRequest, problems: Problems): Promise<CheckedFile> {
  const { job, source } = request;
  const notes = new RowNotes();
  let failure: unknown;
  const noteAndLookUp = nameLookUp(context, request);
  await noteAndLookUp([]);
  const reader = rowReader(job, problems);
  const { during } = progress(context.io, context.flags);
  // A damaged journal may hold an import: the damage is told when the run begins.
  const mayRepeat = await withJournal(context, (journal) => (journal?.runs('import') ?? []).length > 0).catch(
    (error: unknown) => error instanceof CrmError,
  );
  const isDigested = mayRepeat ? digestedIn(request) : () => false;
  const first = (rows: RawRows): Promise<void> =>
    noteAndLookUp(rows).catch((error: unknown) => {
      failure = error;
      throw error;
    });
  const check = checkFile(request, reader, { problems, notes, isDigested, first, signal: context.signal });
  const counts = await during(`Checking ${source.name}`, check);
  favourMemory('old');
  // A failed lookup is not a problem of the file.
  if (failure !== undefined) throw failure;
  const nameOf = namesById(await context.names());
  const said = new Set<string>();
  const tell: RowWork['tell'] = (sentence, kind = sentence) => {
    if (!said.has(kind)) void notice(context.io, context.flags, sentence, 'warning');
    said.add(kind);
  };
  return { reader, notes, mayRepeat, tell, nameOf, lostSigns: new LostSigns(), ...counts };
}

/**
 * Returns a function that looks up the names in a chunk of rows. Called before the rows are checked, so that one check tells all problems.
 * Called with no rows, it looks up the names of constants.
 */
function nameLookUp(context: Context, request: ImportRequest): (rows: RawRows) => Promise<void> {
  const { job, source } = request;
  const { during } = progress(context.io, context.flags);
  const sources = paced(context, request);
  const lists: ReadLists = new Map();
  let reader: RowReader | undefined;
  return async (rows) => {
    job.words.noteMore();
    reader ??= rowReader(job, new Problems());
    reader.noteNames(rows);
    await during(`Looking up the names in ${source.name}`, job.words.lookUp(sources, lists));
  };
}

/**
 * Throws UsageError for a file with problems that --skip-invalid can't leave out, and for an empty file. Prints the notices of the check.
 */
async function sound(context: Context, request: ImportRequest, problems: Problems, file: CheckedFile): Promise<CheckedFile> {
  const { source, job } = request;
  const isRefused = problems.ofFile > 0 || (problems.count > 0 && (!job.skipInvalid || file.valid === 0));
  if (isRefused) throw problems.error(source.name, [...(await headerAdvice(request)), ...waysOut(request, problems, file)]);
  if (file.rows === 0 && (await isBlankFile(source))) throw new UsageError(`There is nothing in ${source.name}.`);
  const { passedOver, leftOut } = file.reader.columns;
  if (leftOut.size > 0) await notice(context.io, context.flags, `Left out, as the mapping says: ${[...leftOut].join(', ')}.`);
  if (passedOver.size > 0)
    await notice(context.io, context.flags, `Not sent, because an import can't write: ${[...passedOver].join(', ')}.`);
  if (job.dialect?.looksReencoded) {
    const sentence = `${source.name} looks re-encoded, as > in Windows PowerShell does: letters became signs such as ├╝. Export it anew with --out FILE.`;
    await notice(context.io, context.flags, sentence, 'warning');
  }
  for (const sentence of file.reader.readPast()) await notice(context.io, context.flags, sentence);
  for (const sentence of file.doubles.sentences()) await notice(context.io, context.flags, sentence, 'warning');
  return file;
}

/** The flag that names the line with the header, where the first line isn't the header. */
async function headerAdvice({ job, source }: ImportRequest): Promise<string[]> {
  const { likelyHeaderLine } = await import('./columns/likely-header.ts');
  const line = await likelyHeaderLine(job, source);
  return line === undefined ? [] : [`Line ${line} looks like the header: --header-line ${line} reads the names of the columns there.`];
}

/** Ways to go on with a file that has problems. */
function waysOut({ rejects, job, mapping }: ImportRequest, problems: Problems, { reader, notes, valid }: CheckedFile): string[] {
  const [column] = reader.columns.unknown();
  const rejecting =
    rejects === undefined ? `, and --rejects ${rejectsName({ job })} keeps the ${howMany(notes.invalidCount, 'wrong row')}` : '';
  return [
    ...(column === undefined
      ? []
      : [`${mapFlag(column, 'flag-name')} says which field a column is, and ${mapFlag(column)} leaves the column out.`]),
    ...(column === undefined && reader.unknownWords.size === 0
      ? []
      : mapping !== undefined
        ? [`Fill in the meaning in ${mapping}: ${placesIn(column, reader)}.`]
        : [
            `${reader.unknownWords.size === 0 ? '' : 'A mapping translates words: '}--save-mapping mapping.yaml writes down what is unknown; fill in the meanings, then give the file with --mapping.`,
          ]),
    ...(problems.ofFile === 0 && valid > 0
      ? [`--skip-invalid sends the other ${howMany(valid, 'row')}${rejecting}. The service may refuse some of them.`]
      : []),
  ];
}

/** The places of a mapping file for the first unknown column and the first unknown word of each field. */
function placesIn(column: string | undefined, { unknownWords }: RowReader): string {
  const words = [...unknownWords].map(([flag, own]) => `words: { ${flag}: { '${[...own.values()][0] ?? ''}': … } }`);
  return [...(column === undefined ? [] : [`columns: { '${column}': … }`]), ...words].join(', ');
}

async function isBlankFile(source: Source): Promise<boolean> {
  for await (const text of decodedText(source.bytes)) if (text.trim() !== '') return false;
  return true;
}

async function imported(context: Context, request: ImportRequest, file: CheckedFile, engine: Engine): Promise<ImportEnd> {
  const { rows, notes } = file;
  let run: Run | undefined;
  let isBegun = false;
  try {
    run = await begunIn(context, request, file, engine);
    run.keep({ total: rows });
    const endedBefore = run.ended;
    const before = run.counts();
    const doneBefore = run.counts('steps', rows).done;
    const halt = await sendRows(context, request, { file, run, engine });
    const isIdle = endedBefore !== undefined && halt === undefined && isSameCount(before, run.counts());
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
      idleSince: isIdle ? endedBefore : undefined,
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

/** The changes of an import, in chunks of rows. */
async function* listedRows(
  context: Context,
  request: ImportRequest,
  file: CheckedFile,
  preview: Preview,
): AsyncGenerator<readonly PreviewRow[]> {
  const { job } = request;
  const { rows: total, notes, reader } = file;
  const wasSent = new Uint8Array(total + 1);
  const { done, failed, lost } = await withEngine(context, needsOf(request), async (engine) => {
    const run = await begunIn(context, request, file, engine);
    for (const { n, part, state } of run.steps()) if (part === 0 && state !== 'intended') wasSent[n] = 1;
    return run.counts('steps', total);
  });
  if (done + failed + lost > 0) await notice(context.io, context.flags, `${progressText(done + failed, total, lost)}; the others follow.`);
  preview.unknown = lost;
  const api = await paced(context, request).api();
  const work = workOf(request, file, await matcherOf(context, request, file, api));
  const previewRow = ({ line, row, problem = '' }: RowAgain): PreviewRow | Promise<PreviewRow> =>
    row === undefined
      ? { line, id: null, title: null, outcome: 'invalid', changes: [], error: problem }
      : preview.rowOf(work, row, api, (error) => failureText(error, reader));
  const over = { count: done + failed + lost };
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
  tellLostSigns(file);
  await progress(context.io, context.flags).during(`Looking for emails among the ${job.resource.name}`, emails.tell(context, api));
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

/** Sends the rows without an outcome. Returns the reason for an early end. */
async function sendRows(context: Context, request: ImportRequest, work: ImportRun): Promise<Halt | undefined> {
  const { job } = request;
  const { run, engine } = work;
  const { rows, reader, notes } = work.file;
  const before = run.counts('steps', rows);
  const over = { count: before.done + before.failed - lackingIn(run).size };
  const countBefore = over.count;
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
    const matcher = await matcherOf(context, request, work.file, engine.service.api);
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
    const isIdle = isOver && over.count === countBefore;
    if (!isIdle) {
      const match = job.match?.kind === 'field' ? { match: job.match.field } : {};
      await tellSentAgain(context, run, { noun: 'row', ...match, ...(halt === undefined ? { api: engine.service.api } : {}) });
    }
    if (halt !== undefined) return halt;
    // Drops the intended parts of failed rows, which were never sent.
    run.dropIntents();
    // A row of unknown outcome keeps its mark: --resume looks for the row once more.
    run.end(isIdle && endedAt !== undefined && run.counts().lost === 0 ? endedAt : context.clock.now().toISOString());
    return undefined;
  } catch (error) {
    return context.signal.aborted ? { kind: 'interrupted' } : { kind: 'error', error };
  } finally {
    context.signal.removeEventListener('abort', tellInterruption);
    bar.shown?.stop();
  }
}

function failureText({ message, details }: CrmError, reader: RowReader): string {
  const fields = (details.fields ?? []).map(({ name, messages }) => `${reader.columns.columnName(name) ?? name}: ${messages.join(' ')}`);
  return fields.length === 0 ? message : fields.join(' ');
}

/**
 * The matcher of rows to records. Reads the whole list. Reads each record by its id when the file has no more rows than the list has pages.
 */
async function matcherOf(context: Context, { job }: ImportRequest, { reader, rows }: CheckedFile, api: Api): Promise<Matcher | undefined> {
  if (job.match === undefined) return undefined;
  const { during } = progress(context.io, context.flags);
  const readMatcher = async (): Promise<Matcher> => {
    if (job.match?.kind === 'id') {
      const query: [string, string][] = [
        ['limit', String(largestPage)],
        ['page', '1'],
      ];
      const { meta } = await api.read({ method: 'GET', path: job.resource.path, query });
      if (rows <= (meta?.last_page ?? 0)) return recordMatcher(job);
    }
    return listMatcher(api, job, reader.given().flatMap(pathsCompared), context.signal, () => {
      void notice(context.io, context.flags, `The ${job.resource.name} changed while they were being read; a record may have been missed.`);
    });
  };
  return during(`Reading ${job.resource.name}`, readMatcher());
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
