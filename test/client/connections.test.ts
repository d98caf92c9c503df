// Connections: which are kept, that no write is sent twice or lost to a kept one, and that none keeps the process alive.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpTransport } from '../../src/client/transport/http.ts';
import { NotSent, type WireRequest } from '../../src/client/transport/wire.ts';
import { runCrm } from '../support/crm.ts';
import { bytes, type HostileServer, head, hostileServer, json, type Reply, silence } from '../support/hostile-server.ts';
import { runHere } from '../support/run-here.ts';
import { startCrm } from '../support/start-crm.ts';
import { expectFailure, settings } from './support.ts';

const UPDATE = ['leads', 'update', '1', '--title', 'New', '--json'];
const lead = { data: { id: 1, title: 'Old', status: { id: 2 }, category: { id: 3 } } };

let server: HostileServer;
beforeAll(async () => {
  server = await hostileServer();
});
afterAll(() => server.stop());

/** Closes the connection after the answer, without a word about it. */
const thenEnd =
  (reply: Reply, ms: number): Reply =>
  (socket, request) => {
    reply(socket, request);
    setTimeout(() => socket.end(), ms);
  };

/** Answers the first request of a connection; the second one kills it. */
const once =
  (reply: Reply): Reply =>
  (socket, request) =>
    request.nth === 1 ? reply(socket, request) : socket.destroy();

describe.concurrent('a write after a read', () => {
  const peers: Record<string, (reply: Reply) => Reply> = {
    'the peer keeps connections': (reply) => reply,
    'the peer closes after each answer, at once': (reply) => thenEnd(reply, 0),
    'the peer closes after each answer, a moment later': (reply) => thenEnd(reply, 5),
    'the peer closes on the second request': once,
  };
  for (const [name, peerOf] of Object.entries(peers)) {
    it(name, async () => {
      const peer = server.serve(
        encodeURIComponent(name.replaceAll(/\W/g, '-')),
        peerOf(json(lead)),
        peerOf(json({ data: { ...lead.data, title: 'New' } })),
      );
      const crm = await runHere(UPDATE, { env: settings(peer.url) });
      expect(crm.status, crm.stderr).toBe(0);
      expect(peer.seen.map(({ method, nth }) => [method, nth])).toEqual([
        ['GET', 1],
        ['PATCH', 1],
      ]);
    });
  }
});

describe.concurrent('reads share connections', () => {
  const page = (_socket: unknown, { path }: { path: string }): Reply => {
    const number = Number(/page=(\d+)/.exec(path)?.[1]);
    return json({ data: [{ id: number }], meta: { current_page: number, last_page: 12, per_page: 1, total: 12 } });
  };

  it('four at the most', async () => {
    const peer = server.serve('shared', (socket, request) => page(socket, request)(socket, request));
    const crm = await runHere(['leads', 'list', '--all', '-o', 'ids'], { env: settings(peer.url) });
    expect(crm.stdout.trim().split('\n').map(Number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(new Set(peer.seen.map(({ connection }) => connection)).size).toBeLessThanOrEqual(4);
    expect(peer.seen[0]?.headers.connection).toBe('keep-alive');
  });

  it('consecutive ones have the same', async () => {
    const peer = server.serve('consecutive', (socket, request) => page(socket, request)(socket, request));
    const crm = await runHere(['leads', 'list', '--limit', '2', '-o', 'ids'], { env: settings(peer.url) });
    expect(crm.stdout).toBe('1\n2\n');
    expect(peer.seen.map(({ path, nth }) => [path, nth])).toEqual([
      ['/api/leads?limit=2&page=1', 1],
      ['/api/leads?limit=2&page=2', 2],
    ]);
  });

  it('one that the peer kills on its second request costs one more try, no record', async () => {
    const peer = server.serve('killed', (socket, request) => once(page(socket, request))(socket, request));
    const crm = await runHere(['leads', 'list', '--all', '-o', 'ids', '--retries', '1'], { env: settings(peer.url) });
    expect(crm.status, crm.stderr).toBe(0);
    expect(crm.stdout.trim().split('\n')).toHaveLength(12);
    expect(peer.seen.length).toBeLessThanOrEqual(24);
  });
});

it('writes that are sent one after the other have a connection each, whatever the peer promises', async () => {
  const peer = server.serve('one-each', json({ data: {} }, 200, { 'keep-alive': 'timeout=5' }));
  const transport = await httpTransport(server.origin, {}, { connections: 4 });
  for (const body of ['1', '2', '3']) await transport.exchange(post('/one-each/api', body), AbortSignal.timeout(30_000));
  await transport.close();
  expect(peer.seen.map(({ body, nth }) => [body, nth])).toEqual([
    ['1', 1],
    ['2', 1],
    ['3', 1],
  ]);
});

describe.concurrent('the writes of a run', () => {
  /** A service of leads that exist until they are deleted; how it answers a deletion is the case's. */
  const leads = (answered: (socket: Parameters<Reply>[0], request: Parameters<Reply>[1]) => boolean): Reply => {
    const gone = new Set<string>();
    return (socket, request) => {
      const { method, path } = request;
      const id = Number(path.split('/').at(-1));
      if (Number.isNaN(id)) return json({ data: [], meta: { current_page: 1, per_page: 100, last_page: 1, total: 0 } })(socket, request);
      if (method === 'DELETE') gone.add(path);
      if (method === 'DELETE' && !answered(socket, request)) return socket.destroy();
      if (method === 'GET' && gone.has(path)) return json({ message: 'Lead not found.' }, 404)(socket, request);
      json({ data: method === 'DELETE' ? { id } : { ...lead.data, id } })(socket, request);
    };
  };
  const ids = ['1', '2', '3', '4', '5', '6'];
  const deletions = (seen: readonly { method: string; path: string }[]): string[] =>
    seen
      .filter(({ method }) => method === 'DELETE')
      .map(({ path }) => path)
      .toSorted();

  it('share four connections at the most with its reads', async () => {
    const peer = server.serve(
      'run',
      leads(() => true),
    );
    const crm = await runHere(['leads', 'delete', ...ids, '--yes', '--json'], { env: settings(peer.url) });
    expect(crm.status, crm.stderr).toBe(0);
    expect(deletions(peer.seen)).toEqual(ids.map((id) => `/api/leads/${id}`));
    expect(new Set(peer.seen.map(({ connection }) => connection)).size).toBeLessThanOrEqual(4);
  });

  it('one that took effect on a connection that is then killed is looked for, not sent again', async () => {
    const peer = server.serve(
      'run-killed',
      leads((_socket, { path }) => !path.endsWith('/2')),
    );
    const crm = await runHere(['leads', 'delete', ...ids, '--yes', '--json'], { env: settings(peer.url) });
    expect(crm.status, crm.stderr).toBe(0);
    expect(deletions(peer.seen)).toEqual(ids.map((id) => `/api/leads/${id}`));
    const second = peer.seen.filter(({ path }) => path === '/api/leads/2').map(({ method }) => method);
    expect(second.slice(0, 3)).toEqual(['GET', 'DELETE', 'GET']);
  });
});

describe('many writes, and a peer that closes when it likes', () => {
  it.each([0, 1, 2])('after %i ms: each arrives once', async (ms) => {
    const peer = server.serve(`many-${ms}`, thenEnd(json({ data: {} }), ms));
    const transport = await httpTransport(server.origin, {}, { connections: 4 });
    const numbers = Array.from({ length: 60 }, (_, index) => String(index));
    for (const body of numbers) {
      const answer = await transport.exchange(post(`/many-${ms}/api`, body), AbortSignal.timeout(30_000));
      expect(answer.status).toBe(200);
      await sleep(Number(body) % 3);
    }
    await transport.close();
    expect(peer.seen.map(({ body }) => body)).toEqual(numbers);
  });
});

it('writes that share connections: each arrives at most once', async () => {
  const peer = server.serve('sharing', thenEnd(json({ data: {} }), 1));
  const transport = await httpTransport(server.origin, {}, { connections: 2, sharedWrites: true });
  const numbers = Array.from({ length: 60 }, (_, index) => String(index));
  for (const body of numbers) {
    await transport.exchange(post('/sharing/api', body), AbortSignal.timeout(5_000)).catch(() => undefined);
    await sleep(Number(body) % 3);
  }
  await transport.close();
  expect(new Set(peer.seen.map(({ body }) => body)).size).toBe(peer.seen.length);
});

function post(target: string, body: string): WireRequest {
  return { method: 'POST', target, headers: { 'content-type': 'text/plain' }, body };
}

describe.concurrent('what is known about a request that failed', () => {
  it('refused: not sent', async () => {
    const transport = await httpTransport('http://127.0.0.1:1', {}, { connections: 1 });
    await expect(transport.exchange(post('/', ''), AbortSignal.timeout(30_000))).rejects.toBeInstanceOf(NotSent);
    await transport.close();
  });

  it('aborted before it began: not sent', async () => {
    const peer = server.serve('unborn', silence);
    const transport = await httpTransport(server.origin, {}, { connections: 1 });
    await expect(transport.exchange(post('/unborn/x', ''), AbortSignal.abort())).rejects.toBeInstanceOf(NotSent);
    await transport.close();
    expect(peer.seen).toEqual([]);
  });

  it('aborted while connecting: not sent', async () => {
    const peer = server.serve('connecting', silence);
    const transport = await httpTransport(server.origin.replace('http:', 'https:'), {}, { connections: 1 });
    const write = transport.exchange(post('/connecting/x', ''), AbortSignal.timeout(100));
    await expect(write).rejects.toMatchObject({ constructor: NotSent, cause: { name: 'TimeoutError' } });
    const read = transport.exchange({ ...post('/connecting/x', ''), method: 'GET' }, AbortSignal.timeout(100));
    await expect(read).rejects.toMatchObject({ name: 'TimeoutError' });
    await transport.close();
    expect(peer.seen).toEqual([]);
  });

  it('aborted in flight: nobody knows', async () => {
    const peer = server.serve('flight', silence);
    const transport = await httpTransport(server.origin, {}, { connections: 1 });
    const abort = new AbortController();
    const exchange = transport.exchange(post('/flight/x', ''), abort.signal);
    exchange.catch(() => undefined);
    while (peer.seen.length === 0) await sleep(1);
    abort.abort(new Error('enough'));
    await expect(exchange).rejects.toThrow('enough');
    await expect(exchange).rejects.not.toBeInstanceOf(NotSent);
    expect(peer.seen).toHaveLength(1);
    await transport.close();
  });
});

describe.concurrent('the process ends', () => {
  it.each([
    ['a connection that stays open', ''],
    ['a long keep-alive', 'timeout=600'],
  ])('with the answer, with %s', async (name, keepAlive) => {
    const headers: Record<string, string> = keepAlive === '' ? {} : { connection: 'keep-alive', 'keep-alive': keepAlive };
    const peer = server.serve(encodeURIComponent(name.replaceAll(' ', '-')), json(lead, 200, headers));
    const crm = await runCrm(['leads', 'get', '1', '--json'], { env: settings(peer.url) });
    expect(crm.status, crm.stderr).toBe(0);
  });

  it('with the time-out, when TLS never gets going: nothing was sent', async () => {
    const peer = server.serve('tls', silence);
    const { ended } = startCrm(['leads', 'archive', '1', '--timeout', '1'], settings(peer.url.replace('http:', 'https:')));
    const crm = await ended;
    expectFailure(crm, 7, /No complete answer from 127\S+ within 1 s\. Nothing was sent\.$/);
  });

  it('with the time-out, when the peer goes on for ever', async () => {
    const peer = server.serve('ever', (socket) => {
      socket.write(head(200, { 'transfer-encoding': 'chunked' }));
      const timer = setInterval(() => socket.write('1\r\n \r\n'), 5);
      socket.on('close', () => clearInterval(timer));
    });
    const { ended } = startCrm(['leads', 'get', '1', '--timeout', '0.5'], settings(peer.url));
    const crm = await ended;
    expectFailure(crm, 7, /within 0\.5 s\.$/);
  });

  it('when the peer sends a second answer that nobody asked for', async () => {
    const whole = `${head(200, { 'content-length': 8 })}{"id":1}`;
    const peer = server.serve('twice', bytes(whole + whole));
    const crm = await runCrm(['leads', 'get', '1', '--json'], { env: settings(peer.url) });
    expect(crm.status, crm.stderr).toBe(0);
    expect(peer.seen).toHaveLength(1);
  });
});
