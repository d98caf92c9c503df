// `crm leads comments list|add|delete`: the comments of a lead (interface: Lead comment). `crm leads comment 12 'Called'` adds one.

import type { Api } from '../../api/client.ts';
import { recordsOf } from '../../api/envelope.ts';
import { confirmWrite } from '../../ask/confirm.ts';
import { textBody } from '../../bodies/operations.ts';
import type { Command } from '../../command.ts';
import { displayText } from '../../output/display.ts';
import { leadComment, leadComments, leads } from '../../resources/leads.ts';
import { scalarText } from '../../values/json.ts';
import { type Id, parseId } from '../../values/parse.ts';
import { valueAt } from '../../values/paths.ts';

const comment = leadComments.records;

const levelAliases = ['comment'];
const leadArgument = { name: 'id', help: 'The lead' };

const pathOf = (lead: Id): string => `${leads.path}/${lead}/${leadComment.path}`;

const listComments: Command = {
  path: ['leads', 'comments', 'list'],
  levelAliases,
  aliases: ['ls'],
  summary: "List a lead's comments",
  args: [leadArgument],
  flags: [],
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
    return { kind: 'records', pages, shape: comment, empty: () => `Lead ${lead} has no comments.` };
  },
};

const addComment: Command = {
  path: ['leads', 'comments', 'add'],
  levelAliases,
  takesIds: true,
  summary: 'Comment on a lead',
  args: [leadArgument, { name: 'text', help: 'The comment; @file and - read it', wire: 'comment' }],
  answers: comment,
  flags: [],
  examples: ["crm leads comment 3 'Called, sends the figures on Friday'", "echo 'Met at the fair' | crm leads comments add 3 -"],
  run: async (context, input) => {
    const lead = parseId(input.args[0] ?? '', 'lead');
    const { readText } = await import('../../verbs/texts.ts');
    const text = await readText(context, input.args[1] ?? '', 'text');
    const body = textBody(leadComment, text, 'text');
    const api = await context.api();
    const answer = await api.write({
      method: 'POST',
      path: pathOf(lead),
      body,
      check: `crm leads comments list ${lead}`,
    });
    return { kind: 'record', answer, shape: comment, notice: answer.message ?? `Commented on lead ${lead}.` };
  },
};

const deleteComment: Command = {
  path: ['leads', 'comments', 'delete'],
  levelAliases,
  aliases: ['rm'],
  summary: "Delete a lead's comment",
  args: [leadArgument, { name: 'comment-id', help: 'The comment' }],
  answers: comment,
  flags: [],
  examples: ['crm leads comments delete 5 2 --yes', 'crm leads comments delete 3 1 --dry-run'],
  run: async (context, input) => {
    const lead = parseId(input.args[0] ?? '', 'lead');
    const id = parseId(input.args[1] ?? '', 'comment-id');
    const api = await context.api();
    const question = (text: string): string => `Delete comment ${id}${text} of lead ${lead}? This can't be undone.`;
    await confirmWrite(context, question(''), async () => question(await quotedComment(api, lead, id)));
    const answer = await api.write({ method: 'DELETE', path: `${pathOf(lead)}/${id}`, check: `crm leads comments list ${lead}` });
    return { kind: 'record', answer, shape: comment, notice: answer.message ?? `Deleted comment ${id}.` };
  },
};

/** ` "Called, sends the figures"`: what a comment says; nothing where the lead has no such comment. */
async function quotedComment(api: Api, lead: Id, id: Id): Promise<string> {
  const request = { method: 'GET' as const, path: pathOf(lead) };
  const comments = recordsOf(await api.read(request), request);
  const found = comments.find((one) => scalarText(valueAt(one, 'id')) === String(id));
  const { cutText } = await import('../../verbs/question.ts');
  return found === undefined ? '' : ` "${await cutText(displayText(valueAt(found, 'text')))}"`;
}

export const leadCommentCommands: readonly Command[] = [listComments, addComment, deleteComment];
