// Services and middlemen that people report: each gets a sentence of its own, the status stays, and no record is made up.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytes, type HostileServer, head, hostileServer, html, http, json, last, type Reply } from '../support/hostile-server.ts';
import { runHere } from '../support/run-here.ts';
import { expectFailure, settings } from './support.ts';

let server: HostileServer;
beforeAll(async () => {
  server = await hostileServer();
});
afterAll(() => server.stop());

const GET = 'leads get 1';
const LIST = 'leads list --all';
const POST = 'leads comments add 1 hello';
const run = (line: string, url: string) => runHere([...line.split(' '), '--retries', '0'], { env: settings(url) });

const lead = JSON.stringify({ data: { id: 1, title: 'T' } });
const continued = 'HTTP/1.1 100 Continue\r\n\r\n';
const full = (status: number, body: string) =>
  `${head(status, { 'content-length': body.length, 'content-type': 'application/json' })}${body}`;
const unknown = 'The outcome of POST /api/leads/1/comments is unknown: it may or may not have taken effect\\.';
const long = '9'.repeat(22);

describe('one sentence', () => {
  // biome-ignore format: a table
  it.each<[string, string, Reply, number, RegExp]>([
    ['100 Continue', GET, bytes(continued + full(200, lead)), 7, /sent "100 Continue", which crm did not ask for: an old server or a proxy stands there\.$/],
    ['100 Continue behind a 201', POST, bytes(continued + full(201, '{"data": {"id": 3}}')), 7, new RegExp(`sent "100 Continue", which crm did not ask for: .* ${unknown}$`)],
    ['an HTML 403', GET, html(403, 'Access Denied'), 4, /^error: The answer was an HTML page \("Access Denied"\) instead of JSON \(403\): a firewall or proxy stands before the service\.$/],
    ['an HTML 401', POST, html(401, 'Log in'), 4, /^error: The answer was an HTML page \("Log in"\) instead of JSON \(401\)/],
    ['TLS in place of HTTP', GET, last('\x15\x03\x01\x00\x02\x02\x28'), 7, /broke before the answer began: does it speak https\?$/],
    ['an end without a byte', POST, (socket) => socket.end(), 7, new RegExp(`does it speak https\\? ${unknown}$`)],
    ['an end within an answer', GET, last(full(200, lead).slice(0, -5)), 7, /broke before the answer was complete\.$/],
    ['300', GET, json([], 300), 7, /^error: The service answered with status 300, which means nothing here\.$/],
    ['304', GET, bytes(head(304)), 7, /^error: The service answered with status 304, which means nothing here\.$/],
    ['304 to a write', POST, bytes(head(304)), 7, new RegExp(`status 304, which means nothing here\\. ${unknown}$`)],
    ['302 to nowhere, to a write', POST, bytes(head(302, { 'content-length': 0 })), 7, new RegExp(`without saying where to\\. ${unknown}$`)],
    ['000', GET, bytes(full(200, lead).replace(' 200 ', ' 000 ')), 7, /^error: \S+ does not speak HTTP as crm knows it\.$/],
    ['a Retry-After of 22 digits', GET, json({ message: 'Slow down.' }, 429, { 'retry-after': long }), 6, /^error: Slow down\.$/],
    ['422 with a list of fields', POST, json({ message: 'Wrong.', errors: [{ field: 'text', message: 'Too long.' }, { message: 'No' }, 'Never.'] }, 422), 5, /^error: Wrong\. No\. Never\.$/],
    ['422 that is a list', POST, json([{ field: 'text', message: 'Too long.' }], 422), 5, /^error: The service refused the request \(422\)\.$/],
    ...[[null], [1], ['x'], [{ id: 1 }, null]].map((data): [string, string, Reply, number, RegExp] =>
      [`a list of ${JSON.stringify(data)}`, LIST, json({ data, meta: { total: data.length, last_page: 1 } }), 7, /^error: The service answered with a list of something else than records\.$/]),
    ...[[GET, undefined], [LIST, []], ['leads list --count', []]].map(([line, data]): [string, string, Reply, number, RegExp] =>
      ['a 200 that denies success', String(line), json({ success: false, message: 'Log in first.', data, meta: { total: 0, last_page: 1 } }), 7, /^error: The service answered 200, but says that it failed: "Log in first"\.$/]),
    ['an error in a 200', LIST, json({ error: 'No quota', data: [] }), 7, /^error: The service answered 200, but says that it failed: "No quota"\.$/],
    ['a 202 for a list that is to come', LIST, json({ data: [] }, 202), 7, /^error: The service answered 202, but has only accepted the request\.$/],
  ])('%s, %s', async (name, line, reply, status, says) => {
    const peer = server.serve(`one-${name}-${line}`.replaceAll(/\W/g, ''), reply);
    const crm = await run(line, peer.url);
    expectFailure(crm, status, says);
    expect(crm.stderr).not.toMatch(/key came from|\d{18} h/);
    if (status === 6) expect(crm.stderr).toContain(`That is a wait of years, which the service can hardly mean. The service asks to wait: Retry-After ${long}.`);
    if (name.startsWith('422')) expect(crm.stderr).toContain('Too long.');
    expect(peer.seen).toHaveLength(1);
  });

  it.each([
    ['deflate as zlib writes it', deflateSync],
    ['bare deflate', deflateRawSync],
  ])('%s is decoded', async (name, deflate) => {
    const peer = server.serve(`coded-${name.length}`, http(200, deflate(lead), { 'content-encoding': 'deflate' }));
    expect(await run(`${GET} --jq .title`, peer.url)).toEqual({ status: 0, stdout: 'T\n', stderr: '' });
  });
});

describe('a list', () => {
  const page = (from: number, count: number, total: number, size = 1): Reply =>
    json({ data: Array.from({ length: count }, (_, at) => ({ id: from - at })), meta: { total, last_page: Math.ceil(total / size) } });

  it('that grows with every page ends beyond twice the pages and a thousand more', async () => {
    let asked = 0;
    const peer = server.serve('grows', (socket, request) => {
      asked += 1;
      page(1_000_000 - asked, 1, asked + 3)(socket, request);
    });
    const crm = await run('leads list --all -o ids', peer.url);
    expect([crm.status, crm.stderr]).toEqual([7, expect.stringContaining('The list goes on growing while it is read, without end.')]);
    expect(asked).toBeGreaterThan(1000);
    expect(asked).toBeLessThan(1020);
  });

  it('of which colleagues move two pages along is whole; three pages without anything new are none', async () => {
    const whole = await run(
      'leads list --all -o ids',
      server.serve('moved2', page(9, 1, 2), page(9, 1, 3), page(9, 1, 4), page(8, 1, 4)).url,
    );
    expect([whole.status, whole.stdout], whole.stderr).toEqual([0, '9\n8\n']);
    const stuck = await run('leads list --all -o ids', server.serve('stuck', page(9, 1, 8)).url);
    expect([stuck.status, stuck.stderr]).toEqual([
      7,
      expect.stringContaining('says that the list goes on, but page 4 brought nothing new.'),
    ]);
  });
});

describe('a list that is denied in a 200 does not mean that nothing is there', () => {
  const denied = json({ success: false, message: 'Log in first.', data: [], meta: { total: 0, last_page: 1 } });
  const imported = async (url: string, ...flags: string[]) => {
    const data = mkdtempSync(join(tmpdir(), 'crm-odd-'));
    const stdin = 'title,status,category,email\nOne,1,3,one@x.example\n';
    const env = settings(url, { CRM_DATA_DIR: data });
    const crm = await runHere(['leads', 'import', '-', '--yes', '--json', '--retries', '0', ...flags], { env, stdin });
    rmSync(data, { recursive: true });
    return crm;
  };

  it('to an upsert', async () => {
    const peer = server.serve('denied-upsert', denied);
    const crm = await imported(peer.url, '--mode', 'upsert', '--match', 'email');
    expect([crm.status, crm.stderr]).toEqual([7, expect.stringContaining('says that it failed')]);
    expect(peer.seen.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('to a create whose answer was lost: it is not sent again', async () => {
    const listed = json({ data: [], meta: { total: 0, last_page: 1 } });
    const peer = server.serve('denied-look', listed, (socket) => socket.end(), denied);
    const crm = await imported(peer.url);
    expect([crm.status, JSON.parse(crm.stderr).error.code]).toEqual([7, 'outcome_unknown']);
    expect(peer.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

it('a create behind a 100 Continue is looked for as any lost one, and never sent again', async () => {
  const record = { id: 5, title: 'One', status: { id: 1 }, category: { id: 3 } };
  const listed = (...data: object[]): Reply => json({ data, meta: { total: data.length, last_page: 1 } });
  const peer = server.serve(
    'import',
    listed(),
    bytes(continued + full(201, '{"data": {"id": 5}}')),
    listed(record),
    json({ data: record }),
  );
  const data = mkdtempSync(join(tmpdir(), 'crm-odd-'));
  const stdin = 'title,status,category\nOne,1,3\n';
  const crm = await runHere(['leads', 'import', '-', '--yes', '--json'], { env: settings(peer.url, { CRM_DATA_DIR: data }), stdin });
  rmSync(data, { recursive: true });
  expect([crm.status, JSON.parse(crm.stdout)], crm.stderr).toMatchObject([0, { created: 1, unknown: 0, failed: 0 }]);
  expect(peer.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
