// Opens the API client for settings: over HTTP, or to the embedded CRM in this process.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileNamed, isSandbox } from '../base/base-url.ts';
import type { Clock } from '../base/clock.ts';
import { systemReason, UnauthorizedError } from '../base/errors.ts';
import type { GlobalFlags } from '../base/global-flags.ts';
import { setV8Flag } from '../base/v8-flag.ts';
import { crmWith, quoteWord } from '../base/values/text/shell-word.ts';
import { userAgent } from '../base/version.ts';
import type { Backoff } from '../client/backoff.ts';
import { type Api, createApi, lineFor } from '../client/client.ts';
import type { Connections } from '../client/transport/http.ts';
import type { Transport } from '../client/transport/wire.ts';
import { safeJson, safeLine } from '../model/records/safe-text.ts';
import type { Io } from '../output/streams/io.ts';
import { notice } from '../output/streams/notice.ts';
import { progress } from '../output/streams/progress.ts';
import type { Settings } from './profiles/settings.ts';

/** The sockets that reads share: as many as the pages that a list reads at once. */
const readAhead = 4;

/** The parts of a context that a client needs. */
interface ApiSurroundings {
  readonly io: Io;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: Pick<GlobalFlags, 'profile' | 'timeout' | 'retries' | 'dryRun' | 'quiet' | 'verbose' | 'debug'>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly transport?: Transport | undefined;
  dataDir(): Promise<string>;
  readOnlyBy?(): Promise<string | undefined>;
  readonly sent?: { writes: number };
}

/** The default file of the embedded CRM, for the base URL `sandbox:`. */
export async function sandboxPath({ dataDir }: Pick<ApiSurroundings, 'dataDir'>): Promise<string> {
  return join(await dataDir(), 'sandbox.sqlite');
}

/** Opens the client. `backoff`: the pauses of the service, as another client knows them. Throws UnauthorizedError if there is no key, or no embedded CRM yet. */
export async function openClient(
  surroundings: ApiSurroundings,
  settings: Settings,
  connections: Connections = { connections: readAhead },
  backoff?: Backoff,
): Promise<Api> {
  const [transport, key] = await Promise.all([openTransport(surroundings, settings.baseUrl, connections), settings.key()]);
  const { io, flags, signal } = surroundings;
  if (key !== undefined) for (const form of otherForms(key)) io.keepSecret(form);
  const { request, begin } = progress(io, flags);
  return createApi({
    transport,
    key,
    destination: {
      baseUrl: settings.baseUrl,
      keySource: settings.keySource,
      newKey: settings.newKey,
      baseUrlSource: settings.baseUrlSource,
      ...(transport.via === undefined ? {} : { via: transport.via }),
    },
    encoding: settings.encoding,
    userAgent,
    command: crmWith(flags.profile),
    timeout: flags.timeout,
    retries: flags.retries,
    dryRun: flags.dryRun,
    ...(surroundings.sent === undefined ? {} : { sent: surroundings.sent }),
    ...(surroundings.readOnlyBy === undefined ? {} : { readOnlyBy: surroundings.readOnlyBy }),
    signal,
    clock: surroundings.clock,
    line: lineFor(surroundings.clock, backoff),
    during: request,
    begin,
    // On a terminal the progress line shows the wait.
    waits: (sentence) => {
      if (!flags.quiet && !io.stderr.isTTY) io.err(`${safeLine(sentence)}\n`);
    },
    trace: (line, detail) => {
      if (flags.verbose) io.err(`${safeLine(line())}\n`);
      if (flags.debug && detail !== undefined) for (const one of detail()) io.err(`${safeLine(one)}\n`);
    },
  });
}

/** Other spellings of a key that an answer may quote: encoded in a URL, or with characters escaped. */
function otherForms(key: string): string[] {
  const url = new URL('http://service');
  url.pathname = key;
  url.search = key;
  const form = new URLSearchParams([['', key]]).toString().slice(1);
  return [url.pathname.slice(1), url.search.slice(1), form, safeLine(key), safeJson(JSON.stringify(key)).slice(1, -1)];
}

async function openTransport(surroundings: ApiSurroundings, baseUrl: string, connections: Connections): Promise<Transport> {
  if (surroundings.transport !== undefined) return surroundings.transport;
  if (!isSandbox(baseUrl)) {
    // undici parses answers in WebAssembly. After two or three answers V8 would compile that again, for speed: a quarter of a short command.
    setV8Flag('--wasm-tiering-budget=2000000000');
    const [{ httpTransport }, { proxyFor }] = await Promise.all([
      import('../client/transport/http.ts'),
      import('../client/transport/proxy.ts'),
    ]);
    const { origin } = new URL(baseUrl);
    const isTls = [origin, proxyFor(origin, surroundings.env)?.url].some((url) => url?.startsWith('https:'));
    if (isTls) await checkAuthorities(surroundings.env);
    return httpTransport(origin, surroundings.env, connections);
  }
  const { sandboxTransport } = await import('../client/transport/embedded.ts');
  const path = fileNamed(baseUrl);
  const made = path === '' ? 'crm sandbox init' : `crm sandbox init --db ${quoteWord(path)}`;
  return sandboxTransport(await sandboxFile(surroundings, baseUrl), made, surroundings.clock);
}

/**
 * Throws UnauthorizedError for a file of NODE_EXTRA_CA_CERTS that Node would ignore. Node says so on standard error itself, in front of
 * everything else, as soon as TLS is loaded; nothing but an earlier end prevents that line.
 */
async function checkAuthorities(env: ApiSurroundings['env']): Promise<void> {
  const path = env.NODE_EXTRA_CA_CERTS;
  if (!path) return;
  const refused = (problem: string, cause: unknown): UnauthorizedError =>
    new UnauthorizedError(`NODE_EXTRA_CA_CERTS names ${path}, ${problem}.`, {
      cause,
      hint: 'Set NODE_EXTRA_CA_CERTS to a file of certificates (PEM), or unset it.',
    });
  let text = '';
  try {
    // Of a directory, Node says nothing.
    if (statSync(path).isFile()) text = readFileSync(path, 'latin1');
  } catch (error) {
    throw refused(`which can't be read (${systemReason(error)})`, error);
  }
  const { X509Certificate } = await import('node:crypto');
  for (const [certificate] of text.matchAll(/-----BEGIN CERTIFICATE-----.*?(?:-----END CERTIFICATE-----|$)/gs)) {
    try {
      new X509Certificate(certificate);
    } catch (error) {
      throw refused('with a certificate that is damaged', error);
    }
  }
}

/** Reports entries of NO_PROXY that can't be read: without them the key may go to the proxy. */
export async function warnOfNoProxy({ io, env, flags }: Pick<ApiSurroundings, 'io' | 'env' | 'flags'>, baseUrl: string): Promise<void> {
  if (isSandbox(baseUrl) || !(env.no_proxy || env.NO_PROXY)) return;
  const { unreadNoProxy } = await import('../client/transport/proxy.ts');
  const unread = unreadNoProxy(baseUrl, env);
  if (unread !== undefined) await notice(io, flags, unread, 'warning');
}

/** The file of the embedded CRM for a base URL: the named file, else the default. */
export async function sandboxFile(surroundings: Pick<ApiSurroundings, 'dataDir'>, baseUrl: string): Promise<string> {
  return fileNamed(baseUrl) || sandboxPath(surroundings);
}
