// `crm <family> edit`: opens a record in the user's editor, and applies the changes like a change file. Typed text is never lost: when the
// changes can't be sent, the file is kept and named.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FieldProblem, isCrmError, UnconfirmedError, UsageError, withHints } from '../../base/errors.ts';
import { Problems } from '../../base/files/problems.ts';
import { decodeText } from '../../base/files/read-whole.ts';
import { temporaryError } from '../../base/files/unnamed-file.ts';
import { thousandsDoubt } from '../../base/values/decimal.ts';
import { type Id, parseId } from '../../base/values/parse.ts';
import { crmWith, quoteWord } from '../../base/values/text/shell-word.ts';
import { dayOf } from '../../base/values/time/days.ts';
import { readRecord } from '../../client/read-record.ts';
import type { Resource } from '../../model/define.ts';
import type { Result } from '../../output/result.ts';
import { notice } from '../../output/streams/notice.ts';
import { outcomesResult } from '../../reading/each-record.ts';
import { requireNamed } from '../../session/ask/confirm.ts';
import { editorOf, runEditor } from '../../session/ask/editor.ts';
import type { Context } from '../../session/context.ts';
import type { FileWords } from '../../session/names/file-words.ts';
import { nowFor } from '../../session/relative-days.ts';
import { agreeTo, outcomesOfChanges } from '../file/carry-out.ts';
import { changesOfRows } from '../file/rows.ts';
import type { ChangeOfRow, FileRow, TargetChange } from '../file/target.ts';
import { bodyIn, type Complaint, type EditedFile, fileText, linesAbove, numberedOut, shownFields, yamlFile } from './edited-file.ts';

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

function recordMeant({ name, singular }: Resource, { flags }: Context, typed: string): Id {
  if (typed !== '-' && !typed.includes(',')) return parseId(typed, singular);
  const crm = crmWith(flags.profile);
  const fields = flags.fields === undefined ? '' : ` --fields ${quoteWord(flags.fields.join(','))}`;
  throw new UsageError('An editor opens one record.', {
    hint:
      `Change several records in a file: ${crm} ${name} list --was --csv${fields} > ${name}.csv\n` +
      `Change it in an editor or a spreadsheet, delete the rows that stay as they are, then: ${crm} apply ${name}.csv`,
  });
}

/** An editor and the question after it need a person. */
function requireTerminal({ name }: Resource, { io, flags }: Context): void {
  if (flags.noInput)
    throw new UnconfirmedError('An editor needs a person at a terminal, and --no-input (or CI, or CRM_NO_INPUT) forbids questions.');
  if (io.stderr.isTTY && io.stdin.isTTY) return;
  throw new UnconfirmedError('An editor needs a terminal, and there is none; nothing was done.', {
    hint: `In a script: crm ${name} update, or crm ${name} import --mode update.`,
  });
}

async function editing(resource: Resource, context: Context, words: FileWords, file: EditedFile): Promise<Result> {
  const temporary = context.env.TMPDIR || tmpdir();
  const folder = await mkdtemp(join(temporary, 'crm-edit-')).catch((error: unknown) => {
    throw temporaryError(error, temporary);
  });
  const path = join(folder, file.name);
  const keptIn = `Your text is kept in ${path}`;
  const { signals } = context.io;
  signals.last = keptIn;
  let isKept = false;
  const named = async (problem: unknown, sentence: string): Promise<unknown> => {
    isKept = true;
    // The sentence about a fault takes no hint.
    if (!isCrmError(problem)) await notice(context.io, { quiet: false }, sentence, 'warning');
    return withHints(problem, [sentence]);
  };
  const keepTyped = async (problem: unknown, typed: string | undefined): Promise<unknown> => {
    const text = typed ?? (await textAt(path).catch(() => notText));
    const others = (await readdir(folder).catch(() => [])).filter((name) => name !== file.name);
    // An editor that was killed leaves a file of its own.
    if (others.length > 0 && (context.signal.aborted || text === undefined || text === file.body))
      return named(problem, `The text that the editor saved is in ${folder}`);
    if (text === undefined || text.trim() === '' || text === file.body) return problem;
    if (typed !== undefined) await writeFile(path, `${fileText(file, typed, [])}`, { mode: 0o600 });
    return named(problem, keptIn);
  };
  try {
    const { changes, typed } = await changesIn(resource, context, words, file, path);
    if (changes.length > 0 && !context.flags.dryRun) await agreeTo(resource, context, changes, () => `Change 1 ${resource.singular}?`);
    const outcomes = await Array.fromAsync(outcomesOfChanges(resource, context, changes, { verb: 'edit' }));
    for (const one of outcomes) {
      const problem = 'error' in one ? one.error : one.problem;
      if (problem !== undefined) await keepTyped(problem, typed);
    }
    const chosen = changes.map(({ one }) => one);
    return outcomesResult(resource, context, chosen, ReadableStream.from(outcomes), { empty: 'Nothing changed, and nothing was sent.' });
  } catch (error) {
    throw await keepTyped(error, error instanceof InvalidEdit ? error.typed : undefined);
  } finally {
    signals.last = undefined;
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

/** Stands for a file that holds something, but no text. */
const notText = '\u{FFFD}';

/** The file's text without the comments above it. Undefined when the file is gone. Throws UsageError for a text that is not UTF-8. */
async function textAt(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  return bytes === undefined ? undefined : bodyIn(decodeText(bytes, 'The file that the editor saved'));
}

/** The user closed the editor without mending the mistakes. */
class InvalidEdit extends UsageError {
  /** The text as typed. */
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
): Promise<{ readonly changes: readonly ChangeOfRow[]; readonly typed: string }> {
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
    // Words such as `today` become dates.
    const plainText = ({ target, new: text }: TargetChange): string =>
      target.kind === 'field' && target.field.type.kind === 'date' ? dayOf(text, nowFor(context, text)) : text;
    const rows = read.rows.map((row) => ({ ...row, changes: row.changes.map((one) => ({ ...one, new: plainText(one) })) }));
    const problems = new Problems();
    const changes = await changesOfRows(context, resource, rows, { problems, words });
    for (const row of rows) refuseTyped(row, problems);
    // Checks the whole body against the shown record. The write reads the record again.
    for (const { one, change, row } of changes)
      for (const { write } of change.writes) problems.tryRow(row.place(), () => write(row.shown, one));
    complaints = [...read.complaints, ...problems.fields().map(({ name, messages }) => ({ name, text: messages.join(' ') }))];
    if (complaints.length === 0) return { changes, typed };
    if (isAgain) throw new InvalidEdit(complaints, body, file);
  }
}

function refuseTyped({ changes, place }: FileRow, problems: Problems): void {
  for (const { target, new: value } of changes) {
    const doubt = target.kind === 'field' && target.field.type.kind === 'decimal' ? thousandsDoubt(value) : undefined;
    if (doubt !== undefined) problems.add(place(target.name), `${doubt}.`);
  }
}
