// Compressed answers, asked for or not: decoded within the limits on size, and any other coding is named.

import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostileServer, hostileServer, http } from '../support/hostile-server.ts';
import { runHere } from '../support/run-here.ts';
import { expectFailure, settings } from './support.ts';

const GET = ['leads', 'get', '1', '--json'];
const POST = ['leads', 'comments', 'add', '1', 'hello', '--json'];
const text = JSON.stringify({ data: { id: 1, title: 'Büro', value: '12345678901234567890.10' } });

let server: HostileServer;
beforeAll(async () => {
  server = await hostileServer();
});
afterAll(() => server.stop());

const answer = (body: Uint8Array, coding: string, status = 200) =>
  http(status, body, { 'content-type': 'application/json', 'content-encoding': coding });

describe.concurrent('compressed answers', () => {
  it.each<[string, string, Uint8Array]>([
    ['gzip', 'gzip', gzipSync(text)],
    ['br', 'br', brotliCompressSync(text)],
    ['zstd', 'zstd', zstdCompressSync(text)],
    ['capitals', 'GZIP', gzipSync(text)],
    ['two', 'gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', 'identity', Buffer.from(text)],
  ])('%s', async (name, coding, body) => {
    const peer = server.serve(`read-${name}`, answer(body, coding));
    const crm = await runHere(GET, { env: settings(peer.url) });
    expect(crm.status, crm.stderr).toBe(0);
    expect(JSON.parse(crm.stdout)).toEqual({ id: 1, title: 'Büro', value: '12345678901234567890.10' });
    expect(peer.seen[0]?.headers['accept-encoding']).toBe('gzip, br, zstd');
    const written = server.serve(`write-${name}`, answer(body, coding, 201));
    const post = await runHere(POST, { env: settings(written.url) });
    expect(post.status, post.stderr).toBe(0);
    expect(written.seen).toHaveLength(1);
  });

  it('an error in one is read as any other', async () => {
    const problem = gzipSync(JSON.stringify({ message: 'Refused.', errors: { title: ['The title is too long.'] } }));
    const peer = server.serve('problem', answer(problem, 'gzip', 422));
    expectFailure(await runHere(POST.slice(0, -1), { env: settings(peer.url) }), 5, /^error: Refused\.$/);
  });

  it('an empty one is empty', async () => {
    const peer = server.serve('empty', answer(new Uint8Array(), 'gzip', 200));
    expect((await runHere(['api', 'POST', '/api/x'], { env: settings(peer.url) })).status).toBe(0);
  });

  it('any other coding is named, and a write is not sent again', async () => {
    const peer = server.serve('other', answer(deflateSync(text), 'compress', 201));
    const crm = await runHere(POST.slice(0, -1), { env: settings(peer.url) });
    expectFailure(
      crm,
      7,
      /^error: The service answered 201, but in a content coding that crm can't decode: compress\. The outcome of POST/,
    );
    expect(peer.seen).toHaveLength(1);
    const read = server.serve('other-read', answer(deflateSync(text), 'x-secret'));
    expectFailure(await runHere(GET.slice(0, -1), { env: settings(read.url) }), 7, /can't decode: x-secret\.$/);
    expect(read.seen).toHaveLength(1);
  });

  it.each([
    ['gzip', gzipSync(text).subarray(0, -12)],
    ['br', brotliCompressSync(text).subarray(0, -4)],
    ['gzip', Buffer.from(text)],
  ])('a broken one (%s)', async (coding, body) => {
    const peer = server.serve(`broken-${coding}-${body.length}`, answer(body, coding, 201));
    const crm = await runHere(POST.slice(0, -1), { env: settings(peer.url) });
    expectFailure(crm, 7, new RegExp(`^error: The service answered 201, but its answer is no whole ${coding}\\. The outcome of POST`));
    expect(peer.seen).toHaveLength(1);
  });

  it('a small one that grows beyond the limit is not read to its end', async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, ' '));
    expect(bomb.length).toBeLessThan(100_000);
    const peer = server.serve('bomb', answer(bomb, 'gzip'));
    expectFailure(await runHere(GET.slice(0, -1), { env: settings(peer.url) }), 7, /its answer is larger than \d+ MiB\.$/);
    const twice = server.serve('bomb-twice', answer(gzipSync(bomb), 'gzip, gzip'));
    expectFailure(await runHere(GET.slice(0, -1), { env: settings(twice.url) }), 7, /its answer is larger than \d+ MiB\.$/);
    const problem = server.serve('bomb-problem', answer(bomb, 'gzip', 500));
    expectFailure(await runHere(POST.slice(0, -1), { env: settings(problem.url) }), 7, /^error: The service failed \(500\)\. The outcome/);
  });
});
