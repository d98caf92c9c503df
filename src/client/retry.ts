// Decides which requests are sent again, and reads the wait that an answer asks for. Sends nothing.

import { CrmError } from '../base/errors.ts';
import { isMembers } from '../base/values/paths.ts';
import { header, NotSent, ProxyTlsError, UnusableAnswer, type WireResponse } from './transport/wire.ts';
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

/** Error codes of failures that would happen again. `isLasting` adds bad certificates, broken HTTP and unusable answers. */
const lastingCode = /^(ERR_SSL_\w+|EPROTO|UND_ERR_(HEADERS_OVERFLOW|INVALID_ARG|PRX_TLS))$/;

const httpDate = /^\s*(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/;

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

/** True when the other side doesn't speak TLS. */
export const isNoTls = (error: unknown): boolean => /^(ERR_SSL_\w+|EPROTO)$/.test(errorCode(error) ?? '');

/** True for an answer that is not valid HTTP. undici asserts that a status is 100 or more. */
export const isGarbled = (error: unknown): boolean =>
  causes(error).some(({ name }) => name === 'HTTPParserError') || /^(HPE_|ERR_ASSERTION$)/.test(errorCode(error) ?? '');

/** True for a `100 Continue` that nobody asked for: undici ends the connection there. */
export const isUnaskedContinue = (error: unknown): boolean => causes(error).some(({ message }) => message === 'bad response');

/**
 * True when the other side may speak TLS to plain http: it answered with a TLS alert, or ended the connection without a byte. Errors of
 * undici have the bytes as `data`, or the socket's counts.
 */
export const isMaybeTls = (error: unknown): boolean =>
  causes(error).some(
    (one) =>
      ('data' in one && typeof one.data === 'string' && one.data.startsWith('\x15\x03')) ||
      ('socket' in one && isMembers(one.socket) && one.socket.bytesRead === 0),
  );

/** The proxy's status when it refused to connect to the service. */
export function proxyRefusal(error: unknown): string | undefined {
  const [first] = causes(error).filter(({ message }) => /^Proxy (response|Authentication)/.test(message));
  return first === undefined ? undefined : /\((\d{3})\)/.exec(first.message)?.[1];
}

/** True when TLS with the proxy failed. */
export const isOfProxy = (error: unknown): boolean => causes(error).some((one) => one instanceof ProxyTlsError);

/** True when the service certainly did not see the request. */
export const neverReached = (error: unknown): boolean =>
  error instanceof NotSent ||
  isOfProxy(error) ||
  isUntrusted(error) ||
  unreachedCodes.has(errorCode(error) ?? '') ||
  proxyRefusal(error) !== undefined;

/** True when no connection was made, and a later try may make one. */
export const isUnreached = (error: unknown): boolean => neverReached(error) && !isLasting(error);

function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause) chain.push(one);
  return chain;
}

/** A repetition does no harm. */
const isRepeatable = ({ method, repeatable }: ApiRequest): boolean => method === 'GET' || (method === 'PUT' && repeatable === true);

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
  isUnaskedContinue(error) ||
  isUntrusted(error) ||
  error instanceof UnusableAnswer ||
  lastingCode.test(errorCode(error) ?? '');

/** The seconds that an answer's Retry-After asks for. A date is counted from the answer's own Date. Undefined when absent or unreadable. */
export function secondsAsked(response: WireResponse, now: Date): number | undefined {
  const value = header(response, 'retry-after');
  if (value === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value);
  const until = dateIn(value);
  const from = dateIn(header(response, 'date') ?? '') ?? now.getTime();
  return until === undefined ? undefined : Math.max(0, until - from) / 1000;
}

/** Date.parse accepts almost any text with a number. */
function dateIn(value: string): number | undefined {
  const date = httpDate.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}
