// The second reading: rows become requests. Workers take rows whose intent is durable, the limiter paces them, and every
// outcome goes into the journal. Rows whose answer was lost are looked for before they are sent again.

import { setTimeout as sleep } from 'node:timers/promises';
import { ConflictError, type CrmError, UnavailableError, UsageError } from '../errors.ts';
import { Problems } from '../files/problems.ts';
import { type Doubt, findDoubts, rivalsOf } from '../runs/in-doubt.ts';
import { quietTimeAfter } from '../runs/lost-answers.ts';
import type { Id } from '../values/parse.ts';
import type { Source } from './files/source.ts';
import { keyOf } from './match/match.ts';
import { type Halt, isForbidden, outcomeOf, type RowWork } from './outcome.ts';
import type { ImportPlan } from './plan.ts';
import type { RowJournal } from './row-journal.ts';
import { type RowEntry, spansOf } from './row-states.ts';
import { checkedRows } from './rows/check.ts';
import { createBodyOf } from './rows/row-checks.ts';
import { type Row, rowReader } from './rows/rows.ts';

export interface RunOptions extends Omit<RowWork, 'resent' | 'learned'> {
  readonly source: Source;
  readonly journal: RowJournal;
  /** Nobody looks for what an earlier run sent before so many milliseconds have gone by. */
  readonly quietFor: number;
  readonly concurrency: number;
  /** Stop after so many failed rows. */
  readonly maxErrors: number;
  /** Aborts the signal: whoever waits for a turn need not wait any longer. */
  stop(): void;
  /** The column that gives a body field, for messages. */
  columnName(wire: string): string | undefined;
  /** Told of each row that fails. */
  failed(row: Row, error: string): void;
}

/** Rows whose intent is made durable together. */
const batchRows = 128;
/** How often outcomes are made durable at the least, in milliseconds. */
const flushInterval = 500;
/** With more rows in doubt than this, they are looked for before new ones are sent. */
const mostDoubts = 1000;
/** Passes over the file without any progress, after which the rows left in doubt stay so. */
const mostIdlePasses = 3;
/** So often the service may fail at a row that is then not there, before the row counts as failed. */
const mostFaults = 3;
/** So many rows forbidden, and none taken in between, mean that the key has lost its rights. */
const mostForbidden = 8;

interface Run extends RunOptions {
  halt: Halt | undefined;
  failures: number;
  /** Rows that the service forbade since it took one. */
  forbidden: number;
  /** Nobody may look for lost requests before this, in milliseconds of performance.now(). */
  quietUntil: number;
  readonly resent: Set<number>;
  readonly learned: Map<string, Id>;
  /** Rows at which the service itself failed: how often, and how it said so. */
  readonly faults: Map<number, { readonly times: number; readonly error: CrmError }>;
}

/** Brings every row to its outcome, or as far as it goes; everything noted is durable afterwards. Gives why it ended early. */
export async function runRows(options: RunOptions): Promise<Halt | undefined> {
  const { journal, signal } = options;
  const { states } = journal;
  const own = { halt: undefined, failures: 0, forbidden: 0, quietUntil: performance.now() + options.quietFor };
  const run: Run = { ...options, ...own, resent: new Set(), learned: new Map(), faults: new Map() };
  const interrupt = (): void => halt(run, { kind: 'interrupted' });
  if (signal.aborted) interrupt();
  signal.addEventListener('abort', interrupt);
  try {
    for (let idle = 0; run.halt === undefined && idle < mostIdlePasses && states.settled < states.rows; idle += 1) {
      const before = states.settled;
      await settleDoubts(run, 'send again');
      if (run.halt === undefined) await sendRows(run);
      if (states.settled > before) idle = -1;
    }
    if (run.halt === undefined && states.inDoubt > 0) await settleDoubts(run, 'leave');
  } catch (error) {
    halt(run, { kind: 'error', error });
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
  if (states.settled === states.rows) note(run, { end: states.tally });
  await journal.flush();
  return run.halt;
}

/** The first reason counts. */
function halt(run: Run, reason: Halt): void {
  if (run.halt !== undefined) return;
  run.halt = reason;
  run.stop();
}

function note({ journal }: Run, entry: RowEntry): void {
  journal.note(entry);
}

/** One pass over the file: every row that has no outcome and is not in doubt is sent. */
async function sendRows(run: Run): Promise<void> {
  const { states } = run.journal;
  const rows = intendedRows(run);
  const work = async (): Promise<void> => {
    while (run.halt === undefined && states.inDoubt < mostDoubts + 2 * batchRows) {
      const { value: row, done } = await rows.next();
      if (done) return;
      await settleRow(run, row);
    }
  };
  // Where rows go slowly, outcomes need not wait for the next batch to become durable.
  const beat = setInterval(() => void run.journal.flush().catch(() => undefined), flushInterval);
  try {
    await Promise.all(Array.from({ length: run.concurrency }, () => work().catch((error) => halt(run, { kind: 'error', error }))));
  } finally {
    clearInterval(beat);
    await rows.return(undefined);
    const unsent = states.unsentSpans();
    if (unsent.length > 0) note(run, { unsent });
    await run.journal.flush();
  }
}

/** Rows in order, each once its intent is durable; the next batch is made so while one is sent. */
async function* intendedRows(run: Run): AsyncGenerator<Row> {
  const { states } = run.journal;
  const problems = new Problems();
  const rows = checkedRows(
    run.plan,
    run.source.bytes(),
    rowReader(run.plan, problems),
    problems,
    (number) => states.isSettled(number) || states.isInDoubt(number),
  );
  let ready = nextBatch(run, rows);
  try {
    for (;;) {
      const batch = await ready;
      if (batch.length === 0) return;
      ready = nextBatch(run, rows);
      ready.catch(() => undefined);
      yield* batch;
    }
  } finally {
    await ready.catch(() => undefined);
    await rows.return(undefined);
  }
}

async function nextBatch(run: Run, rows: AsyncGenerator<Row | undefined>): Promise<Row[]> {
  const batch: Row[] = [];
  while (batch.length < batchRows && run.halt === undefined) {
    const { value: row, done } = await rows.next();
    if (done) break;
    if (row === undefined) throw new ConflictError(`${run.source.name} was changed while it was being imported, so nothing more is sent.`);
    batch.push(row);
  }
  await run.source.checkUnchanged();
  if (batch.length === 0) return batch;
  note(run, { intent: spansOf(batch.map(({ number }) => number)), above: run.journal.states.highest });
  await run.journal.flush();
  return batch;
}

async function settleRow(run: Run, row: Row): Promise<void> {
  const outcome = await outcomeOf(run, row);
  switch (outcome.did) {
    case 'nothing':
      return halt(run, outcome.halt);
    case 'failed':
      if (isForbidden(outcome.error)) run.forbidden += 1;
      if (run.forbidden >= mostForbidden) return halt(run, { kind: 'error', error: outcome.error });
      return failRow(run, row, outcome.error);
    case 'unknown':
      note(run, { row: row.number, did: 'unknown' });
      if (isServiceFault(outcome.error)) run.faults.set(row.number, { times: timesFaulty(run, row) + 1, error: outcome.error });
      run.quietUntil = Math.max(run.quietUntil, performance.now() + quietTimeAfter(outcome.error));
      if (run.limiter.exhausted) halt(run, { kind: 'error', error: outcome.error });
      return;
    default:
      run.forbidden = 0;
      note(run, { row: row.number, did: outcome.did, ...(outcome.id === undefined ? {} : { id: outcome.id }) });
  }
}

function failRow(run: Run, row: Row, { message, details }: CrmError): void {
  const fields = (details.fields ?? []).map(({ name, messages }) => `${run.columnName(name) ?? name}: ${messages.join(' ')}`);
  const error = fields.length === 0 ? message : fields.join(' ');
  note(run, { row: row.number, did: 'failed', status: details.httpStatus ?? null, error });
  run.failed(row, error);
  run.failures += 1;
  if (run.failures >= run.maxErrors) halt(run, { kind: 'max-errors' });
}

/** The service itself failed at the row: what it said so often, and what is not there, it refuses. */
const isServiceFault = ({ details }: CrmError): boolean => details.httpStatus === 500 || details.httpStatus === 503;

const timesFaulty = (run: Run, { number }: Row): number => run.faults.get(number)?.times ?? 0;

/** Looks for the rows in doubt; the ones that are not there are to be sent again, or left in doubt. */
async function settleDoubts(run: Run, missing: 'send again' | 'leave'): Promise<void> {
  const { states } = run.journal;
  if (states.inDoubt === 0) return;
  try {
    await sleep(Math.max(0, run.quietUntil - performance.now()), undefined, { signal: run.signal });
    await run.source.checkUnchanged();
    const rows = await rowsWhere(run, (number) => states.isInDoubt(number));
    await settleRows(run, rows, missing);
  } catch (error) {
    halt(run, run.signal.aborted ? { kind: 'interrupted' } : { kind: 'error', error });
  }
  await run.journal.flush();
}

/** The rows of the file that are asked for; not many. */
async function rowsWhere({ plan, source }: Run, isWanted: (number: number) => boolean, isUseful = (_row: Row) => true): Promise<Row[]> {
  const problems = new Problems();
  const rows: Row[] = [];
  for await (const row of checkedRows(plan, source.bytes(), rowReader(plan, problems), problems, (number) => !isWanted(number))) {
    if (row !== undefined && isUseful(row)) rows.push(row);
  }
  return rows;
}

/** What rows in doubt made, by number. What others made for certain, and nobody knows which record that is, is not taken for theirs. */
async function findMade(run: Run, rows: readonly Row[]): Promise<Map<number, Id>> {
  const { plan } = run;
  const { states } = run.journal;
  const doubts = plan.mode === 'update' ? [] : rows.flatMap((row) => doubtOf(plan, row));
  if (doubts.length === 0) return new Map();
  const isRival = rivalsOf(plan.resource, doubts);
  const isUseful = (row: Row): boolean => doubtOf(plan, row).some(({ body }) => isRival(body));
  const nameless = states.nameless === 0 ? [] : await rowsWhere(run, (number) => states.isNameless(number), isUseful);
  const certain = nameless.flatMap((row) => doubtOf(plan, row)).map((doubt) => ({ ...doubt, isCertain: true as const }));
  const found = await findDoubts(run.api, plan.resource, [...doubts, ...certain], {
    before: states.before ?? 0,
    floor: Math.min(...[...doubts, ...certain].map(({ row }) => states.floorOf(row))),
    isClaimed: (id) => states.claimed.has(id),
    seen: (record, id) => learn(run, record, id),
    signal: run.signal,
  });
  for (const { row } of certain) found.delete(row);
  return found;
}

/** A record that came about since the list was read: a row with its key means that one, whatever the service made of the rest. */
function learn({ plan, learned }: Run, record: unknown, id: Id): void {
  if (plan.match?.kind !== 'field') return;
  const key = keyOf(plan, record);
  if (key !== undefined) learned.set(key, id);
}

async function settleRows(run: Run, rows: readonly Row[], missing: 'send again' | 'leave'): Promise<void> {
  const { states } = run.journal;
  const { plan } = run;
  const found = await findMade(run, rows);
  for (const [row, id] of found) note(run, { row, did: 'created', id });
  const failing = rows.filter((row) => !found.has(row.number) && timesFaulty(run, row) >= mostFaults);
  for (const row of failing) failRow(run, row, run.faults.get(row.number)?.error ?? new UnavailableError('The service failed.'));
  if (missing === 'leave') return;
  const absent = rows.filter(({ number }) => states.isInDoubt(number));
  if (plan.mode !== 'create') for (const { number } of absent) if (states.wasSent(number)) run.resent.add(number);
  if (absent.length > 0) note(run, { unsent: spansOf(absent.map(({ number }) => number)) });
}

/** The row as what it may have created; nothing for one that can't create. */
function doubtOf(plan: ImportPlan, row: Row): Doubt[] {
  if (plan.mode === 'create') return [{ row: row.number, body: row.body }];
  try {
    return [{ row: row.number, body: createBodyOf(plan, row) }];
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}
