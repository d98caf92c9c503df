// `crm-admin/sandbox`: a whole CRM in this process, for tests. The CRM follows the same rules as `crm sandbox serve`.

/// <reference lib="esnext.disposable" preserve="true" />

import { resolve } from 'node:path';
import { invalidValue, UsageError } from '../../base/errors.ts';
import { copyRecords, ensureSandbox, fillStore } from '../../sandbox/create.ts';
import { answering } from '../../sandbox/http/answer.ts';
import { type Faulty, faulty, parseFaults } from '../../sandbox/http/faults.ts';
import { keyCheck, randomKey } from '../../sandbox/http/key-check.ts';
import { bodyBytes } from '../../sandbox/http/request.ts';
import { listen, listenProblem, type WithFaults } from '../../sandbox/http/serve.ts';
import { createService } from '../../sandbox/service/service.ts';
import { openStore, type Store, storeError } from '../../sandbox/store/store.ts';

import { optionOf, optionsFrom } from './arguments.ts';

export * from './errors.ts';

export interface SandboxOptions {
  /** The CRM's file, created when it doesn't exist. Default: the CRM lives in memory until it is closed. */
  readonly path?: string | undefined;
  /** Fills a new CRM with demo data, the same every time. False: reference data only. Default true. An existing file keeps its records. */
  readonly demo?: boolean | undefined;
  /** The key that requests must carry. Default: `fetch` needs no key, and `listen` makes up a key. */
  readonly key?: string | undefined;
  /**
   * Faults and their probabilities, as `crm sandbox serve --fault` explains them:
   * `reset=0.02,cut-after-commit=0.02,503=0.05,429=0.05:retry-after=2,slow=0.05:3000,garbage=0.01`. A broken connection is a TypeError of
   * `fetch`.
   */
  readonly faults?: string | undefined;
  /** Equal seeds make equal requests fail in equal ways. A whole number; default 1. */
  readonly faultSeed?: number | undefined;
}

export interface ListenOptions {
  /** Default: any free port. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
}

/** A CRM served over HTTP. */
export interface Listening {
  /** Without a trailing slash: `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The key that requests must carry: `Authorization: Bearer <key>`. */
  readonly key: string;
  /** Refuses new connections, and finishes the requests under way. */
  close(): Promise<void>;
}

export interface Sandbox {
  /** Answers requests as the service would, without a network. Use it in place of the global `fetch`. The URL's origin is ignored. */
  readonly fetch: typeof globalThis.fetch;
  /** Serves the same CRM over HTTP. Throws UsageError for a port or host that can't be used. */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Puts every record back to the state when the sandbox was opened. */
  reset(): void;
  /** Stops listening and closes the file, for good. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens a CRM. Throws UsageError for a path that is no sandbox, and UnavailableError for a file in use or a failing disk. */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const checked = optionsFrom(options, 'openSandbox', ['path', 'demo', 'key', 'faults', 'faultSeed']);
  for (const name of ['path', 'key', 'faults']) optionOf(checked, name, 'string');
  optionOf(checked, 'demo', 'boolean');
  optionOf(checked, 'faultSeed', 'number');
  return sandboxOn(options);
}

function sandboxOn({ path, demo = true, key, faults, faultSeed = 1 }: SandboxOptions): Sandbox {
  // An HTTP header holds nothing else.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) throw invalidValue('key', 'give printable characters without spaces.');
  const parsed = faults === undefined ? undefined : parseFaults(faults, 'faults');
  const withFaults: WithFaults | undefined = parsed && ((answer) => faulty(answer, parsed, faultSeed));
  const store = openRecords(path === undefined ? undefined : resolve(path), demo);
  let putBack: () => void;
  try {
    putBack = explaining(store, () => copyRecords(store));
  } catch (error) {
    store.close();
    throw error;
  }
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
      // All code below is synchronous. Without this turn of the event loop no signal would be noticed.
      await new Promise((done) => setImmediate(done));
      request.signal.throwIfAborted();
      checkOpen();
      const { pathname, search } = new URL(request.url);
      const body = request.body === null ? '' : await bodyBytes(request.body);
      const headers = Object.fromEntries(request.headers);
      const answered = await answer({ method: request.method, path: pathname + search, headers, body }, request.signal);
      request.signal.throwIfAborted();
      if (answered === undefined) throw brokenConnection();
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
      // The sandbox may have been closed meanwhile.
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

/** As the global `fetch` throws it. */
function brokenConnection(): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
}

function openRecords(path: string | undefined, demo: boolean): Store {
  if (path === undefined) {
    const store = openStore(':memory:', { mode: 'create' });
    fillStore(store, demo);
    return store;
  }
  ensureSandbox(path, demo);
  return openStore(path, { mode: 'open' });
}

/** Runs `work` on a store. Errors of SQLite and the disk become errors that say what to do. */
function explaining<T>(store: Store, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeError(error, store.path, 'The records of the sandbox are unchanged.');
  }
}
