// A peer that breaks the rules: bytes on a socket, one script per case. A case is the first part of the path, so one server serves any
// number of cases at once: the base URL of a case is http://127.0.0.1:PORT/case.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** A received request. */
export interface Seen {
  readonly method: string;
  /** Path and query without the name of the case; the whole target if the request belongs to no case. */
  readonly path: string;
  /** Names in lower case; values byte for byte. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The number of the connection, from 1, and the number of the request on this connection. */
  readonly connection: number;
  readonly nth: number;
}

/** Replies to a request: writes bytes, closes the connection, or does nothing. */
export type Reply = (socket: Socket, request: Seen) => void;

export interface Peer {
  /** The base URL of the case. */
  readonly url: string;
  /** The requests of the case so far. */
  readonly seen: readonly Seen[];
}

export interface HostileServer {
  readonly port: number;
  readonly origin: string;
  /** Starts a case: the first request gets the first reply, and so on; the last reply is repeated. */
  serve(name: string, ...replies: Reply[]): Peer;
  /** All requests, also requests of no case. */
  readonly seen: readonly Seen[];
  /** The number of connections so far. */
  connections(): number;
  stop(): Promise<void>;
}

/** Starts a server on a free port of `host`; with `tls`, behind TLS. `otherwise` replies to requests of no case. */
export async function hostileServer(options: { host?: string; tls?: TlsOptions; otherwise?: Reply } = {}): Promise<HostileServer> {
  const { host = '127.0.0.1', tls, otherwise = json({ message: 'No such case.' }, 404) } = options;
  const cases = new Map<string, { replies: Reply[]; seen: Seen[] }>();
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;

  const answer = (socket: Socket, request: Seen): void => {
    const [, name = '', path = ''] = /^(?:http:\/\/[^/]+)?\/([^/]+)(\/.*)$/.exec(request.path) ?? [];
    const found = cases.get(name);
    const own = found === undefined ? request : { ...request, path };
    seen.push(own);
    found?.seen.push(own);
    const reply = found?.replies[Math.min(found.seen.length, found.replies.length) - 1] ?? otherwise;
    reply(socket, own);
  };

  const listener = (socket: Socket): void => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    readRequests(socket, connections, answer);
  };

  const server: Server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on('tlsClientError', () => undefined);
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    port,
    origin,
    seen,
    connections: () => connections,
    serve: (name, ...replies) => {
      const one = { replies, seen: [] };
      cases.set(name, one);
      return { url: `${origin}/${name}`, seen: one.seen };
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Reads the requests on a socket one after the other, each with as many bytes of body as Content-Length says. */
function readRequests(socket: Socket, connection: number, answer: (socket: Socket, request: Seen) => void): void {
  let bytes = Buffer.alloc(0);
  let nth = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let end = bytes.indexOf('\r\n\r\n'); end >= 0; end = bytes.indexOf('\r\n\r\n')) {
      const [line = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
      const [method = '', path = ''] = line.split(' ');
      const headers = Object.fromEntries(lines.map(headerPair));
      const length = Number(headers['content-length'] ?? 0);
      if (bytes.length < end + 4 + length) return;
      const body = bytes.toString('utf8', end + 4, end + 4 + length);
      bytes = bytes.subarray(end + 4 + length);
      nth += 1;
      answer(socket, { method, path, headers, body, connection, nth });
    }
  });
}

function headerPair(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

/** Writes the bytes, and keeps the connection open. */
export const bytes =
  (text: string | Uint8Array): Reply =>
  (socket) =>
    socket.write(text);

/** Writes the bytes, and ends the connection. */
export const last =
  (text: string | Uint8Array): Reply =>
  (socket) =>
    socket.end(text);

/** Writes the bytes, and resets the connection. */
export const reset =
  (text = ''): Reply =>
  (socket) => {
    if (text === '') socket.resetAndDestroy();
    else socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 50));
  };

/** Never writes anything. */
export const silence: Reply = () => undefined;

/** An answer's head. */
export function head(status: number, headers: Readonly<Record<string, string | number>> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Some Reason\r\n${lines.join('')}\r\n`;
}

/** A complete answer with a body; the connection stays open. */
export function http(status: number, body: string | Uint8Array, headers: Readonly<Record<string, string | number>> = {}): Reply {
  const content = Buffer.from(body);
  return bytes(Buffer.concat([Buffer.from(head(status, { 'content-length': content.length, ...headers })), content]));
}

/** A JSON answer. */
export const json = (value: unknown, status = 200, headers: Readonly<Record<string, string | number>> = {}): Reply =>
  http(status, JSON.stringify(value), { 'content-type': 'application/json', ...headers });

/** An HTML page. */
export const html = (status: number, title: string): Reply =>
  http(status, `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`, {
    'content-type': 'text/html',
  });
