// Asks for missing values, one after the other: from a list when the values are known, else on a line.

import { UnconfirmedError, UsageError } from '../../base/errors.ts';
import type { Flag } from '../../base/flag.ts';
import { type Named, namedBy } from '../../base/values/value-type.ts';
import { safeLine } from '../../model/records/safe-text.ts';
import { markWidth, notice } from '../../output/streams/notice.ts';
import type { Context } from '../context.ts';
import type { KnownName } from '../names/known.ts';
import { plainName } from '../names/matching.ts';
import { wordsFor } from '../names/word-to-type.ts';
import type { Choice } from './choice.ts';
import type { LineQuestion } from './line.ts';
import { askLine, prompt, questionText } from './prompt.ts';

/** Flags of which the user must give one. */
export type FlagChoice = readonly Flag[];

/** The functions that check answers and give known names. */
export interface Answering {
  /** The value of a flag for a typed answer. Throws UsageError for an unusable answer. */
  take(flag: Flag, typed: string): Promise<string>;
  known(of: Named): Promise<readonly KnownName[]>;
}

type Asker = Pick<Context, 'io' | 'signal'>;

/** A choice in its whole length. */
type OfferedName = Omit<Choice, 'short'>;

/** Asks for one flag of each group. Returns the values by flag name. Throws InterruptedError on Ctrl-C. */
export async function askMissing(context: Asker, groups: readonly FlagChoice[], answering: Answering): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const group of groups) {
    const flag = await chosenFlag(context, group);
    if (flag === undefined) continue;
    const question = { message: `${flagQuestion(flag)}:`, problem };
    answers[flag.name] = await askedValue(context, flag, answering, question, await choicesFor(flag, answering));
  }
  return answers;
}

/** Asks for optional flags; Enter skips a flag. Returns the values by flag name. Throws InterruptedError on Ctrl-C. */
export async function askOffered(context: Asker, flags: readonly Flag[], answering: Answering): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const flag of flags) {
    const value = await askedValue(context, flag, answering, { message: `${flagQuestion(flag)}, or Enter:`, problem: () => undefined });
    if (value !== '') answers[flag.name] = value;
  }
  return answers;
}

async function chosenFlag(context: Asker, group: FlagChoice): Promise<Flag | undefined> {
  if (group.length < 2) return group[0];
  const choices = group.map((flag) => ({ name: flagQuestion(flag), value: flag.name }));
  const message = `One of ${group.map(({ name }) => `--${name}`).join(' and ')} is needed:`;
  const chosen = await chooseFrom(context, message, (term) => fitting(choices, term));
  return group.find(({ name }) => name === chosen);
}

/** An empty answer stays empty. */
async function askedValue(
  context: Asker,
  flag: Flag,
  answering: Answering,
  question: LineQuestion,
  choices?: (term: string) => OfferedName[],
): Promise<string> {
  for (;;) {
    const typed = choices === undefined ? await askLine(context, question) : await chooseFrom(context, question.message, choices);
    if (typed === '') return '';
    try {
      return await answering.take(flag, typed);
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof UnconfirmedError)) throw error;
      // The error answers the user's own typing, so --quiet doesn't hide it.
      const lines = [error.message, ...(error.details.hint?.split('\n') ?? [])];
      for (const line of lines) await notice(context.io, { quiet: false }, line, 'failed');
    }
  }
}

const problem = (typed: string): string | undefined => (typed === '' ? 'A value is needed.' : undefined);

async function choicesFor({ type, choices = [] }: Flag, { known }: Answering): Promise<((term: string) => OfferedName[]) | undefined> {
  if (choices.length > 0)
    return (term) =>
      fitting(
        choices.map((one) => ({ name: one, value: one })),
        term,
      );
  const of = namedBy(type);
  if (of === undefined) return undefined;
  const names = (await known(of)).toSorted((a, b) => Number(a.id) - Number(b.id));
  return names.length === 0 ? undefined : (term) => fittingNames(names, term);
}

const fitting = <T extends OfferedName>(choices: readonly T[], term: string): T[] =>
  choices.filter(({ name }) => plainName(name).includes(plainName(term)));

/** Offers the text itself last: it may be a name not known yet. */
function fittingNames(names: readonly KnownName[], term: string): OfferedName[] {
  const words = wordsFor(names);
  const isShared = (name: string): boolean => names.filter((one) => plainName(one.name) === plainName(name)).length > 1;
  const listed = names.map(({ id, name }, index) => {
    const shown = isShared(name) ? `${safeLine(name)} (${id})` : safeLine(name);
    return { id, name: shown, value: words[index] ?? '', description: `id ${id}` };
  });
  const byId = listed.filter(({ id }) => String(id) === term);
  const byName = fitting(listed, term).filter((one) => !byId.includes(one));
  const isListed = byId.length > 0 || byName.some(({ name }) => plainName(name) === plainName(term));
  return [...byId, ...byName, ...(term === '' || isListed ? [] : [{ name: term, value: term, description: 'as typed' }])];
}

/** The help after a semicolon concerns the command line. */
const flagQuestion = ({ help, name }: Flag): string => `${help.split(';', 1)[0]} (--${name})`;

/** The value of the chosen one. */
async function chooseFrom(context: Asker, question: string, offered: (term: string) => OfferedName[]): Promise<string> {
  const message = await questionText(context, question);
  return prompt(context, async (streams) => {
    const [{ choice }, { measureFor }] = await Promise.all([import('./choice.ts'), import('../../output/text/text-width.ts')]);
    const { stderr, symbols } = context.io;
    const { cut } = await measureFor([anyText], symbols);
    const asked = markWidth + (message.split('\n').at(-1) ?? '').length + 1;
    // A name that wraps would go on at the edge, and could look like a message of crm.
    const shown = (one: OfferedName): Choice => {
      const name = safeLine(one.name);
      const room = (beside: number): number => Math.max(1, stderr.columns - beside);
      return { ...one, name: cut(name, room(markWidth + 1)), short: cut(name, room(asked)) };
    };
    return choice({ message, offered: (typed) => offered(typed.trim()).map(shown), pointer: symbols.pointer }, streams);
  });
}

/** Stands for the names of any language. */
const anyText = 'é';
