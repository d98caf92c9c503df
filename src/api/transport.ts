// One HTTP exchange: undici on one explicit agent. The only file that knows undici.

import type Agent from 'undici/lib/dispatcher/agent.js';
import type { Dispatcher } from 'undici';
import { type WireRequest, type WireResponse, type Transport, maxAnswerBytes, AnswerTooLarge } from './wire.ts';

/** Time to connect, in milliseconds; the whole exchange has its own limit, given with each request. */
const connectTimeout = 10_000;

const proxyVariables = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'];

/**
 * A transport for one origin. `connections`: sockets at the most; one socket serves requests that follow each other.
 * Proxies come from HTTP_PROXY, HTTPS_PROXY and NO_PROXY.
 */
export async function httpTransport(origin: string, env: Readonly<Record<string, string | undefined>>, connections: number): Promise<Transport> {
  const options = { connections, connect: { timeout: connectTimeout }, headersTimeout: 0, bodyTimeout: 0 };
  const [{ default: api }, agent] = await Promise.all([import('undici/lib/api/index.js'), openAgent(env, options)]);
  return {
    async exchange(request: WireRequest, signal: AbortSignal): Promise<WireResponse> {
      const answer = await api.request.call(agent, {
        origin,
        path: request.target,
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
        signal,
      });
      return { status: answer.statusCode, headers: answer.headers, body: await collect(answer.body) };
    },
    close: () => agent.destroy(),
  };
}

async function openAgent(env: Readonly<Record<string, string | undefined>>, options: Agent.Options): Promise<Dispatcher> {
  if (proxyVariables.some((name) => env[name])) {
    const { default: EnvHttpProxyAgent } = await import('undici/lib/dispatcher/env-http-proxy-agent.js');
    return new EnvHttpProxyAgent(options);
  }
  const { default: HttpAgent } = await import('undici/lib/dispatcher/agent.js');
  return new HttpAgent(options);
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxAnswerBytes) throw new AnswerTooLarge();
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length);
}
