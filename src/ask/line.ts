// The one kind of question: a line that is typed. An answer that can't be used is cleared, what is wrong with it stands below, and
// the question is there again.

import { createPrompt, isEnterKey, makeTheme, useKeypress, usePrefix, useState } from '@inquirer/core';

export interface Question {
  readonly message: string;
  /** What may be typed, in brackets behind the message: `y/N`. */
  readonly hint?: string;
  /** What is typed is not shown. */
  readonly hidden?: true;
  /** What is wrong with an answer, as a sentence; undefined for one that can be used. */
  readonly problem: (typed: string) => string | undefined;
  /** How the answer stands behind the question once it is given. Default: as it was typed. */
  readonly shown?: (typed: string) => string;
}

/** Asks; gives what was typed, without the spaces around it. */
export const line = createPrompt<string, Question>(({ message, hint, hidden, problem, shown }, done) => {
  const [status, setStatus] = useState<'idle' | 'done'>('idle');
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string | undefined>(undefined);
  const theme = makeTheme();
  const prefix = usePrefix({ status, theme });
  useKeypress((key, readline) => {
    if (status === 'done') return;
    // At Enter readline has cleared its own line already.
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
  return [content, wrong === undefined ? '' : theme.style.error(wrong)];
});
