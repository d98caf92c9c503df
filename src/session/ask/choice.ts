// A question with a list to choose from. What is typed searches the list.

import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isTabKey,
  isUpKey,
  makeTheme,
  useKeypress,
  usePagination,
  usePrefix,
  useState,
} from '@inquirer/core';
import { useStanding } from './standing.ts';

export interface Choice {
  readonly name: string;
  readonly value: string;
  /** Shown below the list while the choice is the marked one. */
  readonly description?: string;
  /** The name behind the question, once it is chosen. */
  readonly short: string;
}

interface ChoiceQuestion {
  readonly message: string;
  /** The choices for a typed text, each of one line. */
  readonly offered: (typed: string) => readonly Choice[];
  /** The sign in front of the marked choice. */
  readonly pointer: string;
}

/** The choices on the screen at the same time. */
const pageSize = 7;

/** Asks a question. Returns the value of the chosen choice, undefined when the input ended. */
export const choice = createPrompt<string | undefined, ChoiceQuestion>(({ message, offered, pointer }, done) => {
  const [status, setStatus] = useState<'idle' | 'done'>('idle');
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const theme = makeTheme();
  const prefix = usePrefix({ status, theme });
  const drawn = useStanding(() => done(undefined));
  const choices = offered(typed);
  const chosen = choices[active];
  useKeypress((key, readline) => {
    if (status === 'done') return;
    const retype = (text: string): void => {
      readline.clearLine(0);
      readline.write(text);
      setTyped(text);
    };
    if (isEnterKey(key)) {
      // At Enter, readline has already cleared its line.
      if (chosen === undefined) return readline.write(typed);
      setStatus('done');
      return done(chosen.value);
    }
    if (isUpKey(key) || isDownKey(key)) {
      // Readline shows an earlier line.
      retype(typed);
      setActive(Math.min(Math.max(active + (isUpKey(key) ? -1 : 1), 0), Math.max(choices.length - 1, 0)));
    } else if (isTabKey(key)) {
      retype(chosen?.name ?? typed);
      setActive(0);
    } else if (readline.line !== typed) {
      setTyped(readline.line);
      setActive(0);
    }
  });
  const page = usePagination({
    items: choices,
    active,
    pageSize,
    loop: false,
    renderItem: ({ item: { name }, isActive }) => (isActive ? theme.style.highlight(`${pointer} ${name}`) : `  ${name}`),
  });
  const asked = `${prefix} ${theme.style.message(message, status)}`;
  if (status === 'done') return `${asked} ${theme.style.answer(chosen?.short ?? '')}`;
  const list = choices.length === 0 ? theme.style.error('There is none like this.') : page;
  const description = chosen?.description === undefined ? [] : [theme.style.highlight(chosen.description)];
  const below = [list, ' ', ...description, theme.style.help('Type to search; arrows and Enter choose')];
  return drawn(`${asked} ${typed}`, below.join('\n'));
});
