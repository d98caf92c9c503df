// Real pseudo-terminals (tmux), on which a shell runs. Every step waits for a text on the screen, never for a time.

import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { shellCommand } from './crm.ts';
import { cleanEnv } from './environment.ts';
import { removed } from './removed.ts';
import { startTmux, type Tmux } from './tmux.ts';

/** Milliseconds that a slow machine may take for one step. */
const patience = 60_000;

/** A screen as soon as it shows a pattern; `log` names the file that gets what is written to it. */
export async function shown(pattern: RegExp, log: string, screen: () => Promise<string>): Promise<string> {
  let text = '';
  let seen = -1;
  for (const end = Date.now() + patience; Date.now() < end; await sleep(20)) {
    // A look at the screen is a process: only where something was written since the last one.
    const { size } = statSync(log);
    if (size === seen) continue;
    seen = size;
    text = await screen();
    if (pattern.test(text)) return text;
  }
  throw new Error(`The screen never showed ${pattern}:\n${text}`);
}

interface Size {
  readonly width?: number;
  readonly height?: number;
  readonly variables?: Record<string, string>;
}

export interface Terminal {
  screen(): Promise<string>;
  /** Presses keys by tmux's names; `-l` and a text types the text. */
  type(...keys: string[]): Promise<void>;
  /** Types a text and Enter. */
  answer(text: string): Promise<void>;
  /** The screen as soon as it shows the pattern: at once, where it is there from before. */
  shows(pattern: RegExp): Promise<string>;
  /** The status that the command ended with. */
  ends(): Promise<number>;
  /** All bytes that were written to the terminal so far. */
  log(): string;
  /** All bytes that were ever written to the terminal, once the command has ended. */
  written(): Promise<string>;
  /** The terminal's device. */
  tty(): Promise<string>;
  /** Takes the terminal away, as a closed window does. */
  hangUp(): Promise<void>;
}

export interface Terminals {
  readonly folder: string;
  /** The environment of all terminals: folders of crm, in `folder`. */
  readonly env: Record<string, string>;
  /** Runs a shell command line, in which `crm` is the built command, on a terminal of its own. */
  open(line: string, size?: Size): Promise<Terminal>;
  /** Opens a terminal with bash as a person has it: with a prompt (`$ `) and control of jobs. `crm` is the built command. */
  openShell(size?: Size): Promise<Terminal>;
  close(): Promise<void>;
}

/** A tmux server of its own, and a folder. */
export function openTerminals(): Terminals {
  const folder = mkdtempSync(join(tmpdir(), 'crm-terminal-'));
  mkdirSync(join(folder, 'home'));
  const env = { HOME: join(folder, 'home'), CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data') };
  // A shell's function is no job that comes back whole.
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'crm'), `#!/bin/sh\nexec ${shellCommand()} "$@"\n`, { mode: 0o755 });
  // Written once: a shell that starts while it is written anew reads half of it.
  const startup = join(folder, 'bashrc');
  writeFileSync(startup, `PS1='$ '\nPATH=${join(folder, 'bin')}:$PATH\n`);
  let sessions = 0;

  let server: Tmux | undefined;
  // Not before it is wanted: tests that are skipped may have no tmux.
  const tmux = (): Tmux => {
    server ??= startTmux({ socket: join(folder, 'tmux'), env: cleanEnv({ ...env, SHELL: '/bin/sh' }) });
    return server;
  };

  async function start(name: string, command: string, { width = 100, height = 30, variables = {} }: Size): Promise<Terminal> {
    const settings = Object.entries({ PAGER: 'cat', ...variables }).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
    const logFile = join(folder, `${name}.log`);
    const log = (): string => readFileSync(logFile, 'utf8');
    writeFileSync(logFile, '');
    // In one call, so that nothing is written before it goes into the log, too.
    const session = ['new-session', '-d', '-s', name, '-x', String(width), '-y', String(height), ...settings, command];
    await tmux().run(session, ['pipe-pane', '-t', name, `cat > ${logFile}`]);

    const screen = async (): Promise<string> => (await tmux().run(['capture-pane', '-p', '-t', name])).trimEnd();
    const type = async (...keys: string[]): Promise<void> => {
      await tmux().run(['send-keys', '-t', name, ...keys]);
    };
    const answer = async (text: string): Promise<void> => {
      await type('-l', text);
      await type('Enter');
    };
    const shows = (pattern: RegExp): Promise<string> => shown(pattern, logFile, screen);
    const ends = async (): Promise<number> => Number(/\[status (\d+)\]/.exec(await shows(/\[status \d+\]/))?.[1]);
    const written = async (): Promise<string> => {
      await ends();
      while (!log().includes('[status ')) await sleep(20);
      return log();
    };
    const hangUp = async (): Promise<void> => {
      await tmux().run(['kill-session', '-t', name]);
    };
    const tty = async (): Promise<string> => (await tmux().run(['display-message', '-p', '-t', name, '#{pane_tty}'])).trim();
    return { screen, type, answer, shows, ends, log, written, tty, hangUp };
  }

  return {
    folder,
    env,
    open: async (line, size = {}) => {
      sessions += 1;
      const name = `s${sessions}`;
      const script = join(folder, `${name}.sh`);
      // It outlives a Ctrl-C itself.
      writeFileSync(script, `trap : INT\ncrm() { ${shellCommand()} "$@"; }\n${line}\necho "[status $?]"\nread -r end\n`);
      return start(name, `sh ${script}`, size);
    },
    openShell: async (size = {}) => {
      sessions += 1;
      const terminal = await start(`s${sessions}`, `bash --noprofile --rcfile ${startup} -i`, size);
      await terminal.shows(/^\$/);
      return terminal;
    },
    close: async () => {
      await server?.stop();
      await removed(folder);
    },
  };
}
