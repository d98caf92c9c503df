// The pager: a program such as less shows a result with more lines than the screen. Text is held back up to this number of lines, so that
// a short result is printed without a pager.

import type { ChildProcess } from 'node:child_process';
import { platform } from 'node:os';
import { inPlaceOfShell, notStarted } from '../../base/values/text/shell-word.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The pager's shell command: CRM_PAGER, PAGER, or less; Windows has no less. Undefined for an empty command, for `cat`, and on a dumb
 * terminal. `isChosen`: by the user.
 */
export function pagerCommand({ CRM_PAGER, PAGER, TERM }: Environment): { line: string; isChosen: boolean } | undefined {
  const chosen = (CRM_PAGER ?? PAGER)?.trim();
  if (TERM === 'dumb' || chosen === '' || chosen === 'cat' || (chosen === undefined && platform() === 'win32')) return undefined;
  return { line: chosen ?? 'less -FRX', isChosen: chosen !== undefined };
}

/**
 * The options of less where the person has none: the prompt says how to go on. Only in the variable, because another `less`, such as
 * busybox's, knows no prompts.
 */
const lessOptions = '-FRX -Ps?eThe end\\: q to quit:Space for more, q to quit.$';

/** The first exit status of a command that a signal ended, such as Ctrl-C: the user has left the pager. */
const endedBySignal = 128;
const isFailure = (status: number): boolean => status > 0 && status < endedBySignal;

/** A result on its way to the screen. */
export interface Paging {
  out(text: string): Promise<void>;
  flush(): Promise<void>;
  /** True while the pager has the terminal. */
  isOpen(): boolean;
  /**
   * Runs the work that writes the result, then waits until the pager is left. Throws the errors of the work. Throws `streams.closed()` if
   * the pager is left before the whole result is written.
   */
  during<T>(work: () => Promise<T>): Promise<T>;
}

interface PagedStreams {
  readonly screen: { readonly rows: number };
  readonly env: Environment;
  /** An abort of the signal also kills the pager. */
  readonly signal: AbortSignal;
  /** Standard output itself. */
  readonly print: Pick<Paging, 'out' | 'flush'>;
  /** Called when the pager gets the terminal, and when the pager is left. */
  readonly opened: () => void;
  readonly left: () => void;
  /** Reports that the pager failed. */
  readonly complain: (text: string) => void;
  /** Makes the error for a pager that is left before the whole result is written. */
  readonly closed: () => Error;
}

/** Where text goes: held back, to the pager, to standard output, or nowhere after the pager was left. */
type State =
  | { readonly kind: 'held'; readonly text: string }
  | { readonly kind: 'paged'; readonly child: ChildProcess; readonly ended: Promise<void> }
  | { readonly kind: 'plain' }
  | { readonly kind: 'gone' };

/** Lines left free for the end of a list and the prompt. */
const spareLines = 3;
/** In characters, more than any pipe holds: a pager that took this much has started. */
const surelyRead = 1_000_000;

/**
 * Holds a result back until it is longer than the screen, then starts the pager. After a flush without a pager, prints the rest directly.
 */
export function beginPaging({ line, isChosen }: { line: string; isChosen: boolean }, streams: PagedStreams): Paging {
  const { print, screen, signal } = streams;
  const leftEarly = Promise.withResolvers<never>();
  // Nobody may be waiting for the rejection any more.
  leftEarly.promise.catch(() => undefined);
  let state: State = { kind: 'held', text: '' };
  let sent: string | undefined = '';
  let isPrinted = false;

  const afterwards = async (status: number | null): Promise<void> => {
    streams.left();
    const isMissing = status === null || notStarted.includes(status);
    if (sent !== undefined && (isMissing || isFailure(status))) {
      state = { kind: 'plain' };
      const what = isMissing ? 'could not be started' : `ended with status ${status}`;
      if (isChosen || !isMissing) streams.complain(`The pager "${line}" ${what}, so the result is printed without a pager.`);
      await print.out(sent);
      return;
    }
    state = { kind: 'gone' };
    if (!isPrinted) leftEarly.reject(streams.closed());
  };

  const start = (): Extract<State, { kind: 'paged' }> => {
    // Loaded when a pager opens: most results are shorter than the screen.
    const { spawn } = process.getBuiltinModule('node:child_process');
    const { LESS } = streams.env;
    const child = spawn(platform() === 'win32' ? line : inPlaceOfShell(line), {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      // The pager must not see the API key. Without -R less shows colours as escapes; in front, because a text may end the user's options.
      env: {
        LESSCHARSET: 'utf-8',
        LV: '-c',
        ...streams.env,
        LESS: LESS === undefined ? lessOptions : `-R ${LESS}`,
        CRM_API_KEY: undefined,
      },
    });
    const exit = new Promise<number | null>((resolve) => {
      child.on('error', () => resolve(null));
      child.on('exit', (status) => resolve(status ?? 0));
    });
    // A pager that is left early closes its input.
    child.stdin?.on('error', () => undefined);
    const stop = (): void => void child.kill();
    signal.addEventListener('abort', stop);
    streams.opened();
    const ended = exit.then(async (status) => {
      signal.removeEventListener('abort', stop);
      await afterwards(status);
    });
    return { kind: 'paged', child, ended };
  };

  const send = async (text: string, { child, ended }: Extract<State, { kind: 'paged' }>): Promise<void> => {
    sent = sent === undefined || sent.length > surelyRead ? undefined : sent + text;
    const taken = new Promise<void>((resolve) => child.stdin?.write(text, () => resolve()));
    await Promise.race([taken.then(() => (child.exitCode === null ? undefined : ended)), ended]);
    if (state.kind === 'gone') throw streams.closed();
  };

  const out = async (text: string): Promise<void> => {
    switch (state.kind) {
      case 'gone':
        throw streams.closed();
      case 'plain':
        return print.out(text);
      case 'paged':
        return send(text, state);
      case 'held': {
        const all = state.text + text;
        state = { kind: 'held', text: all };
        if (all.split('\n').length - 1 <= screen.rows - spareLines) return;
        state = start();
        return send(all, state);
      }
    }
  };

  const flush = async (): Promise<void> => {
    if (state.kind === 'held' && state.text !== '') {
      const { text } = state;
      state = { kind: 'plain' };
      await print.out(text);
    }
    if (state.kind !== 'paged') await print.flush();
  };

  const finish = async (): Promise<void> => {
    if (state.kind !== 'paged') return flush();
    state.child.stdin?.end();
    await state.ended;
    signal.throwIfAborted();
  };

  return {
    out,
    flush,
    isOpen: () => state.kind === 'paged',
    during: async (work) => {
      try {
        const result = await Promise.race([work(), leftEarly.promise]);
        isPrinted = true;
        return result;
      } finally {
        await finish();
      }
    },
  };
}
