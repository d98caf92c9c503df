// `crm-admin/client`: the service for programs, family by family, over the command line's own transport and with its promises about
// writes. Types are made by the build (derive/client-types.ts).

import { type Api, createApi } from '../api/client.ts';
import type { Encoding } from '../api/encoding.ts';
import type { Transport } from '../api/transport/wire.ts';
import type { Answer } from '../api/types.ts';
import { systemClock } from '../clock.ts';
import { CrmError, InterruptedError, invalidValue, UsageError } from '../errors.ts';
import { referenceFamilies, resources } from '../resources/index.ts';
import { leads } from '../resources/leads.ts';
import { proposals } from '../resources/proposals.ts';
import { fileNamed, isExposed, isSandbox, normaliseBaseUrl } from '../values/base-url.ts';
import { cleanKey } from '../values/key.ts';
import { checkChoice } from '../values/parse.ts';
import { userAgent } from '../version.ts';
import type { ClientOptions } from './calls.ts';
import { familyCalls, readCalls, type Service } from './family-calls.ts';
import { leadCalls } from './lead-calls.ts';
import { proposalCalls } from './proposal-calls.ts';

export * from './errors.ts';

/** Where requests go. */
interface Place {
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly transport: Transport;
}

/** Opens a client; nothing is sent yet. Throws UsageError for options that can't be used. */
export async function openClient(options: ClientOptions) {
  const { encoding = 'form', timeout = 30_000, retries = 3, signal } = options;
  checkChoice<Encoding>(encoding, ['form', 'json'], 'encoding');
  if (!Number.isFinite(timeout) || timeout <= 0) throw invalidValue('timeout', `${timeout} is not a number of milliseconds above 0.`);
  if (!Number.isInteger(retries) || retries < 0 || retries > 99)
    throw invalidValue('retries', `${retries} is not a whole number from 0 to 99.`);
  const { baseUrl, key, transport } = await placeOf(options);
  const ended = endedBy(signal);
  const api = createApi({
    transport,
    key,
    destination: {
      baseUrl,
      keySource: 'the options of openClient',
      timeoutSetting: 'timeout, in milliseconds',
      ...(transport.via === undefined ? {} : { via: transport.via }),
    },
    encoding,
    userAgent,
    command: 'await',
    timeout,
    retries,
    dryRun: false,
    signal: ended.signal,
    clock: systemClock,
    during: (_label, work) => work,
    begin: () => () => {},
    waits: () => {},
    trace: () => {},
  });
  const unnamed = key === undefined ? api : withoutKey(api, key);
  const close = async (): Promise<void> => {
    ended.end();
    await transport.close();
  };
  return { ...families({ api: unnamed, signal: ended.signal }), close, [Symbol.asyncDispose]: close };
}

function families(service: Service) {
  const own = {
    [leads.name]: leadCalls(service),
    [proposals.name]: proposalCalls(service),
  };
  return Object.fromEntries([
    ...resources.map((resource) => [resource.name, { ...familyCalls(service, resource), ...own[resource.name] }]),
    ...referenceFamilies.map((resource) => [resource.name, readCalls(service, resource)]),
  ]);
}

async function placeOf(options: ClientOptions): Promise<Place> {
  const key = options.key === undefined ? undefined : cleanKey(options.key, 'key', (message) => new UsageError(message));
  if (options.sandbox !== undefined) {
    if (options.baseUrl !== undefined) throw new UsageError('Give baseUrl or sandbox, not both.');
    return { baseUrl: 'sandbox:', key, transport: fetchTransport(options.sandbox.fetch) };
  }
  if (options.baseUrl === undefined) throw new UsageError('Give baseUrl, or sandbox.');
  const baseUrl = normaliseBaseUrl(
    options.baseUrl,
    'baseUrl',
    (message, hint) => new UsageError(message, hint === undefined ? {} : { hint }),
  );
  if (isSandbox(baseUrl)) return { baseUrl, key: undefined, transport: await embedded(fileNamed(baseUrl)) };
  if (key === undefined) throw invalidValue('key', 'it is missing.');
  if (isExposed(baseUrl) && options.insecureHttp !== true) {
    throw invalidValue('baseUrl', 'plain http sends the key unencrypted; use https, or { insecureHttp: true }.');
  }
  const { httpTransport } = await import('../api/transport/http.ts');
  return { baseUrl, key, transport: await httpTransport(new URL(baseUrl).origin, process.env, { connections: 4 }) };
}

async function embedded(path: string): Promise<Transport> {
  if (path === '') throw invalidValue('baseUrl', 'name the file of the embedded CRM: sandbox:/path/to/file.');
  const { sandboxTransport } = await import('../api/transport/embedded.ts');
  return sandboxTransport(path);
}

/** A sandbox in this process, over its own fetch. */
function fetchTransport(fetch: typeof globalThis.fetch): Transport {
  return {
    exchange: async ({ method, target, headers, body = null }, signal) => {
      const response = await fetch(`http://sandbox${target}`, { method, headers, body, signal });
      return { status: response.status, headers: Object.fromEntries(response.headers), body: new Uint8Array(await response.arrayBuffer()) };
    },
    close: async () => {},
  };
}

/** A signal that ends every request: when that of the program fires, or by `end`, when the client is closed. */
function endedBy(signal: AbortSignal | undefined): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort(new InterruptedError('SIGINT', { cause: signal?.reason }));
  if (signal?.aborted) interrupt();
  else signal?.addEventListener('abort', interrupt, { once: true });
  return {
    signal: controller.signal,
    end: () => {
      signal?.removeEventListener('abort', interrupt);
      // An interruption, as by the program's signal: a write under way then says that its outcome is unknown.
      controller.abort(new InterruptedError('SIGINT', { note: 'The client is closed.' }));
    },
  };
}

/** The client, with no key in what its errors say: a service may quote what it was sent, and errors end in logs. */
function withoutKey(api: Api, key: string): Api {
  const clean = (text: string): string => text.replaceAll(key, '…').replaceAll(encodeURIComponent(key), '…');
  const rethrow = (error: unknown): never => {
    if (error instanceof CrmError) {
      error.message = clean(error.message);
      if (error.stack !== undefined) error.stack = clean(error.stack);
      if (error.details.hint !== undefined) error.details.hint = clean(error.details.hint);
      if (error.details.retryAfter !== undefined) error.details.retryAfter = clean(error.details.retryAfter);
      for (const field of error.details.fields ?? []) {
        field.name = clean(field.name);
        field.messages = field.messages.map(clean);
      }
    }
    throw error;
  };
  // What the service says beside a record may end in an error, too.
  const cleaned = (answer: Answer): Answer => (answer.message === undefined ? answer : { ...answer, message: clean(answer.message) });
  return {
    ...api,
    read: (request, signal) => api.read(request, signal).then(cleaned, rethrow),
    write: (sending) => api.write(sending).then(cleaned, rethrow),
  };
}
