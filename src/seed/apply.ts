// `crm seed apply`: makes the steps of a file, begins or resumes its run, sends the steps and reports the result.

import { CrmError, InterruptedError, PartialError, RefusedError, UnavailableError, UsageError, withHints } from '../base/errors.ts';
import { Problems, placeText } from '../base/files/problems.ts';
import { isDocument } from '../base/global-flags.ts';
import { type Id, parseInteger } from '../base/values/parse.ts';
import type { Members } from '../base/values/paths.ts';
import { crmWith } from '../base/values/text/shell-word.ts';
import { firstOf, howMany } from '../base/values/text/wording.ts';
import type { Api } from '../client/client.ts';
import { familyNamed, singularOf } from '../model/resources/index.ts';
import type { Result } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import { progress, progressBar } from '../output/streams/progress.ts';
import { isLive, ownCount } from '../reading/history/done-text.ts';
import { endedEarly } from '../runs/ended-early.ts';
import type { Run } from '../runs/journal/run.ts';
import type { Halt } from '../runs/runner.ts';
import type { Pace } from '../runs/service.ts';
import type { WriteAt } from '../runs/step.ts';
import type { Context } from '../session/context.ts';
import { type Engine, withEngine } from '../session/engine.ts';
import { paced, tellSentAgain } from '../session/open-service.ts';
import { randomSeedOf } from './language/fake.ts';
import type { SeedFile } from './language/file.ts';
import { createFinder } from './language/find.ts';
import { newWords, type SeedElements, type SeedOptions, seedElements } from './records.ts';
import { liveDetails, recordOfKey, seededShape, seedRun } from './run.ts';
import { type SeedStep, type SeedSteps, seedSteps } from './steps.ts';
import { factsOf, ownershipOf, recordsNow } from './teardown/ownership.ts';

interface ApplyRequest {
  readonly file: SeedFile;
  /** The name of the run. */
  readonly title: string;
  /** The value of --random-seed. */
  readonly randomSeed?: number;
  readonly pace: Pace;
  /** Names of environment variables that the file may read beside CRM_SEED_… */
  readonly readable?: readonly string[];
  /** Further details for the journal. */
  readonly details?: Members;
}

/** Applies a seed file, or resumes its run. Throws UsageError for a file with problems, before anything is sent. */
export async function applySeed(context: Context, request: ApplyRequest): Promise<Result> {
  const { file, title, pace } = request;
  const origin = await seedOrigin(context, request);
  const words = newWords();
  const options = { run: title, ...origin, env: context.env, readable: request.readable, words };
  // Names are looked up once the rest of the file is right; unknown names are problems at their lines.
  const checked = seedElements(file, options);
  const lookUp = words.lookUp(paced(context, pace));
  const isAny = await progress(context.io, context.flags).during(`Looking up the names in ${file.shown}`, lookUp);
  const elements = isAny ? seedElements(file, options) : checked;
  context.signal.throwIfAborted();
  return withEngine(context, { title: `run "${title}"`, creates: true, pace }, async (engine) => {
    const begun = seedRun(engine.journal, title);
    if (begun === undefined || !isLive(begun)) {
      const details = { random_seed: origin.randomSeed, today: origin.today, ...request.details };
      return applyOn(context, request, elements, engine.begin({ kind: 'seed', title, details }), engine);
    }
    begun.refuseEarlierVersion();
    return applyOn(context, request, elements, engine.goOn(begun), engine);
  });
}

/** The day for made-up dates when the random seed is fixed and the file gives no day, so that equal seeds give equal values. */
export const fixedDay = '2026-01-01';

/** The random seed and day of made-up values. A resumed run keeps its first seed and day, so that equal records get equal values. */
async function seedOrigin(context: Context, { title, file, randomSeed }: ApplyRequest): Promise<Pick<SeedOptions, 'randomSeed' | 'today'>> {
  const ofFile = file['random-seed'];
  const inFile = ofFile === undefined ? undefined : parseInteger(ofFile, placeText(file.where(['random-seed'])));
  const begun = await liveDetails(context, title);
  if (begun !== undefined && randomSeed !== undefined && randomSeed !== begun.random_seed) {
    throw new UsageError(`--random-seed: run "${title}" was begun with ${begun.random_seed}.`, {
      hint: `Leave the flag out to go on, destroy the run first (${crmWith(context.flags.profile)} seed destroy --run ${title}), or give another --run.`,
    });
  }
  if (begun !== undefined) return { randomSeed: Number(begun.random_seed), today: String(begun.today) };
  const fixed = randomSeed ?? inFile;
  const today = file.today ?? (fixed === undefined ? context.clock.now().toISOString().slice(0, 10) : fixedDay);
  return { randomSeed: fixed ?? randomSeedOf('run', title), today };
}

async function applyOn(context: Context, request: ApplyRequest, elements: SeedElements, run: Run, engine: Engine): Promise<Result> {
  const { service } = engine;
  const { io, flags, signal } = context;
  const { title } = request;
  const unusable = await followService(context, run, service.api);
  const { api } = service;
  const steps = seedSteps(elements, { api, find: createFinder(api, signal), unusable: unusable.gone.union(unusable.unknown) });
  const dropped = followFile(request.file, run, steps);
  run.keep({ destroying: false });
  const before = new Set(steps.all.map(({ n }) => n).filter((n) => run.state(n) === 'done'));
  let done = before.size;
  const bar = progressBar(io, flags, `Seeding ${title}`, () => ({ done, total: steps.all.length }));
  const ended = (): void => {
    done += 1;
  };
  const halt = await engine.carryOut(steps, run, { endsAtFailure: true, ended }).finally(() => bar.stop());
  if (flags.dryRun) {
    const gone = goneProblem(context, title, run, unusable);
    if (gone !== undefined) await notice(io, flags, gone.message, 'warning');
    if (halt?.kind === 'error') throw withRecordName(halt, steps);
    return { kind: 'text', notice: 'Nothing would be sent.' };
  }
  run.dropIntents();
  if (steps.all.every(({ n }) => run.state(n) === 'done')) run.end(context.clock.now().toISOString());
  run.flush();
  await tellSentAgain(context, run, { noun: 'record', nameOf: recordOfKey, ...(halt === undefined ? { api } : {}) });
  if (halt !== undefined) throw failedApply(context, title, run, steps, halt);
  const problem = goneProblem(context, title, run, unusable) ?? unknownProblem(context, title, run, steps, unusable);
  const records = appliedRecords(steps, run, before, unusable);
  const data = isDocument(flags.output) ? idsByName(elements, records) : records;
  const sentence = appliedNotice(title, records, dropped);
  return { kind: 'rows', data, shape: seededShape, ...(problem === undefined ? { notice: sentence } : { problem }) };
}

/** Names of records of the run that references can't use any more. */
interface Unusable {
  /** Records deleted by somebody. A deleted record is not made again. */
  readonly gone: ReadonlySet<string>;
  /** Records of which nobody can tell whether they are still the run's. Nothing is done to such a record. */
  readonly unknown: ReadonlySet<string>;
}

/**
 * Looks at the records of the run, and forgets steps that are to be done again: failed, unsent, found by key, or left unknown by an
 * interrupted destroy.
 */
async function followService(context: Context, run: Run, api: Api): Promise<Unusable> {
  const gone = new Set<string>();
  const unknown = new Set<string>();
  const own = [...run.records()].filter(
    ({ own, key, id, family }) => own && key === recordOfKey(key) && id !== undefined && familyNamed(family) !== undefined,
  );
  const facts = factsOf(run, own);
  for await (const { one, record } of recordsNow(
    api,
    own.map((made) => ({ made })),
    context.signal,
  )) {
    const { made } = one;
    const [name, ownership] = [recordOfKey(made.key), ownershipOf(facts, made, record)];
    if (ownership === 'gone' || ownership === 'other') gone.add(name);
    if (ownership === 'unknown' && made.id !== undefined) unknown.add(name);
  }
  for (const { n, key, state, did } of [...run.steps()]) {
    // Deleted by an interrupted destroy.
    if (did === 'created' && run.made(n).length === 0) gone.add(key);
    if (state === 'failed' || state === 'intended' || did === 'found' || did === 'unknown') run.forget(n);
  }
  run.flush();
  return { gone, unknown };
}

/**
 * Renumbers the run's steps by the file. Returns the names that the file no longer has. Throws UsageError for steps whose content changed
 * in the file, each at its line.
 */
function followFile(file: SeedFile, run: Run, steps: SeedSteps): string[] {
  const problems = new Problems();
  const wanted = new Map(steps.all.map((step) => [step.key, step]));
  const isRecordThere = (key: string): boolean => wanted.has(recordOfKey(key));
  const moved: { from: WriteAt; to: number; key: string }[] = [];
  const dropped: string[] = [];
  let last = Math.max(steps.all.length, run.highest);
  for (const { n, part, key, family, digest } of run.steps()) {
    const step = wanted.get(key);
    if (step === undefined) {
      last += 1;
      moved.push({ from: { n, part }, to: last, key });
      // The actions of a dropped record are not named beside the record.
      if (key === recordOfKey(key) || isRecordThere(key)) dropped.push(key);
    } else {
      moved.push({ from: { n, part }, to: step.n, key });
      const problem = editOf(step, family, digest);
      if (problem !== undefined) problems.add(step.where, problem);
    }
  }
  problems.throwIfAny(file.shown);
  run.renumber(moved);
  return dropped;
}

/** The problem of a done step whose content changed in the file; undefined for an unchanged step. */
function editOf(step: SeedStep, family: string, digest: Uint8Array | null): string | undefined {
  if (step.family !== family) return `This run created "${step.key}" as a ${singularOf(family)}.`;
  if (digest === null || step.digest === undefined || Buffer.compare(digest, step.digest) === 0) return undefined;
  const what = step.kind === 'act' ? 'did something else here' : `created "${step.key}" with other values`;
  return `This run ${what} already. Destroy the run, or give the run a new name.`;
}

function failedApply(context: Context, title: string, run: Run, steps: SeedSteps, halt: Halt): unknown {
  const named = halt.kind === 'error' ? withRecordName(halt, steps) : new InterruptedError('SIGINT');
  // Once records of the run may exist, an error of use is a refusal.
  const isLate = named instanceof UsageError && isLive(run);
  const error = isLate ? new RefusedError(named.message, { ...named.details, cause: named }) : named;
  const count = ownCount(run);
  const thereText = count === 0 ? 'Nothing was created' : `${howMany(count, 'record is', 'records are')} there`;
  const there = `${thereText}.`;
  const hint = isLive(run)
    ? `Apply the file again to go on, or destroy the run: ${crmWith(context.flags.profile)} seed destroy --run ${title}`
    : undefined;
  if (context.signal.aborted) {
    return InterruptedError.by(context.signal.reason, { note: there, ...(hint === undefined ? {} : { hint }) });
  }
  const { lost } = run.counts();
  // Only what happened to the service, and not to a record, ended the whole run.
  if (error instanceof UnavailableError)
    return endedEarly(error, `${thereText}${lost === 0 ? '' : `, ${lost} of unknown outcome`}`, lost, [hint]);
  return withHints(error, [there, hint]);
}

function withRecordName({ error, step }: Extract<Halt, { kind: 'error' }>, steps: SeedSteps): unknown {
  const own = steps.all[(step?.n ?? 0) - 1];
  if (!(error instanceof CrmError) || own === undefined) return error;
  const name = recordOfKey(own.key);
  if (!/^line \d/.test(error.message) && !error.message.startsWith(`${name}: `)) error.message = `${name}: ${error.message}`;
  const fields = own.making?.resource.fields ?? [];
  for (const problem of error.details.fields ?? []) problem.flag ??= fields.find(({ wire }) => wire === problem.name)?.flag ?? problem.name;
  return error;
}

function goneProblem({ flags }: Context, title: string, run: Run, { gone }: Unusable): PartialError | undefined {
  if (gone.size === 0) return undefined;
  return new PartialError(`Run "${title}" is not complete: somebody deleted ${firstOf([...gone])}. Deleted records are not made again.`, {
    hint: `To make them again, destroy the run and apply the file anew: ${crmWith(flags.profile)} seed destroy --run ${title} --yes && ${run.header.command}`,
  });
}

function unknownProblem(context: Context, title: string, run: Run, { all }: SeedSteps, { unknown }: Unusable): PartialError | undefined {
  if (all.every(({ n }) => run.state(n) === 'done')) return undefined;
  const fields = [...run.past({ state: 'sent' })].map(({ key, error }) =>
    fieldProblem(key, error ?? 'Nobody can tell whether it arrived.'),
  );
  for (const name of unknown)
    fields.push(fieldProblem(name, 'Nobody can tell whether the record with its id is still the same: it was changed.'));
  for (const { key, family, own, id } of run.records()) {
    if (own && id === undefined) fields.push(fieldProblem(key, `It was created, but nobody can tell which of the ${family} it is.`));
  }
  const count = howMany(fields.length, 'record or action', 'records and actions');
  return new PartialError(`Run "${title}" is not complete: the outcome of ${count} is unknown, and the steps that need them wait.`, {
    fields,
    hint: `Look at these records. Then destroy the run (${crmWith(context.flags.profile)} seed destroy --run ${title}) and apply the file anew.`,
  });
}

const fieldProblem = (name: string, message: string) => ({ name, messages: [message] });

/** A record of the file after the apply. */
interface AppliedRecord {
  readonly name: string;
  readonly type: string;
  readonly id: Id | null;
  /** `kept`: created by an earlier apply. `found`: there before the run. `gone`: deleted by somebody. */
  readonly state: 'created' | 'kept' | 'found' | 'gone';
}

function appliedRecords({ all }: SeedSteps, run: Run, before: ReadonlySet<number>, { gone }: Unusable): AppliedRecord[] {
  return all
    .filter(({ kind, n }) => kind !== 'act' && run.state(n) === 'done')
    .flatMap(({ n, key, family }): AppliedRecord[] => {
      const type = singularOf(family);
      if (gone.has(key)) return [{ name: key, type, id: null, state: 'gone' }];
      const [made] = run.made(n);
      if (made === undefined) return [];
      const state = !made.own ? 'found' : before.has(n) ? 'kept' : 'created';
      return [{ name: key, type, id: made.id ?? null, state }];
    });
}

/** Ids by name; for a counted name an array in order. */
function idsByName({ elements }: SeedElements, records: readonly AppliedRecord[]): Record<string, Id | null | (Id | null)[]> {
  const idOf = new Map(records.map(({ name, id }) => [name, id]));
  const ids = (name: string, count: number | undefined) =>
    count === undefined ? (idOf.get(name) ?? null) : Array.from({ length: count }, (_, index) => idOf.get(`${name}[${index}]`) ?? null);
  return Object.fromEntries(
    elements.map((element) => [element.name, ids(element.name, element.kind === 'make' ? element.count : undefined)]),
  );
}

/** The sentences at the end of an apply. `dropped`: names that the file no longer has. */
function appliedNotice(title: string, records: readonly AppliedRecord[], dropped: readonly string[]): string {
  const countState = (state: AppliedRecord['state']): number => records.filter((record) => record.state === state).length;
  const [created, kept, found] = [countState('created'), countState('kept'), countState('found')];
  const others = [kept > 0 ? `${kept} from before` : '', found > 0 ? `${found} found` : ''].filter(Boolean);
  const sentences = [
    `Run "${title}" is applied: ${[`${created} created`, ...others].join(', ')}.`,
    dropped.length > 0 ? `The file no longer has ${firstOf(dropped)}. Created records stay until the run is destroyed.` : '',
  ];
  return sentences.filter(Boolean).join(' ');
}
