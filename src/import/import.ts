// One import from beginning to end: check the file, find its journal, run its rows, tell what became of them.

import { updateShape } from '../bodies/shapes.ts';
import type { Context } from '../context.ts';
import type { FieldProblem } from '../errors.ts';
import { Problems } from '../files/problems.ts';
import { notice } from '../output/streams/notice.ts';
import { progress } from '../output/streams/progress.ts';
import { type ProgressBar, progressBar } from '../output/streams/progress-bar.ts';
import { highestId } from '../runs/in-doubt.ts';
import { limitedApi, openBulkApi } from '../runs/limited-api.ts';
import { createLimiter, type Limiter } from '../runs/limiter.ts';
import { quietTimeSince } from '../runs/lost-answers.ts';
import { findJournal } from './find-journal.ts';
import { listMatcher, type Matcher, recordMatcher } from './match/match.ts';
import type { Halt, RowWork } from './outcome.ts';
import type { ImportPlan } from './plan.ts';
import { endImport } from './report.ts';
import { goOnWith, type ImportEnd, type ImportRequest } from './request.ts';
import type { RowJournal } from './row-journal.ts';
import { checkFile } from './rows/check.ts';
import { type RowReader, rowReader } from './rows/rows.ts';
import { runRows } from './run.ts';

/** Rows that failed are shown up to this many; the rejects file has them all. */
const shownFailures = 10;
/** Shorter pauses pass without a word, in milliseconds. */
const noticedPause = 2000;

/**
 * Runs an import. Throws UsageError for a file with problems, ConflictError for its journal, and whatever kept the first
 * row from being sent.
 */
export async function runImport(context: Context, request: ImportRequest): Promise<ImportEnd> {
  const { plan, source } = request;
  const problems = new Problems();
  const reader = rowReader(plan, problems);
  const { during } = progress(context.io, context.flags);
  const checked = await during(`Checking ${source.name}`, checkFile(plan, source, reader, problems, context.signal));
  problems.throwIfAny(source.name);
  await tellPassedOver(context, reader);
  await source.checkUnchanged();
  const journal = await findJournal(context, request, checked);
  try {
    if (context.flags.dryRun) await tellDone(context, journal);
    const failures: FieldProblem[] = [];
    const halt = await run(context, request, reader, journal, failures);
    if (halt?.kind === 'error' && !journal.states.hasBegun) throw halt.error;
    return await endImport(context, request, journal, halt, failures);
  } finally {
    await journal.close();
  }
}

async function tellPassedOver(context: Context, { passedOver }: RowReader): Promise<void> {
  if (passedOver.size === 0) return;
  await notice(context.io, context.flags, `Passed over, for they can't be written: ${[...passedOver].join(', ')}.`);
}

/** A dry run counts what is left. */
async function tellDone(context: Context, { states }: RowJournal): Promise<void> {
  if (!states.hasBegun) return;
  const doubt = states.inDoubt === 0 ? '' : `, and ${states.inDoubt} may be (they are looked for)`;
  await notice(context.io, context.flags, `${states.settled} of ${states.rows} rows are done${doubt}; this counts the others.`);
}

/** Runs the rows that have no outcome yet; the first failures go into `failures`. Gives why it ended early. */
async function run(
  context: Context,
  request: ImportRequest,
  reader: RowReader,
  journal: RowJournal,
  failures: FieldProblem[],
): Promise<Halt | undefined> {
  const { states } = journal;
  if (states.settled === states.rows) {
    if (states.hasBegun && !states.hasEnded) journal.note({ end: states.tally });
    return undefined;
  }
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const limiter = limiterOf(context, request, signal);
  const open = await openBulkApi(context, request.concurrency);
  const work: Omit<RowWork, 'matcher' | 'resent' | 'learned'> = {
    plan: request.plan,
    api: limitedApi(open, limiter, context.signal),
    limiter,
    dryRun: context.flags.dryRun,
    hasWritten: () => states.tally.created + states.tally.updated > 0,
    signal,
  };
  try {
    const matcher = await lookAround(context, work, journal, reader);
    const bar = barOf(context, request.plan, journal);
    const failed = ({ line }: { line: number }, error: string): void => {
      if (failures.length < shownFailures) failures.push({ name: `line ${line}`, messages: [error] });
    };
    const { source, concurrency, maxErrors } = request;
    const quietFor = await quietBefore(context, journal);
    const own = { source, journal, quietFor, concurrency, maxErrors, stop: () => stop.abort(), columnName: reader.columnName, failed };
    const tell = (): void => tellInterrupted(context, request, bar);
    context.signal.addEventListener('abort', tell);
    return await runRows({ ...work, ...own, ...(matcher === undefined ? {} : { matcher }) }).finally(() => {
      context.signal.removeEventListener('abort', tell);
      bar.stop();
    });
  } catch (error) {
    return context.signal.aborted ? { kind: 'interrupted' } : { kind: 'error', error };
  } finally {
    await open.close();
  }
}

/** How long to wait, in milliseconds, before looking for what an earlier run had under way when it ended. */
async function quietBefore(context: Context, { states, lastWrite }: RowJournal): Promise<number> {
  const quiet = quietTimeSince(lastWrite, context.now(), context.flags.timeout);
  if (states.inDoubt > 0 && quiet > noticedPause) {
    await notice(context.io, context.flags, `Waiting ${Math.ceil(quiet / 1000)} s: requests of the earlier run may still be under way.`);
  }
  return quiet;
}

/** What comes next must be said before a second signal can end it all. */
function tellInterrupted(context: Context, request: ImportRequest, bar: ProgressBar): void {
  bar.stop();
  const next = context.flags.dryRun ? '' : ` ${goOnWith(request)}`;
  void notice(context.io, context.flags, `Finishing what was sent; a second Ctrl-C leaves at once.${next}`);
}

function limiterOf(context: Context, { concurrency, rate }: ImportRequest, signal: AbortSignal): Limiter {
  return createLimiter({
    concurrency,
    ...(rate === undefined ? {} : { rate }),
    retries: context.flags.retries,
    signal,
    now: context.now,
    random: Math.random,
    paused: (milliseconds) => {
      if (milliseconds < noticedPause || context.io.stderr.isTTY) return;
      void notice(context.io, context.flags, `Waiting ${Math.ceil(milliseconds / 1000)} s: the service can't take more now.`);
    },
  });
}

/** What must be known before the first row is sent: the highest id, and which records there are. */
async function lookAround(
  context: Context,
  work: Omit<RowWork, 'matcher' | 'resent' | 'learned'>,
  journal: RowJournal,
  reader: RowReader,
): Promise<Matcher | undefined> {
  const { plan, api, dryRun } = work;
  const { states } = journal;
  const { during } = progress(context.io, context.flags);
  if (plan.mode !== 'update' && !dryRun && states.before === undefined) {
    journal.note({ before: await during('Looking at what is there', highestId(api, plan.resource)) });
  }
  if (plan.match === undefined) return undefined;
  return during(`Reading ${plan.resource.name}`, matcherOf(context, work, reader, states.rows));
}

/** How rows find their records: in the list, or one by one when that takes fewer requests. */
async function matcherOf(
  context: Context,
  { plan, api, signal }: Pick<RowWork, 'plan' | 'api' | 'signal'>,
  reader: RowReader,
  rows: number,
): Promise<Matcher> {
  if (plan.match?.kind === 'id' && rows <= (await pageCount(api, plan))) return recordMatcher(api, plan);
  const fields = updateShape(plan.resource).fields.filter((field) => reader.fields.has(field));
  return listMatcher(api, plan, fields, signal, () => {
    void notice(context.io, context.flags, `The ${plan.resource.name} changed while they were being read; a record may have been missed.`);
  });
}

async function pageCount(api: RowWork['api'], { resource }: ImportPlan): Promise<number> {
  const query: [string, string][] = [
    ['limit', '100'],
    ['page', '1'],
  ];
  const { meta } = await api.read({ method: 'GET', path: resource.path, query });
  return meta?.last_page ?? 0;
}

function barOf({ io, flags }: Context, { resource }: ImportPlan, { states }: RowJournal): ProgressBar {
  return progressBar(io, flags, `${flags.dryRun ? 'Comparing' : 'Importing'} ${resource.name}`, () => {
    const { failed } = states.tally;
    return { done: states.settled, total: states.rows, ...(failed === 0 ? {} : { aside: `${failed} failed` }) };
  });
}
