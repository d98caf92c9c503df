// A run of seeding on disk: its name, its journal, and what can be said of it without asking the service.

import type { Context } from '../context.ts';
import { NotFoundError, UsageError } from '../errors.ts';
import type { Journal } from '../runs/journal/journal.ts';
import type { Run } from '../runs/journal/run.ts';
import { withJournal } from '../session.ts';
import type { Members } from '../values/paths.ts';

/** A run's name, as it is given. Throws UsageError. */
export function checkRun(title: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(title)) return title;
  throw new UsageError(`"${title}" can't be the name of a run: it has 1 to 64 letters, digits, dots, hyphens and underscores.`);
}

/** A run's name out of a file's: without folders, ending and what a name can't have. */
export function runOfFile(path: string): string {
  const base = path.replace(/^.*[\\/]/, '').replace(/\.(ya?ml|json)$/i, '');
  return checkRun(
    base
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 64) || 'seed',
  );
}

/** The latest run of a seed with a title, in the journal of a service. */
export const seedRun = (journal: Journal, title: string): Run | undefined => journal.latest('seed', title);

/** The error for a title that no run of a service has. */
export const noSeed = (title: string, baseUrl: string): NotFoundError =>
  new NotFoundError(`There is no run "${title}" at ${baseUrl}.`, { hint: 'See them all: crm history' });

/** What is known of a live run before anything is asked of the service: a copy of its details. Throws ConflictError for a damaged journal. */
export async function liveDetails(context: Context, title: string): Promise<Members | undefined> {
  return withJournal(context, (journal) => {
    const run = journal === undefined ? undefined : seedRun(journal, title);
    return run !== undefined && isLive(run) ? run.details : undefined;
  });
}

/** How many records of the run are there, as far as its journal knows. */
export function ownCount(run: Run): number {
  let count = 0;
  for (const { own, family } of run.records()) if (own && family !== 'client') count += 1;
  return count;
}

/** Whether something of the run may be in the service. */
export const isLive = (run: Run): boolean => ownCount(run) > 0 || run.counts().doubts > 0;

/** The name of the record that a step is about: `lead[3]` of `lead[3].then[0]`. */
export const recordOfKey = (key: string): string => key.replace(/\.then\[\d+\]$/, '');
