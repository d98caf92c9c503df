// `crm` on real pseudo-terminals (tmux), at a clock that stands still, on an embedded CRM with demo data for each screen.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { runCrm, shellCommand } from '../support/crm.ts';
import { cleanEnv } from '../support/environment.ts';
import { shown } from '../support/pseudo-terminal.ts';
import { removed } from '../support/removed.ts';
import { startTmux } from '../support/tmux.ts';
import type { Screen } from './screen.ts';

/** The moment of every screen, in UTC. */
export const screenTime = '2026-11-21T10:00:00Z';

const beside = (name: string): string => pathToFileURL(join(import.meta.dirname, name)).href;
const clock = beside('fixed-clock.mjs');
const { rowOf } = (await import(beside('row-of-numbers.mjs'))) as { rowOf(seed: number): () => number };

/** The clock of fixed-clock.mjs, for a call of the program in the test's process: the same moment, and the same names of runs. */
export const stillClock = (): Clock => ({ ...systemClock, now: () => new Date(screenTime), random: rowOf(1) });

export interface Terminals {
  readonly folder: string;
  /**
   * The settled screen at a width, with its colours as escapes (`tmux capture-pane -e`); blank lines at the end left out. `crm` is the built
   * command, or the one in a folder.
   */
  shot(screen: Screen, width: number, folderOfCrm?: string): Promise<string>;
  /** Screens one after the other, each on the data that the one before left. */
  series(screens: readonly Screen[], width: number): Promise<string[]>;
  close(): Promise<void>;
}

/** A tmux server of its own, and a folder with demo data. */
export async function openTerminals(): Promise<Terminals> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-screens-'));
  const env = {
    TZ: 'UTC',
    COLORTERM: 'truecolor',
    NODE_OPTIONS: `--import=${clock}`,
    SCREENS_NOW: screenTime,
  };
  const demo = join(folder, 'demo');
  const made = await runCrm(['sandbox', 'init'], { env: { ...env, ...foldersIn(demo) } });
  if (made.status !== 0) throw new Error(`The demo data could not be made: ${made.stderr}`);
  const settings = join(folder, 'tmux.conf');
  writeFileSync(settings, 'set -g default-terminal tmux-256color\n');
  const tmux = startTmux({ socket: join(folder, 'tmux'), settings, env: cleanEnv({ SHELL: '/bin/sh' }) });

  const play = async (screen: Screen, width: number, own: string, folderOfCrm?: string): Promise<string> => {
    const session = `${screen.name}-${width}`;
    for (const [name, text] of Object.entries(screen.files ?? {})) writeFileSync(join(own, name), text);
    const script = join(own, 'screen.sh');
    writeFileSync(script, scriptOf(screen, { ...env, ...foldersIn(own), ...screen.env }, folderOfCrm));
    const log = join(own, 'screen.log');
    writeFileSync(log, '');
    const size = ['-x', String(width), '-y', String(screen.height ?? 50)];
    const opened = ['new-session', '-d', '-s', session, ...size, '-c', own, `sh ${script}`];
    await tmux.run(opened, ['pipe-pane', '-t', session, `cat > ${log}`]);
    const shows = (pattern: RegExp) => shown(pattern, log, () => tmux.run(['capture-pane', '-p', '-t', session]));
    for (const { at, press } of screen.keys ?? []) {
      await shows(at);
      await tmux.run(['send-keys', '-t', session, ...press]);
    }
    // A look at the log starts no process.
    if (screen.until === undefined) await shown(/^\[status \d+\]$/m, log, async () => readFileSync(log, 'utf8'));
    else await shows(screen.until);
    return (await tmux.run(['capture-pane', '-p', '-e', '-t', session])).trimEnd();
  };
  const series = async (screens: readonly Screen[], width: number, folderOfCrm?: string): Promise<string[]> => {
    const own = join(folder, `${screens[0]?.name}-${width}`);
    cpSync(demo, own, { recursive: true });
    const shots: string[] = [];
    for (const screen of screens) shots.push(await play(screen, width, own, folderOfCrm));
    return shots;
  };

  return {
    folder,
    shot: async (screen, width, folderOfCrm) => (await series([screen], width, folderOfCrm))[0] ?? '',
    series,
    close: async () => {
      await tmux.stop();
      await removed(folder);
    },
  };
}

function foldersIn(folder: string): Record<string, string> {
  mkdirSync(folder, { recursive: true });
  return { HOME: folder, CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data') };
}

/** What runs on the terminal. The screen stays until it is taken away. */
function scriptOf({ lines, before = [], prompt = '$' }: Screen, env: Readonly<Record<string, string>>, folderOfCrm?: string): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  return [
    'trap : INT',
    ...Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`),
    folderOfCrm === undefined ? `crm() { ${shellCommand()} "$@"; }` : `export TTY="$(tty)" PATH=${quoted(folderOfCrm)}:"$PATH"`,
    ...before.map((line) => `{ ${line}\n} >before.log 2>&1 || cat before.log`),
    ...lines.flatMap((line) => [`printf '%s\\n' ${quoted(`${prompt} ${line}`)}`, line]),
    'echo "[status $?]"',
    'read -r end',
    '',
  ].join('\n');
}
