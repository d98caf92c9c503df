// `crm undo`: takes a run back, by the journal's notes. Each step undoes one part of a record. The step reads the record in the turn of its
// write, and leaves values that somebody changed after the run. Records that the run created are deleted by the same function as in `seed
// destroy`.

import { ConflictError, InterruptedError, invalidValue, PartialError, UsageError } from '../../base/errors.ts';
import { readStdin } from '../../base/files/read-whole.ts';
import { scalarText } from '../../base/values/json.ts';
import { type Id, parseId } from '../../base/values/parse.ts';
import { crmWith } from '../../base/values/text/shell-word.ts';
import { firstOf } from '../../base/values/text/wording.ts';
import type { Api } from '../../client/client.ts';
import { recordAt } from '../../client/read-record.ts';
import { createdOf, isAnother } from '../../model/identity.ts';
import { familyNamed, singularOf } from '../../model/resources/index.ts';
import type { Result } from '../../output/result.ts';
import { notice } from '../../output/streams/notice.ts';
import { progressBar } from '../../output/streams/progress.ts';
import { makeAnewTexts } from '../../reading/history/deleted.ts';
import { doneText } from '../../reading/history/done-text.ts';
import { runNamed } from '../../reading/history/run-named.ts';
import { isLookedAt } from '../../reading/list/list-facts.ts';
import { endedEarly } from '../../runs/ended-early.ts';
import type { Run } from '../../runs/journal/run.ts';
import type { Halt } from '../../runs/runner.ts';
import type { Pace } from '../../runs/service.ts';
import { type Conflicting, recordKey, type Step, type Steps, type WriteAt } from '../../runs/step.ts';
import { confirm, requireNamed } from '../../session/ask/confirm.ts';
import { canAsk } from '../../session/ask/prompt.ts';
import type { Context } from '../../session/context.ts';
import { type CarryOptions, type Engine, withEngine, withJournal } from '../../session/engine.ts';
import { refuseAtWork } from '../../session/lock.ts';
import { sayingFinish } from '../../session/open-service.ts';
import { preparedChange } from '../write.ts';
import { canPutBack, type PutBack, partOfKind, putBack } from './put-back.ts';
import { allGone, type Destroyed, isToCome, type Pass, type Taken, type UndoRow, undoQuestion, undoRows } from './rows.ts';

/** Deletes the records that a run created. `seed destroy` does the same for a seed. */
interface Teardown {
  destroyRun(context: Context, request: { readonly title: string; readonly pace: Pace; readonly keepChanged: boolean }): Promise<Result>;
  destroyRecords(
    context: Context,
    run: Run,
    engine: Engine,
    options: {
      readonly keepChanged: boolean;
      readonly isMeant: (made: { readonly id?: Id | undefined }) => boolean;
      readonly into: { readonly run: Run; readonly steps: number };
    },
  ): Promise<Destroyed>;
}

interface Request {
  readonly name: string;
  /** Limits the undo to these records. Undefined: all records of the run. */
  readonly ids: ReadonlySet<string> | undefined;
  readonly pace: Pace;
  readonly teardown: Teardown;
  /** The command line that repeats the undo. */
  readonly command: string;
}

/**
 * Undoes a run after a question. Without a name: the last run, on a terminal only. Throws NotFoundError for a run that the service doesn't
 * have, ConflictError for a run that is still at work, UnconfirmedError.
 */
export async function undoRun(
  context: Context,
  [typed, ...words]: readonly string[],
  { pace, teardown }: { readonly pace: Pace; readonly teardown: Teardown },
): Promise<Result> {
  const name = typed ?? (await lastRun(context));
  const request: Request = {
    name,
    ids: await idsTyped(context, words),
    pace,
    teardown,
    command: `${crmWith(context.flags.profile)} undo ${name}`,
  };
  const { kind, title } = await withJournal(context, async (journal) => {
    const run = await runNamed(context, journal, name);
    refuseAtWork(run);
    return run.header;
  });
  const asking = words.includes('-') ? { ...context, flags: { ...context.flags, noInput: true } } : context;
  await requireNamed(asking, { asks: true });
  if (kind === 'seed') {
    if (request.ids !== undefined) throw new UsageError(`Run ${name} is a seed, which is taken back as a whole: give no ids.`);
    return teardown.destroyRun(context, { title, pace, keepChanged: true });
  }
  await askToUndo(asking, request, kind === 'single');
  return undoResult(context, request, await passOver(context, request));
}

/**
 * The name of the last run that can be undone, which is told on a terminal. Typed again, `crm undo` takes back the run before it. Throws
 * ConflictError right behind a delete or a conversion, and names no other run: that run would be a second loss. Throws UsageError when no
 * run can be undone, and without a terminal, where the error names the last three runs.
 */
async function lastRun(context: Context): Promise<string> {
  const latest = await withJournal(context, (journal) => {
    // Each question about a run asks the journal, and there may be thousands of runs: no more are looked at than are named.
    const runs = Iterator.from(journal?.runs() ?? [])
      .filter(mayGoBack)
      .take(3);
    return runs
      .map((run) => {
        const { details, command } = run.header;
        const text = `${run.name}  ${scalarText(details.typed) || command}`;
        return {
          name: run.name,
          text,
          did: doneText(run),
          isFinal: run.isFinal,
          anew: run.isFinal ? makeAnewTexts(context, run) : [],
        };
      })
      .toArray();
  });
  const [last] = latest;
  if (last === undefined) throw new UsageError('There is no run to take back.', { code: 'missing_value' });
  if (!canAsk(context)) {
    const hint = `The last runs:\n${latest.map(({ text }) => `  ${text}`).join('\n')}`;
    throw new UsageError('Say which run.', { code: 'missing_value', hint });
  }
  if (last.isFinal) {
    const hint = last.anew.length === 0 ? {} : { hint: last.anew.join('\n') };
    throw new ConflictError(`The last run can't be taken back: ${last.text} (${last.did})`, hint);
  }
  await notice(context.io, { quiet: false }, `The last run: ${last.text} (${last.did})`);
  return last.name;
}

/** True for a run that may have changed something, is not an undo, and was not undone as a whole. */
function mayGoBack(run: Run): boolean {
  const { kind, details } = run.header;
  const isUndone = details.undone_part !== true && (details.undone_by ?? undefined) !== undefined;
  return kind !== 'undo' && !isUndone && run.mayHaveChanged;
}

async function idsTyped(context: Context, words: readonly string[]): Promise<ReadonlySet<string> | undefined> {
  if (words.length === 0) return undefined;
  if (words.includes('-') && words.length > 1) throw new UsageError('Give ids, or - to read them from standard input, not both.');
  const text = words.includes('-') ? await readStdin(context) : words.join(',');
  return new Set(
    text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((word) => String(parseId(word, 'id'))),
  );
}

/** Runs the undo without sending writes, shows the outcome, and asks. `isSingle`: the question names the values of the only record. */
async function askToUndo(context: Context, request: Request, isSingle: boolean): Promise<void> {
  const { io, flags } = context;
  const question = `Undo run ${request.name}?`;
  if (flags.yes || flags.dryRun) return;
  if (!canAsk(context)) return confirm(context, question);
  const dry = { ...context, flags: { ...flags, dryRun: true } };
  const pass = await passOver(dry, request);
  const rows = undoRows(pass, { isDry: true, arrow: io.symbols.arrow });
  if (!rows.some(isToCome)) return;
  const asked = isSingle ? undoQuestion(pass) : question;
  const width = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));
  const [first, second] = [width(rows.map(({ outcome }) => outcome)), width(rows.map(({ count }) => String(count)))];
  for (const row of rows) {
    const { outcome, count, family } = row;
    if (isSingle && isToCome(row)) continue;
    await notice(
      io,
      { quiet: false },
      `${outcome.padEnd(first)}  ${String(count).padStart(second)} ${countedNoun(family, count)}  ${undoneText(row)}`,
    );
  }
  await confirm(context, asked);
}

/** The run's writes to one part of a record, which are undone together. */
interface PartToUndo {
  readonly family: string;
  readonly id: Id;
  /** In order. */
  readonly steps: WriteAt[];
  /** The outcome of undoing these writes; absent until the undo is prepared. */
  end?: Omit<Taken, 'name' | 'family' | 'id'>;
}

async function passOver(context: Context, request: Request): Promise<Pass> {
  const { name, ids, pace, teardown, command } = request;
  const what = { title: `the undo of run ${name}`, creates: true, pace: { ...pace, countsOnly: true } };
  return withEngine(context, what, async (engine) => {
    const past = await runNamed(context, engine.journal, name);
    const run = engine.goOn(past);
    const { parts, final } = partsToUndo(run, ids);
    const anew = makeAnewTexts(context, run);
    const made = run.records({ withGone: true }).filter(({ own, id }) => own && (ids === undefined || ids.has(String(id))));
    const ofRun = new Set([...parts, ...made].map(({ id }) => String(id)).concat(final.flatMap((one) => one.ids)));
    const foreign = [...(ids ?? [])].find((id) => !ofRun.has(id));
    if (foreign !== undefined) throw invalidValue('id', `run ${name} has no write to ${foreign} that could be taken back.`);
    const mayBeMade = ids === undefined && run.lost().some(({ kind }) => kind === 'create');
    if (parts.length + made.length === 0 && !mayBeMade)
      return { run: name, taken: [], final, anew, destroyed: undefined, halt: undefined, lost: 0, soFar: 'nothing' };
    const undo = engine.begin({ kind: 'undo', title: name, command, details: { undoes: name, total: parts.length + made.length } });
    const { undone_by, undone_part = false } = run.details;
    const earlier = engine.journal.named(scalarText(undone_by));
    run.keep({ undone_by: undo.name, undone_part: ids !== undefined && parts.length < partsToUndo(run, undefined).parts.length });
    const isMeant = (one: { readonly id?: Id | undefined }): boolean => ids === undefined || ids.has(String(one.id));
    const into = { run: undo, steps: parts.length };
    let halt = await putPartsBack(context, engine, { run, undo, parts });
    let destroyed: Destroyed | undefined;
    try {
      if (halt === undefined && (made.length > 0 || mayBeMade))
        destroyed = await teardown.destroyRecords(context, run, engine, { keepChanged: true, isMeant, into });
    } catch (error) {
      halt = context.signal.aborted ? { kind: 'interrupted' } : { kind: 'error', error };
    }
    const taken = parts.map(
      ({ family, id, end = { outcome: 'not sent' } }): Taken => ({ name: `${singularOf(family)} ${id}`, family, id, ...end }),
    );
    if (halt === undefined && undo.counts().lost === 0) undo.end(context.clock.now().toISOString());
    // An undo that changed nothing doesn't mark the run as undone.
    if (earlier?.ended !== undefined && didNothing(undo)) run.keep({ undone_by: earlier.name, undone_part });
    return {
      run: name,
      taken: namingLater(engine, past, taken),
      final,
      anew,
      destroyed,
      halt,
      lost: undo.counts().lost,
      soFar: doneText(undo),
    };
  });
}

const didNothing = (undo: Run): boolean => {
  const { did, lost } = undo.counts();
  return lost === 0 && [...did.keys()].every((one) => ['unchanged', 'gone'].includes(one));
};

/**
 * The parts that can be undone, the newest first, and the records that can't come back. Parts of records that the run created are left out:
 * such a record is deleted or kept as a whole.
 */
function partsToUndo(
  run: Run,
  ids: ReadonlySet<string> | undefined,
): { parts: PartToUndo[]; final: { family: string; did: string; ids: string[] }[] } {
  const own = new Set([...run.records()].flatMap((made) => (made.own ? [`${made.family} ${made.id}`] : [])));
  const parts = new Map<string, PartToUndo>();
  const final = new Map<string, { family: string; did: string; ids: string[] }>();
  for (const { n, part: number, family, kind, id, state, did } of run.past()) {
    const resource = familyNamed(family);
    const isSent = state === 'done' || state === 'sent';
    // A created record that was deleted since is no longer among the run's records.
    if (kind === 'create' && state === 'done') own.add(`${family} ${id}`);
    if (!isSent || resource === undefined || kind === undefined || kind === 'create' || id === undefined) continue;
    if (own.has(`${family} ${id}`) || (ids !== undefined && !ids.has(id)) || did === 'unchanged' || did === 'gone') continue;
    if (canPutBack(resource, kind)) {
      const key = `${family} ${id} ${partOfKind(resource, kind)}`;
      const part = parts.get(key) ?? { family, id: parseId(id, resource.singular), steps: [] };
      part.steps.push({ n, part: number });
      parts.set(key, part);
    } else {
      const one = final.get(`${family} ${kind}`) ?? { family, did: did === undefined || did === 'changed' ? kind : did, ids: [] };
      one.ids.push(id);
      final.set(`${family} ${kind}`, one);
    }
  }
  return { parts: [...parts.values()].toSorted(latestFirst), final: [...final.values()] };
}

/** Sorts the newest part first. A record's parts with a higher number were written later. */
function latestFirst(a: PartToUndo, b: PartToUndo): number {
  const [one, other] = [a, b].map(({ steps }) => steps.at(-1) ?? { n: 0 });
  return (other?.part ?? 0) - (one?.part ?? 0) || (other?.n ?? 0) - (one?.n ?? 0);
}

async function putPartsBack(
  context: Context,
  engine: Engine,
  { run, undo, parts }: { readonly run: Run; readonly undo: Run; readonly parts: readonly PartToUndo[] },
): Promise<Halt | undefined> {
  if (parts.length === 0) return undefined;
  let done = 0;
  const bar = progressBar(context.io, context.flags, context.flags.dryRun ? 'Looking at what was changed' : 'Putting back', () => ({
    done,
    total: parts.length,
  }));
  const ended: CarryOptions['ended'] = ({ n }, outcome) => {
    done += 1;
    const end = 'did' in outcome ? { outcome: outcome.did } : { outcome: outcome.isConflict ? 'kept' : 'failed', why: outcome.failed };
    const part = parts[n - 1];
    if (part !== undefined) part.end = { ...part.end, ...end };
  };
  const last = new Map<string, number>();
  // An update sends a record's whole status back: parts of one record must not be written at once.
  const waits = parts.map(({ family, id }, index) => {
    const earlier = last.get(`${family} ${id}`);
    last.set(`${family} ${id}`, index + 1);
    return earlier === undefined ? {} : { waitsFor: earlier };
  });
  const steps: Steps = {
    async *read(isWanted) {
      for (const [index, part] of parts.entries()) if (isWanted(index + 1)) yield { ...stepBack(run, part, index + 1), ...waits[index] };
    },
  };
  return sayingFinish(context, () => engine.carryOut(steps, undo, { ended })).finally(() => bar.stop());
}

function stepBack(run: Run, part: PartToUndo, n: number): Step {
  const { family, id, steps } = part;
  const resource = familyNamed(family);
  if (resource === undefined) throw new Error(`no family ${family}`);
  const path = `${resource.path}/${id}`;
  const backOf = (record: unknown): PutBack => putBack(resource, id, run.pastAt(steps), record);
  // Undefined when the record is gone, or when another record has the id now.
  const recordNow = async (api: Api): Promise<unknown> => {
    const record = await recordAt(api, path);
    return run.pastAt(steps).some(({ created }) => isAnother(created, createdOf(record))) ? undefined : record;
  };
  return {
    n,
    key: recordKey(resource.singular, id),
    family,
    prepare: async ({ api }) => {
      const record = await recordNow(api);
      if (record === undefined) return { did: 'gone', made: [], target: id };
      const { change, kind, given, changes, changedSince, lost } = backOf(record);
      part.end = { outcome: 'unknown', changes, changedSince, lost };
      if (change === undefined) {
        if (changedSince.length === 0) return { did: 'unchanged', made: [], target: id };
        return changedSinceThen(id, changedSince);
      }
      return preparedChange(change, { resource, id, record, kind, did: 'changed', given });
    },
    lookFor: () => ({
      kind: 'target',
      read: async (api) => {
        const record = await recordNow(api);
        const back = record === undefined ? undefined : backOf(record);
        if (back === undefined || back.change !== undefined) return { end: 'absent' };
        if (back.changedSince.length === 0) return { end: 'found', made: [], did: 'changed' };
        part.end = { outcome: 'unknown', changes: back.changes, changedSince: back.changedSince, lost: back.lost };
        return { end: 'conflict', ...changedSinceThen(id, back.changedSince) };
      },
    }),
  };
}

const changedSinceThen = (target: Id, names: readonly string[]): Conflicting => ({
  conflict: new ConflictError(`Changed since, so left as it is: ${names.join(', ')}.`),
  target,
});

/** Adds the later run (`by`) that changed the values: once the later run is undone, the values can go back. */
function namingLater({ journal }: Engine, past: Run, taken: readonly Taken[]): Taken[] {
  const changed = taken.filter(({ changedSince = [] }) => changedSince.length > 0);
  const ids = new Set(changed.map(({ family, id }) => `${family} ${id}`));
  const isLater = ({ id, header: { kind, details } }: Run): boolean =>
    id > past.id && !['undo', 'destroy'].includes(kind) && details.undone_by === undefined;
  const runs = changed.length === 0 ? [] : journal.runs().filter(isLater).reverse();
  const later = new Map<string, string>();
  for (const run of runs) {
    const by = run.name;
    for (const { family, id, kind, before, body } of run.past({ state: 'done' })) {
      if (kind === undefined || kind === 'create' || !ids.has(`${family} ${id}`)) continue;
      const fields = familyNamed(family)?.fields ?? [];
      for (const name of [...Object.keys(before), ...body.keys()])
        later.set(`${family} ${id} ${fields.find(({ wire }) => wire === name)?.flag ?? name.replace(/\.id$/, '')}`, by);
    }
  }
  return taken.map((one) => {
    const by = one.changedSince?.map((name) => later.get(`${one.family} ${one.id} ${name}`)).find((run) => run !== undefined);
    return by === undefined ? one : { ...one, by };
  });
}

/** The most ids named on a screen. */
const mostIds = 10;

const undoneShape = {
  columns: [
    { path: 'outcome' },
    { path: 'count', align: 'right' as const },
    { path: 'family' },
    { path: 'what' },
    { path: 'ids', most: mostIds },
  ],
  record: ['outcome', 'count', 'family', 'what', 'ids'],
};

const countedNoun = (family: string, count: number): string => (count === 1 ? singularOf(family) : family);

/** The reason, with the ids. Without `isWhole`, the ids of records that go back are left out. */
function undoneText(row: UndoRow, isWhole = false): string {
  const shown = isToCome(row) && !isWhole ? '' : firstOf(row.ids.map(String), mostIds);
  // A sentence of one record stands in front of the ids.
  return [shown === '' ? row.what : row.what.replace(/\.$/, ''), shown].filter(Boolean).join(': ');
}

function undoResult(context: Context, request: Request, pass: Pass): Result {
  const { io, flags, signal } = context;
  const { halt } = pass;
  const rows = undoRows(pass, { isDry: flags.dryRun, ...(isLookedAt(context) ? { arrow: io.symbols.arrow } : {}) });
  const goOn = `Go on with: ${request.command}`;
  const done = `Before that: ${pass.soFar}.`;
  if (halt?.kind === 'interrupted') throw InterruptedError.by(signal.reason, { hint: `${done}\n${goOn}` });
  if (halt?.kind === 'error') throw endedEarly(halt.error, pass.soFar, pass.lost, [goOn]);
  const isNothing = rows.every(({ outcome }) => outcome === 'gone' || outcome === 'stays');
  const isAllGone = rows.length > 0 && rows.every(({ outcome }) => outcome === 'gone');
  const sentence = isNothing ? { notice: isAllGone ? allGone : `Nothing of run ${pass.run} is left to take back.` } : {};
  context.afterwards.push(...pass.anew);
  const countOutcomes = (...outcomes: string[]): number =>
    rows.filter(({ outcome }) => outcomes.includes(outcome)).reduce((sum, row) => sum + row.count, 0);
  const problems = [
    [countOutcomes('kept'), 'kept'],
    [countOutcomes('failed'), 'failed'],
    [countOutcomes('unknown'), 'of unknown outcome'],
  ] as const;
  const counts = problems.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  const lines = rows.map((row) => ({
    lead: [row.outcome, String(row.count), countedNoun(row.family, row.count)],
    text: undoneText(row, true),
  }));
  const result = {
    kind: 'rows' as const,
    data: rows,
    shape: undoneShape,
    ...(lines.length === 0 ? {} : { drawn: { lines } }),
    ...sentence,
  };
  if (counts.length === 0) return result;
  const hint = countOutcomes('failed', 'unknown') > 0 ? { hint: `Try again: ${request.command}` } : {};
  return {
    ...result,
    problem: new PartialError(`Not all of run ${pass.run} ${flags.dryRun ? 'would go' : 'went'} back: ${counts.join(', ')}.`, hint),
  };
}
