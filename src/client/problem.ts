// The errors for answers outside 2xx and for failed exchanges: what happened, and what to do next.

import {
  type CodeOf,
  ConflictError,
  type CrmError,
  type FieldProblem,
  NotFoundError,
  type ProblemDetails,
  RateLimitedError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
  UnconfirmedError,
} from '../base/errors.ts';
import { spanText } from '../base/limits.ts';
import { parseJson, scalarText } from '../base/values/json.ts';
import { isMembers } from '../base/values/paths.ts';
import { withoutEntities } from '../base/values/text/same-text.ts';
import { asSentence, capitalised } from '../base/values/text/wording.ts';
import { type KeptValue, notTakenText } from '../model/taken.ts';
import {
  errorCode,
  isGarbled,
  isMaybeTls,
  isNoTls,
  isOfProxy,
  isTimeout,
  isUnaskedContinue,
  isUntrusted,
  neverReached,
  proxyRefusal,
  secondsAsked,
} from './retry.ts';
import { encodedPassword, header, type ProxyFacts, type WireResponse } from './transport/wire.ts';
import type { ApiRequest } from './types.ts';

/** The destination of a request and the source of its key, for messages. */
export interface Destination {
  /** The base URL. */
  readonly baseUrl: string;
  /** The source of the key: `CRM_API_KEY`, `profile "acme"`. */
  readonly keySource: string;
  /** The command that saves a new key. Undefined when the key is not saved. */
  readonly newKey?: string | undefined;
  /** The source of the base URL: `CRM_BASE_URL`, `profile "acme"`. */
  readonly baseUrlSource?: string | undefined;
  readonly via?: ProxyFacts;
  /** The setting that gives a request more time. Default: the flag. */
  readonly timeoutSetting?: string;
  /** The hint for a service that has moved. Default: change the profile. */
  readonly movedHint?: string;
}

/** Throws UnconfirmedError for a read-only service. `by`: what makes it so, as `ApiOptions.readOnlyBy` says; undefined throws nothing. */
export function refuseReadOnly(by: string | undefined, hint?: string): void {
  if (by === undefined) return;
  throw new UnconfirmedError(`${by}: nothing was changed.`, { code: 'read_only', ...(hint === undefined ? {} : { hint }) });
}

export const isWrite = (request: ApiRequest): boolean => request.method !== 'GET';

/** The error for an answer outside 2xx. `now`: the time of the answer by this machine. */
export function problemOf(request: ApiRequest, response: WireResponse, destination: Destination, now: Date): CrmError {
  const { status } = response;
  const { message, fields, isPage = false } = readProblem(response);
  const retryAfter = header(response, 'retry-after');
  const retryIn = secondsAsked(response, now);
  const details: ProblemDetails = {
    httpStatus: status,
    fields,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(retryIn === undefined ? {} : { retryIn }),
    request: { method: request.method, path: request.path },
  };
  if ((status === 401 || status === 403) && isHtml(response)) {
    const title = message === undefined ? '' : ` ("${message.replace(/\.$/, '')}")`;
    return new UnauthorizedError(
      `The answer was an HTML page${title} instead of JSON (${status}): a firewall or proxy stands before the service.`,
      { ...details, hint: `The request was sent to ${destination.baseUrl}. Whoever runs that firewall or proxy can let it pass.` },
    );
  }
  if (status === 401 || status === 403) {
    const { keySource, newKey, baseUrl } = destination;
    const renew = status === 401 && newKey !== undefined ? `\nIf there is a new key, save it: ${newKey}` : '';
    return new UnauthorizedError(message ?? `The service refused the key (${status}).`, {
      ...details,
      code: 'key_refused',
      hint: `The key came from ${keySource}; it was sent to ${baseUrl}.${renew}`,
    });
  }
  if (status === 404) return new NotFoundError(notFound(request.path, message), details);
  if (status === 409) {
    return new ConflictError(message ?? 'The record is not in a state that allows this (409).', { ...details, code: request.conflict });
  }
  if (status === 429) return new RateLimitedError(message ?? 'Too many requests (429).', details);
  // After a 408, as after our own time-out, the write may have taken effect.
  if (status >= 500 || status === 408) return serverFailure(request, status, message, details);
  if (redirectStatuses.has(status)) return redirected(request, response, destination, details);
  if (status >= 400) {
    const code = fields.some(isTakenEmail) ? 'email_taken' : undefined;
    const refused = isPage ? pageSentence(status, message) : (message ?? `The service refused the request (${status}).`);
    return new RefusedError(refused, { ...details, code });
  }
  return unknownStatus(request, `The service answered with status ${String(status).padStart(3, '0')}, which means nothing here.`, details);
}

/** A page comes from a program in front of the service. */
const pageSentence = (status: number, title: string | undefined): string =>
  `The request was refused (${status}) with a page in place of JSON, perhaps by a proxy${title === undefined ? '.' : `: ${title}`}`;

/** vendor facts: 422 text. */
const isTakenEmail = ({ name, messages }: FieldProblem): boolean =>
  /(^|_)email$/.test(name) && messages.some((message) => /has already been taken/i.test(message));

/** The id is added to a bare `Lead not found.` */
function notFound(path: string, message: string | undefined): string {
  if (message === undefined || /^not found\.?$/i.test(message)) return `There is nothing at ${path} (404).`;
  const noun = /^(.+) not found\.?$/i.exec(message)?.[1] ?? '';
  const id = idBehindNoun(noun, path);
  return id === undefined ? message : `${noun} ${id} not found.`;
}

/** 12 for `lead` in `/api/leads/12/comments`. */
function idBehindNoun(noun: string, path: string): string | undefined {
  const segments = path.split(/[/?]/);
  const words = noun.toLowerCase().split(' ');
  for (const word of words.filter(({ length }) => length > 2).reverse()) {
    const at = segments.findIndex((segment) => segment.startsWith(word.replace(/y$/, '')));
    const id = segments[at + 1] ?? '';
    if (at >= 0 && /^\d+$/.test(id)) return id;
  }
  return undefined;
}

/**
 * The error for a request without a complete answer. A transport's own UnavailableError says all. `knows`: the service answered this process
 * before.
 */
export function failureOf(
  request: ApiRequest,
  error: unknown,
  destination: Destination,
  { timeout, knows }: { readonly timeout: number; readonly knows: boolean },
): UnavailableError {
  if (error instanceof UnavailableError) return error;
  const details: ProblemDetails = { request: { method: request.method, path: request.path }, cause: error };
  const reason = failureReason(error, destination, timeout, knows);
  const code = failureCode(error);
  if (!isWrite(request)) return new UnavailableError(reason, { ...details, code, ...reachHint(error, destination) });
  if (neverReached(error))
    return new UnavailableError(`${reason} Nothing was sent.`, { ...details, reason, code, ...reachHint(error, destination) });
  const unknown = { code: 'outcome_unknown' as const, ...checkHint(request) };
  return new UnavailableError(`${reason} ${outcomeUnknown(request)}`, { ...details, reason, ...unknown });
}

function failureCode(error: unknown): CodeOf<'unavailable'> {
  if (isTimeout(error)) return 'timed_out';
  return neverReached(error) ? 'unreachable' : 'unavailable';
}

/** The hint when another program may answer at the base URL. */
export const otherServiceHint = 'Does the base URL belong to the service itself?';

/** The error for a 2xx answer that can't be read. */
export function unreadableAnswer(request: ApiRequest, status: number, why: string, cause?: unknown): UnavailableError {
  const details: ProblemDetails = { httpStatus: status, request: { method: request.method, path: request.path }, cause };
  const sentence = `The service answered ${status}, but ${why}.`;
  if (!isWrite(request)) {
    return new UnavailableError(sentence, { ...details, hint: otherServiceHint });
  }
  const unknown = { code: 'outcome_unknown' as const, ...checkHint(request) };
  return new UnavailableError(`${sentence} ${outcomeUnknown(request)}`, { ...details, reason: sentence, ...unknown });
}

/** The error for a write that was answered with success, and whose values the service kept as they were. */
export const notTaken = (request: Pick<ApiRequest, 'method' | 'path'>, status: number, kept: readonly KeptValue[]): UnavailableError =>
  new UnavailableError(notTakenText(status, kept), {
    code: 'not_taken',
    httpStatus: status,
    request: { method: request.method, path: request.path },
    hint: `Leave ${kept.map(({ name }) => name).join(', ')} out, or give the service's own form.`,
  });

/** The sentence for a write with an unknown outcome. */
export const outcomeUnknown = (request: ApiRequest): string =>
  `The outcome of ${request.method} ${request.path} is unknown: it may or may not have taken effect.`;

/** The hint beside `outcomeUnknown`: the command that shows whether the write took effect. */
export const checkHint = (request: ApiRequest): { hint?: string } =>
  request.check === undefined ? {} : { hint: `Before you repeat the request, see whether it took effect: ${request.check}` };

/** The request with its check as a complete command line, which begins with `command`. */
export const withCommand = (command: string, request: ApiRequest): ApiRequest =>
  request.check === undefined ? request : { ...request, check: `${command} ${request.check}` };

function serverFailure(request: ApiRequest, status: number, message: string | undefined, details: ProblemDetails): UnavailableError {
  const sentence = `The service failed (${status})${message === undefined ? '.' : `: ${message}`}`;
  if (!isWrite(request)) return new UnavailableError(sentence, details);
  return new UnavailableError(`${asSentence(sentence)} ${outcomeUnknown(request)}`, {
    ...details,
    reason: asSentence(sentence),
    code: 'outcome_unknown',
    ...checkHint(request),
  });
}

/** Seconds. */
const year = 366 * 86_400;

/** The error, with the sentence that says when to come again. `pause`: milliseconds of crm's own pause. */
export function comeAgain(error: RateLimitedError, pause: number): RateLimitedError {
  const { details } = error;
  details.retryIn = Math.max(details.retryIn ?? 0, Math.ceil(pause / 1000));
  const asked = details.retryAfter === undefined ? '' : ` The service asks to wait: Retry-After ${details.retryAfter}.`;
  const again =
    details.retryIn > year
      ? 'That is a wait of years, which the service can hardly mean.'
      : `Try again in ${spanText(details.retryIn * 1000)}.`;
  details.hint = `${again}${asked}`;
  return error;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** The URL that an answer redirects to. Undefined for an answer that is no redirect. */
export function redirectUrl(baseUrl: string, target: string, response: WireResponse): URL | undefined {
  const location = header(response, 'location');
  if (location === undefined || !redirectStatuses.has(response.status)) return undefined;
  const { origin } = new URL(baseUrl);
  return URL.parse(location, origin + target) ?? undefined;
}

function unknownStatus(request: ApiRequest, sentence: string, details: ProblemDetails): UnavailableError {
  if (!isWrite(request)) return new UnavailableError(sentence, { ...details, hint: otherServiceHint });
  return new UnavailableError(`${sentence} ${outcomeUnknown(request)}`, { ...details, code: 'outcome_unknown', ...checkHint(request) });
}

function redirected(request: ApiRequest, response: WireResponse, destination: Destination, details: ProblemDetails): UnavailableError {
  const to = redirectUrl(destination.baseUrl, request.path, response);
  if (to === undefined) return unknownStatus(request, `The service redirects (${response.status}) without saying where to.`, details);
  const where = `The service redirects (${response.status}) to ${shownUrl(to)}`;
  const isElsewhere = to.origin !== new URL(destination.baseUrl).origin;
  const { movedHint = 'If the service has moved there, make a profile with the new base URL.' } = destination;
  const elsewhere = isElsewhere ? { hint: movedHint } : {};
  if (!isWrite(request)) {
    const why = isElsewhere ? 'crm does not follow, because a key belongs to one origin' : 'crm gave up after too many redirects';
    return new UnavailableError(`${where}; ${why}.`, { ...details, ...elsewhere });
  }
  const right = isElsewhere ? undefined : rightBaseUrl(request, to);
  const { baseUrlSource, keySource } = destination;
  const within = right === undefined ? undefined : `The base URL would be ${right}. Today's came from ${baseUrlSource ?? keySource}.`;
  const hint = [checkHint(request).hint, elsewhere.hint ?? within].filter(Boolean).join('\n');
  return new UnavailableError(`${where}; a ${request.method} is not sent on. ${outcomeUnknown(request)}`, {
    ...details,
    reason: `${where}.`,
    code: 'outcome_unknown',
    ...(hint === '' ? {} : { hint }),
  });
}

/** Undefined when the target ends in another path than the request. */
function rightBaseUrl({ path }: ApiRequest, to: URL): string | undefined {
  const shown = shownUrl(to);
  const asked = path.split('?', 1)[0] ?? '';
  return /^https?:/.test(shown) && shown.endsWith(asked) ? shown.slice(0, -asked.length) : undefined;
}

/** Query and user may hold secrets. Decoded, so that a secret in the path is found and masked. */
function shownUrl({ origin, protocol, host, pathname }: URL): string {
  const root = origin === 'null' ? `${protocol}//${host}` : origin;
  try {
    return root + decodeURIComponent(pathname);
  } catch {
    return root;
  }
}

function failureReason(error: unknown, destination: Destination, timeout: number, knows: boolean): string {
  const code = errorCode(error);
  const { baseUrl } = destination;
  const host = (URL.canParse(baseUrl) && new URL(baseUrl).host) || 'the embedded CRM';
  const peer = destination.via?.name ?? host;
  const atTls = isOfProxy(error) ? peer : host;
  if (isTimeout(error))
    return `No complete answer from ${host}${destination.via === undefined ? '' : ` over ${destination.via.name}`} within ${timeout / 1000} s.`;
  const refusal = proxyRefusal(error);
  if (refusal === '407') {
    const wants = destination.via?.hasUser ? 'refused the user name and password' : 'asks for a user name and a password';
    return capitalised(`${peer} ${wants} (407).`);
  }
  if (refusal !== undefined) return capitalised(`${peer} did not connect to ${host} (${refusal}).`);
  if (isUntrusted(error)) return `The certificate of ${atTls} can't be trusted${detail(error).replace(/; if the root CA .*/, '')}.`;
  if (isNoTls(error)) return capitalised(`${atTls} can't be talked to over https (${code}): does it speak plain http?`);
  if (isUnaskedContinue(error)) return `${host} sent "100 Continue", which crm did not ask for: an old server or a proxy stands there.`;
  const isPlain = baseUrl.startsWith('http:') && destination.via === undefined;
  if (isPlain && isMaybeTls(error))
    return `The connection to ${peer} broke before the answer began${knows ? '.' : ': does it speak https?'}`;
  if (isGarbled(error)) return `${host} does not speak HTTP as crm knows it${code === 'ERR_ASSERTION' ? '' : detail(error)}.`;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return `The answer of ${host} has too large a header.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The host name of ${peer} can't be resolved.`;
  if (code === 'ECONNREFUSED') return `Nothing listens at ${peer}: connection refused.`;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return `No connection to ${peer} in time.`;
  if (brokenCodes.has(code ?? '')) return `The connection to ${peer} broke before the answer was complete.`;
  return `No usable answer from ${host}${code === undefined ? '' : ` (${code})`}${detail(error)}.`;
}

const brokenCodes = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_PRX_CONN',
]);

function detail(error: unknown): string {
  const text = error instanceof Error ? error.message.split('\n')[0]?.replace(/\.$/, '') : undefined;
  return text ? `: ${text}` : '';
}

function reachHint(error: unknown, { baseUrlSource, via, timeoutSetting = '--timeout SECONDS' }: Destination): { hint?: string } {
  const code = errorCode(error);
  const source = baseUrlSource === undefined ? '' : ` The base URL came from ${baseUrlSource}.`;
  const isUnreached = code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ECONNREFUSED';
  if (via !== undefined && isUnreached) return { hint: 'Is the proxy right? NO_PROXY names the hosts that are reached without a proxy.' };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { hint: `Is the name of the host right?${source}` };
  if (code === 'ECONNREFUSED') return { hint: `Is the service running, and is the port right?${source}` };
  if (isTimeout(error)) return { hint: `Allow more time with ${timeoutSetting}.` };
  if (isUntrusted(error)) return { hint: certificateHint(code, isOfProxy(error) ? ` The proxy came from ${via?.variable}.` : source) };
  if (proxyRefusal(error) === '407' && via !== undefined) return { hint: passwordHint(via) };
  return {};
}

/** An authority of one's own helps only where the authority is what is missing. */
function certificateHint(code = '', source: string): string {
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return 'Is the clock of this machine right? If it is, whoever runs that host has to renew the certificate.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') return `Is the name of the host right?${source}`;
  if (!/SELF_SIGNED|^UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/.test(code)) return 'Whoever runs that host has to mend the certificate.';
  return [
    'If its authority is your own, set NODE_USE_SYSTEM_CA=1 for the authorities that this system trusts,',
    'or name the file of the authority in NODE_EXTRA_CA_CERTS; crm ignores NODE_TLS_REJECT_UNAUTHORIZED.',
  ].join(' ');
}

const passwordHint = ({ variable, hasUser }: ProxyFacts): string =>
  hasUser ? `Put the right ones into ${variable}. ${encodedPassword}` : `Put them into ${variable}: http://user:password@host:port`;

/** `isPage`: the answer is no JSON, but HTML. */
function readProblem(response: WireResponse): { message: string | undefined; fields: FieldProblem[]; isPage?: boolean } {
  const text = problemText(response.body);
  const document = jsonOrUndefined(text);
  if (Array.isArray(document)) return listedProblem(document);
  if (!isMembers(document)) return { message: htmlTitle(text), fields: [], isPage: /^\s*</.test(text) };
  const message = typeof document.message === 'string' && document.message !== '' ? document.message : undefined;
  if (Array.isArray(document.errors)) return listedProblem(document.errors, message);
  const errors = isMembers(document.errors) ? Object.entries(document.errors) : [];
  return { message, fields: errors.map(([name, messages]) => ({ name, messages: [messages].flat().map(scalarText) })) };
}

/** A problem as some services list it: `[{"field": "email", "message": "It is taken."}]`. Elements without a field join the message. */
function listedProblem(errors: readonly unknown[], message?: string): { message: string | undefined; fields: FieldProblem[] } {
  const fields = new Map<string, string[]>();
  const others = message === undefined ? [] : [message];
  for (const one of errors) {
    const said = scalarText(isMembers(one) ? one.message : one);
    const name = isMembers(one) ? scalarText(one.field ?? one.name) : '';
    if (said === '') continue;
    if (name === '') others.push(asSentence(said));
    else fields.set(name, [...(fields.get(name) ?? []), said]);
  }
  const sentence = others.length === 0 ? undefined : others.join(' ');
  return { message: sentence, fields: [...fields].map(([name, messages]) => ({ name, messages })) };
}

const isHtml = ({ body }: WireResponse): boolean => /^\s*</.test(Buffer.from(body.subarray(0, 1024)).toString('latin1'));

/** Bytes that are not UTF-8 are read as Latin-1, so that a key in them is found and masked. */
function problemText(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return Buffer.from(body).toString('latin1');
  }
}

function jsonOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function htmlTitle(text: string): string | undefined {
  const title = /<(title|h1)[^>]*>([^<]{1,200})</i.exec(text.slice(0, 20_000))?.[2]?.trim();
  return title ? `${withoutEntities(title).replace(/\s+/g, ' ').replace(/\.$/, '')}.` : undefined;
}
