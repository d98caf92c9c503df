// The engine, opened for a set of writes: the lock (if records are created), the journal, the service and the runs. All are closed behind
// the writes.

import { ConflictError, CrmError } from '../base/errors.ts';
import { ForeignFolderError } from '../base/files/own-folders.ts';
import { spanText, usualLockWait } from '../base/limits.ts';
import { crmWith } from '../base/values/text/shell-word.ts';
import { followerOf } from '../client/deadline.ts';
import { notice } from '../output/streams/notice.ts';
import { Journal, journalFolder } from '../runs/journal/journal.ts';
import type { JournalFile } from '../runs/journal/journal-file.ts';
import type { Run, RunHeader } from '../runs/journal/run.ts';
import { carryOut, type Halt, type RunOptions } from '../runs/runner.ts';
import type { Pace, Service } from '../runs/service.ts';
import type { Steps } from '../runs/step.ts';
import { type Context, typedBy } from './context.ts';
import { holdRun, isAtWork, takeLock } from './lock.ts';
import { openService, tellWaiting } from './open-service.ts';
import { serviceOf } from './served.ts';

/** What a set of writes needs of the engine. */
export interface EngineNeeds {
  /** The name shown to other runs that wait: `the import of leads.csv`. */
  readonly title: string;
  /** The set creates records. Only one such set is sent at a time, and such a set needs the journal. */
  readonly creates: boolean;
  /** The set goes on with an earlier run, so it needs the journal, too. */
  readonly goesOn?: boolean;
  readonly pace: Pace;
}

/** The options of a front end for carrying out steps. */
export type CarryOptions = Pick<RunOptions, 'maxFailures' | 'endsAtFailure' | 'describe' | 'ended'>;

/** What carries a set of writes out. */
export interface Engine {
  /** The journal. Under --dry-run only read. */
  readonly journal: Journal;
  readonly service: Service;
  /** Begins a run; under --dry-run in memory. `command` resumes the run; default: the command line. */
  begin(header: Omit<RunHeader, 'name' | 'began' | 'command'> & { readonly command?: string }): Run;
  /** Goes on with an earlier run; under --dry-run with a copy in memory. */
  goOn(run: Run): Run;
  carryOut(steps: Steps, run: Run, options: CarryOptions): Promise<Halt | undefined>;
  /** Does `work` with a newly opened service: a run that stopped has closed its service. */
  anew<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
}

/**
 * Does `work` with the engine, then closes its parts. A set that creates nothing goes on without a journal that is damaged or can't be
 * written, and warns. Throws ConflictError for a damaged journal or while another run creates records, UnavailableError for a journal that
 * can't be written, UnauthorizedError without a usable key.
 */
export async function withEngine<T>(context: Context, needs: EngineNeeds, work: (engine: Engine) => Promise<T>): Promise<T> {
  const { flags } = context;
  const { baseUrl, profile = null } = await context.settings();
  const address = await serviceOf(context, baseUrl);
  const release = needs.creates && !flags.dryRun ? await lock(context, address, needs.title, needs.pace.wait) : () => {};
  const files: JournalFile[] = [];
  const runs: Run[] = [];
  /** Runs that had done something before. */
  const resumed = new Set<Run>();
  const holds: (() => void)[] = [];
  let opened: Journal | undefined;
  const following = (run: Run): Run => {
    holds.push(holdRun(run));
    runs.push(run);
    if (!flags.dryRun) context.runs.push(run.name);
    if (!files.includes(run.file)) files.push(run.file);
    return run;
  };
  try {
    const journal = await journalOf(context, address, needs.creates || needs.goesOn === true);
    files.push(journal.file);
    opened = journal;
    const access: JournalAccess = {
      journal,
      begin: (header) => {
        const target = flags.dryRun ? Journal.inMemory(address, context.clock) : journal;
        const typed = typedBy(context);
        const details = { profile, typed, ...header.details };
        const run = following(target.begin({ command: typed, ...header, details, began: context.clock.now().toISOString() }));
        if (!flags.dryRun) tellOthersAtWork(context, journal, run);
        return run;
      },
      goOn: (run) => {
        if (run.counts().done > 0) resumed.add(run);
        return following(flags.dryRun ? journal.copyOf(run) : run);
      },
    };
    return await onService(context, needs.pace, access, work);
  } finally {
    for (const run of runs) ignoringFull(() => run.leave());
    for (const run of runs) ignoringFull(() => tellUndo(context, run, resumed.has(run)));
    if (!flags.dryRun && runs.length > 0) ignoringFull(() => opened?.forgetOld(context.clock.now()));
    for (const file of files) file.close();
    for (const end of holds) end();
    release();
  }
}

/** Reports the other runs at work that change records of the same family: of two values for one field, the last one stays. */
function tellOthersAtWork({ io, flags }: Context, journal: Journal, run: Run): void {
  const family = familyChanged(journal, run);
  if (family === undefined) return;
  const others = journal
    .runs()
    .filter((other) => other.id !== run.id && other.ended === undefined && familyChanged(journal, other) === family && isAtWork(other));
  if (others.length > 0) void notice(io, flags, `Another crm is changing ${family} now: ${others.map(({ name }) => name).join(', ')}.`);
}

/** The family whose records a run changes. Undefined for a run that only creates, or of several families. */
function familyChanged(journal: Journal, { header: { kind }, details }: Run): string | undefined {
  const undone = typeof details.undoes === 'string' ? journal.named(details.undoes)?.details.family : undefined;
  const family = kind === 'undo' ? undone : details.family;
  return typeof family === 'string' && details.mode !== 'create' ? family : undefined;
}

/**
 * Names the command that undoes a run, if this process sent a write of the run: behind a --resume that had nothing to do, the command would
 * seem to undo no more than that. A seed gets no undo command, because `seed destroy` takes it back.
 */
function tellUndo({ afterwards, flags }: Context, run: Run, isResumed: boolean): void {
  // The journal of a dry run is in memory, and has no path.
  if (run.file.path === undefined || !run.hasSent || !run.canBeUndone) return;
  const { kind, details } = run.header;
  if (['change', 'import'].includes(kind) && details.undone_by === undefined)
    afterwards.push(`Undo${isResumed ? ', also of what was done before' : ''}: ${crmWith(flags.profile)} undo ${run.name}`);
}

type JournalAccess = Pick<Engine, 'journal' | 'begin' | 'goOn'>;

async function onService<T>(context: Context, pace: Pace, access: JournalAccess, work: (engine: Engine) => Promise<T>): Promise<T> {
  const { signal } = context;
  const { inner: stop, leave } = followerOf(signal);
  const service = await openService(context, pace, stop.signal);
  try {
    return await work({
      ...access,
      service,
      carryOut: (steps, run, options) =>
        carryOut(steps, run, {
          ...options,
          service,
          signal,
          stop: () => stop.abort(),
          tell: (sentence) => void notice(context.io, context.flags, sentence, 'warning'),
          waiting: (milliseconds, count) => tellWaiting(context, milliseconds, count),
        }),
      anew: (more) => onService(context, pace, access, more),
    });
  } finally {
    await service.close();
    leave();
  }
}

/** The first error of the journal was reported earlier. */
function ignoringFull(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
  }
}

/** Does `work` with the journal of the service in force, undefined if there is no journal. Throws ConflictError for a damaged journal. */
export async function withJournal<T>(context: Context, work: (journal: Journal | undefined) => T | Promise<T>): Promise<T> {
  const { baseUrl } = await context.settings();
  const journal = Journal.find(await trustedJournals(context), await serviceOf(context, baseUrl), context.clock);
  try {
    return await work(journal);
  } finally {
    journal?.close();
  }
}

/**
 * Does `work` under the lock, while no run creates records at the service. `wait`: milliseconds to wait for such a run. Throws ConflictError
 * after that time.
 */
export async function withLock(
  context: Context,
  { service, title, wait }: { readonly service: string; readonly title: string; readonly wait: number },
  work: () => Promise<void>,
): Promise<void> {
  const release = await lock(context, service, title, wait);
  try {
    await work();
  } finally {
    release();
  }
}

/** Throws ConflictError when others can change the data folder: a journal there is not believed. */
async function trustedJournals({ dataDir }: Pick<Context, 'dataDir'>): Promise<string> {
  try {
    return journalFolder(await dataDir());
  } catch (error) {
    if (!(error instanceof ForeignFolderError)) throw error;
    throw new ConflictError(error.message, { ...error.details, cause: error });
  }
}

async function lock(context: Context, service: string, title: string, wait = usualLockWait): Promise<() => void> {
  const { io, flags, signal, clock } = context;
  const waits = (holder: string): void =>
    void notice(io, flags, `Waiting for another run on this service, up to ${spanText(wait)} (--wait): ${holder}.`);
  return takeLock(await trustedJournals(context), { service, title, signal, clock, waits, wait });
}

async function journalOf({ io, flags, clock, dataDir, ownDataDir }: Context, service: string, isNeeded: boolean): Promise<Journal> {
  try {
    if (!isNeeded && (await ownDataDir()) === undefined) return Journal.inMemory(service, clock);
    const folder = await trustedJournals({ dataDir });
    return flags.dryRun ? (Journal.find(folder, service, clock) ?? Journal.inMemory(service, clock)) : Journal.open(folder, service, clock);
  } catch (error) {
    if (isNeeded || !(error instanceof CrmError)) throw error;
    const message = error.message.replace(/, so nothing (?:more is|was) sent/, '');
    await notice(io, flags, `${message} The history will not hold the changes made now.`, 'warning');
    return Journal.inMemory(service, clock);
  }
}
