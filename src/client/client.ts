// The API client. One function sends requests, retries them and reads answers. Reads and writes differ only in the failures after which
// they are sent again.

import { isSandbox, originOf } from '../base/base-url.ts';
import { type Clock, sleep } from '../base/clock.ts';
import { InterruptedError, withHints } from '../base/errors.ts';
import { sizeText } from '../base/limits.ts';
import { isMembers } from '../base/values/paths.ts';
import { withDeadline } from './deadline.ts';
import { type EncodedBody, type Encoding, encodeBody, encodeTarget } from './encoding.ts';
import { NestedTooDeeply, readEnvelope } from './envelope.ts';
import {
  checkHint,
  type Destination,
  failureOf,
  isWrite,
  outcomeUnknown,
  problemOf,
  redirectUrl,
  unreadableAnswer,
  withCommand,
} from './problem.ts';
import { errorCode, longestRetryAfter, neverReached, retriesFailure, retriesStatus, retryDelay } from './retry.ts';
import { AnswerTooLarge, header, maxAnswerBytes, NotSent, type Transport, type WireRequest, type WireResponse } from './transport/wire.ts';
import type { Answer, ApiRequest, PlannedRequest, Sending } from './types.ts';

const mostRedirects = 5;

/** The text beside a spinner: the work, then the time so far or the next try. */
interface Doing {
  readonly text: string;
  readonly tail: string;
}

export interface ApiOptions {
  readonly transport: Transport;
  readonly destination: Destination;
  readonly key: string | undefined;
  readonly encoding: Encoding;
  readonly userAgent: string;
  /** The beginning of a command line for the same service: `crm -p acme`. Hints append the rest. */
  readonly command: string;
  /** Milliseconds for one exchange. */
  readonly timeout: number;
  readonly retries: number;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Shows a label while `work` runs. `elapsed`: the time so far, as text. */
  during<T>(label: (elapsed: string) => Doing, work: Promise<T>): Promise<T>;
  /** Shows a label until the returned function is called. */
  begin(label: (elapsed: string) => Doing): () => void;
  /** Prints a sentence about a long wait before the next try. */
  waits(sentence: string): void;
  /** --verbose and --debug lines. */
  trace(line: string, detail?: () => string[]): void;
}

export interface Api {
  /** Sends a GET. Throws a CrmError. */
  read(request: ApiRequest, signal?: AbortSignal): Promise<Answer>;
  /** Sends a write. Under --dry-run the write is kept in `plan`; the answer then has status 0 and no data. */
  write(sending: Sending): Promise<Answer>;
  /** Shows a label until the returned function is called. */
  begin(label: (elapsed: string) => Doing): () => void;
  /** The beginning of a command line for the same service. */
  readonly command: string;
  /** The writes that --dry-run kept back, in order. */
  readonly plan: readonly PlannedRequest[];
  close(): Promise<void>;
}

/** A client's options, and the base URL's own path. */
type Opened = ApiOptions & { readonly basePath: string };

export function createApi(own: ApiOptions): Api {
  const options: Opened = { ...own, basePath: basePath(own.destination.baseUrl) };
  const plan: PlannedRequest[] = [];
  return {
    command: options.command,
    plan,
    read: (request, signal) => sendRequest(options, request, signal ?? options.signal),
    write: async (sending) => {
      const make = typeof sending === 'function' ? sending : undefined;
      const request = typeof sending === 'function' ? await sending() : sending;
      const remake = make === undefined ? undefined : async () => withCommand(options.command, await make());
      if (!options.dryRun) return sendRequest(options, withCommand(options.command, request), options.signal, remake);
      plan.push(plannedRequest(options, request));
      return { status: 0, data: undefined, envelope: undefined };
    },
    begin: options.begin,
    close: () => options.transport.close(),
  };
}

/**
 * Sends a request, and repeats the request after failures that allow a repetition. `remake`: makes the request anew before each repetition.
 */
async function sendRequest(options: Opened, first: ApiRequest, signal: AbortSignal, remake?: () => Promise<ApiRequest>): Promise<Answer> {
  const state: State = {};
  const spinnerText = (elapsed: string): Doing => doing(options, first, state, elapsed);
  const { request, response } = await options.during(spinnerText, exchangeWithRetries(options, first, signal, state, remake));
  if (response.status < 200 || response.status > 299) throw problemOf(request, response, options.destination);
  return readAnswer(request, response);
}

/** The number of the present repetition, and its pause. `until`: in the clock's steady time. */
interface State {
  repetition?: number;
  pause?: { readonly why: string; readonly until: number };
}

function doing(options: ApiOptions, { method, path }: ApiRequest, { repetition, pause }: State, elapsed: string): Doing {
  const service = serviceName(options);
  const times = repetition === undefined ? '' : ` (${repetition} of ${options.retries})`;
  if (pause === undefined)
    return {
      text: `Waiting for ${service}${repetition === undefined ? '' : ' again'}, ${method} ${path}`,
      tail: `${elapsed}${times}`.trim(),
    };
  const seconds = Math.max(0, Math.ceil((pause.until - options.clock.steady()) / 1000));
  return { text: `${service}${pause.why}, ${method} ${path}`, tail: `trying again in ${seconds} s${times}` };
}

const serviceName = ({ destination: { baseUrl } }: ApiOptions): string => (isSandbox(baseUrl) ? 'the embedded CRM' : new URL(baseUrl).host);

function readAnswer(request: ApiRequest, response: WireResponse): Answer {
  const text = utf8(request, response);
  const date = header(response, 'date');
  try {
    return { ...readEnvelope(response.status, text), ...(date === undefined ? {} : { date }) };
  } catch (error) {
    const why = error instanceof NestedTooDeeply ? 'its JSON is nested too deeply' : whyUnreadable(text, response);
    throw unreadableAnswer(request, response.status, why, error);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function utf8(request: ApiRequest, response: WireResponse): string {
  try {
    return decoder.decode(response.body);
  } catch (error) {
    throw unreadableAnswer(request, response.status, 'its answer is not valid UTF-8', error);
  }
}

function whyUnreadable(text: string, response: WireResponse): string {
  if (/^\s*</.test(text)) return 'with an HTML page instead of JSON';
  const type = header(response, 'content-type');
  if (type !== undefined && !type.includes('json')) return `with ${type.split(';')[0]} instead of JSON`;
  return 'its JSON is broken or cut off';
}

async function exchangeWithRetries(
  options: Opened,
  first: ApiRequest,
  signal: AbortSignal,
  state: State,
  remake?: () => Promise<ApiRequest>,
): Promise<{ readonly request: ApiRequest; readonly response: WireResponse }> {
  const { clock } = options;
  let request = first;
  let fresh = false;
  let isLost = false;
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt > options.retries;
    const result = await attemptExchange(options, request, { ...wireRequest(options, request), fresh }, signal);
    if (isLast || !shouldRetry(request, result)) return { request, response: responseOrThrow(options, request, result) };
    isLost ||= isWrite(request) && !isUnprocessed(result);
    const after = 'response' in result ? header(result.response, 'retry-after') : undefined;
    const delay = retryDelay(attempt, after, clock.now(), clock.random());
    options.trace(`${request.method} ${request.path} again in ${delay} ms`);
    if (delay >= longWait) options.waits(waitText(options, result, { after, delay, attempt }));
    state.repetition = attempt;
    state.pause = { why: whatHappened(result), until: clock.steady() + delay };
    try {
      await sleep(clock, delay, signal);
      delete state.pause;
      if (remake !== undefined) request = await remake();
    } catch (error) {
      throw isLost ? afterLoss(request, error) : error;
    }
    fresh = 'failure' in result;
  }
}

/** True when the service certainly did nothing: it answered 429, or the request never reached it. */
const isUnprocessed = (result: Attempt): boolean => ('response' in result ? result.response.status === 429 : neverReached(result.failure));

/** The error when no repetition of a lost write could be made. Its text says that the first attempt may have taken effect. */
function afterLoss(request: ApiRequest, error: unknown): unknown {
  const { hint } = checkHint(request);
  if (error instanceof InterruptedError)
    return InterruptedError.by(error, { ...checkHint(request), note: outcomeUnknown(request), isUnknown: true });
  return withHints(error, [outcomeUnknown(request), hint]);
}

/** Milliseconds. A wait of this length is announced: without a word, the program would seem to hang. */
const longWait = 5000;

/** `crm.example.com answered 429, Retry-After 3600: trying again in 60 s, the longest wait (1 of 3).` */
function waitText(
  options: ApiOptions,
  result: Attempt,
  wait: { readonly after: string | undefined; readonly delay: number; readonly attempt: number },
): string {
  const { after, delay, attempt } = wait;
  const asked = after === undefined ? '' : `, Retry-After ${after}`;
  const bound = delay === longestRetryAfter ? ', the longest wait' : '';
  return `${serviceName(options)}${whatHappened(result)}${asked}: trying again in ${Math.ceil(delay / 1000)} s${bound} (${attempt} of ${options.retries}).`;
}

type Attempt = { readonly response: WireResponse } | { readonly failure: unknown };

const whatHappened = (result: Attempt): string =>
  'response' in result ? ` answered ${result.response.status}` : `: ${errorCode(result.failure) ?? 'no answer'}`;

function shouldRetry(request: ApiRequest, result: Attempt): boolean {
  if ('response' in result) return retriesStatus(request, result.response.status);
  return retriesFailure(request, result.failure);
}

function responseOrThrow(options: ApiOptions, request: ApiRequest, result: Attempt): WireResponse {
  if ('response' in result) return result.response;
  if (result.failure instanceof AnswerTooLarge) {
    throw unreadableAnswer(request, 200, `its answer is larger than ${sizeText(maxAnswerBytes)}`, result.failure);
  }
  throw failureOf(request, result.failure, options.destination, options.timeout);
}

async function attemptExchange(options: ApiOptions, request: ApiRequest, wire: WireRequest, signal: AbortSignal): Promise<Attempt> {
  signal.throwIfAborted();
  let deadline: AbortSignal | undefined;
  try {
    const response = await withDeadline(options.clock, signal, options.timeout, (either) => {
      deadline = either;
      return exchangeFollowing(options, wire, either);
    });
    return { response };
  } catch (error) {
    if (signal.aborted) throw interrupted(request, signal, error);
    return { failure: deadline?.aborted ? timeoutOf(deadline, error) : error };
  }
}

/** The error of a time-out. A NotSent error stays a NotSent: nothing was sent while connecting. */
function timeoutOf(deadline: AbortSignal, error: unknown): unknown {
  return error instanceof NotSent ? new NotSent(deadline.reason) : deadline.reason;
}

/** One exchange. A read follows redirects within the origin. */
async function exchangeFollowing(options: ApiOptions, wire: WireRequest, signal: AbortSignal): Promise<WireResponse> {
  let request = wire;
  for (let hop = 0; ; hop += 1) {
    const response = await tracedExchange(options, request, signal);
    const target =
      hop < mostRedirects && request.method === 'GET' ? redirectTarget(options.destination.baseUrl, request, response) : undefined;
    if (target === undefined) return response;
    request = { ...request, target };
  }
}

/** The target of a redirect within the origin; undefined for any other. The key is never sent to another origin. */
function redirectTarget(baseUrl: string, request: WireRequest, response: WireResponse): string | undefined {
  const to = redirectUrl(baseUrl, request.target, response);
  return to !== undefined && to.origin === new URL(baseUrl).origin ? `${to.pathname}${to.search}` : undefined;
}

async function tracedExchange(options: ApiOptions, request: WireRequest, signal: AbortSignal): Promise<WireResponse> {
  const { clock } = options;
  const start = clock.steady();
  const line = `${request.method} ${request.target}`;
  try {
    const response = await options.transport.exchange(request, signal);
    options.trace(`${line} ${response.status} in ${Math.round(clock.steady() - start)} ms`, () => headerLines(request, response));
    return response;
  } catch (error) {
    options.trace(`${line} failed in ${Math.round(clock.steady() - start)} ms`);
    throw error;
  }
}

function headerLines(request: WireRequest, response: WireResponse): string[] {
  const sent = Object.entries(request.headers).map(([name, value]) => `> ${name}: ${name === 'authorization' ? 'Bearer …' : value}`);
  const received = Object.entries(response.headers).map(([name, value]) => `< ${name}: ${name === 'set-cookie' ? '…' : value}`);
  return [...sent, ...received];
}

function wireRequest(options: Opened, request: ApiRequest): WireRequest {
  const body = encodeBody(request, options.encoding);
  return {
    method: request.method,
    target: encodeTarget(options.basePath, request),
    headers: headersOf(options, body),
    ...(body === undefined ? {} : { body: body.text }),
  };
}

function headersOf(options: ApiOptions, body: EncodedBody | undefined): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': options.userAgent,
    // interface: Authentication, 1
    ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
    ...(body === undefined ? {} : { 'content-type': body.type }),
  };
}

function basePath(baseUrl: string): string {
  const path = isSandbox(baseUrl) ? '' : new URL(baseUrl).pathname;
  return path === '/' ? '' : path;
}

function plannedRequest(options: Opened, request: ApiRequest): PlannedRequest {
  const { baseUrl } = options.destination;
  const url = `${originOf(baseUrl)}${encodeTarget(options.basePath, request)}`;
  const document = request.json === undefined ? Object.fromEntries(request.body ?? []) : JSON.parse(request.json);
  return { method: request.method, url, fields: isMembers(document) || Array.isArray(document) ? document : {} };
}

/** The error for an aborted exchange: the signal's reason. When a write may have arrived, the error says that its outcome is unknown. */
function interrupted(request: ApiRequest, signal: AbortSignal, error: unknown): unknown {
  const { reason } = signal;
  if (request.method === 'GET' || !(reason instanceof InterruptedError) || neverReached(error)) return reason;
  return InterruptedError.by(reason, {
    cause: reason.cause,
    ...checkHint(request),
    note: outcomeUnknown(request),
    isUnknown: true,
    request: { method: request.method, path: request.path },
  });
}
