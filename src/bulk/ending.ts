// What became of an import: the summary for everybody, the failed rows in their file, and what to do next.

import { resolve } from 'node:path';
import type { Context } from '../context.ts';
import { CrmError, type FieldProblem, InterruptedError, PartialError, type ProblemDetails, systemCode, withHints } from '../errors.ts';
import type { Halt } from './outcome.ts';
import { writeRejects } from './rejects.ts';
import { goOnWith, type ImportEnd, type ImportRequest, type Summary, withInput } from './request.ts';
import type { RowJournal } from './row-journal.ts';

/** Writes the rejects and sums the import up. `failures`: the first rows that failed. */
export async function endImport(
  context: Context,
  request: ImportRequest,
  journal: RowJournal,
  halt: Halt | undefined,
  failures: readonly FieldProblem[],
): Promise<ImportEnd> {
  const { states } = journal;
  const { dryRun } = context.flags;
  const { failed } = states.tally;
  const wanted = failed > 0 && !dryRun ? request.rejects : undefined;
  const unwritten = wanted === undefined ? undefined : await rejectsFailure(context, request, journal, wanted);
  const summary: Summary = {
    total: states.rows,
    ...states.tally,
    unknown: states.inDoubt,
    journal: dryRun ? null : journal.path,
    rejects: unwritten === undefined ? (wanted ?? null) : null,
  };
  const problem = problemOf(context, request, summary, halt, failures, unwritten);
  return { summary, ...(problem === undefined ? {} : { problem }) };
}

/** Writes the rejects; gives what kept them from being written. The import is done all the same. */
async function rejectsFailure(
  { cwd }: Context,
  { plan, source, resumeCommand }: ImportRequest,
  journal: RowJournal,
  name: string,
): Promise<string | undefined> {
  try {
    await writeRejects(plan, source, journal.path, resolve(cwd, name));
    return undefined;
  } catch (error) {
    const code = error instanceof CrmError ? undefined : systemCode(error);
    if (code === undefined) throw error;
    return `${name} can't be written (${code}). Once it can: ${resumeCommand}`;
  }
}

function problemOf(
  context: Context,
  request: ImportRequest,
  summary: Summary,
  halt: Halt | undefined,
  failures: readonly FieldProblem[],
  unwritten: string | undefined,
): unknown {
  const { total, failed, unknown, journal } = summary;
  const left = total - summary.created - summary.updated - summary.unchanged - failed;
  const goOn = [unwritten, left > 0 && journal !== null ? goOnWith(request) : undefined].filter((line) => line !== undefined);
  if (halt?.kind === 'interrupted') return interruption(context.signal, left, goOn);
  if (halt?.kind === 'error') return withHints(halt.error, goOn);
  if (failed === 0 && unknown === 0) return undefined;
  const counts = [failed > 0 ? `${failed} failed` : '', unknown > 0 ? `${unknown} of unknown outcome` : ''].filter(Boolean);
  const early =
    halt?.kind === 'max-errors' && left > 0
      ? `Stopped after ${request.maxErrors} ${request.maxErrors === 1 ? 'failure' : 'failures'}, with ${rowCount(left)} to go: `
      : '';
  const all = request.rejects === undefined && failed > 0 && journal !== null;
  return new PartialError(`${early}${rowCount(total)}, ${counts.join(', ')}.`, {
    fields: [...failures],
    ...hintOf([
      ...(summary.rejects === null
        ? []
        : [`The failed rows are in ${summary.rejects}. Repair them, then: ${request.rejectsCommand(summary.rejects)}`]),
      ...(all ? [`The failed rows as a file${withInput(request)}: ${request.resumeCommand} --rejects FILE`] : []),
      ...goOn,
    ]),
  });
}

function interruption(signal: AbortSignal, left: number, goOn: readonly string[]): InterruptedError {
  const note = left === 0 ? 'Every row was done.' : left === 1 ? '1 row is to go.' : `${left} rows are to go.`;
  return InterruptedError.by(signal.reason, { note, ...hintOf(goOn) });
}

const rowCount = (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'}`;

const hintOf = (lines: readonly string[]): Pick<ProblemDetails, 'hint'> => (lines.length === 0 ? {} : { hint: lines.join('\n') });
