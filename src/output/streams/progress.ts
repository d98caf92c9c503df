// Whoever waits longer than a moment on a terminal sees for what, and since when: one line on standard error, taken away before anything
// else is written there or on standard output. It is drawn only once the patience is over (spinner.ts).

import type { GlobalFlags } from '../../global-flags.ts';
import { safeLine } from '../../records/safe-text.ts';
import type { Io } from './io.ts';
import type { Wait, WaitLine } from './waits.ts';

/** What is awaited; a function for what changes while it lasts, given the time that it has taken, as it is said: `6 s`. */
export type Label = string | ((elapsed: string) => WaitLine);

export interface Progress {
  /** Shows the label while the promise is pending; gives what the promise gives. */
  during<T>(label: Label, promise: Promise<T>): Promise<T>;
  /** The same for a request, which may be a part of something else that is shown. */
  request<T>(label: Label, promise: Promise<T>): Promise<T>;
  /** The same for a pause that will be a long one. */
  pause<T>(label: Label, promise: Promise<T>): Promise<T>;
  /** Shows the label until the function that it gives is called. */
  begin(label: Label): () => void;
}

/** Milliseconds before anything shows. */
const patience = 400;
/** Milliseconds after which a request is worth a word of its own, and after which a dumb terminal gets a line. */
const long = 3000;
const longWithoutWord = 5000;
const redraw = 100;

/** Progress on standard error, when that is a terminal that a person watches. */
export function progress(io: Io, flags: Pick<GlobalFlags, 'quiet'>): Progress {
  const isShown = (): boolean => io.stderr.isTTY && !flags.quiet;
  const begin = (kind: Wait['kind'], label: Label): (() => void) => (isShown() ? beginWait(io, labelled(kind, label)) : () => {});
  const during =
    (kind: Wait['kind']): Progress['during'] =>
    (label, promise) =>
      isShown() ? promise.finally(begin(kind, label)) : promise;
  return { during: during('step'), request: during('request'), pause: during('pause'), begin: (label) => begin('step', label) };
}

/** Shows a wait until the function that it gives is called. */
export function beginWait(io: Io, wait: Wait): () => void {
  const { waits } = io;
  waits.display ??= waitDisplay(io);
  waits.pending.add(wait);
  waits.display.update();
  return () => {
    if (waits.pending.delete(wait)) waits.display?.update();
  };
}

function labelled(kind: Wait['kind'], label: Label): Wait {
  const since = performance.now();
  return {
    kind,
    since,
    line: () => {
      const elapsed = elapsedText(since);
      return typeof label === 'string' ? { text: label, tail: elapsed } : label(elapsed);
    },
  };
}

/** How long ago a time of performance.now() is: `6 s`, `2 min 5 s`; nothing in the first second. */
function elapsedText(since: number): string {
  const seconds = Math.floor((performance.now() - since) / 1000);
  return seconds < 1 ? '' : duration(seconds);
}

/** Whole seconds in the two largest units: `2 min 5 s`. Minutes beside hours are rounded up. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.ceil(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * The one wait that is told: a bar if there is one, else the newest step, else a request; a request that takes long is told in place of
 * a step, and beside a bar. Undefined while the patience lasts.
 */
function lineOf(waits: Iterable<Wait>, room: number): WaitLine | undefined {
  const now = performance.now();
  const seen = [...waits].filter(({ since }) => now - since >= patience);
  const request = seen.find(({ kind }) => kind === 'pause') ?? seen.find(({ kind }) => kind === 'request');
  const isLong = request !== undefined && (request.kind === 'pause' || now - request.since >= long);
  const bar = seen.find(({ kind }) => kind === 'bar');
  if (bar !== undefined) return bar.line(room, isLong ? asideOf(request) : undefined);
  const step = seen.findLast(({ kind }) => kind === 'step');
  return (isLong ? request : (step ?? request))?.line(room);
}

/** `waiting 6 s`, or what a request says of itself: `trying again in 4 s (1 of 2)`. */
function asideOf(request: Wait): string {
  const { tail } = request.line(Number.POSITIVE_INFINITY);
  return tail === elapsedText(request.since) ? `waiting ${tail}` : tail;
}

function waitDisplay(io: Io): { update(): void } {
  let timer: NodeJS.Timeout | undefined;
  let spinner: { show(line: WaitLine): void; stop(): void } | undefined;
  let isLoading = false;
  const isShown = (): boolean => io.waits.pending.size > 0 && !io.waits.isHeld;
  const room = (): number => io.stderr.columns - 3;
  const draw = (): void => {
    const line = isShown() ? lineOf(io.waits.pending, room()) : undefined;
    if (line === undefined) spinner?.stop();
    else if (spinner !== undefined) spinner.show(line);
    else load();
  };
  const load = (): void => {
    if (isLoading) return;
    isLoading = true;
    void import('./spinner.ts').then(async ({ openSpinner }) => {
      spinner = await openSpinner(io);
      draw();
    });
  };
  return {
    update: () => {
      if (!isShown()) {
        clearInterval(timer);
        timer = undefined;
        spinner?.stop();
        return;
      }
      timer ??= setInterval(io.stderr.redraws ? draw : oneLine(io), redraw).unref();
      // What ended may have been what is shown.
      if (spinner !== undefined) draw();
    },
  };
}

/** For a terminal that can take no line back: one line, once something takes really long. A bar writes lines of its own. */
function oneLine(io: Io): () => void {
  const saidOf = new Set<Wait>();
  return () => {
    const wait = [...io.waits.pending].find(({ kind }) => kind !== 'bar');
    if (wait === undefined || saidOf.has(wait) || performance.now() - wait.since < longWithoutWord) return;
    saidOf.add(wait);
    io.err(`${safeLine(wait.line(Number.POSITIVE_INFINITY).text)} ...\n`);
  };
}
