// Damaged journals: whoever needs one says so (10) with its path and sends nothing, whether SQLite can read every page or none. A change
// goes on with a warning.

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachWorkplace } from '../../seed/support.ts';
import type { Crm } from '../../support/crm.ts';

const place = eachWorkplace();

const crm = (...args: string[]): Promise<Crm> => place.crm(args);

/** Makes an import that stopped, a seed and a change; gives the journal's path and the name of the change. */
async function journalOfThree(): Promise<{ path: string; run: string }> {
  place.write('new.csv', 'title,status,category\nA,1,1\nB,99,1\nC,1,1\n');
  place.write('seed.yaml', 'version: 1\nrecords:\n  - { name: n, type: note, set: { title: Same, description: name } }\n');
  expect((await crm('leads', 'import', 'new.csv', '--max-errors', '1', '--concurrency', '1')).status).toBe(8);
  expect((await crm('seed', 'apply', 'seed.yaml')).status).toBe(0);
  expect((await crm('leads', 'update', '12,13', '--source', 'Fair', '--yes', '-q')).status).toBe(0);
  const runs = JSON.parse((await crm('history', '--json')).stdout) as { run: string; kind: string }[];
  const { run = '' } = runs.find(({ kind }) => kind === 'change') ?? {};
  const [path = ''] = globSync(join(place.folder, 'data/journals/*.sqlite'));
  return { path, run };
}

it.each([
  ['an empty file', () => Buffer.alloc(0)],
  ['a broken beginning', (bytes: Buffer) => Buffer.from(bytes).fill(0x5a, 0, 100)],
  ['cut in half', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['broken pages', (bytes: Buffer) => Buffer.from(bytes).fill(0xff, 4096)],
])('%s: nothing is begun beside it or gone on with', async (_name, damage) => {
  const { path, run } = await journalOfThree();
  writeFileSync(path, damage(readFileSync(path)));
  const before = await place.everything();
  for (const line of [
    ...['leads import new.csv', 'leads import new.csv --resume', 'seed apply seed.yaml', 'seed apply seed.yaml --dry-run'],
    ...['seed destroy --run seed --yes', `undo ${run} --yes`, 'history'],
  ]) {
    const { status, stderr } = await crm(...line.split(' '));
    expect([line, status, stderr]).toEqual([line, 10, expect.stringContaining(`The journal ${path} is damaged`)]);
    expect(stderr).toContain('Look at the records in the service first. Then move the file away');
  }
  expect(await place.everything()).toEqual(before);
  const changed = await crm('leads', 'update', '12,13', '--source', 'Web', '--yes');
  expect([changed.status, changed.stderr]).toEqual([0, expect.stringContaining(path)]);
});

it.each([
  ['what was overwritten', `UPDATE steps SET before = '{"lead_source":"We~'`],
  ['what was sent', `UPDATE steps SET body = '[["lead_so'`],
  ['what was answered', `UPDATE steps SET after = '{"lead_source'`],
  ['what a run is about', `UPDATE runs SET details = '{"family":"lea'`],
])('%s is no JSON: undo says so, whether or not it is done', async (_name, sql) => {
  const { path, run } = await journalOfThree();
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
  for (const how of ['--yes', '--dry-run']) {
    const { status, stderr } = await crm('undo', run, how, '--json');
    expect([status, stderr]).toEqual([10, expect.stringContaining(`The journal ${path} is damaged`)]);
  }
});
