// The embedded CRM over HTTP: one listening server on one sandbox file.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { systemCode, UsageError } from '../../errors.ts';
import { createService, type SandboxService } from '../service/service.ts';
import { openStore } from '../store/store.ts';
import { createApp } from './app.ts';
import { keyCheck } from './key-check.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly key: string;
  /** The text of the OpenAPI document for a server at this URL: anybody may read it, at /openapi.json. Without this there is none. */
  readonly document?: (baseUrl: string) => Promise<string>;
  /** Makes some requests fail. */
  readonly withFaults?: WithFaults | undefined;
}

/** What answers, made to fail now and then; `cut` breaks the connection. */
export type WithFaults = (
  answer: (request: Request) => Response | Promise<Response>,
) => (request: Request, cut: () => Response) => Promise<Response>;

export interface ServeOptions extends ListenOptions {
  readonly path: string;
}

export interface Served {
  /** `http://127.0.0.1:4010`, without a trailing slash. */
  readonly baseUrl: string;
  /** Takes no more connections, finishes the requests in flight, then closes the file. */
  close(): Promise<void>;
}

/** How long requests in flight may take once closing has begun, in milliseconds. */
const closingTime = 5000;

/** Serves the sandbox at `path`. Throws UsageError when there is none, and node:net's errors when it can't listen. */
export async function serve({ path, ...options }: ServeOptions): Promise<Served> {
  const store = openStore(path, { mode: 'open' });
  try {
    const served = await listen(createService(store), options);
    return { ...served, close: () => served.close().finally(() => store.close()) };
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Serves an opened sandbox, and leaves it open at the end. Throws node:net's errors when it can't listen. */
export async function listen(service: SandboxService, { host, port, key, document, withFaults }: ListenOptions): Promise<Served> {
  const app = createApp(service, { isAuthorized: keyCheck(key) });
  let isMeant: (hostHeader: string) => boolean = () => true;
  const own = (request: Request): Response | Promise<Response> => app.fetch(request);
  const failing = withFaults?.(own);
  const answer = (request: Request, { incoming }: Pick<HttpBindings, 'incoming'>): Response | Promise<Response> => {
    if (!isMeant(request.headers.get('host') ?? '')) return misdirected();
    if (asksForDocument(request)) return described();
    if (failing === undefined) return own(request);
    return failing(request, () => {
      incoming.socket.destroy();
      return RESPONSE_ALREADY_SENT;
    });
  };
  const asksForDocument = ({ method, url }: Request): boolean =>
    document !== undefined && method === 'GET' && new URL(url).pathname === '/openapi.json';
  const described = async (): Promise<Response> => jsonResponse(200, (await document?.(baseUrl)) ?? '');
  let baseUrl = '';
  const server = createServer(getRequestListener((request, env) => answer(request, env as HttpBindings), { errorHandler: badRequest }));
  server.listen(port, host);
  await once(server, 'listening');
  // A connection that can't be accepted is its client's trouble, not the end of the server.
  server.on('error', () => {});
  const { address, port: chosen } = server.address() as AddressInfo;
  if (isLoopback(address)) isMeant = (header) => isNameOfThis(header, host);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= stop(server);
    return closed;
  };
  baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${chosen}`;
  return { baseUrl, close };
}

/** Why it can't listen, as a mistake that `port` or `host` puts right, which are what they are called; other errors as they are. */
export function listenProblem(
  error: unknown,
  { host, port }: Pick<ListenOptions, 'host' | 'port'>,
  named: { readonly host: string; readonly port: string; readonly free: string },
): unknown {
  const code = systemCode(error);
  const details = { hint: `${named.free} picks a free one.`, cause: error };
  if (code === 'EADDRINUSE') return new UsageError(`${named.port}: ${port} on ${host} is in use.`, details);
  if (code === 'EACCES') return new UsageError(`${named.port}: ${port} may not be used by you.`, details);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new UsageError(`${named.host}: ${host} is no address of this machine.`, { cause: error });
  }
  return error;
}

const isLoopback = (name: string): boolean => name === '::1' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);

/**
 * Whether a Host header names this machine, or the host that the server was told to listen on. Any other name was made to
 * point here (DNS rebinding): a page of that name in a browser could send requests to a server that only this machine may reach.
 */
function isNameOfThis(header: string, host: string): boolean {
  const name = header.replace(/:\d*$/, '').toLowerCase();
  return isLoopback(name) || name === 'localhost' || name.endsWith('.localhost') || name === host.toLowerCase();
}

function misdirected(): Response {
  return problem(421, 'This server is for this machine alone: ask it by the name localhost, or by its address.');
}

/** What Hono never got to see, such as a Host header that is no host. */
function badRequest(error: unknown): Response {
  return problem(400, `Bad request: ${error instanceof Error ? error.message : error}`);
}

function problem(status: number, message: string): Response {
  return jsonResponse(status, JSON.stringify({ message }));
}

function jsonResponse(status: number, text: string): Response {
  return new Response(text, { status, headers: { 'Content-Type': 'application/json' } });
}

/** A connection that is kept alive becomes idle after its request; only then can it be closed without harm. */
async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const end = setTimeout(() => server.closeAllConnections(), closingTime);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
}
