// Proxies from the environment, and TLS: which proxy is asked, what it gets to see, and whom crm doesn't trust.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proxyFor } from '../../src/client/transport/proxy.ts';
import { runCrm } from '../support/crm.ts';
import { bytes, type HostileServer, head, hostileServer, http, json, type Reply, silence } from '../support/hostile-server.ts';
import { runHere } from '../support/run-here.ts';
import { startCrm } from '../support/start-crm.ts';
import { describeWith } from '../support/tools.ts';
import { expectFailure, expectNoKey, key, settings } from './support.ts';

const GET = ['leads', 'get', '1', '--json'];
const POST = ['leads', 'comments', 'add', '1', 'hello'];
const lead = { data: { id: 1 } };

const folder = mkdtempSync(join(tmpdir(), 'crm-tls-'));
const certificate = selfSigned();

let server: HostileServer;
beforeAll(async () => {
  server = await hostileServer();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** A certificate for 127.0.0.1 and localhost; undefined where there is no openssl. */
function selfSigned(): { key: string; cert: string; file: string } | undefined {
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  try {
    execFileSync('openssl', [...request, ...names, '-keyout', keyFile, '-out', file], { stdio: 'ignore' });
    return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(file, 'utf8'), file };
  } catch {
    return undefined;
  }
}

describe('which proxy', () => {
  const none = undefined;
  const p = 'http://proxy.test:3128';
  it.each<[string, Record<string, string>, string | undefined]>([
    ['https://crm.test', {}, none],
    ['https://crm.test', { HTTPS_PROXY: p }, 'proxy.test:3128 (HTTPS_PROXY)'],
    ['https://crm.test', { https_proxy: p }, 'proxy.test:3128 (https_proxy)'],
    ['https://crm.test', { https_proxy: p, HTTPS_PROXY: 'http://other.test' }, 'proxy.test:3128 (https_proxy)'],
    ['https://crm.test', { https_proxy: '', HTTPS_PROXY: p }, 'proxy.test:3128 (HTTPS_PROXY)'],
    ['https://crm.test', { HTTPS_PROXY: 'proxy.test:3128' }, 'proxy.test:3128 (HTTPS_PROXY)'],
    ['https://crm.test', { HTTPS_PROXY: 'http://user:secret@proxy.test:3128' }, 'proxy.test:3128 (HTTPS_PROXY)'],
    ['https://crm.test', { HTTP_PROXY: p }, none],
    ['http://crm.test', { HTTP_PROXY: p }, 'proxy.test:3128 (HTTP_PROXY)'],
    ['http://crm.test', { HTTPS_PROXY: p }, none],
    // A proxy elsewhere would get the key over the network, and look for 127.0.0.1 on its own machine.
    ['http://127.0.0.1:8080', { HTTP_PROXY: p }, none],
    ['http://localhost:8080', { HTTP_PROXY: p }, none],
    ['http://[::1]:8080', { HTTP_PROXY: p }, none],
    ['https://127.0.0.1:8443', { HTTPS_PROXY: p }, none],
    ['http://127.0.0.1:8080', { HTTP_PROXY: 'http://127.0.0.1:3128' }, '127.0.0.1:3128 (HTTP_PROXY)'],
    ['http://127.0.0.1:8080', { HTTP_PROXY: 'http://127.0.0.1:3128', NO_PROXY: '127.0.0.1' }, none],
    ['https://crm.test', { HTTPS_PROXY: p, NO_PROXY: '*' }, none],
    ['https://crm.test', { HTTPS_PROXY: p, NO_PROXY: 'other.test, CRM.Test' }, none],
    ['https://crm.test', { HTTPS_PROXY: p, no_proxy: 'test' }, none],
    ['https://a.crm.test', { HTTPS_PROXY: p, NO_PROXY: '.crm.test' }, none],
    ['https://a.crm.test', { HTTPS_PROXY: p, NO_PROXY: '*.crm.test' }, none],
    ['https://acrm.test', { HTTPS_PROXY: p, NO_PROXY: 'crm.test' }, 'proxy.test:3128 (HTTPS_PROXY)'],
    ['https://crm.test', { HTTPS_PROXY: p, NO_PROXY: 'crm.test:443' }, none],
    ['https://crm.test:8443', { HTTPS_PROXY: p, NO_PROXY: 'crm.test:443' }, 'proxy.test:3128 (HTTPS_PROXY)'],
    ['https://[2001:db8::1]', { HTTPS_PROXY: p, NO_PROXY: '2001:db8::1' }, none],
    ['https://[2001:db8::1]', { HTTPS_PROXY: p, NO_PROXY: '[2001:db8::1]:443' }, none],
    ['https://[2001:db8::1]', { HTTPS_PROXY: p, NO_PROXY: '2001:db8::2' }, 'proxy.test:3128 (HTTPS_PROXY)'],
  ])('%s with %o', (origin, env, expected) => {
    expect(proxyFor(origin, env)?.name).toBe(expected === undefined ? undefined : `the proxy at ${expected}`);
  });

  it.each(['socks5://user:secret@proxy.test', 'http://user:secret@', '://secret', 'ftp://secret'])('%s is none', (value) => {
    expect(() => proxyFor('https://crm.test', { HTTPS_PROXY: value })).toThrow(/^HTTPS_PROXY is not the address of an HTTP proxy/);
    expect(() => proxyFor('https://crm.test', { HTTPS_PROXY: value })).not.toThrow(/secret/);
  });
});

describe.concurrent('a forwarding proxy', () => {
  const proxied = (url: string, more: Record<string, string> = {}) => settings(url, { HTTP_PROXY: server.origin, ...more });

  it('gets the whole URL, and its own password only', async () => {
    const peer = server.serve('forward', json(lead));
    const crm = await runHere([...GET, '--debug'], {
      env: proxied(peer.url, { HTTP_PROXY: server.origin.replace('//', '//me:pass%20word@') }),
    });
    expect(crm.status, crm.stderr).toBe(0);
    expect(crm.stdout).toBe('{\n  "id": 1\n}\n');
    expect(peer.seen[0]?.headers).toMatchObject({
      host: `127.0.0.1:${server.port}`,
      'proxy-authorization': `Basic ${btoa('me:pass word')}`,
      authorization: `Bearer ${key}`,
    });
    expect(crm.stderr).not.toMatch(/pass|proxy-authorization/);
    expectNoKey(crm);
  });

  it('is not asked for what NO_PROXY names', async () => {
    const peer = server.serve('bypassed', json(lead));
    const crm = await runHere(GET, { env: settings(peer.url, { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '127.0.0.1' }) });
    expect(crm.status, crm.stderr).toBe(0);
    expect(peer.seen).toHaveLength(1);
  });

  it.each([
    ['GET', GET.slice(0, 3), /^error: Nothing listens at the proxy at 127\.0\.0\.1:1 \(HTTP_PROXY\): connection refused\.$/],
    ['POST', POST, /connection refused\. Nothing was sent\.$/],
  ])('that is not there, %s', async (_method, argv, says) => {
    const env = settings('http://127.0.0.1:2', { HTTP_PROXY: 'http://me:hidden@127.0.0.1:1' });
    const crm = await runHere([...argv, '--retries', '0'], { env });
    expectFailure(crm, 7, says);
    expect(crm.stderr).not.toContain('hidden');
    expect(crm.stderr).toContain('Is the proxy right? NO_PROXY');
  });

  it('that wants a password', async () => {
    const peer = server.serve('password', http(407, ''));
    const crm = await runHere([...POST, '--retries', '0'], { env: proxied(peer.url) });
    expectFailure(crm, 7, /^error: The proxy at 127\S+ \(HTTP_PROXY\) asks for a user name and a password \(407\)\. Nothing was sent\.$/);
  });

  it('that says nothing: ends with the time-out', async () => {
    const peer = server.serve('mute', silence);
    const crm = await runHere(['leads', 'get', '1', '--timeout', '1'], { env: proxied(peer.url) });
    expectFailure(crm, 7, /over the proxy at 127\S+ \(HTTP_PROXY\) within 1 s\.$/);
  });

  it('a write through it is sent once', async () => {
    const peer = server.serve('forward-once', bytes(`${head(201, { 'content-length': 99 })}{`), json({}));
    const crm = await runHere([...POST, '--timeout', '1'], { env: proxied(peer.url) });
    expectFailure(crm, 7, /The outcome of POST \S+ is unknown/);
    expect(peer.seen).toHaveLength(1);
  });
});

describeWith(['openssl'], 'TLS', { concurrent: true }, () => {
  const { file, ...pair } = certificate ?? { file: '', key: '', cert: '' };
  let secure: HostileServer;
  beforeAll(async () => {
    secure = await hostileServer({ tls: pair });
  });
  afterAll(() => secure.stop());

  it.each([
    ['GET', ['leads', 'get', '1'], /^error: The certificate of 127\S+ can't be trusted: self-signed certificate\b.*\.$/],
    ['POST', POST, /can't be trusted: self-signed certificate\b.* Nothing was sent\.$/],
  ])('a certificate that nobody vouches for, %s', async (method, argv, says) => {
    const peer = secure.serve(`untrusted-${method}`, json(lead));
    const crm = await runCrm(argv, { env: settings(peer.url) });
    expectFailure(crm, 7, says);
    expect(crm.stderr).toContain('NODE_EXTRA_CA_CERTS');
    expect(peer.seen).toEqual([]);
    const verbose = await runCrm([...argv, '--verbose'], { env: settings(peer.url) });
    expect(verbose.stderr.match(/ failed in /g)).toHaveLength(1);
  });

  it('a certificate that nobody vouches for, where Node is told to believe anything', async () => {
    const peer = secure.serve('believed', json(lead));
    const crm = await runCrm(['leads', 'get', '1'], { env: settings(peer.url, { NODE_TLS_REJECT_UNAUTHORIZED: '0' }) });
    expect(crm).toMatchObject({
      status: 7,
      stderr: expect.stringMatching(/can't be trusted.*\n.*crm ignores NODE_TLS_REJECT_UNAUTHORIZED\.\n$/),
    });
    expect(peer.seen).toEqual([]);
  });

  it('a certificate for another name', async () => {
    const peer = secure.serve('name', json(lead));
    const env = settings(peer.url.replace('127.0.0.1', 'x.localhost'), { NODE_EXTRA_CA_CERTS: file });
    const crm = await runCrm(['leads', 'get', '1', '--retries', '0'], { env });
    expect(crm.status).toBe(7);
    expect(crm.stderr).toMatch(/^error: (The certificate of x\.localhost\S+ can't be trusted|The host name of)/);
    expect(peer.seen).toEqual([]);
  });

  it('a trusted certificate', async () => {
    const peer = secure.serve('trusted', json(lead));
    const crm = await runCrm(GET, { env: settings(peer.url, { NODE_EXTRA_CA_CERTS: file }) });
    expect(crm).toEqual({ status: 0, stdout: '{\n  "id": 1\n}\n', stderr: '' });
  });

  it('https spoken to plain http', async () => {
    const plain = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end(head(400)))).listen(
      0,
      '127.0.0.1',
    );
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    const crm = await runCrm(POST, { env: settings(`https://127.0.0.1:${port}`) });
    expectFailure(crm, 7, /can't be talked to over https \(ERR_SSL_\w+\): does it speak plain http\? Nothing was sent\.$/);
    plain.close();
  });

  it('plain http spoken to https', async () => {
    const peer = secure.serve('tls-only', json(lead));
    const crm = await runCrm(['leads', 'get', '1', '--retries', '0'], { env: settings(peer.url.replace('https:', 'http:')) });
    expectFailure(crm, 7, /broke before|does not speak HTTP/);
  });

  describe('through a tunnel', () => {
    /** Connects to what it is told, as a proxy does. */
    const tunnel: Reply = (client, { path }) => {
      const [host, port] = path.split(':');
      const target: Socket = connect(Number(port), host, () => {
        client.removeAllListeners('data');
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        target.pipe(client).pipe(target);
      });
      target.on('error', () => client.destroy());
    };

    it('the proxy sees where, and no key', async () => {
      const proxy = await connectProxy(tunnel);
      const peer = secure.serve('tunnel', json({ data: { id: 1, title: 'T', status: { id: 1 }, category: { id: 1 } } }));
      const env = settings(peer.url, { HTTPS_PROXY: proxy.origin.replace('//', '//me:hidden@'), NODE_EXTRA_CA_CERTS: file });
      const crm = await runCrm(['leads', 'update', '1', '--title', 'x', '--debug'], { env });
      expect(crm.status, crm.stderr).toBe(0);
      expect(peer.seen.map(({ method, headers }) => [method, headers.authorization, headers['proxy-authorization']])).toEqual([
        ['GET', `Bearer ${key}`, undefined],
        ['PATCH', `Bearer ${key}`, undefined],
      ]);
      expect(proxy.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(2).fill(`CONNECT 127.0.0.1:${secure.port}`));
      expect(JSON.stringify(proxy.seen)).not.toContain(key);
      expect(proxy.seen[0]?.headers['proxy-authorization']).toBe(`Basic ${btoa('me:hidden')}`);
      expect(crm.stderr).not.toContain('hidden');
      await proxy.stop();
    });

    it.each([
      [407, /asks for a user name and a password \(407\)\. Nothing was sent\.$/],
      [403, /^error: The proxy at \S+ \(HTTPS_PROXY\) did not connect to 127\S+ \(403\)\. Nothing was sent\.$/],
    ])('that the proxy refuses with %i', async (status, says) => {
      const proxy = await connectProxy(http(status, 'no'));
      const peer = secure.serve(`tunnel-${status}`, json(lead));
      const env = settings(peer.url, { HTTPS_PROXY: proxy.origin, NODE_EXTRA_CA_CERTS: file });
      expectFailure(await runCrm([...POST, '--retries', '0'], { env }), 7, says);
      expect(peer.seen).toEqual([]);
      await proxy.stop();
    });

    it('that never opens', async () => {
      const proxy = await connectProxy(silence);
      const env = settings(secure.serve('never', json(lead)).url, { HTTPS_PROXY: proxy.origin });
      const crm = await startCrm(['leads', 'get', '1', '--timeout', '1'], env).ended;
      expectFailure(crm, 7, /over the proxy at \S+ \(HTTPS_PROXY\) within 1 s\.$/);
      await proxy.stop();
    });
  });
});

/** A proxy of its own, for CONNECT has no path that could name a case. */
async function connectProxy(reply: Reply): Promise<HostileServer> {
  return hostileServer({ otherwise: reply });
}
