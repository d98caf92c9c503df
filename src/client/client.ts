// The API client. One function sends requests, retries them and reads answers. Reads and writes differ only in the failures after which
// they are sent again. A limiter above the client waits and retries in its place (`ApiRequest.patience`).

import { isSandbox, originOf } from '../base/base-url.ts';
import { type Clock, sleep } from '../base/clock.ts';
import { InterruptedError, RateLimitedError, withHints } from '../base/errors.ts';
import { spanText, waits } from '../base/limits.ts';
import { parseJson } from '../base/values/json.ts';
import { isMembers } from '../base/values/paths.ts';
import { Backoff, failurePause, type RequestKind } from './backoff.ts';
import { withDeadline } from './deadline.ts';
import { type Encoding, encodeBody, encodeTarget } from './encoding.ts';
import { NestedTooDeeply, readEnvelope } from './envelope.ts';
import { RequestQueue } from './line.ts';
import {
  checkHint,
  comeAgain,
  type Destination,
  failureOf,
  isWrite,
  outcomeUnknown,
  problemOf,
  redirectUrl,
  refuseReadOnly,
  unreadableAnswer,
  withCommand,
} from './problem.ts';
import { errorCode, isUnreached, neverReached, retriesFailure, retriesStatus } from './retry.ts';
import { header, NotSent, type Transport, UnusableAnswer, type WireRequest, type WireResponse } from './transport/wire.ts';
import type { Answer, ApiRequest, Sending, UnsentRequest } from './types.ts';

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
  /** The writes that may have reached the service: one more while it is sent, one less after a 429 or a connection never made. */
  readonly sent?: { writes: number };
  /** Says what makes the service read only: `Profile "acme" is read only`. Resolves to undefined where writes may be sent. */
  readonly readOnlyBy?: () => Promise<string | undefined>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The queue before the service. Absent: no other client sends to the service. */
  readonly line?: RequestQueue;
  /** Shows a label while `work` runs. `elapsed`: the time so far, as text. */
  during<T>(label: (elapsed: string) => Doing, work: Promise<T>): Promise<T>;
  /** Shows a label until the returned function is called. */
  begin(label: (elapsed: string) => Doing): () => void;
  /** Prints a sentence about a long wait before the next try. */
  waits(sentence: string): void;
  /** --verbose and --debug lines. */
  trace(line: () => string, detail?: () => string[]): void;
}

export interface Api {
  /** Sends a GET. Throws a CrmError. */
  read(request: ApiRequest, signal?: AbortSignal): Promise<Answer>;
  /** Sends a write. Throws UnconfirmedError if the service is read only. Under --dry-run the write goes into `unsent`; the answer then has status 0 and no data. */
  write(sending: Sending): Promise<Answer>;
  /** Shows a label until the returned function is called. */
  begin(label: (elapsed: string) => Doing): () => void;
  /** The beginning of a command line for the same service. */
  readonly command: string;
  /** The pauses of the service. */
  readonly backoff: Backoff;
  /** The writes that --dry-run held back, in order. */
  readonly unsent: readonly UnsentRequest[];
  close(): Promise<void>;
}

/** A client's options, and the base URL's own path. */
type Opened = ApiOptions & { readonly basePath: string; readonly line: RequestQueue };

/** The queue before a service for single requests: all at once, until the service refuses requests. */
export const lineFor = (clock: Clock, backoff = new Backoff(clock)): RequestQueue =>
  new RequestQueue({ concurrency: Number.POSITIVE_INFINITY, clock, backoff });

export function createApi(own: ApiOptions): Api {
  const { line = lineFor(own.clock) } = own;
  const options: Opened = { ...own, line, basePath: basePath(own.destination.baseUrl) };
  const unsent: UnsentRequest[] = [];
  return {
    command: options.command,
    backoff: line.backoff,
    unsent,
    read: (request, signal) => sendRequest(options, request, signal ?? options.signal),
    write: async (sending) => {
      if (!options.dryRun) refuseReadOnly(await options.readOnlyBy?.());
      const make = typeof sending === 'function' ? sending : undefined;
      const request = typeof sending === 'function' ? await sending(false) : sending;
      const remake = make === undefined ? undefined : async (wasLost: boolean) => withCommand(options.command, await make(wasLost));
      if (!options.dryRun) return sendRequest(options, withCommand(options.command, request), options.signal, remake);
      unsent.push(unsentRequest(options, request));
      return { status: 0, data: undefined, envelope: undefined };
    },
    begin: options.begin,
    close: () => options.transport.close(),
  };
}

/** `remake`: makes the request anew before each repetition. */
async function sendRequest(
  options: Opened,
  first: ApiRequest,
  signal: AbortSignal,
  remake?: (wasLost: boolean) => Promise<ApiRequest>,
): Promise<Answer> {
  const state: State = {};
  const spinnerText = (elapsed: string): Doing => doing(options, first, state, elapsed);
  const { request, response } = await options.during(spinnerText, exchangeWithRetries(options, first, signal, state, remake));
  return readAnswer(request, response);
}

/** The number of the present repetition, and what happened before it. `until`: the steady time until which the request waits. */
interface State {
  repetition?: number;
  why?: string;
  until?: number | undefined;
}

function doing(options: Opened, request: ApiRequest, { repetition, why, until }: State, elapsed: string): Doing {
  const service = serviceName(options);
  const { method, path } = request;
  const times = repetition === undefined || request.patience === 'many' ? '' : ` (${repetition} of ${options.retries})`;
  const wait = until === undefined ? 0 : Math.max(until - options.clock.steady(), options.line.backoff.waitOf(kindOf(request)));
  if (wait > 0) {
    return {
      text: `${service}${why ?? options.line.backoff.why}, ${method} ${path}`,
      tail: `going on in ${Math.ceil(wait / 1000)} s${times}`,
    };
  }
  return {
    text: `Waiting for ${service}${repetition === undefined ? '' : ' again'}, ${method} ${path}`,
    tail: `${elapsed}${times}`.trim(),
  };
}

const kindOf = (request: ApiRequest): RequestKind => (isWrite(request) ? 'write' : 'read');

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
  remake?: (wasLost: boolean) => Promise<ApiRequest>,
): Promise<{ readonly request: ApiRequest; readonly response: WireResponse }> {
  const { clock } = options;
  let request = first;
  let fresh = false;
  let isLost = false;
  let failures = 0;
  // The attempts that waited for a connection, which --retries doesn't count.
  let unmade = 0;
  for (let attempt = 1; ; attempt += 1) {
    let ended: Ended;
    try {
      ended = await inLine(options, request, fresh, signal, state);
    } catch (error) {
      throw isLost ? afterLoss(request, error) : error;
    }
    const { result, error, pause } = ended;
    if (error === undefined && 'response' in result) return { request, response: result.response };
    const isAwaited = awaits(options, request, result);
    if (!isAwaited && !shouldRetry(options, request, result, error, attempt - unmade)) {
      // A limiter that waits in the client's place says when to come again.
      throw error instanceof RateLimitedError && request.patience !== 'none' ? comeAgain(error, pause) : error;
    }
    if (isAwaited) unmade += 1;
    isLost ||= isWrite(request) && !isUnprocessed(result);
    fresh = 'failure' in result;
    state.repetition = attempt;
    state.why = whatHappened(result);
    if (pause >= waits.told) options.waits(waitText(options, request, result, { pause, attempt }));
    if (pause === 0 && !(error instanceof RateLimitedError)) failures += 1;
    const own = pause === 0 && !(error instanceof RateLimitedError) ? Math.round(failurePause(failures, clock.random())) : 0;
    const again = `${request.method} ${request.path} again in ${Math.round(Math.max(own, pause))} ms`;
    options.trace(() => again);
    try {
      state.until = clock.steady() + own;
      await sleep(clock, own, signal);
      if (remake !== undefined) request = await remake(isLost);
    } catch (error) {
      throw isLost ? afterLoss(request, error) : error;
    }
  }
}

/** How an exchange ended. `error`: undefined after a success. `pause`: the milliseconds of the pause that the end brought about. */
interface Ended {
  readonly result: Attempt;
  readonly error: unknown;
  readonly pause: number;
}

/** A limiter gives the turns of requests with `patience: 'none'`, and notes their ends. */
async function inLine(options: Opened, request: ApiRequest, fresh: boolean, signal: AbortSignal, state: State): Promise<Ended> {
  const { line, clock } = options;
  const attempt = async (): Promise<Omit<Ended, 'pause'>> => {
    state.until = undefined;
    const written = isWrite(request) ? options.sent : undefined;
    if (written !== undefined && !signal.aborted) written.writes += 1;
    const result = await attemptExchange(options, request, { ...wireRequest(options, request), fresh }, signal);
    if (written !== undefined && isUnprocessed(result)) written.writes -= 1;
    return { result, error: errorOf(options, request, result) };
  };
  if (request.patience === 'none') return { ...(await attempt()), pause: 0 };
  const kind = kindOf(request);
  const { backoff } = line;
  state.until = clock.steady();
  if (request.patience !== 'many' && backoff.waitOf(kind) > waits.one) throw pausedTooLong(request, backoff.waitOf(kind));
  await line.take(signal);
  try {
    await line.follow(kind, false, signal);
    const left = backoff.leaves();
    const ended = await attempt();
    return { ...ended, pause: backoff.ended(kind, left, ended.error, request.patience === 'many') };
  } finally {
    line.leave();
  }
}

function pausedTooLong({ method, path }: ApiRequest, pause: number): RateLimitedError {
  const message = 'The service asked for a pause, so nothing was sent.';
  return comeAgain(new RateLimitedError(message, { request: { method, path } }), pause);
}

/** After a 429 the service certainly did nothing. */
const isUnprocessed = (result: Attempt): boolean => ('response' in result ? result.response.status === 429 : neverReached(result.failure));

/** The first attempt may have taken effect. */
function afterLoss(request: ApiRequest, error: unknown): unknown {
  const { hint } = checkHint(request);
  if (error instanceof InterruptedError)
    return InterruptedError.by(error, { ...checkHint(request), note: outcomeUnknown(request), isUnknown: true });
  return withHints(error, [outcomeUnknown(request), hint]);
}

/** `crm.example.com answered 429, Retry-After 30: trying again in 30 s (1 of 3).` */
function waitText(
  options: Opened,
  { patience }: ApiRequest,
  result: Attempt,
  { pause, attempt }: { readonly pause: number; readonly attempt: number },
): string {
  const after = 'response' in result ? header(result.response, 'retry-after') : undefined;
  const asked = after === undefined ? '' : `, Retry-After ${after}`;
  const most = 'failure' in result ? `${spanText(waits.unreached)} for a connection` : `${spanText(waits.many)} in all`;
  const times = patience === 'many' ? `. crm waits up to ${most}.` : ` (${attempt} of ${options.retries}).`;
  return `${serviceName(options)}${whatHappened(result)}${asked}: trying again in ${spanText(pause)}${times}`;
}

type Attempt = { readonly response: WireResponse } | { readonly failure: unknown };

const whatHappened = (result: Attempt): string =>
  'response' in result ? ` answered ${result.response.status}` : `: ${errorCode(result.failure) ?? 'no answer'}`;

/** True when a list that is read whole waits for a service that can't be connected to. */
const awaits = ({ retries, line: { backoff } }: Opened, request: ApiRequest, result: Attempt): boolean =>
  request.patience === 'many' &&
  'failure' in result &&
  isUnreached(result.failure) &&
  backoff.awaits(retries) &&
  !backoff.isOver(kindOf(request), retries);

function shouldRetry(options: Opened, request: ApiRequest, result: Attempt, error: unknown, attempt: number): boolean {
  const { retries, line } = options;
  const { patience } = request;
  if (patience === 'none' || retries === 0) return false;
  if (error instanceof RateLimitedError) {
    if (patience === 'many') return !line.backoff.isOver(kindOf(request), retries);
    return attempt <= retries && (error.details.retryIn ?? 0) * 1000 <= waits.one;
  }
  if (attempt > retries) return false;
  return 'response' in result ? retriesStatus(request, result.response.status) : retriesFailure(request, result.failure);
}

function errorOf({ destination, clock, timeout, line }: Opened, request: ApiRequest, result: Attempt): unknown {
  if ('response' in result) {
    const { status } = result.response;
    return status < 200 || status > 299 ? problemOf(request, result.response, destination, clock.now()) : undefined;
  }
  const { failure } = result;
  if (failure instanceof UnusableAnswer) return unreadableAnswer(request, failure.status, failure.message, failure);
  return failureOf(request, failure, destination, { timeout, knows: line.backoff.hasAnswered });
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
    if (!deadline?.aborted) return { failure: error };
    // Nothing was sent while connecting, so a NotSent stays a NotSent.
    return { failure: error instanceof NotSent ? new NotSent(deadline.reason) : deadline.reason };
  }
}

/** The key is never sent to another origin. */
async function exchangeFollowing(options: ApiOptions, wire: WireRequest, signal: AbortSignal): Promise<WireResponse> {
  let request = wire;
  for (let hop = 0; ; hop += 1) {
    const response = await tracedExchange(options, request, signal);
    const { baseUrl } = options.destination;
    const to = hop < mostRedirects && request.method === 'GET' ? redirectUrl(baseUrl, request.target, response) : undefined;
    if (to === undefined || to.origin !== new URL(baseUrl).origin) return response;
    request = { ...request, target: `${to.pathname}${to.search}` };
  }
}

async function tracedExchange(options: ApiOptions, request: WireRequest, signal: AbortSignal): Promise<WireResponse> {
  const { clock } = options;
  const start = clock.steady();
  const traced = (end: string): string => `${request.method} ${request.target} ${end} in ${Math.round(clock.steady() - start)} ms`;
  try {
    const response = await options.transport.exchange(request, signal);
    options.trace(
      () => traced(String(response.status)),
      () => headerLines(request, response),
    );
    return response;
  } catch (error) {
    options.trace(() => traced('failed'));
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
  const headers: Record<string, string> = { accept: 'application/json' };
  if (options.transport.codings !== undefined) headers['accept-encoding'] = options.transport.codings;
  headers['user-agent'] = options.userAgent;
  // interface: Authentication, 1
  if (options.key !== undefined) headers.authorization = `Bearer ${options.key}`;
  if (body !== undefined) headers['content-type'] = body.type;
  return {
    method: request.method,
    target: encodeTarget(options.basePath, request),
    headers,
    ...(body === undefined ? {} : { body: body.text }),
  };
}

function basePath(baseUrl: string): string {
  const path = isSandbox(baseUrl) ? '' : new URL(baseUrl).pathname;
  return path === '/' ? '' : path;
}

function unsentRequest(options: Opened, request: ApiRequest): UnsentRequest {
  const { baseUrl } = options.destination;
  const url = `${originOf(baseUrl)}${encodeTarget(options.basePath, request)}`;
  const document = request.json === undefined ? Object.fromEntries(request.body ?? []) : parseJson(request.json);
  return { method: request.method, url, fields: isMembers(document) || Array.isArray(document) ? document : {} };
}

/** A write that may have arrived has an unknown outcome. */
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
