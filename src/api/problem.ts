// Answers and failures that are not a success, as errors that say what happened and what to do next.

import {
  ConflictError,
  type CrmError,
  type FieldProblem,
  NotFoundError,
  type ProblemDetails,
  RateLimitedError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
} from '../errors.ts';
import { parseJson, scalarText } from '../json.ts';
import { isMembers } from '../paths.ts';
import { errorCode, neverReached } from './retry.ts';
import type { ApiRequest } from './types.ts';
import { header, type WireResponse } from './wire.ts';

/** Where a request went and with whose key, for the sentences. */
export interface Target {
  /** The base URL. */
  readonly baseUrl: string;
  /** Where the key came from: `CRM_API_KEY`, `profile "acme"`. */
  readonly keySource: string;
}

const isWrite = (request: ApiRequest): boolean => request.method !== 'GET' && request.method !== 'HEAD' && request.method !== 'OPTIONS';

/** The error for an answer outside 2xx. */
export function problemOf(request: ApiRequest, response: WireResponse, target: Target): CrmError {
  const { status } = response;
  const { message, fields } = readProblem(response);
  const details: ProblemDetails = { httpStatus: status, fields, request: { method: request.method, path: request.path } };
  if (status === 401 || status === 403) {
    return new UnauthorizedError(message ?? `The service refused the key (${status}).`, {
      ...details,
      hint: `The key came from ${target.keySource}; it was sent to ${target.baseUrl}.`,
    });
  }
  if (status === 404) return new NotFoundError(message ?? `There is nothing at ${request.path} (404).`, details);
  if (status === 409) return new ConflictError(message ?? 'The record is not in a state that allows this (409).', details);
  if (status === 429) return rateLimited(message, response, details);
  if (status >= 500) return serverFailure(request, status, message, details);
  if (status >= 300 && status < 400) return redirected(request, response, details);
  if (status >= 400) return new RefusedError(message ?? `The service refused the request (${status}).`, details);
  return new UnavailableError(`The service answered with status ${status}, which crm does not know.`, details);
}

/** The error for a request that got no answer, or no whole one. */
export function failureOf(request: ApiRequest, error: unknown, target: Target, timeout: number): UnavailableError {
  const details: ProblemDetails = { request: { method: request.method, path: request.path }, cause: error };
  const reason = failureReason(error, target, timeout);
  if (!isWrite(request) || neverReached(error)) return new UnavailableError(reason, { ...details, ...reachHint(error) });
  return new UnavailableError(`${reason} ${outcomeUnknown(request)}`, { ...details, ...checkHint(request) });
}

/** The error for an answer that says success and can't be read. */
export function unreadableAnswer(request: ApiRequest, status: number, why: string, cause?: unknown): UnavailableError {
  const details: ProblemDetails = { httpStatus: status, request: { method: request.method, path: request.path }, cause };
  const sentence = `The service answered ${status}, but ${why}.`;
  if (!isWrite(request)) {
    return new UnavailableError(sentence, { ...details, hint: 'Is the base URL that of the service itself?' });
  }
  return new UnavailableError(`${sentence} ${outcomeUnknown(request)}`, { ...details, ...checkHint(request) });
}

/** The sentence for a write that may or may not have taken effect. */
export const outcomeUnknown = (request: ApiRequest): string =>
  `The outcome of ${request.method} ${request.path} is unknown: it may or may not have taken effect.`;

/** The hint that goes with it. */
export const checkHint = (request: ApiRequest): { hint?: string } =>
  request.check === undefined ? {} : { hint: `See whether it did before you repeat it: ${request.check}` };

function serverFailure(request: ApiRequest, status: number, message: string | undefined, details: ProblemDetails): UnavailableError {
  const sentence = `The service failed (${status})${message === undefined ? '.' : `: ${message}`}`;
  if (!isWrite(request)) return new UnavailableError(sentence, details);
  return new UnavailableError(`${sentence} ${outcomeUnknown(request)}`, { ...details, ...checkHint(request) });
}

function rateLimited(message: string | undefined, response: WireResponse, details: ProblemDetails): RateLimitedError {
  const after = header(response, 'retry-after');
  const hint = after === undefined ? 'Wait a moment and try again.' : `The service asks to wait: Retry-After ${after}.`;
  return new RateLimitedError(message ?? 'Too many requests (429).', { ...details, hint });
}

function redirected(request: ApiRequest, response: WireResponse, details: ProblemDetails): UnavailableError {
  const location = header(response, 'location');
  const where = location === undefined ? 'nowhere' : origin(location);
  const sentence = `The service redirects (${response.status}) to ${where}; crm does not follow, because a key belongs to one origin.`;
  const unknown = isWrite(request) ? ` ${outcomeUnknown(request)}` : '';
  return new UnavailableError(`${sentence}${unknown}`, {
    ...details,
    hint: 'If that is where the service lives now, make a profile with that base URL.',
  });
}

/** A redirect's target without query and user: those may hold secrets. */
function origin(location: string): string {
  if (!URL.canParse(location)) return location.split(/[?#]/)[0] ?? '';
  const url = new URL(location);
  return `${url.origin}${url.pathname}`;
}

function failureReason(error: unknown, target: Target, timeout: number): string {
  const code = errorCode(error);
  const host = hostOf(target.baseUrl);
  if (error instanceof Error && error.name === 'TimeoutError') return `No complete answer from ${host} within ${timeout / 1000} s.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The host name of ${host} can't be resolved.`;
  if (code === 'ECONNREFUSED') return `Nothing listens at ${host}: connection refused.`;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return `No connection to ${host} in time.`;
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return `The connection to ${host} broke before the answer was complete.`;
  return `No usable answer from ${host}${code === undefined ? '' : ` (${code})`}${detail(error)}.`;
}

const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : '') || baseUrl;

function detail(error: unknown): string {
  const text = error instanceof Error ? error.message.split('\n')[0]?.replace(/\.$/, '') : undefined;
  return text ? `: ${text}` : '';
}

function reachHint(error: unknown): { hint?: string } {
  const code = errorCode(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { hint: 'Check the base URL: crm profile show' };
  if (code === 'ECONNREFUSED') return { hint: 'Is the service running, and is the port right? crm profile show' };
  if (error instanceof Error && error.name === 'TimeoutError') return { hint: 'Give it longer with --timeout SECONDS.' };
  return {};
}

function readProblem(response: WireResponse): { message: string | undefined; fields: FieldProblem[] } {
  const text = new TextDecoder().decode(response.body);
  const document = parsed(text);
  if (!isMembers(document)) return { message: htmlTitle(text), fields: [] };
  const message = typeof document.message === 'string' && document.message !== '' ? document.message : undefined;
  return { message, fields: readFields(document.errors) };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function readFields(errors: unknown): FieldProblem[] {
  if (!isMembers(errors)) return [];
  return Object.entries(errors).map(([name, messages]) => ({
    name,
    messages: (Array.isArray(messages) ? messages : [messages]).map(scalarText),
  }));
}

/** What an HTML error page calls itself. */
function htmlTitle(text: string): string | undefined {
  const title = /<(title|h1)[^>]*>([^<]{1,200})</i.exec(text.slice(0, 20_000))?.[2]?.trim();
  return title ? `${title.replace(/\s+/g, ' ')}.` : undefined;
}
