// Draws a phrase: members of a record on one line, declared by the family as `contact.first_name contact.last_name, contact.job_position`.

import { quotedWord } from '../../base/values/text/wording.ts';
import type { Phrase } from '../../model/define.ts';
import { memberNamed } from '../../model/members.ts';
import { cellValue } from '../../model/records/columns.ts';
import { displayText } from '../../model/records/display.ts';
import type { Shape } from '../result.ts';
import { type StyledPart, type StyledText, type StyleOptions, styledMember, unstyled } from '../text/styled-text.ts';

/** The separators between members, the weakest first. An empty member is left out; the strongest separator around it stays. */
const joints = [' ', ', ', ' · '];

interface PhraseStep {
  /** The index of the separator before the member. */
  readonly joint: number;
  readonly words: string;
  /** Declared as `#tags`: each element gets a `#`. */
  readonly isSigned: boolean;
  readonly path: string;
}

/** The paths of the members in a phrase. */
export const phrasePaths = (phrase: Phrase, shape: Shape): string[] => phraseSteps(phrase, shape).map(({ path }) => path);

/** Returns the function that draws a phrase of a record. The text is empty if all members are empty. */
export function phraseOf(phrase: Phrase, options: StyleOptions): (record: unknown) => StyledText {
  const { theme, symbols } = options;
  const steps = phraseSteps(phrase, options.shape).map((step) => ({
    ...step,
    text: step.isSigned ? styledSigned(step.path) : styledMember(step.path, options),
  }));
  return (record) => {
    const parts: StyledPart[] = [];
    let joint = 0;
    for (const step of steps) {
      joint = Math.max(joint, step.joint);
      const styled = isUnsaid(record, step.path, options.shape) ? [] : step.text(record);
      if (unstyled(styled).trim() === '') continue;
      if (parts.length > 0) parts.push({ text: joint < 2 ? (joints[joint] ?? ' ') : ` ${symbols.between} `, paint: theme.aside });
      if (step.words !== '') parts.push({ text: `${step.words} `, paint: theme.aside });
      parts.push(...styled);
      joint = 0;
    }
    return parts;
  };
}

function phraseSteps(phrase: Phrase, shape: Shape): PhraseStep[] {
  const steps: PhraseStep[] = [];
  let [joint, words]: [number, string[]] = [0, []];
  for (const [index, token] of phrase.split(/(, | · | )/).entries()) {
    const path = token.replace(/^#/, '');
    if (index % 2 === 1) joint = Math.max(joint, joints.indexOf(token));
    else if (isPath(path, shape)) {
      steps.push({ joint, words: words.join(' '), isSigned: token !== path, path });
      [joint, words] = [0, []];
    } else words.push(token);
  }
  return steps;
}

const isPath = (token: string, { record }: Shape): boolean => record.some((path) => path === token || path.startsWith(`${token}.`));

/** True if the family declares the value at this path as not worth showing (`unsaid`). */
export function isUnsaid(record: unknown, path: string, { view }: Shape): boolean {
  const text = displayText(cellValue(record, path));
  return (view?.unsaid ?? []).some((one) => {
    const [name, unsaid] = one.split('=');
    return name === path && (unsaid === undefined || unsaid === text || displayText(cellValue(record, unsaid)) === text);
  });
}

function styledSigned(path: string): (record: unknown) => StyledText {
  return (record) => {
    const value = cellValue(record, path);
    const texts = (Array.isArray(value) ? value : [value]).map(displayText).filter((text) => text !== '');
    return texts.length === 0 ? [] : [{ text: texts.map((text) => `#${quotedWord(text)}`).join(' ') }];
  };
}

/** The documented members that are shown together with a member: the id, name and colour of a relation. */
export function shownWith(path: string, shape: Shape): string[] {
  const member = memberNamed(shape, path);
  return member?.kind === 'relation' && member.path === path ? [path, member.id, member.name, `${path}.color`] : [path];
}
