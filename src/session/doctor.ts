// The checks of `crm doctor`: this machine, the settings in force and the service. Each check gives a row with advice. The checks write
// nothing, and a check that fails by itself is a row too.

import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { platform } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { isSea } from 'node:sea';
import { isSandbox, originOf } from '../base/base-url.ts';
import { CrmError, FoundError, InterruptedError, systemCode, systemReason, UnauthorizedError } from '../base/errors.ts';
import { foreignAt } from '../base/files/own-folders.ts';
import { maskKey } from '../base/key.ts';
import { quoteWord } from '../base/values/text/shell-word.ts';
import { version } from '../base/version.ts';
import type { Answer } from '../client/types.ts';
import type { Result } from '../output/result.ts';
import { journalFolder } from '../runs/journal/journal.ts';
import { JournalFile } from '../runs/journal/journal-file.ts';
import type { Context } from './context.ts';
import type { ProfileStoreData } from './profiles/profile.ts';
import { loadSettings, readOnlyBy, type Settings } from './profiles/settings.ts';
import { profilesPath, readProfiles } from './profiles/store.ts';
import { readOnce } from './profiles/verify.ts';

/** The row of one check. `unknown`: the check could not be made. */
export interface CheckResult {
  readonly check: string;
  readonly state: 'ok' | 'wrong' | 'unknown';
  readonly found: string;
  readonly advice: string | null;
}

type CheckResults = readonly CheckResult[];

const row = (check: string, state: CheckResult['state'], found: string, advice: string | null = null): CheckResult => ({
  check,
  state,
  found,
  advice,
});
const ok = (check: string, found: string): CheckResult => row(check, 'ok', found);

/** A standalone executable has no such folder. */
const ownRoot = (): string => import.meta.dirname.replace(/[\\/](?:dist|src)[\\/].*$/, '');

/** Runs all checks in turn. The result has a FoundError as its problem if a check found something wrong. */
export async function examine(context: Context): Promise<Result> {
  const { io } = context;
  // A message of the service may quote the key.
  const shown = (text: string): string => (io.holdsSecret(text) ? 'The message holds the key, so it is not shown.' : text);
  const rows = [...(await machineRows(context)), ...(await settingsRows(context))].map(
    ({ check, state, found, advice }): CheckResult => row(check, state, shown(found), advice === null ? null : shown(advice)),
  );
  const wrong = rows.filter(({ state }) => state === 'wrong').map(({ check }) => check);
  if (wrong.length === 0) return checksResult(rows, io.symbols);
  const problem = new FoundError(`${wrong.length} of ${rows.length} checks found something wrong: ${wrong.join(', ')}.`);
  return { ...checksResult(rows, io.symbols), problem };
}

const columns = ['check', 'state', 'found', 'advice'].map((path) => ({ path }));
const checkShape = { singular: 'check', columns, record: columns.map(({ path }) => path) };

/** The rows as a result; on a terminal a record with a line for each check. */
export function checksResult(rows: CheckResults, { done, failed, arrow }: Context['io']['symbols']): Result {
  const signs = { ok: done, wrong: failed, unknown: '?' };
  const lines = rows.map(({ check, state, found, advice }) => {
    return [check, `${signs[state]} ${found}${advice === null ? '' : ` ${arrow} ${advice}`}`] as const;
  });
  const meanings = Object.fromEntries(
    lines.map(([check, text], at) => [check, rows[at]?.state === 'wrong' ? { [text]: 'bad' as const } : {}]),
  );
  return {
    kind: 'rows',
    data: rows,
    shape: checkShape,
    drawn: { record: Object.fromEntries(lines), meanings, closing: 'Nothing is wrong.' },
    isRead: true,
  };
}

async function checkRows(check: string, look: () => Promise<CheckResults> | CheckResults): Promise<CheckResults> {
  try {
    return await look();
  } catch (error) {
    return [wrong(check, error)];
  }
}

function wrong(check: string, error: unknown): CheckResult {
  if (error instanceof InterruptedError) throw error;
  if (error instanceof CrmError) return row(check, 'wrong', error.message, error.details.hint?.replaceAll('\n', ' '));
  // A command would end with the same error.
  return row(check, 'wrong', error instanceof Error ? error.message : String(error));
}

async function machineRows(context: Context): Promise<CheckResults> {
  return [
    ok('crm', `${version}, ${isSea() ? 'an executable of its own' : `from ${ownRoot()}`}`),
    ...otherFirst(context),
    ok('Node', `${process.versions.node}, ${process.execPath}`),
    ...(await checkRows('config folder', async () => [folderRow('config folder', await context.configDir(), 'CRM_CONFIG_DIR', context)])),
    ...(await checkRows('config file', async () => configFileRows(profilesPath(await context.configDir())))),
    ...(await checkRows('data folder', async () => dataRows(await context.dataDir(), context))),
  ];
}

/** Windows has no file modes: the system's own lists tell who may do what. */
const isWindows = (): boolean => platform() === 'win32';

/** crmsh, for one, has a command of the name crm. */
function otherFirst({ env }: Context): CheckResults {
  if (isWindows()) return [];
  const found = (env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'crm'));
  const first = found.find((path) => {
    const facts = statsOf(path);
    return !(facts instanceof Error) && facts.isFile() && isUsable(path, constants.X_OK);
  });
  if (first === undefined || isOurs(first)) return [];
  const advice = 'Put the folder of this crm earlier on the PATH, or type the whole path of this crm.';
  return [row('crm on the PATH', 'wrong', `${first} comes first, and is another program`, advice)];
}

/** A package manager may write a small script that starts this program. */
function isOurs(path: string): boolean {
  const own = isSea() ? process.execPath : join(ownRoot(), 'bin', 'crm.js');
  const small = 64 * 1024;
  if (realpathSync(path) === realpathSync(own)) return true;
  if (statSync(path).size >= small) return false;
  const script = readFileSync(path, 'utf8');
  return /crm-admin|crm\.js/.test(script) || script.includes(own);
}

/** A missing folder is fine if crm can make it. */
function folderRow(check: string, path: string, variable: string, { env }: Context): CheckResult {
  const where = env[variable] ? `${path}, from ${variable}` : path;
  const facts = statsOf(path);
  const advice = `Make it a folder that you can write to, or set ${variable} to another one.`;
  if (systemCode(facts) === 'ENOENT') {
    const above = nearestFolder(dirname(path));
    if (isUsable(above, constants.W_OK)) return ok(check, `${where}: it does not exist yet, and is made when it is needed`);
    return row(check, 'wrong', `${where}: it does not exist, and can't be made in ${above}`, advice);
  }
  if (facts instanceof Error) return row(check, 'wrong', `${where}: it can't be read (${systemReason(facts)})`, advice);
  if (!facts.isDirectory()) return row(check, 'wrong', `${where}: it is not a folder`, advice);
  const problem = foreignAt(path);
  if (problem !== undefined) return row(check, 'wrong', problem.found, problem.advice);
  if (!isUsable(path, constants.R_OK | constants.W_OK | constants.X_OK)) {
    return row(check, 'wrong', `${where}: you can't read and write there`, advice);
  }
  return ok(check, `${where}: ${isWindows() ? 'who can change it is not checked on Windows' : 'only you can change it'}`);
}

function dataRows(path: string, context: Context): CheckResults {
  const folder = journalFolder(path);
  const journals = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sqlite')) : [];
  const problem = foreignAt(folder);
  const rowOf = (path: string): CheckResults => {
    const foreign = foreignAt(path);
    if (foreign !== undefined) return [row('journal', 'wrong', foreign.found, foreign.advice)];
    const refused = JournalFile.problemOf(path);
    return refused === undefined ? [] : [wrong('journal', refused)];
  };
  return [
    folderRow('data folder', path, 'CRM_DATA_DIR', context),
    ...(problem === undefined
      ? journals.flatMap((name) => rowOf(join(folder, name)))
      : [row('journal', 'wrong', problem.found, problem.advice)]),
  ];
}

function configFileRows(path: string): CheckResults {
  const facts = statsOf(path);
  // A missing or unreadable file is reported by the check of the profiles.
  if (facts instanceof Error || !facts.isFile()) return [];
  if (isWindows()) return [ok('config file', `${path}: who can read it is not checked on Windows`)];
  if ((facts.mode & 0o077) === 0) return [ok('config file', `${path}: only you can read it`)];
  const found = `${path}: other users can read or change it (mode ${(facts.mode & 0o777).toString(8)}), and it may hold keys`;
  return [row('config file', 'wrong', found, `chmod 600 ${quoteWord(path, 'FILE')}`)];
}

/** The stats of a path, or the system's error. */
function statsOf(path: string): Stats | Error {
  try {
    return statSync(path);
  } catch (error) {
    if (!(error instanceof Error) || systemCode(error) === undefined) throw error;
    return error;
  }
}

function nearestFolder(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined && dirname(path) !== path ? nearestFolder(dirname(path)) : path;
}

function isUsable(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

async function settingsRows(context: Context): Promise<CheckResults> {
  let store: ProfileStoreData | undefined;
  let settings: Settings;
  const profiles = await checkRows('profiles', async () => {
    store = await readProfiles(await context.configDir());
    const names = [...store.profiles.keys()].map((name) => (name === store?.current ? `${name} (current)` : name));
    return [ok('profiles', names.join(', ') || 'none')];
  });
  try {
    settings = await loadSettings(context);
  } catch (error) {
    const unasked = row('service', 'unknown', 'not asked: there are no settings');
    const problem = wrong('settings', error);
    // An unreadable file is reported only once.
    return profiles[0]?.found === problem.found ? [...profiles, unasked] : [...profiles, problem, unasked];
  }
  const ofProfile = settings.profile === undefined ? 'the default' : `from profile "${settings.profile}"`;
  return [
    ...profiles,
    ok(
      'profile',
      settings.profile === undefined ? 'none: all settings are in the environment' : `${settings.profile}, ${sourceOfProfile(context)}`,
    ),
    ok('base URL', `${settings.baseUrl}, from ${settings.baseUrlSource ?? 'the typed URL'}`),
    ok('encoding', `${settings.encoding}, ${ofProfile}`),
    ok('me', settings.me === undefined ? 'not set: @me means nobody' : `${settings.me}, ${ofProfile}`),
    ok('protected', settings.protected ? `yes, ${ofProfile}: writes that --yes would confirm need --confirm ${settings.profile}` : 'no'),
    ...(await checkRows('read only', async () => [ok('read only', (await readOnlyBy(context, settings)) ?? 'no')])),
    ...(isSandbox(settings.baseUrl) ? [] : await checkRows('proxy', async () => [await proxyRow(settings, context.env)])),
    ...(await serviceRows(context, settings, store)),
  ];
}

function sourceOfProfile({ flags, env }: Context): string {
  if (flags.profile !== undefined) return 'from --profile';
  return env.CRM_PROFILE ? 'from CRM_PROFILE' : 'the current one';
}

async function proxyRow({ baseUrl }: Settings, env: Context['env']): Promise<CheckResult> {
  const { proxyFor } = await import('../client/transport/proxy.ts');
  const proxy = proxyFor(originOf(baseUrl), env);
  if (proxy !== undefined) return ok('proxy', proxy.name);
  const set = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'].filter((name) => env[name]);
  return ok('proxy', set.length === 0 ? 'none' : `none for this service, though ${set.join(' and ')} is set`);
}

async function serviceRows(context: Context, settings: Settings, store: ProfileStoreData | undefined): Promise<CheckResults> {
  const isEmbedded = isSandbox(settings.baseUrl);
  let key = 'the embedded CRM needs no key';
  try {
    const text = await settings.key();
    const isPrinted = settings.keySource !== 'CRM_API_KEY' && store?.profiles.get(settings.profile ?? '')?.keyCommand !== undefined;
    const shown = isPrinted
      ? `the key command of ${settings.keySource} prints a key`
      : `${maskKey(text ?? '')}, from ${settings.keySource}`;
    if (text !== undefined) key = shown;
  } catch (error) {
    return [wrong('key', error), row('service', 'unknown', 'not asked: there is no key')];
  }
  const place = isEmbedded ? 'the embedded CRM' : originOf(settings.baseUrl);
  const began = context.clock.now().getTime();
  try {
    const answer = await readOnce(context, settings);
    const elapsed = context.clock.now().getTime() - began;
    const service = ok('service', `${place} answers in ${elapsed} ms`);
    return isEmbedded
      ? [ok('key', key), service]
      : [ok('key', `${key}, sent to ${place}: accepted`), service, clockRow(answer, began + elapsed / 2)];
  } catch (error) {
    const isRefused = error instanceof UnauthorizedError && error.code === 'key_refused';
    if (isRefused) return [wrong('key', error), ok('service', `${place} answers`)];
    if (isEmbedded) return [ok('key', key), wrong('service', error)];
    const isUnsent = error instanceof CrmError && error.code === 'unreachable';
    const found = isUnsent ? 'not sent, so not checked' : `sent to ${place}, and no answer says whether it is accepted`;
    return [row('key', 'unknown', `${key}, ${found}`), wrong('service', error)];
  }
}

/** How far the clocks may differ, in milliseconds. */
const tolerance = 60_000;

function clockRow({ date }: Answer, now: number): CheckResult {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return row('clock', 'unknown', 'the service does not send its time');
  if (Math.abs(now - theirs) <= tolerance) return ok('clock', 'within a minute of the service’s');
  const [here, there] = [now, theirs].map((time) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`);
  const found = `this machine says ${here}, the service ${there}`;
  return row('clock', 'wrong', found, 'Set the wrong clock. Words such as today and -30d go by the clock of this machine.');
}
