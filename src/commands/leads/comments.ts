// `crm leads comments list|add|delete`: the comments of a lead (interface: Lead comment). `crm leads comment 12 'Called'` adds one.

import type { Api } from '../../api/client.ts';
import { recordsOf } from '../../api/envelope.ts';
import type { Answer } from '../../api/types.ts';
import { deleteAt, makeRecord } from '../../api/write-record.ts';
import { confirmWrite } from '../../ask/confirm.ts';
import { textBody } from '../../bodies/operations.ts';
import type { Command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { ConflictError } from '../../errors.ts';
import { displayText } from '../../records/display.ts';
import { leadComment, leadComments, leads } from '../../resources/leads.ts';
import type { Body } from '../../values/body.ts';
import { scalarText } from '../../values/json.ts';
import { type Id, parseId } from '../../values/parse.ts';
import { valueAt } from '../../values/paths.ts';
import { subjectOf } from '../../verbs/effect.ts';
import { cutText } from '../../verbs/question.ts';

/** A comment (interface: Lead comment). */
export const commentShape = leadComments.records;

const levelAliases = ['comment'];
const leadArgument = { name: 'id', help: "The lead's id", listedBy: 'leads list' };

const pathOf = (lead: Id): string => `${leads.path}/${lead}/${leadComment.path}`;

/** Adds a comment. A write of unknown outcome names the command that lists what there is. */
export async function sendComment(context: Context, lead: Id, body: Body): Promise<Answer> {
  const api = await context.api();
  return makeRecord(api, { method: 'POST', path: pathOf(lead), body, check: `leads comments list ${lead}` });
}

const listComments: Command = {
  path: ['leads', 'comments', 'list'],
  levelAliases,
  aliases: ['ls'],
  summary: "List a lead's comments",
  args: [leadArgument],
  flags: [],
  sends: [{ method: 'GET', path: '/api/leads/{id}/comments' }],
  does: 'reads',
  shows: commentShape,
  prints: { json: 'array', of: commentShape },
  examples: ['crm leads comments list 5', 'crm leads comments list 3 --json'],
  run: async (context, input) => {
    const lead = parseId(input.args[0] ?? '', 'lead');
    const api = await context.api();
    const request = { method: 'GET' as const, path: pathOf(lead) };
    const answer = await api.read(request);
    const data = recordsOf(answer, request);
    const pages = (async function* () {
      yield { ...answer, data };
    })();
    return { kind: 'records', pages, shape: commentShape, empty: () => `Lead ${lead} has no comments.` };
  },
};

const addComment: Command = {
  path: ['leads', 'comments', 'add'],
  levelAliases,
  takesIds: true,
  summary: 'Comment on a lead',
  args: [leadArgument, { name: 'text', help: 'The comment; or @file, or - for standard input', wire: 'comment', from: ['@file', '-'] }],
  sends: [{ method: 'POST', path: '/api/leads/{id}/comments' }],
  does: 'writes',
  shows: commentShape,
  flags: [],
  examples: ["crm leads comment 3 'Called, sends the figures on Friday'", "echo 'Met at the fair' | crm leads comments add 3 -"],
  run: async (context, input) => {
    const lead = parseId(input.args[0] ?? '', 'lead');
    const { readComment } = await import('../../verbs/texts.ts');
    const text = await readComment(context, input.args[1] ?? '', 'text');
    const body = textBody(leadComment, text, 'text');
    const answer = await sendComment(context, lead, body);
    const added = displayText(valueAt(answer.data, 'text') ?? text);
    const subject = subjectOf('comment', scalarText(valueAt(answer.data, 'id')));
    return { kind: 'record', answer, shape: commentShape, effect: { subject, done: `added to lead ${lead}`, title: added } };
  },
};

const deleteComment: Command = {
  path: ['leads', 'comments', 'delete'],
  levelAliases,
  aliases: ['rm'],
  summary: "Delete a lead's comment",
  args: [leadArgument, { name: 'comment-id', help: "The comment's id", listedBy: 'leads comments list ID' }],
  sends: [{ method: 'DELETE', path: '/api/leads/{id}/comments/{comment-id}' }],
  does: 'destroys',
  shows: commentShape,
  prints: { json: 'object', of: commentShape, only: ['id'] },
  flags: [],
  examples: ['crm leads comments delete 5 2 --yes', 'crm leads comments delete 3 1 --dry-run'],
  run: async (context, input) => {
    const lead = parseId(input.args[0] ?? '', 'lead');
    const id = parseId(input.args[1] ?? '', 'comment-id');
    const api = await context.api();
    const question = (text: string): string => `Delete comment ${id}${text} of lead ${lead}? This can't be undone.`;
    let title = '';
    await confirmWrite(context, question(''), async () => {
      title = await commentText(api, lead, id);
      return question(title === '' ? '' : ` "${title}"`);
    });
    const isThere = async (): Promise<boolean> => (await commentOf(api, lead, id)) !== undefined;
    const request = async (): Promise<{ check: string }> => {
      if (title !== '' && title !== (await commentText(api, lead, id)))
        throw new ConflictError(`Comment ${id} of lead ${lead} was changed since it was shown, so nothing was sent.`);
      return { check: `leads comments list ${lead}` };
    };
    const answer = await deleteAt(api, `${pathOf(lead)}/${id}`, request, isThere);
    const subject = `${subjectOf('comment', id)} of lead ${lead}`;
    return { kind: 'record', answer, shape: commentShape, effect: { subject, done: 'deleted', ...(title === '' ? {} : { title }) } };
  },
};

/** What a comment says, as far as a question can hold it; empty where the lead has no such comment. */
const commentText = async (api: Api, lead: Id, id: Id): Promise<string> =>
  cutText(displayText(valueAt(await commentOf(api, lead, id), 'text')));

/** A comment, out of those that its lead has. */
async function commentOf(api: Api, lead: Id, id: Id): Promise<unknown> {
  const request = { method: 'GET' as const, path: pathOf(lead) };
  const comments = recordsOf(await api.read(request), request);
  return comments.find((one) => scalarText(valueAt(one, 'id')) === String(id));
}

export const leadCommentCommands: readonly Command[] = [listComments, addComment, deleteComment];
