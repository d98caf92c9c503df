// Files of other versions: an older one is brought up to date and loses nothing, a newer one is refused and left alone.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createSandbox } from '../../../src/sandbox/create.ts';
import { type Handler, openHandler } from '../../../src/sandbox/handler.ts';

const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
const directory = mkdtempSync(join(tmpdir(), 'crm-versions-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A file as version 1 made it. */
function oldFile(name: string): string {
  const path = join(directory, name);
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF');
  database.exec(readFileSync(join(import.meta.dirname, 'version-1.sql'), 'utf8'));
  database.close();
  return path;
}

/** Every column of every table, and the version. */
function shapeOf(path: string): unknown {
  const database = new DatabaseSync(path);
  const columns = database
    .prepare(
      `SELECT t.name || '.' || c.name || ' ' || c.type || c."notnull" || ifnull(c.dflt_value, '') AS column
       FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY 1`,
    )
    .all()
    .map(({ column }) => column);
  const indexes = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name").all();
  const version = database.prepare('PRAGMA user_version').get();
  database.close();
  return { columns, indexes, version };
}

async function ask(handler: Handler, method: string, path: string, body?: string) {
  const answer = await handler.answer({ method, path, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, body: JSON.parse(answer.body) };
}

it('an older file gets the tables of a new one, and keeps what it holds', async () => {
  const path = oldFile('old.sqlite');
  const [handler, other] = [openHandler(path), openHandler(path)];
  expect((await ask(handler, 'GET', '/api/leads/1')).body.data).toMatchObject({ title: 'Kept', value: '1250.5', tags: ['old'] });
  expect((await ask(handler, 'GET', '/api/leads/1/comments')).body.data).toMatchObject([{ text: 'From version 1' }]);
  const clone = await ask(handler, 'POST', '/api/leads/1/clone', 'lead_title=Copy&lead_status=1&copy_checklist=on');
  expect([clone.status, clone.body.data.id]).toEqual([201, 2]);
  expect((await ask(other, 'GET', '/api/checklists?resource_type=lead&resource_id=1')).body.data).toEqual([]);
  handler.close();
  other.close();
  const current = join(directory, 'new.sqlite');
  createSandbox(current, { demo: false });
  expect(shapeOf(path)).toEqual(shapeOf(current));
});

it('a newer file is refused and left as it is', () => {
  const path = join(directory, 'newer.sqlite');
  createSandbox(path, { demo: false });
  const database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 99');
  database.close();
  const before = readFileSync(path);
  expect(() => openHandler(path)).toThrow(`The sandbox at ${path} was made by a newer version of crm.`);
  expect(readFileSync(path)).toEqual(before);
});
