// Chooses the proxy for a service from HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in capital or small letters. Pure. No message quotes a proxy's
// URL, which may hold a password.

import { isExposed } from '../../base/base-url.ts';
import { UsageError } from '../../base/errors.ts';

export interface HttpProxy {
  /** With user and password, if the variable has them. */
  readonly url: string;
  /** The name in messages: `the proxy at 127.0.0.1:3128 (HTTP_PROXY)`. */
  readonly name: string;
}

/**
 * The proxy for an origin; undefined without a proxy. A service on this machine is reached only through a proxy on this machine: another
 * proxy would look for the service on its own machine and receive the key. Throws UsageError for a variable that is no URL.
 */
export function proxyFor(origin: string, env: Readonly<Record<string, string | undefined>>): HttpProxy | undefined {
  const { protocol, hostname, port } = new URL(origin);
  const upper = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const variable = env[upper.toLowerCase()] ? upper.toLowerCase() : upper;
  const value = env[variable];
  if (!value || isBypassed(plainHost(hostname), port || (protocol === 'https:' ? '443' : '80'), env.no_proxy || env.NO_PROXY || ''))
    return undefined;
  const proxy = readProxy(value, variable);
  if (isThisMachine(hostname) && !isThisMachine(proxy.hostname)) return undefined;
  return { url: proxy.href, name: `the proxy at ${proxy.host} (${variable})` };
}

function readProxy(value: string, variable: string): URL {
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new UsageError(`${variable} is not the address of an HTTP proxy, such as http://proxy.example.com:3128.`);
}

/** True for this machine: the only host to which plain http is allowed. */
const isThisMachine = (hostname: string): boolean => !isExposed(`http://${hostname}`);

/**
 * True when NO_PROXY has the host. An entry is `*`, or a host with all its subdomains; each may have a port. A leading `.` or `*.` is
 * ignored.
 */
function isBypassed(hostname: string, port: string, list: string): boolean {
  return list
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      const [, host = '', only] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
      const name = plainHost(host).replace(/^\*?\./, '');
      return (only === undefined || only === port) && (name === '*' || hostname === name || hostname.endsWith(`.${name}`));
    });
}

/** A host in lower case, without IPv6 brackets and the final dot. */
const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(?<=.)\.$/, '');
