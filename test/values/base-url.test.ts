// Base URLs: what comes to the same, and what is none.

import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { checkBaseUrl, normaliseBaseUrl, originOf } from '../../src/values/base-url.ts';

const refuse = (message: string) => new UsageError(message);

test.each([
  ['https://crm.test', 'https://crm.test'],
  ['https://crm.test/', 'https://crm.test'],
  ['https://crm.test/api', 'https://crm.test'],
  ['https://crm.test/api/', 'https://crm.test'],
  ['https://crm.test//api//', 'https://crm.test'],
  ['https://crm.test/sub', 'https://crm.test/sub'],
  ['https://crm.test/sub/', 'https://crm.test/sub'],
  ['https://crm.test/sub/api', 'https://crm.test/sub'],
  ['https://crm.test/sub/api/', 'https://crm.test/sub'],
  ['https://crm.test/myapi', 'https://crm.test/myapi'],
  ['https://crm.test/api/v2', 'https://crm.test/api/v2'],
  ['https://crm.test/api/api', 'https://crm.test/api'],
  ['HTTPS://CRM.test:443/Sub', 'https://crm.test/Sub'],
  [' https://crm.test:8443/ ', 'https://crm.test:8443'],
  ['http://127.1:8080/api', 'http://127.0.0.1:8080'],
  ['https://bücher.test', 'https://xn--bcher-kva.test'],
  ['sandbox:', 'sandbox:'],
  ['sandbox:/tmp/x/api/', 'sandbox:/tmp/x/api/'],
])('%s comes to %s, as typed and as saved', (typed, base) => {
  expect(normaliseBaseUrl(typed, 'It', refuse)).toBe(base);
  expect(normaliseBaseUrl(checkBaseUrl(typed, 'It', refuse), 'It', refuse)).toBe(base);
});

test.each([
  '',
  'crm.test',
  'crm.test:8080',
  '//crm.test',
  'ftp://crm.test',
  'file:///etc/passwd',
  'javascript:1',
  'https://',
  'https://a b.test',
])('is not an address: %s', (typed) => {
  expect(() => normaliseBaseUrl(typed, '--base-url', refuse)).toThrow('--base-url is not a web address');
});

test.each(['https://crm.test?a=1', 'https://crm.test/?', 'https://crm.test/#', 'https://crm.test/api#x'])(
  'has a query or fragment: %s',
  (typed) => {
    expect(() => normaliseBaseUrl(typed, '--base-url', refuse)).toThrow('query or a fragment');
  },
);

describe('origins', () => {
  test.each([
    ['https://crm.test/a', 'https://crm.test'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['sandbox:/x', 'sandbox:'],
  ])('%s', (url, origin) => {
    expect(originOf(url)).toBe(origin);
  });
});
