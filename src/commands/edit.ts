// `crm <family> edit`: records in the user's editor, and what was changed in them as a change file is applied. What was typed is never lost:
// where it couldn't be sent, its file is kept and named.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRecord } from '../api/read-record.ts';
import { confirm, requireNamed } from '../ask/confirm.ts';
import { editorOf, runEditor } from '../ask/editor.ts';
import { askingOnTerminal, canAsk } from '../ask/prompt.ts';
import { blankProblem } from '../bodies/create-body.ts';
import { updateShape } from '../bodies/shape.ts';
import { changesOfRows, outcomesOfChanges, type PlannedChange } from '../changes/file/rows.ts';
import type { FieldTarget, FileRow } from '../changes/file/target.ts';
import type { Context } from '../context.ts';
import { ConflictError, CrmError, type FieldProblem, PartialError, UnconfirmedError, UsageError, withHints } from '../errors.ts';
import { Problems } from '../files/problems.ts';
import type { Input } from '../flag.ts';
import { bodyIn, type Complaint, csvFile, type EditedFile, fileText, linesAbove, yamlFile } from '../import/edit/edited-file.ts';
import { numberedOut, type OpenRecord, shownFields, shownPaths } from '../import/edit/shown.ts';
import { asItWas, type Outcome, type Result } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import { progress } from '../output/streams/progress.ts';
import { pluralOf, type Resource } from '../resources/define.ts';
import { valueAt } from '../values/paths.ts';
import { crmWith } from '../values/text/shell-word.ts';
import { howMany } from '../values/text/wording.ts';
import { countedOutcomes } from '../verbs/each-record.ts';
import { subjectOf } from '../verbs/effect.ts';
import { type Chosen, choose, type Selection, selectionOf } from '../verbs/selection.ts';
import { wordsOf } from './import.ts';

/** More records than this are no file that anybody edits by hand. */
const mostRecords = 1000;

/** Opens records in an editor, and sends what was changed once it is shown and agreed to. */
export async function edit(resource: Resource, context: Context, input: Input): Promise<Result> {
  const selection = selectionOf(resource, input);
  const fields = shownFields(resource, context.flags.fields);
  if (fields.length === 0) throw new UsageError('--fields: name at least one field beside the id.');
  requireTerminal(resource, context, selection);
  await requireNamed(context, { asks: true });
  const records = await opened(resource, context, selection, fields);
  if (records.length === 0) return nothing(`No ${pluralOf(resource)} found.`);
  const shown = numberedOut(
    fields,
    records.map(({ record }) => record),
  );
  const [first] = records;
  const file =
    selection.kind === 'one' && first !== undefined
      ? await yamlFile(resource, first, shown)
      : await csvFile(resource, records, shown, context.flags.csvRaw);
  if (selection.kind !== 'piped') return editing(resource, context, input, file);
  return askingOnTerminal(context, async (asking) => {
    const { yes, dryRun } = context.flags;
    if (yes || dryRun || canAsk(asking)) return editing(resource, asking, input, file);
    throw new UnconfirmedError('Standard input holds the ids, so that nobody can be asked before anything is sent.', {
      hint: 'Agree beforehand with --yes, or give the ids as in 12,13.',
    });
  });
}

/** Throws UnconfirmedError where nobody sits at a terminal to edit, and to answer the question that follows. */
function requireTerminal({ name }: Resource, { io, flags }: Context, { kind }: Selection): void {
  if (flags.noInput) throw new UnconfirmedError('An editor needs somebody at a terminal, and --no-input says that there is nobody.');
  if (io.stderr.isTTY && (io.stdin.isTTY || kind === 'piped')) return;
  throw new UnconfirmedError('An editor needs a terminal, and there is none; nothing was done.', {
    hint: `In a script: crm ${name} update, or crm ${name} import --mode update.`,
  });
}

/** The records of a selection, each with all that is shown. Throws what reading throws, and UsageError for too many. */
async function opened(resource: Resource, context: Context, selection: Selection, fields: readonly FieldTarget[]): Promise<OpenRecord[]> {
  const paths = [...new Set([...shownPaths(resource, fields), ...shownPaths(resource, shownFields(resource, undefined))])];
  const chosen = await choose(resource, context, selection, paths);
  if (chosen.length > mostRecords) {
    throw new UsageError(`${chosen.length} ${pluralOf(resource)} are too many for an editor, which takes ${mostRecords}.`, {
      hint: 'Narrow the selection, or change them with: update --where, import --mode update',
    });
  }
  let done = 0;
  const end = progress(context.io, context.flags).begin((tail) => ({
    text: `Reading ${resource.name}: ${done} of ${chosen.length}`,
    tail,
  }));
  try {
    const records: OpenRecord[] = [];
    for (const one of chosen) {
      context.signal.throwIfAborted();
      records.push(await whole(resource, context, one, paths));
      done += 1;
    }
    return records;
  } finally {
    end();
  }
}

/** The record; read by itself unless the list told all of it. */
async function whole({ path }: Resource, context: Context, { id, record }: Chosen, paths: readonly string[]): Promise<OpenRecord> {
  if (record !== undefined && paths.every((one) => valueAt(record, one) !== undefined)) return { id, record };
  const api = await context.api();
  const own = `${path}/${id}`;
  return { id, record: await readRecord(api, own) };
}

const nothingDone = { total: 0, updated: 0, unchanged: 0, failed: 0, conflicts: 0, unknown: 0 };

const nothing = (sentence: string): Result => ({
  kind: 'rows',
  data: nothingDone,
  shape: { columns: [], record: [] },
  drawn: { sentence },
  isWhole: true,
});

/** Opens the file until it can be sent or nothing is to be sent. What was typed is kept where that went wrong. */
async function editing(resource: Resource, context: Context, input: Input, file: EditedFile): Promise<Result> {
  const folder = await mkdtemp(join(context.env.TMPDIR || tmpdir(), 'crm-edit-'));
  const path = join(folder, file.name);
  let isKept = false;
  const keep = async (problem: unknown, typed: string | undefined): Promise<unknown> => {
    const text = typed ?? (await textAt(path));
    const others = (await readdir(folder).catch(() => [])).filter((name) => name !== file.name);
    if (others.length > 0 && (context.signal.aborted || text === undefined)) {
      isKept = true;
      return withHints(problem, [`What the editor kept of it is in ${folder}`]);
    }
    if (text === undefined || text.trim() === '' || text === file.body) return problem;
    if (typed !== undefined) await writeFile(path, `${fileText(file, typed, [])}`, { mode: 0o600 });
    isKept = true;
    return withHints(problem, [`What you wrote is kept in ${path}`]);
  };
  try {
    const { changes, typed } = await changesIn(resource, context, input, file, path);
    if (changes.length === 0) return nothing('Nothing changed, and nothing was sent.');
    const result = await sent(resource, context, changes);
    if (result.kind !== 'rows' || result.problem === undefined) return result;
    return { ...result, problem: await keep(result.problem, typed) };
  } catch (error) {
    throw await keep(error, error instanceof InvalidEdit ? error.typed : undefined);
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

/** What stands in the file; undefined where it is gone. */
const textAt = (path: string): Promise<string | undefined> => readFile(path, 'utf8').then(bodyIn, () => undefined);

/** Given up while something was wrong. */
class InvalidEdit extends UsageError {
  /** What was typed before that. */
  readonly typed: string;

  constructor(complaints: readonly Complaint[], typed: string, file: EditedFile) {
    const fields = complaints.map(
      ({ line, name = '', text }): FieldProblem => ({
        name: line === undefined ? name : `line ${line + linesAbove(file)}`,
        messages: [text],
      }),
    );
    super('The file was left with mistakes in it: nothing was sent.', { fields });
    this.typed = typed;
  }
}

/** What was changed, once nothing is wrong with it. Throws what the editor throws, and InvalidEdit. */
async function changesIn(
  resource: Resource,
  context: Context,
  input: Input,
  file: EditedFile,
  path: string,
): Promise<{ readonly changes: readonly PlannedChange[]; readonly typed: string }> {
  const editor = editorOf(context.env);
  let complaints: readonly Complaint[] = [];
  let body = file.body;
  for (;;) {
    await writeFile(path, fileText(file, body, complaints), { mode: 0o600 });
    await runEditor(context, editor, path);
    const typed = await textAt(path);
    if (typed === undefined || typed.trim() === '' || typed === body) {
      if (complaints.length > 0) throw new InvalidEdit(complaints, body, file);
      if (typed === undefined) throw new UnconfirmedError(`When the editor ended, ${file.name} was gone: nothing was sent.`);
      return { changes: [], typed };
    }
    body = typed;
    const reading = await file.read(body);
    const problems = new Problems();
    const changes = await changesOfRows(context, resource, reading.rows, { problems, words: wordsOf(resource, input.flags) });
    for (const row of reading.rows) refuseBlank(resource, row, problems);
    // The whole body is checked with what was shown: it is read again before it is sent.
    for (const { one, change, row } of changes) problems.tryRow(row.place(), () => change.write(row.shown, one));
    complaints = [...reading.complaints, ...problems.fields().map(({ name, messages }) => ({ name, text: messages.join(' ') }))];
    if (complaints.length > 0) continue;
    if (reading.leftOut > 0) {
      const text = `${howMany(reading.leftOut, `${resource.singular} was`, `${pluralOf(resource)} were`)} taken out of the file, which changes nothing.`;
      await notice(context.io, context.flags, text);
    }
    return { changes, typed };
  }
}

/** Notes where nothing stands for what a record can't be without. */
function refuseBlank(resource: Resource, { pairs, place }: FileRow, problems: Problems): void {
  for (const [target, [value]] of pairs) {
    const isWanted = target.kind === 'field' && target.field.required === true;
    if (isWanted && value.trim() === '') problems.add(place(target.name), blankProblem(updateShape(resource)));
  }
}

async function sent(resource: Resource, context: Context, changes: readonly PlannedChange[]): Promise<Result> {
  const title = `${resource.name} edit`;
  if (!context.flags.dryRun) await agree(resource, context, changes, title);
  const run = outcomesOfChanges(resource, context, changes, { title });
  const outcomes = await Array.fromAsync(countedOutcomes(resource, context, changes.length, run));
  if (context.flags.dryRun) {
    const ids = changes.map(({ one }) => one.id);
    return { kind: 'outcomes', ids, outcomes: ReadableStream.from(outcomes), shape: resource, empty: '' };
  }
  const counts = { ...nothingDone, total: outcomes.length };
  for (const one of outcomes) counts[fateOf(one)] += 1;
  const problem = problemOf(resource, context, counts, outcomes);
  return {
    kind: 'rows',
    data: counts,
    shape: { columns: [], record: [] },
    isWhole: true,
    drawn: { sentence: sentenceOf(resource, counts, changes) },
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Shows what would be different, as the records are now, and asks. Throws UnconfirmedError, and what reading the records throws. */
async function agree(resource: Resource, context: Context, changes: readonly PlannedChange[], title: string): Promise<void> {
  const { io, flags } = context;
  const preview = Array.fromAsync(outcomesOfChanges(resource, context, changes, { title, isPreview: true }));
  const outcomes = await progress(io, flags).during(`Looking at the ${resource.name} again`, preview);
  const count = outcomes.filter((one) => fateOf(one) === 'updated').length;
  if (count === 0) return;
  await (await import('../output/preview.ts')).writeChanges(io, outcomes);
  await confirm(context, `Change ${howMany(count, resource.singular, pluralOf(resource))}?`);
}

type Counts = typeof nothingDone;

/** What became of a record. */
function fateOf(outcome: Outcome): Exclude<keyof Counts, 'total'> {
  const error = errorOf(outcome);
  if (error === undefined) return 'effect' in outcome && outcome.effect?.done === asItWas ? 'unchanged' : 'updated';
  if (!(error instanceof CrmError)) return 'failed';
  if (error instanceof ConflictError && error.details.httpStatus === undefined) return 'conflicts';
  return error.code === 'outcome_unknown' ? 'unknown' : 'failed';
}

const errorOf = (outcome: Outcome): Error | undefined => ('error' in outcome ? outcome.error : outcome.problem);

function sentenceOf({ singular, name }: Resource, { total, updated }: Counts, [first]: readonly PlannedChange[]): string {
  if (total === 1 && first !== undefined) {
    const which = subjectOf(singular, first.one.id);
    return updated === 1 ? `${which} changed.` : `${which} was not changed.`;
  }
  return updated === 0 ? `No ${singular} was changed.` : `${updated} of ${total} ${name} changed.`;
}

/** Why not all of it went through, by the records, and what to do about it. */
function problemOf(
  resource: Resource,
  { flags }: Context,
  { total, failed, conflicts, unknown }: Counts,
  outcomes: readonly Outcome[],
): PartialError | undefined {
  if (failed + conflicts + unknown === 0) return undefined;
  const counts = [
    failed > 0 ? `${failed} failed` : '',
    conflicts > 0 ? `${conflicts} changed by somebody else meanwhile` : '',
    unknown > 0 ? `of ${unknown} nobody knows whether it arrived` : '',
  ].filter(Boolean);
  const which = total === 1 ? String(outcomes[0]?.id) : 'ID';
  const ways = [
    conflicts > 0 ? `As it is now: ${crmWith(flags.profile)} ${resource.name} edit ${which}` : '',
    unknown > 0 ? `Whether it arrived: ${crmWith(flags.profile)} ${resource.name} get ${which}` : '',
  ].filter(Boolean);
  const alone =
    conflicts > 0
      ? 'Somebody else changed it while it was open.'
      : unknown > 0
        ? 'Nobody knows whether the change arrived.'
        : 'The change was refused.';
  return new PartialError(total === 1 ? alone : `${total} ${resource.name}: ${counts.join(', ')}.`, {
    fields: outcomes.flatMap((one) => {
      const error = errorOf(one);
      return error === undefined ? [] : [{ name: one.name, messages: messagesOf(resource, error) }];
    }),
    ...(ways.length === 0 ? {} : { hint: ways.join('\n') }),
  });
}

/** Why a record was not changed: what the service says of its fields, by their names. */
function messagesOf(resource: Resource, error: Error): string[] {
  const fields = error instanceof CrmError ? (error.details.fields ?? []) : [];
  if (fields.length === 0) return [error.message];
  const { fields: own } = updateShape(resource);
  return fields.map(({ name, messages }) => `${own.find(({ wire }) => wire === name)?.flag ?? name}: ${messages.join(' ')}`);
}
