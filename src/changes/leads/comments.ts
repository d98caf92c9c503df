// Reads, adds and deletes comments of leads (interface: Lead comment).

import { ConflictError, UsageError } from '../../base/errors.ts';
import type { Input } from '../../base/flag.ts';
import type { Body } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import type { Id } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import { areAlike } from '../../base/values/text/alike.ts';
import { isSameText } from '../../base/values/text/same-text.ts';
import { crmWith } from '../../base/values/text/shell-word.ts';
import type { Api } from '../../client/client.ts';
import { recordsOf } from '../../client/envelope.ts';
import { readRecord, readRecords } from '../../client/read-record.ts';
import { deleteAt, makeRecord } from '../../client/write-record.ts';
import { textBody } from '../../model/bodies/operations.ts';
import { newOnly } from '../../model/records/difference.ts';
import { displayText, idText } from '../../model/records/display.ts';
import { leadComment, leadComments, leads } from '../../model/resources/leads.ts';
import { asItWas, type Result } from '../../output/result.ts';
import { subjectOf, titleIn } from '../../output/subject.ts';
import { choose, selectionOf } from '../../reading/selection.ts';
import { confirmWrite } from '../../session/ask/confirm.ts';
import type { Context } from '../../session/context.ts';
import { readComment } from '../../session/texts.ts';
import { changeEach, tellFound } from '../change-each.ts';
import type { CommentFlags } from '../flags.ts';
import { confirmChange, cutForQuestion, quotesLike } from '../question.ts';
import type { RecordChange } from '../record-change.ts';

/** A comment (interface: Lead comment). */
export const commentShape = leadComments.records;

/** A comment given as an argument or with --text. */
export interface GivenComment {
  /** The comment as typed. */
  readonly typed: string;
  readonly text: string;
  readonly body: Body;
}

/**
 * The given comment. Undefined when no comment is given. Throws UsageError; also when both the comment and the ids come from standard
 * input.
 */
export async function givenComment(context: Context, { args, flags }: Input<CommentFlags>): Promise<GivenComment | undefined> {
  const [selected, second] = args;
  if (second !== undefined && flags.text !== undefined) throw new UsageError('Give the comment once: behind the id or with --text.');
  const typed = second ?? flags.text;
  if (typed === undefined) return undefined;
  if (selected === '-' && typed === '-') throw new UsageError('Only one of the ids and --text can read standard input.');
  const where = second === undefined ? '--text' : 'text';
  const text = await readComment(context, typed, where);
  return { typed, text, body: textBody(leadComment, text, where) };
}

/** The RecordChange that adds a comment. `quoted`: a comment in messages. */
export function commentChange({ text, body }: Pick<GivenComment, 'text' | 'body'>, quoted: (text: string) => string): RecordChange {
  return {
    kind: leadComment.verb,
    did: 'commented',
    read: async (api, { id }) => {
      const lead = await readRecord(api, `${leads.path}/${id}`);
      return { ...(isMembers(lead) ? lead : {}), comments: await readRecords(api, commentsPath(id)) };
    },
    write: (_record, { id }) => ({ method: 'POST', below: leadComment.path, body, check: `leads comments list ${id}` }),
    holds: () => false,
    tells: () => undefined,
    // The journal keeps the lead, the ids of its comments, and the new comment.
    valuesIn: (record) => {
      const comments = commentsIn(record).map((one) => ({ id: valueAt(one, 'id') }));
      return { comment: valueAt(record, 'text') ?? null, ...(comments.length === 0 ? {} : { comments }) };
    },
    added: (before, now) => {
      const earlier = new Set(commentsIn(before).map(idText));
      const added = commentsIn(now).filter((one) => !earlier.has(idText(one)));
      const commentTextOf = (one: unknown): string => scalarText(valueAt(one, 'text'));
      const found = added.find((one) => isSameText(commentTextOf(one), text));
      if (found !== undefined) return { found };
      return added.some((one) => areAlike(commentTextOf(one), text)) ? 'maybe' : undefined;
    },
    effect: ({ id, record }, before, after, sent) => ({
      subject: subjectOf(leads.singular, id),
      ...titleIn(leads, before, record),
      ...(sent === undefined
        ? { done: asItWas }
        : { done: 'commented', changes: [newOnly('comment', quoted(scalarText(valueAt(after, 'text') ?? text)))] }),
    }),
  };
}

function commentsIn(record: unknown): readonly unknown[] {
  const comments = valueAt(record, 'comments');
  return Array.isArray(comments) ? comments : [];
}

const commentsPath = (lead: Id): string => `${leads.path}/${lead}/${leadComment.path}`;

/** The hint for a comment beside a selection of several leads. */
export const giveText = { instead: 'Give the comment with --text.' };

const commentText = async (api: Api, lead: Id, id: Id): Promise<string> =>
  cutForQuestion(displayText(valueAt(await commentOf(api, lead, id), 'text')));

async function commentOf(api: Api, lead: Id, id: Id): Promise<unknown> {
  return (await readRecords(api, commentsPath(lead))).find((one) => idText(one) === String(id));
}

export async function commentsListed(context: Context, lead: Id): Promise<Result> {
  const api = await context.api();
  const request = { method: 'GET' as const, path: commentsPath(lead) };
  const answer = await api.read(request);
  const data = recordsOf(answer, request);
  const pages = (async function* () {
    yield { ...answer, data };
  })();
  return { kind: 'records', pages, shape: commentShape, empty: () => `Lead ${lead} has no comments.` };
}

/** Adds a comment to a lead, or to each lead of a selection. Throws UsageError without a comment. */
export async function addComment(context: Context, input: Input<CommentFlags>): Promise<Result> {
  const selection = selectionOf(leads, input, giveText);
  const comment = await givenComment(context, input);
  if (comment === undefined) {
    const hint =
      selection.kind === 'one' ? `To read them: ${crmWith(context.flags.profile)} leads comments list ${selection.id}` : undefined;
    throw new UsageError('Missing the text: give it behind the id, or with --text.', { code: 'missing_value', ...(hint && { hint }) });
  }
  if (selection.kind !== 'one') {
    const [quoted, chosen] = [await quotesLike(comment.text), await choose(leads, context, selection)];
    const says = (records: string): string => `Comment on ${records}: ${quoted(comment.text)}`;
    const confirmed = await confirmChange(leads, context, selection, chosen, { says });
    return changeEach(leads, context, { selection, chosen: confirmed, shape: commentShape }, commentChange(comment, quoted));
  }
  const lead = selection.id;
  const check = `leads comments list ${lead}`;
  const answer = await makeRecord(await context.api(), { method: 'POST', path: commentsPath(lead), body: comment.body, check });
  const added = displayText(valueAt(answer.data, 'text') ?? comment.text);
  const subject = subjectOf('comment', idText(answer.data));
  return { kind: 'record', answer, shape: commentShape, effect: { subject, done: `added to lead ${lead}`, title: added } };
}

/** Deletes a comment after a question. Throws UnconfirmedError; ConflictError when the comment changed since it was shown. */
export async function deleteComment(context: Context, lead: Id, id: Id): Promise<Result> {
  const api = await context.api();
  const deleteQuestion = (text: string): string => `Delete comment ${id}${text} of lead ${lead}? This can't be undone.`;
  let title = '';
  await confirmWrite(context, deleteQuestion(''), async () => {
    title = await commentText(api, lead, id);
    return deleteQuestion(title === '' ? '' : ` "${title}"`);
  });
  const isThere = async (): Promise<boolean> => (await commentOf(api, lead, id)) !== undefined;
  const checkedDelete = async (): Promise<{ check: string }> => {
    if (title !== '' && title !== (await commentText(api, lead, id)))
      throw new ConflictError(`Comment ${id} of lead ${lead} was changed since it was shown, so nothing was sent.`);
    return { check: `leads comments list ${lead}` };
  };
  const subject = `${subjectOf('comment', id)} of lead ${lead}`;
  const found = (): void => tellFound(context, `comment ${id} of lead ${lead}`, true);
  const answer = await deleteAt(api, `${commentsPath(lead)}/${id}`, checkedDelete, { isListed: isThere, found });
  return { kind: 'record', answer, shape: commentShape, effect: { subject, done: 'deleted', ...(title === '' ? {} : { title }) } };
}
