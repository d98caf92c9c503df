// A question with a typed answer. After an unusable answer, its problem is shown below and the question stays.

import { createPrompt, isEnterKey, makeTheme, useKeypress, usePrefix, useState } from '@inquirer/core';
import { useStanding } from './standing.ts';

export interface LineQuestion {
  readonly message: string;
  /** The possible answers, in brackets after the message: `y/N`. */
  readonly hint?: string;
  readonly hidden?: true;
  /** The problem of an answer, as a sentence; undefined for a usable answer. */
  readonly problem: (typed: string) => string | undefined;
  /** The answer as shown after the question. Default: the typed text. */
  readonly shown?: (typed: string) => string;
}

/** Asks a question. Returns the typed text without blanks at its edges, undefined when the input ended. */
export const line = createPrompt<string | undefined, LineQuestion>(({ message, hint, hidden, problem, shown }, done) => {
  const [status, setStatus] = useState<'idle' | 'done'>('idle');
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string | undefined>(undefined);
  const theme = makeTheme();
  const prefix = usePrefix({ status, theme });
  const drawn = useStanding(() => done(undefined));
  useKeypress((key, readline) => {
    if (status === 'done') return;
    // At Enter, readline has already cleared its line.
    if (!isEnterKey(key)) {
      setTyped(readline.line);
      setWrong(undefined);
      return;
    }
    const answer = typed.trim();
    const why = problem(answer);
    setTyped(why === undefined ? answer : '');
    setWrong(why);
    if (why !== undefined) return;
    setStatus('done');
    done(answer);
  });
  const asked = [prefix, theme.style.message(message, status)];
  if (status === 'done')
    return [...asked, hidden ? '' : theme.style.answer(shown?.(typed) ?? typed)].filter((part) => part !== '').join(' ');
  const waiting = hidden ? theme.style.help('[not shown]') : typed;
  const content = [...asked, ...(hint === undefined ? [] : [theme.style.defaultAnswer(hint)]), waiting].join(' ');
  return drawn(content, wrong === undefined ? '' : theme.style.error(wrong));
});
