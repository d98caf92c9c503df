// What errors say of an exchange that failed, and of answers that services give in other forms than ours: each code, sentence and hint once.

import { describe, expect, it } from 'vitest';
import { type Destination, failureOf, problemOf, redirectUrl } from '../../src/client/problem.ts';
import { NotSent, ProxyTlsError, type WireResponse } from '../../src/client/transport/wire.ts';
import type { ApiRequest, Method } from '../../src/client/types.ts';

const request = (method: Method): ApiRequest => ({ method, path: '/api/leads/12', check: 'crm leads get 12' });
const plain: Destination = { baseUrl: 'http://crm.test:8080', keySource: 'CRM_API_KEY', baseUrlSource: 'CRM_BASE_URL' };
const via = { name: 'the proxy px:3128', variable: 'https_proxy', hasUser: false } as NonNullable<Destination['via']>;
const proxied: Destination = { ...plain, baseUrl: 'https://crm.test', via };

const coded = (code: string, message = 'why.\nmore', more: object = {}): Error => Object.assign(new Error(message), { code, ...more });
const named = (name: string): Error => Object.assign(new Error(name), { name });

/** What is said of a failed read, and its hint. */
function told(error: unknown, destination = plain, knows = false): (string | undefined)[] {
  const { message, details } = failureOf(request('GET'), error, destination, { timeout: 2500, knows });
  return [message, ...(details.hint === undefined ? [] : [details.hint])];
}

const broke = 'The connection to crm.test:8080 broke before the answer was complete.';
const source = ' The base URL came from CRM_BASE_URL.';
const ownAuthority = /^If its authority is your own, set NODE_USE_SYSTEM_CA=1 .*NODE_EXTRA_CA_CERTS/;

describe('a failed exchange', () => {
  it.each<[string, unknown, string, (string | RegExp)?]>([
    ['ENOTFOUND', coded('ENOTFOUND'), "The host name of crm.test:8080 can't be resolved.", `Is the name of the host right?${source}`],
    ['EAI_AGAIN', coded('EAI_AGAIN'), "The host name of crm.test:8080 can't be resolved.", `Is the name of the host right?${source}`],
    [
      'ECONNREFUSED',
      coded('ECONNREFUSED'),
      'Nothing listens at crm.test:8080: connection refused.',
      `Is the service running, and is the port right?${source}`,
    ],
    ['no connection in time', coded('UND_ERR_CONNECT_TIMEOUT'), 'No connection to crm.test:8080 in time.'],
    ...['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'UND_ERR_PRX_CONN'].map(
      (code): [string, unknown, string] => [code, coded(code), broke],
    ),
    ['a large header', coded('UND_ERR_HEADERS_OVERFLOW'), 'The answer of crm.test:8080 has too large a header.'],
    ['not HTTP', named('HTTPParserError'), 'crm.test:8080 does not speak HTTP as crm knows it: HTTPParserError.'],
    ['a status below 100', coded('ERR_ASSERTION'), 'crm.test:8080 does not speak HTTP as crm knows it.'],
    [
      '100 Continue',
      new Error('bad response'),
      'crm.test:8080 sent "100 Continue", which crm did not ask for: an old server or a proxy stands there.',
    ],
    ['time', named('TimeoutError'), 'No complete answer from crm.test:8080 within 2.5 s.', 'Allow more time with --timeout SECONDS.'],
    ['another code', coded('EHOSTUNREACH'), 'No usable answer from crm.test:8080 (EHOSTUNREACH): why.'],
    ['no code', new Error('odd'), 'No usable answer from crm.test:8080: odd.'],
    ['no error', 'x', 'No usable answer from crm.test:8080.'],
    ['not TLS', coded('EPROTO'), "Crm.test:8080 can't be talked to over https (EPROTO): does it speak plain http?"],
    [
      'an unknown authority',
      coded('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate; if the root CA is installed, use --x'),
      "The certificate of crm.test:8080 can't be trusted: self-signed certificate.",
      ownAuthority,
    ],
    ['an unknown issuer', coded('UNABLE_TO_GET_ISSUER_CERT'), "The certificate of crm.test:8080 can't be trusted: why.", ownAuthority],
    ['a leaf alone', coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), "The certificate of crm.test:8080 can't be trusted: why.", ownAuthority],
    ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'].map((code): [string, unknown, string, RegExp] => [
      code,
      coded(code),
      "The certificate of crm.test:8080 can't be trusted: why.",
      /^Is the clock of this machine right\?/,
    ]),
    ...['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'].map((code): [string, unknown, string, string] => [
      code,
      coded(code),
      "The certificate of crm.test:8080 can't be trusted: why.",
      `Is the name of the host right?${source}`,
    ]),
    [
      'a revoked certificate',
      coded('CERT_REVOKED'),
      "The certificate of crm.test:8080 can't be trusted: why.",
      'Whoever runs that host has to mend the certificate.',
    ],
  ])('%s', (_what, error, message, hint) => {
    const [said, ...hints] = told(error);
    expect(said).toBe(message);
    if (hint === undefined) expect(hints).toEqual([]);
    else if (typeof hint === 'string') expect(hints).toEqual([hint]);
    else expect(hints[0]).toMatch(hint);
  });

  it.each<[string, unknown, string, string?]>([
    [
      'ECONNREFUSED',
      coded('ECONNREFUSED'),
      'Nothing listens at the proxy px:3128: connection refused.',
      'Is the proxy right? NO_PROXY names the hosts that are reached without a proxy.',
    ],
    [
      'ENOTFOUND',
      coded('ENOTFOUND'),
      "The host name of the proxy px:3128 can't be resolved.",
      'Is the proxy right? NO_PROXY names the hosts that are reached without a proxy.',
    ],
    [
      'EAI_AGAIN',
      coded('EAI_AGAIN'),
      "The host name of the proxy px:3128 can't be resolved.",
      'Is the proxy right? NO_PROXY names the hosts that are reached without a proxy.',
    ],
    [
      'time',
      named('TimeoutError'),
      'No complete answer from crm.test over the proxy px:3128 within 2.5 s.',
      'Allow more time with --timeout SECONDS.',
    ],
    [
      '407',
      new Error('Proxy response (407) !== 200 when HTTP Tunneling'),
      'The proxy px:3128 asks for a user name and a password (407).',
      'Put them into https_proxy: http://user:password@host:port',
    ],
    ['503', new Error('Proxy response (503) !== 200 when HTTP Tunneling'), 'The proxy px:3128 did not connect to crm.test (503).'],
    [
      "the proxy's own certificate",
      new ProxyTlsError(coded('CERT_REVOKED')),
      "The certificate of the proxy px:3128 can't be trusted: why.",
      'Whoever runs that host has to mend the certificate.',
    ],
    [
      "the service's certificate",
      coded('CERT_REVOKED'),
      "The certificate of crm.test can't be trusted: why.",
      'Whoever runs that host has to mend the certificate.',
    ],
  ])('behind a proxy: %s', (_what, error, ...says) => {
    expect(told(error, proxied)).toEqual(says);
  });

  it('a proxy that refused a user and a password is given the right ones', () => {
    const [said, hint] = told(new Error('Proxy response (407) !== 200 when HTTP Tunneling'), {
      ...proxied,
      via: { ...via, hasUser: true },
    });
    expect(said).toBe('The proxy px:3128 refused the user name and password (407).');
    expect(hint).toMatch(/^Put the right ones into https_proxy\. /);
  });

  it.each<[string, Error, Destination, boolean, string]>([
    ['no byte', coded('UND_ERR_SOCKET', 'closed', { socket: { bytesRead: 0 } }), plain, false, ': does it speak https?'],
    ['a TLS alert', coded('HPE_INVALID_CONSTANT', 'x', { data: '\x15\x03\x01' }), plain, false, ': does it speak https?'],
    ['no byte of one that answered before', coded('UND_ERR_SOCKET', 'closed', { socket: { bytesRead: 0 } }), plain, true, '.'],
  ])('of plain http, %s tells of https', (_what, error, destination, knows, end) => {
    expect(told(error, destination, knows)).toEqual([`The connection to crm.test:8080 broke before the answer began${end}`]);
  });

  it('over https or a proxy, no byte tells nothing', () => {
    const closed = coded('UND_ERR_SOCKET', 'closed', { socket: { bytesRead: 0 } });
    expect(told(closed, { ...plain, baseUrl: 'https://crm.test' })[0]).toBe(
      'The connection to crm.test broke before the answer was complete.',
    );
    expect(told(closed, { ...plain, via })[0]).toBe('The connection to the proxy px:3128 broke before the answer was complete.');
  });

  it.each<[string, unknown, Method, string, string]>([
    ['a read', coded('ECONNRESET'), 'GET', 'unavailable', broke],
    [
      'a write',
      coded('ECONNRESET'),
      'PATCH',
      'outcome_unknown',
      `${broke} The outcome of PATCH /api/leads/12 is unknown: it may or may not have taken effect.`,
    ],
    ['a write that was never sent', new NotSent(coded('ECONNRESET')), 'PATCH', 'unreachable', `${broke} Nothing was sent.`],
    ['a read that reached nobody', coded('ECONNREFUSED'), 'GET', 'unreachable', 'Nothing listens at crm.test:8080: connection refused.'],
    ['a read out of time', named('TimeoutError'), 'GET', 'timed_out', 'No complete answer from crm.test:8080 within 2.5 s.'],
  ])('its code: %s', (_what, error, method, code, message) => {
    const failure = failureOf(request(method), error, plain, { timeout: 2500, knows: false });
    expect([failure.code, failure.message]).toEqual([code, message]);
    const isUnknown = code === 'outcome_unknown';
    expect(failure.details.hint?.endsWith('see whether it took effect: crm leads get 12') ?? false).toBe(isUnknown);
  });

  it('the setting that gives more time is named where it is no flag', () => {
    expect(told(named('TimeoutError'), { ...plain, timeoutSetting: 'timeout' })[1]).toBe('Allow more time with timeout.');
  });
});

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): WireResponse =>
  ({
    status,
    headers,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  }) as unknown as WireResponse;

const problem = (status: number, body: unknown, headers: Record<string, string> = {}, method: Method = 'PATCH') =>
  problemOf(request(method), answer(status, body, headers), { ...plain, newKey: 'crm profile set acme' }, new Date(0));

describe('an answer that says no', () => {
  it.each<[string, unknown, string, object[]]>([
    [
      'errors by name',
      { message: 'Bad.', errors: { a: ['x', 'y'], b: 'z' } },
      'Bad.',
      [
        { name: 'a', messages: ['x', 'y'] },
        { name: 'b', messages: ['z'] },
      ],
    ],
    ['no message', { message: '' }, 'The service refused the request (422).', []],
    ['a list', [{ field: 'email', message: 'Odd' }, { message: 'Both are odd' }], 'Both are odd.', [{ name: 'email', messages: ['Odd'] }]],
    [
      'a list of names',
      [
        { name: 'email', message: 'Odd' },
        { name: 'email', message: 'Long' },
      ],
      'The service refused the request (422).',
      [{ name: 'email', messages: ['Odd', 'Long'] }],
    ],
    ['a list of sentences', ['First', 'Second.'], 'First. Second.', []],
    ['a list below a message', { message: 'Bad.', errors: [{ field: 'a', message: '' }, 'And more'] }, 'Bad. And more.', []],
    [
      'a page',
      '  <html><title>No &amp; never.</title></html>',
      'The request was refused (422) with a page in place of JSON, perhaps by a proxy: No & never.',
      [],
    ],
    ['a page without a title', '<p>no', 'The request was refused (422) with a page in place of JSON, perhaps by a proxy.', []],
    [
      'a heading',
      '<h1 class="x">Big\n no</h1>',
      'The request was refused (422) with a page in place of JSON, perhaps by a proxy: Big no.',
      [],
    ],
  ])('%s', (_what, body, message, fields) => {
    const { message: said, details } = problem(422, body);
    expect([said, details.fields]).toEqual([message, fields]);
  });

  it.each<[string, object, string]>([
    ['an email', { errors: { lead_email: ['The email has already been taken.'] } }, 'email_taken'],
    ['the email', { errors: { email: ['Has already been taken'] } }, 'email_taken'],
    ['another field', { errors: { title: ['has already been taken'] } }, 'refused'],
    ['no email', { errors: { noemail: ['has already been taken'] } }, 'refused'],
    ['an email that is wrong', { errors: { email: ['must be valid'] } }, 'refused'],
  ])('taken: %s', (_what, body, code) => expect(problem(422, body).code).toBe(code));

  it.each<[number, string, string, string | undefined]>([
    [404, 'Lead not found.', 'Lead 12 not found.', undefined],
    [404, 'Not found', 'There is nothing at /api/leads/12 (404).', undefined],
    [404, 'Project not found.', 'Project not found.', undefined],
    [404, 'Gone for good.', 'Gone for good.', undefined],
    [409, '', 'The record is not in a state that allows this (409).', undefined],
    [429, '', 'Too many requests (429).', undefined],
    [
      401,
      '',
      'The service refused the key (401).',
      'The key came from CRM_API_KEY; it was sent to http://crm.test:8080.\nIf there is a new key, save it: crm profile set acme',
    ],
    [403, 'No.', 'No.', 'The key came from CRM_API_KEY; it was sent to http://crm.test:8080.'],
    [
      408,
      '',
      'The service failed (408). The outcome of PATCH /api/leads/12 is unknown: it may or may not have taken effect.',
      'Before you repeat the request, see whether it took effect: crm leads get 12',
    ],
    [
      99,
      '',
      'The service answered with status 099, which means nothing here. The outcome of PATCH /api/leads/12 is unknown: it may or may not have taken effect.',
      'Before you repeat the request, see whether it took effect: crm leads get 12',
    ],
  ])('%i %s', (status, message, says, hint) => {
    const { message: said, details } = problem(status, { message });
    expect([said, details.hint, details.httpStatus]).toEqual([says, hint, status]);
  });

  it.each([401, 403])('%i with a page is told as a firewall', (status) => {
    const { message, details } = problem(status, '<title>Stop.</title>');
    expect(message).toBe(
      `The answer was an HTML page ("Stop") instead of JSON (${status}): a firewall or proxy stands before the service.`,
    );
    expect(details.hint).toBe('The request was sent to http://crm.test:8080. Whoever runs that firewall or proxy can let it pass.');
    expect(problem(status, '<p>').message).toMatch(/^The answer was an HTML page instead of JSON/);
  });

  it('keeps what Retry-After says, as it is and in seconds', () => {
    expect(problem(429, {}, { 'retry-after': '90' }).details).toMatchObject({ retryAfter: '90', retryIn: 90 });
    expect(problem(429, {}, { 'retry-after': 'soon' }).details).not.toHaveProperty('retryIn');
  });
});

describe('an answer that leads elsewhere', () => {
  const to = (location: string, method: Method, status = 302) => problem(status, '', { location }, method);

  it.each<[Method, string, string, string | undefined]>([
    [
      'GET',
      'https://new.test/api/leads/12?key=s',
      'The service redirects (302) to https://new.test/api/leads/12; crm does not follow, because a key belongs to one origin.',
      'If the service has moved there, make a profile with the new base URL.',
    ],
    [
      'GET',
      '/api/leads/12',
      'The service redirects (302) to http://crm.test:8080/api/leads/12; crm gave up after too many redirects.',
      undefined,
    ],
    [
      'PATCH',
      '/crm/api/leads/12',
      'The service redirects (302) to http://crm.test:8080/crm/api/leads/12; a PATCH is not sent on.',
      "The base URL would be http://crm.test:8080/crm. Today's came from CRM_BASE_URL.",
    ],
    ['PATCH', '/login', 'The service redirects (302) to http://crm.test:8080/login; a PATCH is not sent on.', undefined],
    [
      'PATCH',
      'https://new.test/api/leads/12',
      'The service redirects (302) to https://new.test/api/leads/12; a PATCH is not sent on.',
      'If the service has moved there, make a profile with the new base URL.',
    ],
    [
      'GET',
      'mailto:a',
      'The service redirects (302) to mailto://a; crm does not follow, because a key belongs to one origin.',
      'If the service has moved there, make a profile with the new base URL.',
    ],
    ['GET', '', 'The service redirects (302) to http://crm.test:8080/api/leads/12; crm gave up after too many redirects.', undefined],
  ])('%s, %s', (method, location, says, hint) => {
    const { message, details } = to(location, method);
    const check = 'Before you repeat the request, see whether it took effect: crm leads get 12';
    const unknown = ' The outcome of PATCH /api/leads/12 is unknown: it may or may not have taken effect.';
    expect(message).toBe(method === 'GET' ? says : says + unknown);
    expect(details.hint).toBe(method === 'GET' ? hint : [check, hint].filter(Boolean).join('\n'));
  });

  it('without a place is said', () => {
    expect(problem(307, '', {}, 'GET').message).toBe('The service redirects (307) without saying where to.');
  });

  it.each([300, 301, 302, 303, 304, 305, 306, 307, 308, 309])('%i', (status) => {
    const isRedirect = [301, 302, 303, 307, 308].includes(status);
    expect(redirectUrl('http://crm.test', '/a', answer(status, '', { location: '/b' })) !== undefined).toBe(isRedirect);
  });
});
