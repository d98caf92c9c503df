// `crm <family> edit`: records in the user's editor, and what was changed in them through import's update. What was typed is never lost:
// where it couldn't be sent, its file is kept and named.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRecord } from '../api/read-record.ts';
import { requireNamed } from '../ask/confirm.ts';
import { editorOf, runEditor } from '../ask/editor.ts';
import { askingOnTerminal, canAsk } from '../ask/prompt.ts';
import type { Context } from '../context.ts';
import { CrmError, type FieldProblem, PartialError, UnconfirmedError, UsageError, withHints } from '../errors.ts';
import type { Input } from '../flag.ts';
import {
  bodyIn,
  type Complaint,
  csvFile,
  type EditedFile,
  type EditedRecord,
  fileText,
  importText,
  linesAbove,
  yamlFile,
} from '../import/edit/edited-file.ts';
import { numberedOut, type OpenRecord, openRecord, type ShownField, shownFields, shownPaths } from '../import/edit/shown.ts';
import { textSource } from '../import/files/source.ts';
import { checkImport, runImport } from '../import/import.ts';
import type { ImportRequest, Summary } from '../import/request.ts';
import type { FileWords } from '../names/file-words.ts';
import type { Result } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import { progress } from '../output/streams/progress.ts';
import { pluralOf, type Resource } from '../resources/define.ts';
import type { Id } from '../values/parse.ts';
import { valueAt } from '../values/paths.ts';
import { crmWith } from '../values/shell-word.ts';
import { howMany } from '../values/wording.ts';
import { subjectOf } from '../verbs/effect.ts';
import { type Chosen, choose, type Selection, selectionOf } from '../verbs/selection.ts';
import { previewed, wordsOf } from './import.ts';
import { paceOf } from './pace.ts';

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
  const open = records.map(({ id, record }) => openRecord(resource, id, record));
  const [first] = open;
  const file =
    selection.kind === 'one' && first !== undefined
      ? await yamlFile(resource, first, shown)
      : await csvFile(resource, open, shown, context.flags.csvRaw);
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

interface Read {
  readonly id: Id;
  readonly record: unknown;
}

/** The records of a selection, each with all that is shown. Throws what reading throws, and UsageError for too many. */
async function opened(resource: Resource, context: Context, selection: Selection, fields: readonly ShownField[]): Promise<Read[]> {
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
    const records: Read[] = [];
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
async function whole({ path }: Resource, context: Context, { id, record }: Chosen, paths: readonly string[]): Promise<Read> {
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
    const text = typed ?? bodyIn(await readFile(path, 'utf8').catch(() => ''));
    if (context.signal.aborted && (await readdir(folder)).length > 1) {
      isKept = true;
      return withHints(problem, [`What the editor kept of it is in ${folder}`]);
    }
    if (text.trim() === '' || text === file.body) return problem;
    if (typed !== undefined) await writeFile(path, `${fileText(file, typed, [])}`, { mode: 0o600 });
    isKept = true;
    return withHints(problem, [`What you wrote is kept in ${path}`]);
  };
  try {
    const { edited, typed, words } = await editedIn(resource, context, input, file, path);
    if (words === undefined || edited.length === 0) return nothing('Nothing changed, and nothing was sent.');
    const result = await sent(resource, context, words, edited);
    if (result.kind !== 'rows' || result.problem === undefined) return result;
    return { ...result, problem: await keep(result.problem, typed) };
  } catch (error) {
    throw await keep(error, error instanceof InvalidEdit ? error.typed : undefined);
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

/** Given up while something was wrong. */
class InvalidEdit extends UsageError {
  /** What was typed before that. */
  readonly typed: string;

  constructor(complaints: readonly Complaint[], typed: string, file: EditedFile) {
    const fields = complaints.map(({ line, text }): FieldProblem => {
      if (line !== undefined) return { name: `line ${line + linesAbove(file)}`, messages: [text] };
      const [, name = '', message = text] = /^([\w-]+(?: [\d, and]+)?(?:, [\w-]+)?): (.*)$/s.exec(text) ?? [];
      return { name, messages: [message] };
    });
    super('The file was left with mistakes in it: nothing was sent.', { fields });
    this.typed = typed;
  }
}

/** What was changed, once nothing is wrong with it. Throws what the editor throws, and InvalidEdit. */
async function editedIn(
  resource: Resource,
  context: Context,
  input: Input,
  file: EditedFile,
  path: string,
): Promise<{ readonly edited: readonly EditedRecord[]; readonly typed: string; readonly words?: FileWords }> {
  const editor = editorOf(context.env);
  let complaints: readonly Complaint[] = [];
  let body = file.body;
  for (;;) {
    await writeFile(path, fileText(file, body, complaints), { mode: 0o600 });
    await runEditor(context, editor, path);
    const typed = bodyIn(await readFile(path, 'utf8').catch(() => ''));
    if (typed.trim() === '' || typed === body) {
      if (complaints.length > 0) throw new InvalidEdit(complaints, body, file);
      return { edited: [], typed };
    }
    body = typed;
    const reading = await file.read(body);
    const words = wordsOf(resource, input.flags);
    const values = reading.edited.length === 0 ? [] : await complaintsOf(resource, context, words, { ...reading, ...file });
    complaints = [...reading.complaints, ...values];
    if (complaints.length > 0) continue;
    if (reading.leftOut > 0) {
      const text = `${howMany(reading.leftOut, `${resource.singular} was`, `${pluralOf(resource)} were`)} taken out of the file, which changes nothing.`;
      await notice(context.io, context.flags, text);
    }
    return { edited: reading.edited, typed, words };
  }
}

/** What is wrong with the values; where one record is edited alone, by its fields. Throws what looking up names throws. */
async function complaintsOf(
  resource: Resource,
  context: Context,
  words: FileWords,
  { edited, isAlone }: { readonly edited: readonly EditedRecord[]; readonly isAlone: boolean },
): Promise<Complaint[]> {
  const request = await requestOf(resource, context, words, edited, shownFields(resource, undefined));
  try {
    await checkImport(context, request);
    return [];
  } catch (error) {
    if (!(error instanceof UsageError) || error.details.fields === undefined) throw error;
    const problems = named(resource, edited, error.details.fields);
    return problems.map(({ name, messages }) => ({ text: `${isAlone ? name.replace(/^[^,]*, /, '') : name}: ${messages.join(' ')}` }));
  } finally {
    await request.source.close();
  }
}

/** Problems by the records that they are about: rows stand one on a line. */
function named({ singular, name: plural }: Resource, edited: readonly EditedRecord[], problems: readonly FieldProblem[]): FieldProblem[] {
  return problems.map(({ name, messages, lines, count }) => {
    const [, line = '', member] = /^lines? (\d+)[^,]*?(?:, .*?)?(?:(?:, )?member (.*))?$/s.exec(name) ?? [];
    const numbers = lines ?? (line === '' ? [] : [Number(line)]);
    const ids = numbers.map((number) => String(edited[number - 1]?.record.id ?? ''));
    const more = (count ?? ids.length) - ids.length;
    const which = `${ids.length + more === 1 ? singular : plural} ${ids.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return { name: ids.length === 0 ? name : [which, member].filter(Boolean).join(', '), messages };
  });
}

/** What was changed as an import. `beside`: fields of which those that a change is checked with are given, too. */
async function requestOf(
  resource: Resource,
  context: Context,
  words: FileWords,
  edited: readonly EditedRecord[],
  beside: readonly ShownField[] = [],
): Promise<ImportRequest> {
  return {
    plan: {
      resource,
      format: 'ndjson',
      mode: 'update',
      match: { kind: 'id' },
      maps: new Map(),
      constants: [],
      meanings: new Map(),
      notation: { isPlain: true },
      skipInvalid: false,
      clearBlanks: true,
      csvRaw: context.flags.csvRaw,
      overwritesNewer: false,
      shown: new Map(edited.map(({ record: { id, record } }) => [String(id), record])),
      words,
    },
    source: await textSource(`the edited ${resource.name}`, importText(edited, beside)),
    ...paceOf({}),
    maxErrors: Number.POSITIVE_INFINITY,
    resume: false,
    again: false,
    isEdit: true,
    sendAgain: [],
    arrived: new Map(),
    resumeCommand: `${crmWith(context.flags.profile)} ${resource.name} edit`,
    rejectsCommand: () => `${crmWith(context.flags.profile)} ${resource.name} edit`,
  };
}

async function sent(resource: Resource, context: Context, words: FileWords, edited: readonly EditedRecord[]): Promise<Result> {
  const request = await requestOf(resource, context, words, edited);
  if (context.flags.dryRun) return previewed(context, request);
  const { summary, problem } = await runImport(context, request).finally(() => request.source.close());
  const { total, updated, unchanged, failed, conflicts, unknown } = summary;
  return {
    kind: 'rows',
    data: { total, updated, unchanged, failed, conflicts, unknown },
    shape: { columns: [], record: [] },
    isWhole: true,
    drawn: {
      sentence: sentenceOf(
        resource,
        summary,
        edited.map(({ record }) => record),
      ),
    },
    ...(problem === undefined ? {} : { problem: problemOf(resource, context, summary, problem, edited) }),
  };
}

function sentenceOf({ singular, name }: Resource, { total, updated }: Summary, [first]: readonly OpenRecord[]): string {
  if (total === 1 && first !== undefined) {
    const which = subjectOf(singular, first.id);
    return updated === 1 ? `${which} changed.` : `${which} was not changed.`;
  }
  return updated === 0 ? `No ${singular} was changed.` : `${updated} of ${total} ${name} changed.`;
}

/** Why not all of it went through, by the records, and what to do about it. */
function problemOf(resource: Resource, { flags }: Context, summary: Summary, problem: unknown, edited: readonly EditedRecord[]): unknown {
  if (!(problem instanceof CrmError)) return problem;
  const fields = named(resource, edited, problem.details.fields ?? []);
  if (!(problem instanceof PartialError)) {
    if (fields.length > 0) problem.details.fields = fields;
    return problem;
  }
  const { total, failed, conflicts, unknown } = summary;
  const counts = [
    failed > 0 ? `${failed} failed` : '',
    conflicts > 0 ? `${conflicts} changed by somebody else meanwhile` : '',
    unknown > 0 ? `of ${unknown} nobody knows whether it arrived` : '',
  ].filter(Boolean);
  const which = edited.length === 1 ? String(edited[0]?.record.id) : 'ID';
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
    fields,
    ...(ways.length === 0 ? {} : { hint: ways.join('\n') }),
  });
}
