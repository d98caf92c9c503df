// What is forgotten is nowhere in the files any more: in no free page, no log, no file of names.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { runHere } from '../../support/run-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-forgotten-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const crm = (...argv: string[]) => runHere([...argv, '--json'], { env: { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: folder } });
const holders = (text: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name);
    return !/^(config|sandbox\.sqlite)/.test(name) && statSync(path).isFile() && readFileSync(path).includes(text);
  });

it('a run that is forgotten, and what an earlier version left in free pages', async () => {
  await crm('sandbox', 'init');
  for (let n = 0; n < 30; n += 1) await crm('contacts', 'update', '1,2', '--email', `secret${n}@person.example`, '--yes');
  const path = join(folder, 'journals', readdirSync(join(folder, 'journals')).find((name) => name.endsWith('.sqlite')) ?? '');
  expect(holders('@person.example')).not.toEqual([]);
  // As 0.2 forgot: the rows go, their pages stay.
  const database = new DatabaseSync(path);
  const [first] = database.prepare('SELECT name FROM runs ORDER BY id').all();
  database.exec(
    'PRAGMA secure_delete=OFF; DELETE FROM steps WHERE run > 1; DELETE FROM runs WHERE id > 1; PRAGMA wal_checkpoint(TRUNCATE)',
  );
  database.close();
  expect(holders('secret20@person.example')).not.toEqual([]);
  const forgotten = await crm('history', 'forget', String(first?.name), '--yes');
  expect([forgotten.status, forgotten.stderr]).toEqual([0, expect.stringMatching(/^Forgotten: run \w+\.$/m)]);
  expect(holders('@person.example')).toEqual([]);
});

it('names and titles of a profile', async () => {
  await crm('sandbox', 'init', '--force', '--yes');
  await crm('leads', 'list');
  await crm('clients', 'list');
  expect(readdirSync(join(folder, 'names'))).toEqual(['sandbox.json']);
  expect((await crm('names', 'statuses', '--forget')).status).toBe(2);
  expect(await crm('names', '--forget')).toMatchObject({ status: 0, stderr: 'Forgotten: the names and titles of profile "sandbox".\n' });
  expect(readdirSync(join(folder, 'names'))).toEqual([]);
  expect((await crm('names', '--forget')).status).toBe(0);
});
