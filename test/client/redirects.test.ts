// Redirects: followed by reads within the origin, a few times; by writes never; and no key ever leaves the origin.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytes, type HostileServer, head, hostileServer, json, type Reply } from '../support/hostile-server.ts';
import { runHere } from '../support/run-here.ts';
import { expectFailure, expectNoKey, settings } from './support.ts';

const GET = ['leads', 'get', '1'];
const POST = ['leads', 'comments', 'add', '1', 'hello'];

let server: HostileServer;
let other: HostileServer;
beforeAll(async () => {
  [server, other] = await Promise.all([hostileServer(), hostileServer()]);
});
afterAll(() => Promise.all([server.stop(), other.stop()]));

const to = (location: string, status = 302): Reply => bytes(head(status, { location, 'content-length': 0 }));

describe.concurrent('to another origin', () => {
  it.each([
    ['another port', () => `${other.origin}/api/leads/1`],
    ['another scheme', () => `https://127.0.0.1:${other.port}/api/leads/1`],
    ['another name of the same machine', () => `http://localhost:${server.port}/api/leads/1`],
    ['no scheme', () => `//127.0.0.1:${other.port}/api/leads/1`],
    ['backslashes', () => `\\\\127.0.0.1:${other.port}\\api\\leads\\1`],
    ['a user before it', () => `http://127.0.0.1:${server.port}@127.0.0.1:${other.port}/api/leads/1`],
    ['another protocol', () => 'javascript:alert(1)'],
    ['a file', () => 'file:///etc/passwd'],
  ])('%s', async (name, location) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const peer = server.serve(`elsewhere-${encodeURIComponent(name.replaceAll(' ', '-'))}-${status}`, to(location(), status));
      const crm = await runHere(GET, { env: settings(peer.url) });
      expectFailure(crm, 7, /^error: The service redirects \(30\d\) to \S+; crm does not follow, because a key belongs to one origin\.$/);
      expect(peer.seen).toHaveLength(1);
    }
    expect(other.seen).toEqual([]);
    expect(other.connections()).toBe(0);
  });

  it('neither the query nor the user of the target is shown', async () => {
    const peer = server.serve('secrets', to('https://user:hidden1@crm.example.com/login?token=hidden2#hidden3'));
    const crm = await runHere([...GET, '--verbose'], { env: settings(peer.url) });
    expect(crm.stderr).toMatch(/redirects \(302\) to https:\/\/crm\.example\.com\/login; crm does not follow/);
    expect(crm.stderr).not.toContain('hidden');
    expect(crm.stderr).toMatch(/make a profile with the new base URL\.$/m);
  });

  it('a POST is not sent on, and its outcome is unknown', async () => {
    const peer = server.serve('elsewhere-post', to(`${other.origin}/api`, 308));
    const crm = await runHere(POST, { env: settings(peer.url) });
    expectFailure(crm, 7, /a POST is not sent on\. The outcome of POST \S+ is unknown/);
    expect(crm.stderr).toContain('crm leads comments list 1');
    expect(peer.seen).toHaveLength(1);
    expect(other.connections()).toBe(0);
  });
});

describe.concurrent('within the origin', () => {
  it.each(['/api/leads/7?x=1', '/../within-1/api/leads/7?x=1', './7?x=1', '7?x=1'])('a GET follows to %s', async (location) => {
    const name = `within-${encodeURIComponent(location).replaceAll(/[%.]/g, '')}`;
    const target = location.startsWith('/api') ? `/${name}${location}` : location.replace('within-1', name);
    const peer = server.serve(name, to(target, 301), json({ data: { id: 1, title: 'moved' } }));
    const crm = await runHere([...GET, '--json'], { env: settings(peer.url) });
    expect(crm.status, crm.stderr).toBe(0);
    expect(JSON.parse(crm.stdout)).toEqual({ id: 1, title: 'moved' });
    expect(peer.seen.map(({ path }) => path)).toEqual(['/api/leads/1', '/api/leads/7?x=1']);
    expect(peer.seen[1]?.headers.authorization).toBe(peer.seen[0]?.headers.authorization);
  });

  it.each([
    ['five', 5, 0],
    ['a sixth is not followed', 6, 7],
  ])('so many redirects behind each other: %s', async (_what, count, status) => {
    const name = `chain-${count}`;
    const chain = Array.from({ length: count }, (_, hop) => to(`/${name}/api/leads/${hop + 2}`));
    const peer = server.serve(name, ...chain, json({ data: { id: 1, title: 'moved' } }));
    const crm = await runHere([...GET, '--retries', '0', '--json'], { env: settings(peer.url) });
    expect([crm.status, peer.seen.length], crm.stderr).toEqual([status, 6]);
  });

  it('a path that looks like another host stays here', async () => {
    const there = server.serve('slashes', (socket, request) =>
      to(`${server.origin}//127.0.0.1:${other.port}/slashes${request.path}`)(socket, request),
    );
    const crm = await runHere(GET, { env: settings(there.url) });
    expect(crm.status).toBe(3);
    expect(server.seen.filter(({ path }) => path.startsWith(`//127.0.0.1:${other.port}/`))).toHaveLength(1);
    expect(other.connections()).toBe(0);
    expectNoKey(crm);
  });

  it.each([301, 302, 303, 307, 308])('a POST does not follow a %i', async (status) => {
    const peer = server.serve(`post-${status}`, to('/elsewhere', status), json({ data: {} }));
    const crm = await runHere(POST, { env: settings(peer.url) });
    expectFailure(crm, 7, /to http:\/\/127\S+\/elsewhere; a POST is not sent on\. The outcome of POST/);
    expect(peer.seen).toHaveLength(1);
  });

  it.each([
    [
      '/moved/app/api/leads/1/comments',
      /^The base URL would be http:\/\/127\.0\.0\.1:\d+\/moved\/app\. Today's came from CRM_BASE_URL\.$/m,
    ],
    ['/api/leads/1/comments', /^The base URL would be http:\/\/127\.0\.0\.1:\d+\. Today's/m],
  ])('a POST that is sent to %s names the base URL that would be right', async (location, says) => {
    const peer = server.serve(`right-${location.length}`, to(location, 308));
    expect((await runHere(POST, { env: settings(peer.url) })).stderr).toMatch(says);
  });

  it('a POST that is sent to another path names none', async () => {
    const peer = server.serve('no-right', to('/login', 302));
    expect((await runHere(POST, { env: settings(peer.url) })).stderr).not.toMatch(/base URL would be/);
  });

  it('a loop ends', async () => {
    const peer = server.serve('loop', (socket, request) => to(`${request.path === '/api/leads/1' ? '2' : '1'}`)(socket, request));
    expectFailure(await runHere(GET, { env: settings(peer.url) }), 7, /crm gave up after too many redirects\.$/);
    expect(peer.seen).toHaveLength(6);
  });

  it('a redirect to itself ends', async () => {
    const peer = server.serve('itself', to(''));
    expectFailure(await runHere(GET, { env: settings(peer.url) }), 7, /too many redirects\.$/);
    expect(peer.seen.length).toBeLessThanOrEqual(6);
  });

  it('an endless chain of slow redirects ends with the time-out', async () => {
    const peer = server.serve('slow', (socket, request) => setTimeout(() => to(`${peer.seen.length}`)(socket, request), 400));
    expectFailure(await runHere([...GET, '--timeout', '1'], { env: settings(peer.url) }), 7, /within 1 s\.$/);
  });
});
