// Decides which requests are sent again, and after which delay. Sends nothing.

import { CrmError } from '../base/errors.ts';
import { AnswerTooLarge, NotSent } from './transport/wire.ts';
import type { ApiRequest } from './types.ts';

const passingStatuses = new Set([408, 429, 500, 502, 503, 504]);

/** Error codes of failures before a connection: the service can't have seen the request. */
const unreachedCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_PRX_CONN',
  'UND_ERR_PRX_TLS',
]);

/** Error codes of failures that would happen again. `isLasting` adds bad certificates, broken HTTP and too large answers. */
const lastingCode = /^(ERR_SSL_\w+|EPROTO|UND_ERR_(HEADERS_OVERFLOW|INVALID_ARG|PRX_TLS))$/;

const httpDate = /^\s*(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/;

const firstDelay = 250;
const longestDelay = 10_000;
/** The longest delay taken from Retry-After, in milliseconds. */
export const longestRetryAfter = 60_000;

/** The code of an error, or of its cause. */
export function errorCode(error: unknown): string | undefined {
  for (const one of causes(error)) if ('code' in one && typeof one.code === 'string') return one.code;
  return undefined;
}

/** True for a time-out of the exchange. */
export const isTimeout = (error: unknown): boolean => causes(error).some(({ name }) => name === 'TimeoutError');

/** True for a refused certificate. */
export const isUntrusted = (error: unknown): boolean =>
  /SELF_SIGNED_CERT|^CERT_|^UNABLE_TO_|^ERR_TLS_CERT_|^HOSTNAME_MISMATCH$|^INVALID_CA$/.test(errorCode(error) ?? '');

/** True for an answer that is not valid HTTP. */
export const isGarbled = (error: unknown): boolean =>
  causes(error).some(({ name }) => name === 'HTTPParserError') || (errorCode(error) ?? '').startsWith('HPE_');

/** The proxy's status when it refused to connect to the service. */
export function proxyRefusal(error: unknown): string | undefined {
  const [first] = causes(error).filter(({ message }) => /^Proxy (response|Authentication)/.test(message));
  return first === undefined ? undefined : /\((\d{3})\)/.exec(first.message)?.[1];
}

/** True when the service certainly did not see the request. */
export const neverReached = (error: unknown): boolean =>
  error instanceof NotSent || isUntrusted(error) || unreachedCodes.has(errorCode(error) ?? '') || proxyRefusal(error) !== undefined;

function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause) chain.push(one);
  return chain;
}

const isRead = (request: ApiRequest): boolean => request.method === 'GET';

/** True for a read, and for a PUT that sets a whole value: a repetition does no harm. */
const isRepeatable = (request: ApiRequest): boolean => isRead(request) || (request.method === 'PUT' && request.repeatable === true);

/** True when the request may be sent again after this status. After a 429 nothing was processed. */
export function retriesStatus(request: ApiRequest, status: number): boolean {
  if (status === 429) return true;
  return passingStatuses.has(status) && isRepeatable(request);
}

/** True when the request may be sent again after this network failure. Never after a time-out: the user's limit is reached. */
export function retriesFailure(request: ApiRequest, error: unknown): boolean {
  if (isTimeout(error) || isLasting(error)) return false;
  return neverReached(error) || isRepeatable(request);
}

const isLasting = (error: unknown): boolean =>
  error instanceof CrmError ||
  isGarbled(error) ||
  isUntrusted(error) ||
  error instanceof AnswerTooLarge ||
  lastingCode.test(errorCode(error) ?? '');

/**
 * Milliseconds before repetition `attempt` (from 1): the service's Retry-After, capped; else exponential backoff with full jitter.
 * `random`: in [0, 1).
 */
export function retryDelay(attempt: number, retryAfter: string | undefined, now: Date, random: number): number {
  const asked = retryAfterMilliseconds(retryAfter, now);
  if (asked !== undefined) return Math.min(asked, longestRetryAfter);
  return Math.round(random * Math.min(longestDelay, firstDelay * 2 ** (attempt - 1)));
}

/** Retry-After (seconds or an HTTP date) in milliseconds from now. Undefined when absent or unreadable. */
export function retryAfterMilliseconds(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Math.ceil(Number(value) * 1000);
  // Date.parse accepts almost any text with a number.
  const date = httpDate.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
