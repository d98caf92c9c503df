// An import as it is asked for, and as it ended.

import type { Source } from './files/source.ts';
import type { ImportPlan } from './plan.ts';
import type { Tally } from './row-states.ts';

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
  /** The command that imports a file of failed rows. */
  rejectsCommand(file: string): string;
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

/** The line that tells how to go on. */
export function goOnWith(request: ImportRequest): string {
  return `Go on${withInput(request) || ' with'}: ${request.resumeCommand}`;
}

/** The line that tells how to have the failed rows as a file. */
export function failedRowsWith(request: ImportRequest): string {
  const { rejects, resumeCommand } = request;
  return `The failed rows as a file${withInput(request)}: ${resumeCommand}${rejects === undefined ? ' --rejects FILE' : ''}`;
}

/** What a command needs beside its words: an input that can be read only once must be given again. */
function withInput({ source }: ImportRequest): string {
  return source.path === undefined ? ' with the same input and' : '';
}
