// Reports an import: its summary, the output files, the problems, and how to go on.

import { rm } from 'node:fs/promises';
import {
  CrmError,
  type FieldProblem,
  InterruptedError,
  PartialError,
  type ProblemDetails,
  systemCode,
  systemReason,
  UnavailableError,
  withHints,
} from '../../base/errors.ts';
import { diskError } from '../../base/files/disk-failure.ts';
import { pathIn } from '../../base/files/path-in.ts';
import { Problems, parsePlace } from '../../base/files/problems.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { endedEarly, soFarText } from '../../runs/ended-early.ts';
import type { Run } from '../../runs/journal/run.ts';
import type { Halt } from '../../runs/runner.ts';
import type { Context } from '../../session/context.ts';
import { type Preview, restText } from '../preview/preview.ts';
import {
  failedRowsWith,
  goOnWith,
  type ImportEnd,
  type ImportRequest,
  lackingIn,
  lookAgainWith,
  notTakenIn,
  type Summary,
  stillLacking,
  withInput,
} from '../request.ts';
import type { RowNotes } from '../rows/row-notes.ts';
import { writeOutcomes } from './outcomes.ts';
import { noteWritten } from './outputs.ts';

/** The most rows of unknown outcome that are listed; the others are counted. */
const mostUnknown = 100;

interface Ended {
  readonly rows: number;
  /** The problem of a row that --skip-invalid leaves out; undefined for any other row. */
  leftOut(n: number): string | undefined;
  /** The number of rows that --skip-invalid leaves out. */
  readonly leftOutCount: number;
  readonly idleSince: string | undefined;
  /** The number of rows that the run had done before it was resumed. */
  readonly doneBefore: number;
  readonly run: Run;
  readonly halt: Halt | undefined;
}

/** Writes the output files and sums the import up. */
export async function endImport(context: Context, request: ImportRequest, ended: Ended): Promise<ImportEnd> {
  const { run, rows, halt, leftOutCount, idleSince, doneBefore } = ended;
  const { did, done, failed: notDone, conflicts, lost } = run.counts('steps', rows);
  // A stopped run has not come to all rows that are left out.
  const reached = [...run.past({ part: 'first', state: 'failed' })].filter(({ n }) => ended.leftOut(n) !== undefined).length;
  const hasRejects = notDone > 0 || leftOutCount > 0 || notTakenIn(run).size > 0 || (run.ended !== undefined && lost > 0);
  const { rejects, late } = await endOutputs(context, request, ended, hasRejects);
  const orphans = run.counts('steps').lost - lost;
  const countOf = (name: string): number => did.get(name) ?? 0;
  const summary: Summary = {
    total: rows,
    created: countOf('created'),
    updated: countOf('updated'),
    unchanged: countOf('unchanged'),
    failed: Math.max(0, notDone - conflicts - reached),
    left_out: leftOutCount,
    conflicts,
    unknown: lost + orphans,
    run: run.name,
    rejects,
  };
  const left = rows - done - notDone - (leftOutCount - reached) + (halt === undefined ? 0 : lackingIn(run).size);
  const problem = importProblem(context, request, { ...ended, left, late }, summary);
  return {
    summary,
    doneBefore,
    lacking: halt === undefined ? '' : stillLacking(run),
    isTold: halt?.kind === 'error',
    ...(problem === undefined ? { idleSince } : { problem }),
  };
}

/**
 * Writes the rejects and the results. Removes the rejects of an earlier run when there are none now. `rejects`: the written file; `late`: the
 * error of a file that can't be written.
 */
async function endOutputs(
  context: Context,
  request: ImportRequest,
  { run, halt, leftOut }: Ended,
  hasRejects: boolean,
): Promise<{ readonly rejects: string | null; readonly late: CrmError | undefined }> {
  let rejects: string | null = null;
  let late: CrmError | undefined;
  for (const output of ['rejects', 'results'] as const) {
    const name = request[output];
    if (name === undefined) continue;
    try {
      const path = pathIn(context, name);
      const isWritten = output === 'results' || hasRejects;
      if (isWritten) await writeOutcomes(context, request, { run, leftOut }, output, path);
      else if (halt === undefined) await rm(path, { force: true });
      if (output === 'rejects' && hasRejects) rejects = name;
      if (isWritten) await noteWritten(run, path);
    } catch (error) {
      late ??= unsavedError(output, name, error);
    }
  }
  return { rejects, late };
}

function unsavedError(output: string, name: string, error: unknown): CrmError {
  if (error instanceof CrmError) return error;
  if (systemCode(error) === undefined) throw error;
  const what = `--${output}: ${name} can't be written`;
  return diskError(what, error) ?? new UnavailableError(`${what} (${systemReason(error)}).`, { cause: error });
}

function importProblem(
  context: Context,
  request: ImportRequest,
  { run, halt, left, late }: Ended & { readonly left: number; readonly late: CrmError | undefined },
  summary: Summary,
): unknown {
  const { left_out: leftOut, conflicts, unknown } = summary;
  const failed = summary.failed + leftOut;
  const isLeft = left > unknown || (halt !== undefined && unknown > 0);
  const onceSaved = late instanceof UnavailableError ? [`Once the file can be written: ${request.resumeCommand}`] : [];
  const unsaved = late === undefined ? [] : [[late.message, ...onceSaved].join(' ')];
  const goOn = [...unsaved, ...(isLeft ? [goOnWith(request)] : [])];
  if (halt?.kind === 'interrupted') {
    const note = left === 0 ? 'Every row was done.' : `${howMany(left, 'row is', 'rows are')} to go.`;
    return InterruptedError.by(context.signal.reason, { note, ...hintOf(goOn), ...(isLeft ? { retry: 'look' as const } : {}) });
  }
  if (halt?.kind === 'error') {
    if (halt.error instanceof CrmError && isLeft) halt.error.details.retry = 'look';
    const done = summary.created + summary.updated + summary.unchanged;
    const soFar = [soFarText({ done, failed: failed + conflicts, unknown, total: summary.total }, 'row'), stillLacking(run)]
      .filter(Boolean)
      .join('; ');
    return endedEarly(halt.error, soFar, unknown, goOn);
  }
  const [lacking, kept] = [lackingIn(run), notTakenIn(run)];
  const others = conflicts + unknown + lacking.size + kept.size;
  // An import without another error ends with the error of a file that can't be written.
  if (failed + others === 0) return late === undefined ? undefined : withHints(late, onceSaved);
  const early =
    halt?.kind === 'max-failures' && left > 0
      ? `Stopped after ${howMany(request.maxErrors, 'failure')}, with ${howMany(left, 'row')} to go: `
      : '';
  const { message, isAsked } = unsentText({ ...summary, failed }, leftOut, 'failed', [
    unknown > 0 ? `${unknown} of unknown outcome` : '',
    lacking.size > 0 ? `${howMany(lacking.size, 'lacks', 'lack')} something` : '',
    kept.size > 0 ? `${kept.size} not taken whole` : '',
  ]);
  const isDecided = unknown > 0 && halt === undefined;
  const isBad = failed + conflicts + kept.size > 0;
  const isWithoutFile = request.rejects === undefined && (isBad || isDecided);
  const causes = causesOf(run);
  const hidden = causes.hidden + Math.max(unknown - mostUnknown, 0);
  const which = isAsked ? 'These rows' : `The ${isDecided ? (isBad ? 'failed and unknown' : 'unknown') : 'failed'} rows`;
  const repair = [...(isBad ? ['Repair them'] : []), ...(isDecided ? ['Look which unknown rows arrived, and delete these rows'] : [])].join(
    '. ',
  );
  return new PartialError(early + message, {
    ...(isAsked ? { isAsked } : {}),
    fields: [...causes.fields(), ...firstUnknown(run)],
    ...(unknown > 0 || lacking.size > 0 ? { retry: 'look' as const } : {}),
    ...hintOf([
      ...(hidden === 0 ? [] : [`And ${howMany(hidden, 'more row')}.`]),
      ...(summary.rejects === null
        ? []
        : [`${which} are in ${summary.rejects}. ${repair}, then: ${request.rejectsCommand(summary.rejects)}`]),
      ...(isWithoutFile ? [failedRowsWith(request, which)] : []),
      ...(conflicts > 0 ? [overConflicts] : []),
      ...(isKeptIn(run) ? [overKept] : []),
      ...(isDecided ? [lookAgainWith(request)] : []),
      ...(lacking.size > 0 && goOn.length === 0
        ? [`Send the missing parts again${withInput(request) || ' with'}: ${request.resumeCommand}`]
        : []),
      ...goOn,
    ]),
  });
}

/** True when the service answered a write with success and kept values as they were. */
const isKeptIn = (run: Run): boolean =>
  run.past({ state: 'failed' }).some(({ status }) => status !== null && status < 300) || notTakenIn(run).size > 0;

const overKept = "Of a value that the service doesn't take, leave the column out, or give the service's own form.";

const overConflicts = '--overwrite-newer sends the rows of records that were changed since the file was written.';

/** The counts of rows not done. `isAsked`: true when --skip-invalid left out all of these rows. `failedWord`: the word for failed rows. */
function unsentText(
  { total, failed, conflicts }: Pick<Summary, 'total' | 'failed' | 'conflicts'>,
  leftOut: number,
  failedWord: string,
  others: readonly string[] = [],
): { readonly message: string; readonly isAsked: boolean } {
  const counts = [
    failed > leftOut ? `${failed - leftOut} ${failedWord}` : '',
    leftOut > 0 ? `${leftOut} left out` : '',
    conflicts > 0 ? `${conflicts} in conflict` : '',
    ...others,
  ].filter(Boolean);
  const isAsked = leftOut > 0 && counts.length === 1 && failed === leftOut;
  if (isAsked) return { message: `${leftOut} of ${howMany(total, 'row')} left out, as --skip-invalid says.`, isAsked };
  return { message: `${howMany(total, 'row')}, ${counts.join(', ')}.`, isAsked };
}

/** The reason why some rows of a preview would not be sent; undefined when all would be sent. */
export function previewProblem(
  { rows: total, notes }: { readonly rows: number; readonly notes: RowNotes },
  { counts, causes }: Preview,
): PartialError | undefined {
  const { invalid: failed, conflicts } = counts;
  if (failed + conflicts === 0) return undefined;
  const { message, isAsked } = unsentText({ total, failed, conflicts }, Math.min(notes.invalidCount, failed), 'invalid');
  return new PartialError(message, {
    ...(isAsked ? { isAsked } : {}),
    fields: causes.fields(),
    ...hintOf([...(causes.hidden === 0 ? [] : [`And ${howMany(causes.hidden, 'more row')}.`]), ...(conflicts > 0 ? [overConflicts] : [])]),
  });
}

function causesOf(run: Run): Problems {
  const problems = new Problems();
  for (const { key, error } of run.past({ state: 'failed' })) {
    const place = parsePlace(key);
    if (place !== undefined) problems.addOfRow(place, error ?? '');
  }
  for (const { key, error = '' } of run.notTaken()) {
    const place = parsePlace(key);
    if (place !== undefined) problems.addOfRow(place, error.replace(/^.*?: /s, ''));
  }
  return problems;
}

function firstUnknown(run: Run): FieldProblem[] {
  return [...Iterator.from(run.past({ state: 'sent' })).take(mostUnknown)].map(({ key, error }) => ({
    name: key,
    messages: [error ?? 'It was sent, and nobody has looked for it yet.'],
  }));
}

/** The outcome of an import in sentences: `2 leads created, 10 changed; 33 unchanged.` */
export function summaryText({ job, results }: ImportRequest, { summary, lacking, idleSince, doneBefore }: ImportEnd): string {
  if (idleSince !== undefined) return `Nothing was left to do: the run ended on ${idleSince.slice(0, 10)}.`;
  const { created, updated, failed, left_out: leftOut, unknown } = summary;
  const { name, singular } = job.resource;
  const counts = [
    created > 0 ? `${howMany(created, singular, name)} created` : '',
    updated > 0 ? `${created > 0 ? updated : howMany(updated, singular, name)} changed` : '',
  ].filter(Boolean);
  const others = [
    doneBefore > 0 ? `${howMany(doneBefore, 'of these rows was', 'of these rows were')} done before` : '',
    lacking,
    restText({ ...summary, invalid: 0 }),
    failed > 0 ? `${failed} failed` : '',
    leftOut > 0 ? `${leftOut} left out` : '',
    unknown > 0 ? `${unknown} of unknown outcome` : '',
  ].filter(Boolean);
  const done = counts.length === 0 ? `No ${singular} was created or changed` : counts.join(', ');
  const rows = results === undefined ? '' : ` Each row and its outcome: ${results}`;
  return `${done}${others.length === 0 ? '' : `; ${others.join(', ')}`}.${rows}`;
}

const hintOf = (lines: readonly string[]): Pick<ProblemDetails, 'hint'> => (lines.length === 0 ? {} : { hint: lines.join('\n') });
