// The API client for some settings: over HTTP, or to the embedded CRM in this process.

import { join } from 'node:path';
import type { Context } from '../context.ts';
import { progress } from '../output/progress.ts';
import { safeJson, safeLine } from '../output/safe-text.ts';
import type { Settings } from '../profiles/settings.ts';
import { userAgent } from '../version.ts';
import { type Api, createApi } from './client.ts';
import type { Lines } from './transport.ts';
import type { Transport } from './wire.ts';

/** Sockets at the most: as many as pages are read ahead. */
const connections = 4;

/** The file of the embedded CRM that `sandbox:` means. */
export async function sandboxPath(context: Pick<Context, 'dataDir'>): Promise<string> {
  return join(await context.dataDir(), 'sandbox.sqlite');
}

/** Opens the client. Throws UnauthorizedError when there is no key, or no embedded CRM yet. */
export async function openApi(context: Context, settings: Settings, lines: Lines = { connections }): Promise<Api> {
  const [transport, key] = await Promise.all([openTransport(context, settings.baseUrl, lines), settings.key()]);
  const { io, flags, signal } = context;
  if (key !== undefined) for (const form of otherForms(key)) io.keepSecret(form);
  const { during } = progress(io, flags);
  return createApi({
    transport,
    key,
    target: {
      baseUrl: settings.baseUrl,
      keySource: settings.keySource,
      ...(transport.via === undefined ? {} : { via: transport.via }),
    },
    encoding: settings.encoding,
    userAgent,
    timeout: flags.timeout,
    retries: flags.retries,
    dryRun: flags.dryRun,
    signal,
    now: context.now,
    random: Math.random,
    during,
    trace: (line, detail) => {
      if (flags.verbose) io.err(`${safeLine(line)}\n`);
      if (flags.debug && detail !== undefined) for (const one of detail()) io.err(`${safeLine(one)}\n`);
    },
  });
}

/** A key as it may come back, beside as it is: in a URL's path or query, and with its oddest characters made visible. */
function otherForms(key: string): string[] {
  const url = new URL('http://service');
  url.pathname = key;
  url.search = key;
  const form = new URLSearchParams([['', key]]).toString().slice(1);
  return [url.pathname.slice(1), url.search.slice(1), form, safeLine(key), safeJson(JSON.stringify(key)).slice(1, -1)];
}

async function openTransport(context: Context, baseUrl: string, lines: Lines): Promise<Transport> {
  if (!baseUrl.startsWith('sandbox:')) {
    const { httpTransport } = await import('./transport.ts');
    return httpTransport(new URL(baseUrl).origin, context.env, lines);
  }
  const { sandboxTransport } = await import('./sandbox-transport.ts');
  return sandboxTransport(baseUrl.slice('sandbox:'.length) || (await sandboxPath(context)));
}
