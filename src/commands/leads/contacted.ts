// `crm leads contacted ID [TEXT]`: the date of the last contact, and what was said as a comment. The date goes first: setting it again
// does no harm, and a comment that was sent twice would stay twice.

import type { Answer } from '../../api/types.ts';
import { textBody } from '../../bodies/operations.ts';
import type { Command } from '../../command.ts';
import { InterruptedError, UnavailableError, withHints } from '../../errors.ts';
import type { Change } from '../../output/result.ts';
import { displayText } from '../../records/display.ts';
import { date } from '../../resources/define.ts';
import { leadComment, leads } from '../../resources/leads.ts';
import type { Body } from '../../values/body.ts';
import { dayOf } from '../../values/days.ts';
import { parseId, parseValue, together } from '../../values/parse.ts';
import { isMembers, valueAt } from '../../values/paths.ts';
import { crmWith, quotePosix } from '../../values/shell-word.ts';
import { askedOf, changesOf, isRefused, subjectOf, titleIn } from '../../verbs/effect.ts';
import { cutText } from '../../verbs/question.ts';
import { commentShape, sendComment } from './comments.ts';

const lastContacted = leads.fields.filter(({ flag }) => flag === 'last-contacted');

/** The lead, and the comment as a member of its own. */
const contacted = { ...leads, record: [...leads.record, ...commentShape.record.map((path) => `comment.${path}`)] };

export const leadContactedCommand: Command = {
  path: ['leads', 'contacted'],
  summary: 'Set the date of the last contact, and add a comment',
  description: 'Sends the date first, then the text as a comment; nothing else of the lead changes.',
  args: [
    { name: 'id', help: "The lead's id", listedBy: 'leads list' },
    { name: 'text', help: 'What was said; or @file, or - for standard input', optional: true, wire: 'comment', from: ['@file', '-'] },
  ],
  flags: [
    {
      name: 'on',
      value: 'date',
      help: 'The day of the contact (default today)',
      standard: 'today',
      type: date,
      wire: 'lead_last_contacted',
    },
  ],
  sends: [
    { method: 'GET', path: '/api/leads/{id}' },
    { method: 'PATCH', path: '/api/leads/{id}' },
    { method: 'POST', path: '/api/leads/{id}/comments' },
  ],
  does: 'writes',
  shows: contacted,
  examples: ["crm leads contacted 12 'Called, sends the figures on Friday'", 'crm leads contacted 13 --on yesterday'],
  run: async (context, input) => {
    const { readComment } = await import('../../verbs/texts.ts');
    const [id, day] = together(
      () => parseId(input.args[0] ?? '', leads.singular),
      () => parseValue(date, String(input.flags.on ?? dayOf('today', context.clock.now())), '--on'),
    );
    const typed = input.args[1];
    const text = typed === undefined ? undefined : await readComment(context, typed, 'text');
    const comment = text === undefined ? undefined : textBody(leadComment, text, 'text');
    const given: Body = new Map(lastContacted.map(({ wire }) => [wire, day]));
    const { updateRecord } = await import('../../verbs/update.ts');
    const { before, answer, after } = await updateRecord(leads, context, id, given).catch((error: unknown) => {
      throw withHints(error, [comment === undefined ? undefined : 'The comment was not sent.']);
    });
    const changes: Change[] = changesOf(askedOf(leads, lastContacted, given), before, after);
    const effect = { subject: subjectOf(leads.singular, id), ...titleIn(leads, after, before) };
    if (comment === undefined || typed === undefined) {
      const done = changes.length === 0 ? 'is as it was' : changes.every(isRefused) ? '' : 'contacted';
      return { kind: 'record', answer, shape: contacted, effect: { ...effect, done, changes } };
    }
    const added = await sendComment(context, id, comment).catch((error: unknown) => {
      const alone = `${crmWith(context.flags.profile)} leads comments add ${id} ${commentWord(typed)}`;
      // Nobody knows of a write without an answer whether it arrived: sent again, the comment may stand there twice.
      const isUnknown = error instanceof UnavailableError || error instanceof InterruptedError;
      const how = isUnknown ? 'Only if the comment is not there' : 'To send the comment alone';
      const date = changes.some(isRefused) ? 'was sent' : `is set, to ${day}`;
      throw withHints(error, [`The date of the last contact ${date}. ${how}: ${alone}`]);
    });
    changes.push({ name: 'comment', text: `"${await cutText(displayText(valueAt(added.data, 'text') ?? text))}"` });
    return { kind: 'record', answer: withComment(answer, added.data), shape: contacted, effect: { ...effect, done: 'contacted', changes } };
  },
};

/** How a text is typed again; one of several lines, or a long one, is only named. */
const commentWord = (typed: string): string => (typed.length > 200 || /[\n\r]/.test(typed) ? 'TEXT' : quotePosix(typed));

/** The lead as it was answered, with the comment as one of its members. */
function withComment(answer: Answer, comment: unknown): Answer {
  const data = { ...(isMembers(answer.data) ? answer.data : {}), comment: comment ?? null };
  const { envelope } = answer;
  return { ...answer, data, envelope: isMembers(envelope) && Object.hasOwn(envelope, 'data') ? { ...envelope, data } : data };
}
