// Reads seed files, names their runs, and tells facts of a run that need only its journal.

import { UsageError } from '../base/errors.ts';
import { readSmallFile, readStdin } from '../base/files/read-whole.ts';
import type { Members } from '../base/values/paths.ts';
import { isLive } from '../reading/history/done-text.ts';
import type { Journal } from '../runs/journal/journal.ts';
import type { Run } from '../runs/journal/run.ts';
import type { Context } from '../session/context.ts';
import { withJournal } from '../session/engine.ts';
import { parseSeedFile, type SeedFile } from './language/file.ts';

/** Reads a seed file; `-` is standard input. Throws UsageError for a file that can't be read or is no seed file. */
export async function readSeedFile(context: Context, path: string): Promise<SeedFile> {
  if (path === '-') return parseSeedFile(await readStdin(context), 'standard input');
  return parseSeedFile(await readSmallFile(context, path), path);
}

/**
 * The name of a file's run: from --run, else from the file, else the file's own name. Throws UsageError for standard input without a name.
 */
export function runOf(path: string, file: SeedFile, flag: string | undefined): string {
  if (flag !== undefined) return checkRun(flag);
  if (file.run !== undefined) return checkRun(file.run);
  if (path !== '-') return checkRun(path.replace(/^.*[\\/]/, '').replace(/\.(ya?ml|json)$/i, ''));
  throw new UsageError('Standard input has no name: name the run with --run NAME, or with run: NAME in the file.');
}

/** Checks the name of a run. Throws UsageError. */
export function checkRun(title: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(title)) return title;
  throw new UsageError(`"${title}" can't be the name of a run: it has 1 to 64 letters, digits, dots, hyphens and underscores.`, {
    hint: 'Name the run with --run NAME.',
  });
}

/** The latest run with a title. */
export const seedRun = (journal: Journal, title: string): Run | undefined => journal.runs('seed', title)[0];

/** A copy of a live run's details; undefined without a live run. Throws ConflictError for a damaged journal. */
export async function liveDetails(context: Context, title: string): Promise<Members | undefined> {
  return withJournal(context, (journal) => {
    const run = journal === undefined ? undefined : seedRun(journal, title);
    return run !== undefined && isLive(run) ? run.details : undefined;
  });
}

/** The record's name in the key of a step: `lead[3]` of `lead[3].then[0]`. */
export const recordOfKey = (key: string): string => key.replace(/\.then\[\d+\]$/, '');

/** The shape of the rows that an apply and a destroy print: a row a record. */
export const seededShape = {
  columns: [{ path: 'name' }, { path: 'type' }, { path: 'id', align: 'right' as const }, { path: 'state' }],
  record: ['name', 'type', 'id', 'state'],
};
