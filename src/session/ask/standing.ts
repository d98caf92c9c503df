// What every question does besides its answer: it ends when its input ends, and stands again after Ctrl-Z and `fg`.

import { type KeypressEvent, useEffect, useRef, useState } from '@inquirer/core';

/** The lines that a question has on the screen: those up to the cursor, and those below. */
type ShownLines = [asked: string, below: string];

/**
 * A function that a question's view passes its lines through. `end` is called when the input ends (Ctrl-D, a closed terminal): the library
 * would leave the question without an answer. Readline pauses its input for Ctrl-Z.
 */
export function useStanding(end: () => void): (...drawing: ShownLines) => ShownLines {
  const drawn = useRef<ShownLines>(['', '']);
  const [, redraw] = useState({});
  useEffect((readline) => {
    const write = (text: string): void => {
      readline.output.unmute();
      readline.output.write(text);
      readline.output.mute();
    };
    // In front of readline's own listener, which stops the process. The shell writes from the cursor on.
    const beforeStop = (_typed: unknown, { ctrl, name }: KeypressEvent): void => {
      if (ctrl && name === 'z') write(eraseBelow);
    };
    readline.input.prependListener('keypress', beforeStop);
    readline.on('close', end);
    // The mode of a terminal that was closed can't be put back.
    readline.on('error', () => {});
    readline.on('SIGCONT', () => {
      readline.resume();
      // The library erases the lines where the question stood. Those belong to the shell now, so as many are made below.
      const [asked, below] = drawn.current.map((text) => text.split('\n').length);
      const above = (asked ?? 1) - 1 + readline.getCursorPos().rows;
      const under = (below ?? 1) + spare;
      write(`${'\n'.repeat(above + under)}\u{1B}[${under}A`);
      redraw({});
    });
    return () => void readline.input.removeListener('keypress', beforeStop);
  }, []);
  return (...drawing) => {
    drawn.current = drawing;
    return drawing;
  };
}

/** Lines for what a narrow terminal breaks. */
const spare = 2;

const eraseBelow = '\u{1B}[J';
