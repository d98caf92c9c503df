// `crm sandbox exec -- COMMAND`: an embedded CRM for the time of one command. The CRM lives in this process; a folder of its own holds the
// CRM, and COMMAND's settings and journals.

import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CrmError, invalidValue, systemCode, systemReason, UnavailableError, UsageError } from '../../base/errors.ts';
import { factsAt, tryFolder } from '../../base/files/output-place.ts';
import { pathIn } from '../../base/files/path-in.ts';
import { command } from '../../cli/command.ts';
import { notice } from '../../output/streams/notice.ts';
import { type Context, createContext } from '../../session/context.ts';
import { servedFolder } from '../../session/served.ts';
import { seedApply } from '../seed/apply.ts';
import { lostText, snapshotFolder } from './init.ts';
import { faultFlags, faultsOf, openApiOf, readPort } from './serving.ts';

const host = '127.0.0.1';

export const sandboxExec = command({
  path: ['sandbox', 'exec'],
  sends: [],
  does: 'writes',
  prints: { json: 'text' },
  summary: 'Run a command with an embedded CRM of its own',
  description:
    'Serves a new embedded CRM until COMMAND ends, and sets CRM_BASE_URL and CRM_API_KEY for COMMAND. Settings, profiles and journals of ' +
    'COMMAND are in a folder of its own, which goes with the CRM; CRM_PROFILE and CRM_READ_ONLY are taken away. So a job can run again, or several times at once. ' +
    "The streams are COMMAND's, and so is the exit status (after a signal 128 and its number); 127 or 126 when COMMAND can't be started, 7 " +
    "when the CRM can't, a seed's own when a seed fails.",
  args: [{ name: 'command', help: 'The command and its arguments, behind --', many: true, isBehindDashes: true }],
  flags: [
    { name: 'empty', help: 'Reference data only, no demo data', group: 'Sandbox' },
    { name: 'from', value: 'folder', help: 'The records of a snapshot in place of demo data', group: 'Sandbox' },
    { name: 'seed', value: 'file', help: 'Apply this seed file before COMMAND; repeatable', repeatable: true, group: 'Sandbox' },
    { name: 'env', value: 'name', help: 'Let the seed files read this variable; repeatable', repeatable: true, group: 'Sandbox' },
    { name: 'keep', value: 'file', help: 'Move the embedded CRM to this new file at the end', group: 'Sandbox' },
    { name: 'port', value: 'n', help: 'Port (default: a free one)', least: 0, most: 65_535, group: 'Server' },
    ...faultFlags,
  ],
  topics: ['scripting'],
  examples: [
    'crm sandbox exec --empty --seed examples/ci-smoke.yaml -- crm leads list --status Contacted',
    "crm sandbox exec -- sh -c 'crm leads archive 12 -q && crm leads get 12 --jq .active_state'",
  ],
  run: async (context, { args, flags }) => {
    refuseFlags(context);
    const port = readPort(flags.port, 0);
    const from = flags.from === undefined ? undefined : await snapshotFolder(context, flags.from);
    if (from !== undefined && flags.empty) throw new UsageError("--from can't be combined with --empty.");
    const keep = flags.keep === undefined ? undefined : pathIn(context, flags.keep);
    if (keep !== undefined) {
      if ((await factsAt('--keep', keep, keep)) !== undefined) throw invalidValue('--keep', `${keep} exists already.`);
      await tryFolder('--keep', keep, keep);
    }
    const withFaults = await faultsOf(context, flags);
    const [{ copySandbox, createSandbox }, { listenProblem, serve }, { randomKey }, { noteServed }] = await Promise.all([
      import('../../sandbox/create.ts'),
      import('../../sandbox/http/serve.ts'),
      import('../../sandbox/http/key-check.ts'),
      import('../../session/served-notes.ts'),
    ]);
    const { data, env, remove } = await ownFolder(context);
    try {
      const path = join(data, 'sandbox.sqlite');
      const lost = orUnavailable(() => createSandbox(path, { demo: !flags.empty, ...(from === undefined ? {} : { from }) }));
      if (lost.length > 0) await notice(context.io, context.flags, lostText(lost));
      for (const seed of flags.seed ?? []) await applySeedTo(context, env, seed, flags.env);
      const key = randomKey();
      const server = await serve({ path, host, port, key, document: openApiOf, withFaults }).catch((error: unknown) => {
        throw unavailable(listenProblem(error, { host, port }, { host: '--host', port: '--port', free: '--port 0' }));
      });
      const forget = noteServed(servedFolder(data), server.baseUrl, 'sandbox:');
      const ended = await runProgram(context, args, {
        ...env,
        ...pastProxies(env),
        CRM_BASE_URL: server.baseUrl,
        CRM_API_KEY: key,
      }).finally(async () => {
        forget();
        await server.close();
      });
      if (keep !== undefined) copySandbox(path, keep);
      return { kind: 'text', text: '', ...ended };
    } finally {
      remove();
    }
  },
});

function refuseFlags({ argv, flags }: Context): void {
  if (!argv.includes('--')) throw new UsageError('Write -- in front of the command: crm sandbox exec -- npm test');
  if (flags.profile !== undefined) throw new UsageError('--profile: the embedded CRM of exec is a new one, of no profile.');
  if (flags.out !== undefined) throw new UsageError("--out: standard output is the command's own, and has no file of crm.");
  if (flags.dryRun) throw new UsageError("--dry-run: nobody knows what the command would do, so it isn't run.");
}

/** The error with status 7: without the embedded CRM the command can't run. */
const unavailable = (error: unknown): unknown =>
  error instanceof CrmError && error.exitStatus === 2 ? new UnavailableError(error.message, { ...error.details, cause: error }) : error;

function orUnavailable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unavailable(error);
  }
}

/** The variables by which COMMAND's own clients reach the embedded CRM without a proxy. A list in one spelling would hide the other's. */
function pastProxies({ no_proxy: lower, NO_PROXY: upper }: Context['env']): Context['env'] {
  const withUs = (list = ''): string => (list.trim() === '*' ? list : [host, 'localhost', list].filter(Boolean).join(','));
  return { no_proxy: withUs(lower || upper), NO_PROXY: withUs(upper || lower) };
}

const prefix = 'crm-exec-';

/**
 * Makes COMMAND's folder, and removes the folders of killed processes: their lock is free. `env`: COMMAND's environment, for the embedded
 * CRM without a server. Throws UnavailableError when the folder can't be made.
 */
async function ownFolder({ env: outer }: Context): Promise<{ readonly data: string; readonly env: Context['env']; remove(): void }> {
  const { holdFile, isHeld } = await import('../../session/lock.ts');
  const root = tmpdir();
  try {
    for (const name of readdirSync(root)) if (name.startsWith(prefix) && isDead(join(root, name), isHeld)) rmTree(join(root, name));
    const folder = mkdtempSync(join(root, prefix));
    const release = holdFile(join(folder, 'lock'));
    const [data, config] = [join(folder, 'data'), join(folder, 'config')];
    // `isDead` looks only at folders with data, so the lock comes first.
    for (const one of [data, config]) mkdirSync(one, { mode: 0o700 });
    const { CRM_PROFILE: _profile, CRM_API_KEY: _key, CRM_READ_ONLY: _readOnly, ...others } = outer;
    return {
      data,
      env: { ...others, CRM_BASE_URL: 'sandbox:', CRM_CONFIG_DIR: config, CRM_DATA_DIR: data },
      remove: () => {
        release?.();
        rmTree(folder);
      },
    };
  } catch (error) {
    if (error instanceof CrmError) throw error;
    throw new UnavailableError(`There is no room for an embedded CRM in ${root} (${systemReason(error)}).`, { cause: error });
  }
}

function isDead(folder: string, isHeld: (lock: string) => boolean): boolean {
  try {
    const facts = lstatSync(folder);
    const isOwn = process.getuid === undefined || facts.uid === process.getuid();
    return facts.isDirectory() && isOwn && existsSync(join(folder, 'data')) && !isHeld(join(folder, 'lock'));
  } catch {
    return false;
  }
}

/** A command left behind may still write there: then the next exec removes the rest. */
function rmTree(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Nothing depends on the folder.
  }
}

/** Needs no server, so no fault meets the seed. */
async function applySeedTo(context: Context, env: Context['env'], file: string, names: readonly string[] | undefined): Promise<void> {
  if (file === '-') throw invalidValue('--seed', "standard input is the command's: name a file.");
  const { io, cwd, signal, clock, flags } = context;
  const inner = createContext({ io, cwd, signal, clock, env, argv: ['seed', 'apply', file] }, { ...flags, output: 'table', yes: true });
  try {
    const input = { args: [file], flags: names === undefined ? {} : { env: names } };
    const result = await seedApply.run(inner, { ...input, typed: input });
    if (result.problem !== undefined) throw result.problem;
    if ('notice' in result && result.notice !== undefined) await notice(io, flags, result.notice, 'done');
  } finally {
    await inner.close();
  }
}

/** Signals go to the command, but for Ctrl-C, which the terminal sends to both. */
async function runProgram(
  { io, cwd, signal }: Context,
  [command = '', ...words]: readonly string[],
  env: Context['env'],
): Promise<{ readonly status: number; readonly problem?: UsageError }> {
  signal.throwIfAborted();
  // Node refuses to start an empty word; for shells it is a command like others that are not there.
  if (command === '') return notStarted(command);
  const release = io.waits.hold();
  const isWindows = process.platform === 'win32';
  const child = isWindows
    ? spawn([command, ...words].map(quoteWindows).join(' '), { cwd, env, stdio: 'inherit', shell: true })
    : spawn(command, words, { cwd, env, stdio: 'inherit' });
  io.signals.to = (one) => void (one === 'SIGINT' || child.kill(one));
  try {
    return await new Promise((end) => {
      child.once('error', (error) => end(notStarted(command, error)));
      child.once('exit', (status, by) => end({ status: status ?? 128 + constants.signals[by ?? 'SIGKILL'] }));
    });
  } finally {
    io.signals.to = undefined;
    release();
  }
}

/** The end of a command that can't be started, as shells tell it. Without an error there is no such command. */
function notStarted(command: string, error?: unknown): { readonly status: number; readonly problem: UsageError } {
  const isMissing = error === undefined || systemCode(error) === 'ENOENT';
  const problem = new UsageError(
    isMissing ? `There is no command "${command}".` : `"${command}" can't be started (${systemReason(error)}).`,
  );
  return { status: isMissing ? 127 : 126, problem };
}

const quoteWindows = (word: string): string => (/^[\w./\\:=@+,-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`);
