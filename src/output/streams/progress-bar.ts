// How far something with a known end is: a bar with rate and time left on a terminal, a line every five seconds elsewhere.
// On standard error, and never with --quiet.

import type { GlobalFlags } from '../../global-flags.ts';
import { inThousands } from '../../values/limits.ts';
import type { Io } from './io.ts';
import { beginWait, duration } from './progress.ts';
import type { Symbols } from './symbols.ts';
import type { WaitLine } from './waits.ts';

interface ProgressMade {
  readonly done: number;
  readonly total: number;
  /** More to say, such as `3 failed`. */
  readonly aside?: string;
}

export interface ProgressBar {
  /** Takes the bar away; on other streams nothing more is written. */
  stop(): void;
}

const lineInterval = 5000;
const widest = 30;

/** Shows how far `look` says it is, under a name such as `Importing leads`, until it is stopped. */
export function progressBar(io: Io, flags: Pick<GlobalFlags, 'quiet'>, name: string, look: () => ProgressMade): ProgressBar {
  // Lines that are held back until the end tell nobody how far it is.
  if (flags.quiet || io.takeNotices !== undefined) return { stop: () => {} };
  const start = { time: performance.now(), done: look().done };
  const measure = (extent: ProgressMade): Measured => {
    const seconds = (performance.now() - start.time) / 1000;
    return measured(extent, (extent.done - start.done) / seconds);
  };
  if (io.stderr.redraws) {
    const line = (room: number, wait?: string): WaitLine => {
      const extent = look();
      return barLine(name, extent, { ...measure(extent), wait }, room, io.symbols);
    };
    return { stop: beginWait(io, { kind: 'bar', since: start.time, line }) };
  }
  const timer = setInterval(() => io.err(`${name}: ${joined(measure(look()))}\n`), lineInterval);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** What there is to say, in its order. */
interface Measured {
  readonly count: string;
  readonly rate?: string | undefined;
  readonly left?: string | undefined;
  readonly aside?: string | undefined;
  readonly wait?: string | undefined;
}

function measured({ done, total, aside }: ProgressMade, rate: number): Measured {
  const left = rate > 0 && done < total ? `${duration(Math.ceil((total - done) / rate))} left` : undefined;
  return { count: `${inThousands(done)} of ${inThousands(total)}`, rate: `${inThousands(Math.round(rate))}/s`, left, aside };
}

const joined = ({ count, rate, left, aside, wait }: Measured): string =>
  [count, rate, left, aside, wait].filter((part) => part !== undefined).join(', ');

/** Where there is no room for a bar there is none; then the rate is left out, and the time that is left. */
function barLine(name: string, { done, total }: ProgressMade, all: Measured, room: number, { track }: Symbols): WaitLine {
  const text = joined(all);
  const columns = Math.min(widest, room - name.length - text.length - 4);
  if (columns < 5) {
    const shorter = [all, { ...all, rate: undefined }, { ...all, rate: undefined, left: undefined }].map(
      (one) => `${name}  ${joined(one)}`,
    );
    return { text: shorter.find((line) => line.length <= room) ?? shorter.at(-1) ?? name, tail: '' };
  }
  const filled = total === 0 ? columns : Math.round((Math.min(done, total) / total) * columns);
  return { text: name, track: [track.done.repeat(filled), track.left.repeat(columns - filled)], tail: text };
}
