// What the tests of the API client share: settings for a peer, and what every failure must look like.

import { expect } from 'vitest';
import type { Crm } from '../support/crm.ts';

export const key = 'crm_live-0123456789abcdef+/=';

/** The environment that sends every request to a base URL, with no file read. */
export function settings(baseUrl: string, more: Record<string, string> = {}): Record<string, string> {
  return { CRM_BASE_URL: baseUrl, CRM_API_KEY: key, CRM_CONFIG_DIR: '/nonexistent/crm', ...more };
}

/** The key in any way that it could be written. */
export function expectNoKey({ stdout, stderr }: Crm, secret = key): void {
  const output = stdout + stderr;
  for (const form of [secret, encodeURIComponent(secret), encodeURI(secret), JSON.stringify(secret).slice(1, -1), btoa(secret)]) {
    expect(output).not.toContain(form);
  }
}

/** What a person is told: one sentence that says what is wrong, perhaps what to do next, nothing on standard output. */
export function expectFailure(crm: Crm, exit: number, says: RegExp): void {
  const [first, ...others] = crm.stderr.trimEnd().split('\n');
  expect(first, crm.stderr).toMatch(/^error: .*[.?]$/);
  expect(first).toMatch(says);
  expect(others.length, crm.stderr).toBeLessThanOrEqual(4);
  expect(crm.stderr).not.toMatch(/^\s+at |node:|undici/m);
  expect(crm.stdout).toBe('');
  expect(crm.status, crm.stderr).toBe(exit);
  expectNoKey(crm);
}

/** The one JSON object on standard error, among whatever --debug puts there. */
export function jsonError(crm: Crm): Record<string, unknown> {
  const line = crm.stderr.split('\n').find((one) => one.startsWith('{"error"'));
  expect(line, crm.stderr).toBeDefined();
  return JSON.parse(line ?? '{}').error;
}

/** The error that --json promises, with all its members. */
export function expectJsonFailure(crm: Crm, exit: number, code: string, says: RegExp): void {
  const error = jsonError(crm);
  expect(Object.keys(error)).toEqual([
    'code',
    'message',
    'status',
    'retry',
    'fields',
    'hint',
    'request',
    ...(exit === 6 ? ['retry_after'] : []),
  ]);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(says);
  expect(error.fields).toBeInstanceOf(Array);
  expect(crm.stdout).toBe('');
  expect(crm.status).toBe(exit);
  expectNoKey(crm);
}

/** The error code of an answer that ends with an exit status. */
export const codes: Readonly<Record<number, string>> = {
  3: 'not_found',
  4: 'key_refused',
  5: 'refused',
  6: 'rate_limited',
  7: 'unavailable',
  10: 'conflict',
};
