// One HTTP exchange: undici on explicit agents. The only file that uses undici.

import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { buildConnector, Dispatcher } from 'undici';
import type Agent from 'undici/lib/dispatcher/agent.js';
import { neverReached } from '../retry.ts';
import { type HttpProxy, proxyFor } from './proxy.ts';
import { AnswerTooLarge, maxAnswerBytes, maxProblemBytes, NotSent, type Transport, type WireRequest, type WireResponse } from './wire.ts';

/** Time to connect, in milliseconds; the whole exchange has its own limit, given with each request. */
const connectTimeout = 10_000;

/** An agent, and what is known of its connections. */
interface Connection {
  readonly agent: Dispatcher;
  /** Nothing can have been sent, because no connection was ever established. */
  untouched(error: unknown): boolean;
  /** Closes every socket, including those still connecting. */
  close(): Promise<void>;
}

export interface Connections {
  /** The most sockets for requests that share them. */
  readonly connections: number;
  /** Writes share the sockets, too: only for callers that can find out what became of a write whose answer was lost. */
  readonly sharedWrites?: true;
}

/**
 * A transport for one origin. Reads share sockets. A write opens its own connection unless `sharedWrites`: the service might close a kept
 * one just as the write is sent, and nobody would know whether it arrived. Proxies come from the environment. Throws UsageError for one
 * that can't be used.
 */
export async function httpTransport(
  origin: string,
  env: Readonly<Record<string, string | undefined>>,
  { connections, sharedWrites }: Connections,
): Promise<Transport> {
  const proxy = proxyFor(origin, env);
  const open = await connectionOpener(proxy);
  const shared = open({ connections });

  /** A connection is free one turn of the event loop after its answer; a request made sooner would open another one. */
  let lastIsDone: Promise<unknown> | undefined;

  const over = async ({ agent }: Connection, request: WireRequest, signal: AbortSignal): Promise<WireResponse> => {
    await lastIsDone;
    const answer = await exchanged(agent, origin, request, signal);
    lastIsDone = nextTurn();
    return answer;
  };

  const alone = async (request: WireRequest, signal: AbortSignal): Promise<WireResponse> => {
    const connection = open({ connections: 1 });
    try {
      return await over(connection, request, signal);
    } catch (error) {
      throw connection.untouched(error) ? new NotSent(error) : error;
    } finally {
      await connection.close();
    }
  };

  return {
    exchange: (request, signal) => {
      const isAlone = request.method === 'GET' ? request.fresh : !sharedWrites;
      return isAlone ? alone(request, signal) : over(shared, request, signal);
    },
    close: () => shared.close(),
    ...(proxy === undefined ? {} : { via: proxy.name }),
  };
}

/** A service proves who it is, whatever NODE_TLS_REJECT_UNAUTHORIZED says: what is sent to it carries the key. */
const proven = { rejectUnauthorized: true };

/** What opens connections: to the service itself, or through a proxy. HTTP/1.1 only: undici repeats HTTP/2 streams by itself. */
async function connectionOpener(proxy: HttpProxy | undefined): Promise<(options: Agent.Options) => Connection> {
  const common: Agent.Options = { allowH2: false, connectTimeout, headersTimeout: 0, bodyTimeout: 0 };
  if (proxy !== undefined) return proxiedOpener(proxy, common);
  const [{ default: HttpAgent }, { default: connector }] = await Promise.all([
    import('undici/lib/dispatcher/agent.js'),
    import('undici/lib/core/connect.js'),
  ]);
  const dial = connector({ allowH2: false, timeout: connectTimeout, ...proven });
  return (options) => {
    const { connect, connected, drop } = watched(dial);
    const agent = new HttpAgent({ ...common, ...options, connect });
    return {
      agent,
      untouched: () => !connected(),
      close: async () => {
        drop();
        await agent.destroy();
      },
    };
  };
}

async function proxiedOpener(proxy: HttpProxy, common: Agent.Options): Promise<(options: Agent.Options) => Connection> {
  const [{ default: ProxyAgent }, { default: Pool }, { default: api }] = await Promise.all([
    import('undici/lib/dispatcher/proxy-agent.js'),
    import('undici/lib/dispatcher/pool.js'),
    import('undici/lib/api/index.js'),
  ]);
  return (options) => {
    const all = { ...common, ...options };
    // Without this, undici forgets the options for what goes to the proxy itself.
    const factory = (origin: string | URL, own: object): Dispatcher => new Pool(origin, { ...all, ...own });
    // undici adds this method to its dispatchers only when it is imported as a whole; tunnels need it.
    const clientFactory = (origin: URL, own: object): Dispatcher => Object.assign(new Pool(origin, own), { connect: api.connect });
    const agent = new ProxyAgent({ ...all, uri: proxy.url, factory, clientFactory, requestTls: proven, proxyTls: proven });
    return { agent, untouched: (error) => neverReached(error), close: () => agent.destroy() };
  };
}

/** The connector, remembering whether it ever connected, and which sockets are still connecting. */
function watched(dial: (options: buildConnector.Options, callback: buildConnector.Callback) => Socket) {
  const pending = new Set<Socket>();
  let stood = false;
  return {
    connect: (options: buildConnector.Options, callback: buildConnector.Callback): void => {
      const socket = dial(options, (...result) => {
        pending.delete(socket);
        stood ||= result[0] === null;
        callback(...result);
      });
      pending.add(socket);
    },
    connected: () => stood,
    drop: () => {
      for (const socket of pending) socket.destroy();
    },
  };
}

/**
 * One exchange on an agent, without the streams that undici would make for each: the whole answer is wanted anyway. Rejects with the
 * signal's reason at once, although undici notices an abort only when it has a connection.
 */
function exchanged(agent: Dispatcher, origin: string, request: WireRequest, signal: AbortSignal): Promise<WireResponse> {
  const { method, target: path, headers, body = null } = request;
  return new Promise((resolve, reject) => {
    let sending: Dispatcher.DispatchController | undefined;
    const abort = (): void => {
      end();
      reject(signal.reason);
      sending?.abort(signal.reason);
    };
    const end = (): void => signal.removeEventListener('abort', abort);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort);
    const answer = new Collected();
    agent.dispatch(
      { origin, path, method, headers, body },
      {
        onRequestStart: (controller) => {
          sending = controller;
          if (signal.aborted) controller.abort(signal.reason);
        },
        onResponseStart: (_controller, status, own) => answer.begin(status, own),
        onResponseData: (controller, chunk) => {
          const problem = answer.add(chunk);
          if (problem !== undefined) controller.abort(problem);
        },
        onResponseEnd: () => {
          end();
          resolve(answer.whole());
        },
        onResponseError: (_controller, error) => {
          end();
          if (answer.isCut) resolve(answer.whole());
          else reject(error);
        },
      },
    );
  });
}

/** An answer as it arrives. */
class Collected {
  /** The rest was left unread. */
  isCut = false;
  #status = 0;
  #headers: WireResponse['headers'] = {};
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  begin(status: number, headers: WireResponse['headers']): void {
    this.#status = status;
    this.#headers = headers;
  }

  /** Takes a part of the body in. Gives why no more of it is wanted. */
  add(chunk: Uint8Array): Error | undefined {
    const isSuccess = this.#status >= 200 && this.#status <= 299;
    if (this.#length + chunk.length > (isSuccess ? maxAnswerBytes : maxProblemBytes)) {
      this.isCut = !isSuccess;
      return new AnswerTooLarge();
    }
    this.#length += chunk.length;
    this.#chunks.push(chunk);
    return undefined;
  }

  whole(): WireResponse {
    const [only] = this.#chunks;
    const body = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#length);
    return { status: this.#status, headers: this.#headers, body };
  }
}
