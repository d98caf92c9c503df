// The request and the result of an import, and the sentences that several of its messages share.

import { parsePlace } from '../base/files/problems.ts';
import type { Run } from '../runs/journal/run.ts';
import type { Source } from './files/source.ts';
import type { ImportJob } from './job.ts';

export interface ImportRequest {
  readonly job: ImportJob;
  readonly source: Source;
  readonly resume: boolean;
  /** True: rows that an earlier run created are created once more. */
  readonly again: boolean;
  readonly rejects?: string;
  /** The mapping file as typed. */
  readonly mapping?: string;
  /** The file for the outcome of each row. */
  readonly results?: string;
  readonly concurrency: number;
  readonly rate?: number;
  readonly wait?: number;
  readonly maxErrors: number;
  /** The command that resumes this import. */
  readonly resumeCommand: string;
  /** The command that imports a file of failed rows. `shown`: flags for what only the whole file shows. */
  rejectsCommand(file: string, shown?: Readonly<Record<string, string>>): string;
}

export interface Summary {
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Invalid rows that --skip-invalid left out. */
  readonly left_out: number;
  /** Rows not sent because their records changed after the file was written. */
  readonly conflicts: number;
  /** Rows of unknown outcome: their requests may have arrived. */
  readonly unknown: number;
  readonly run: string;
  readonly rejects: string | null;
}

export interface ImportEnd {
  readonly summary: Summary;
  /** The number of rows that the run had done before it was resumed. */
  readonly doneBefore: number;
  /** What a stopped run still owes to rows that it sent: `2 of them still lack tags`. */
  readonly lacking: string;
  /** The end of a resumed run that had nothing left to do (ISO 8601). */
  readonly idleSince?: string | undefined;
  /** True when the error of the run tells the counts. */
  readonly isTold: boolean;
  /** The error of an import with rows left to do. */
  readonly problem?: unknown;
}

/** The line with the resume command. */
export function goOnWith(request: ImportRequest): string {
  return `Go on${withInput(request) || ' with'}: ${request.resumeCommand}`;
}

/** A name for rejects, in the format of the input. A workbook keeps texts as texts. */
export const rejectsName = ({ job }: Pick<ImportRequest, 'job'>): string => (job.format === 'xlsx' ? 'rejects.xlsx' : 'FILE');

/** The line with the command that writes rows to a file. `rows`: the subject of the sentence. */
export function failedRowsWith(request: ImportRequest, rows = 'The failed rows'): string {
  const { rejects, resumeCommand } = request;
  return `${rows} as a file${withInput(request)}: ${resumeCommand}${rejects === undefined ? ` --rejects ${rejectsName(request)}` : ''}`;
}

/** The line with the command that looks for rows of unknown outcome once more. */
export function lookAgainWith(request: ImportRequest): string {
  return `To look for the unknown rows once more${withInput(request)}: ${request.resumeCommand}`;
}

/** The reminder to give standard input again, before a command; empty for a file. */
export function withInput({ source }: ImportRequest): string {
  return source.path === undefined ? ' with the same input and' : '';
}

/** The parts that finished rows lack, by row number: `assigned failed: …`. */
export function lackingIn(run: Run): ReadonlyMap<number, string> {
  const lacking = new Map<number, string>();
  for (const { n, key, state, error } of run.past({ part: 'further' })) {
    if (state === 'done') continue;
    const text = `${parsePlace(key)?.column} ${state === 'failed' ? `failed: ${error}` : 'may have failed'}`;
    lacking.set(n, [lacking.get(n) ?? [], text].flat().join('; '));
  }
  return lacking;
}

/** What the rows of a stopped run lack: `2 of them still lack tags; --resume sends them`. Empty when nothing lacks. */
export function stillLacking(run: Run): string {
  const lacking = [...run.steps()].filter(
    ({ n, part, state }) => part > 0 && (state === 'intended' || state === 'sent') && run.state(n) === 'done',
  );
  const rows = new Set(lacking.map(({ n }) => n)).size;
  const parts = [...new Set(lacking.map(({ key }) => parsePlace(key)?.column ?? ''))];
  return rows === 0
    ? ''
    : `${rows} of them still ${rows === 1 ? 'lacks' : 'lack'} ${parts.join(' and ')}; --resume sends ${parts.length === 1 && rows === 1 ? 'it' : 'them'}`;
}

/** What the service did not take of rows that were written, by row number: `status not taken`, and the sentence. */
export function notTakenIn(run: Run): ReadonlyMap<number, { readonly outcome: string; readonly error: string }> {
  const all = new Map<number, { readonly outcome: string; readonly error: string }>();
  for (const { n, error = '' } of run.notTaken()) {
    const [, outcome = '', sentence = ''] = /^(.*?): (.*)$/s.exec(error) ?? [];
    const before = all.get(n);
    all.set(
      n,
      before === undefined
        ? { outcome, error: sentence }
        : { outcome: `${before.outcome}; ${outcome}`, error: `${before.error} ${sentence}` },
    );
  }
  return all;
}

/** The progress of a run: `100 done, up to 4 more may be there, of 300 rows`. */
export function progressText(done: number, rows: number, unknown: number): string {
  if (unknown > 0) return `${done} done, up to ${unknown} more may be there, of ${rows} rows`;
  return `${done} of ${rows} rows ${rows === 1 ? 'is' : 'are'} done`;
}
