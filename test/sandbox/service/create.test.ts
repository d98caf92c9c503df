// Making, replacing and resetting a sandbox file.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, resetSandbox } from '../../../src/sandbox/create.ts';
import { type Handler, openHandler } from '../../../src/sandbox/http/answer.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crm-create-'));
  path = join(directory, 'deep', 'sandbox.db');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const total = async (family: string): Promise<number> => {
  const handler = openHandler(path);
  const { body } = await handler.answer({ method: 'GET', path: `/api/${family}` });
  handler.close();
  return JSON.parse(body).meta.total;
};

describe('createSandbox', () => {
  it('makes the directory and leaves nothing but the file', () => {
    createSandbox(path, { demo: true });
    expect(readdirSync(join(directory, 'deep'))).toEqual(['sandbox.db']);
  });

  it('makes the same file every time, but for the passwords', async () => {
    createSandbox(path, { demo: true });
    const records = async () => {
      const handler = openHandler(path);
      const families = ['contacts', 'proposals', 'leads', 'items', 'notes', 'clients'];
      const answers = await Promise.all(families.map((family) => handler.answer({ method: 'GET', path: `/api/${family}?limit=100` })));
      handler.close();
      return answers.map(({ body }) => body);
    };
    const first = await records();
    createSandbox(path, { demo: true, force: true });
    expect(await records()).toEqual(first);
  });

  it('leaves what is there alone, unless forced', async () => {
    createSandbox(path, { demo: true });
    expect(() => createSandbox(path, { demo: false })).toThrow('already');
    expect(await total('leads')).toBeGreaterThan(0);
    createSandbox(path, { demo: false, force: true });
    expect(await total('leads')).toBe(0);
  });

  it('replaces a file of another kind, and never reads the log that it left', async () => {
    createSandbox(path, { demo: false });
    writeFileSync(path, 'no database at all');
    writeFileSync(`${path}-wal`, 'leftover');
    writeFileSync(`${path}-shm`, 'leftover');
    createSandbox(path, { demo: true, force: true });
    expect(readdirSync(join(directory, 'deep'))).toEqual(['sandbox.db']);
    expect(await total('leads')).toBeGreaterThan(0);
  });

  it('replaces a sandbox that a process has open: it goes on with the new one', async () => {
    createSandbox(path, { demo: false });
    const old = openHandler(path);
    const lead = { method: 'POST', path: '/api/leads', body: 'lead_title=Old&lead_status=1&lead_categoryid=1' };
    expect((await old.answer(lead)).status).toBe(201);
    createSandbox(path, { demo: false, force: true });
    const titles = async (handler: Handler) =>
      JSON.parse((await handler.answer({ method: 'GET', path: '/api/leads' })).body).data.map((one: { title: string }) => one.title);
    expect(await titles(old)).toEqual([]);
    const current = openHandler(path);
    expect(JSON.parse((await current.answer({ ...lead, body: lead.body.replace('Old', 'New') })).body).data.id).toBe(1);
    expect(await titles(old)).toEqual(['New']);
    expect(JSON.parse((await old.answer(lead)).body).data.id).toBe(2);
    expect(await titles(current)).toEqual(['Old', 'New']);
    old.close();
    current.close();
  });

  it('replaces a sandbox that is damaged', async () => {
    createSandbox(path, { demo: true });
    const bytes = readFileSync(path);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 'x')]));
    createSandbox(path, { demo: true, force: true });
    expect(await total('leads')).toBeGreaterThan(0);
  });

  it('leaves the old file when the new one cannot be made', () => {
    createSandbox(path, { demo: false });
    const before = readFileSync(path);
    expect(() => createSandbox(join(path, 'below-a-file.db'), { demo: false })).toThrow();
    expect(readFileSync(path)).toEqual(before);
    expect(existsSync(join(directory, 'deep', 'below-a-file.db'))).toBe(false);
  });
});

describe('resetSandbox', () => {
  it('gives the demo back, ids and all, while the file is open elsewhere', async () => {
    createSandbox(path, { demo: true });
    const open = openHandler(path);
    const get = async (lead: string) => JSON.parse((await open.answer({ method: 'GET', path: lead })).body);
    const before = await get('/api/leads/1');
    await open.answer({ method: 'DELETE', path: '/api/leads/1' });
    await open.answer({ method: 'POST', path: '/api/leads', body: 'lead_title=More&lead_status=1&lead_categoryid=1' });
    resetSandbox(path);
    expect(await get('/api/leads/1')).toEqual(before);
    expect((await get('/api/leads?limit=1')).data[0].title).not.toBe('More');
    open.close();
  });

  it('gives an empty sandbox back empty', async () => {
    createSandbox(path, { demo: false });
    const open = openHandler(path);
    await open.answer({ method: 'POST', path: '/api/leads', body: 'lead_title=More&lead_status=1&lead_categoryid=1' });
    open.close();
    resetSandbox(path);
    expect(await total('leads')).toBe(0);
    expect(await total('categories')).toBe(9);
  });

  it('wants a sandbox', () => {
    expect(() => resetSandbox(path)).toThrow('There is no sandbox');
  });
});
