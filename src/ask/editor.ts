// Lets a person edit a file in a program of their own: VISUAL, then EDITOR, then vi, through the shell, as git does.

import { spawn } from 'node:child_process';
import type { Context } from '../context.ts';
import { InterruptedError, UnconfirmedError, UsageError } from '../errors.ts';

/** An editor: the shell's words for it, and what names it. */
interface Editor {
  readonly command: string;
  readonly from: 'VISUAL' | 'EDITOR' | undefined;
}

/** The editor that the environment names, else vi. */
export function editorOf({ VISUAL, EDITOR }: Context['env']): Editor {
  if (VISUAL?.trim()) return { command: VISUAL, from: 'VISUAL' };
  return EDITOR?.trim() ? { command: EDITOR, from: 'EDITOR' } : { command: 'vi', from: undefined };
}

/** What a shell says of a command that it can't find, or can't start. */
const notStarted = [126, 127];

/**
 * Resolves once the editor is left. It has the terminal to itself; its output goes where standard error goes, so that standard output holds
 * nothing but the result. Throws UsageError when it can't be started, UnconfirmedError when it fails, and the signal's reason.
 */
export async function runEditor({ io, env, cwd, signal }: Context, { command, from }: Editor, path: string): Promise<void> {
  signal.throwIfAborted();
  const release = io.waits.hold();
  try {
    const child = spawn('sh', ['-c', `${inPlaceOfShell(command)} "$@"`, 'sh', path], {
      cwd,
      // What somebody edits with needs no key.
      env: { ...env, CRM_API_KEY: undefined },
      stdio: ['inherit', 2, 'inherit'],
    });
    // Ctrl-C reaches it by itself, and means something else in most editors.
    const stop = (): void => void (signal.reason?.signal === 'SIGINT' || child.kill());
    signal.addEventListener('abort', stop);
    const { status, by } = await new Promise<{ status: number | null; by?: NodeJS.Signals | null }>((resolve) => {
      child.once('error', () => resolve({ status: 127 }));
      child.once('exit', (status, by) => resolve({ status, by }));
    });
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
    // It may end of a Ctrl-C before that is heard of here.
    if (by === 'SIGINT') throw new InterruptedError('SIGINT');
    if (status === null || !notStarted.includes(status)) return checkEnd(status, command);
    if (from === undefined) throw new UsageError('There is no editor: VISUAL and EDITOR are not set, and there is no vi. Set EDITOR.');
    throw new UsageError(`${from}: the editor "${command}" can't be started. Nothing was sent.`);
  } finally {
    release();
  }
}

/** A plain command takes the place of the shell that starts it, so that it is the one that a signal ends. */
const inPlaceOfShell = (command: string): string => (/^[\w./+-]+( +[\w./+:,@%-]+)*$/.test(command.trim()) ? `exec ${command}` : command);

function checkEnd(status: number | null, command: string): void {
  if (status === 0) return;
  throw new UnconfirmedError(`The editor "${command}" ended with ${status === null ? 'a signal' : `status ${status}`}: nothing was sent.`);
}
