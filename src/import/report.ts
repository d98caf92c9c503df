// What became of an import: the summary for everybody, the failed rows in their file, and what to do next.

import { resolve } from 'node:path';
import type { Context } from '../context.ts';
import { CrmError, type FieldProblem, InterruptedError, PartialError, type ProblemDetails, systemCode, withHints } from '../errors.ts';
import type { Halt } from './outcome.ts';
import { removeRejects, writeRejects } from './rejects.ts';
import { failedRowsWith, goOnWith, type ImportEnd, type ImportRequest, type Summary } from './request.ts';
import { putBack, type RowJournal } from './row-journal.ts';

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
  const rejects = dryRun || request.rejects === undefined ? {} : await endRejects(context, request, journal, request.rejects, halt);
  const summary: Summary = {
    total: states.rows,
    ...journal.tally,
    unknown: states.inDoubt,
    journal: dryRun ? null : journal.path,
    rejects: rejects.written ?? null,
  };
  const hasChanged = rejects.hasChanged ?? (await isChanged(request));
  const problem = problemOf(context, request, summary, halt, failures, {
    left: states.rows - states.settled,
    unwritten: rejects.unwritten,
    hasChanged,
  });
  return { summary, ...(problem === undefined ? {} : { problem }) };
}

interface Rejects {
  /** The name of the file. */
  readonly written?: string;
  /** What kept it from being written. */
  readonly unwritten?: string;
  /** The file that is imported is not what it was. */
  readonly hasChanged?: true;
}

/** Writes the failed rows, or takes away what an earlier run wrote of them. The import is done all the same. */
async function endRejects(
  { cwd }: Context,
  request: ImportRequest,
  { states, path }: RowJournal,
  name: string,
  halt: Halt | undefined,
): Promise<Rejects> {
  const { plan, source, resumeCommand } = request;
  const changed: Rejects = { unwritten: `${name} is not written: ${source.name} holds other rows by now.`, hasChanged: true };
  try {
    if (states.tally.failed > 0) {
      if (await isChanged(request)) return changed;
      await writeRejects(plan, source, path, resolve(cwd, name));
      return { written: name };
    }
    if (halt === undefined) await removeRejects(resolve(cwd, name));
    return {};
  } catch (error) {
    if (await isChanged(request)) return changed;
    const code = error instanceof CrmError ? undefined : systemCode(error);
    if (code === undefined) throw error;
    return { unwritten: `${name} can't be written (${code}). Once it can: ${resumeCommand}` };
  }
}

async function isChanged({ source }: ImportRequest): Promise<boolean> {
  try {
    await source.checkUnchanged();
    return false;
  } catch {
    return true;
  }
}

function problemOf(
  context: Context,
  request: ImportRequest,
  summary: Summary,
  halt: Halt | undefined,
  failures: readonly FieldProblem[],
  { left, unwritten, hasChanged }: { left: number; unwritten: string | undefined; hasChanged: boolean },
): unknown {
  const { total, failed, unknown, journal } = summary;
  const mayGoOn = journal !== null && (left > 0 || unwritten !== undefined);
  const how = hasChanged ? putBack(journal ?? '') : left > 0 ? goOnWith(request) : undefined;
  const goOn = [unwritten, mayGoOn ? how : undefined].filter((line) => line !== undefined);
  if (halt?.kind === 'interrupted') return interruption(context.signal, left, goOn);
  if (halt?.kind === 'error') return withHints(halt.error, goOn);
  if (failed === 0 && unknown === 0) return undefined;
  const counts = [failed > 0 ? `${failed} failed` : '', unknown > 0 ? `${unknown} of unknown outcome` : ''].filter(Boolean);
  const early =
    halt?.kind === 'max-errors' && left > 0
      ? `Stopped after ${request.maxErrors} ${request.maxErrors === 1 ? 'failure' : 'failures'}, with ${rowCount(left)} to go: `
      : '';
  const all = request.rejects === undefined && failed > 0 && journal !== null && !hasChanged;
  return new PartialError(`${early}${rowCount(total)}, ${counts.join(', ')}.`, {
    fields: [...failures],
    ...hintOf([
      ...(summary.rejects === null
        ? []
        : [`The failed rows are in ${summary.rejects}. Repair them, then: ${request.rejectsCommand(summary.rejects)}`]),
      ...(all ? [failedRowsWith(request)] : []),
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
