// An import as it is asked for, and as it ended.

import { placeOf } from '../files/problems.ts';
import type { Run } from '../runs/journal/run.ts';
import type { Id } from '../values/parse.ts';
import type { FileRows } from './files/readers.ts';
import type { Source } from './files/source.ts';
import type { ImportPlan } from './plan.ts';

export interface ImportRequest {
  readonly plan: ImportPlan;
  readonly source: Source;
  readonly rows: FileRows;
  readonly resume: boolean;
  /** Create on purpose what an earlier run created. */
  readonly again: boolean;
  /** With `resume`: lines in doubt that are sent again, and those that are known to have arrived. */
  readonly sendAgain: readonly number[];
  readonly arrived: ReadonlyMap<number, Id>;
  readonly rejects?: string;
  /** Where what became of each row is written. */
  readonly results?: string;
  readonly concurrency: number;
  readonly rate?: number;
  readonly maxErrors: number;
  /** The command that goes on where this one ends. */
  readonly resumeCommand: string;
  /** The command that imports a file of failed rows. */
  rejectsCommand(file: string): string;
}

export interface Summary {
  /** Rows in the file. */
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Rows that were not sent, because their records were changed since the file was written. */
  readonly conflicts: number;
  /** Rows of which nobody knows what became. */
  readonly unknown: number;
  /** The name of the run. */
  readonly run: string;
  readonly rejects: string | null;
}

export interface ImportEnd {
  readonly summary: Summary;
  /** How many of the failed rows were found wrong and left out, as --skip-invalid asks. */
  readonly leftOut: number;
  /** Why it is not all done. */
  readonly problem?: unknown;
}

/** The line that tells how to go on. */
export function goOnWith(request: ImportRequest): string {
  return `Go on${withInput(request) || ' with'}: ${request.resumeCommand}`;
}

/** The line that tells how to have rows as a file. `rows`: what they are called. */
export function failedRowsWith(request: ImportRequest, rows = 'The failed rows'): string {
  const { rejects, resumeCommand } = request;
  return `${rows} as a file${withInput(request)}: ${resumeCommand}${rejects === undefined ? ' --rejects FILE' : ''}`;
}

/** The line that tells how to decide about rows of which nobody can tell. */
export function decideWith({ resumeCommand }: ImportRequest): string {
  return `Look at the service, then say for each line: ${resumeCommand} --send-again LINES, or --arrived LINE=ID`;
}

/** What a command needs beside its words: an input that can be read only once must be given again. */
export function withInput({ source }: ImportRequest): string {
  return source.path === undefined ? ' with the same input and' : '';
}

/** What rows that are done lack, by the numbers of the rows: `assigned failed: …`. */
export function lackingIn(run: Run): ReadonlyMap<number, string> {
  const lacking = new Map<number, string>();
  for (const { n, key, state, error } of run.pastParts()) {
    if (state === 'done') continue;
    const text = `${placeOf(key)?.column} ${state === 'failed' ? `failed: ${error}` : 'may have failed'}`;
    lacking.set(n, [lacking.get(n) ?? [], text].flat().join('; '));
  }
  return lacking;
}

/** How far a run has come, in words: `100 done, up to 4 more may be there, of 300 rows`. */
export function progressText(done: number, rows: number, doubts: number): string {
  if (doubts > 0) return `${done} done, up to ${doubts} more may be there, of ${rows} rows`;
  return `${done} of ${rows} rows ${rows === 1 ? 'is' : 'are'} done`;
}
