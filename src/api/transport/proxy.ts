// Which proxy, if any, stands between this machine and a service: HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case.
// Pure; no message here quotes a proxy's URL, which may hold a password.

import { UsageError } from '../../errors.ts';
import { isExposed } from '../../values/base-url.ts';

export interface HttpProxy {
  /** With user and password, where the variable has them. */
  readonly url: string;
  /** How messages name it: `the proxy at 127.0.0.1:3128 (HTTP_PROXY)`. */
  readonly name: string;
}

/**
 * The proxy for an origin; undefined for none. A service on this machine is only asked through a proxy on this machine:
 * any other would look for it on its own machine, and would be sent the key over the network. Throws UsageError for a value that is no URL.
 */
export function proxyFor(origin: string, env: Readonly<Record<string, string | undefined>>): HttpProxy | undefined {
  const { protocol, hostname, port } = new URL(origin);
  const upper = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const variable = env[upper.toLowerCase()] ? upper.toLowerCase() : upper;
  const value = env[variable];
  if (!value || isBypassed(bare(hostname), port || (protocol === 'https:' ? '443' : '80'), env.no_proxy || env.NO_PROXY || ''))
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

/** Plain http is allowed only to this machine, so that check tells whether a host is this machine. */
const isThisMachine = (hostname: string): boolean => !isExposed(`http://${hostname}`);

/** An entry is `*`, a host with everything below it, or either with a port; a leading `.` or `*.` makes no difference. */
function isBypassed(hostname: string, port: string, list: string): boolean {
  return list
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      const [, host = '', only] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
      const name = bare(host).replace(/^\*?\./, '');
      return (only === undefined || only === port) && (name === '*' || hostname === name || hostname.endsWith(`.${name}`));
    });
}

/** A host as it is compared: lower case, without the brackets of IPv6 and the dot that ends a full name. */
const bare = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(?<=.)\.$/, '');
