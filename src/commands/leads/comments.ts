// `crm leads comments list|add|delete`: the comments of leads (interface: Lead comment). `crm leads comment 12 'Called'` adds a comment.

import { parseId } from '../../base/values/parse.ts';
import { commentFlags } from '../../changes/flags.ts';
import { addComment, commentShape, commentsListed, deleteComment } from '../../changes/leads/comments.ts';
import { type Command, command } from '../../cli/command.ts';
import { leads } from '../../model/resources/leads.ts';
import { aSelection, selectionArgument } from '../family-arguments.ts';

const levelAliases = ['comment'];
const leadArgument = { name: 'id', help: "The lead's id", listedBy: 'leads list' };

const listCommand: Command = {
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
  run: (context, { args: [lead = ''] }) => commentsListed(context, parseId(lead, 'lead')),
};

const addCommand = command({
  path: ['leads', 'comments', 'add'],
  levelAliases,
  takesIds: true,
  summary: 'Comment on a lead, or on several',
  description:
    'After an interruption, the same command would comment on all leads again. crm history RUN lists the leads that have the comment already.',
  args: [
    selectionArgument(leads),
    { name: 'comment', help: 'The comment; or @file, or - for standard input', optional: true, wire: 'comment', from: ['@file', '-'] },
  ],
  flags: commentFlags(leads),
  needs: [aSelection, { count: 'exactly one', of: ['comment', 'text'] }],
  sends: [{ method: 'POST', path: '/api/leads/{id}/comments' }],
  does: 'writes',
  shows: commentShape,
  prints: { json: 'object or array', of: commentShape },
  examples: [
    "crm leads comment 3 'Called, sends the figures on Friday'",
    "echo 'Met at the fair' | crm leads comments add 3 -",
    "crm leads comments add --where source=Fair --text 'Met at the fair' --yes",
  ],
  run: addComment,
});

const deleteCommand: Command = {
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
  run: (context, { args: [lead = '', id = ''] }) => deleteComment(context, parseId(lead, 'lead'), parseId(id, 'comment-id')),
};

export const leadCommentCommands: readonly Command[] = [listCommand, addCommand, deleteCommand];
