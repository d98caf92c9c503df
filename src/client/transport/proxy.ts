// Chooses the proxy for a service from HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in capital or small letters. Pure. No message quotes a proxy's
// URL, which may hold a password.

import { BlockList, isIP } from 'node:net';
import { isThisMachine } from '../../base/base-url.ts';
import { UsageError } from '../../base/errors.ts';
import type { Env } from '../../base/files/own-folders.ts';
import { encodedPassword, type ProxyFacts } from './wire.ts';

export interface HttpProxy extends ProxyFacts {
  /** Without user and password. */
  readonly url: string;
  /** The Proxy-Authorization header, if the variable has a user. */
  readonly authorization?: string;
}

/**
 * The proxy for an origin; undefined without a proxy. A service on this machine has none: a proxy would receive the key, and may look for
 * the service elsewhere. Throws UsageError for a variable that is no URL.
 */
export function proxyFor(origin: string, env: Env): HttpProxy | undefined {
  const { protocol, hostname, port } = new URL(origin);
  const set = proxyVariable(origin, env);
  if (set === undefined || isBypassed(plainHost(hostname), port || (protocol === 'https:' ? '443' : '80'), noProxy(env).entries))
    return undefined;
  const proxy = readProxy(set.value, set.variable);
  const { username, password } = proxy;
  return {
    url: proxy.origin,
    name: `the proxy at ${proxy.host} (${set.variable})`,
    variable: set.variable,
    hasUser: username !== '',
    ...(username === ''
      ? {}
      : { authorization: `Basic ${Buffer.from(`${plainPart(username)}:${plainPart(password)}`).toString('base64')}` }),
  };
}

/** A sentence about entries of NO_PROXY that can't be read. Undefined when all can be read, or when no proxy is set for the origin. */
export function unreadNoProxy(origin: string, env: Env): string | undefined {
  if (proxyVariable(origin, env) === undefined) return undefined;
  const { variable, entries } = noProxy(env);
  const unread = entries.filter((entry) => readEntry(entry) === undefined).map((entry) => `"${entry}"`);
  if (unread.length === 0) return undefined;
  return `${variable} has entries that crm can't read: ${unread.join(', ')}. It takes hosts, addresses, networks such as 10.0.0.0/8, and *.`;
}

function proxyVariable(origin: string, env: Env): { readonly variable: string; readonly value: string } | undefined {
  const { protocol, hostname } = new URL(origin);
  if (isThisMachine(hostname)) return undefined;
  const upper = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const variable = env[upper.toLowerCase()] ? upper.toLowerCase() : upper;
  const value = env[variable];
  return value ? { variable, value } : undefined;
}

function readProxy(value: string, variable: string): URL {
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  // Behind an unencoded / or #, the rest of the password and the host look like a path.
  const isWhole = url !== null && !`${url.pathname}${url.search}${url.hash}`.includes('@');
  if (isWhole && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new UsageError(`${variable} is not the address of an HTTP proxy, such as http://proxy.example.com:3128.`, {
    ...(value.includes('@') ? { hint: encodedPassword } : {}),
  });
}

/** A `%` that encodes nothing stays. */
const plainPart = (text: string): string =>
  text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });

function noProxy(env: Env): { readonly variable: string; readonly entries: readonly string[] } {
  const variable = env.no_proxy ? 'no_proxy' : 'NO_PROXY';
  return { variable, entries: (env[variable] ?? '').split(/[\s,]+/).filter(Boolean) };
}

/** Names aren't resolved. */
const isBypassed = (hostname: string, port: string, entries: readonly string[]): boolean =>
  entries.some((entry) => readEntry(entry)?.(hostname, port) === true);

/**
 * Reads an entry: `*`, a network (`10.0.0.0/8`), or a host with all its subdomains, which may have a port. A leading `.` or `*.` is
 * ignored. Undefined for any other text.
 */
function readEntry(entry: string): ((hostname: string, port: string) => boolean) | undefined {
  const [, network, bits] = /^([\da-f.:]+)\/(\d{1,3})$/i.exec(entry) ?? [];
  if (network !== undefined) return networkOf(network, Number(bits));
  const [, host = '', only] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const name = plainHost(host).replace(/^\*?\./, '');
  if (name !== '*' && isIP(name) === 0 && !/^[\p{L}\p{N}_.-]+$/u.test(name)) return undefined;
  return (hostname, port) => (only === undefined || only === port) && (name === '*' || hostname === name || hostname.endsWith(`.${name}`));
}

function networkOf(network: string, bits: number): ((hostname: string) => boolean) | undefined {
  const family = isIP(network);
  if (family === 0 || bits > (family === 4 ? 32 : 128)) return undefined;
  const list = new BlockList();
  list.addSubnet(network, bits, family === 4 ? 'ipv4' : 'ipv6');
  return (hostname) => isIP(hostname) === family && list.check(hostname, family === 4 ? 'ipv4' : 'ipv6');
}

const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(?<=.)\.$/, '');
