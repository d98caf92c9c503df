// `crm leads contacted ID [TEXT]`: the date of the last contact, and what was said as a comment. The date goes first: setting it again
// does no harm, and a comment that was sent twice would stay twice.

import type { Answer } from '../../api/types.ts';
import { textBody } from '../../bodies/operations.ts';
import type { Command } from '../../command.ts';
import { withHints } from '../../errors.ts';
import { displayText } from '../../output/display.ts';
import type { Change } from '../../output/result.ts';
import { date } from '../../resources/define.ts';
import { leadComment, leads } from '../../resources/leads.ts';
import type { Body } from '../../values/body.ts';
import { dayOf } from '../../values/days.ts';
import { parseId, parseValue, together } from '../../values/parse.ts';
import { isMembers, valueAt } from '../../values/paths.ts';
import { quotePosix } from '../../values/shell-word.ts';
import { askedOf, changesOf, subjectOf, titleIn } from '../../verbs/effect.ts';
import { cutText } from '../../verbs/question.ts';
import { comment, sendComment } from './comments.ts';

const lastContacted = leads.fields.filter(({ flag }) => flag === 'last-contacted');

/** The lead, and the comment as a member of its own. */
const contacted = { ...leads, record: [...leads.record, ...comment.record.map((path) => `comment.${path}`)] };

export const leadContactedCommand: Command = {
  path: ['leads', 'contacted'],
  summary: 'Set the date of the last contact, and add a comment',
  description: 'The date first, then the text as a comment; nothing else of the lead changes.',
  args: [
    { name: 'id', help: 'The lead' },
    { name: 'text', help: 'What was said; @file and - read it', optional: true, wire: 'comment' },
  ],
  flags: [{ name: 'on', value: 'date', help: 'The day of the contact (default today)', type: date, wire: 'lead_last_contacted' }],
  answers: contacted,
  examples: ["crm leads contacted 12 'Called, sends the figures on Friday'", 'crm leads contacted 13 --on yesterday'],
  run: async (context, input) => {
    const { readText } = await import('../../verbs/texts.ts');
    const [id, day] = together(
      () => parseId(input.args[0] ?? '', leads.singular),
      () => parseValue(date, String(input.flags.on ?? dayOf('today', context.now())), '--on'),
    );
    const text = input.args[1] === undefined ? undefined : await readText(context, input.args[1], 'text');
    const body = text === undefined ? undefined : textBody(leadComment, text, 'text');
    const { updateRecord } = await import('../../verbs/update.ts');
    const given: Body = new Map(lastContacted.map(({ wire }) => [wire, day]));
    const { before, answer } = await updateRecord(leads, context, id, given).catch((error: unknown) => {
      throw body === undefined ? error : withHints(error, ['The comment was not sent.']);
    });
    const alone = `crm leads comments add ${id} ${commentWord(input.args[1] ?? '')}`;
    const added =
      body === undefined
        ? undefined
        : await sendComment(context, id, body).catch((error: unknown) => {
            throw withHints(error, [`The date of the last contact is set, to ${day}. To send the comment alone: ${alone}`]);
          });
    const changes: Change[] = changesOf(askedOf(leads, lastContacted, given), before, answer.data);
    if (added !== undefined)
      changes.push({ name: 'comment', text: `"${await cutText(displayText(valueAt(added.data, 'text') ?? text))}"` });
    const done = changes.length === 0 ? 'is as it was' : 'contacted';
    const effect = { subject: subjectOf(leads.singular, id), done, ...titleIn(leads, answer.data, before), changes };
    return { kind: 'record', answer: withComment(answer, added), shape: contacted, effect };
  },
};

/** How a text is typed again; one of several lines, or a long one, is only named. */
const commentWord = (typed: string): string => (typed.length > 200 || /[\n\r]/.test(typed) ? 'TEXT' : quotePosix(typed));

/** The lead as it was answered, the comment as one of its members. */
function withComment(answer: Answer, added: Answer | undefined): Answer {
  if (added === undefined) return answer;
  const { data, envelope } = answer;
  const together = { ...(isMembers(data) ? data : {}), comment: added.data ?? null };
  return { ...answer, data: together, envelope: isMembers(envelope) && 'data' in envelope ? { ...envelope, data: together } : together };
}
