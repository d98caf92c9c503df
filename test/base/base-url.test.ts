// Base URLs: what comes to the same, and what is none.

import { describe, expect, test } from 'vitest';
import { checkBaseUrl, isExposed, normaliseBaseUrl, originOf, servicePath } from '../../src/base/base-url.ts';
import { InvalidValues, UsageError } from '../../src/base/errors.ts';

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

test.each([
  ['http://crm.test', true],
  ['http://localhost.crm.test', true],
  ['http://10.0.0.7:8080', true],
  ['https://crm.test', false],
  ['http://localhost:8080', false],
  ['http://crm.localhost', false],
  ['http://127.0.0.1', false],
  ['http://127.8.9.1', false],
  ['http://[::1]:8080', false],
  ['sandbox:', false],
])('a key sent to %s is exposed: %s', (url, is) => expect(isExposed(url)).toBe(is));

describe('a path below the base URL', () => {
  test.each([
    ['/api/leads', '/api/leads'],
    ['/other', '/other'],
    ['leads/12', '/api/leads/12'],
    ['api/leads', '/api/leads'],
    ['api', '/api'],
    ['api?page=2', '/api?page=2'],
    ['apis', '/api/apis'],
    ['/api/leads?at=a@b.test:80', '/api/leads?at=a@b.test:80'],
    ['/api/a..b', '/api/a..b'],
  ])('%s', (typed, path) => expect(servicePath(typed)).toBe(path));

  test.each(['', 'https://evil.test/api', '//evil.test/api', 'evil.test:80/x', 'x@evil.test', '/api/a b', '/api\\x', '/api#x'])(
    'is none: "%s"',
    (typed) => {
      expect(() => servicePath(typed)).toThrow(InvalidValues);
      expect(() => servicePath(typed)).toThrow('is not a path such as /api/leads.');
    },
  );

  test.each(['../x', '/api/../../x', '/api/%2e%2E/x', '/api/.', '/api%2f..%2fx'])('does not climb: %s', (typed) => {
    expect(() => servicePath(typed)).toThrow("leads out of the base URL's own path.");
  });
});
