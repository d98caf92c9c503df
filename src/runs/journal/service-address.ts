// Which addresses are one service, and what its files are called.

import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** An address as runs compare it: this machine under one name, without the usual port, a slash at the end or `/api`. */
export function serviceAddress(baseUrl: string): string {
  if (!/^https?:/i.test(baseUrl)) return baseUrl;
  const url = new URL(baseUrl);
  const host = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname) ? 'localhost' : url.hostname;
  const port = url.port === '' ? '' : `:${url.port}`;
  return `${url.protocol}//${host}${port}${url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')}`;
}

/** The folder of the journals below the data folder. */
export const journalFolder = (dataDir: string): string => join(dataDir, 'journals');

/** What a service's file is called: `crm.example-1a2b3c4d.sqlite`. */
export function serviceFile(service: string, ending: string): string {
  const plain = service
    .replace(/^https?:\/\//, '')
    .replaceAll(/[^A-Za-z0-9.]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 48);
  return `${plain}-${createHash('sha256').update(service).digest('hex').slice(0, 8)}.${ending}`;
}
