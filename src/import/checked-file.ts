// A file after its check: reads the whole file once before anything is sent, and says what is wrong with the file, and what to do.

import { CrmError, UsageError } from '../base/errors.ts';
import { Problems } from '../base/files/problems.ts';
import { howMany } from '../base/values/text/wording.ts';
import { createShape } from '../model/shape.ts';
import { notice } from '../output/streams/notice.ts';
import { progress } from '../output/streams/progress.ts';
import { favourMemory } from '../reading/list/lean-memory.ts';
import type { Context } from '../session/context.ts';
import { withJournal } from '../session/engine.ts';
import type { ReadLists } from '../session/names/resolve.ts';
import { namesById } from '../session/names/run-names.ts';
import { paced } from '../session/open-service.ts';
import { digestedIn } from './begin.ts';
import { mapFlag } from './command-line.ts';
import type { RawRows } from './files/raw-row.ts';
import type { Source } from './files/source.ts';
import { decodedText } from './files/utf8.ts';
import type { ImportJob } from './job.ts';
import { LostSigns } from './match/lost-signs.ts';
import { type ImportRequest, rejectsName } from './request.ts';
import type { RowWork } from './row-change.ts';
import { checkFile, type RowCounts } from './rows/check.ts';
import { RowNotes } from './rows/row-notes.ts';
import { type RowReader, rowReader } from './rows/rows.ts';

/** A file after its check. */
export interface CheckedFile extends RowCounts {
  readonly reader: RowReader;
  readonly notes: RowNotes;
  /** False when the journal held no import, so that `notes` has no digests. */
  readonly mayRepeat: boolean;
  /** Prints a sentence the first time only: a confirmed import goes through the rows twice. */
  readonly tell: RowWork['tell'];
  readonly nameOf: RowWork['nameOf'];
  readonly lostSigns: LostSigns;
  readonly asked?: RowWork['asked'];
}

/**
 * Reads and checks the whole file. Returns also the request, with what only the whole file shows about its columns. Throws UsageError with
 * all problems.
 */
export async function checkedFile(context: Context, request: ImportRequest): Promise<CheckedFile & { readonly request: ImportRequest }> {
  const { problems, file, job } = await readThrough(context, request);
  const known = withShownMark({ ...request, job: { ...job, leadingSigns: file.reader.leadingSigns() } });
  await checkSound(known, problems, file);
  return { ...file, request: known };
}

/**
 * A request whose command for the rejects names the decimal mark that the columns show: the rows that show it may not be among the rejects.
 * Unchanged where columns show different marks.
 */
function withShownMark(request: ImportRequest): ImportRequest {
  const [mark, ...others] = new Set([...(request.job.shownMarks?.values() ?? [])].map((shown) => shown.mark));
  if (mark === undefined || others.length > 0) return request;
  return { ...request, rejectsCommand: (file) => request.rejectsCommand(file, { 'decimal-mark': mark }) };
}

/**
 * Reads and checks the whole file, and once more where a column shows its decimal mark, or the sign of another program, only at the end.
 * `job`: with what columns show.
 */
export async function readThrough(
  context: Context,
  request: ImportRequest,
): Promise<{ problems: Problems; file: CheckedFile; job: ImportJob }> {
  const problems = new Problems();
  const file = await readOnce(context, request, problems);
  const { job } = request;
  const [shownMarks, shownLeads] = [file.reader.shownMarks(), file.reader.shownLeads()];
  if (shownMarks.size + shownLeads.size === 0) return { problems, file, job };
  const known = { ...job, shownMarks, shownLeads };
  const anew = new Problems();
  return { problems: anew, file: await readOnce(context, { ...request, job: known }, anew), job: known };
}

/**
 * Reads and checks the whole file. Only after the check V8 keeps the memory of old objects small: a small memory would make the check
 * slower.
 */
async function readOnce(context: Context, request: ImportRequest, problems: Problems): Promise<CheckedFile> {
  const { job, source } = request;
  const notes = new RowNotes();
  let failure: unknown;
  const noteAndLookUp = nameLookUp(context, request);
  await noteAndLookUp([]);
  const reader = rowReader(job, problems);
  const { during } = progress(context.io, context.flags);
  // A damaged journal may hold an import: the damage is told when the run begins.
  const mayRepeat = await withJournal(context, (journal) => (journal?.runs('import') ?? []).length > 0).catch(
    (error: unknown) => error instanceof CrmError,
  );
  const isDigested = mayRepeat ? digestedIn(request) : () => false;
  const first = (rows: RawRows): Promise<void> =>
    noteAndLookUp(rows).catch((error: unknown) => {
      failure = error;
      throw error;
    });
  const check = checkFile(request, reader, { problems, notes, isDigested, first, signal: context.signal });
  const counts = await during(`Checking ${source.name}`, check);
  favourMemory('old');
  // A failed lookup is not a problem of the file.
  if (failure !== undefined) throw failure;
  const nameOf = namesById(await context.names());
  const said = new Set<string>();
  const tell: RowWork['tell'] = (sentence, kind = sentence) => {
    if (!said.has(kind)) void notice(context.io, context.flags, sentence, 'warning');
    said.add(kind);
  };
  return { reader, notes, mayRepeat, tell, nameOf, lostSigns: new LostSigns(), ...counts };
}

/**
 * Returns a function that looks up the names in a chunk of rows. Called before the rows are checked, so that one check tells all problems.
 * Called with no rows, it looks up the names of constants.
 */
function nameLookUp(context: Context, request: ImportRequest): (rows: RawRows) => Promise<void> {
  const { job, source } = request;
  const { during } = progress(context.io, context.flags);
  const sources = paced(context, request);
  const lists: ReadLists = new Map();
  let reader: RowReader | undefined;
  return async (rows) => {
    job.words.noteMore();
    reader ??= rowReader(job, new Problems());
    reader.noteNames(rows);
    await during(`Looking up the names in ${source.name}`, job.words.lookUp(sources, lists));
  };
}

/**
 * Throws UsageError for a file with problems that --skip-invalid can't leave out, and for an empty file.
 */
async function checkSound(request: ImportRequest, problems: Problems, file: CheckedFile): Promise<void> {
  const { source, job } = request;
  const isRefused = problems.ofFile > 0 || (problems.count > 0 && (!job.skipInvalid || file.valid === 0));
  if (isRefused) throw problems.error(source.name, [...(await headerAdvice(request)), ...waysOut(request, problems, file)]);
  if (file.rows === 0 && (await isBlankFile(source))) throw new UsageError(`There is nothing in ${source.name}.`);
}

/** Prints the notices of the check: what is not sent, looks wrong, or stands in the file twice. */
export async function tellCheck(context: Context, { source, job }: ImportRequest, file: CheckedFile): Promise<void> {
  const { passedOver, leftOut } = file.reader.columns;
  if (leftOut.size > 0) await notice(context.io, context.flags, `Left out, as the mapping says: ${[...leftOut].join(', ')}.`);
  if (passedOver.size > 0)
    await notice(context.io, context.flags, `Not sent, because an import can't write: ${[...passedOver].join(', ')}.`);
  if (job.dialect?.looksReencoded) {
    const sentence = `${source.name} looks re-encoded, as > in Windows PowerShell does: letters became signs such as ├╝. Export it anew with --out FILE.`;
    await notice(context.io, context.flags, sentence, 'warning');
  }
  for (const sentence of file.reader.readPast()) await notice(context.io, context.flags, sentence);
  for (const sentence of file.doubles.sentences()) await notice(context.io, context.flags, sentence, 'warning');
}

/** The flag that names the line with the header, where the first line isn't the header. */
export async function headerAdvice({ job, source }: ImportRequest): Promise<string[]> {
  const { likelyHeaderLine } = await import('./columns/likely-header.ts');
  const line = await likelyHeaderLine(job, source);
  return line === undefined ? [] : [`Line ${line} looks like the header: --header-line ${line} reads the names of the columns there.`];
}

/** Ways to go on with a file that has problems. */
function waysOut({ rejects, job, mapping }: ImportRequest, problems: Problems, { reader, notes, valid }: CheckedFile): string[] {
  const [column] = reader.columns.unknown();
  const rejecting =
    rejects === undefined ? `, and --rejects ${rejectsName({ job })} keeps the ${howMany(notes.invalidCount, 'wrong row')}` : '';
  return [
    ...(column === undefined
      ? []
      : [`${mapFlag(column, 'flag-name')} says which field a column is, and ${mapFlag(column)} leaves the column out.`]),
    ...(mapping !== undefined
      ? placesIn(job, column, problems, reader).map((places) => `Fill in the meaning in ${mapping}: ${places}.`)
      : column === undefined && reader.unknownWords.size === 0
        ? []
        : [
            `${reader.unknownWords.size === 0 ? '' : 'A mapping translates words: '}--save-mapping mapping.yaml writes down what is unknown; fill in the meanings, then give the file with --mapping.`,
          ]),
    ...(problems.ofFile === 0 && valid > 0
      ? [`--skip-invalid sends the other ${howMany(valid, 'row')}${rejecting}. The service may refuse some of them.`]
      : []),
  ];
}

/**
 * The places to fill in in a mapping file, as one text if there are any: the first unknown column, the fields that no column gives, the
 * formats, and the first unknown word of each field.
 */
function placesIn(job: ImportJob, column: string | undefined, problems: Problems, reader: RowReader): string[] {
  const needed = neededFlags(job, reader).map((flag) => `${flag}: …`);
  const places = [
    ...(column === undefined ? [] : [`columns: { '${column}': … }`]),
    ...(needed.length === 0 ? [] : [`constants: { ${needed.join(', ')} }`]),
    ...['decimal-mark', 'date-order'].filter((flag) => problems.names(`--${flag}`)).map((flag) => `${flag}: …`),
    ...[...reader.unknownWords].map(([flag, own]) => `words: { ${flag}: { '${[...own.values()][0] ?? ''}': … } }`),
  ];
  return places.length === 0 ? [] : [places.join(', ')];
}

/** Flags that every new record needs and no column or constant gives. */
export function neededFlags({ resource, mode, constants }: ImportJob, { columns: { fields } }: RowReader): string[] {
  if (mode !== 'create') return [];
  const constantNames = new Set(constants.map(({ name }) => name));
  return createShape(resource)
    .fields.filter((field) => field.required && !fields.has(field) && !constantNames.has(field.flag))
    .map(({ flag }) => flag);
}

async function isBlankFile(source: Source): Promise<boolean> {
  for await (const text of decodedText(source.bytes)) if (text.trim() !== '') return false;
  return true;
}
