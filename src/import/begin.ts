// Decides whether an import may begin, goes on or was done already. Its rows are compared by digest with rows of earlier runs on the same
// service, so a file may be corrected, saved again or split in between.

import { ConflictError, UsageError } from '../base/errors.ts';
import { parsePlace, placeText } from '../base/files/problems.ts';
import { storedId } from '../base/values/parse.ts';
import { firstOf, howMany } from '../base/values/text/wording.ts';
import { notice } from '../output/streams/notice.ts';
import type { Journal } from '../runs/journal/journal.ts';
import type { Run, RunHeader } from '../runs/journal/run.ts';
import type { WriteAt } from '../runs/step.ts';
import { confirm } from '../session/ask/confirm.ts';
import type { Context } from '../session/context.ts';
import type { Engine } from '../session/engine.ts';
import { rejectColumns } from './files/raw-row.ts';
import { failedRowsWith, goOnWith, type ImportRequest, lookAgainWith, progressText, withInput } from './request.ts';
import type { Row } from './rows/row.ts';
import type { Overlap, RowNotes } from './rows/row-notes.ts';
import type { RowReader } from './rows/rows.ts';

/** An earlier import that shares rows with this file. */
interface Earlier {
  readonly run: Run;
  readonly overlap: Overlap;
}

/**
 * Returns a function that tells which rows are compared with earlier imports: all under --resume, else rows that create a record without a
 * search.
 */
export const digestedIn =
  ({ job: { mode }, resume }: ImportRequest) =>
  ({ key }: Row): boolean =>
    resume || mode === 'create' || (mode === 'upsert' && key === undefined);

/** A checked file. `notes`: with digests if the journal holds imports. */
interface BegunFile {
  readonly rows: number;
  readonly notes: RowNotes;
  readonly reader: Pick<RowReader, 'columns'>;
}

/**
 * The run of this import: a new run, or with --resume an earlier one. Throws UsageError when no import can be resumed, ConflictError for an
 * import already done or begun, UnconfirmedError for --again without consent.
 */
export async function beginImport(
  context: Context,
  request: ImportRequest,
  { rows, notes, reader }: BegunFile,
  engine: Engine,
): Promise<Run> {
  const { job, source, resume } = request;
  const { baseUrl, profile = null } = await context.settings();
  if (engine.journal.runs('import').length > 0) notes.compareWith(engine.journal);
  const earlier = earlierImports(engine, request, notes);
  if (resume) {
    const past = importToResume(request, notes.rows, earlier).run;
    past.refuseEarlierVersion();
    const last = earlier.at(-1)?.run ?? past;
    if (last.id > past.id) {
      const began = `${past.header.began.slice(0, 16).replace('T', ' ')} UTC`;
      await notice(
        context.io,
        context.flags,
        `Going on with run ${past.name} of ${began}, which is unfinished. Run ${last.name} is later.`,
      );
    }
    const run = engine.goOn(past);
    renumberByFile(run, rows, notes);
    await tellDeleted(context, notes.deletedIn(run));
    if (job.mode !== 'update') leaveToOthers(request, run, notes, engine.journal);
    run.keep({ undone_by: null });
    return run;
  }
  if (request.again) {
    const done = notes.doneIn(earlier.map(({ run }) => run.name));
    await confirm(context, `Create the ${job.resource.name} of ${source.name} once more? ${done} of its rows were created before.`);
  } else refuseDouble(request, { notes, reader }, earlier);
  return engine.begin({
    kind: 'import',
    title: source.name,
    command: request.resumeCommand,
    details: { family: job.resource.name, mode: job.mode, profile, base_url: baseUrl, ...(request.again ? { again: true } : {}) },
  });
}

/** Says which rows are not sent again. */
async function tellDeleted({ io, flags }: Context, lines: ReadonlyMap<number, number>): Promise<void> {
  if (lines.size === 0) return;
  const named = firstOf([...lines.values()].toSorted((a, b) => a - b).map(String), mostLines);
  const what = `${howMany(lines.size, 'row is', 'rows are')} not sent again: the ${lines.size === 1 ? 'record was' : 'records were'} deleted since`;
  await notice(io, flags, `${what} (${lines.size === 1 ? 'line' : 'lines'} ${named}).`);
}

/** The most lines in a sentence. */
const mostLines = 5;

/** The earlier imports into the family that share rows with this file, oldest first. */
function earlierImports({ journal }: Engine, { job }: ImportRequest, notes: RowNotes): Earlier[] {
  return notes
    .overlaps()
    .flatMap((overlap): Earlier[] => {
      const run = journal.named(overlap.run);
      return run === undefined ? [] : [{ overlap, run }];
    })
    .toSorted((a, b) => a.run.id - b.run.id)
    .filter(({ run }) => run.details.family === job.resource.name);
}

/**
 * True when an undo took back all that the run did for this file. An undo keeps changed records, and may take back a part of a run: so in
 * mode create, a row that is still done or lost says no.
 */
const isUndone = ({ run: { details }, overlap }: Earlier): boolean =>
  details.undone_by !== undefined && (details.mode !== 'create' || overlap.done + overlap.lost === 0);

const isUnfinished = (one: Earlier): boolean => one.run.ended === undefined && one.overlap.done + one.overlap.lost > 0 && !isUndone(one);

/**
 * The import that --resume means: the latest unfinished import, else the import that shares most rows with this file. Throws UsageError
 * when no import shares rows, ConflictError when an import in another mode is unfinished.
 */
function importToResume(request: ImportRequest, rows: number, earlier: readonly Earlier[]): Earlier {
  const { source, job } = request;
  const latest = earlier.toReversed().filter((one) => !isUndone(one));
  const alike = latest.filter(({ run }) => run.details.mode === job.mode);
  const weight = ({ overlap }: Earlier): number => overlap.done + overlap.failed + overlap.intended;
  const best =
    alike.find((one) => isUnfinished(one) || (one.run.ended === undefined && one.overlap.failed > 0)) ??
    alike.toSorted((a, b) => weight(b) - weight(a))[0];
  if (best !== undefined) return best;
  const other = latest.find(isUnfinished);
  if (other !== undefined) throw unfinishedError(request, rows, other);
  const undone = earlier.findLast(({ run }) => run.details.mode === job.mode)?.run;
  if (undone !== undefined) {
    const { name, header, details } = undone;
    throw new UsageError(
      `The import of ${source.name} on ${header.began.slice(0, 10)} (run ${name}) was undone by run ${details.undone_by}.`,
      {
        hint: 'To import the file again, leave out --resume.',
      },
    );
  }
  throw new UsageError(`There is no import of ${source.name} to resume.`, {
    hint: `No import into the ${job.resource.name} of this service in mode ${job.mode} had rows of this file. To begin, leave out --resume.`,
  });
}

/**
 * Numbers the steps of a run by the rows of the present file. A step without a row was done or sent and stands behind the last row, or it
 * is dropped.
 */
function renumberByFile(run: Run, rows: number, notes: RowNotes): void {
  const rowOf = new Map<number, { n: number; key: string }>();
  for (const { row, line, step } of notes.pairsWith(run)) rowOf.set(step, { n: row, key: placeText({ line }) });
  const moved: { from: WriteAt; to: number; key: string }[] = [];
  let isSame = true;
  let last = Math.max(rows, run.highest);
  for (const { n, part, key: was, state } of run.steps()) {
    let now = rowOf.get(n);
    if (now === undefined && part === 0 && (state === 'done' || state === 'sent')) {
      last += 1;
      now = { n: last, key: was };
      rowOf.set(n, now);
    }
    // A part moves with its row.
    const key = now === undefined || part === 0 ? now?.key : `${now.key}, ${parsePlace(was)?.column}`;
    if (now !== undefined && key !== undefined) moved.push({ from: { n, part }, to: now.n, key });
    if (now?.n !== n || key !== was) isSame = false;
  }
  if (!isSame) run.renumber(moved);
}

/**
 * Notes rows that other imports created as done, with the ids of their records, so this run doesn't send them. An import that began with
 * --again creates rows of earlier imports, too. A row of unknown outcome counts only in a later import: somebody decided about the row. A
 * deleted record counts only in a later import, too: the run began because the record was gone.
 */
function leaveToOthers({ job }: ImportRequest, run: Run, notes: RowNotes, journal: Journal): void {
  const created = [...notes.doneElsewhere(run)].flatMap(({ row, line, run: name, step, wasSent, isDeleted }) => {
    const other = journal.named(name);
    const isMeant = wasSent || isDeleted ? (other?.id ?? 0) > run.id : run.details.again !== true;
    const [past] = isMeant ? (other?.pastAt([step]) ?? []) : [];
    return past?.did === 'created' && past.id !== undefined ? [{ n: row, key: placeText({ line }), id: storedId(past.id) }] : [];
  });
  if (created.length === 0) return;
  const { name: family } = job.resource;
  run.intend(created.map(({ n, key }) => ({ n, key, family })));
  for (const { n, id } of created) run.done(n, 'unchanged', [], { target: id });
  run.flush();
}

/**
 * Throws ConflictError when earlier runs created rows of this file, or may have created them. In a file of rejects, a person has decided
 * about the rows of unknown outcome.
 */
function refuseDouble(request: ImportRequest, { notes, reader }: Pick<BegunFile, 'notes' | 'reader'>, earlier: readonly Earlier[]): void {
  const { rows } = notes;
  const unfinished = earlier.findLast(isUnfinished);
  if (unfinished !== undefined) throw unfinishedError(request, rows, unfinished);
  const finished = earlier.filter(({ run }) => run.ended !== undefined);
  const done = notes.doneIn(finished.map(({ run }) => run.name));
  const last = finished.findLast(({ overlap }) => overlap.done > 0);
  if (last !== undefined) throw importedAlready(request, rows, { ...last.overlap, done }, last.run.header);
  const isOfRejects = rejectColumns.some((name) => reader.columns.byName.has(name));
  const unsure = isOfRejects ? undefined : finished.findLast(({ overlap }) => overlap.lost > 0);
  if (unsure === undefined) return;
  const { overlap, run } = unsure;
  throw new ConflictError(
    `An import of ${run.header.title} may have created ${overlap.lost} of ${howMany(rows, 'row')}: nobody can tell. Nothing was sent.`,
    { code: 'already_imported', hint: [failedRowsWith(request, 'These rows'), lookAgainWith(request), onPurpose].join('\n') },
  );
}

function unfinishedError(request: ImportRequest, rows: number, { run: { header }, overlap }: Earlier): ConflictError {
  const soFar = progressText(overlap.done, rows, overlap.lost);
  const isOther = header.details.mode !== request.job.mode;
  return new ConflictError(`An import of ${header.title} is unfinished: ${soFar}. Nothing was sent.`, {
    code: 'run_unfinished',
    hint: [isOther ? `Go on with: ${header.command}` : goOnWith(request), onPurpose].join('\n'),
  });
}

function importedAlready(
  request: ImportRequest,
  rows: number,
  { done, failed, deleted }: Overlap,
  { began, title }: RunHeader,
): ConflictError {
  const { source } = request;
  const left = rows - done - failed - deleted;
  const gone =
    deleted > 0
      ? [`--resume doesn't send ${howMany(deleted, 'row')}: the ${deleted === 1 ? 'record was' : 'records were'} deleted since.`]
      : [];
  const others = left > 0 ? [`To send only the ${howMany(left, 'new row')}${withInput(request)}: ${request.resumeCommand}`] : [];
  return new ConflictError(
    `${source.name} was imported already${title === source.name ? '' : `, as ${title}`}: ${done} of ${howMany(rows, 'row')} ${done === 1 ? 'was' : 'were'} created on ${began.slice(0, 10)}. Nothing was sent.`,
    { code: 'already_imported', hint: [...(failed > 0 ? [failedRowsWith(request)] : others), ...gone, onPurpose].join('\n') },
  );
}

const onPurpose = 'To create the rows once more on purpose, add --again.';
