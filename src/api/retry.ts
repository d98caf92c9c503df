// Which requests are tried again, and after how long. Nothing here sends anything.

import type { ApiRequest } from './types.ts';

const passingStatuses = new Set([408, 429, 500, 502, 503, 504]);

/** Failures before a connection stood: the service can't have seen the request. */
const unreachedCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const firstDelay = 250;
const longestDelay = 10_000;
/** A longer Retry-After is cut to this many milliseconds. */
export const longestRetryAfter = 60_000;

/** The error's code, or that of what caused it. */
export function errorCode(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && typeof one.code === 'string') return one.code;
  }
  return undefined;
}

export const neverReached = (error: unknown): boolean => unreachedCodes.has(errorCode(error) ?? '');

const isRead = (request: ApiRequest): boolean => request.method === 'GET' || request.method === 'HEAD';

/** A read, or a PUT that sets a whole value, may be sent again whatever became of the first try. */
const isRepeatable = (request: ApiRequest): boolean => isRead(request) || (request.method === 'PUT' && request.repeatable === true);

/** May the request be sent again after this status? A 429 says that nothing was processed. */
export function retriesStatus(request: ApiRequest, status: number): boolean {
  if (status === 429) return true;
  return passingStatuses.has(status) && isRepeatable(request);
}

/** May the request be sent again after this network failure? */
export function retriesFailure(request: ApiRequest, error: unknown): boolean {
  const code = errorCode(error);
  if (code?.startsWith('CERT_') || code?.startsWith('ERR_TLS') || code?.startsWith('ERR_SSL')) return false;
  return neverReached(error) || isRepeatable(request);
}

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
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
