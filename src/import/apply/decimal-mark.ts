// The decimal mark of a change file, as the held records show it, or as a person at the terminal says.

import { UnconfirmedError } from '../../base/errors.ts';
import { recordFound } from '../../client/read-record.ts';
import type { Resource } from '../../model/define.ts';
import { isSameToTheLetter } from '../../model/same.ts';
import { valueNamed } from '../../model/values.ts';
import { notice } from '../../output/streams/notice.ts';
import { askLine, canAsk } from '../../session/ask/prompt.ts';
import type { Context } from '../../session/context.ts';
import { type DecimalMark, decimalMarks } from '../columns/notation.ts';
import { type MarkedNumber, numberRead } from './change-rows.ts';

/** The most records that are read for the mark. */
const mostRead = 10;

/**
 * The mark with which old numbers of the file are those of their records; else the mark that a person chooses. Undefined when neither shows
 * the mark, or old numbers contradict each other. Throws UnconfirmedError for the answer no.
 */
export async function decimalMarkOf(
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
