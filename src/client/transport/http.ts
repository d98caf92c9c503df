// One HTTP exchange by undici. No other file uses undici.

import { isIP, type LookupFunction, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { buildConnector, Dispatcher, Pool } from 'undici';
import { isLocalName } from '../../base/base-url.ts';
import { isNoTls, isUntrusted, neverReached } from '../retry.ts';
import { acceptedCodings, unpackedAnswer } from './content-coding.ts';
import { type HttpProxy, proxyFor } from './proxy.ts';
import {
  maxAnswerBytes,
  maxProblemBytes,
  NotSent,
  ProxyTlsError,
  type Transport,
  tooLarge,
  type WireRequest,
  type WireResponse,
} from './wire.ts';

/** Milliseconds to connect. The exchange as a whole has a limit of its own. */
const connectTimeout = 10_000;

/** undici's dispatcher, and what became of its connections. */
interface Connection {
  readonly dispatcher: Dispatcher;
  /** True when no connection was established, so nothing can have been sent. */
  untouched(error: unknown): boolean;
  /** Closes every socket, also those that are still connecting. */
  close(): Promise<void>;
}

export interface Connections {
  /** The most sockets. */
  readonly connections: number;
  /** Lets writes share sockets. Only for callers that look for a write whose answer was lost. */
  readonly sharedWrites?: true;
}

/**
 * A transport for one origin, through the proxy that the environment names. Reads share sockets. A write opens a connection of its own
 * unless `sharedWrites`: a service may close a shared socket just when the write is sent, and the outcome would be unknown. Throws
 * UsageError for an unusable proxy.
 */
export async function httpTransport(
  origin: string,
  env: Readonly<Record<string, string | undefined>>,
  { connections, sharedWrites }: Connections,
): Promise<Transport> {
  const proxy = proxyFor(origin, env);
  const open = await connectionOpener(origin, proxy);
  const shared = open({ connections });

  /** A socket becomes free one turn of the event loop after its answer. An earlier request would open another socket. */
  let lastIsDone: Promise<unknown> | undefined;

  const exchangeOn = async ({ dispatcher }: Connection, request: WireRequest, signal: AbortSignal): Promise<WireResponse> => {
    await lastIsDone;
    const answer = await exchanged(dispatcher, origin, request, signal);
    lastIsDone = nextTurn();
    return unpackedAnswer(answer);
  };

  const exchangeAlone = async (request: WireRequest, signal: AbortSignal): Promise<WireResponse> => {
    const connection = open({ connections: 1 });
    try {
      return await exchangeOn(connection, request, signal);
    } catch (error) {
      throw connection.untouched(error) ? new NotSent(error) : error;
    } finally {
      await connection.close();
    }
  };

  return {
    exchange: (request, signal) => {
      const isAlone = request.method === 'GET' ? request.fresh : !sharedWrites;
      return isAlone ? exchangeAlone(request, signal) : exchangeOn(shared, request, signal);
    },
    close: () => shared.close(),
    codings: acceptedCodings,
    ...(proxy === undefined ? {} : { via: proxy }),
  };
}

/** Certificates are checked even with NODE_TLS_REJECT_UNAUTHORIZED=0, because requests carry the key. */
const proven = { rejectUnauthorized: true };

/** A resolver may know `localhost.` or a name below `.localhost` as another machine, which would get the key. */
function lookupOf(url: string): { readonly lookup?: LookupFunction } {
  const { hostname } = new URL(url);
  if (hostname === 'localhost' || !isLocalName(hostname)) return {};
  const address = { address: '127.0.0.1', family: 4 };
  return {
    lookup: (_name, { all }, found) => (all ? found(null, [address]) : found(null, address.address, address.family)),
  };
}

/** HTTP/1.1 only: undici repeats HTTP/2 streams by itself. */
async function connectionOpener(origin: string, proxy: HttpProxy | undefined): Promise<(options: Pool.Options) => Connection> {
  const common: Pool.Options = { allowH2: false, connectTimeout, headersTimeout: 0, bodyTimeout: 0 };
  if (proxy !== undefined) return proxiedOpener(proxy, common);
  const [{ default: HttpPool }, { default: connector }] = await Promise.all([
    import('undici/lib/dispatcher/pool.js'),
    import('undici/lib/core/connect.js'),
  ]);
  const dial = connector({ allowH2: false, timeout: connectTimeout, ...proven, ...lookupOf(origin) });
  return (options) => {
    const { connect, connected, drop } = watched(dial);
    const pool = new HttpPool(origin, { ...common, ...options, connect });
    return {
      dispatcher: pool,
      untouched: () => !connected(),
      close: async () => {
        drop();
        await pool.destroy();
      },
    };
  };
}

async function proxiedOpener(proxy: HttpProxy, common: Pool.Options): Promise<(options: Pool.Options) => Connection> {
  const [{ default: ProxyAgent }, { default: HttpPool }, { default: api }] = await Promise.all([
    import('undici/lib/dispatcher/proxy-agent.js'),
    import('undici/lib/dispatcher/pool.js'),
    import('undici/lib/api/index.js'),
  ]);
  return (options) => {
    const all = { ...common, ...options };
    const isProxy = (origin: string | URL): boolean => new URL(origin).origin === proxy.url;
    // Without this factory, undici drops the options for requests to the proxy itself.
    const factory = (origin: string | URL, own: Pool.Options): Dispatcher =>
      new HttpPool(origin, { ...all, ...own, ...(isProxy(origin) ? toProxy(own) : {}) });
    // Tunnels need this method, and undici adds it only when undici is imported as a whole.
    const clientFactory = (origin: URL, own: Pool.Options): Dispatcher =>
      Object.assign(new HttpPool(origin, { ...own, ...toProxy(own) }), { connect: api.connect });
    const token = proxy.authorization === undefined ? {} : { token: proxy.authorization };
    const proxyTls = { ...proven, ...lookupOf(proxy.url) };
    const dispatcher = new ProxyAgent({ ...all, uri: proxy.url, ...token, factory, clientFactory, requestTls: proven, proxyTls });
    return { dispatcher, untouched: (error) => neverReached(error), close: () => dispatcher.destroy() };
  };
}

/**
 * The connector for sockets to a proxy. A proxy that is given by its address has no server name in TLS. Failures of TLS are told from those
 * of the service behind the proxy.
 */
function toProxy({ connect }: Pool.Options): Pool.Options {
  if (typeof connect !== 'function') return {};
  return {
    connect: (options, callback) =>
      connect({ ...options, ...(isAddress(options.servername) ? { servername: '' } : {}) }, (...result) => {
        // undici has wrapped a wrong host name already.
        const error = result[0]?.cause instanceof Error ? result[0].cause : result[0];
        if (error !== null && (isUntrusted(error) || isNoTls(error))) callback(new ProxyTlsError(error), null);
        else callback(...result);
      }),
  };
}

/** IPv6 also in brackets. */
const isAddress = (name?: string | null): boolean => isIP((name ?? '').replace(/^\[(.*)\]$/, '$1')) !== 0;

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
 * One exchange by a dispatcher, without streams: the whole answer is needed anyway. Rejects with the signal's reason at once, while undici
 * notices an abort only on an open connection.
 */
function exchanged(dispatcher: Dispatcher, origin: string, request: WireRequest, signal: AbortSignal): Promise<WireResponse> {
  const { method, target: path, headers, body = null } = request;
  return new Promise((resolve, reject) => {
    let sending: Dispatcher.DispatchController | undefined;
    const abort = (): void => {
      stopListening();
      reject(signal.reason);
      sending?.abort(signal.reason);
    };
    const stopListening = (): void => signal.removeEventListener('abort', abort);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort);
    const answer = new Collected();
    dispatcher.dispatch(
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
          stopListening();
          resolve(answer.whole());
        },
        onResponseError: (_controller, error) => {
          stopListening();
          if (answer.isCut) resolve(answer.whole());
          else reject(error);
        },
      },
    );
  });
}

/** An answer while it arrives. */
class Collected {
  /** The rest of the body was not read. */
  isCut = false;
  #status = 0;
  #headers: WireResponse['headers'] = {};
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  begin(status: number, headers: WireResponse['headers']): void {
    this.#status = status;
    this.#headers = headers;
  }

  /** Adds a part of the body. Returns the error that ends the reading, if any. */
  add(chunk: Uint8Array): Error | undefined {
    const isSuccess = this.#status >= 200 && this.#status <= 299;
    if (this.#length + chunk.length > (isSuccess ? maxAnswerBytes : maxProblemBytes)) {
      this.isCut = !isSuccess;
      return tooLarge(this.#status);
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
