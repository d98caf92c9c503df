// The embedded CRM over HTTP: one listening server on one sandbox file.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createService } from '../service/service.ts';
import { openStore } from '../store/store.ts';
import { createApp } from './app.ts';
import { keyCheck } from './key-check.ts';

export interface ServeOptions {
  readonly path: string;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly key: string;
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
export async function serve({ path, host, port, key }: ServeOptions): Promise<Served> {
  const store = openStore(path, { mode: 'open' });
  const app = createApp(createService(store), { isAuthorized: keyCheck(key) });
  const server = createServer(getRequestListener((request) => app.fetch(request), { errorHandler: badRequest }));
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    store.close();
    throw error;
  }
  // A connection that can't be accepted must not end the server.
  server.on('error', () => {});
  const { port: chosen } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= stop(server).finally(() => store.close());
    return closed;
  };
  return { baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${chosen}`, close };
}

/** The answer to requests that never reach Hono, such as one with an invalid Host header. */
function badRequest(error: unknown): Response {
  const message = `Bad request: ${error instanceof Error ? error.message : error}`;
  return new Response(JSON.stringify({ message }), { status: 400, headers: { 'Content-Type': 'application/json' } });
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
