// Proxies from the environment, and TLS: which proxy is asked, what it gets to see, and whom crm doesn't trust.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openClient } from '../../src/client/library/client.ts';
import { proxyFor, unreadNoProxy } from '../../src/client/transport/proxy.ts';
import { runCrm } from '../support/crm.ts';
import { bytes, type HostileServer, head, hostileServer, http, json, type Reply, silence } from '../support/hostile-server.ts';
import { runHere } from '../support/run-here.ts';
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

/** A certificate that nobody vouches for; undefined where there is no openssl. `names`: as in subjectAltName. */
function selfSigned(
  names = 'IP:127.0.0.1,DNS:localhost,DNS:crm.test',
  isExpired = false,
): { key: string; cert: string; file: string } | undefined {
  const place = mkdtempSync(join(folder, 'pair-'));
  const [keyFile, file] = [join(place, 'key.pem'), join(place, 'cert.pem')];
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore', cwd: place });
  const request = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`];
  try {
    if (isExpired) {
      // Only `openssl ca` takes dates in the past.
      const ca = 'database = index\nserial = serial\nnew_certs_dir = .\ndefault_md = sha256\npolicy = any\ncopy_extensions = copy\n';
      writeFileSync(join(place, 'ca.conf'), `[ca]\ndefault_ca = own\n[own]\n${ca}[any]\ncommonName = supplied\n`);
      writeFileSync(join(place, 'index'), '');
      writeFileSync(join(place, 'serial'), '01\n');
      openssl('req', '-new', ...request, ...subject, '-out', 'request.pem');
      const dates = ['-startdate', '20200101000000Z', '-enddate', '20200102000000Z'];
      openssl(
        'ca',
        '-batch',
        '-config',
        'ca.conf',
        '-selfsign',
        '-keyfile',
        keyFile,
        '-in',
        'request.pem',
        '-out',
        file,
        '-notext',
        ...dates,
      );
    } else openssl('req', '-x509', ...request, ...subject, '-days', '2', '-out', file);
    return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(file, 'utf8'), file };
  } catch {
    return undefined;
  }
}

describe('which proxy', () => {
  const none = undefined;
  const p = 'http://proxy.test:3128';
  const mine = 'http://127.0.0.1:3128';
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
    // No proxy is asked for this machine, not even one on this machine: it would get the key.
    ...[
      '127.0.0.1:8080',
      '127.9.9.9',
      'localhost:8080',
      'localhost.',
      'crm.localhost',
      'crm.localhost.',
      '[::1]:8080',
      '[::ffff:127.0.0.1]',
    ]
      .flatMap((host) => [`http://${host}`, `https://${host}`])
      .map((origin): [string, Record<string, string>, undefined] => [origin, { HTTP_PROXY: mine, HTTPS_PROXY: mine }, none]),
    ['http://xlocalhost', { HTTP_PROXY: p }, 'proxy.test:3128 (HTTP_PROXY)'],
    ['http://localhost.test', { HTTP_PROXY: p }, 'proxy.test:3128 (HTTP_PROXY)'],
    ['http://128.0.0.1', { HTTP_PROXY: mine }, '127.0.0.1:3128 (HTTP_PROXY)'],
    ['https://crm.test', { HTTPS_PROXY: p, NO_PROXY: '*' }, none],
    ['https://crm.test', { HTTPS_PROXY: p, NO_PROXY: 'other.test, CRM.Test' }, none],
    ['https://crm.test', { HTTPS_PROXY: p, no_proxy: 'test' }, none],
    ['https://a.crm.test', { HTTPS_PROXY: p, NO_PROXY: '.crm.test' }, none],
    ['https://a.crm.test', { HTTPS_PROXY: p, NO_PROXY: '*.crm.test' }, none],
    ['https://acrm.test', { HTTPS_PROXY: p, NO_PROXY: 'crm.test' }, 'proxy.test:3128 (HTTPS_PROXY)'],
    ['https://crm.test', { HTTPS_PROXY: p, NO_PROXY: 'crm.test:443' }, none],
    ['https://crm.test:8443', { HTTPS_PROXY: p, NO_PROXY: 'crm.test:443' }, 'proxy.test:3128 (HTTPS_PROXY)'],
    ['https://[2001:db8::1]', { HTTPS_PROXY: p, NO_PROXY: '2001:db8::1' }, none],
    ['https://10.1.2.3', { HTTPS_PROXY: p, NO_PROXY: 'x.test,10.0.0.0/8' }, none],
    ['http://10.1.2.3:8080', { HTTP_PROXY: p, NO_PROXY: '10.1.2.3/32' }, none],
    ['https://11.1.2.3', { HTTPS_PROXY: p, NO_PROXY: '10.0.0.0/8' }, 'proxy.test:3128 (HTTPS_PROXY)'],
    ['https://10.test', { HTTPS_PROXY: p, NO_PROXY: '0.0.0.0/0' }, 'proxy.test:3128 (HTTPS_PROXY)'],
    ['https://[fd12::1]', { HTTPS_PROXY: p, NO_PROXY: 'fd00::/8' }, none],
    ['https://[fe12::1]', { HTTPS_PROXY: p, NO_PROXY: 'fd00::/8' }, 'proxy.test:3128 (HTTPS_PROXY)'],
    ['https://10.1.2.3', { HTTPS_PROXY: p, NO_PROXY: '10.0.0.0/33' }, 'proxy.test:3128 (HTTPS_PROXY)'],
    ['https://[2001:db8::1]', { HTTPS_PROXY: p, NO_PROXY: '[2001:db8::1]:443' }, none],
    ['https://[2001:db8::1]', { HTTPS_PROXY: p, NO_PROXY: '2001:db8::2' }, 'proxy.test:3128 (HTTPS_PROXY)'],
  ])('%s with %o', (origin, env, expected) => {
    expect(proxyFor(origin, env)?.name).toBe(expected === undefined ? undefined : `the proxy at ${expected}`);
  });

  it.each<[string, string | undefined]>([
    ['http://proxy.test', undefined],
    ['http://me@proxy.test', 'me:'],
    ['http://me:pass%20word@proxy.test', 'me:pass word'],
    ['http://me:100%@proxy.test', 'me:100%'],
    ['http://me:1%zz%40@proxy.test', 'me:1%zz@'],
    ['http://me:%FF%41@proxy.test', 'me:%FF%41'],
    ['http://me:p@ss:word@proxy.test', 'me:p@ss:word'],
    ['me:ü@proxy.test:3128', 'me:ü'],
  ])('the user and password of %s', (value, expected) => {
    const proxy = proxyFor('https://crm.test', { HTTPS_PROXY: value });
    const sent = proxy?.authorization?.replace('Basic ', '');
    expect(sent === undefined ? undefined : Buffer.from(sent, 'base64').toString()).toBe(expected);
    expect(proxy?.url).not.toContain('me');
  });

  it.each([
    'http://me:p/secret@proxy.test',
    'http://me:12#secret@proxy.test:3128',
    'me:s?secret@proxy.test',
    'http://me:12/secret@proxy.test',
  ])('%s gets a hint', (value) => {
    const read = () => proxyFor('https://crm.test', { HTTPS_PROXY: value });
    expect(read).toThrow(/^HTTPS_PROXY is not the address/);
    expect(read).toThrow(expect.objectContaining({ details: { hint: expect.stringMatching(/write % as %25, @ as %40.*# as %23\.$/) } }));
    expect(read).not.toThrow(/secret/);
  });

  it('entries of NO_PROXY that cannot be read are said, where a proxy is set', () => {
    const env = { NO_PROXY: '10.0.0.0/8 crm.test,10.*,fd00::/129,10.0.0/8,*.x.test:80,[::1]:80,*,http://y' };
    expect(unreadNoProxy('https://crm.test', { ...env, HTTPS_PROXY: p })).toMatch(
      /^NO_PROXY has entries that crm can't read: "10\.\*", "fd00::\/129", "10\.0\.0\/8", "http:\/\/y"\. /,
    );
    expect(unreadNoProxy('https://crm.test', { ...env, HTTP_PROXY: p })).toBeUndefined();
    expect(unreadNoProxy('https://crm.test', { NO_PROXY: 'crm.test', HTTPS_PROXY: p })).toBeUndefined();
  });

  it.each(['socks5://user:secret@proxy.test', 'http://user:secret@', '://secret', 'ftp://secret'])('%s is none', (value) => {
    expect(() => proxyFor('https://crm.test', { HTTPS_PROXY: value })).toThrow(/^HTTPS_PROXY is not the address of an HTTP proxy/);
    expect(() => proxyFor('https://crm.test', { HTTPS_PROXY: value })).not.toThrow(/secret/);
  });
});

/** The URL at a host that only a proxy knows, for no proxy is asked for this machine. */
const elsewhere = (url: string): string => url.replace('127.0.0.1', 'crm.test');

/** Settings for plain http to `elsewhere`, which only a profile allows. */
function proxied(url: string, more: Record<string, string> = {}): Record<string, string> {
  const config = mkdtempSync(join(folder, 'config-'));
  const profiles = { plain: { baseUrl: elsewhere(url), key, insecureHttp: true } };
  writeFileSync(join(config, 'config.json'), JSON.stringify({ version: 1, current: 'plain', profiles }), { mode: 0o600 });
  return { CRM_CONFIG_DIR: config, CRM_DATA_DIR: join(config, 'data'), HTTP_PROXY: server.origin, ...more };
}

describe.concurrent('a forwarding proxy', () => {
  it('gets the whole URL, and its own password only', async () => {
    const peer = server.serve('forward', json(lead));
    const crm = await runHere([...GET, '--debug'], {
      env: proxied(peer.url, { HTTP_PROXY: server.origin.replace('//', '//me:pass%20word@') }),
    });
    expect(crm.status, crm.stderr).toBe(0);
    expect(crm.stdout).toBe('{\n  "id": 1\n}\n');
    expect(peer.seen[0]?.headers).toMatchObject({
      host: `crm.test:${server.port}`,
      'proxy-authorization': `Basic ${btoa('me:pass word')}`,
      authorization: `Bearer ${key}`,
    });
    expect(crm.stderr).not.toMatch(/pass|proxy-authorization/);
    expectNoKey(crm);
  });

  it('is not asked for what NO_PROXY names', async () => {
    const crm = await runHere([...GET, '--retries', '0'], { env: proxied('http://127.0.0.1:2', { NO_PROXY: 'crm.test' }) });
    expectFailure(
      { ...crm, stderr: JSON.parse(crm.stderr).error.message.replace(/^/, 'error: ') },
      7,
      /The host name of crm\.test:2 can't be resolved/,
    );
  });

  it.each(['127.0.0.1', 'localhost', 'localhost.', 'crm.localhost', 'a.crm.localhost.'])('is not asked for %s', async (host) => {
    const peer = server.serve(`own-${host}`, json(lead));
    const crm = await runHere(GET, { env: settings(peer.url.replace('127.0.0.1', host), { HTTP_PROXY: 'http://127.0.0.1:1' }) });
    expect(crm, crm.stderr).toMatchObject({ status: 0, stderr: '' });
    expect(peer.seen).toHaveLength(1);
  });

  it('is not asked for this machine by the library, either', async () => {
    const peer = server.serve('own-library', json(lead));
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1');
    const client = await openClient({ baseUrl: peer.url, key });
    expect(await client.leads.get(1)).toMatchObject({ id: 1 });
    await client.close();
    vi.unstubAllEnvs();
  });

  it.each([
    ['GET', GET.slice(0, 3), /^error: Nothing listens at the proxy at 127\.0\.0\.1:1 \(HTTP_PROXY\): connection refused\.$/],
    ['POST', POST, /connection refused\. Nothing was sent\.$/],
  ])('that is not there, %s', async (_method, argv, says) => {
    const env = proxied('http://127.0.0.1:2', { HTTP_PROXY: 'http://me:hidden@127.0.0.1:1' });
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

  it('that gets a wrong password says where to put the right one', async () => {
    const peer = server.serve('wrong-password', http(407, ''));
    const crm = await runHere([...POST, '--retries', '0'], {
      env: proxied(peer.url, { HTTP_PROXY: server.origin.replace('//', '//me:hidden1@') }),
    });
    expectFailure(crm, 7, /^error: The proxy at 127\S+ \(HTTP_PROXY\) refused the user name and password \(407\)\. Nothing was sent\.$/);
    expect(crm.stderr).toMatch(/^Put the right ones into HTTP_PROXY\. In a user name or password, write % as %25/m);
    expect(crm.stderr).not.toContain('hidden1');
  });

  it('says an entry of NO_PROXY that it cannot read, once', async () => {
    const peer = server.serve('unread', json(lead));
    const crm = await runHere(['leads', 'update', '1', '--title', 'x'], { env: proxied(peer.url, { NO_PROXY: '10.0.0.0/99' }) });
    expect(crm.stderr.match(/NO_PROXY has entries that crm can't read: "10\.0\.0\.0\/99"/g)).toHaveLength(1);
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
    const crm = await runHere(argv, { env: settings(peer.url) });
    expectFailure(crm, 7, says);
    expect(crm.stderr).toContain('NODE_EXTRA_CA_CERTS');
    expect(crm.stderr).not.toContain('--use-system-ca');
    expect(peer.seen).toEqual([]);
    const verbose = await runHere([...argv, '--verbose'], { env: settings(peer.url) });
    expect(verbose.stderr.match(/ failed in /g)).toHaveLength(1);
  });

  it("where Node is told to believe anything; a warning of Node's own is in the JSON error, and beside others a notice", async () => {
    const planted = join(folder, 'planted.cjs');
    writeFileSync(planted, "process.on('newListener', (name) => name === 'SIGTERM' && process.emitWarning('Planted.'));");
    const more = { NODE_OPTIONS: `--require=${planted}`, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const peer = secure.serve('warned', json(lead));
    const env = settings(peer.url, more);
    const { error } = JSON.parse((await runCrm(GET, { env })).stderr);
    expect(error.message).toMatch(/can't be trusted/);
    expect(error.notices).toEqual(['Node: Planted.']);
    expect(await runCrm(['leads', 'get', '1'], { env })).toMatchObject({
      status: 7,
      stderr: expect.stringMatching(
        /^Node: Planted\.\nerror: The certificate .*can't be trusted.*\n.*crm ignores NODE_TLS_REJECT_UNAUTHORIZED\.\n$/,
      ),
    });
    expect((await runCrm(['leads', 'get', '1', '-q'], { env })).stderr).toMatch(/^error: /);
    expect(peer.seen).toEqual([]);
  });

  // Each day the case below does, with another host.
  it.runIf(process.env.CRM_SLOW === '1')('a certificate for another name', async () => {
    const peer = secure.serve('name', json(lead));
    const env = settings(peer.url.replace('127.0.0.1', 'x.localhost'), { NODE_EXTRA_CA_CERTS: file });
    const crm = await runCrm(['leads', 'get', '1', '--retries', '0'], { env });
    expect(crm.status).toBe(7);
    expect(crm.stderr).toMatch(/^error: The certificate of x\.localhost\S+ can't be trusted: Hostname/);
    expect(peer.seen).toEqual([]);
  });

  it('an expired certificate, and one for another host: no advice on authorities', async () => {
    const [old, other] = [selfSigned(undefined, true), selfSigned('DNS:crm.test')];
    for (const [pair, says, hint] of [
      [
        old,
        /^error: The certificate of 127\S+ can't be trusted: certificate has expired\. Nothing was sent\.$/,
        /^Is the clock of this machine right\?/m,
      ],
      [
        other,
        /can't be trusted: Hostname\/IP does not match .* Nothing was sent\.$/,
        /^Is the name of the host right\? The base URL came from CRM_BASE_URL\.$/m,
      ],
    ] as const) {
      const server = await hostileServer({ tls: { key: pair?.key, cert: pair?.cert } });
      const crm = await runCrm(POST, { env: settings(server.origin, { NODE_EXTRA_CA_CERTS: pair?.file ?? '' }) });
      expectFailure(crm, 7, says);
      expect(crm.stderr).toMatch(hint);
      expect(crm.stderr).not.toContain('NODE_EXTRA_CA_CERTS');
      expect(server.seen).toEqual([]);
      await server.stop();
    }
  });

  it('a trusted certificate', async () => {
    const peer = secure.serve('trusted', json(lead));
    const crm = await runCrm(GET, { env: settings(peer.url, { NODE_EXTRA_CA_CERTS: file }) });
    expect(crm).toEqual({ status: 0, stdout: '{\n  "id": 1\n}\n', stderr: '' });
  });

  it.each([
    ['is missing', '/nowhere/ca.pem', /names \/nowhere\/ca\.pem, which can't be read \(no such file or directory\)\.$/],
    ['is damaged', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', /, with a certificate that is damaged\.$/],
    ['is cut', '-----BEGIN CERTIFICATE-----\nMIIB\n', /, with a certificate that is damaged\.$/],
  ])('a file of authorities that %s is refused, so that Node says nothing in front of the JSON', async (_what, text, message) => {
    const peer = secure.serve('authorities', json(lead));
    const damaged = join(folder, 'damaged.pem');
    if (!text.startsWith('/')) writeFileSync(damaged, text);
    const NODE_EXTRA_CA_CERTS = text.startsWith('/') ? text : damaged;
    const crm = await (text.startsWith('/') ? runCrm : runHere)(GET, { env: settings(peer.url, { NODE_EXTRA_CA_CERTS }) });
    expect(crm).toMatchObject({ status: 4, stdout: '' });
    expect(JSON.parse(crm.stderr).error).toMatchObject({
      code: 'unauthorized',
      message: expect.stringMatching(message),
      hint: 'Set NODE_EXTRA_CA_CERTS to a file of certificates (PEM), or unset it.',
    });
    // Nothing else needs the file.
    const help = await runHere(['explain', 'leads', '--json'], { env: settings(peer.url, { NODE_EXTRA_CA_CERTS }) });
    expect(help).toMatchObject({ status: 0, stderr: '' });
  });

  it('without such a file, the authorities are those of the system', async () => {
    const peer = secure.serve('system', json(lead));
    const unset = { ...settings(peer.url), NODE_OPTIONS: '--use-openssl-ca', SSL_CERT_FILE: file };
    expect((await runCrm(GET, { env: unset })).status).toBe(0);
  });

  it('https spoken to plain http', async () => {
    const plain = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end(head(400)))).listen(
      0,
      '127.0.0.1',
    );
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    const crm = await runHere(POST, { env: settings(`https://127.0.0.1:${port}`) });
    expectFailure(crm, 7, /can't be talked to over https \(ERR_SSL_\w+\): does it speak plain http\? Nothing was sent\.$/);
    plain.close();
  });

  it('plain http spoken to https', async () => {
    const peer = secure.serve('tls-only', json(lead));
    const crm = await runHere(['leads', 'get', '1', '--retries', '0'], { env: settings(peer.url.replace('https:', 'http:')) });
    expectFailure(crm, 7, /^error: The connection to 127\S+ broke before the answer began: does it speak https\?$/);
  });

  describe('through a tunnel', () => {
    /** Connects to the port that it is told; all hosts are this machine. */
    const tunnel: Reply = (client, { path }) => {
      const [, port] = path.split(':');
      const target: Socket = connect(Number(port), '127.0.0.1', () => {
        client.removeAllListeners('data');
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        target.pipe(client).pipe(target);
      });
      target.on('error', () => client.destroy());
    };

    it('the proxy sees where, and no key', async () => {
      const proxy = await connectProxy(tunnel);
      const record = { id: 1, title: 'T', status: { id: 1 }, category: { id: 1 } };
      const peer = secure.serve('tunnel', json({ data: record }), json({ data: { ...record, title: 'x' } }));
      const env = settings(elsewhere(peer.url), { HTTPS_PROXY: proxy.origin.replace('//', '//me:hidden@'), NODE_EXTRA_CA_CERTS: file });
      const crm = await runCrm(['leads', 'update', '1', '--title', 'x', '--debug'], { env });
      expect(crm.status, crm.stderr).toBe(0);
      expect(peer.seen.map(({ method, headers }) => [method, headers.authorization, headers['proxy-authorization']])).toEqual([
        ['GET', `Bearer ${key}`, undefined],
        ['PATCH', `Bearer ${key}`, undefined],
      ]);
      expect(proxy.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(2).fill(`CONNECT crm.test:${secure.port}`));
      expect(JSON.stringify(proxy.seen)).not.toContain(key);
      expect(proxy.seen[0]?.headers['proxy-authorization']).toBe(`Basic ${btoa('me:hidden')}`);
      expect(crm.stderr).not.toContain('hidden');
      await proxy.stop();
    });

    it.each([
      [407, /asks for a user name and a password \(407\)\. Nothing was sent\.$/],
      [403, /^error: The proxy at \S+ \(HTTPS_PROXY\) did not connect to crm\.test\S+ \(403\)\. Nothing was sent\.$/],
    ])('that the proxy refuses with %i', async (status, says) => {
      const proxy = await connectProxy(http(status, 'no'));
      const peer = secure.serve(`tunnel-${status}`, json(lead));
      const env = settings(elsewhere(peer.url), { HTTPS_PROXY: proxy.origin, NODE_EXTRA_CA_CERTS: file });
      expectFailure(await runHere([...POST, '--retries', '0'], { env }), 7, says);
      expect(peer.seen).toEqual([]);
      await proxy.stop();
    });

    it('an https proxy that is given by its address, in front of https and of http', async () => {
      const proxy = await hostileServer({ tls: pair, otherwise: tunnel });
      const trusted = { NODE_EXTRA_CA_CERTS: file, HTTPS_PROXY: proxy.origin, HTTP_PROXY: proxy.origin };
      const crm = await runCrm(GET, { env: settings(elsewhere(secure.serve('over-ip', json(lead)).url), trusted) });
      expect(crm).toEqual({ status: 0, stdout: '{\n  "id": 1\n}\n', stderr: '' });
      expect(proxy.seen.map(({ method }) => method)).toEqual(['CONNECT']);
      const forwarding = await hostileServer({ tls: pair, otherwise: json(lead) });
      const plain = await runCrm(GET, { env: proxied(server.origin, { ...trusted, HTTP_PROXY: forwarding.origin }) });
      expect(plain).toEqual({ status: 0, stdout: '{\n  "id": 1\n}\n', stderr: '' });
      expect(forwarding.seen).toHaveLength(1);
      await Promise.all([proxy.stop(), forwarding.stop()]);
    });

    it.each([
      ['nobody vouches for', undefined, 'self-signed certificate', 'NODE_USE_SYSTEM_CA=1'],
      ['is for another host', 'DNS:crm.test', 'Hostname/IP does not match', 'The proxy came from HTTP'],
    ])("a proxy's certificate that %s is not blamed on the service", async (_what, names, says, hint) => {
      const own = selfSigned(names);
      const proxy = await hostileServer({ tls: { key: own?.key, cert: own?.cert }, otherwise: tunnel });
      const authority = names === undefined ? file : (own?.file ?? '');
      for (const url of [secure.serve('blamed', json(lead)).url, server.origin]) {
        const env = proxied(url, { HTTPS_PROXY: proxy.origin, HTTP_PROXY: proxy.origin, NODE_EXTRA_CA_CERTS: authority });
        // Only a process takes authorities from its environment.
        const crm = await (names === undefined ? runHere : runCrm)(POST, { env });
        expectFailure(crm, 7, /^error: The certificate of the proxy at 127\S+ \(HTTPS?_PROXY\) can't be trusted: .* Nothing was sent\.$/);
        expect(crm.stderr).toContain(says);
        expect(crm.stderr).toContain(hint);
      }
      expect(proxy.seen).toEqual([]);
      await proxy.stop();
    });

    it('an https proxy that speaks plain http', async () => {
      const proxy = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end(head(400))));
      await once(proxy.listen(0, '127.0.0.1'), 'listening');
      const env = settings(elsewhere(secure.origin), { HTTPS_PROXY: `https://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
      const crm = await runHere(POST, { env });
      expectFailure(
        crm,
        7,
        /^error: The proxy at 127\S+ \(HTTPS_PROXY\) can't be talked to over https .*does it speak plain http\? Nothing was sent\.$/,
      );
      proxy.close();
    });

    it('that never opens', async () => {
      const proxy = await connectProxy(silence);
      const env = settings(elsewhere(secure.serve('never', json(lead)).url), { HTTPS_PROXY: proxy.origin });
      const crm = await runHere(['leads', 'get', '1', '--timeout', '1'], { env });
      expectFailure(crm, 7, /over the proxy at \S+ \(HTTPS_PROXY\) within 1 s\.$/);
      await proxy.stop();
    });
  });
});

/** A proxy of its own, for CONNECT has no path that could name a case. */
async function connectProxy(reply: Reply): Promise<HostileServer> {
  return hostileServer({ otherwise: reply });
}
