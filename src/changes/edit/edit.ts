// `crm <family> edit`: opens a record in the user's editor, and applies the changes like a change file. Typed text is never lost: when the
// changes can't be sent, the file is kept and named.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRecord } from '../../api/read-record.ts';
import { requireNamed } from '../../ask/confirm.ts';
import { editorOf, runEditor } from '../../ask/editor.ts';
import { blankProblem } from '../../bodies/create-body.ts';
import { updateShape } from '../../bodies/shape.ts';
import type { Context } from '../../context.ts';
import { ConflictError, CrmError, type FieldProblem, PartialError, UnconfirmedError, UsageError, withHints } from '../../errors.ts';
import { Problems } from '../../files/problems.ts';
import type { FileWords } from '../../names/file-words.ts';
import { asItWas, type Outcome, type Result } from '../../output/result.ts';
import type { Resource } from '../../resources/define.ts';
import { thousandsDoubt } from '../../values/decimal.ts';
import { type Id, parseId } from '../../values/parse.ts';
import { crmWith, quotePosix } from '../../values/text/shell-word.ts';
import { dayOf } from '../../values/time/days.ts';
import { subjectOf } from '../../verbs/effect.ts';
import { agreeTo, changesOfRows, outcomesOfChanges, type PlannedChange } from '../file/rows.ts';
import type { FileRow, Target } from '../file/target.ts';
import { bodyIn, type Complaint, type EditedFile, fileText, linesAbove, yamlFile } from './edited-file.ts';
import { numberedOut, shownFields } from './shown.ts';

/** Opens a record in an editor. Shows the changes, asks, and sends them. */
export async function edit(resource: Resource, context: Context, typed: string, words: FileWords): Promise<Result> {
  const id = recordMeant(resource, context, typed);
  const fields = shownFields(resource, context.flags.fields);
  if (fields.length === 0) throw new UsageError('--fields: name at least one field beside the id.');
  requireTerminal(resource, context);
  await requireNamed(context, { asks: true });
  const record = await readRecord(await context.api(), `${resource.path}/${id}`);
  const file = await yamlFile(resource, { id, record }, numberedOut(fields, record));
  return editing(resource, context, words, file);
}

/** The typed id. Throws UsageError for several ids; the message names a way to change several records. */
function recordMeant({ name, singular }: Resource, { flags }: Context, typed: string): Id {
  if (typed !== '-' && !typed.includes(',')) return parseId(typed, singular);
  const crm = crmWith(flags.profile);
  const fields = flags.fields === undefined ? '' : ` --fields ${quotePosix(flags.fields.join(','))}`;
  throw new UsageError('An editor opens one record.', {
    hint:
      `Several are changed in a file: ${crm} ${name} list --was --csv${fields} > ${name}.csv\n` +
      `Change it in an editor or a spreadsheet, strike out what stays as it is, then: ${crm} apply ${name}.csv`,
  });
}

/** Throws UnconfirmedError without a terminal: an editor and the question after it need a person. */
function requireTerminal({ name }: Resource, { io, flags }: Context): void {
  if (flags.noInput) throw new UnconfirmedError('An editor needs somebody at a terminal, and --no-input says that there is nobody.');
  if (io.stderr.isTTY && io.stdin.isTTY) return;
  throw new UnconfirmedError('An editor needs a terminal, and there is none; nothing was done.', {
    hint: `In a script: crm ${name} update, or crm ${name} import --mode update.`,
  });
}

const nothingDone = { total: 0, updated: 0, unchanged: 0, failed: 0, conflicts: 0, unknown: 0 };

const nothing = (sentence: string): Result => ({
  kind: 'rows',
  data: nothingDone,
  shape: { columns: [], record: [] },
  drawn: { sentence },
  isWhole: true,
});

/** Opens the record in the editor and sends the changes. Keeps the typed text when something goes wrong. */
async function editing(resource: Resource, context: Context, words: FileWords, file: EditedFile): Promise<Result> {
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
    const { changes, typed } = await changesIn(resource, context, words, file, path);
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

/** The file's text without the comments above it. Undefined when the file is gone. */
const textAt = (path: string): Promise<string | undefined> => readFile(path, 'utf8').then(bodyIn, () => undefined);

/** The user closed the editor without mending what was wrong. */
class InvalidEdit extends UsageError {
  /** The text typed before that. */
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

/**
 * The changes made in the editor. When the text can't be used, the editor opens once more with the complaints. Throws the editor's error,
 * and InvalidEdit.
 */
async function changesIn(
  resource: Resource,
  context: Context,
  words: FileWords,
  file: EditedFile,
  path: string,
): Promise<{ readonly changes: readonly PlannedChange[]; readonly typed: string }> {
  const editor = editorOf(context.env);
  let complaints: readonly Complaint[] = [];
  let body = file.body;
  for (let isAgain = false; ; isAgain = true) {
    await writeFile(path, fileText(file, body, complaints), { mode: 0o600 });
    await runEditor(context, editor, path);
    const typed = await textAt(path);
    if (typed === undefined || typed.trim() === '' || typed === body) {
      if (isAgain) throw new InvalidEdit(complaints, body, file);
      if (typed === undefined) throw new UnconfirmedError(`When the editor ended, ${file.name} was gone: nothing was sent.`);
      return { changes: [], typed };
    }
    body = typed;
    const read = await file.read(body);
    const reading = { ...read, rows: read.rows.map((row) => withDays(row, context.clock.now())) };
    const problems = new Problems();
    const changes = await changesOfRows(context, resource, reading.rows, { problems, words });
    for (const row of reading.rows) refuseTyped(resource, row, problems);
    // Checks the whole body against the shown record. The record is read again before it is sent.
    for (const { one, change, row } of changes) problems.tryRow(row.place(), () => change.write(row.shown, one));
    complaints = [...reading.complaints, ...problems.fields().map(({ name, messages }) => ({ name, text: messages.join(' ') }))];
    if (complaints.length === 0) return { changes, typed };
    if (isAgain) throw new InvalidEdit(complaints, body, file);
  }
}

/** The row with dates in place of typed words such as `today`. */
function withDays(row: FileRow, now: Date): FileRow {
  const isDate = (target: Target): boolean => target.kind === 'field' && target.field.type.kind === 'date';
  return { ...row, changes: row.changes.map((one) => (isDate(one.target) ? { ...one, new: dayOf(one.new, now) } : one)) };
}

/** Notes an emptied required field, and a number that could mean thousands. */
function refuseTyped(resource: Resource, { changes, place }: FileRow, problems: Problems): void {
  for (const { target, new: value } of changes) {
    const doubt = target.kind === 'field' && target.field.type.kind === 'decimal' ? thousandsDoubt(value) : undefined;
    if (doubt !== undefined) problems.add(place(target.name), `${doubt}.`);
    const isWanted = target.kind === 'field' && target.field.required === true;
    if (isWanted && value.trim() === '') problems.add(place(target.name), blankProblem(updateShape(resource)));
  }
}

async function sent(resource: Resource, context: Context, changes: readonly PlannedChange[]): Promise<Result> {
  const title = `${resource.name} edit`;
  if (!context.flags.dryRun) await agreeTo(resource, context, changes, { title, question: `Change 1 ${resource.singular}?` });
  const outcomes = await Array.fromAsync(outcomesOfChanges(resource, context, changes, { title }));
  const [outcome] = outcomes;
  if (outcome === undefined || context.flags.dryRun) {
    const ids = changes.map(({ one }) => one.id);
    return { kind: 'outcomes', ids, outcomes: ReadableStream.from(outcomes), shape: resource, empty: '' };
  }
  const fate = fateOf(outcome);
  const problem = editProblem(resource, context, fate, outcome);
  const sentence = `${subjectOf(resource.singular, outcome.id)} ${fate === 'updated' ? 'changed' : 'was not changed'}.`;
  return {
    kind: 'rows',
    data: { ...nothingDone, total: 1, [fate]: 1 },
    shape: { columns: [], record: [] },
    isWhole: true,
    drawn: { sentence },
    ...(problem === undefined ? {} : { problem }),
  };
}

/** The group of an outcome in the summary. */
function fateOf(outcome: Outcome): Exclude<keyof typeof nothingDone, 'total'> {
  const error = errorOf(outcome);
  if (error === undefined) return 'effect' in outcome && outcome.effect?.done === asItWas ? 'unchanged' : 'updated';
  if (!(error instanceof CrmError)) return 'failed';
  if (error instanceof ConflictError && error.details.httpStatus === undefined) return 'conflicts';
  return error.code === 'outcome_unknown' ? 'unknown' : 'failed';
}

const errorOf = (outcome: Outcome): Error | undefined => ('error' in outcome ? outcome.error : outcome.problem);

/** The error message and the hint for a record that was not changed. Undefined for a changed record. */
function editProblem(resource: Resource, { flags }: Context, fate: ReturnType<typeof fateOf>, outcome: Outcome): PartialError | undefined {
  const error = errorOf(outcome);
  if (error === undefined) return undefined;
  const fields = [{ name: outcome.name, messages: messagesOf(resource, error) }];
  const crm = `${crmWith(flags.profile)} ${resource.name}`;
  if (fate === 'conflicts')
    return new PartialError('Somebody else changed it while it was open.', { fields, hint: `As it is now: ${crm} edit ${outcome.id}` });
  if (fate === 'unknown')
    return new PartialError('Nobody knows whether the change arrived.', { fields, hint: `Whether it arrived: ${crm} get ${outcome.id}` });
  return new PartialError('The change was refused.', { fields });
}

/** The service's complaints, by field, about a record that was not changed. */
function messagesOf(resource: Resource, error: Error): string[] {
  const fields = error instanceof CrmError ? (error.details.fields ?? []) : [];
  if (fields.length === 0) return [error.message];
  const { fields: own } = updateShape(resource);
  return fields.map(({ name, messages }) => `${own.find(({ wire }) => wire === name)?.flag ?? name}: ${messages.join(' ')}`);
}
