// crm doctor against services that are odd, settings that are broken, and nothing at all: each is a row, and no key is in any.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readGlobalFlags } from '../../../src/base/global-flags.ts';
import { render } from '../../../src/output/render.ts';
import { symbolsFor } from '../../../src/output/streams/symbols.ts';
import { type CheckResult, checksResult } from '../../../src/session/doctor.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { runHere } from '../../support/run-here.ts';

const key = 'crm_live_0123456789abcdef';
const root = mkdtempSync(join(tmpdir(), 'crm-doctor-'));
afterAll(() => rmSync(root, { recursive: true }));

let folder: string;
let count = 0;
beforeEach(() => {
  count += 1;
  folder = join(root, String(count));
  mkdirSync(folder);
});

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Serves one way of answering; gives its base URL, and the requests that came. */
async function serve(answer: RequestListener): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const json =
  (status: number, document: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(document));
  };
const contacts = { data: [{ id: 1 }], meta: { total: 1 }, message: 'OK' };

interface Examined {
  readonly status: number | null;
  readonly rows: Readonly<Record<string, CheckResult>>;
  readonly stderr: string;
}

/** Runs `crm doctor --json`; nothing that it writes may hold the key. */
async function examine(env: Record<string, string>, ...args: string[]): Promise<Examined> {
  const folders = { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data') };
  const { status, stdout, stderr } = await runHere(['doctor', '--json', ...args], { env: { ...folders, ...env }, cwd: folder });
  expect(stdout + stderr).not.toContain(key);
  const findings = JSON.parse(stdout) as CheckResult[];
  return { status, stderr, rows: Object.fromEntries(findings.map((one) => [one.check, one])) };
}

const examineAt = (url: string, ...args: string[]) => examine({ CRM_BASE_URL: url, CRM_API_KEY: key }, ...args);

const config = (text: string, mode = 0o600): void => {
  mkdirSync(join(folder, 'config'), { mode: 0o700, recursive: true });
  writeFileSync(join(folder, 'config', 'config.json'), text, { mode });
};

describe('a service', () => {
  it('that is well: one read, nothing written, status 0', async () => {
    const { url, asked } = await serve(json(200, contacts));
    const { status, rows, stderr } = await examineAt(url);
    expect(Object.keys(rows)).toEqual([
      ...['crm', 'Node', 'config folder', 'data folder', 'profiles', 'profile', 'base URL', 'encoding', 'me', 'protected', 'read only'],
      ...['proxy', 'key', 'service', 'clock'],
    ]);
    expect(Object.values(rows).filter(({ state }) => state !== 'ok')).toEqual([]);
    expect({ status, stderr, asked }).toEqual({ status: 0, stderr: '', asked: ['GET /api/contacts?limit=1'] });
    expect(rows['base URL']?.found).toBe(`${url}, from CRM_BASE_URL`);
    expect(rows.key).toEqual({ check: 'key', state: 'ok', found: `crm_…cdef, from CRM_API_KEY, sent to ${url}: accepted`, advice: null });
    expect(rows.clock?.state).toBe('ok');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that refuses the key and quotes it', async () => {
    const { url } = await serve(json(401, { message: `Unauthorized. ${key} is not valid.` }));
    const { status, rows, stderr } = await examineAt(url, '--debug');
    expect(status).toBe(11);
    expect(rows.service?.state).toBe('ok');
    expect(rows.key).toMatchObject({ state: 'wrong', advice: `The key came from CRM_API_KEY; it was sent to ${url}.` });
    expect(rows.clock).toBeUndefined();
    expect(stderr).toContain('"code":"found"');
  });

  it.each<[string, RequestListener, RegExp]>([
    [
      'a proxy’s page',
      (_, response) => response.writeHead(502).end('<html><title>Bad Gateway</title>'),
      /^The service failed \(502\): Bad Gateway\.$/,
    ],
    ['a page instead of an answer', (_, response) => response.end('<html>Welcome'), /^The service answered 200, but with an HTML page/],
    ['an answer that is no list', json(200, { hello: 'world' }), /no list|records/i],
    ['no such path', json(404, { message: 'Not Found.' }), /^There is nothing at \/api\/contacts \(404\)\.$/],
    [
      'a redirect elsewhere',
      (_, response) => response.writeHead(301, { location: 'https://other.example/api' }).end(),
      /^The service redirects \(301\) to https:\/\/other\.example/,
    ],
    ['a limit', json(429, { message: 'Too Many Attempts.' }), /^Too Many Attempts\.$/],
  ])('that answers with %s', async (_what, answer, found) => {
    const { url } = await serve(answer);
    const { status, rows } = await examineAt(url);
    expect(status).toBe(11);
    expect(rows.service).toMatchObject({ state: 'wrong', found: expect.stringMatching(found) });
    const unjudged = `crm_…cdef, from CRM_API_KEY, sent to ${url}, and no answer says whether it is accepted`;
    expect(rows.key).toMatchObject({ state: 'unknown', found: unjudged });
  });

  it('that says nothing: for --timeout, once', async () => {
    const { url, asked } = await serve(() => {});
    const { status, rows } = await examineAt(url, '--timeout', '0.3');
    expect({ status, asked: asked.length }).toEqual({ status: 11, asked: 1 });
    expect(rows.service?.found).toMatch(/^No complete answer from 127\.0\.0\.1:\d+ within 0\.3 s\.$/);
  });

  it('that nobody listens at', async () => {
    const { rows } = await examineAt('http://127.0.0.1:9');
    expect(rows.service).toMatchObject({ state: 'wrong', found: 'Nothing listens at 127.0.0.1:9: connection refused.' });
    expect(rows.key).toMatchObject({ state: 'unknown', found: 'crm_…cdef, from CRM_API_KEY, not sent, so not checked' });
  });

  it.each([[3 * 3_600_000], [-200_000]])('whose clock differs by %i ms', async (difference) => {
    const { url } = await serve((request, response) =>
      json(200, contacts, { date: new Date(Date.now() + difference).toUTCString() })(request, response),
    );
    const { status, rows } = await examineAt(url);
    expect(status).toBe(11);
    expect(rows.clock?.state).toBe('wrong');
    const [here = '', there = ''] = rows.clock?.found.match(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g) ?? [];
    // Each is cut to the minute.
    expect(Math.abs(Date.parse(there) - Date.parse(here) - difference)).toBeLessThanOrEqual(60_000);
    expect(rows.clock?.found).toBe(`this machine says ${here}, the service ${there}`);
  });

  it('that does not tell its time', async () => {
    const { url } = await serve((request, response) => {
      response.sendDate = false;
      json(200, contacts)(request, response);
    });
    expect((await examineAt(url)).rows.clock).toMatchObject({ state: 'unknown', found: 'the service does not send its time' });
  });
});

describe('a proxy', () => {
  it('is named without its password', async () => {
    const proxy = 'http://user:hunter2@127.0.0.1:9';
    const { rows } = await examine({ CRM_BASE_URL: 'https://crm.test', CRM_API_KEY: key, HTTPS_PROXY: proxy });
    expect(rows.proxy).toMatchObject({ state: 'ok', found: 'the proxy at 127.0.0.1:9 (HTTPS_PROXY)' });
    expect(rows.service?.state).toBe('wrong');
    expect(JSON.stringify(rows)).not.toContain('hunter2');
  });

  it('that is none, and one that is for others', async () => {
    const { url } = await serve(json(200, contacts));
    const broken = { CRM_BASE_URL: 'https://crm.test', CRM_API_KEY: key, HTTPS_PROXY: 'ftp://x' };
    expect((await examine(broken)).rows.proxy?.state).toBe('wrong');
    const others = await examine({ CRM_BASE_URL: url, CRM_API_KEY: key, HTTP_PROXY: 'http://127.0.0.1:9' });
    expect(others).toMatchObject({ status: 0, rows: { proxy: { found: 'none for this service, though HTTP_PROXY is set' } } });
  });
});

it('a check that fails by itself is wrong: every command would end with the same error', async () => {
  const { status, rows } = await examine({
    CRM_BASE_URL: 'https://crm.invalid',
    CRM_API_KEY: key,
    HTTPS_PROXY: 'http://u:50%@127.0.0.1:1',
  });
  expect([status, rows.service?.state]).toEqual([11, 'wrong']);
});

describe('settings', () => {
  it('that there are none of: what to do', async () => {
    const { status, rows } = await examine({});
    expect(status).toBe(11);
    expect(rows.settings).toMatchObject({ state: 'wrong', advice: expect.stringContaining('crm sandbox init') });
    expect(rows.service).toMatchObject({ state: 'unknown', found: 'not asked: there are no settings' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('in a file that is broken', async () => {
    config(`{"key": "${key}"`);
    const { status, rows } = await examine({});
    expect(status).toBe(11);
    expect(rows.profiles).toMatchObject({ state: 'wrong', found: expect.stringMatching(/config\.json is not valid JSON/) });
    expect(rows).not.toHaveProperty('settings');
    expect(rows.service?.state).toBe('unknown');
  });

  it('in a file that others can read', async () => {
    config(`{"version": 1, "profiles": {"a": {"baseUrl": "https://crm.example", "key": "${key}"}}}`);
    chmodSync(join(folder, 'config', 'config.json'), 0o644);
    const { rows } = await examine({});
    const path = join(folder, 'config', 'config.json');
    expect(rows['config file']).toEqual({
      check: 'config file',
      state: 'wrong',
      found: `${path}: other users can read or change it (mode 644), and it may hold keys`,
      advice: `chmod 600 ${path}`,
    });
  });

  it('where a folder is to be and can’t be, or a folder where the file is to be', async () => {
    writeFileSync(join(folder, 'file'), '');
    const beneath = join(folder, 'file', 'data');
    const { status, rows } = await examine({ CRM_DATA_DIR: beneath });
    expect(status).toBe(11);
    expect(rows['data folder']).toMatchObject({
      state: 'wrong',
      found: `${beneath}, from CRM_DATA_DIR: it can't be read (not a directory)`,
    });
    mkdirSync(join(folder, 'config', 'config.json'), { recursive: true });
    const asFolder = await examine({});
    expect(asFolder.rows['config file']).toBeUndefined();
    expect(asFolder.rows.profiles).toMatchObject({ state: 'wrong', found: expect.stringMatching(/is not a file\.$/) });
  });

  it('of a profile, its key from a command of which nothing is shown', async () => {
    const { url } = await serve(json(200, contacts));
    const command = `echo ${key.slice(0, 10)}"${key.slice(10)}"`;
    const profile = { baseUrl: url, keyCommand: command, encoding: 'json', protected: true, me: '3' };
    config(JSON.stringify({ version: 1, current: 'acme', profiles: { acme: profile, other: { baseUrl: 'sandbox:' } } }));
    const { status, rows } = await examine({});
    expect(status).toBe(0);
    expect(rows.profiles?.found).toBe('acme (current), other');
    expect(rows.profile?.found).toBe('acme, the current one');
    expect(rows.key?.found).toBe(`the key command of profile "acme" prints a key, sent to ${url}: accepted`);
    // A key of another service in the environment goes to the profile that was left the current one: it is said.
    config(
      JSON.stringify({ version: 1, current: 'acme', profiles: { acme: { ...profile, keyCommand: undefined, key: 'other-key-12345' } } }),
    );
    expect((await examine({ CRM_API_KEY: key })).rows.key?.found).toBe(`crm_…cdef, from CRM_API_KEY, sent to ${url}: accepted`);
    config(JSON.stringify({ version: 1, current: 'acme', profiles: { acme: profile, other: { baseUrl: 'sandbox:' } } }));
    expect(rows.encoding?.found).toBe('json, from profile "acme"');
    expect(rows.me?.found).toBe('3, from profile "acme"');
    expect(rows.protected?.found).toContain('--confirm acme');
    expect((await examine({ CRM_PROFILE: 'other' })).rows.profile?.found).toBe('other, from CRM_PROFILE');
    expect((await examine({ CRM_PROFILE: 'other' }, '-p', 'acme')).rows.profile?.found).toBe('acme, from --profile');
  });

  it('with a key command that fails, and a profile that there is none of', async () => {
    config('{"version": 1, "current": "a", "profiles": {"a": {"baseUrl": "http://127.0.0.1:9", "keyCommand": "exit 3"}}}');
    const { rows } = await examine({});
    expect(rows.key).toMatchObject({ state: 'wrong', found: 'The key command of profile "a" failed with exit status 3.' });
    expect(rows.service).toMatchObject({ state: 'unknown', found: 'not asked: there is no key' });
    expect((await examine({}, '-p', 'b')).rows.settings).toMatchObject({ state: 'wrong', advice: 'Profiles: a.' });
  });
});

describe('the embedded CRM', () => {
  it('that there is, and that there is none of', async () => {
    const env = { CRM_BASE_URL: 'sandbox:' };
    expect((await examine(env)).rows.service).toMatchObject({ state: 'wrong', advice: 'Make one: crm sandbox init' });
    expect(existsSync(join(folder, 'data'))).toBe(false);
    const folders = { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data') };
    await runHere(['sandbox', 'init', '--empty'], { env: folders, cwd: folder });
    const { status, rows } = await examine(env);
    expect(status).toBe(0);
    expect(rows.key?.found).toBe('the embedded CRM needs no key');
    expect(rows.service?.found).toMatch(/^the embedded CRM answers in \d+ ms$/);
    expect(rows.clock).toBeUndefined();
  });
});

describe('on a terminal', () => {
  const rows: readonly CheckResult[] = [
    { check: 'crm', state: 'ok', found: '0.1.0', advice: null },
    {
      check: 'service',
      state: 'wrong',
      found: 'Nothing listens at \u001b[31mcrm.example: connection refused.',
      advice: 'Is the service running?',
    },
    { check: 'clock', state: 'unknown', found: 'not known', advice: null },
  ];
  const shown = async (some: readonly CheckResult[], columns: number, color = false, symbols = symbolsFor({})) => {
    const io = { ...fakeIo({ tty: true, columns, color }), symbols };
    const signal = new AbortController().signal;
    expect(await render(checksResult(some, symbols), { io, flags: readGlobalFlags({}), signal, now: new Date(0) })).toBe(0);
    return { stdout: io.stdoutText(), stderr: io.stderrText() };
  };

  it('each has its line with a sign, and what to do behind it', async () => {
    expect(await shown(rows, 80)).toEqual({
      stdout: [
        'crm      ✓ 0.1.0',
        'service  ✗ Nothing listens at \\x1b[31mcrm.example: connection refused. → Is the',
        '         service running?',
        'clock    ? not known\n',
      ].join('\n'),
      stderr: '✓ Nothing is wrong.\n',
    });
  });

  it('narrow, and without Unicode', async () => {
    const { stdout } = await shown(rows, 40, false, symbolsFor({ LANG: 'C' }));
    expect(stdout).toBe(
      [
        'crm      + 0.1.0',
        'service  x Nothing listens at',
        '         \\x1b[31mcrm.example: connection',
        '         refused. -> Is the service',
        '         running?',
        'clock    ? not known\n',
      ].join('\n'),
    );
  });

  it('what is wrong is red', async () => {
    const { stdout } = await shown([{ check: 'service', state: 'wrong', found: 'Nothing listens.', advice: null }], 80, true);
    expect(stdout).toMatch(/\u001b\[31m✗ Nothing listens\./);
  });
});
