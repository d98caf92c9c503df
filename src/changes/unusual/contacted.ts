// `crm leads contacted`: sets the date of the last contact and adds a comment. The date is sent first: a repeated date does no harm, but a
// repeated comment would stand there twice.

import { InterruptedError, UnavailableError, withHints } from '../../base/errors.ts';
import type { Input } from '../../base/flag.ts';
import type { Body } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { type Id, parseValue, together } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import { crmWith, quoteWord } from '../../base/values/text/shell-word.ts';
import { dayOf } from '../../base/values/time/days.ts';
import type { Answer } from '../../client/types.ts';
import { date } from '../../model/define.ts';
import { type Difference, newOnly } from '../../model/records/difference.ts';
import { leadComment, leads } from '../../model/resources/leads.ts';
import type { Result } from '../../output/result.ts';
import type { Context } from '../../session/context.ts';
import { changesOf, effectOfChange, requestedOf } from '../../verbs/effect.ts';
import { choose, type Selection, selectionOf } from '../../verbs/selection.ts';
import { changeEach, changeOne } from '../change-each.ts';
import { confirmChange } from '../question.ts';
import type { RecordChange } from '../record-change.ts';
import { mergeChange, tellAbsent } from '../update.ts';
import { commentChange, commentShape, type GivenComment, givenComment, giveText, quotedComment, sendComment } from './comments.ts';

const lastContacted = leads.fields.filter(({ flag }) => flag === 'last-contacted');

/** The lead, with the comment as a member. */
export const contacted = { ...leads, record: [...leads.record, ...commentShape.record.map((path) => `comment.${path}`)] };

/** Sets the date of the last contact of a lead, or of each lead of a selection. Adds the comment, if a comment is given. */
export async function contact(context: Context, input: Input): Promise<Result> {
  const [selection, day] = together(
    () => selectionOf(leads, input, giveText),
    () => String(parseValue(date, String(input.flags.on ?? dayOf('today', context.clock.now())), '--on')),
  );
  const comment = await givenComment(context, input);
  const given: Body = new Map(lastContacted.map(({ wire }) => [wire, day]));
  return selection.kind === 'one'
    ? contactOne(context, selection.id, { day, given, comment })
    : contactEach(context, selection, { day, given, comment });
}

interface Contact {
  readonly day: string;
  /** The day as a request body. */
  readonly given: Body;
  readonly comment: GivenComment | undefined;
}

async function contactOne(context: Context, id: Id, { day, given, comment }: Contact): Promise<Result> {
  const tellAbsentRecord = (_id: Id, absent: string): void => tellAbsent(context, absent, 'The record');
  const { answer, effect } = await changeOne(leads, context, { id }, dayChange(given, { tell: tellAbsentRecord })).catch(
    (error: unknown) => {
      throw withHints(error, [comment === undefined ? undefined : notSent]);
    },
  );
  const changes = [...(effect.changes ?? [])];
  if (comment === undefined) {
    const done = changes.length > 0 && !changes.every((one) => one.isRefused) ? 'contacted' : effect.done;
    return { kind: 'record', answer, shape: contacted, effect: { ...effect, done } };
  }
  const added = await sendComment(context, id, comment.body).catch((error: unknown) => {
    throw withHints(error, [aloneText(context, id, { day, comment, error, changes })]);
  });
  context.written.push({ resource: leads, id, kind: leadComment.verb, did: 'commented', body: comment.body });
  changes.push(newOnly('comment', await quotedComment(scalarText(valueAt(added.data, 'text') ?? comment.text))));
  return { kind: 'record', answer: withComment(answer, added.data), shape: contacted, effect: { ...effect, done: 'contacted', changes } };
}

const notSent = 'The comment was not sent.';

/** The RecordChange that sets the date. */
const dayChange = (given: Body, how: Parameters<typeof mergeChange>[2] = {}): RecordChange => ({
  ...mergeChange(leads, given, how),
  effect: ({ id }, before, after) =>
    effectOfChange(leads, id, changesOf(requestedOf(leads, lastContacted, given), before, after), [after, before]),
});

/** Sets the date of each lead of a selection, then adds the comment. Both are steps of one run. */
async function contactEach(context: Context, selection: Selection, { day, given, comment }: Contact): Promise<Result> {
  const [chosen, shown] = [await choose(leads, context, selection), comment === undefined ? '' : await quotedComment(comment.text)];
  const besides = comment === undefined ? '' : `, and comment ${shown}`;
  const says = (records: string): string => `Set the last contact of ${records} to ${day}${besides}`;
  const confirmed = await confirmChange(leads, context, selection, chosen, { says });
  const change = dayChange(given);
  if (comment === undefined) return changeEach(leads, context, selection, confirmed, change, contacted);
  const both: NonNullable<RecordChange['further']>['both'] = (first, second) => {
    const changes = first.effect?.changes ?? [];
    if ('error' in second) {
      withHints(second.error, [aloneText(context, first.id, { day, comment, error: second.error, changes })]);
      return second;
    }
    const all = [...changes, ...(second.effect?.changes ?? [])];
    const effect = first.effect === undefined || all.length === 0 ? first.effect : { ...first.effect, done: 'contacted', changes: all };
    return { ...first, answer: withComment(first.answer, second.answer.data), ...(effect === undefined ? {} : { effect }) };
  };
  const further = { changes: [commentChange(comment, shown)], both };
  return changeEach(
    leads,
    context,
    selection,
    confirmed,
    { ...change, explain: (error) => withHints(error, [notSent]), further },
    contacted,
  );
}

interface Uncommented {
  readonly day: string;
  readonly comment: GivenComment;
  readonly error: unknown;
  /** The lead's changed values. */
  readonly changes: readonly Difference[];
}

/** The message for a comment that failed after the date was set: the date's outcome, and how to send the comment alone. */
function aloneText({ flags }: Context, id: Id, { day, comment, error, changes }: Uncommented): string {
  const alone = `${crmWith(flags.profile)} leads comments add ${id} ${commentWord(comment.typed)}`;
  // When the answer was lost, the comment may have been added: a second attempt could add a second comment.
  const isUnknown = error instanceof UnavailableError || error instanceof InterruptedError;
  const how = isUnknown ? 'Only if the comment is not there' : 'To send the comment alone';
  const date = changes.some((one) => one.isRefused) ? 'was sent' : `is set, to ${day}`;
  return `The date of the last contact ${date}. ${how}: ${alone}`;
}

/** The comment for a command line. A comment that is long or has several lines becomes `TEXT`. */
const commentWord = (typed: string): string => (typed.length > 200 || /[\n\r]/.test(typed) ? 'TEXT' : quoteWord(typed));

/** The answered lead, with the comment as a member. */
function withComment(answer: Answer, comment: unknown): Answer {
  const data = { ...(isMembers(answer.data) ? answer.data : {}), comment: comment ?? null };
  const { envelope } = answer;
  return { ...answer, data, envelope: isMembers(envelope) && Object.hasOwn(envelope, 'data') ? { ...envelope, data } : data };
}
