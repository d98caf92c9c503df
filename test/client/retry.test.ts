// The retry policy as a table, typed by hand: which request is sent again after what, and what a Retry-After asks for.

import { describe, expect, it } from 'vitest';
import { isUnreached, neverReached, retriesFailure, retriesStatus, secondsAsked } from '../../src/client/retry.ts';
import { NotSent, tooLarge } from '../../src/client/transport/wire.ts';
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
  it.each<[string, Name[], number[]]>([
    ['nothing', none, [200, 204, 301, 302, 304, 400, 401, 403, 404, 405, 409, 410, 418, 422, 425, 501, 505, 507, 599]],
    ['a read, and what sets a whole value,', repeatable, [408, 500, 502, 503, 504]],
    ['everything', all, [429]],
  ])('%s is sent again', (_what, again, statuses) => {
    for (const status of statuses) expect([status, names.filter((name) => retriesStatus(requests[name], status))]).toEqual([status, again]);
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
    ['too large', tooLarge(200), none],
    ['not HTTP', named('HTTPParserError'), none],
    ['too large a header', coded('UND_ERR_HEADERS_OVERFLOW'), none],
    ['a self-signed certificate', coded('DEPTH_ZERO_SELF_SIGNED_CERT'), none],
    ['a self-signed root', new NotSent(coded('SELF_SIGNED_CERT_IN_CHAIN')), none],
    ['an unknown authority', coded('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), none],
    ['an expired certificate', coded('CERT_HAS_EXPIRED'), none],
    ["another name's certificate", coded('ERR_TLS_CERT_ALTNAME_INVALID'), none],
    ['no TLS there', coded('ERR_SSL_WRONG_VERSION_NUMBER'), none],
    ['TLS that breaks off', coded('EPROTO'), none],
    ['no TLS with the proxy', coded('UND_ERR_PRX_TLS'), none],
    ['a request that undici does not take', coded('UND_ERR_INVALID_ARG'), none],
    ["another name's certificate, as OpenSSL says", coded('HOSTNAME_MISMATCH'), none],
    ['an authority that may not sign', coded('INVALID_CA'), none],
    ['not HTTP, by its code', coded('HPE_INVALID_CONSTANT'), none],
    ['a status below 100', coded('ERR_ASSERTION'), none],
    ['a 100 Continue that nobody asked for', new Error('bad response'), none],
  ])('%s', (_what, failure, again) => {
    expect(names.filter((name) => retriesFailure(requests[name], failure))).toEqual(again);
  });

  it.each<[string, unknown, boolean]>([
    ['connection refused', coded('ECONNREFUSED'), true],
    ['a host that is not reached', new NotSent(coded('EHOSTUNREACH')), true],
    ['a refusal by the proxy', new Error('Proxy response (503) !== 200 when HTTP Tunneling'), true],
    ['reset', coded('ECONNRESET'), false],
    ['an expired certificate', coded('CERT_HAS_EXPIRED'), false],
    ['a self-signed root', new NotSent(coded('SELF_SIGNED_CERT_IN_CHAIN')), false],
  ])('a later try may reach the service after this: %s', (_what, failure, may) => {
    expect(isUnreached(failure)).toBe(may);
  });

  it.each<[boolean, string]>([
    [true, 'ECONNREFUSED ENOTFOUND EAI_AGAIN UND_ERR_CONNECT_TIMEOUT UND_ERR_INVALID_ARG UND_ERR_PRX_CONN UND_ERR_PRX_TLS'],
    [true, 'SELF_SIGNED_CERT_IN_CHAIN CERT_HAS_EXPIRED UNABLE_TO_VERIFY_LEAF_SIGNATURE HOSTNAME_MISMATCH INVALID_CA'],
    [false, 'ECONNRESET ECONNABORTED EPIPE EHOSTUNREACH ETIMEDOUT UND_ERR_SOCKET EPROTO ERR_SSL_WRONG_VERSION_NUMBER HPE_INVALID_CONSTANT'],
  ])('that nothing was sent is certain (%s) after %s', (isCertain, codes) => {
    for (const code of codes.split(' ')) expect([code, neverReached(coded(code))]).toEqual([code, isCertain]);
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
  const asked = (value: string | undefined, date?: string): number | undefined =>
    secondsAsked(
      {
        status: 429,
        headers: { ...(value === undefined ? {} : { 'retry-after': value }), ...(date === undefined ? {} : { date }) },
        body: Buffer.of(),
      },
      now,
    );

  it.each([
    ['0', 0],
    ['1', 1],
    ['120', 120],
    [' 7 ', 7],
    ['1.5', 1.5],
    ['99999999999999999999', 1e20],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30],
    ['Friday, 20-Nov-26 12:00:30 GMT', 30],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('%j is %j s', (value, expected) => {
    expect(asked(value)).toBe(expected);
  });

  it.each([
    ['an hour behind', 'Fri, 20 Nov 2026 11:00:00 GMT', 'Fri, 20 Nov 2026 11:00:30 GMT'],
    ['an hour ahead', 'Fri, 20 Nov 2026 13:00:00 GMT', 'Fri, 20 Nov 2026 13:00:30 GMT'],
    ['a minute ahead, in the old format', 'Friday, 20-Nov-26 12:01:00 GMT', 'Friday, 20-Nov-26 12:01:30 GMT'],
  ])("is counted from the answer's own Date, whose clock is %s", (_what, date, value) => {
    expect(asked(value, date)).toBe(30);
  });

  it('of seconds needs no clock, and a Date that can not be read is none', () => {
    expect(asked('7', 'Fri, 20 Nov 2026 11:00:00 GMT')).toBe(7);
    expect(asked('Fri, 20 Nov 2026 12:00:30 GMT', 'today')).toBe(30);
  });

  it('is none where it can not be read', () => {
    const odd = ['', '-5', 'soon', 'in 5 minutes', '5s', '1e3', '0x10', 'NaN', 'Infinity', 'Fri, 99 Nov 2026 99:99:99 GMT', '5, 6'];
    for (const value of [undefined, ...odd]) expect([value, asked(value)]).toEqual([value, undefined]);
  });
});
