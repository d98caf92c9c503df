// A run of seeding on disk: its name, its journal, and what can be said of it without asking the service.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Context } from '../context.ts';
import { ConflictError, UsageError } from '../errors.ts';
import { notice } from '../output/streams/notice.ts';
import { journalFolder, serviceAddress, serviceMark } from '../runs/folder.ts';
import { Journal, type OpenedFor } from '../runs/journal.ts';
import { scalarText } from '../values/json.ts';

export type RunState = 'applied' | 'unfinished' | 'partly destroyed' | 'destroyed';

/** A run's name, as it is given. Throws UsageError. */
export function checkRun(run: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(run)) return run;
  throw new UsageError(`"${run}" can't be the name of a run: it has 1 to 64 letters, digits, dots, hyphens and underscores.`);
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

/** Where the journal of a run at the service of the settings in force is. */
export async function runPath(context: Context, run: string): Promise<string> {
  const { baseUrl } = await context.settings();
  return join(journalFolder(await context.dataDir()), `${serviceMark(serviceAddress(baseUrl))}-seed-${run}.sqlite`);
}

/** The journal of a run; undefined when there is none. Throws ConflictError for one that can't be relied upon. */
export function openRun(path: string, how: OpenedFor, clock?: Clock): Journal | undefined {
  return existsSync(path) ? Journal.open(path, how, clock) : undefined;
}

/** How far a run has come, as far as its journal knows. */
export function stateOf(journal: Journal): RunState {
  if (journal.details.destroying === true) return isLive(journal) ? 'partly destroyed' : 'destroyed';
  return journal.ended === undefined ? 'unfinished' : 'applied';
}

/** How many records of the run are there, as far as its journal knows. */
export function ownCount(journal: Journal): number {
  let count = 0;
  for (const { own, family } of journal.records()) if (own && family !== 'client') count += 1;
  return count;
}

/** Whether something of the run may be in the service. */
export const isLive = (journal: Journal): boolean => ownCount(journal) > 0 || journal.counts().doubts > 0;

/** The name of the record that a step is about: `lead[3]` of `lead[3].then[0]`. */
export const recordOfKey = (key: string): string => key.replace(/\.then\[\d+\]$/, '');

/** The seed file on the disk. */
export interface FileOnDisk {
  /** Absolute. */
  readonly path: string;
  /** The run is called like the file, and not by --run or by what the file says. */
  readonly isName: boolean;
}

/** Refuses a live run that another file began. Throws ConflictError; a file that was moved is only told. */
export async function refuseOtherFile(context: Context, run: string, file: FileOnDisk | undefined, journal: Journal): Promise<void> {
  const path = scalarText(journal.details.path);
  if (!isLive(journal) || file?.isName !== true || path === '' || path === file.path) return;
  if (!existsSync(path)) {
    const text = `Run "${run}" was begun from ${path}, which is no longer there: it goes on with ${file.path}.`;
    return notice(context.io, context.flags, text, 'warning');
  }
  throw new ConflictError(`Run "${run}" is that of ${path}, not of ${file.path}.`, {
    hint: 'Say which run is meant: --run NAME. Another name is a run of its own.',
  });
}
