// crm doctor: crm itself, Node, the system, and the folders of settings and data with their permissions.

import { accessSync, constants, existsSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { release, type } from 'node:os';
import { dirname, join } from 'node:path';
import { isSea } from 'node:sea';
import type { Context } from '../../context.ts';
import { systemCode } from '../../errors.ts';
import { foreignAt } from '../../files/own-folders.ts';
import { profilesPath } from '../../profiles/store.ts';
import { journalFolder } from '../../runs/journal/service-address.ts';
import { version } from '../../version.ts';
import { type CheckResult, checked, ok } from './finding.ts';

/** The rows on what crm runs on and in, for which no settings are needed. */
export async function machineRows(context: Context): Promise<readonly CheckResult[]> {
  return [
    ok('crm', `${version}, ${howInstalled()}`),
    ok('Node', `${process.versions.node}, ${isSea() ? 'inside the executable' : process.execPath}`),
    ok('system', `${type()} ${release()}, ${process.arch}`),
    cacheRow(context.env),
    ...certificateRows(context.env),
    ...(await checked('config folder', async () => [folderRow('config folder', await context.configDir(), 'CRM_CONFIG_DIR', context)])),
    ...(await checked('config file', async () => configFileRows(profilesPath(await context.configDir())))),
    ...(await checked('data folder', async () => dataRows(await context.dataDir(), context))),
  ];
}

/** How crm came here, as far as its place tells. */
function howInstalled(): string {
  if (isSea()) return `an executable of its own, ${process.execPath}`;
  const folder = import.meta.dirname.replace(/[\\/](?:dist|src)[\\/][^\n]*$/, '');
  return /[\\/]node_modules[\\/][^\\/]+$/.test(folder) ? `an npm package, ${folder}` : `from ${folder}`;
}

/** A variable that turns off the check of certificates for other programs of Node. */
function certificateRows({ NODE_TLS_REJECT_UNAUTHORIZED: value }: Context['env']): readonly CheckResult[] {
  if (value !== '0') return [];
  const found = 'NODE_TLS_REJECT_UNAUTHORIZED=0 is set; crm checks certificates all the same';
  const advice = 'Unset it: other programs then believe any server. NODE_EXTRA_CA_CERTS names an authority of your own.';
  return [{ check: 'certificates', state: 'note', found, advice }];
}

function cacheRow(env: Context['env']): CheckResult {
  const folder = getCompileCacheDir();
  if (folder !== undefined) return ok('compile cache', folder);
  if (isSea()) return ok('compile cache', 'inside the executable');
  const why = env.NODE_DISABLE_COMPILE_CACHE ? 'turned off by NODE_DISABLE_COMPILE_CACHE' : 'none could be made';
  return { check: 'compile cache', state: 'note', found: `${why}, so that each start takes a little longer` };
}

/** A folder that crm makes when it first writes there. */
function folderRow(check: string, path: string, variable: string, { env }: Context): CheckResult {
  const where = env[variable] ? `${path}, from ${variable}` : path;
  const facts = statsOf(path);
  const advice = `Make it a folder that you can write to, or set ${variable} to another one.`;
  if (facts === 'ENOENT') {
    const above = nearest(dirname(path));
    if (isUsable(above, constants.W_OK)) return ok(check, `${where}: not there yet, made when it is needed`);
    return { check, state: 'wrong', found: `${where}: not there, and it can't be made in ${above}`, advice };
  }
  if (typeof facts === 'string') return { check, state: 'wrong', found: `${where}: it can't be looked at (${facts})`, advice };
  if (!facts.isDirectory()) return { check, state: 'wrong', found: `${where}: no folder`, advice };
  if (!isUsable(path, constants.R_OK | constants.W_OK | constants.X_OK)) {
    return { check, state: 'wrong', found: `${where}: you can't read and write there`, advice };
  }
  return ok(check, where);
}

/** The folder of data, and what others could have written of the journals in it. */
function dataRows(path: string, context: Context): readonly CheckResult[] {
  const folder = journalFolder(path);
  const journals = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sqlite')) : [];
  const problems = [folder, ...journals.map((name) => join(folder, name))].flatMap((one) => foreignAt(one) ?? []);
  return [
    folderRow('data folder', path, 'CRM_DATA_DIR', context),
    ...problems.map(({ found, advice }): CheckResult => ({ check: 'journal', state: 'wrong', found, advice })),
  ];
}

/** The file that holds keys: nobody else may read it. */
function configFileRows(path: string): readonly CheckResult[] {
  const facts = statsOf(path);
  if (facts === 'ENOENT') return [ok('config file', `${path}: not there yet, made with the first profile`)];
  // What is no file, or can't be reached, is told with the profiles.
  if (typeof facts === 'string' || !facts.isFile()) return [];
  // Windows has no such modes.
  const isOpen = process.platform !== 'win32' && (facts.mode & 0o077) !== 0;
  const mode = (facts.mode & 0o777).toString(8);
  if (!isOpen) return [ok('config file', `${path}, for you alone`)];
  return [
    {
      check: 'config file',
      state: 'wrong',
      found: `${path}: others can get at it (mode ${mode}), and it may hold keys`,
      advice: `chmod 600 ${path}`,
    },
  ];
}

/** What stands at a path, or the system's code for why that can't be told: ENOENT where there is nothing. */
function statsOf(path: string): Stats | string {
  try {
    return statSync(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code;
  }
}

/** The nearest folder above that there is. */
function nearest(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined && dirname(path) !== path ? nearest(dirname(path)) : path;
}

function isUsable(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
