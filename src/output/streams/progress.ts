// Shows the waits of crm on a terminal: one line on standard error with the newest label, and a bar if the total is known. The line is
// erased before any other write to the terminal. ora draws the spinner.

import { systemClock } from '../../base/clock.ts';
import type { GlobalFlags } from '../../base/global-flags.ts';
import { inThousands } from '../../base/limits.ts';
import { safeLine } from '../../model/records/safe-text.ts';
import type { Io } from './io.ts';
import type { Wait, WaitLine, WaitProgress } from './waits.ts';

/** The text of a wait. A function for a text that changes, given the elapsed time: `6 s`. */
type Label = string | ((elapsed: string) => WaitLine);

interface Progress {
  /** Shows the label while the promise is pending. Returns the promise's value. */
  during<T>(label: Label, promise: Promise<T>): Promise<T>;
  /** Shows the label of a request while the promise is pending. Other waits are shown before requests. */
  request<T>(label: Label, promise: Promise<T>): Promise<T>;
  /** Shows the label until the returned function is called. */
  begin(label: Label): () => void;
}

/** Milliseconds before a wait is shown. */
const patience = 400;
/** Milliseconds before a request is shown in place of another wait. */
const long = 3000;
/** Milliseconds before a line is written that can't be erased. */
const longWithoutWord = 5000;
/** Milliseconds between drawings. */
const redraw = 100;
const [narrowestBar, widestBar] = [5, 30];

/** Progress on standard error. Shows nothing off a terminal or with --quiet. */
export function progress(io: Io, flags: Pick<GlobalFlags, 'quiet'>): Progress {
  const begin = (label: Label, isRequest = false): (() => void) => {
    if (!io.stderr.isTTY || flags.quiet) return () => {};
    const since = systemClock.steady();
    const line = (): WaitLine => {
      const seconds = Math.floor((systemClock.steady() - since) / 1000);
      const elapsed = seconds < 1 ? '' : duration(seconds);
      return typeof label === 'string' ? { text: label, tail: elapsed } : label(elapsed);
    };
    return beginWait(io, { since, isRequest, line });
  };
  return {
    during: (label, promise) => promise.finally(begin(label)),
    request: (label, promise) => promise.finally(begin(label, true)),
    begin,
  };
}

export interface ProgressBar {
  /** Erases the bar; off a terminal ends the lines. */
  stop(): void;
}

/** Shows the progress that `look` returns: a bar, or a line every five seconds. `name`: `Importing leads`. `aside`: `3 failed`. */
export function progressBar(
  io: Io,
  flags: Pick<GlobalFlags, 'quiet'>,
  name: string,
  look: () => { readonly done: number; readonly total: number; readonly aside?: string },
): ProgressBar {
  // A progress line that is held back until the end has no use.
  if (flags.quiet || io.takeNotices !== undefined) return { stop: () => {} };
  const since = systemClock.steady();
  const { done: before } = look();
  const extent = (): WaitProgress => {
    const { done, total, aside } = look();
    const rate = ((done - before) / (systemClock.steady() - since)) * 1000;
    const pause = Math.ceil((io.waits.pausedUntil - systemClock.steady()) / 1000);
    const left = rate > 0 && done < total ? `${duration(Math.ceil((total - done) / rate))} left` : undefined;
    // During a pause of the service no rate and no countdown would be true.
    const speed = pause > 0 ? [`waiting ${duration(pause)}`] : [`${inThousands(Math.round(rate))}/s`, left];
    const words = [`${inThousands(done)} of ${inThousands(total)}`, aside, ...speed];
    return { share: total === 0 ? 1 : Math.min(done, total) / total, text: words.filter((word) => word !== undefined).join(', ') };
  };
  if (io.stderr.redraws) return { stop: beginWait(io, { since, isRequest: false, line: () => ({ text: name, tail: '' }), extent }) };
  const timer = setInterval(() => io.err(`${name}: ${extent().text}\n`), longWithoutWord).unref();
  return { stop: () => clearInterval(timer) };
}

function beginWait(io: Io, wait: Wait): () => void {
  const { waits } = io;
  waits.display ??= waitDisplay(io);
  waits.pending.add(wait);
  waits.display.update();
  return () => {
    if (waits.pending.delete(wait)) waits.display?.update();
  };
}

/** `2 min 5 s`; minutes beside hours are rounded up. */
function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.ceil(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The newest wait older than `patience`. A request counts only if it is older than `long`, or if nothing else is awaited. */
function newestOf(waits: Iterable<Wait>): Wait | undefined {
  const now = systemClock.steady();
  const seen = [...waits].filter(({ since }) => now - since >= patience);
  return seen.findLast(({ isRequest, since }) => !isRequest || now - since >= long) ?? seen.at(-1);
}

function waitDisplay(io: Io): { update(): void } {
  const { waits, stderr } = io;
  let timer: NodeJS.Timeout | undefined;
  let isOpening = false;
  let line: Awaited<ReturnType<typeof openLine>> | undefined;
  let told: Wait | undefined;
  const draw = (): void => {
    const newest = waits.isHeld ? undefined : newestOf(waits.pending);
    if (newest === undefined) line?.stop();
    else if (stderr.redraws) {
      line?.show(newest.line(), [...waits.pending].find(({ extent }) => extent !== undefined)?.extent?.());
      if (!isOpening)
        void openLine(io).then((opened) => {
          line = opened;
          draw();
        });
      isOpening = true;
    } else if (newest !== told && systemClock.steady() - newest.since >= longWithoutWord) {
      told = newest;
      io.err(`${safeLine(newest.line().text)} ...\n`);
    }
  };
  return {
    update: () => {
      if (waits.pending.size === 0 || waits.isHeld) {
        clearInterval(timer);
        timer = undefined;
      } else timer ??= setInterval(draw, redraw).unref();
      draw();
    },
  };
}

/** ora erases the line before each write to the terminal and draws it again. */
async function openLine({ stderr, symbols }: Pick<Io, 'stderr' | 'symbols'>) {
  const [{ default: ora }, { measureFor }, { loadTheme }] = await Promise.all([
    import('ora'),
    import('../text/text-width.ts'),
    import('./theme.ts'),
  ]);
  const [theme, { cut, width }] = [await loadTheme(stderr.color), await measureFor([symbols.spinner.join('')], symbols)];
  const spinner = ora({
    stream: stderr.stream,
    spinner: { frames: [...symbols.spinner], interval: 80 },
    isEnabled: true,
    color: stderr.color ? 'cyan' : false,
    hideCursor: false,
    discardStdin: false,
  });
  // ora would erase lines without end on a terminal that has lost its window.
  stderr.stream.on('resize', () => {
    if (!stderr.redraws) spinner.stop();
  });
  /** The tail is cut last. */
  const fitted = (text: string, tail: string, extent: WaitProgress | undefined): string => {
    // The spinner and a space take two columns, and some terminals wrap in the last column.
    const room = stderr.columns - 3;
    const said = `${cut(text, Math.max(1, room - width(tail)))}${tail}`;
    if (extent === undefined) return cut(said, room);
    const columns = Math.min(widestBar, room - width(`${said}    ${extent.text}`));
    if (columns < narrowestBar) return cut(`${said}  ${extent.text}`, room);
    const filled = Math.round(extent.share * columns);
    const [done, left] = [symbols.track.done.repeat(filled), symbols.track.left.repeat(columns - filled)];
    return `${said}  ${theme.key(done)}${theme.aside(left)}  ${extent.text}`;
  };
  return {
    show: ({ text, tail }: WaitLine, extent: WaitProgress | undefined): void => {
      spinner.text = fitted(safeLine(text), tail === '' ? '' : safeLine(` ${symbols.between} ${tail}`), extent);
      if (!spinner.isSpinning) spinner.start();
    },
    stop: (): void => {
      if (spinner.isSpinning) spinner.stop();
    },
  };
}
