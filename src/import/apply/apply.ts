// `crm apply FILE`: carries out a change file that --plan wrote.

import { UnconfirmedError } from '../../base/errors.ts';
import { Problems } from '../../base/files/problems.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { agreeTo, outcomesOfChanges } from '../../changes/file/carry-out.ts';
import { elementsTyped, holdsText } from '../../changes/file/change-cells.ts';
import { changesOfRows } from '../../changes/file/rows.ts';
import type { ChangeOfRow } from '../../changes/file/target.ts';
import type { ChangeFileFlags } from '../../changes/flags.ts';
import { recordFound } from '../../client/read-record.ts';
import { pluralOf, type Resource } from '../../model/define.ts';
import { idText } from '../../model/records/display.ts';
import { isSameToTheLetter } from '../../model/same.ts';
import { valueNamed } from '../../model/values.ts';
import { type Outcome, type Result, shapeless } from '../../output/result.ts';
import { notice } from '../../output/streams/notice.ts';
import { outcomesResult } from '../../reading/each-record.ts';
import { requireNamed } from '../../session/ask/confirm.ts';
import { askLine, canAsk } from '../../session/ask/prompt.ts';
import type { Context } from '../../session/context.ts';
import { type DecimalMark, decimalMarks, notationOf } from '../columns/notation.ts';
import { tellNewTags } from '../new-tags.ts';
import { type MarkedNumber, numberRead, openChangeFile } from './change-rows.ts';

export async function apply(context: Context, file: string, flags: ChangeFileFlags, prints: 'counts' | 'outcomes'): Promise<Result> {
  const { problems, resource, rows } = await rowsOfFile(context, file, flags);
  const nothing = `There is nothing to change in ${file}.`;
  if (resource === undefined) {
    problems.throwIfAny(file);
    return { kind: 'outcomes', ids: [], outcomes: ReadableStream.from([]), shape: shapeless, empty: nothing, prints };
  }
  const changes = await changesOfRows(context, resource, rows, { problems });
  problems.throwIfAny(file);
  await agreeToFile(context, resource, changes);
  const outcomes = outcomesOfChanges(resource, context, changes, { verb: 'apply' });
  const run = sayingAlike(resource, context, changes, outcomes);
  const chosen = changes.map(({ one }) => one);
  return outcomesResult(resource, context, chosen, run, { empty: nothing, prints });
}

/** The rows of a change file, read again once its decimal mark is known. Throws like openChangeFile, ChangeFile.read and decimalMarkOf. */
async function rowsOfFile(context: Context, name: string, flags: ChangeFileFlags) {
  const notation = notationOf(flags);
  const file = await openChangeFile(context, name, flags);
  try {
    const problems = new Problems();
    const table = await file.read(problems, notation);
    const isUnknown = table.resource !== undefined && problems.names('--decimal-mark');
    const decimalMark = isUnknown ? await decimalMarkOf(context, table.resource, name, table.markedNumbers) : undefined;
    if (decimalMark === undefined) return { problems, ...table };
    const anew = new Problems();
    return { problems: anew, ...(await file.read(anew, { ...notation, decimalMark })) };
  } finally {
    await file.close();
  }
}

/** The outcomes. At the end counts the values that the file doesn't change, and that are different in the records. */
async function* sayingAlike(
  resource: Resource,
  { afterwards }: Context,
  changes: readonly ChangeOfRow[],
  outcomes: AsyncIterable<Outcome>,
): AsyncGenerator<Outcome> {
  const { name, singular } = resource;
  const rows = new Map(changes.map(({ row }) => [String(row.id), row]));
  const different: string[][] = [];
  for await (const outcome of outcomes) {
    yield outcome;
    const record = 'error' in outcome ? undefined : outcome.answer.data;
    if (idText(record) !== String(outcome.id)) continue;
    const alike = [...(rows.get(String(outcome.id))?.alike ?? [])];
    different.push(alike.flatMap(([column, was]) => (holdsText(resource, column, record, was) ? [] : [column])));
  }
  const records = different.filter(({ length }) => length > 0).length;
  const counts = [...Map.groupBy(different.flat(), (column) => column)].map(([column, all]) => `${column} ${all.length}`);
  const holds = howMany(records, `${singular} holds`, `${name} hold`);
  if (records > 0) afterwards.push(`${holds} other values than the file in columns that the file doesn't change: ${counts.join(', ')}.`);
}

/** Shows the changes at a terminal and asks for consent; elsewhere the file is the consent. Throws UnconfirmedError. */
async function agreeToFile(context: Context, resource: Resource, changes: readonly ChangeOfRow[]): Promise<void> {
  const { flags } = context;
  if (changes.length === 0) return;
  await requireNamed(context, { asks: canAsk(context) });
  const isAsked = canAsk(context) && !flags.yes;
  if (flags.dryRun || isAsked) await tellNewTags(context, resource, tagsAdded(changes));
  if (!isAsked || flags.dryRun) return;
  await agreeTo(resource, context, changes, (records) => `Change ${howMany(records, resource.singular, pluralOf(resource))}?`);
}

/** The tags that the rows add. */
const tagsAdded = (changes: readonly ChangeOfRow[]): Set<string> =>
  new Set(
    changes.flatMap(({ row }) =>
      row.changes.flatMap(({ target, old, new: now }) =>
        target.kind === 'set' && target.set.element === undefined
          ? elementsTyped(now).filter((one) => !elementsTyped(old).includes(one))
          : [],
      ),
    ),
  );

/** The most records that are read for the mark. */
const mostRead = 10;

/**
 * The mark with which old numbers of the file are those of their records; else the mark that a person chooses. Undefined when neither shows
 * the mark, or old numbers contradict each other. Throws UnconfirmedError for the answer no.
 */
async function decimalMarkOf(
  context: Context,
  resource: Resource,
  file: string,
  numbers: readonly MarkedNumber[],
): Promise<DecimalMark | undefined> {
  const shown = await markShown(
    context,
    resource,
    numbers.filter(({ isOld }) => isOld),
  );
  if (shown !== undefined) {
    const { mark, text, held } = shown;
    await notice(context.io, context.flags, `A ${mark} divides the decimals in ${file}: "${text}" there is ${held} in the CRM.`);
    return mark;
  }
  return canAsk(context) && !context.flags.yes ? markAgreed(context, file, numbers) : undefined;
}

async function markShown(context: Context, resource: Resource, numbers: readonly MarkedNumber[]) {
  if (numbers.length === 0) return undefined;
  const api = await context.api();
  const shown = new Map<DecimalMark, { readonly mark: DecimalMark; readonly text: string; readonly held: string }>();
  for (const [id, own] of [...Map.groupBy(numbers, (one) => String(one.id))].slice(0, mostRead)) {
    const record = await recordFound(api, `${resource.path}/${id}`);
    for (const { type, name, text } of own) {
      const held = valueNamed(resource, name).shownOf(record);
      const mark = decimalMarks.find((one) => isSameToTheLetter(type, held, numberRead(type, text, one) ?? ''));
      if (mark !== undefined && held !== '') shown.set(mark, { mark, text, held });
    }
  }
  const [first, second] = shown.values();
  return second === undefined ? first : undefined;
}

/** The mark that a person chooses, with a number of the file as each mark reads it. Throws UnconfirmedError for the answer no. */
async function markAgreed(context: Context, file: string, numbers: readonly MarkedNumber[]): Promise<DecimalMark | undefined> {
  const readings = numbers.map(({ type, text }) => ({ text, as: decimalMarks.map((mark) => numberRead(type, text, mark)) }));
  const example = readings.find(({ as }) => !as.includes(undefined)) ?? readings[0];
  if (example === undefined) return undefined;
  const choices = decimalMarks.map((mark, index) => {
    const number = example.as[index];
    return `${index + 1} ${mark}: "${example.text}" is ${number ?? 'no number'}`;
  });
  const isNo = (typed: string): boolean => /^(no?)?$/i.test(typed);
  const typed = await askLine(context, {
    message: `Which mark divides the decimals in ${file}? ${choices.join(', ')}.`,
    hint: '1/2/N',
    problem: (one) => (isNo(one) || /^[12]$/.test(one) ? undefined : 'Type 1, 2 or n.'),
    shown: (one) => decimalMarks[Number(one) - 1] ?? 'No',
  });
  const mark = decimalMarks[Number(typed) - 1];
  if (mark === undefined) throw new UnconfirmedError('Not confirmed: nothing was done.', { isAsked: true });
  return mark;
}
