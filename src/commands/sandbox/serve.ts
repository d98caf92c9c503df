// `crm sandbox serve`: serves the embedded CRM over HTTP until a signal ends the command.

import { existsSync } from 'node:fs';
import { ConflictError, invalidValue, UnavailableError, UsageError } from '../../base/errors.ts';
import { pathIn } from '../../base/files/path-in.ts';
import type { Input } from '../../base/flag.ts';
import { parseInteger } from '../../base/values/parse.ts';
import type { Command } from '../../cli/command.ts';
import { StdoutFailed } from '../../output/streams/io.ts';
import { notice } from '../../output/streams/notice.ts';
import { faultKinds } from '../../sandbox/http/fault-kinds.ts';
import type { WithFaults } from '../../sandbox/http/serve.ts';
import type { Context } from '../../session/context.ts';
import { aboutSandbox } from './init.ts';
import { sandboxPlace } from './place.ts';

export const sandboxServe: Command = {
  path: ['sandbox', 'serve'],
  sends: [],
  does: 'writes',
  prints: { json: 'object', members: { base_url: 'text', api_key: 'text' } },
  summary: 'Serve the embedded CRM over HTTP',
  description:
    'Prints the base URL and the key as soon as it accepts connections; with --json as one line. Ends on SIGINT or SIGTERM. ' +
    'While it listens to this machine alone, it answers only to names of this machine (Host header). ' +
    '--profile serves the embedded CRM of that profile. The OpenAPI document is at /openapi.json, with no key. ' +
    aboutSandbox,
  args: [],
  flags: [
    { name: 'host', value: 'address', help: 'Address to listen on (default 127.0.0.1)', standard: '127.0.0.1', group: 'Server' },
    { name: 'port', value: 'n', help: 'Port; 0 picks a free port (default 8080)', standard: 8080, least: 0, most: 65_535, group: 'Server' },
    { name: 'key', value: 'key', help: 'The key that requests must carry (default: a random one)', group: 'Server' },
    { name: 'db', value: 'file', help: 'File of the embedded CRM; made with demo data when it is not there', group: 'Server' },
    { name: 'empty', help: 'Make a new embedded CRM, with reference data only', group: 'Server' },
    {
      name: 'fault',
      value: 'fault=often',
      help: `Make requests fail: faults with their probability, from 0 to 1, separated by commas. ${Object.entries(faultKinds)
        .map(([kind, what]) => `${kind}: ${what}`)
        .join('. ')}`,
      group: 'Faults',
    },
    { name: 'fault-seed', value: 'n', help: 'A number: the same number makes the same requests fail', least: 0, group: 'Faults' },
  ],
  examples: [
    'crm sandbox serve --port 0 --json',
    'crm sandbox serve --port 8080 --key test-key --db /tmp/crm.sqlite',
    'crm sandbox serve --port 0 --fault cut-after-commit=0.02,503=0.05,429=0.05:retry-after=2 --fault-seed 7',
  ],
  run: async (context, { flags }) => {
    if (context.flags.jq !== undefined) throw new UsageError('--jq: the output of a server has no end. Read its first line with --json.');
    const port = readPort(flags.port);
    const host = typeof flags.host === 'string' ? flags.host : '127.0.0.1';
    const key = typeof flags.key === 'string' ? readKey(flags.key) : await newKey();
    const withFaults = await faultsOf(context, flags);
    const path = await databasePath(context, flags);
    if (flags.empty === true && existsSync(path)) {
      throw new ConflictError(`--empty: there is an embedded CRM at ${path} already.`, {
        hint: 'Leave --empty out to serve it as it is, or name another file with --db.',
      });
    }
    if (!existsSync(path)) {
      const { createSandbox } = await import('../../sandbox/create.ts');
      createSandbox(path, { demo: flags.empty !== true });
    }
    const { listenProblem, serve } = await import('../../sandbox/http/serve.ts');
    const server = await serve({ path, host, port, key, document: openApiOf, withFaults }).catch((error: unknown) => {
      throw listenProblem(error, { host, port }, { host: '--host', port: '--port', free: '--port 0' });
    });
    try {
      await announce(context, started(context, server.baseUrl, key));
      await aborted(context.signal);
    } finally {
      await server.close();
    }
    return { kind: 'text', text: '' };
  },
};

/** The faults of --fault; undefined without the flag. Reports a random seed, so that the run can be repeated. */
async function faultsOf({ io, flags: { quiet }, clock }: Context, flags: Input['flags']): Promise<WithFaults | undefined> {
  const [text, rawSeed] = [flags.fault, flags['fault-seed']];
  if (typeof text !== 'string') {
    if (rawSeed !== undefined) throw new UsageError('--fault-seed needs --fault.');
    return undefined;
  }
  const { faulty, parseFaults } = await import('../../sandbox/http/faults.ts');
  const faults = parseFaults(text, '--fault');
  const seed = typeof rawSeed === 'string' ? parseInteger(rawSeed, '--fault-seed') : Math.floor(clock.random() * 2 ** 31);
  if (rawSeed === undefined) await notice(io, { quiet }, `The same faults again: --fault-seed ${seed}`);
  return (answer) => faulty(answer, faults, seed);
}

/** The OpenAPI document, with this URL as its server. */
async function openApiOf(url: string): Promise<string> {
  const { default: document } = await import('../../../docs/openapi.json', { with: { type: 'json' } });
  return JSON.stringify({ ...document, servers: [{ url }] });
}

/** Writes the line with the address. If the line can't be written, the command ends, because nobody would find the server. */
async function announce({ io }: Context, line: string): Promise<void> {
  try {
    await io.out(line);
    await io.flush();
  } catch (error) {
    if (!(error instanceof StdoutFailed)) throw error;
    throw new UnavailableError(error.message, {
      hint: 'The server was stopped, because its address and key could not be printed.',
      cause: error,
    });
  }
}

async function databasePath(context: Context, flags: Input['flags']): Promise<string> {
  if (typeof flags.db === 'string') return pathIn(context, flags.db);
  return (await sandboxPlace(context)).path;
}

function readPort(raw: Input['flags'][string]): number {
  const port = typeof raw === 'string' ? parseInteger(raw, '--port', 'a whole number from 0') : 8080;
  if (port > 65_535) throw invalidValue('--port', `${port} is not a port, 0 to 65535.`);
  return port;
}

function readKey(raw: string): string {
  if (!/^[\x21-\x7e]+$/.test(raw)) throw invalidValue('--key', 'give printable characters without spaces.');
  return raw;
}

async function newKey(): Promise<string> {
  const { randomKey } = await import('../../sandbox/http/key-check.ts');
  return randomKey();
}

function started({ flags }: Context, baseUrl: string, key: string): string {
  if (flags.output === 'json' || flags.output === 'ndjson') return `${JSON.stringify({ base_url: baseUrl, api_key: key })}\n`;
  return `CRM_BASE_URL=${baseUrl}\nCRM_API_KEY=${key}\n`;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }));
}
