// `crm sandbox serve`: serves the embedded CRM over HTTP until a signal ends the command.

import { existsSync } from 'node:fs';
import { isExposed } from '../../base/base-url.ts';
import { ConflictError, invalidValue, UnavailableError, UsageError } from '../../base/errors.ts';
import { readStdin } from '../../base/files/read-whole.ts';
import type { Flag, FlagValues } from '../../base/flag.ts';
import { wantsJson } from '../../base/global-flags.ts';
import { command } from '../../cli/command.ts';
import { StdoutFailed } from '../../output/streams/io.ts';
import { notice } from '../../output/streams/notice.ts';
import type { Context } from '../../session/context.ts';
import { loadSettings } from '../../session/profiles/settings.ts';
import { servedFolder } from '../../session/served.ts';
import { aboutSandbox } from './init.ts';
import { madeAt, sandboxPlace } from './place.ts';
import { faultFlags, faultsOf, openApiOf, readPort } from './serving.ts';

const serveFlags = [
  { name: 'host', value: 'address', help: 'Address to listen on (default 127.0.0.1)', standard: '127.0.0.1', group: 'Server' },
  { name: 'port', value: 'n', help: 'Port; 0 picks a free port (default 8080)', standard: 8080, least: 0, most: 65_535, group: 'Server' },
  { name: 'key', value: 'key', help: 'The key that requests must carry (default: a random one)', group: 'Server' },
  { name: 'key-stdin', help: 'Read that key from standard input, where a list of processes does not show it', group: 'Server' },
  { name: 'db', value: 'file', help: 'File of the embedded CRM; made with demo data when it is not there', group: 'Server' },
  { name: 'empty', help: 'Make a new embedded CRM, with reference data only', group: 'Server' },
  ...faultFlags,
] as const satisfies readonly Flag[];

export const sandboxServe = command({
  path: ['sandbox', 'serve'],
  sends: [],
  does: 'writes',
  prints: { json: 'object', members: { base_url: 'text', api_key: 'text' } },
  summary: 'Serve the embedded CRM over HTTP',
  description:
    'Prints the base URL and the key as soon as it accepts connections; with --json as one line. Ends on SIGINT or SIGTERM. ' +
    'While it listens to this machine alone, it answers only to names of this machine (Host header). ' +
    '--profile serves the embedded CRM of that profile. While it runs, crm with the same data folder has one history for the file, over HTTP ' +
    'and without. The OpenAPI document is at /openapi.json, with no key. ' +
    aboutSandbox,
  args: [],
  flags: serveFlags,
  examples: [
    'crm sandbox serve --port 0 --json',
    'crm sandbox serve --port 8080 --key-stdin --db /tmp/crm.sqlite < key.txt',
    'crm sandbox serve --port 0 --fault cut-after-commit=0.02,503=0.05,429=0.05:retry-after=2 --fault-seed 7',
  ],
  run: async (context, { flags }) => {
    if (context.flags.jq !== undefined) throw new UsageError('--jq: the output of a server has no end. Read its first line with --json.');
    if (context.flags.out !== undefined)
      throw new UsageError('--out: a server tells its address at once. Read standard output with --json.');
    const port = readPort(flags.port, 8080);
    const host = flags.host ?? '127.0.0.1';
    const key = await servedKey(context, flags);
    const withFaults = await faultsOf(context, flags);
    const place = await sandboxPlace(context, flags.db);
    const { path, name, baseUrl } = place;
    if (flags.empty && existsSync(path)) {
      throw new ConflictError(`--empty: there is an embedded CRM at ${path} already.`, {
        hint: 'Leave --empty out to serve it as it is, or name another file with --db.',
      });
    }
    const { ensureSandbox } = await import('../../sandbox/create.ts');
    await madeAt(place, () => ensureSandbox(path, !flags.empty));
    if (name !== undefined) await rememberNames(context, name);
    const { isWildcard, listenProblem, serve } = await import('../../sandbox/http/serve.ts');
    const server = await serve({ path, host, port, key, document: openApiOf, withFaults }).catch((error: unknown) => {
      throw listenProblem(error, { host, port }, { host: '--host', port: '--port', free: '--port 0' });
    });
    const folder = await context.ownDataDir().catch(() => undefined);
    const { noteServed } = await import('../../session/served-notes.ts');
    const forget = folder === undefined ? () => {} : noteServed(servedFolder(folder), server.baseUrl, baseUrl);
    try {
      await announce(context, server.baseUrl, key);
      await tellExposed(context, server.baseUrl, isWildcard(host));
      await aborted(context.signal);
    } finally {
      await server.close();
      forget();
    }
    return { kind: 'text', text: '' };
  },
});

/** If address and key can't be printed, the command ends, because nobody would find the server. */
async function announce({ io, flags }: Context, baseUrl: string, key: string): Promise<void> {
  const line = wantsJson(flags) ? JSON.stringify({ base_url: baseUrl, api_key: key }) : `CRM_BASE_URL=${baseUrl}\nCRM_API_KEY=${key}`;
  try {
    await io.out(`${line}\n`);
    await io.flush();
  } catch (error) {
    if (!(error instanceof StdoutFailed)) throw error;
    throw new UnavailableError(error.message, {
      hint: 'The server was stopped, because its address and key could not be printed.',
      cause: error,
    });
  }
}

async function rememberNames(context: Context, name: string): Promise<void> {
  const { readProfiles } = await import('../../session/profiles/store.ts');
  if (!(await readProfiles(await context.configDir())).profiles.has(name)) return;
  const { gatherNames } = await import('../../session/names/gather.ts');
  await gatherNames(context, await loadSettings(context, name));
}

async function servedKey(context: Context, flags: FlagValues<typeof serveFlags>): Promise<string> {
  if (flags['key-stdin']) {
    if (flags.key !== undefined) throw new UsageError('Choose one of --key and --key-stdin.');
    return readKey((await readStdin(context, '--key-stdin: ')).replace(/\r?\n$/, ''), '--key-stdin');
  }
  if (flags.key !== undefined) return readKey(flags.key, '--key');
  const { randomKey } = await import('../../sandbox/http/key-check.ts');
  return randomKey();
}

function readKey(raw: string, flag: string): string {
  if (!/^[\x21-\x7e]+$/.test(raw)) throw invalidValue(flag, 'give printable characters without spaces.');
  return raw;
}

async function tellExposed({ io, flags }: Context, baseUrl: string, isEvery: boolean): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  if (!isEvery && !isExposed(baseUrl)) return;
  const there = isEvery ? `http://ADDRESS-OF-THIS-MACHINE:${port}` : `http://${hostname}:${port}`;
  const add = `crm profile add NAME --base-url ${there} --insecure-http`;
  await notice(
    io,
    flags,
    `Other machines reach this server at ${there}, and the key goes there in plain. A profile for it: ${add}`,
    'warning',
  );
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }));
}
