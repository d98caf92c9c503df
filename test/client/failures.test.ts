// The program against a peer that answers wrongly, badly or not at all: the exit status, one sentence, no stack,
// no key; the same once more with --json and --debug.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bytes,
  type HostileServer,
  head,
  hostileServer,
  html,
  http,
  json,
  last,
  type Reply,
  reset,
  silence,
} from '../support/hostile-server.ts';
import { runHere } from '../support/run-here.ts';
import { codes, expectFailure, expectJsonFailure, expectNoKey, key, settings } from './support.ts';

const GET = ['leads', 'get', '1'];
const POST = ['leads', 'comments', 'add', '1', 'hello'];
const PATCH = ['leads', 'update', '1', '--title', 'x', '--status', '2', '--category', '3', '--replace'];
const DELETE = ['leads', 'delete', '1', '--yes'];
const TAGS = ['leads', 'tags', '1', 'hot'];

const UNKNOWN = /The outcome of \w+ \S+ is unknown: it may or may not have taken effect\./;

/**
 * What follows `crm` (`--retries 1` is added), the peer's reply, the exit status, how many requests the service sees, the sentence, and a
 * second line.
 */
type Failure = [name: string, argv: readonly string[], reply: Reply, exit: number, sent: number, says: RegExp, hints?: RegExp];

const within = (argv: readonly string[]): readonly string[] => [...argv, '--timeout', '1'];

/** The code of an error that says so. */
const codeOf = (exit: number, says: RegExp): string =>
  / is unknown/.test(says.source) ? 'outcome_unknown' : /within 1 s/.test(says.source) ? 'timed_out' : (codes[exit] ?? '');

const echo =
  (status: number, make: (authorization: string) => string, type = 'text/html'): Reply =>
  (socket, request) =>
    http(status, Buffer.from(make(request.headers.authorization ?? ''), 'latin1'), { 'content-type': type })(socket, request);

const unauthorized: Reply = json({ message: 'Unauthorized. A valid API key is required.' }, 401);
const quotingKey: Reply = echo(401, (it) => JSON.stringify({ message: `Not allowed: ${it}.` }));
const quotingKeyInHtml: Reply = echo(500, (it) => `<title>Fault with ${it}</title>`);
const quotingKeyInHeader: Reply = (socket, { headers }) =>
  socket.write(head(400, { 'content-length': 0, 'x-you-sent': headers.authorization ?? '' }));
const invalid: Reply = json({ message: 'The given data was invalid.', errors: { lead_title: ['Too short.'] } }, 422);
const oddErrors: Reply = json({ message: 7, errors: { a: 'text', b: null, c: [1, { d: 2 }] } }, 422);
const plainText: Reply = http(200, 'hello', { 'content-type': 'text/plain; charset=utf-8' });
const twoLengths: Reply = bytes('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}\n');
const upgrade: Reply = bytes('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ws\r\n\r\n');
const badGateway = html(502, 'Bad Gateway');
const ssh = bytes('SSH-2.0-OpenSSH_9.9\r\n');
const halfBody = bytes(`${head(200, { 'content-length': 99 })}{"da`);
const brokenOff = reset(`${head(201, { 'content-length': 99 })}{"da`);
const truncated = bytes(`${head(200, { 'content-length': 12, 'content-type': 'application/json' })}{"data": {"i`);
const record = '{"data": {"id": 1, "title": "Deal"}}';
const chunkedHead = head(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });

const failures: Failure[] = [
  // Keys that are refused.
  ['401', GET, unauthorized, 4, 1, /Unauthorized\. A valid API key is required\.$/, /^The key came from CRM_API_KEY; it was sent to http:/],
  ['401 without a body', GET, http(401, ''), 4, 1, /The service refused the key \(401\)\.$/],
  ['403', GET, json({ message: 'Forbidden.' }, 403), 4, 1, /Forbidden\.$/, /CRM_API_KEY/],
  ['401 that quotes the key', GET, quotingKey, 4, 1, /Not allowed: Bearer \*\*\*\.$/],
  ['500 that quotes the key in HTML', GET, quotingKeyInHtml, 7, 2, /failed \(500\): Fault with Bearer \*\*\*\.$/],
  ['400 that quotes the key in a header', GET, quotingKeyInHeader, 5, 1, /./],
  // Answers that say no.
  ['404', GET, json({ message: 'Lead not found.' }, 404), 3, 1, /Lead 1 not found\.$/],
  ['404 in HTML', GET, html(404, 'Not Found'), 3, 1, /There is nothing at \/api\/leads\/1 \(404\)\.$/],
  ['409', ['leads', 'archive', '1'], json({ message: 'Archived already.' }, 409), 10, 1, /Archived already\.$/],
  ['422', PATCH, invalid, 5, 1, /The given data was invalid\.$/, /^ {2}--title: Too short\.$/],
  ['422 with odd errors', PATCH, oddErrors, 5, 1, /The service refused the request \(422\)\.$/],
  ['418', GET, http(418, 'tea'), 5, 1, /refused the request \(418\)\.$/],
  ['429 for ever', POST, json({ message: 'Too Many Attempts.' }, 429, { 'retry-after': 0 }), 6, 2, /Too Many Attempts\.$/, /Retry-After 0/],
  // Servers that fail: who is asked again. A single change or delete whose answer was lost is looked at, as often as any read is tried.
  ['HTML 502, GET', GET, badGateway, 7, 2, /The service failed \(502\): Bad Gateway\.$/],
  ['HTML 502, POST', POST, badGateway, 7, 1, UNKNOWN, /: crm leads comments list 1$/],
  ['HTML 502, PATCH', PATCH, badGateway, 7, 1, /failed \(502\): Bad Gateway\. The outcome of PATCH \S+ is unknown/, /: crm leads get 1$/],
  ['HTML 502, DELETE', DELETE, badGateway, 7, 3, UNKNOWN, /: crm leads get 1$/],
  ['HTML 502, PUT tags', TAGS, badGateway, 7, 4, UNKNOWN, /: crm leads get 1$/],
  ['503 with a huge page', GET, http(503, `<h1>Down</h1>${'x'.repeat(3_000_000)}`), 7, 2, /\(503\): Down\.$/],
  ['999', GET, bytes('HTTP/1.1 999 What\r\ncontent-length: 0\r\n\r\n'), 7, 1, /\(999\)\.$/],
  ['304 out of the blue', GET, http(304, ''), 7, 1, /^(error: )?The service answered with status 304, which means nothing here\.$/],
  // Answers that can't be read.
  ['truncated JSON, GET', GET, truncated, 7, 1, /answered 200, but its JSON is broken or cut off\.$/],
  ['truncated JSON, POST', POST, truncated, 7, 1, UNKNOWN, /: crm leads comments list 1$/],
  [
    'HTML with 200',
    GET,
    html(200, 'Sign in'),
    7,
    1,
    /with an HTML page instead of JSON\.$/,
    /Does the base URL belong to the service itself\?$/,
  ],
  ['plain text with 200', GET, plainText, 7, 1, /with text\/plain instead of JSON\.$/],
  ['invalid UTF-8', GET, http(200, Buffer.from('{"data": {"title": "caf\xe9"}}', 'latin1')), 7, 1, /its answer is not valid UTF-8\.$/],
  ['two documents', GET, http(200, record + record), 7, 1, /its JSON is broken or cut off\.$/],
  // Connections that break.
  ['reset before an answer, GET', GET, reset(), 7, 2, /The connection to 127\S+ broke before the answer was complete\.$/],
  ['reset mid-body, GET', GET, reset(`${head(200, { 'content-length': 99 })}{"da`), 7, 2, /broke before/],
  [
    'reset mid-body, POST',
    POST,
    brokenOff,
    7,
    1,
    UNKNOWN,
    /^Before you repeat the request, see whether it took effect: crm leads comments list 1$/,
  ],
  ['reset before an answer, POST', POST, reset(), 7, 1, UNKNOWN, /crm leads comments list 1$/],
  ['reset before an answer, PATCH', PATCH, reset(), 7, 1, UNKNOWN, /crm leads get 1$/],
  ['reset before an answer, PUT tags', TAGS, reset(), 7, 4, UNKNOWN],
  ['end before Content-Length', GET, last(`${head(200, { 'content-length': 99 })}${record}`), 7, 2, /broke before/],
  ['end before the last chunk', GET, last(`${chunkedHead}5\r\n{"dat\r\n`), 7, 2, /broke before/],
  ['body beyond Content-Length', GET, bytes(`${head(200, { 'content-length': 9 })}${record}`), 7, 1, /broken or cut off/],
  ['broken chunk', GET, bytes(`${chunkedHead}zz\r\n`), 7, 1, /does not speak HTTP/],
  ['garbage', GET, ssh, 7, 1, /127\S+ does not speak HTTP/],
  ['garbage, POST', POST, ssh, 7, 1, UNKNOWN],
  ['a header line that is none', GET, bytes('HTTP/1.1 200 OK\r\nno colon\r\n\r\n'), 7, 1, /does not speak HTTP/],
  ['two lengths', GET, twoLengths, 7, 2, /does not speak HTTP|broke before/],
  ['a huge header', GET, http(200, record, { 'x-big': 'y'.repeat(200_000) }), 7, 1, /has too large a header\.$/],
  ['an upgrade nobody asked for', GET, upgrade, 7, 2, /broke before/],
  // Answers without an end. `--timeout 1` is the test's own.
  ['silence, GET', within(GET), silence, 7, 1, /No complete answer from 127\S+ within 1 s\.$/, /--timeout/],
  ['silence, POST', within(POST), silence, 7, 1, /within 1 s\. The outcome of POST \S+ is unknown/],
  // The look behind it has to arrive within the same time, on a busy machine, too.
  ['silence, PUT tags', [...TAGS, '--timeout', '3'], silence, 7, 2, UNKNOWN],
  ['half a head', within(GET), bytes('HTTP/1.1 200 OK\r\ncontent-'), 7, 1, /within 1 s\.$/],
  ['half a body', within(GET), halfBody, 7, 1, /within 1 s\.$/],
  ['a slow drip', within(GET), drip, 7, 1, /within 1 s\.$/],
  ['half a body of a 500', within(GET), bytes(`${head(500, { 'content-length': 99 })}{"da`), 7, 1, /within 1 s\.$/],
];

function drip(socket: Parameters<Reply>[0]): void {
  socket.write(head(200, { 'transfer-encoding': 'chunked' }));
  const timer = setInterval(() => socket.write('1\r\n \r\n'), 50);
  socket.on('close', () => clearInterval(timer));
}

let server: HostileServer;
beforeAll(async () => {
  server = await hostileServer();
});
afterAll(() => server.stop());

const slug = (name: string): string => encodeURIComponent(name.replaceAll(/\W+/g, '-'));

describe.concurrent('what a peer does wrong', () => {
  it.each(failures)('%s', async (name, argv, reply, exit, sent, says, hints) => {
    const peer = server.serve(slug(name), reply);
    const crm = await runHere([...argv, '--retries', '1'], { env: settings(peer.url) });
    expectFailure(crm, exit, says);
    if (hints !== undefined) expect(crm.stderr.trimEnd().split('\n')[1]).toMatch(hints);
    expect(peer.seen.length).toBe(sent);
    expect(peer.seen[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  it.each(failures)('%s, --json --debug', async (name, argv, reply, exit, sent, says) => {
    const peer = server.serve(`debug-${slug(name)}`, reply);
    const crm = await runHere([...argv, '--retries', '1', '--json', '--debug'], { env: settings(peer.url) });
    expectJsonFailure(crm, exit, codeOf(exit, says), says);
    expect(peer.seen.length).toBe(sent);
  });
});

describe.concurrent('a status change is sent once', () => {
  it.each(['502', 'reset'])('%s', async (what) => {
    const peer = server.serve(
      `status-${what}`,
      json({ data: { id: 5, status: 'draft', signed: null } }),
      what === '502' ? html(502, 'Bad') : reset(),
    );
    const crm = await runHere(['proposals', 'status', '5', 'accepted', '--yes', '--retries', '3'], { env: settings(peer.url) });
    expectFailure(crm, 7, UNKNOWN);
    expect(crm.stderr).toMatch(/crm proposals get 5$/m);
    expect(peer.seen.map(({ method }) => method).filter((method) => method !== 'GET')).toEqual(['PUT']);
  });
});

it('the command that shows what became of a write goes to the profile that was named', async () => {
  const peer = server.serve('profile', html(502, 'Bad Gateway'));
  const env = { CRM_CONFIG_DIR: mkdtempSync(join(tmpdir(), 'crm-')) };
  await runHere(['profile', 'add', 'fleet', '--base-url', peer.url, '--key-command', 'echo k', '--no-verify'], { env });
  const crm = await runHere(['-p', 'fleet', ...POST], { env });
  expect(crm.stderr).toMatch(/^Before you repeat the request, see whether it took effect: crm -p fleet leads comments list 1$/m);
});

describe.concurrent('nowhere to send to', () => {
  it('no profile', async () => {
    const crm = await runHere(GET, { env: { CRM_CONFIG_DIR: '/nonexistent/crm' } });
    expectFailure(crm, 4, /No profile is chosen and no settings are in the environment\.$/);
    const asJson = await runHere([...GET, '--json'], { env: { CRM_CONFIG_DIR: '/nonexistent/crm' } });
    expectJsonFailure(asJson, 4, 'no_profile', /No profile is chosen/);
  });

  it.each([
    ['GET', GET, /^error: The host name of crm\.invalid can't be resolved\.$/m],
    ['POST', POST, /^error: The host name of crm\.invalid can't be resolved\. Nothing was sent\.$/m],
  ])('an unknown host, %s', async (_method, argv, says) => {
    const crm = await runHere([...argv, '--retries', '1'], { env: settings('https://crm.invalid') });
    expectFailure(crm, 7, says);
    expect(crm.stderr).toContain('The base URL came from CRM_BASE_URL.');
  });

  it.each([
    ['GET', GET, /^error: Nothing listens at 127\.0\.0\.1:1: connection refused\.$/m],
    ['DELETE', DELETE, /^error: Nothing listens at 127\.0\.0\.1:1: connection refused\. Nothing was sent\.$/m],
  ])('a closed port, %s', async (_method, argv, says) => {
    const crm = await runHere([...argv, '--retries', '1', '--verbose'], { env: settings('http://127.0.0.1:1') });
    expect(crm.stderr).toMatch(says);
    expect(crm.stderr.match(/ failed in /g)).toHaveLength(2);
    expect(crm.status).toBe(7);
    expect(crm.stdout).toBe('');
    expectNoKey(crm);
  });
});
