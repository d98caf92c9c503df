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

interface Failure {
  readonly name: string;
  /** What follows `crm`; `--retries 1` is added. */
  readonly argv: readonly string[];
  readonly replies: readonly Reply[];
  readonly exit: number;
  /** Where it says more than the exit status. */
  readonly code?: string;
  readonly says: RegExp;
  /** A second line. */
  readonly hints?: RegExp;
  /** How many requests the service sees. */
  readonly sent: number;
}

const echo =
  (status: number, make: (authorization: string) => string, type = 'text/html'): Reply =>
  (socket, request) =>
    http(status, Buffer.from(make(request.headers.authorization ?? ''), 'latin1'), { 'content-type': type })(socket, request);

const truncated = bytes(`${head(200, { 'content-length': 12, 'content-type': 'application/json' })}{"data": {"i`);
const record = '{"data": {"id": 1, "title": "Deal"}}';
const chunkedHead = head(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });

const failures: Failure[] = [
  // Keys that are refused.
  {
    name: '401',
    argv: GET,
    replies: [json({ message: 'Unauthorized. A valid API key is required.' }, 401)],
    exit: 4,
    says: /Unauthorized\. A valid API key is required\.$/,
    hints: /^The key came from CRM_API_KEY; it was sent to http:\/\/127/,
    sent: 1,
  },
  { name: '401 without a body', argv: GET, replies: [http(401, '')], exit: 4, says: /The service refused the key \(401\)\.$/, sent: 1 },
  { name: '403', argv: GET, replies: [json({ message: 'Forbidden.' }, 403)], exit: 4, says: /Forbidden\.$/, hints: /CRM_API_KEY/, sent: 1 },
  {
    name: '401 that quotes the key',
    argv: GET,
    replies: [echo(401, (it) => JSON.stringify({ message: `Not allowed: ${it}.` }))],
    exit: 4,
    says: /Not allowed: Bearer \*\*\*\.$/,
    sent: 1,
  },
  {
    name: '500 that quotes the key in HTML',
    argv: GET,
    replies: [echo(500, (it) => `<title>Fault with ${it}</title>`)],
    exit: 7,
    says: /failed \(500\): Fault with Bearer \*\*\*\.$/,
    sent: 2,
  },
  {
    name: '400 that quotes the key in a header',
    argv: GET,
    exit: 5,
    says: /./,
    sent: 1,
    replies: [(socket, { headers }) => socket.write(head(400, { 'content-length': 0, 'x-you-sent': headers.authorization ?? '' }))],
  },

  // Answers that say no.
  { name: '404', argv: GET, replies: [json({ message: 'Lead not found.' }, 404)], exit: 3, says: /Lead 1 not found\.$/, sent: 1 },
  {
    name: '404 in HTML',
    argv: GET,
    replies: [html(404, 'Not Found')],
    exit: 3,
    says: /There is nothing at \/api\/leads\/1 \(404\)\.$/,
    sent: 1,
  },
  {
    name: '409',
    argv: ['leads', 'archive', '1'],
    replies: [json({ message: 'Archived already.' }, 409)],
    exit: 10,
    says: /Archived already\.$/,
    sent: 1,
  },
  {
    name: '422',
    argv: PATCH,
    replies: [json({ message: 'The given data was invalid.', errors: { lead_title: ['Too short.'] } }, 422)],
    exit: 5,
    says: /The given data was invalid\.$/,
    hints: /^ {2}--title: Too short\.$/,
    sent: 1,
  },
  {
    name: '422 with odd errors',
    argv: PATCH,
    replies: [json({ message: 7, errors: { a: 'text', b: null, c: [1, { d: 2 }] } }, 422)],
    exit: 5,
    says: /The service refused the request \(422\)\.$/,
    sent: 1,
  },
  { name: '418', argv: GET, replies: [http(418, 'tea')], exit: 5, says: /refused the request \(418\)\.$/, sent: 1 },
  {
    name: '429 for ever',
    argv: POST,
    replies: [json({ message: 'Too Many Attempts.' }, 429, { 'retry-after': 0 })],
    exit: 6,
    says: /Too Many Attempts\.$/,
    hints: /Retry-After 0/,
    sent: 2,
  },

  // Servers that fail: who is asked again.
  {
    name: 'HTML 502, GET',
    argv: GET,
    replies: [html(502, 'Bad Gateway')],
    exit: 7,
    says: /The service failed \(502\): Bad Gateway\.$/,
    sent: 2,
  },
  {
    name: 'HTML 502, POST',
    code: 'outcome_unknown',
    argv: POST,
    replies: [html(502, 'Bad Gateway')],
    exit: 7,
    says: UNKNOWN,
    hints: /: crm leads comments list 1$/,
    sent: 1,
  },
  {
    name: 'HTML 502, PATCH',
    code: 'outcome_unknown',
    argv: PATCH,
    replies: [html(502, 'Bad Gateway')],
    exit: 7,
    says: /failed \(502\): Bad Gateway\. The outcome of PATCH \S+ is unknown/,
    hints: /: crm leads get 1$/,
    sent: 1,
  },
  {
    name: 'HTML 502, DELETE',
    code: 'outcome_unknown',
    argv: DELETE,
    replies: [html(502, 'Bad Gateway')],
    exit: 7,
    says: UNKNOWN,
    hints: /: crm leads get 1$/,
    sent: 1,
  },
  {
    name: 'HTML 502, PUT tags',
    code: 'outcome_unknown',
    argv: TAGS,
    replies: [html(502, 'Bad Gateway')],
    exit: 7,
    says: UNKNOWN,
    hints: /: crm leads get 1$/,
    sent: 2,
  },
  {
    name: '503 with a huge page',
    argv: GET,
    replies: [http(503, `<h1>Down</h1>${'x'.repeat(3_000_000)}`)],
    exit: 7,
    says: /\(503\): Down\.$/,
    sent: 2,
  },
  { name: '999', argv: GET, replies: [bytes('HTTP/1.1 999 What\r\ncontent-length: 0\r\n\r\n')], exit: 7, says: /\(999\)\.$/, sent: 1 },
  {
    name: '304 out of the blue',
    argv: GET,
    replies: [http(304, '')],
    exit: 7,
    says: /redirects \(304\) without saying where to\.$/,
    sent: 1,
  },

  // Answers that can't be read.
  {
    name: 'truncated JSON, GET',
    argv: GET,
    replies: [truncated],
    exit: 7,
    says: /answered 200, but its JSON is broken or cut off\.$/,
    sent: 1,
  },
  {
    name: 'truncated JSON, POST',
    code: 'outcome_unknown',
    argv: POST,
    replies: [truncated],
    exit: 7,
    says: UNKNOWN,
    hints: /: crm leads comments list 1$/,
    sent: 1,
  },
  {
    name: 'HTML with 200',
    argv: GET,
    replies: [html(200, 'Sign in')],
    exit: 7,
    says: /with an HTML page instead of JSON\.$/,
    hints: /Is the base URL that of the service itself\?$/,
    sent: 1,
  },
  {
    name: 'plain text with 200',
    argv: GET,
    replies: [http(200, 'hello', { 'content-type': 'text/plain; charset=utf-8' })],
    exit: 7,
    says: /with text\/plain instead of JSON\.$/,
    sent: 1,
  },
  {
    name: 'invalid UTF-8',
    argv: GET,
    replies: [http(200, Buffer.from('{"data": {"title": "caf\xe9"}}', 'latin1'))],
    exit: 7,
    says: /its answer is not valid UTF-8\.$/,
    sent: 1,
  },
  { name: 'two documents', argv: GET, replies: [http(200, record + record)], exit: 7, says: /its JSON is broken or cut off\.$/, sent: 1 },

  // Connections that break.
  {
    name: 'reset before an answer, GET',
    argv: GET,
    replies: [reset()],
    exit: 7,
    says: /The connection to 127\S+ broke before the answer was complete\.$/,
    sent: 2,
  },
  {
    name: 'reset mid-body, GET',
    argv: GET,
    replies: [reset(`${head(200, { 'content-length': 99 })}{"da`)],
    exit: 7,
    says: /broke before/,
    sent: 2,
  },
  {
    name: 'reset mid-body, POST',
    code: 'outcome_unknown',
    argv: POST,
    replies: [reset(`${head(201, { 'content-length': 99 })}{"da`)],
    exit: 7,
    says: UNKNOWN,
    hints: /^See whether it did before you repeat it: crm leads comments list 1$/,
    sent: 1,
  },
  {
    name: 'reset before an answer, POST',
    code: 'outcome_unknown',
    argv: POST,
    replies: [reset()],
    exit: 7,
    says: UNKNOWN,
    hints: /crm leads comments list 1$/,
    sent: 1,
  },
  {
    name: 'reset before an answer, PATCH',
    code: 'outcome_unknown',
    argv: PATCH,
    replies: [reset()],
    exit: 7,
    says: UNKNOWN,
    hints: /crm leads get 1$/,
    sent: 1,
  },
  { name: 'reset before an answer, PUT tags', code: 'outcome_unknown', argv: TAGS, replies: [reset()], exit: 7, says: UNKNOWN, sent: 2 },
  {
    name: 'end before Content-Length',
    argv: GET,
    replies: [last(`${head(200, { 'content-length': 99 })}${record}`)],
    exit: 7,
    says: /broke before/,
    sent: 2,
  },
  { name: 'end before the last chunk', argv: GET, replies: [last(`${chunkedHead}5\r\n{"dat\r\n`)], exit: 7, says: /broke before/, sent: 2 },
  {
    name: 'body beyond Content-Length',
    argv: GET,
    replies: [bytes(`${head(200, { 'content-length': 9 })}${record}`)],
    exit: 7,
    says: /broken or cut off/,
    sent: 1,
  },
  { name: 'broken chunk', argv: GET, replies: [bytes(`${chunkedHead}zz\r\n`)], exit: 7, says: /does not speak HTTP/, sent: 1 },
  {
    name: 'garbage',
    argv: GET,
    replies: [bytes('SSH-2.0-OpenSSH_9.9\r\n')],
    exit: 7,
    says: /What answers at 127\S+ does not speak HTTP/,
    sent: 1,
  },
  {
    name: 'garbage, POST',
    code: 'outcome_unknown',
    argv: POST,
    replies: [bytes('SSH-2.0-OpenSSH_9.9\r\n')],
    exit: 7,
    says: UNKNOWN,
    sent: 1,
  },
  {
    name: 'a header line that is none',
    argv: GET,
    replies: [bytes('HTTP/1.1 200 OK\r\nno colon\r\n\r\n')],
    exit: 7,
    says: /does not speak HTTP/,
    sent: 1,
  },
  {
    name: 'two lengths',
    argv: GET,
    replies: [bytes('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}\n')],
    exit: 7,
    says: /does not speak HTTP|broke before/,
    sent: 2,
  },
  {
    name: 'a huge header',
    argv: GET,
    replies: [http(200, record, { 'x-big': 'y'.repeat(200_000) })],
    exit: 7,
    says: /has too large a header\.$/,
    sent: 1,
  },
  {
    name: 'an upgrade nobody asked for',
    argv: GET,
    replies: [bytes('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ws\r\n\r\n')],
    exit: 7,
    says: /broke before/,
    sent: 2,
  },

  // Answers without an end. `--timeout 1` is the test's own.
  {
    name: 'silence, GET',
    code: 'timed_out',
    argv: [...GET, '--timeout', '1'],
    replies: [silence],
    exit: 7,
    says: /No complete answer from 127\S+ within 1 s\.$/,
    hints: /--timeout/,
    sent: 1,
  },
  {
    name: 'silence, POST',
    code: 'outcome_unknown',
    argv: [...POST, '--timeout', '1'],
    replies: [silence],
    exit: 7,
    says: /within 1 s\. The outcome of POST \S+ is unknown/,
    sent: 1,
  },
  {
    name: 'silence, PUT tags',
    code: 'outcome_unknown',
    argv: [...TAGS, '--timeout', '1'],
    replies: [silence],
    exit: 7,
    says: UNKNOWN,
    sent: 1,
  },
  {
    name: 'half a head',
    code: 'timed_out',
    argv: [...GET, '--timeout', '1'],
    replies: [bytes('HTTP/1.1 200 OK\r\ncontent-')],
    exit: 7,
    says: /within 1 s\.$/,
    sent: 1,
  },
  {
    name: 'half a body',
    code: 'timed_out',
    argv: [...GET, '--timeout', '1'],
    replies: [bytes(`${head(200, { 'content-length': 99 })}{"da`)],
    exit: 7,
    says: /within 1 s\.$/,
    sent: 1,
  },
  { name: 'a slow drip', code: 'timed_out', argv: [...GET, '--timeout', '1'], replies: [drip], exit: 7, says: /within 1 s\.$/, sent: 1 },
  {
    name: 'half a body of a 500',
    code: 'timed_out',
    argv: [...GET, '--timeout', '1'],
    replies: [bytes(`${head(500, { 'content-length': 99 })}{"da`)],
    exit: 7,
    says: /within 1 s\.$/,
    sent: 1,
  },
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
  for (const [index, one] of failures.entries()) {
    const argv = [...one.argv, '--retries', '1'];

    it(one.name, async () => {
      const peer = server.serve(`${index}-${slug(one.name)}`, ...one.replies);
      const crm = await runHere(argv, { env: settings(peer.url) });
      expectFailure(crm, one.exit, one.says);
      if (one.hints !== undefined) expect(crm.stderr.trimEnd().split('\n')[1]).toMatch(one.hints);
      expect(peer.seen.length).toBe(one.sent);
      expect(peer.seen[0]?.headers.authorization).toBe(`Bearer ${key}`);
    });

    it(`${one.name}, --json --debug`, async () => {
      const peer = server.serve(`${index}-debug`, ...one.replies);
      const crm = await runHere([...argv, '--json', '--debug'], { env: settings(peer.url) });
      expectJsonFailure(crm, one.exit, one.code ?? codes[one.exit] ?? '', one.says);
      expect(peer.seen.length).toBe(one.sent);
    });
  }
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
    expect(peer.seen.map(({ method }) => method)).toEqual(['GET', 'PUT']);
  });
});

it('the command that shows what became of a write goes to the profile that was named', async () => {
  const peer = server.serve('profile', html(502, 'Bad Gateway'));
  const env = { CRM_CONFIG_DIR: mkdtempSync(join(tmpdir(), 'crm-')) };
  await runHere(['profile', 'add', 'fleet', '--base-url', peer.url, '--key-command', 'echo k', '--no-verify'], { env });
  const crm = await runHere(['-p', 'fleet', ...POST], { env });
  expect(crm.stderr).toMatch(/ before you repeat it: crm -p fleet leads comments list 1$/m);
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
