// `crm-admin/sandbox`: a CRM in a stranger's process, and over HTTP.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../../src/client/library/sandbox.ts';
import { storeError } from '../../../src/sandbox/store/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-library-'));
afterAll(() => rmSync(folder, { recursive: true }));

const opened: Sandbox[] = [];
async function open(options?: SandboxOptions): Promise<Sandbox> {
  const sandbox = await openSandbox(options);
  opened.push(sandbox);
  return sandbox;
}
afterEach(async () => {
  for (const sandbox of opened.splice(0)) await sandbox.close();
});

const base = 'https://crm.example.com';
const total = async ({ fetch }: Pick<Sandbox, 'fetch'>, path = '/api/leads'): Promise<number> =>
  ((await (await fetch(base + path)).json()) as { meta: { total: number } }).meta.total;
const addNote = (sandbox: Sandbox, title: string): Promise<Response> =>
  sandbox.fetch(`${base}/api/notes`, { method: 'POST', body: new URLSearchParams({ note_title: title, note_description: 'x' }) });

describe('fetch', () => {
  const form = new FormData();
  form.append('tags[]', 'one');
  form.append('tags[]', 'two');
  const json = JSON.stringify({ tags: ['one', 'two'] });
  it.each<[string, () => Parameters<typeof fetch>]>([
    [
      'a text and a form',
      () => [
        `${base}/api/leads/12/tags`,
        { method: 'PUT', body: new URLSearchParams([...['one', 'two'].map((tag) => ['tags[]', tag] as [string, string])]) },
      ],
    ],
    ['a URL and a multipart form', () => [new URL('http://localhost:1/api/leads/12/tags'), { method: 'PUT', body: form }]],
    [
      'a Request and JSON',
      () => [new Request(`${base}/api/leads/12/tags`, { method: 'PUT', body: json, headers: { 'content-type': 'application/json' } })],
    ],
    [
      'a Request and what overrides it',
      () => [new Request(`${base}/api/leads/12/tags`), { method: 'put', body: json, headers: { 'Content-Type': 'application/json' } }],
    ],
  ])('takes %s', async (_name, call) => {
    const { fetch } = await open();
    const answer = await fetch(...call());
    expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toEqual([
      200,
      'application/json',
      { data: expect.objectContaining({ id: 12, tags: ['one', 'two'] }), message: 'Lead tags updated successfully.' },
    ]);
  });

  it('refuses as the service does', async () => {
    const { fetch } = await open();
    const answer = await fetch(`${base}/api/contacts`, { method: 'POST', body: new URLSearchParams({ first_name: 'Ada' }) });
    expect([answer.status, Object.keys(((await answer.json()) as { errors: object }).errors)]).toEqual([
      422,
      ['last_name', 'email', 'clientid'],
    ]);
    expect((await fetch(`${base}/api/nothing`)).status).toBe(404);
  });

  it('refuses a body without an end before it fills the memory', async () => {
    const { fetch } = await open();
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)) });
    const init = { method: 'POST', body, duplex: 'half' as const };
    expect((await fetch(`${base}/api/leads`, init)).status).toBe(413);
  });

  it('sends nothing when its signal fires first', async () => {
    const sandbox = await open();
    const controller = new AbortController();
    const asked = sandbox.fetch(`${base}/api/leads/12`, { method: 'DELETE', signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    expect((await sandbox.fetch(`${base}/api/leads/12`)).status).toBe(200);
  });

  it('wants the key that the sandbox was opened with, and else none', async () => {
    const { fetch } = await open({ key: 'test-key' });
    expect((await fetch(`${base}/api/leads`)).status).toBe(401);
    expect((await fetch(`${base}/api/leads`, { headers: { authorization: 'Bearer test-key' } })).status).toBe(200);
    await expect(openSandbox({ key: 'two words' })).rejects.toThrow('key: give printable characters without spaces.');
  });
});

describe('records', () => {
  it('are the demo data, or reference data alone', async () => {
    expect(await total(await open())).toBe(44);
    const empty = await open({ demo: false });
    expect([await total(empty), await total(empty, '/api/categories'), await total(empty, '/api/clients')]).toEqual([0, 9, 1]);
  });

  it('of two sandboxes are apart', async () => {
    const [one, other] = [await open(), await open()];
    await one.fetch(`${base}/api/leads/12`, { method: 'DELETE' });
    expect([await total(one), await total(other)]).toEqual([43, 44]);
  });

  it('come back with a reset as they were at the opening, ids included', async () => {
    const path = join(folder, 'kept.sqlite');
    const first = await openSandbox({ path, demo: false });
    await addNote(first, 'one');
    await first.close();
    const again = await open({ path });
    const before = await (await again.fetch(`${base}/api/notes/1`)).text();
    await again.fetch(`${base}/api/notes/1`, { method: 'DELETE' });
    for (const title of ['two', 'three']) await addNote(again, title);
    again.reset();
    expect(await (await again.fetch(`${base}/api/notes/1`)).text()).toBe(before);
    expect(await total(again, '/api/notes')).toBe(1);
    expect(await (await addNote(again, 'next')).json()).toMatchObject({ data: { id: 2, title: 'next' } });
  });

  it('of a file are made with demo data once, and stay', async () => {
    const path = join(folder, 'made.sqlite');
    const first = await openSandbox({ path });
    await first.fetch(`${base}/api/leads/12`, { method: 'DELETE' });
    await first.close();
    expect(await total(await open({ path, demo: false }))).toBe(43);
  });
});

describe('a path', () => {
  it('that is no sandbox is said to be none, and stays as it is', async () => {
    const path = join(folder, 'letter.txt');
    writeFileSync(path, 'Dear Ada,\n'.repeat(100));
    await expect(openSandbox({ path })).rejects.toMatchObject({ code: 'usage', message: `${path} is not a sandbox.` });
    await expect(openSandbox({ path: folder })).rejects.toMatchObject({
      code: 'usage',
      message: `The sandbox at ${folder} can't be opened.`,
    });
  });

  it('that another process writes to is in use', async () => {
    const path = join(folder, 'busy.sqlite');
    await open({ path, demo: false });
    const [one, other] = [new DatabaseSync(path), new DatabaseSync(path)];
    one.exec('BEGIN IMMEDIATE');
    const busy = problemOf(() => other.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE'));
    one.close();
    other.close();
    expect(storeError(busy, path)).toMatchObject({
      code: 'unavailable',
      message: `The sandbox at ${path} is in use: another process has been writing to it for 10 s.`,
    });
  });
});

function problemOf(work: () => void): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('listen', () => {
  it('serves the same records over HTTP, with a key', async () => {
    const sandbox = await open();
    const { url, key, close } = await sandbox.listen();
    expect((await fetch(`${url}/api/leads`)).status).toBe(401);
    const answer = await fetch(`${url}/api/leads/12`, { method: 'DELETE', headers: { authorization: `Bearer ${key}` } });
    expect([answer.status, await total(sandbox)]).toEqual([200, 43]);
    await close();
    await expect(fetch(`${url}/api/leads`)).rejects.toThrow();
    expect(await total(sandbox)).toBe(43);
  });

  it('takes the key of the sandbox, and a port', async () => {
    const sandbox = await open({ key: 'test-key' });
    const { url, key } = await sandbox.listen({ port: 0, host: 'localhost' });
    expect([new URL(url).hostname, key]).toEqual(['localhost', 'test-key']);
    const port = Number(new URL(url).port);
    await expect(sandbox.listen({ port, host: 'localhost' })).rejects.toMatchObject({
      code: 'usage',
      message: `port: ${port} on localhost is in use.`,
      details: { hint: '0 picks a free port.' },
    });
    await expect(sandbox.listen({ port: 70_000 })).rejects.toThrow('port: 70000 is not a port, 0 to 65535.');
    await expect(sandbox.listen({ host: 'nowhere.invalid' })).rejects.toThrow('host: nowhere.invalid is no address of this machine.');
  });
});

describe('close', () => {
  it('ends what listens, may be called again, and leaves nothing to be asked', async () => {
    const sandbox = await openSandbox();
    const { url } = await sandbox.listen();
    await Promise.all([sandbox.close(), sandbox.close()]);
    await sandbox[Symbol.asyncDispose]();
    await expect(fetch(`${url}/api/leads`)).rejects.toThrow();
    await expect(sandbox.fetch(`${base}/api/leads`)).rejects.toThrow('The sandbox is closed.');
    await expect(sandbox.listen()).rejects.toThrow('The sandbox is closed.');
    expect(() => sandbox.reset()).toThrow('The sandbox is closed.');
  });
});
