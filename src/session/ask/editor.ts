// Opens a file in the user's editor: VISUAL, else EDITOR, else vi (Windows: notepad). The platform's shell starts the editor, as in git.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { platform } from 'node:os';
import { InterruptedError, UnconfirmedError, UsageError } from '../../base/errors.ts';
import { inPlaceOfShell, notStarted } from '../../base/values/text/shell-word.ts';
import type { Context } from '../context.ts';

/** An editor's command line, and the environment variable that gave it. */
interface Editor {
  readonly command: string;
  readonly from: 'VISUAL' | 'EDITOR' | undefined;
}

/** The editor that the environment names, else that of the platform. */
export function editorOf({ VISUAL, EDITOR }: Context['env']): Editor {
  if (VISUAL?.trim()) return { command: VISUAL, from: 'VISUAL' };
  return EDITOR?.trim() ? { command: EDITOR, from: 'EDITOR' } : { command: platform() === 'win32' ? 'notepad' : 'vi', from: undefined };
}

function startEditor(command: string, path: string, options: SpawnOptions): ChildProcess {
  // No path on Windows holds a double quote.
  if (platform() === 'win32') return spawn(`${command} "${path}"`, { ...options, shell: true });
  return spawn('sh', ['-c', `${inPlaceOfShell(command)} "$@"`, 'sh', path], options);
}

/**
 * Resolves when the editor ends. The editor has the terminal to itself, and writes to standard error: standard output is for the result.
 * Throws UsageError when the editor can't start, UnconfirmedError when the editor fails, and the signal's reason.
 */
export async function runEditor({ io, env, cwd, signal }: Context, { command, from }: Editor, path: string): Promise<void> {
  signal.throwIfAborted();
  const release = io.waits.hold();
  try {
    const child = startEditor(command, path, {
      ...(cwd === undefined ? {} : { cwd }),
      // The editor must not see the API key.
      env: { ...env, CRM_API_KEY: undefined },
      stdio: ['inherit', 2, 'inherit'],
    });
    // The terminal sends Ctrl-C to the editor too, and most editors don't end on Ctrl-C.
    const stop = (): void => void (signal.reason?.signal === 'SIGINT' || child.kill());
    signal.addEventListener('abort', stop);
    const { status, by } = await new Promise<{ status: number | null; by?: NodeJS.Signals | null }>((resolve) => {
      child.once('error', () => resolve({ status: 127 }));
      child.once('exit', (status, by) => resolve({ status, by }));
    });
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
    // The editor may end by Ctrl-C before this process has the signal.
    if (by === 'SIGINT') throw new InterruptedError('SIGINT');
    if (status === null || !notStarted.includes(status)) return checkEnd(status, command);
    if (from === undefined)
      throw new UsageError(`There is no editor: VISUAL and EDITOR are not set, and there is no ${command}. Set EDITOR.`);
    throw new UsageError(`${from}: the editor "${command}" can't be started. Nothing was sent.`);
  } finally {
    release();
  }
}

function checkEnd(status: number | null, command: string): void {
  if (status === 0) return;
  throw new UnconfirmedError(`The editor "${command}" ended with ${status === null ? 'a signal' : `status ${status}`}: nothing was sent.`);
}
