// `crm-admin/client`: the API for programs, family by family. The client uses the command line's transport and gives the same promises
// about writes. The build makes the types (build/client-types.ts).

import { existsSync } from 'node:fs';
import { fileNamed, isExposed, isSandbox, normaliseBaseUrl, originOf, servicePath } from '../../base/base-url.ts';
import { systemClock } from '../../base/clock.ts';
import { CrmError, InterruptedError, invalidValue, UnauthorizedError, UsageError } from '../../base/errors.ts';
import { cleanKey } from '../../base/key.ts';
import { checkChoice } from '../../base/values/parse.ts';
import { userAgent } from '../../base/version.ts';
import { referenceFamilies, resources } from '../../model/resources/index.ts';
import { leads } from '../../model/resources/leads.ts';
import { proposals } from '../../model/resources/proposals.ts';
import { type Api, type ApiOptions, createApi, lineFor } from '../client.ts';
import type { Encoding } from '../encoding.ts';
import { header, type Transport } from '../transport/wire.ts';
import { type Answer, type ApiRequest, type Method, methods } from '../types.ts';
import { checkLimits, membersFrom, optionOf, optionsFrom, signalOf } from './arguments.ts';
import { type Caller, during, readOptions } from './call.ts';
import type { CallOptions, ClientOptions, Exchange, RateLimit, ServiceAnswer } from './calls.ts';
import { familyCalls, readCalls } from './family-calls.ts';
import { fetchTransport } from './fetch-transport.ts';
import { leadCalls } from './lead-calls.ts';
import { type Kinds, plainAnswer } from './plain-values.ts';
import { proposalCalls } from './proposal-calls.ts';

export * from './errors.ts';

/** The transport, the key and the origin of requests. */
interface Connection {
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly transport: Transport;
}

type Log = (exchange: Exchange) => void;

/** Opens a client; sends nothing. Throws TypeError for options of the wrong kind, and UsageError for unusable options. */
export async function openClient(options: ClientOptions) {
  checkOptions(options);
  const { encoding = 'form', timeout = 30_000, retries = 3, signal, log, readOnly = false } = options;
  const { baseUrl, key, transport } = await destinationOf(options, encoding);
  const closed = new AbortController();
  const ended = endedBy([closed.signal, signal]);
  const base: Omit<ApiOptions, 'signal' | 'transport'> = {
    key,
    destination: {
      baseUrl,
      keySource: 'the options of openClient',
      timeoutSetting: 'timeout, in milliseconds',
      movedHint: 'If the service has moved there, open the client with the new base URL.',
      ...(transport.via === undefined ? {} : { via: transport.via }),
    },
    encoding,
    userAgent,
    command: 'await',
    timeout,
    retries,
    dryRun: false,
    ...(readOnly ? { readOnlyBy: async () => 'The client was opened with readOnly' } : {}),
    clock: systemClock,
    line: lineFor(systemClock),
    during: (_label, work) => work,
    begin: () => () => {},
    waits: () => {},
    trace: () => {},
  };
  const service = callerOn(base, transport, ended.signal, log === undefined ? [] : [quiet(log)]);
  const close = async (): Promise<void> => {
    // An interruption makes a write under way say that its outcome is unknown.
    closed.abort(new InterruptedError('abort', { note: 'The client is closed.' }));
    ended.end();
    await transport.close();
  };
  const own = { [leads.name]: leadCalls(service), [proposals.name]: proposalCalls(service) };
  const families = Object.fromEntries([
    ...resources.map((resource) => [resource.name, { ...familyCalls(service, resource), ...own[resource.name] }]),
    ...referenceFamilies.map((resource) => [resource.name, readCalls(service, resource)]),
  ]);
  return { ...families, request: requestCall(service), close, [Symbol.asyncDispose]: close };
}

const optionNames = ['baseUrl', 'key', 'insecureHttp', 'fetch', 'sandbox', 'encoding', 'timeout', 'retries', 'signal', 'log', 'readOnly'];

function checkOptions(value: unknown): void {
  membersFrom(value, 'openClient takes an object of options, { baseUrl, key } or { sandbox }');
  const options = optionsFrom(value, 'openClient', optionNames);
  for (const name of ['baseUrl', 'key', 'encoding']) optionOf(options, name, 'string');
  for (const name of ['fetch', 'log']) optionOf(options, name, 'function');
  for (const name of ['insecureHttp', 'readOnly']) optionOf(options, name, 'boolean');
  checkLimits(options);
  signalOf(options);
  if (options.sandbox !== undefined) optionOf(membersFrom(options.sandbox, 'sandbox is what openSandbox gives'), 'fetch', 'function');
}

/** `listeners`: called with every exchange. */
function callerOn(
  base: Omit<ApiOptions, 'signal' | 'transport'>,
  transport: Transport,
  signal: AbortSignal,
  listeners: readonly Log[],
  changes: Caller['changes'] = new Map(),
): Caller {
  const heard = listeners.length === 0 ? transport : overheard(transport, listeners);
  const api = createApi({ ...base, transport: heard, signal });
  return {
    api: base.key === undefined ? api : withoutKey(api, base.key),
    signal,
    changes,
    of: ({ signal: own, timeout = base.timeout, retries = base.retries }, hears) => {
      const ended = own === undefined ? { signal, end: () => {} } : endedBy([signal, own]);
      const all = hears === undefined ? listeners : [...listeners, hears];
      return { ...callerOn({ ...base, timeout, retries }, transport, ended.signal, all, changes), end: ended.end };
    },
  };
}

const quiet =
  (log: Log): Log =>
  (exchange) => {
    try {
      log(exchange);
    } catch {
      // A failing log must not change the outcome of a write.
    }
  };

function overheard(transport: Transport, listeners: readonly Log[]): Transport {
  return {
    ...transport,
    exchange: async (request, signal) => {
      const start = systemClock.steady();
      const tellListeners = (end: Partial<Exchange>): void => {
        const milliseconds = Math.round(systemClock.steady() - start);
        for (const hears of listeners) hears({ method: request.method, path: request.target, milliseconds, ...end });
      };
      try {
        const response = await transport.exchange(request, signal);
        const rateLimit = rateLimitOf((name) => header(response, name));
        tellListeners({ status: response.status, ...(rateLimit === undefined ? {} : { rateLimit }) });
        return response;
      } catch (error) {
        tellListeners({ failure: error instanceof Error ? error.message : String(error) });
        throw error;
      }
    },
  };
}

/** vendor facts: framework failures. */
function rateLimitOf(named: (name: string) => string | undefined): RateLimit | undefined {
  const headerNumber = (name: string): number | undefined => (/^\d{1,15}$/.test(named(name) ?? '') ? Number(named(name)) : undefined);
  const [limit, remaining, retryAfter] = [headerNumber('x-ratelimit-limit'), headerNumber('x-ratelimit-remaining'), named('retry-after')];
  if (limit === undefined && remaining === undefined && retryAfter === undefined) return undefined;
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

function requestCall(service: Caller) {
  return async (method: unknown, path: unknown, raw?: unknown): Promise<ServiceAnswer> => {
    if (typeof method !== 'string' || typeof path !== 'string')
      throw new TypeError("client.request takes a method and a path: ('GET', '/api/clients').");
    const options = readOptions(raw, 'client.request', ['query', 'body']);
    const { query = {}, body } = options;
    const parameters = Object.entries(membersFrom(query, 'query is an object')).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)] as const),
    );
    let last: Exchange | undefined;
    const hears = (exchange: Exchange): void => {
      last = exchange;
    };
    const listening: Caller = { ...service, of: (own: CallOptions) => service.of(own, hears) };
    return during(listening, options, async ({ api }) => {
      const verb = checkChoice<Method>(method.toUpperCase() as Method, methods, 'method');
      if (verb === 'GET' && body !== undefined) throw invalidValue('body', 'a GET has no body.');
      const request: ApiRequest = {
        method: verb,
        path: servicePath(path),
        query: parameters,
        ...(body === undefined ? {} : { json: JSON.stringify(body) }),
      };
      const { status, data, message, meta } = verb === 'GET' ? await api.read(request) : await api.write(request);
      return {
        status,
        data: plainAnswer(data, noKinds),
        ...(message === undefined ? {} : { message }),
        ...(meta === undefined ? {} : { meta }),
        ...(last?.rateLimit === undefined ? {} : { rateLimit: last.rateLimit }),
      };
    });
  };
}

/** For endpoints without a declaration: no member is known as a decimal or an id. */
const noKinds: Kinds = { decimals: new Set(), ids: new Set() };

async function destinationOf(options: ClientOptions, encoding: string): Promise<Connection> {
  checkChoice<Encoding>(encoding as Encoding, ['form', 'json'], 'encoding');
  const key = options.key === undefined ? undefined : cleanKey(options.key, 'key', (message) => new UsageError(message));
  if (options.sandbox !== undefined) {
    if (options.baseUrl !== undefined || options.fetch !== undefined) throw new UsageError('Give baseUrl or sandbox, not both.');
    return { baseUrl: 'sandbox:', key, transport: fetchTransport(options.sandbox.fetch, 'http://sandbox') };
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
  if (options.fetch !== undefined) return { baseUrl, key, transport: fetchTransport(options.fetch, originOf(baseUrl)) };
  const { httpTransport } = await import('../transport/http.ts');
  return { baseUrl, key, transport: await httpTransport(new URL(baseUrl).origin, process.env, { connections: 4 }) };
}

async function embedded(path: string): Promise<Transport> {
  if (path === '') throw invalidValue('baseUrl', 'name the file of the embedded CRM: sandbox:/path/to/file.');
  if (!existsSync(path)) {
    throw new UnauthorizedError(`There is no embedded CRM at ${path} yet.`, {
      hint: 'openSandbox({ path }) of crm-admin/sandbox makes one.',
    });
  }
  const { sandboxTransport } = await import('../transport/embedded.ts');
  return sandboxTransport(path, 'openSandbox({ path }) of crm-admin/sandbox', systemClock);
}

/** A signal that fires with an interruption when any of `signals` fires, until `end`. */
function endedBy(signals: readonly (AbortSignal | undefined)[]): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const ends = new AbortController();
  for (const signal of signals) {
    const interrupt = (): void => {
      const reason: unknown = signal?.reason;
      controller.abort(reason instanceof InterruptedError ? reason : new InterruptedError('abort', { cause: reason }));
    };
    if (signal?.aborted) interrupt();
    else signal?.addEventListener('abort', interrupt, { once: true, signal: ends.signal });
  }
  return { signal: controller.signal, end: () => ends.abort() };
}

/** A service may quote the key, and errors end in logs. */
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
  // The service's message may become part of an error, too.
  const cleaned = (answer: Answer): Answer => (answer.message === undefined ? answer : { ...answer, message: clean(answer.message) });
  return {
    ...api,
    read: (request, signal) => api.read(request, signal).then(cleaned, rethrow),
    write: (sending) => api.write(sending).then(cleaned, rethrow),
  };
}
