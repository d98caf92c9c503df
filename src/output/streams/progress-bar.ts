// How far something with a known end is: a bar with rate and time left on a terminal, a line every five seconds elsewhere.
// On standard error, and never with --quiet.

import type { GlobalFlags } from '../../global-flags.ts';
import type { Io } from './io.ts';

export interface Extent {
  readonly done: number;
  readonly total: number;
  /** More to say, such as `3 failed`. */
  readonly aside?: string;
}

export interface ProgressBar {
  /** Takes the bar away; on other streams nothing more is written. */
  stop(): void;
}

const redraw = 100;
const lineInterval = 5000;
const widest = 30;

/** Shows how far `look` says it is, under a name such as `Importing leads`, until it is stopped. */
export function progressBar(io: Io, flags: Pick<GlobalFlags, 'quiet'>, name: string, look: () => Extent): ProgressBar {
  // Lines that are held back until the end tell nobody how far it is.
  if (flags.quiet || io.takeNotices !== undefined) return { stop: () => {} };
  const { isTTY, columns } = io.stderr;
  const start = { time: performance.now(), done: look().done };
  const show = (): void => {
    const extent = look();
    const seconds = (performance.now() - start.time) / 1000;
    const text = measured(extent, (extent.done - start.done) / seconds);
    if (isTTY) io.err(`\r\x1b[2K${barLine(name, extent, text, columns)}`);
    else io.err(`${name}: ${text}\n`);
  };
  const timer = setInterval(show, isTTY ? redraw : lineInterval);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      if (isTTY) io.err('\r\x1b[2K');
    },
  };
}

function measured({ done, total, aside }: Extent, rate: number): string {
  const left = rate > 0 && done < total ? `${duration((total - done) / rate)} left` : undefined;
  const parts = [`${number(done)} of ${number(total)}`, `${number(Math.round(rate))}/s`, left, aside];
  return parts.filter((part) => part !== undefined).join(', ');
}

function barLine(name: string, { done, total }: Extent, text: string, columns: number): string {
  const room = Math.min(widest, columns - 1 - name.length - text.length - 4);
  if (room < 5) return `${name}  ${text}`.slice(0, Math.max(0, columns - 1));
  const filled = total === 0 ? room : Math.round((Math.min(done, total) / total) * room);
  return `${name}  ${'━'.repeat(filled)}${'─'.repeat(room - filled)}  ${text}`;
}

const number = (value: number): string => value.toLocaleString('en-US');

/** A time in its two largest units. It is rounded up once, before it is split: no minute has sixty seconds. */
function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.ceil(whole / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
