// The file: who may read it, ids over its whole life, several processes on it, and what is no sandbox.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { fillStore } from '../../../src/sandbox/create.ts';
import { openHandler } from '../../../src/sandbox/http/answer.ts';
import { openStore } from '../../../src/sandbox/store/store.ts';
import { makeSandbox } from '../../support/make-sandbox.ts';

const directory = mkdtempSync(join(tmpdir(), 'crm-store-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
let number = 0;
const newPath = () => {
  number += 1;
  return join(directory, `${number}.db`);
};
const source = (path: string) => new URL(`../../../src/sandbox/${path}`, import.meta.url).href;
const node = async (script: string) => (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])).stdout;

const lead = 'lead_title=One&lead_status=1&lead_categoryid=1';
const post = { method: 'POST', path: '/api/leads', body: lead };

describe('a sandbox file', () => {
  it('can be read and written by its owner alone, its log too', async () => {
    const path = newPath();
    makeSandbox(path, { demo: false });
    const handler = openHandler(path);
    await handler.answer(post);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    handler.close();
  });

  it('never gives an id twice, not even after reopening', async () => {
    const path = newPath();
    makeSandbox(path, { demo: false });
    const first = openHandler(path);
    expect(JSON.parse((await first.answer(post)).body).data.id).toBe(1);
    expect((await first.answer({ method: 'DELETE', path: '/api/leads/1' })).status).toBe(200);
    first.close();
    const second = openHandler(path);
    expect(JSON.parse((await second.answer(post)).body).data.id).toBe(2);
    second.close();
  });

  it('is refused when it is missing, of another kind or a directory', () => {
    const text = newPath();
    writeFileSync(text, 'name,email\n'.repeat(100));
    const empty = newPath();
    writeFileSync(empty, '');
    expect(() => openStore(newPath(), { mode: 'open' })).toThrow('There is no sandbox at');
    expect(() => openStore(text, { mode: 'open' })).toThrow('is not a sandbox');
    expect(() => openStore(text, { mode: 'create' })).toThrow('is not a sandbox');
    expect(() => openStore(empty, { mode: 'open' })).toThrow('is not a sandbox');
    expect(() => openStore(directory, { mode: 'open' })).toThrow("can't be opened");
  });

  it('leaves a database of something else alone', async () => {
    const path = newPath();
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE photos (id INTEGER)');
    other.close();
    expect(() => openStore(path, { mode: 'create' })).toThrow('is not a sandbox');
    const again = new DatabaseSync(path);
    expect(
      again
        .prepare('SELECT name FROM sqlite_schema')
        .all()
        .map((row) => row.name),
    ).toEqual(['photos']);
    again.close();
  });
});

describe('several processes', () => {
  /** In CI six. */
  const writers = process.env.CRM_SLOW === '1' ? 6 : 3;

  it('write to one file without losing or refusing anything', async () => {
    const path = newPath();
    makeSandbox(path, { demo: false });
    const script = `
      import { openHandler } from '${source('http/answer.ts')}';
      const handler = openHandler(${JSON.stringify(path)});
      const statuses = new Set();
      for (let count = 0; count < 150; count += 1) statuses.add((await handler.answer(${JSON.stringify(post)})).status);
      handler.close();
      console.log([...statuses].join());`;
    const outputs = await Promise.all(Array.from({ length: writers }, () => node(script)));
    expect(outputs.map((output) => output.trim())).toEqual(Array(writers).fill('201'));
    const handler = openHandler(path);
    expect(JSON.parse((await handler.answer({ method: 'GET', path: '/api/leads' })).body).meta.total).toBe(150 * writers);
    handler.close();
  });

  it('make the tables of one new file once', async () => {
    const path = newPath();
    const script = `
      import { openStore } from '${source('store/store.ts')}';
      const store = openStore(${JSON.stringify(path)}, { mode: 'create' });
      console.log(store.get("SELECT count(*) AS total FROM leads").total);
      store.close();`;
    const outputs = await Promise.all(Array.from({ length: writers }, () => node(script)));
    expect(outputs.join('').trim().split('\n')).toEqual(Array(writers).fill('0'));
  });

  it('see what another one wrote, also in a record that was read before', async () => {
    const path = newPath();
    makeSandbox(path, { demo: false });
    const [one, other] = [openHandler(path), openHandler(path)];
    await one.answer(post);
    const title = async () => JSON.parse((await other.answer({ method: 'GET', path: '/api/leads/1' })).body).data.title;
    expect(await title()).toBe('One');
    await one.answer({ ...post, method: 'PATCH', path: '/api/leads/1', body: lead.replace('One', 'Two') });
    expect(await title()).toBe('Two');
    one.close();
    other.close();
  });
});

describe('a transaction', () => {
  it('writes nothing when its work fails, and what was found within it is forgotten', () => {
    const store = openStore(':memory:', { mode: 'create' });
    fillStore(store, false);
    const name = () => store.recall('unit', () => ({ ...store.get<object>("SELECT key FROM names WHERE kind = 'unit' AND id = 1") }));
    expect(() =>
      store.transaction(() => {
        store.run("UPDATE names SET key = 'dozen' WHERE kind = 'unit' AND id = 1");
        expect(name()).toEqual({ key: 'dozen' });
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(name()).toEqual({ key: 'each' });
    store.close();
  });
});

it('opens without any warning but says others', async () => {
  const script = `
    process.on('warning', (warning) => console.log(warning.message));
    const { openStore } = await import('${source('store/store.ts')}');
    openStore(':memory:', { mode: 'create' }).close();
    process.emitWarning('this one counts', 'ExperimentalWarning');`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=module', '-e', script]);
  expect(stdout.trim()).toBe('this one counts');
});
