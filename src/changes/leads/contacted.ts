// `crm leads contacted`: sets the date of the last contact, the status and tags, and adds a comment. The comment is sent last: repeated,
// the other writes do no harm, but the comment would stand there twice.

import { CrmError, InterruptedError, UnavailableError, withHints } from '../../base/errors.ts';
import type { ResolvedInput } from '../../base/flag.ts';
import type { Body } from '../../base/values/body.ts';
import { type Id, parseValue, together, togetherEach } from '../../base/values/parse.ts';
import { crmWith, quoteWord } from '../../base/values/text/shell-word.ts';
import { listed } from '../../base/values/text/wording.ts';
import { dayOf } from '../../base/values/time/days.ts';
import { inOrder } from '../../model/bodies/extras.ts';
import { actionBody, setElement } from '../../model/bodies/operations.ts';
import { date } from '../../model/define.ts';
import { displayText } from '../../model/records/display.ts';
import { leadStatus, leads, leadTags } from '../../model/resources/leads.ts';
import type { Result } from '../../output/result.ts';
import { choose, selectionOf } from '../../reading/selection.ts';
import type { Context } from '../../session/context.ts';
import { nowFor } from '../../session/relative-days.ts';
import { actionChange } from '../action.ts';
import { changeEach } from '../change-each.ts';
import type { ContactFlags } from '../flags.ts';
import { confirmChange, quotesLike } from '../question.ts';
import type { RecordChange, RecordWrites } from '../record-change.ts';
import { setChangeOf } from '../replace-set.ts';
import { mergeChange, tellAbsent } from '../update.ts';
import { changesOf, effectOfChange, requestedOf } from '../what-changed.ts';
import { commentChange, commentShape, type GivenComment, givenComment, giveText } from './comments.ts';

const lastContacted = leads.fields.filter(({ flag }) => flag === 'last-contacted');

/** The lead, with the comment as a member. */
export const contacted = { ...leads, record: [...leads.record, ...commentShape.record.map((path) => `comment.${path}`)] };

/** Sets the date of the last contact of a lead, or of each lead of a selection; then the status, the tags and the comment that are given. */
export async function contact(context: Context, input: ResolvedInput<ContactFlags>): Promise<Result> {
  const [selection, parts] = together(
    () => selectionOf(leads, input, giveText),
    () => setParts(context, input),
  );
  const comment = await givenComment(context, input);
  const all = inOrder(leads, comment === undefined ? parts : [...parts, await commentPart(context, comment)]);
  const chosen = await choose(leads, context, selection);
  const [day, ...others] = all.map((part) => part.says);
  const says = (records: string): string => listed([`Set the last contact of ${records} ${day}`, ...others]);
  const confirmed = await confirmChange(leads, context, selection, chosen, { says });
  const [first, ...further] = all;
  const isUpdate = selection.kind !== 'one' && first !== undefined && further.length === 0;
  return changeEach(leads, context, { selection, chosen: confirmed, shape: contacted }, isUpdate ? first : contactWrites(all));
}

/** One write of a contact. */
interface ContactPart extends RecordChange {
  /** The part in messages. */
  readonly name: string;
  /** The part in a question, behind `Set the last contact of 3 leads`. */
  readonly says: string;
  /** The sentence for a part that went through. */
  readonly isSet: string;
  /** How to send the part alone. `isUnknown`: the part may have taken effect. */
  alone(id: Id, isUnknown: boolean): string;
}

function setParts(context: Context, { flags, typed }: ResolvedInput<ContactFlags>): ContactPart[] {
  const crm = crmWith(context.flags.profile);
  const [day, status, tags] = together(
    () => String(parseValue(date, flags.on ?? dayOf('today', nowFor(context, 'today')), '--on')),
    () => (flags.status === undefined ? undefined : actionBody(leadStatus, flags.status, '--status')),
    () => togetherEach(flags['add-tag'] ?? [], (one) => setElement(leadTags, one, '--add-tag')),
  );
  const parts: ContactPart[] = [];
  const add = (part: Omit<ContactPart, 'isSet'> & Partial<ContactPart>): void =>
    void parts.push({ isSet: `The ${part.name} ${part.name === 'tags' ? 'are' : 'is'} set.`, ...part });
  const name = 'date of the last contact';
  add({
    ...dayChange(context, day),
    name,
    says: `to ${day}`,
    isSet: `The ${name} is set, to ${day}.`,
    alone: () => '',
  });
  if (status !== undefined) {
    const shown = displayText(typed.flags.status);
    const change = { ...actionChange(leads, leadStatus, status, shown), explain: besideFlag('status', '--status') };
    const alone = (id: Id): string => `To set the status alone: ${crm} leads status ${id} ${quoteWord(flags.status ?? '')}`;
    add({ ...change, name: 'status', says: `set the status to ${shown}`, alone });
  }
  if (tags.length > 0) {
    const change = setChangeOf(leads, leadTags, { kind: 'change', add: tags, remove: [] }, new Map());
    const words = tags.map((one) => ` --add ${quoteWord(String(one))}`).join('');
    add({
      ...change,
      explain: besideFlag('tags', '--add-tag'),
      name: 'tags',
      says: `add the ${tags.length === 1 ? 'tag' : 'tags'} ${tags.map((one) => `"${displayText(one)}"`).join(', ')}`,
      alone: (id) => `To add the tags alone: ${crm} leads tags ${id}${words}`,
    });
  }
  return parts;
}

async function commentPart({ flags }: Context, comment: GivenComment): Promise<ContactPart> {
  const quoted = await quotesLike(comment.text);
  const { text, typed } = comment;
  // A comment that is long or has several lines has no place in a command line.
  const word = typed.length > 200 || /[\n\r]/.test(typed) ? 'TEXT' : quoteWord(typed);
  return {
    ...commentChange(comment, quoted),
    name: 'comment',
    says: `comment ${quoted(text)}`,
    isSet: 'The comment is added.',
    // When the answer was lost, the comment may have been added: a second attempt could add a second comment.
    alone: (id, isUnknown) =>
      `${isUnknown ? 'Only if the comment is not there' : 'To send the comment alone'}: ` +
      `${crmWith(flags.profile)} leads comments add ${id} ${word}`,
  };
}

function dayChange(context: Context, day: string): RecordChange {
  const given: Body = new Map(lastContacted.map(({ wire }) => [wire, day]));
  return {
    ...mergeChange(leads, given, { tell: (id, absent) => tellAbsent(context, absent, `Lead ${id}`) }),
    effect: ({ id }, before, after) =>
      effectOfChange(leads, id, changesOf(requestedOf(leads, lastContacted, given), before, after), [after, before]),
  };
}

/** Names the flag beside the problems of a body's member. */
const besideFlag =
  (member: string, flag: string) =>
  (error: unknown): unknown => {
    if (error instanceof CrmError)
      for (const field of error.details.fields ?? []) if (field.name.split('.')[0] === member) field.flag = flag;
    return error;
  };

/** The writes of a contact. Only a value that the service took counts as a contact. */
const contactWrites = (parts: readonly ContactPart[]): RecordWrites => ({
  writes: parts,
  done: 'contacted',
  failed: (error, part, { id }) => withHints(error, [leftText(parts, part, { id, error })]),
});

/** What was set before the part at `failed` failed, and how to send each part that is left. */
function leftText(
  parts: readonly ContactPart[],
  failed: number,
  { id, error }: { readonly id: Id; readonly error: unknown },
): string | undefined {
  const names = parts.slice(1).map(({ name }) => `the ${name}`);
  if (failed === 0) return names.length === 0 ? undefined : `Not sent: ${names.join(', ')}.`;
  const isUnknown = (error instanceof UnavailableError && error.code !== 'not_taken') || error instanceof InterruptedError;
  const done = parts.slice(0, failed).map(({ isSet }) => isSet);
  const alone = parts.slice(failed).map((part, index) => part.alone(id, isUnknown && index === 0));
  return `${done.join(' ')} ${alone.join('\n')}`;
}
