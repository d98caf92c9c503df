// Base URLs: which are valid, their normal form, their origin, and where plain http is allowed.
// No message here quotes the URL as it was typed: it may hold a password.

import { type CrmError, invalidValue, UnauthorizedError } from '../errors.ts';

/** Makes the error for a value that can't be used: a UsageError for a typed one, an UnauthorizedError for a stored one. */
export type Refuse = (message: string, hint?: string) => CrmError;

/** Whether the base URL means the embedded CRM in this process: `sandbox:`, or `sandbox:` and a file. */
export function isSandbox(baseUrl: string): boolean {
  return baseUrl.startsWith('sandbox:');
}

/** The file that the base URL of an embedded CRM names; empty where it names none. */
export const fileNamed = (sandbox: string): string => sandbox.slice('sandbox:'.length);

/**
 * The URL as a profile keeps it: checked and canonical, its path as typed.
 * `source` begins the error's sentence: `--base-url`.
 */
export function checkBaseUrl(text: string, source: string, refuse: Refuse): string {
  const typed = text.trim();
  if (isSandbox(typed)) return typed;
  const url = URL.parse(typed);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw refuse(`${source} is not a web address such as https://crm.example.com.`);
  }
  if (url.username !== '' || url.password !== '') throw refuse(`${source} must not hold a user name or a password.`);
  if (/[?#]/.test(typed)) throw refuse(`${source} must not have a query or a fragment.`);
  return url.href;
}

/** The base that request paths are appended to: origin and path, without a trailing slash or a trailing `/api`. */
export function normaliseBaseUrl(text: string, source: string, refuse: Refuse): string {
  const checked = checkBaseUrl(text, source, refuse);
  if (isSandbox(checked)) return checked;
  const path = withoutSlashes(new URL(checked).pathname);
  return originOf(checked) + (path.endsWith('/api') ? withoutSlashes(path.slice(0, -'/api'.length)) : path);
}

/** An address as runs compare it: this machine under one name, without the usual port, a slash at the end or `/api`. */
export function serviceAddress(baseUrl: string): string {
  if (!/^https?:/i.test(baseUrl)) return baseUrl;
  const url = new URL(baseUrl);
  const host = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname) ? 'localhost' : url.hostname;
  const port = url.port === '' ? '' : `:${url.port}`;
  return `${url.protocol}//${host}${port}${url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')}`;
}

/** A stored base URL as it is shown: empty where a file edited by hand holds none that is valid, since that may contain a password. */
export function shownBaseUrl(baseUrl: string): string {
  try {
    return normaliseBaseUrl(baseUrl, 'The base URL', (message) => new UnauthorizedError(message));
  } catch {
    return '';
  }
}

/** Scheme, host and port: what a key is bound to. Every sandbox is `sandbox:`, which has no key. */
export function originOf(baseUrl: string): string {
  return isSandbox(baseUrl) ? 'sandbox:' : new URL(baseUrl).origin;
}

/** Whether a request to the base URL would carry the key over a network unencrypted: plain http, and not to this machine. */
export function isExposed(baseUrl: string): boolean {
  if (isSandbox(baseUrl)) return false;
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !isLoopback(hostname);
}

/** The URL parser has made the host canonical: lower case, IPv4 in four parts, IPv6 in its shortest form. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * A path below the base URL, as it was typed, so that the key never goes to another origin. Without its first slash it is one below
 * `/api`. Throws InvalidValues.
 */
export function servicePath(typed: string): string {
  const isAddress = /^[^/?]*[:@]/.test(typed) || typed.startsWith('//');
  if (typed === '' || isAddress || /[\s\\#]/.test(typed)) throw invalidValue('path', `"${typed}" is not a path such as /api/leads.`);
  if (climbs(typed)) throw invalidValue('path', `"${typed}" leads out of the base URL's own path.`);
  if (typed.startsWith('/')) return typed;
  return /^api(?=[/?]|$)/.test(typed) ? `/${typed}` : `/api/${typed}`;
}

/** Whether a path has a segment `.` or `..`, which servers take out, percent-encoded or not. */
const climbs = (path: string): boolean =>
  (path.split(/[?#]/, 1)[0] ?? '').split(/[/\\]|%2f|%5c/i).some((segment) => /^(\.|%2e){1,2}$/i.test(segment));

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
