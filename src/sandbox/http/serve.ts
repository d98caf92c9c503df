// The embedded CRM over HTTP: one listening server on one sandbox file.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemCode, UsageError } from '../../errors.ts';
import { createService, type SandboxService } from '../service/service.ts';
import { openStore } from '../store/store.ts';
import { type Answer, type Answering, answering, json, problem } from './answer.ts';
import type { Faulty } from './faults.ts';
import { keyCheck } from './key-check.ts';
import { bytesOf } from './request.ts';

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

/** Makes what answers fail now and then. */
export type WithFaults = (answer: Answering) => Faulty;

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
  const own = answering(service, keyCheck(key));
  const failing: Faulty = withFaults?.(own) ?? own;
  let baseUrl = '';
  let isMeant: (hostHeader: string) => boolean = () => true;
  const answered = async (incoming: IncomingMessage, gone: AbortSignal): Promise<Answer | undefined> => {
    const { method = '', url: path = '', headers } = incoming;
    if (!isMeant(headers.host ?? '')) return misdirected();
    if (document !== undefined && method === 'GET' && path === '/openapi.json') return json({ status: 200, body: await document(baseUrl) });
    const { authorization, 'content-type': type } = headers;
    const body = await bytesOf(incoming.iterator({ destroyOnReturn: false }));
    return failing({ method, path, headers: { authorization, 'content-type': type }, body }, gone);
  };
  const server = createServer((incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    answered(incoming, gone.signal)
      .then((answer) => (answer === undefined ? incoming.socket.destroy() : send(outgoing, answer)))
      // The sender has gone: nobody is left to be told.
      .catch(() => incoming.socket.destroy());
  });
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

function misdirected(): Answer {
  return problem(421, 'This server is for this machine alone: ask it by the name localhost, or by its address.');
}

function send(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
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
