// Runs an acceptance script in a working folder of its own, which is removed afterwards.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runCrm, startSandbox } from './crm.ts';
import { builtOnPath, hereOnPath } from './crm-on-path.ts';
import { cleanEnv } from './environment.ts';
import { serveHere } from './serve-here.ts';

const folderOfScripts = join(import.meta.dirname, '..', 'acceptance');

/** Every script, by its name without the ending. */
export const scripts = globSync(join(folderOfScripts, '*.sh'))
  .map((path) => basename(path, '.sh'))
  .filter((name) => name !== 'lib')
  .sort();

/** The scripts of every day: the README's commands, and a seed. CI runs all, and with the standalone executable. */
export const dailyScripts = ['readme', 'seeding'];
/**
 * Only the executable runs these: the commands of help topics and of job files, and what other tests of processes run on the oldest runtime
 * (an import that is killed, a server that is stopped, commands with a CRM of their own).
 */
const executableScripts = ['exec', 'importing', 'jobs', 'sandbox', 'topics'];
export const otherScripts = scripts.filter((name) => ![...dailyScripts, ...executableScripts].includes(name));

/** The scripts of which processes are the matter, and not results alone. */
const processScripts = ['no-trace', 'pipes', 'streams'];

/** With the executable, these have its server: the scripts that start servers themselves, and the README's commands. */
const serverScripts = ['exec', 'jobs', 'readme', 'sandbox'];

/** Starts a server between a script and its service. Gives the URL for the script, and a function that stops the server. */
export type Between = (serviceUrl: string) => Promise<{ readonly baseUrl: string; close(): Promise<void> }>;

export interface Surroundings {
  readonly between?: Between;
  /** Sends bodies as JSON, with a profile in place of settings from the environment. */
  readonly asJson?: true;
}

/**
 * Runs a script against an embedded CRM with demo data over real HTTP: with CRM_BIN with the executable, with the built command where
 * processes are its matter, else with the program in this process. Gives the script's exit status and all its output.
 */
export async function runScript(name: string, { between, asJson }: Surroundings = {}): Promise<{ status: number | null; output: string }> {
  const { CRM_BIN, CRM_SLOW } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'crm-acceptance-'));
  const path = join(folder, 'service.sqlite');
  const isServedHere = CRM_BIN === undefined || !serverScripts.includes(name);
  const server = isServedHere ? await serveHere(path) : await startSandbox(['--db', path]);
  const stage = await between?.(server.baseUrl);
  const isHere = CRM_BIN === undefined && !processScripts.includes(name);
  const crm = isHere ? await hereOnPath(folder) : builtOnPath(folder);
  try {
    const work = join(folder, 'work');
    mkdirSync(work);
    const baseUrl = stage?.baseUrl ?? server.baseUrl;
    const folders = { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data') };
    if (asJson) {
      const profile = ['profile', 'add', 'service', '--base-url', baseUrl, '--key-stdin', '--encoding', 'json', '--no-verify'];
      await runCrm(profile, { env: folders, stdin: server.key });
    }
    const env = cleanEnv({
      ...(CRM_SLOW !== undefined && { CRM_SLOW }),
      PATH: `${crm.folder}:${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: folder,
      ...folders,
      ...(!asJson && { CRM_BASE_URL: baseUrl, CRM_API_KEY: server.key }),
      LIB: join(folderOfScripts, 'lib.sh'),
      ROOT: join(folderOfScripts, '..', '..'),
    });
    const path = join(folderOfScripts, `${name}.sh`);
    const script = spawn('bash', [path], { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 590_000 });
    const [stdout, stderr, [status]] = await Promise.all([text(script.stdout), text(script.stderr), once(script, 'close')]);
    return { status: status as number | null, output: `${stdout}\n${stderr}` };
  } finally {
    crm.stop();
    await stage?.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}
