// The spinner: shown on a terminal while something takes long, and removed before anything else is written.

import type { GlobalFlags } from '../../global-flags.ts';
import type { Io } from './io.ts';
import { safeLine } from './safe-text.ts';

export interface Progress {
  /** Shows the label while the promise is pending; gives what the promise gives. */
  during<T>(label: string, promise: Promise<T>): Promise<T>;
}

/** Milliseconds before it shows. */
const patience = 400;

/** A spinner on standard error, when that is a terminal that a person watches. */
export function progress(io: Io, flags: Pick<GlobalFlags, 'quiet'>): Progress {
  const shown = io.stderr.isTTY && !flags.quiet;
  return { during: (label, promise) => (shown ? spinDuring(io, label, promise) : promise) };
}

async function spinDuring<T>(io: Io, label: string, promise: Promise<T>): Promise<T> {
  let pending = true;
  let stop = (): void => {};
  const timer = setTimeout(async () => {
    const { default: ora } = await import('ora');
    if (!pending || io.pager?.isOpen()) return;
    const color = io.stderr.color ? 'cyan' : false;
    const spinner = ora({
      text: safeLine(label),
      stream: io.stderr.stream,
      isEnabled: true,
      color,
      hideCursor: false,
      discardStdin: false,
    });
    spinner.start();
    stop = () => spinner.stop();
    io.pager?.opened.addEventListener('abort', stop, { once: true });
  }, patience);
  timer.unref();
  try {
    return await promise;
  } finally {
    pending = false;
    clearTimeout(timer);
    stop();
  }
}
