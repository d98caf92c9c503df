// The line itself: a spinner, what is awaited, and a tail that is never cut off. ora takes it away before each write to the terminal, and
// puts it back.

import ora from 'ora';
import { safeLine } from '../../records/safe-text.ts';
import { measureFor } from '../text/text-width.ts';
import type { Io } from './io.ts';
import { loadTheme } from './theme.ts';
import type { WaitLine } from './waits.ts';

interface Spinner {
  show(line: WaitLine): void;
  stop(): void;
}

/** A spinner on standard error. It never wraps: what doesn't fit is cut. */
export async function openSpinner({ stderr, symbols }: Pick<Io, 'stderr' | 'symbols'>): Promise<Spinner> {
  const theme = await loadTheme(stderr.color);
  const measure = await measureFor([symbols.spinner.join('')], symbols);
  const spinner = ora({
    stream: stderr.stream,
    spinner: { frames: [...symbols.spinner], interval: 80 },
    isEnabled: true,
    color: stderr.color ? 'cyan' : false,
    hideCursor: false,
    discardStdin: false,
  });
  const fitted = ({ text, tail, track }: WaitLine): string => {
    if (track !== undefined) return `${safeLine(text)}  ${theme.key(track[0])}${theme.aside(track[1])}  ${safeLine(tail)}`;
    // The spinner and a space before, and the last column, where some terminals wrap.
    const room = stderr.columns - 3;
    const end = tail === '' ? '' : ` ${symbols.between} ${tail}`;
    const start = measure.cut(safeLine(text), Math.max(1, room - measure.width(end)));
    return measure.cut(`${start}${end}`, room);
  };
  return {
    show: (line) => {
      spinner.text = fitted(line);
      if (!spinner.isSpinning) spinner.start();
    },
    stop: () => {
      if (spinner.isSpinning) spinner.stop();
    },
  };
}
