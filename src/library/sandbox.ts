// `crm-admin/sandbox`: a whole CRM for anybody's tests, in this process. It follows the same rules as `crm sandbox serve`.

/// <reference lib="esnext.disposable" preserve="true" />

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { invalidValue, UsageError } from '../errors.ts';
import { createSandbox, fill } from '../sandbox/create.ts';
import { answering } from '../sandbox/http/answer.ts';
import { type Faulty, faulty, parseFaults } from '../sandbox/http/faults.ts';
import { keyCheck, randomKey } from '../sandbox/http/key-check.ts';
import { bytesOf } from '../sandbox/http/request.ts';
import { listen, listenProblem, type WithFaults } from '../sandbox/http/serve.ts';
import { keepState } from '../sandbox/kept-state.ts';
import { createService } from '../sandbox/service/service.ts';
import { explained, openStore, type Store } from '../sandbox/store/store.ts';

import { optionOf, optionsFrom } from './arguments.ts';

export * from './errors.ts';

export interface SandboxOptions {
  /** File of the CRM, made where there is none. Default: the CRM lives in memory, and is gone when it is closed. */
  readonly path?: string;
  /** A new CRM holds demo data, the same every time; false: reference data only. Default true. A file that is there keeps what it holds. */
  readonly demo?: boolean;
  /** The key that requests must carry. Default: `fetch` asks for none, and `listen` makes one up. */
  readonly key?: string;
  /**
   * Lets requests fail, each so often of 1: `reset=0.02,cut-after-commit=0.02,503=0.05,429=0.05:retry-after=2,slow=0.05:3000,garbage=0.01`, as
   * `crm sandbox serve --fault` explains them. A connection that breaks is a TypeError of `fetch`.
   */
  readonly faults?: string;
  /** With the same seed the same requests fail in the same ways. A whole number; default 1. */
  readonly faultSeed?: number;
}

export interface ListenOptions {
  /** Default: any free one. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
}

/** A CRM over HTTP. */
export interface Listening {
  /** Without a trailing slash: `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Requests carry it: `Authorization: Bearer <key>`. */
  readonly key: string;
  /** Takes no more connections, and finishes the requests under way. */
  close(): Promise<void>;
}

export interface Sandbox {
  /** Answers requests as the service would, with no network: in place of the global `fetch`. Of a URL only path and query count. */
  readonly fetch: typeof globalThis.fetch;
  /** Serves the same CRM over HTTP. Throws UsageError for a port or host that can't be had. */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Puts every record back as it was when the sandbox was opened. */
  reset(): void;
  /** Ends what listens, and closes the file. Once closed, it stays closed. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens a CRM. Throws UsageError for a path that is no sandbox, and UnavailableError for a file that is in use or a disk that fails.
 */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const checked = optionsFrom(options, 'openSandbox', ['path', 'demo', 'key', 'faults', 'faultSeed']);
  for (const name of ['path', 'key', 'faults']) optionOf(checked, name, 'string');
  optionOf(checked, 'demo', 'boolean');
  optionOf(checked, 'faultSeed', 'number');
  return opened(options);
}

function opened({ path, demo = true, key, faults, faultSeed = 1 }: SandboxOptions): Sandbox {
  if (key !== undefined) checkKey(key);
  const planned = faults === undefined ? undefined : parseFaults(faults, 'faults');
  const withFaults: WithFaults | undefined = planned && ((answer) => faulty(answer, planned, faultSeed));
  const store = openRecords(path === undefined ? undefined : resolve(path), demo);
  const putBack = orClosed(store, () => keepState(store));
  const service = createService(store);
  const own = answering(service, key === undefined ? undefined : keyCheck(key));
  const answer: Faulty = withFaults?.(own) ?? own;
  const servers: Listening[] = [];
  let closed: Promise<void> | undefined;
  const checkOpen = (): void => {
    if (closed !== undefined) throw new UsageError('The sandbox is closed.');
  };
  const close = (): Promise<void> => {
    closed ??= Promise.all(servers.map((server) => server.close())).then(() => store.close());
    return closed;
  };
  return {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      // Everything below is synchronous, down to the disk: without this turn of the event loop no signal would be noticed.
      await new Promise((done) => setImmediate(done));
      request.signal.throwIfAborted();
      checkOpen();
      const { pathname, search } = new URL(request.url);
      const body = request.body === null ? '' : await bytesOf(request.body);
      const headers = Object.fromEntries(request.headers);
      const answered = await answer({ method: request.method, path: pathname + search, headers, body }, request.signal);
      request.signal.throwIfAborted();
      if (answered === undefined) throw broken();
      return new Response(request.method === 'HEAD' ? null : answered.body, answered);
    },
    listen: async ({ port = 0, host = '127.0.0.1' } = {}) => {
      checkOpen();
      if (!Number.isInteger(port) || port < 0 || port > 65_535) throw invalidValue('port', `${port} is not a port, 0 to 65535.`);
      const own = { host, port, key: key ?? randomKey(), withFaults };
      const server = await listen(service, own).catch((error: unknown) => {
        throw listenProblem(error, own, { host: 'host', port: 'port', free: '0' });
      });
      const listening = { url: server.baseUrl, key: own.key, close: server.close };
      servers.push(listening);
      // It may have been closed meanwhile.
      if (closed !== undefined) await listening.close();
      checkOpen();
      return listening;
    },
    reset: () => {
      checkOpen();
      explaining(store, putBack);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What the global `fetch` says of a connection that breaks. */
function broken(): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
}

function openRecords(path: string | undefined, demo: boolean): Store {
  if (path === undefined) {
    const store = openStore(':memory:', { mode: 'create' });
    fill(store, demo);
    return store;
  }
  if (!existsSync(path)) createSandbox(path, { demo });
  return openStore(path, { mode: 'open' });
}

/** What the work gives; when it fails, the store is closed. */
function orClosed<T>(store: Store, work: () => T): T {
  try {
    return explaining(store, work);
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Runs work on a store; what SQLite or the disk says against it becomes an error that says what to do. */
function explaining<T>(store: Store, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explained(error, store.path, 'It holds what it held.');
  }
}

/** Headers carry nothing else. */
function checkKey(key: string): void {
  if (!/^[\x21-\x7e]+$/.test(key)) throw invalidValue('key', 'give printable characters without spaces.');
}
