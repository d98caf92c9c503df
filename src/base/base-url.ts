// Checks base URLs, and gives their normal form and their origin. Tells where plain http would expose the key.
// Messages never quote a typed URL, which may contain a password.

import { type CrmError, invalidValue, UnauthorizedError } from './errors.ts';

/** Makes the error for an unusable value: a UsageError when typed, an UnauthorizedError when stored. */
export type Refuse = (message: string, hint?: string) => CrmError;

/** True when the base URL means the embedded CRM in this process: `sandbox:`, or `sandbox:` and a file. */
export function isSandbox(baseUrl: string): boolean {
  return baseUrl.startsWith('sandbox:');
}

/** The file in the base URL of an embedded CRM; empty when the URL names no file. */
export const fileNamed = (sandbox: string): string => sandbox.slice('sandbox:'.length);

/**
 * The checked URL as a profile keeps it: canonical, with the typed path. Throws the error of `refuse`. `source` begins the
 * message: `--base-url`.
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

/** The URL that request paths are appended to: origin and path, without a slash or `/api` at the end. */
export function normaliseBaseUrl(text: string, source: string, refuse: Refuse): string {
  const checked = checkBaseUrl(text, source, refuse);
  if (isSandbox(checked)) return checked;
  const path = withoutSlashes(new URL(checked).pathname);
  return originOf(checked) + (path.endsWith('/api') ? withoutSlashes(path.slice(0, -'/api'.length)) : path);
}

/**
 * A service's address for comparing: without a default port, a slash at the end or `/api`. `127.0.0.1`, `::1` and `localhost.` become
 * `localhost`.
 */
export function serviceAddress(baseUrl: string): string {
  if (!/^https?:/i.test(baseUrl)) return baseUrl;
  const url = new URL(baseUrl);
  const host = /^(localhost\.?|127(\.\d+){3}|\[::1\])$/.test(url.hostname) ? 'localhost' : url.hostname;
  const port = url.port === '' ? '' : `:${url.port}`;
  return `${url.protocol}//${host}${port}${url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')}`;
}

/** A stored base URL for the screen. Empty for an invalid URL: edited by hand, the file may hold a password. */
export function shownBaseUrl(baseUrl: string): string {
  try {
    return normaliseBaseUrl(baseUrl, 'The base URL', (message) => new UnauthorizedError(message));
  } catch {
    return '';
  }
}

/** Scheme, host and port. A key is sent to its own origin only. Every sandbox has the origin `sandbox:`, which needs no key. */
export function originOf(baseUrl: string): string {
  return isSandbox(baseUrl) ? 'sandbox:' : new URL(baseUrl).origin;
}

/** True when a request would carry the key unencrypted over a network: plain http to another machine. */
export function isExposed(baseUrl: string): boolean {
  if (isSandbox(baseUrl)) return false;
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !isThisMachine(hostname);
}

/** True for a host that is this machine by its name or address, without DNS. `hostname`: as the URL parser makes it canonical. */
export function isThisMachine(hostname: string): boolean {
  return isLocalName(hostname) || /^(127(\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/.test(hostname);
}

/** True for `localhost` and the names below `.localhost` (RFC 6761), with or without a dot at the end. */
export const isLocalName = (hostname: string): boolean => /(^|\.)localhost\.?$/.test(hostname);

/**
 * The request path for a typed path: `/api/leads/3` for `leads/3` and `api/leads/3`. A path with a slash in front stays. Throws
 * InvalidValues for an address of another host and for `..`: the key must not go to another origin.
 */
export function servicePath(typed: string): string {
  const isAddress = /^[^/?]*[:@]/.test(typed) || typed.startsWith('//');
  if (typed === '' || isAddress || /[\s\\#]/.test(typed)) throw invalidValue('path', `"${typed}" is not a path such as /api/leads.`);
  if (climbs(typed)) throw invalidValue('path', `"${typed}" leads out of the base URL's own path.`);
  if (typed.startsWith('/')) return typed;
  return /^api(?=[/?]|$)/.test(typed) ? `/${typed}` : `/api/${typed}`;
}

/** Servers resolve the segments `.` and `..`, percent-encoded or not. */
const climbs = (path: string): boolean =>
  (path.split(/[?#]/, 1)[0] ?? '').split(/[/\\]|%2f|%5c/i).some((segment) => /^(\.|%2e){1,2}$/i.test(segment));

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
