// Writes the result of a command in the chosen format, and decides the exit status. Standard output gets only the result; notices follow
// on standard error.

import {
  ConflictError,
  CrmError,
  exitStatuses,
  type Failure,
  IncompleteListError,
  PartialError,
  UnconfirmedError,
  withHints,
} from '../base/errors.ts';
import {
  formatFacts,
  type GlobalFlags,
  holdsMembers,
  isDocument,
  isDrawing,
  isJsonDocument,
  isPage,
  isTextTable,
  wantsJson,
} from '../base/global-flags.ts';
import { inThousands } from '../base/limits.ts';
import { isMembers, type Members } from '../base/values/paths.ts';
import { crmWith } from '../base/values/text/shell-word.ts';
import type { Answer } from '../client/types.ts';
import { displayText } from '../model/records/display.ts';
import { withJoined } from '../model/records/joined.ts';
import type { Rows } from './effect.ts';
import { resolvedFields, unknownFields } from './fields.ts';
import { documentText, formatWriter, type ResultView } from './formats/formats.ts';
import { envelopeDocument, jsonDocument, rowsDocument, selected } from './formats/json.ts';
import type { RecordWriter } from './formats/writer.ts';
import { screenText } from './help-page.ts';
import type { Jq } from './jq/jq.ts';
import { failureLines, renderError, renderFailure } from './render-error.ts';
import { type Done, type Drawing, type Outcome, type PreviewRow, type Result, type Shape, type Sum, shapeless } from './result.ts';
import { type Io, StdoutClosed, StdoutFailed } from './streams/io.ts';
import { type NoticeKind, notice } from './streams/notice.ts';
import { loadTheme } from './streams/theme.ts';

export interface RenderOptions {
  readonly io: Io;
  readonly flags: GlobalFlags;
  readonly signal: AbortSignal;
  /** The time that ages (`3 days ago`) are counted from. */
  readonly now: Date;
  /** The jq of --jq, already started. */
  readonly jq?: Jq | undefined;
  /** Told how many records the result shows, except under --jq. */
  readonly count?: ((records: number, shape: Shape) => void) | undefined;
  /** The profile or the service, for the foot of a page. */
  readonly place?: string | undefined;
  /** The command only reads: a --jq expression that fails is an error. After a write it is a warning. */
  readonly isRead?: boolean;
}

type Of<Kind extends Result['kind']> = Extract<Result, { kind: Kind }>;

/**
 * Writes a result and returns the exit status. Each page is written before the next is read. Throws StdoutClosed, StdoutFailed and the
 * errors of the result's iterables.
 */
export async function render(result: Result, options: RenderOptions): Promise<number> {
  const { io, flags, signal } = options;
  try {
    if (io.pager === undefined || flags.noPager || !isReading(result)) return await writeFiltered(result, options);
    return await io.pager.during(() => writeFiltered(result, options), signal);
  } catch (error) {
    // The error of the output also names the change that was made before.
    throw error instanceof StdoutFailed ? withHints(error, [await doneBefore(result)]) : error;
  }
}

/** Only such a result goes to the pager. */
function isReading(result: Result): boolean {
  if (result.kind === 'record') return result.effect === undefined;
  if (result.kind === 'rows') return result.sum !== undefined || result.notice === undefined || result.isRead === true;
  return readings.has(result.kind);
}

async function doneBefore(result: Result): Promise<string | undefined> {
  if (result.kind === 'record' && result.effect !== undefined) {
    return `Before that: ${await (await import('./effect.ts')).effectLine(result.effect)}`;
  }
  return 'notice' in result && result.notice !== undefined ? `Before that: ${result.notice}` : undefined;
}

async function writeFiltered(result: Result, options: RenderOptions): Promise<number> {
  const { jq, io, flags } = options;
  if (jq === undefined) return write(result, options);
  const { filterWith } = await import('./jq/filter.ts');
  const isRead =
    options.isRead === true || readings.has(result.kind) || result.isRead === true || (result.kind === 'text' && result.text !== undefined);
  const filter = filterWith(jq, io, !isRead);
  let status: number;
  try {
    status = await write(result, { ...options, io: filter.io, count: undefined });
  } catch (error) {
    // With ndjson, a list that breaks off still prints the values of the records before.
    if (jq.perRecord && !options.signal.aborted) await filter.end().catch(() => undefined);
    throw error;
  }
  const { said, error } = await filter.end();
  for (const line of said) await notice(io, flags, line);
  if (error === undefined) return status;
  if (isRead && status === exitStatuses.done.status) throw error;
  const isWhole = await filter.putWhole();
  await notice(io, flags, `${error.message}${isWhole ? ' The whole result is printed instead.' : ''}`, 'warning');
  return status;
}

/** The kinds of results that never report a change. */
const readings: ReadonlySet<Result['kind']> = new Set(['records', 'unsent', 'preview']);

async function write(result: Result, options: RenderOptions): Promise<number> {
  const view = viewOf(result, options);
  switch (result.kind) {
    case 'record':
      // On a terminal the effect tells all, and the record is left out unless asked for.
      if (result.effect === undefined || result.isAsked || !tellsAll(view)) await writeValue(result.answer, view);
      await view.io.flush();
      if (result.effect !== undefined) await (await import('./effect.ts')).tellEffect(view.io, view.flags, result.effect);
      break;
    case 'records': {
      const problem = await renderPages(result, view, options.signal);
      if (problem !== undefined) return renderError(problem, options);
      break;
    }
    case 'rows':
      await renderRows(result, view);
      break;
    case 'outcomes':
      return renderOutcomes(result, view);
    case 'unsent':
      return renderUnsent(result, view);
    case 'preview':
      return renderPreview(result, view, options);
    case 'text':
      if (result.text !== undefined) await view.io.out(result.text);
      // Output with --json is always one document.
      else if (isJsonDocument(view.format)) await view.io.out(jsonDocument([]));
      await tell(view, result.notice, options.flags.dryRun ? 'plain' : 'done');
  }
  const status = result.problem === undefined ? exitStatuses.done.status : await renderError(result.problem, options);
  return result.status ?? status;
}

function viewOf(result: Result, { io, flags: globalFlags, now, count, place }: RenderOptions): ResultView {
  const flags = result.isWhole ? withoutSelection(globalFlags) : globalFlags;
  const format = flags.outputNamed ? flags.output : (result.format ?? flags.output);
  const shape = 'shape' in result ? result.shape : shapeless;
  // An answer without a declared shape doesn't show whether the request was a read, so the command says it.
  const isRecordRead = result.kind === 'record' && (result.isRead === true || (result.effect === undefined && shape.record.length > 0));
  const isRead = result.kind === 'records' || isRecordRead || (result.kind === 'rows' && result.isRead === true);
  const askedFor = 'askedFor' in result ? result.askedFor : undefined;
  return { io, flags, format, shape, now, isRead, count, place, ...(askedFor === undefined ? {} : { askedFor }) };
}

/** A line, or several, for standard error. */
type Said = string | readonly string[] | undefined;

async function tell({ io, flags }: ResultView, text: Said, kind: NoticeKind): Promise<void> {
  await io.flush();
  for (const line of [text ?? []].flat()) await notice(io, flags, line, kind);
}

async function listWriter(view: ResultView, sparse = false): Promise<RecordWriter> {
  const writer = await formatWriter(view, sparse);
  const whole = joinedIn(view);
  if (view.count === undefined && whole === undefined) return writer;
  return {
    ...writer,
    page: async (records, document) => {
      await (whole === undefined ? writer.page(records, document) : writer.page(records.map(whole), inEnvelope(document, whole)));
      view.count?.(records.length, view.shape);
    },
  };
}

/** The function that adds joined names to a record, if --fields or a column has such a name. */
const joinedIn = ({ shape, flags }: ResultView): ((record: unknown) => unknown) | undefined =>
  withJoined(shape, flags.fields ?? shape.columns.map(({ path }) => path));

/** An answer of the service whose records have their joined names. */
function inEnvelope(document: unknown, whole: (record: unknown) => unknown): unknown {
  if (!isMembers(document) || !Object.hasOwn(document, 'data')) return document;
  return { ...document, data: Array.isArray(document.data) ? document.data.map(whole) : whole(document.data) };
}

async function renderRows({ data, drawn, notice: line, lines, sum, problem }: Of<'rows'>, view: ResultView): Promise<void> {
  const text = lines ?? line;
  if (drawn !== undefined && isDrawn(drawn, view)) {
    await writeDrawing(drawn, view, problem === undefined);
    return 'lines' in drawn ? tell(view, text, 'plain') : undefined;
  }
  if (sum === undefined) return writeValue({ data, envelope: data }, view, text);
  // The rows of a report are groups, not records.
  await writeSummed(
    data as readonly Members[],
    sum,
    await withPaths({ ...view, count: undefined, ...chartOf(drawn) }, recordsShown(data)),
    text,
  );
}

const chartOf = (drawn: Drawing | undefined): Pick<ResultView, 'chart'> => (drawn !== undefined && 'chart' in drawn ? drawn : {});

function isDrawn(drawn: Drawing, { io, flags, format }: ResultView): boolean {
  if (!isDrawing(format) || !io.stdout.isTTY) return false;
  if ('sentence' in drawn) return !flags.quiet;
  // --all-fields doesn't apply to a help page.
  return flags.fields === undefined && ('page' in drawn || !flags.allFields);
}

async function writeDrawing(drawn: Drawing, view: ResultView, isWell: boolean): Promise<void> {
  if ('sentence' in drawn) return tell(view, drawn.sentence === '' ? undefined : drawn.sentence, isWell ? 'done' : 'plain');
  if ('page' in drawn) return view.io.out(screenText(drawn.page, view.io.stdout));
  if ('chart' in drawn) {
    await (await import('./charts.ts')).writeChart(drawn.chart, view);
    return tell(view, drawn.chart.hint, 'plain');
  }
  if ('lines' in drawn) {
    const { wrappedLines } = await import('./differences.ts');
    return view.io.out(await wrappedLines(drawn.lines, view.io));
  }
  const { record, meanings, closing } = drawn;
  await printOne(record, { ...view, shape: { ...shapeless, meanings } });
  return tell(view, isWell ? closing : undefined, 'done');
}

/** Writes rows with their total: as a member in JSON and YAML, as the last row in a sheet, elsewhere as a notice. */
async function writeSummed(rows: readonly Members[], { total, sheet }: Sum, view: ResultView, text: Said): Promise<void> {
  const { flags, format } = view;
  const { layout, readBy } = formatFacts[format];
  if (isDocument(format)) {
    const document = { rows: rows.map((row) => selected(row, flags.fields)), total };
    await printOne(document, { ...view, flags: withoutSelection(flags) });
    return tell(view, undefined, 'plain');
  }
  const shown = layout === 'rows' && readBy === 'people' ? sheet : rows;
  await writeList(rows.length > 0 ? shown : rows, view);
  await tell(view, text, 'plain');
}

async function writeValue({ data, envelope }: Pick<Answer, 'data' | 'envelope'>, initial: ResultView, text?: Said): Promise<void> {
  const isEmptyList = Array.isArray(data) && data.length === 0;
  const view = await withPaths(initial, recordsShown(data));
  if (view.flags.envelope) {
    const whole = joinedIn(view);
    await view.io.out(envelopeDocument(whole === undefined ? envelope : inEnvelope(envelope, whole), view.flags.fields));
    view.count?.(recordsShown(data).length, view.shape);
  } else if (Array.isArray(data)) await writeList(data, view);
  else await printOne(data, view);
  await tell(view, text, isEmptyList || view.flags.dryRun || view.isRead ? 'plain' : 'done');
}

async function writeList(records: readonly unknown[], view: ResultView, sparse = false): Promise<void> {
  const writer = await listWriter(view, sparse);
  try {
    await writer.page(records);
    await writer.end();
  } catch (error) {
    await writer.drop?.();
    throw error;
  }
}

async function printOne(plain: unknown, view: ResultView): Promise<void> {
  const { io, flags, format } = view;
  const record = joinedIn(view)?.(plain) ?? plain;
  const isMissing = record === undefined || record === null;
  if (isPage(format) && isMembers(record)) {
    await io.out(await (await import('./formats/html.ts')).htmlPage(record, view));
    return view.count?.(1, view.shape);
  }
  if (formatFacts[format].layout === 'rows') return writeList(isMissing ? [] : [record], view);
  view.count?.(isMissing ? 0 : 1, view.shape);
  if (isDocument(format)) return io.out(await documentText(format, isMissing ? null : selected(record, flags.fields)));
  if (isMembers(record)) return (await import('./tables/record-view.ts')).printRecord(record, view);
  if (!isMissing) await io.out(`${displayText(record)}\n`);
}

const tellsAll = ({ io, flags }: ResultView): boolean =>
  io.stdout.isTTY && !flags.outputNamed && flags.fields === undefined && !flags.allFields;

function recordsShown(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data;
  return data === undefined || data === null ? [] : [data];
}

/** Throws InvalidValues for unknown names, warns after a write. */
async function withPaths(view: ResultView, records: readonly unknown[]): Promise<ResultView> {
  const { io, flags, shape, isRead } = view;
  if (flags.fields === undefined) return view;
  const { paths, unknown } = resolvedFields(flags.fields, shape, records);
  if (unknown.length > 0 && isRead) throw unknownFields(unknown, shape);
  if (unknown.length > 0 && records.length > 0) await notice(io, flags, unknownFields(unknown, shape).message, 'warning');
  return { ...view, flags: { ...flags, fields: paths } };
}

/** Returns the error of a list that is not complete, after what came. */
async function renderPages(
  { pages, empty, facts }: Of<'records'>,
  view: ResultView,
  signal: AbortSignal,
): Promise<IncompleteListError | undefined> {
  let writer: RecordWriter | undefined;
  let last: unknown;
  let count = 0;
  let problem: IncompleteListError | undefined;
  try {
    for await (const { data, envelope } of untilIncomplete(pages, (error) => {
      problem = error;
    })) {
      signal.throwIfAborted();
      const records = recordsShown(data);
      last = envelope;
      // Names in --fields can't be checked against a page without records.
      if (records.length === 0 && writer === undefined) continue;
      writer ??= await listWriter(await withPaths(view, records));
      count += records.length;
      await writer.page(records, envelope);
      await view.io.flush();
    }
    if (writer === undefined) {
      writer = await listWriter(await withPaths(view, []));
      await writer.page([], last);
    }
  } catch (error) {
    // A list that breaks off gets no end, so that the document is visibly incomplete.
    await writer?.drop?.();
    if (!(error instanceof StdoutClosed)) await view.io.flush();
    throw error;
  }
  await writer.end(facts?.(count));
  await view.io.flush();
  if (count === 0 && isDrawing(view.format) && problem === undefined) await tell(view, empty(), 'plain');
  return problem;
}

async function* untilIncomplete(pages: AsyncIterable<Answer>, tell: (error: IncompleteListError) => void): AsyncGenerator<Answer> {
  try {
    yield* pages;
  } catch (error) {
    if (!(error instanceof IncompleteListError)) throw error;
    tell(error);
  }
}

async function renderOutcomes({ outcomes, ids, empty, run, prints }: Of<'outcomes'>, view: ResultView): Promise<number> {
  const done: Done[] = [];
  const failures: Failure[] = [];
  const each: Outcome[] = [];
  let all = 0;
  const isForProgram = prints === 'counts' || holdsMembers(view.format);
  const writeThem = (): Promise<void> =>
    prints !== undefined && isForProgram ? writeOutcomeRows(each, prints === 'counts', view) : writeAnswers(done, view);
  const rows = hasRows(view, ids.length) ? (await import('./effect.ts')).rowsFor(view.io, view.flags, ids) : undefined;
  // The failures of a change file stand together at the end.
  const isAtEnd = prints !== undefined && !wantsJson(view.flags);
  try {
    for await (const outcome of outcomes) {
      all += 1;
      each.push(outcome);
      if ('error' in outcome) failures.push(outcome);
      else done.push(outcome);
      const isRow = rows === undefined || ('error' in outcome ? failures : done).length <= mostRows;
      if (isRow && !(isAtEnd && 'error' in outcome)) await tellOutcome(outcome, rows, view);
      if (!('error' in outcome) && outcome.problem !== undefined) {
        const failure = { id: outcome.id, name: outcome.name, error: outcome.problem };
        failures.push(failure);
        await renderFailure(failure, view);
      }
    }
  } catch (error) {
    if (done.length > 0) await writeThem();
    if (isAtEnd) for (const failure of failures) await renderFailure(failure, view);
    if (error instanceof CrmError && failures.length > 0) error.details.failures = failures;
    throw error;
  }
  await writeThem().catch((error: unknown) => {
    throw error instanceof StdoutFailed ? withHints(error, [`Before that: ${wentThrough(done, failures)}`]) : error;
  });
  if (all === 0 && isDrawing(view.format)) await tell(view, empty, 'plain');
  const counted = isAtEnd ? [done] : [done, failures];
  const hidden = rows === undefined ? 0 : counted.reduce((sum, { length }) => sum + Math.max(0, length - mostRows), 0);
  const named = run?.();
  const where = named === undefined ? '' : `: ${crmWith(view.flags.profile)} history show ${named}`;
  if (hidden > 0) await notice(view.io, view.flags, `and ${inThousands(hidden)} more${where}`);
  return isAtEnd && failures.length > 0 ? renderFailuresAtEnd(done, failures, named, view) : renderSum(done, failures, all, view);
}

async function renderFailuresAtEnd(
  done: readonly Done[],
  failures: readonly Failure[],
  run: string | undefined,
  view: ResultView,
): Promise<number> {
  const effects = done.flatMap(({ effect }) => (effect === undefined ? [] : [effect]));
  const { leftOut, failed } = failureCounts(failures);
  const shown = failures.slice(0, mostRows).map(async ({ name, title, error }) => ({
    name: title === undefined ? name : `${name} (${title})`,
    messages: [(await failureLines(error, view.flags)).map((line) => line.trim()).join(' ')],
  }));
  const more = failures.length > mostRows ? [`And ${inThousands(failures.length - mostRows)} more.`] : [];
  const again = run === undefined ? [] : [`See them again: ${crmWith(view.flags.profile)} history show ${run} --failed`];
  const sum = (await import('./effect.ts')).effectSum(effects, failed, leftOut);
  return renderError(new PartialError(`${sum}.`, { fields: await Promise.all(shown), hint: [...more, ...again].join('\n') }), view);
}

/** How many successes, and how many failures, get a row on a terminal. */
const mostRows = 20;

/** With JSON, standard error is free for the one error object. */
const hasRows = ({ io, flags }: ResultView, count: number): boolean => io.stderr.isTTY && !wantsJson(flags) && count > 1;

async function renderSum(done: readonly Done[], failures: readonly Failure[], all: number, view: ResultView): Promise<number> {
  const effects = done.flatMap(({ effect }) => (effect === undefined ? [] : [effect]));
  if (!hasRows(view, all) || effects.length === 0) {
    return renderFailures(failures, all, view);
  }
  const [{ effectSum }, { leftOut, failed }] = [await import('./effect.ts'), failureCounts(failures)];
  await notice(view.io, { quiet: failures.length === 0 && view.flags.quiet }, effectSum(effects, failed, leftOut));
  return failures.length === 0 ? exitStatuses.done.status : exitStatuses.partial.status;
}

function failureCounts(failures: readonly Failure[]): { readonly failed: number; readonly leftOut: number } {
  const leftOut = failures.filter(({ error }) => isLeftOut(error)).length;
  return { failed: failures.length - leftOut, leftOut };
}

/** The user declined, or the record had changed meanwhile. */
const isLeftOut = (error: Error): boolean =>
  error instanceof UnconfirmedError || (error instanceof ConflictError && error.details.httpStatus === undefined);

async function renderFailures(failures: readonly Failure[], all: number, view: ResultView): Promise<number> {
  if (failures.length === 0) return exitStatuses.done.status;
  const { failed, leftOut } = failureCounts(failures);
  const counts = [...(failed > 0 ? [`${failed} of ${all} failed`] : []), ...(leftOut > 0 ? [`${leftOut} of ${all} left out`] : [])];
  return renderError(new PartialError(`${counts.join(', ')}.`, { failures }), view);
}

const wentThrough = (done: readonly Done[], failures: readonly Failure[]): string =>
  `${done.length} of ${done.length + failures.length} went through.`;

async function tellOutcome(outcome: Outcome, rows: Rows | undefined, view: ResultView): Promise<void> {
  const { io, flags } = view;
  if ('error' in outcome) {
    if (rows === undefined) return renderFailure(outcome, view);
    return (await import('./effect.ts')).failedRow(rows, outcome, await failureLines(outcome.error, flags));
  }
  if (outcome.effect === undefined || wantsJson(flags) || (rows === undefined && flags.quiet)) return;
  const { doneRow, tellEffect } = await import('./effect.ts');
  await (rows === undefined ? tellEffect(io, flags, outcome.effect) : doneRow(rows, outcome.id, outcome.effect));
}

/** After the last write: a reader that goes away must not stop the writes. */
async function writeAnswers(done: readonly Done[], view: ResultView): Promise<void> {
  const answers = done.map(({ answer }) => answer);
  if (view.flags.envelope) {
    await view.io.out(jsonDocument(answers.map(({ envelope }) => envelope ?? null)));
    view.count?.(answers.length, view.shape);
  } else if (!tellsAll(view) || done.some(({ effect }) => effect === undefined)) {
    const records = answers.flatMap(({ data }) => (data === undefined && !isJsonDocument(view.format) ? [] : [data ?? null]));
    await writeList(
      records,
      await withPaths(
        view,
        records.filter((one) => one !== null),
      ),
      true,
    );
  }
  await view.io.flush();
}

async function writeOutcomeRows(outcomes: readonly Outcome[], isCounted: boolean, view: ResultView): Promise<void> {
  const { outcomeCounts, outcomeRow } = await import('./outcome-rows.ts');
  const plain: ResultView = { ...view, shape: shapeless, flags: { ...view.flags, envelope: false } };
  if (isCounted) await printOne(outcomeCounts(outcomes), plain);
  else await writeList(outcomes.map(outcomeRow), plain);
  await view.io.flush();
}

async function renderUnsent({ requests, several, effect }: Of<'unsent'>, view: ResultView): Promise<number> {
  const { io, flags, format } = view;
  const { layout, holds } = formatFacts[format];
  if (several !== undefined && !flags.verbose && isTextTable(format)) await writeWouldBe(several, view);
  else if (effect?.changes !== undefined && effect.changes.length > 0 && layout === 'drawing' && io.stdout.isTTY && !flags.verbose) {
    const [{ recordWithDifferences }, { effectName }] = await Promise.all([import('./differences.ts'), import('./effect.ts')]);
    await io.out(await recordWithDifferences(io, effectName(effect), effect.changes));
    await tell(view, 'Nothing was sent. --verbose shows the request.', 'plain');
  } else if (layout === 'drawing' || holds === 'id') {
    const { unsentText } = await import('./formats/dry-run.ts');
    const stream = layout === 'drawing' ? io.stdout : io.stderr;
    const theme = await loadTheme(stream.color);
    const text = requests.map((request) => unsentText(request, theme)).join('');
    if (layout === 'drawing') await io.out(text);
    else io.err(text);
  } else {
    const plain: ResultView = { ...view, flags: withoutSelection(flags) };
    await writeList(requests, plain);
  }
  await io.flush();
  const failures = (several ?? []).filter((one) => 'error' in one);
  for (const failure of failures) await renderFailure(failure, view);
  return renderFailures(failures, requests.length + failures.length, view);
}

async function writeWouldBe(outcomes: readonly Outcome[], initial: ResultView): Promise<void> {
  const { io, format, flags } = initial;
  const { rowOfOutcome, recordsLayout, wouldBeText } = await import('./differences.ts');
  const layout = recordsLayout(format, io);
  const rows = outcomes.flatMap((one) => ('error' in one ? [] : [rowOfOutcome(one)]));
  await writeList(layout.records(rows), { ...initial, shape: layout.shape, flags: withoutSelection(flags) });
  await tell(initial, wouldBeText(outcomes), 'plain');
}

async function renderPreview({ rows, onlyCreates, end }: Of<'preview'>, initial: ResultView, options: RenderOptions): Promise<number> {
  const { io, format } = initial;
  const { previewLayout } = await import('./differences.ts');
  const layout = previewLayout(format, io, onlyCreates);
  const view: ResultView = { ...initial, shape: layout.shape, flags: withoutSelection(initial.flags) };
  const document = isJsonDocument(format) ? rowsDocument(io) : undefined;
  const writer = document ?? (await listWriter(view));
  let page: PreviewRow[] = [];
  try {
    for await (const some of rows) {
      page.push(...some);
      if (page.length < layout.page) continue;
      await writer.page([...layout.records(page)]);
      await io.flush();
      page = [];
    }
    if (page.length > 0) await writer.page([...layout.records(page)]);
  } catch (error) {
    if ('drop' in writer) await writer.drop?.();
    if (!(error instanceof StdoutClosed)) await io.flush();
    throw error;
  }
  if (document === undefined) await (writer as RecordWriter).end();
  await io.flush();
  const { counts, sentence, problem } = await end();
  await (document === undefined ? tell(view, sentence, 'plain') : document.end({ counts }));
  return problem === undefined ? exitStatuses.done.status : renderError(problem, options);
}

/** --fields and --envelope apply only to the service's records. */
function withoutSelection({ fields: _fields, ...flags }: GlobalFlags): GlobalFlags {
  return { ...flags, envelope: false };
}
