// Serves a sandbox file over HTTP.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLocalName } from '../../base/base-url.ts';
import { systemCode, UsageError } from '../../base/errors.ts';
import { createService, type SandboxService } from '../service/service.ts';
import { openStore } from '../store/store.ts';
import { answering, type HttpAnswer, jsonAnswer, type MessageHandler, problemAnswer } from './answer.ts';
import type { Faulty } from './faults.ts';
import { keyCheck } from './key-check.ts';
import { bodyBytes } from './request.ts';

interface ServerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly key: string;
  /** Gives the text of the OpenAPI document for a server at this URL. Anybody may read the document, at /openapi.json. */
  readonly document?: (baseUrl: string) => Promise<string>;
  readonly withFaults?: WithFaults | undefined;
}

export type WithFaults = (answer: MessageHandler) => Faulty;

export interface ServeOptions extends ServerOptions {
  readonly path: string;
}

export interface Served {
  /** `http://127.0.0.1:4010`, without a trailing slash. */
  readonly baseUrl: string;
  /** Takes no more connections, finishes the requests in flight, then closes the file. */
  close(): Promise<void>;
}

/** Milliseconds that open requests have to finish once the server is closing. */
const closingTime = 5000;

/** Serves the sandbox at `path`. Throws UsageError when there is no sandbox, and node:net's errors for an address that can't be used. */
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

/** Serves an opened sandbox; closing the server leaves the sandbox open. Throws node:net's errors for an address that can't be used. */
export async function listen(service: SandboxService, { host, port, key, document, withFaults }: ServerOptions): Promise<Served> {
  const own = answering(service, keyCheck(key));
  const failing: Faulty = withFaults?.(own) ?? own;
  let baseUrl = '';
  let isMeant: (hostHeader: string) => boolean = () => true;
  const answerTo = async (incoming: IncomingMessage, gone: AbortSignal): Promise<HttpAnswer | undefined> => {
    const { method = '', url: path = '', headers } = incoming;
    if (!isMeant(headers.host ?? ''))
      return problemAnswer(421, 'This server is for this machine alone: ask it by the name localhost, or by its address.');
    if (document !== undefined && method === 'GET' && path === '/openapi.json')
      return jsonAnswer({ status: 200, body: await document(baseUrl) });
    const { authorization, 'content-type': type } = headers;
    const body = await bodyBytes(incoming.iterator({ destroyOnReturn: false }));
    return failing({ method, path, headers: { authorization, 'content-type': type }, body }, gone);
  };
  const server = createServer((incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on('close', () => outgoing.writableFinished || gone.abort());
    answerTo(incoming, gone.signal)
      .then((answer) => {
        if (answer === undefined) return incoming.socket.destroy();
        const { status, headers, body } = answer;
        return outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
      })
      // The client has gone, so no answer can be sent.
      .catch(() => incoming.socket.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  // Without a listener, a connection that can't be accepted would end the process.
  server.on('error', () => {});
  const { address, port: chosen } = server.address() as AddressInfo;
  if (isLoopbackName(address)) isMeant = (header) => isNameOfThis(header, host);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= closeServer(server);
    return closed;
  };
  // A client on this machine can't be sent to 0.0.0.0: that is no name of a machine.
  const name = isWildcard(host) ? (host.includes(':') ? '::1' : '127.0.0.1') : host;
  baseUrl = `http://${name.includes(':') ? `[${name}]` : name}:${chosen}`;
  return { baseUrl, close };
}

/** A UsageError for an address that can't be used; other errors unchanged. `named` has the names of the flags for the message. */
export function listenProblem(
  error: unknown,
  { host, port }: Pick<ServerOptions, 'host' | 'port'>,
  named: { readonly host: string; readonly port: string; readonly free: string },
): unknown {
  const code = systemCode(error);
  const details = { hint: `${named.free} picks a free port.`, cause: error };
  if (code === 'EADDRINUSE') return new UsageError(`${named.port}: ${port} on ${host} is in use.`, details);
  if (code === 'EACCES') return new UsageError(`${named.port}: you may not use port ${port}.`, details);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new UsageError(`${named.host}: ${host} is no address of this machine.`, { cause: error });
  }
  return error;
}

/** True for the address that means every address of this machine. */
export const isWildcard = (host: string): boolean => ['0.0.0.0', '::', '0:0:0:0:0:0:0:0'].includes(host.replace(/^\[(.*)\]$/, '$1'));

const isLoopbackName = (name: string): boolean => name === '::1' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);

/** A web page could point its own name at 127.0.0.1 and send requests to a server for this machine alone (DNS rebinding). */
function isNameOfThis(header: string, host: string): boolean {
  const name = header.replace(/:\d*$/, '').toLowerCase();
  return isLoopbackName(name) || isLocalName(name) || name === host.toLowerCase();
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const end = setTimeout(() => server.closeAllConnections(), closingTime);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
}
