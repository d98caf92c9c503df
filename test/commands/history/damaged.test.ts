// A journal of which SQLite can read every page, and that holds what crm did not write: it is damaged, and no fault of crm.

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from '../../seed/support.ts';

let place: Workplace;
beforeEach(async () => {
  place = await openWorkplace();
});
afterEach(() => place.close());

it.each([
  ['what was overwritten', `UPDATE steps SET before = '{"lead_source":"We~'`],
  ['what was sent', `UPDATE steps SET body = '[["lead_so'`],
  ['what was answered', `UPDATE steps SET after = '{"lead_source'`],
  ['what a run is about', `UPDATE runs SET details = '{"family":"lea'`],
])('%s: undo says so (10), whether or not it is done', async (_name, sql) => {
  expect((await place.crm(['leads', 'update', '12,13', '--source', 'Fair', '--yes', '-q'])).status).toBe(0);
  const [{ run }] = JSON.parse((await place.crm(['history', '--json'])).stdout) as [{ run: string }];
  const [path = ''] = globSync(join(place.folder, 'data/journals/*.sqlite'));
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
  for (const how of ['--yes', '--dry-run']) {
    const { status, stderr } = await place.crm(['undo', run, how, '--json']);
    expect([status, stderr]).toEqual([10, expect.stringContaining(`The journal ${path} is damaged`)]);
  }
});
