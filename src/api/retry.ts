// Which requests are tried again, and after how long. Nothing here sends anything.

import { AnswerTooLarge, NotSent } from './transport/wire.ts';
import type { ApiRequest } from './types.ts';

const passingStatuses = new Set([408, 429, 500, 502, 503, 504]);

/** Failures before there was a connection to the service or its proxy: the service can't have seen the request. */
const unreachedCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_PRX_CONN',
  'UND_ERR_PRX_TLS',
]);

/** Failures that another try would only repeat, besides bad certificates and answers that are not HTTP. */
const lastingCode = /^(ERR_SSL_\w+|EPROTO|UND_ERR_(HEADERS_OVERFLOW|INVALID_ARG|PRX_TLS))$/;

const httpDate = /^\s*(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/;

const firstDelay = 250;
const longestDelay = 10_000;
/** A longer Retry-After is cut to this many milliseconds. */
export const longestRetryAfter = 60_000;

/** The error's code, or that of what caused it. */
export function errorCode(error: unknown): string | undefined {
  for (const one of causes(error)) if ('code' in one && typeof one.code === 'string') return one.code;
  return undefined;
}

/** Whether the time for one exchange was up. */
export const isTimeout = (error: unknown): boolean => causes(error).some(({ name }) => name === 'TimeoutError');

/** Whether the certificate was refused: the server can't prove that it is the service. */
export const isUntrusted = (error: unknown): boolean =>
  /SELF_SIGNED_CERT|^CERT_|^UNABLE_TO_|^ERR_TLS_CERT_|^HOSTNAME_MISMATCH$|^INVALID_CA$/.test(errorCode(error) ?? '');

/** Whether what came is not HTTP, or HTTP that breaks its rules. */
export const isGarbled = (error: unknown): boolean =>
  causes(error).some(({ name }) => name === 'HTTPParserError') || (errorCode(error) ?? '').startsWith('HPE_');

/** The status with which a proxy refused to connect to the service. */
export function proxyRefusal(error: unknown): string | undefined {
  const [first] = causes(error).filter(({ message }) => /^Proxy (response|Authentication)/.test(message));
  return first === undefined ? undefined : /\((\d{3})\)/.exec(first.message)?.[1];
}

/** Whether it is certain that the service did not see the request. */
export const neverReached = (error: unknown): boolean =>
  error instanceof NotSent || isUntrusted(error) || unreachedCodes.has(errorCode(error) ?? '') || proxyRefusal(error) !== undefined;

function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause) chain.push(one);
  return chain;
}

const isRead = (request: ApiRequest): boolean => request.method === 'GET';

/** A read, or a PUT that sets a whole value, may be sent again whatever became of the first try. */
export const isRepeatable = (request: ApiRequest): boolean => isRead(request) || (request.method === 'PUT' && request.repeatable === true);

/** May the request be sent again after this status? A 429 says that nothing was processed. */
export function retriesStatus(request: ApiRequest, status: number): boolean {
  if (status === 429) return true;
  return passingStatuses.has(status) && isRepeatable(request);
}

/** May the request be sent again after this network failure? Never after a time-out: the user's time is up. */
export function retriesFailure(request: ApiRequest, error: unknown): boolean {
  if (isTimeout(error) || isLasting(error)) return false;
  return neverReached(error) || isRepeatable(request);
}

const isLasting = (error: unknown): boolean =>
  isGarbled(error) || isUntrusted(error) || error instanceof AnswerTooLarge || lastingCode.test(errorCode(error) ?? '');

/**
 * Milliseconds to wait before try number `attempt` (1 is the first repetition): the service's Retry-After
 * (seconds or an HTTP date, capped), else exponential backoff with full jitter. `random` is in [0, 1).
 */
export function retryDelay(attempt: number, retryAfter: string | undefined, now: Date, random: number): number {
  const asked = retryAfterMilliseconds(retryAfter, now);
  if (asked !== undefined) return Math.min(asked, longestRetryAfter);
  return Math.round(random * Math.min(longestDelay, firstDelay * 2 ** (attempt - 1)));
}

/** Retry-After in milliseconds from now, or undefined when absent or unreadable. */
export function retryAfterMilliseconds(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Math.ceil(Number(value) * 1000);
  // Date.parse makes a date of almost anything with a number in it.
  const date = httpDate.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
