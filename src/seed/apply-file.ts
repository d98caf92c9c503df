// `crm seed apply` from a file's text to its result: the plan, the ledger of its run, the service, and what to tell.

import { existsSync } from 'node:fs';
import type { Context } from '../context.ts';
import { ConflictError, InterruptedError, RefusedError, UsageError, withHints } from '../errors.ts';
import { Problems } from '../files/problems.ts';
import type { Result } from '../output/result.ts';
import { progressBar } from '../output/streams/progress-bar.ts';
import type { Id } from '../values/parse.ts';
import { appliedNotice, droppedOf } from './applied-notice.ts';
import { applyPlan } from './apply.ts';
import type { Applied } from './applying.ts';
import { type Beginning, beginRun } from './begin.ts';
import { destroyRecords } from './destroy.ts';
import { seedOf } from './language/fake.ts';
import type { SeedFile } from './language/file.ts';
import { createFinder } from './language/find.ts';
import { type Plan, planOf } from './language/plan.ts';
import { type Ledger, LedgerState, ledgerPath, openLedger, soundLedger } from './ledger.ts';
import { madeName } from './made.ts';
import { refuseOtherFile, type Source } from './other-file.ts';
import { refuseOtherProfile } from './other-profile.ts';
import { previewPlan } from './preview.ts';
import { parseRandomSeed } from './random-seed.ts';
import { openService, type Pace, type Service } from './service.ts';

export interface ApplyRequest {
  readonly file: SeedFile;
  /** Undefined for what is not on the disk. */
  readonly source?: Source | undefined;
  readonly run: string;
  /** What --random-seed says. */
  readonly randomSeed?: number;
  readonly pace: Pace;
  /** On an error, delete what this apply created. */
  readonly rollback: boolean;
}

/** Applies a seed file, or goes on where its run ended. Throws UsageError for what is wrong with it; nothing is sent then. */
export async function applySeed(context: Context, request: ApplyRequest): Promise<Result> {
  const { baseUrl } = await context.settings();
  const path = ledgerPath(await context.dataDir(), request.run, baseUrl);
  const known = existsSync(path) ? (await soundLedger(path)).state : undefined;
  const randomSeed = randomSeedOf(request, known);
  const plan = await planOf(request.file, { run: request.run, randomSeed, env: context.env });
  context.signal.throwIfAborted();
  if (known !== undefined) await refuseOtherFile(context, request.run, request.source, known);
  if (context.flags.dryRun) {
    const api = await context.api();
    const state = known ?? new LedgerState();
    await refuseOtherProfile(context, api, request.run, state);
    await beginRun(context, api, beginningOf(request, randomSeed, { state, note: (entry) => state.apply(entry) }));
    refuseOtherTypes(request, plan, state);
    return previewPlan(context, plan, state);
  }
  const ledger = await openLedgerOf(context, request, path);
  try {
    const service = await openService(context, request.pace);
    try {
      refuseOtherSeed(request, ledger, randomSeed);
      await refuseOtherProfile(context, service.api, request.run, ledger.state);
      const gone = await beginRun(context, service.api, beginningOf(request, randomSeed, ledger));
      refuseOtherTypes(request, plan, ledger.state);
      return await applyOn(context, request, plan, ledger, service, gone);
    } finally {
      await service.close();
    }
  } finally {
    await ledger.close();
  }
}

/** A run keeps the random seed that it began with, so that what is left of it gets the values that it would have had. */
function randomSeedOf({ run, file, randomSeed }: ApplyRequest, known: LedgerState | undefined): number {
  const inFile = file.randomSeed === undefined ? undefined : parseRandomSeed(file.randomSeed, file.where(['random-seed']));
  const asked = randomSeed ?? inFile;
  const begun = known?.isLive === true ? known.randomSeed : undefined;
  if (begun !== undefined && randomSeed !== undefined && randomSeed !== begun) {
    throw new UsageError(`--random-seed: run "${run}" was begun with ${begun}.`, {
      hint: `Leave it out to go on, destroy the run first (crm seed destroy --run ${run}), or give another --run.`,
    });
  }
  return begun ?? asked ?? seedOf('run', run);
}

function beginningOf({ run, file, source, pace }: ApplyRequest, randomSeed: number, ledger: Pick<Ledger, 'state' | 'note'>): Beginning {
  return {
    run,
    file: file.shown,
    ...(source === undefined ? {} : { path: source.path }),
    randomSeed,
    concurrency: pace.concurrency,
    state: ledger.state,
    note: ledger.note,
  };
}

async function openLedgerOf(context: Context, { run }: ApplyRequest, path: string): Promise<Ledger> {
  const { baseUrl } = await context.settings();
  return openLedger(path, { run, service: baseUrl, began: context.now().toISOString() });
}

/** Another process may have begun the run since the plan was made. */
function refuseOtherSeed({ run }: ApplyRequest, { state }: Ledger, randomSeed: number): void {
  if (!state.isLive || state.randomSeed === randomSeed) return;
  throw new ConflictError(`Another process began run "${run}" just now.`, { hint: 'Apply it again to go on with that one.' });
}

/** What the run created stays what it is. */
function refuseOtherTypes({ file }: ApplyRequest, { parts }: Plan, state: LedgerState): void {
  const problems = new Problems();
  for (const made of parts.flatMap((part) => (part.kind === 'make' ? part.made : []))) {
    const name = madeName(made);
    const known = state.records.get(name);
    const isThere = known?.state === 'created' || known?.state === 'in doubt';
    if (isThere && known.type !== made.resource.singular) problems.add(made.where, `This run created "${name}" as a ${known.type}.`);
  }
  problems.throwIfAny(file.shown);
}

async function applyOn(
  context: Context,
  request: ApplyRequest,
  plan: Plan,
  ledger: Ledger,
  service: Service,
  gone: readonly string[],
): Promise<Result> {
  const { io, flags, signal } = context;
  const applied: Applied = { records: new Map(), sent: new Set(), changed: new Set(), actedOtherwise: new Set() };
  const total = plan.parts.reduce((sum, part) => sum + (part.kind === 'find' ? 1 : part.kind === 'make' ? part.made.length : 0), 0);
  const bar = progressBar(io, flags, `Seeding ${request.run}`, () => ({ done: applied.records.size, total }));
  try {
    const finder = createFinder(service.api, signal);
    await applyPlan({ plan, ledger, service, finder, signal, now: context.now }, applied);
  } catch (failure) {
    bar.stop();
    const error = foundLate(failure, ledger.state);
    throw request.rollback && !signal.aborted
      ? await rolledBack(context, request, ledger, service, applied, error)
      : unfinished(request, ledger.state, error, signal);
  } finally {
    bar.stop();
  }
  const { output } = flags;
  const data = output === 'json' || output === 'yaml' ? idsByName(plan, applied) : [...applied.records.values()];
  return { kind: 'local', data, shape, notice: appliedNotice(request.run, applied, { gone, dropped: droppedOf(plan, ledger.state) }) };
}

const shape = {
  columns: [{ path: 'name' }, { path: 'type' }, { path: 'id', align: 'right' as const }, { path: 'state' }],
  record: ['name', 'type', 'id', 'state'],
};

/** Name to id; of counted records an array of ids, in order. */
function idsByName({ names, parts }: Plan, { records }: Applied): Record<string, Id | null | (Id | null)[]> {
  const counts = new Map(parts.flatMap((part) => (part.kind === 'make' ? [[part.name, part.made.length] as const] : [])));
  const idNamed = (name: string): Id | null => records.get(name)?.id ?? null;
  const ids = ({ name, isCounted }: Plan['names'][number]) =>
    isCounted ? Array.from({ length: counts.get(name) ?? 0 }, (_, index) => idNamed(`${name}[${index}]`)) : idNamed(name);
  return Object.fromEntries(names.map((one) => [one.name, ids(one)]));
}

/** What is wrong with values that the service's records hold: something was sent before it could be known. */
function foundLate(error: unknown, state: LedgerState): unknown {
  return error instanceof UsageError && state.isLive ? new RefusedError(error.message, { ...error.details, cause: error }) : error;
}

/** The error with what to do next. */
function unfinished({ run }: ApplyRequest, state: LedgerState, error: unknown, signal: AbortSignal): unknown {
  const there =
    state.created === 0 ? 'Nothing was created.' : `${state.created} ${state.created === 1 ? 'record is' : 'records are'} there.`;
  const hint = state.isLive ? `Apply it again to go on, or undo it: crm seed destroy --run ${run}` : undefined;
  if (signal.aborted) {
    return InterruptedError.by(signal.reason, { note: there, ...(hint === undefined ? {} : { hint }) });
  }
  return withHints(error, [there, hint]);
}

/** The error, once what this apply created is deleted. */
async function rolledBack(
  context: Context,
  { run }: ApplyRequest,
  ledger: Ledger,
  service: Service,
  applied: Applied,
  error: unknown,
): Promise<unknown> {
  try {
    const { records, failures, unclear, stays } = await destroyRecords(
      { ledger, service, signal: context.signal, now: context.now, done: () => {} },
      applied.sent,
    );
    const deleted = records.filter(({ state }) => state === 'deleted' || state === 'gone').length;
    const left = [...failures, ...unclear].map(({ name }) => name);
    return withHints(error, [
      `Rolled back: ${deleted} ${deleted === 1 ? 'record was' : 'records were'} deleted.`,
      left.length === 0 ? undefined : `Not deleted: ${left.join(', ')}. Try: crm seed destroy --run ${run}`,
      stays.length === 0 ? undefined : `This can't be deleted over the interface: ${stays.join(', ')}.`,
    ]);
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : String(failure);
    return withHints(error, [`It could not be rolled back: ${why}`, `Try: crm seed destroy --run ${run}`]);
  }
}
