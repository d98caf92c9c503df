// The program against a peer whose answers are odd, and good: late, bare, old-fashioned, large, or for another key.

import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCrm } from '../support/crm.ts';
import { bytes, type HostileServer, head, hostileServer, html, http, json, last, type Reply, reset } from '../support/hostile-server.ts';
import { runHere } from '../support/run-here.ts';
import { startCrm } from '../support/start-crm.ts';
import { expectFailure, expectNoKey, key, settings } from './support.ts';

const GET = ['leads', 'get', '1', '--json'];
const POST = ['leads', 'comments', 'add', '1', 'hello'];

const lead = { id: 1, title: 'Deal' };
const text = JSON.stringify({ data: lead });
const mebibyte = 1024 * 1024;

let server: HostileServer;
beforeAll(async () => {
  server = await hostileServer();
});
afterAll(() => server.stop());

describe.concurrent('good answers in odd clothes', () => {
  const answers: Record<string, Reply> = {
    'no content-type': http(200, text),
    'the wrong content-type': http(200, text, { 'content-type': 'text/html' }),
    'a byte order mark and line breaks': http(200, `\uFEFF\r\n${text}\r\n`),
    'HTTP/1.0, the end is the end': last(`HTTP/1.0 200 OK\r\n\r\n${text}`),
    'HTTP/1.0 with a length': last(`HTTP/1.0 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`),
    'no length, connection: close': last(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${text}`),
    'status 203 without a reason': bytes(`HTTP/1.1 203\r\ncontent-length: ${text.length}\r\n\r\n${text}`),
    'chunks, extensions and trailers': bytes(
      `${head(200, { 'transfer-encoding': 'chunked' })}3;a=b\r\n${text.slice(0, 3)}\r\n${(text.length - 3).toString(16)}\r\n${text.slice(3)}\r\n0\r\nx: y\r\n\r\n`,
    ),
    'early hints first': bytes(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${head(200, { 'content-length': text.length })}${text}`),
    'a byte at a time': (socket) => {
      const all = head(200, { 'content-length': text.length }) + text;
      socket.setNoDelay(true);
      const timer = setInterval(() => socket.write(all.charAt(sent++)) && sent === all.length && clearInterval(timer), 2);
      let sent = 0;
    },
  };
  for (const [name, reply] of Object.entries(answers)) {
    it(name, async () => {
      const peer = server.serve(encodeURIComponent(name.replaceAll(/\W/g, '-')), reply);
      const crm = await runHere(GET, { env: settings(peer.url) });
      expect(crm).toEqual({ status: 0, stdout: `${JSON.stringify(lead, null, 2)}\n`, stderr: '' });
      expect(peer.seen).toHaveLength(1);
    });
  }

  it.each([
    ['204', bytes('HTTP/1.1 204 No Content\r\n\r\n')],
    ['204 with a length', bytes(head(204, { 'content-length': 0 }))],
    ['an empty 200', http(200, '')],
    ['white space', http(200, ' \n')],
  ])('%s to a write', async (name, reply) => {
    const archived = { ...lead, active_state: 'archived' };
    const peer = server.serve(`write-${encodeURIComponent(name)}`, reply, json({ data: archived }));
    const crm = await runHere(['leads', 'archive', '1', '--json'], { env: settings(peer.url) });
    expect(crm.status, crm.stderr).toBe(0);
    expect(JSON.parse(crm.stdout)).toEqual(archived);
    expect(crm.stderr).toMatch(/^Lead 1 archived: Deal$/m);
    expect(peer.seen.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PUT', '/api/leads/1/archive', ''],
      ['GET', '/api/leads/1', ''],
    ]);
  });
});

describe.concurrent('answers that hold no list, or no record', () => {
  const odd: Record<string, Reply> = {
    'a message alone': json({ message: 'Maintenance' }),
    'a text as data': json({ data: 'x' }),
    true: json(true),
    'an empty body': http(200, ''),
    'a 204': bytes('HTTP/1.1 204 No Content\r\n\r\n'),
  };
  const lists = [
    ['leads', 'list'],
    ['leads', 'list', '--all', '-o', 'csv'],
    ['leads', 'list', '--page', '1', '--limit', '5'],
    ['leads', 'comments', 'list', '1'],
    ['api', 'GET', '/api/leads', '--paginate'],
  ];
  for (const [name, reply] of Object.entries(odd)) {
    it(`${name} is no list`, async () => {
      const peer = server.serve(`no-list-${encodeURIComponent(name.replaceAll(' ', '-'))}`, reply);
      for (const argv of lists) {
        const crm = await runHere(argv, { env: settings(peer.url) });
        expectFailure(crm, 7, /^error: The service answered without a list of records/);
      }
      expectFailure(await runHere(['leads', 'get', '1'], { env: settings(peer.url) }), 7, /without a record/);
    });
  }

  it('an object is no list', async () => {
    const peer = server.serve('object', json({ data: lead }));
    for (const argv of lists) expectFailure(await runHere(argv, { env: settings(peer.url) }), 7, /without a list of records\.$/);
  });

  it('no records, of five', async () => {
    const peer = server.serve('none-of-five', json({ data: [], meta: { total: 5, last_page: 1, current_page: 1 } }));
    for (const argv of [...lists.slice(0, 3), ...lists.slice(4)])
      expectFailure(await runHere(argv, { env: settings(peer.url) }), 7, /there are 5 records, and sent none/);
  });

  it('what says nothing but its name is no CRM to add a profile of', async () => {
    const peer = server.serve('no-crm', json({ message: 'Welcome' }));
    const folder = await mkdtemp(join(tmpdir(), 'crm-answers-'));
    const crm = await runHere(['profile', 'add', 'x', '--base-url', peer.url, '--key-stdin'], {
      env: { CRM_CONFIG_DIR: folder },
      stdin: key,
    });
    expectFailure(crm, 7, /without a list of records; it said: "Welcome"\.$/);
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});

describe.concurrent('another try', () => {
  it.each([408, 429, 500, 502, 503, 504])('%i on a GET, then 200', async (status) => {
    const peer = server.serve(`again-${status}`, html(status, 'Not now'), json({ data: lead }));
    const crm = await runHere(GET, { env: settings(peer.url) });
    expect(crm.status, crm.stderr).toBe(0);
    expect(crm.stderr).toBe('');
    expect(peer.seen).toHaveLength(2);
  });

  it('two resets on a GET, then 200', async () => {
    const peer = server.serve('again-reset', reset(), reset(`${head(200, { 'content-length': 99 })}{`), json({ data: lead }));
    const crm = await runHere(GET, { env: settings(peer.url) });
    expect(crm.status, crm.stderr).toBe(0);
    expect(peer.seen).toHaveLength(3);
  });

  it('429 with Retry-After: 1 on a POST waits, and is processed once', async () => {
    const peer = server.serve(
      'again-429',
      json({ message: 'Too Many Attempts.' }, 429, { 'retry-after': 1 }),
      json({ data: { id: 9 } }, 201),
    );
    const crm = await runHere([...POST, '--json', '--verbose'], { env: settings(peer.url) });
    expect(crm.status, crm.stderr).toBe(0);
    expect(crm.stderr).toMatch(/^POST \S+ again in 1000 ms$/m);
    expect(JSON.parse(crm.stdout)).toEqual({ id: 9 });
    expect(peer.seen.map(({ method, body }) => [method, body])).toEqual(Array(2).fill(['POST', peer.seen[0]?.body]));
  });

  it('--retries 0 asks once', async () => {
    const peer = server.serve('again-never', html(503, 'Not now'));
    expectFailure(await runHere(['leads', 'get', '1', '--retries', '0'], { env: settings(peer.url) }), 7, /\(503\): Not now\.$/);
    expect(peer.seen).toHaveLength(1);
  });
});

describe.concurrent('sizes', () => {
  it('10 MB of JSON', async () => {
    const description = 'x'.repeat(10 * mebibyte);
    const peer = server.serve('ten', json({ data: { id: 1, description } }));
    const crm = await runHere(GET, { env: settings(peer.url) });
    expect(crm.status, crm.stderr).toBe(0);
    expect(JSON.parse(crm.stdout).description.length).toBe(description.length);
  });

  it.each([
    ['100 MB', head(200, { 'content-length': 100 * mebibyte })],
    ['no end', head(200, { 'content-type': 'application/json' })],
  ])('%s: given up, in bounded memory', async (name, start) => {
    const peer = server.serve(`size-${encodeURIComponent(name)}`, flood(start, 100 * mebibyte));
    const { process: child, ended } = startCrm(['leads', 'get', '1'], settings(peer.url));
    const peak = watchMemory(child);
    expectFailure(await ended, 7, /The service answered 200, but its answer is larger than 64 MiB\.$/);
    expect(peer.seen).toHaveLength(1);
    expect(await peak()).toBeLessThan(400 * mebibyte);
  });

  it.each([
    ['1 MiB is read', 0, /^error: Read whole\.$/],
    ['a byte more is not', 1, /^error: The service refused the request \(400\)\.$/],
  ])('a problem of %s', async (_what, more, says) => {
    const message = 'Read whole.';
    const rest = mebibyte - JSON.stringify({ message, rest: '' }).length;
    const peer = server.serve(`problem-${more}`, json({ message, rest: 'y'.repeat(rest + more) }, 400));
    expectFailure(await runHere(['leads', 'get', '1'], { env: settings(peer.url) }), 5, says);
  });

  it('a 500 without an end is read as far as it matters', async () => {
    const peer = server.serve('flood-500', flood(`${head(500)}<title>Broken</title>`, 100 * mebibyte));
    expectFailure(await runHere(['leads', 'get', '1', '--retries', '0'], { env: settings(peer.url) }), 7, /\(500\): Broken\.$/);
  });
});

/** A head and as many spaces as the peer takes. */
function flood(start: string, most: number): Reply {
  const chunk = Buffer.alloc(mebibyte, ' ');
  return (socket) => {
    let left = most;
    const pour = (): void => {
      while (left > 0 && !socket.destroyed) {
        left -= chunk.length;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on('drain', pour).write(start);
    pour();
  };
}

/** The most resident memory that a process had, in bytes, as far as the system tells. */
function watchMemory(child: ChildProcess): () => Promise<number> {
  let most = 0;
  const timer = setInterval(async () => {
    most = Math.max(most, await residentBytes(child.pid ?? 0));
  }, 20);
  return async () => {
    clearInterval(timer);
    return most;
  };
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  if (status !== undefined) return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => ({ stdout: '0' }));
  return Number(stdout) * 1024;
}

describe.concurrent('keys and base URLs', () => {
  const exotic = `k"\\/%26é\u00ad&<b>'$&\`{}?#+=~ÿ`;

  it('a key of exotic characters arrives byte for byte', async () => {
    const peer = server.serve('exotic', json({ data: lead }));
    const crm = await runHere([...GET, '--debug'], { env: settings(peer.url, { CRM_API_KEY: exotic }) });
    expect(crm.status, crm.stderr).toBe(0);
    expect(peer.seen[0]?.headers.authorization).toBe(`Bearer ${exotic}`);
    expectNoKey(crm, exotic);
  });

  const escapeHtml = (raw: string): string =>
    raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
  const quotes: Record<string, (raw: string) => Reply> = {
    JSON: (raw) => json({ message: `No: ${raw}`, errors: { title: [raw], [raw]: ['x'] } }, 422),
    'escaped HTML': (raw) => http(500, `<h1>${escapeHtml(raw)}</h1>`),
    'Latin-1 HTML': (raw) => http(500, Buffer.from(`<h1>${escapeHtml(raw)}</h1>`, 'latin1')),
    'Latin-1 text': (raw) => http(401, Buffer.from(JSON.stringify({ message: raw }), 'latin1')),
    'a header': (raw) => bytes(Buffer.from(head(400, { 'content-length': 0, 'x-echo': raw, 'set-cookie': raw }), 'latin1')),
    'a redirect path': (raw) => bytes(head(302, { 'content-length': 0, location: `http://127.0.0.1:1/${encodeURIComponent(raw)}/x` })),
    'a redirect query': (raw) =>
      bytes(head(302, { 'content-length': 0, location: `http://${encodeURIComponent(raw)}@127.0.0.1:1/?k=${encodeURIComponent(raw)}` })),
    'a raw redirect within the origin': (raw) => bytes(Buffer.from(head(302, { 'content-length': 0, location: `?k=${raw}` }), 'latin1')),
    'Retry-After': (raw) => bytes(Buffer.from(head(429, { 'content-length': 0, 'retry-after': raw }), 'latin1')),
    'a content-type': (raw) => bytes(Buffer.from(`${head(200, { 'content-length': 1, 'content-type': raw })}x`, 'latin1')),
  };
  for (const [name, quote] of Object.entries(quotes)) {
    it(`an exotic key quoted in ${name}`, async () => {
      const peer = server.serve(`quoted-${encodeURIComponent(name.replaceAll(' ', '-'))}`, (socket, request) => {
        quote(request.headers.authorization?.slice('Bearer '.length) ?? '')(socket, request);
      });
      for (const flags of [['--debug'], ['--debug', '--json']]) {
        const argv = ['leads', 'get', '1', '--retries', '1', ...flags];
        const env = settings(peer.url, { CRM_API_KEY: exotic });
        // One process: its own streams mask, too.
        const crm = await (name === 'JSON' ? runCrm(argv, { env }) : runHere(argv, { env }));
        expect(crm.status).toBeGreaterThan(2);
        expectNoKey(crm, exotic);
        // Its ends, as plain as they are.
        expect(crm.stderr).not.toContain('k"\\');
        expect(crm.stderr).not.toContain('{}?#+=~');
        expect(crm.stderr).not.toContain('%7B%7D');
      }
    });
  }

  it('IPv6', async () => {
    const six = await hostileServer({ host: '::1' }).catch(() => undefined);
    if (six === undefined) return;
    const peer = six.serve('six', json({ data: lead }));
    const crm = await runHere(GET, { env: settings(peer.url) });
    expect(crm.status, crm.stderr).toBe(0);
    expect(peer.seen[0]?.headers.host).toBe(`[::1]:${six.port}`);
    await six.stop();
  });

  it.each(['', '/', '/api', '/api/', '//', '/crm', '/crm/', '/crm/api', '/crm/api/', '/crm%20x/%C3%A9/'])(
    'a base path of "%s"',
    async (path) => {
      const peer = server.serve(`base${encodeURIComponent(path).replaceAll('%', '')}`, json({ data: lead }));
      const crm = await runHere(GET, { env: settings(peer.url + path) });
      expect(crm.status, crm.stderr).toBe(0);
      const base = path.replace(/\/+$/, '').replace(/\/api$/, '');
      expect(peer.seen.map((one) => one.path)).toEqual([`${base}/api/leads/1`]);
    },
  );

  it('a path that was typed with letters beyond ASCII', async () => {
    const peer = server.serve('letters', json({ data: [] }));
    const crm = await runHere(['api', 'GET', '/api/日本/é?q=%20'], { env: settings(peer.url) });
    expect(crm.status, crm.stderr).toBe(0);
    expect(peer.seen[0]?.path).toBe('/api/%E6%97%A5%E6%9C%AC/%C3%A9?q=%20');
  });
});

it('sends exactly what it should', async () => {
  const peer = server.serve('head', json({ data: { id: 9 } }, 201));
  await runHere(POST, { env: settings(peer.url) });
  const { connection, ...headers } = peer.seen[0]?.headers ?? {};
  expect(connection).toBe('keep-alive');
  expect(headers).toEqual({
    host: `127.0.0.1:${server.port}`,
    accept: 'application/json',
    'accept-encoding': 'gzip, br, zstd',
    'user-agent': expect.stringMatching(/^crm-admin\/\d+\.\d+\.\d+/),
    authorization: `Bearer ${key}`,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(peer.seen[0]?.body.length),
  });
});
