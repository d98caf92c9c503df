// The retry policy as a table, typed by hand: which request is sent again after what, and when.

import { describe, expect, it } from 'vitest';
import { neverReached, retriesFailure, retriesStatus, retryAfterMilliseconds, retryDelay } from '../../src/client/retry.ts';
import { AnswerTooLarge, NotSent } from '../../src/client/transport/wire.ts';
import type { ApiRequest, Method } from '../../src/client/types.ts';

const request = (method: Method, repeatable?: true): ApiRequest => ({ method, path: '/api/x', ...(repeatable ? { repeatable } : {}) });

const requests = {
  GET: request('GET'),
  POST: request('POST'),
  PATCH: request('PATCH'),
  DELETE: request('DELETE'),
  PUT: request('PUT'),
  'PUT that sets a whole value': request('PUT', true),
} as const;
type Name = keyof typeof requests;
const names = Object.keys(requests) as Name[];

const reads: Name[] = ['GET'];
const repeatable: Name[] = ['GET', 'PUT that sets a whole value'];
const all: Name[] = names;
const none: Name[] = [];

describe('after a status', () => {
  it.each<[number, Name[]]>([
    [400, none],
    [401, none],
    [403, none],
    [404, none],
    [405, none],
    [409, none],
    [410, none],
    [418, none],
    [422, none],
    [425, none],
    [408, repeatable],
    [429, all],
    [500, repeatable],
    [502, repeatable],
    [503, repeatable],
    [504, repeatable],
    [501, none],
    [505, none],
    [507, none],
    [599, none],
    [200, none],
    [204, none],
    [301, none],
    [302, none],
    [304, none],
  ])('%i: %j', (status, again) => {
    expect(names.filter((name) => retriesStatus(requests[name], status))).toEqual(again);
  });

  it('only a PUT can be declared repeatable', () => {
    for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
      expect(retriesStatus(request(method, true), 503)).toBe(false);
      expect(retriesFailure(request(method, true), coded('ECONNRESET'))).toBe(false);
    }
  });
});

const coded = (code: string): Error => Object.assign(new Error(code), { code });
const named = (name: string): Error => Object.assign(new Error(name), { name });

describe('after a failure', () => {
  it.each<[string, unknown, Name[]]>([
    ['connection refused', coded('ECONNREFUSED'), all],
    ['no such host', coded('ENOTFOUND'), all],
    ['DNS does not answer', coded('EAI_AGAIN'), all],
    ['no connection in time', coded('UND_ERR_CONNECT_TIMEOUT'), all],
    ['no connection to the proxy', coded('UND_ERR_PRX_CONN'), all],
    ['whatever happened before a connection stood', new NotSent(coded('EHOSTUNREACH')), all],
    ['a refusal by the proxy', new Error('Proxy response (503) !== 200 when HTTP Tunneling'), all],
    ['reset', coded('ECONNRESET'), repeatable],
    ['broken pipe', coded('EPIPE'), repeatable],
    ['unreachable, perhaps midway', coded('EHOSTUNREACH'), repeatable],
    ['timed out by the system', coded('ETIMEDOUT'), repeatable],
    ['closed', coded('UND_ERR_SOCKET'), repeatable],
    ['closed, as the cause of another', new Error('x', { cause: coded('UND_ERR_SOCKET') }), repeatable],
    ['an error without a code', new Error('x'), repeatable],
    ['what is no error', 'x', repeatable],
    ["the user's time is up", named('TimeoutError'), none],
    ["the user's time is up while connecting", new NotSent(named('TimeoutError')), none],
    ['too large', new AnswerTooLarge(), none],
    ['not HTTP', named('HTTPParserError'), none],
    ['too large a header', coded('UND_ERR_HEADERS_OVERFLOW'), none],
    ['a self-signed certificate', coded('DEPTH_ZERO_SELF_SIGNED_CERT'), none],
    ['a self-signed root', new NotSent(coded('SELF_SIGNED_CERT_IN_CHAIN')), none],
    ['an unknown authority', coded('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), none],
    ['an expired certificate', coded('CERT_HAS_EXPIRED'), none],
    ["another name's certificate", coded('ERR_TLS_CERT_ALTNAME_INVALID'), none],
    ['no TLS there', coded('ERR_SSL_WRONG_VERSION_NUMBER'), none],
  ])('%s', (_what, failure, again) => {
    expect(names.filter((name) => retriesFailure(requests[name], failure))).toEqual(again);
  });

  it('reads are the only ones sent again after anything at all', () => {
    expect(names.filter((name) => reads.includes(name) && retriesFailure(requests[name], coded('ECONNRESET')))).toEqual(reads);
  });

  it('a chain of causes that bites its tail', () => {
    const one = new Error('one');
    const two = new Error('two', { cause: one });
    one.cause = two;
    expect(neverReached(two)).toBe(false);
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-11-20T12:00:00.000Z');
  it.each<[string | undefined, number | undefined]>([
    [undefined, undefined],
    ['0', 0],
    ['1', 1_000],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['1.5', 1_500],
    ['99999999999999999999', 1e23],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['Friday, 20-Nov-26 12:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['', undefined],
    ['-5', undefined],
    ['soon', undefined],
    ['in 5 minutes', undefined],
    ['5s', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
    ['Fri, 99 Nov 2026 99:99:99 GMT', undefined],
    ['5, 6', undefined],
  ])('%j is %j ms', (value, expected) => {
    const read = retryAfterMilliseconds(value, now);
    if (expected === undefined) expect(read).toBeUndefined();
    else expect(read).toBeCloseTo(expected, -Math.log10(expected + 1));
  });

  it('is waited out, up to a minute', () => {
    expect(retryDelay(1, '3', now, 0.5)).toBe(3_000);
    expect(retryDelay(1, '0', now, 0.5)).toBe(0);
    expect(retryDelay(1, '3600', now, 0.5)).toBe(60_000);
    expect(retryDelay(1, '99999999999999999999', now, 0.5)).toBe(60_000);
    expect(retryDelay(1, 'Sat, 21 Nov 2026 12:00:00 GMT', now, 0.5)).toBe(60_000);
    expect(retryDelay(1, 'Fri, 20 Nov 2026 11:00:00 GMT', now, 0.5)).toBe(0);
  });

  it('that can not be read is as good as none', () => {
    expect(retryDelay(2, 'soon', now, 0.5)).toBe(retryDelay(2, undefined, now, 0.5));
  });
});

describe('without it', () => {
  it.each([
    [1, 250],
    [2, 500],
    [3, 1_000],
    [4, 2_000],
    [5, 4_000],
    [6, 8_000],
    [7, 10_000],
    [8, 10_000],
    [99, 10_000],
  ])('try %i waits between nothing and %i ms', (attempt, most) => {
    const now = new Date(0);
    expect(retryDelay(attempt, undefined, now, 0)).toBe(0);
    expect(retryDelay(attempt, undefined, now, 0.5)).toBe(most / 2);
    expect(retryDelay(attempt, undefined, now, 1 - Number.EPSILON)).toBe(most);
  });
});
