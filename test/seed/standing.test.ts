// What has the id of a record that a run created: that record with other values, or another one since the service was reset.

import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from './support.ts';

let place: Workplace;

beforeAll(async () => {
  place = await openWorkplace({ empty: true });
});

afterAll(() => place.close());

const file = 'version: 1\nrecords:\n  - { name: n, type: note, set: { title: Mine, description: Too } }\n';

/** Applies the file and changes everything that its note says; gives the note's id. */
async function changed(run: string): Promise<number> {
  place.write('n.yaml', file);
  const { status, stdout, stderr } = await place.crm(['seed', 'apply', 'n.yaml', '--run', run, '--json']);
  expect(status, stderr).toBe(0);
  const { n } = JSON.parse(stdout) as { n: number };
  expect((await place.crm(['notes', 'update', String(n), '--title', 'Other', '--description', 'Words'])).status).toBe(0);
  return n;
}

/** Lets a note have been made at another time, in milliseconds from now. */
function made(id: number, milliseconds: number): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(join(place.folder, 'service.sqlite'));
  const created = new Date(Date.now() + milliseconds).toISOString().replace('Z', '000Z');
  database.prepare('UPDATE notes SET created = ? WHERE id = ?').run(created, id);
  database.close();
}

const notes = async (): Promise<number> => (await place.everything()).notes?.length ?? 0;

const [minute, day] = [60_000, 24 * 60 * 60_000];

it('a record is the run’s by its age, whatever was changed in it', async () => {
  const n = await changed('edited');
  const again = await place.crm(['seed', 'apply', 'n.yaml', '--run', 'edited', '--json']);
  expect([again.status, JSON.parse(again.stdout)], again.stderr).toEqual([0, { n }]);
  const gone = await place.crm(['seed', 'destroy', '--run', 'edited', '--yes', '--json']);
  expect([gone.status, JSON.parse(gone.stdout)]).toEqual([0, [{ name: 'n', type: 'note', id: n, state: 'deleted' }]]);
  expect(await notes()).toBe(0);
});

it('where its age does not tell, nothing is begun or deleted, and the run is not over', async () => {
  const n = await changed('unclear');
  made(n, 20 * minute);
  for (const more of [[], ['--dry-run']]) {
    const { status, stderr } = await place.crm(['seed', 'apply', 'n.yaml', '--run', 'unclear', ...more]);
    expect([status, stderr]).toEqual([10, expect.stringContaining(`What has the ids of run "unclear" now has other values: notes ${n}.`)]);
    expect(stderr).toMatch(/crm seed destroy --run unclear.*give another --run/);
  }
  const destroy = ['seed', 'destroy', '--run', 'unclear', '--yes'];
  const { status, stdout, stderr } = await place.crm([...destroy, '-o', 'csv']);
  expect([status, stdout]).toEqual([8, expect.stringContaining(`n,note,${n},left`)]);
  expect(stderr).toContain(`(crm notes delete ${n}), then: crm seed destroy --run unclear`);
  expect(stderr).toMatch(/remove its ledger, .*unclear-\w+\.ledger/);
  expect((await place.crm(['seed', 'list'])).stdout).toMatch(/^unclear\tpartly destroyed\t1\t/m);
  expect(await notes()).toBe(1);
  await place.crm(['notes', 'delete', String(n), '--yes']);
  expect((await place.crm(destroy)).status).toBe(0);
  expect((await place.crm(['seed', 'list'])).stdout).toMatch(/^unclear\tdestroyed\t0\t/m);
});

it('what is much older than the run is another record: the run begins anew, and leaves it alone', async () => {
  const n = await changed('reset');
  made(n, -2 * day);
  const shown = await place.crm(['seed', 'apply', 'n.yaml', '--run', 'reset', '--dry-run', '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({ method: 'POST', fields: { note_title: 'Mine' } });
  const again = await place.crm(['seed', 'apply', 'n.yaml', '--run', 'reset', '--json']);
  expect([again.status, again.stderr]).toEqual([0, expect.stringContaining('begins anew')]);
  expect((await place.crm(['seed', 'destroy', '--run', 'reset', '--yes'])).status).toBe(0);
  expect((await place.everything()).notes).toMatchObject([{ id: n, title: 'Other' }]);
  await place.crm(['notes', 'delete', String(n), '--yes']);
});

it('destroy leaves alone what is another record, and is done', async () => {
  const n = await changed('others');
  made(n, 2 * day);
  const { status, stderr } = await place.crm(['seed', 'destroy', '--run', 'others', '--yes']);
  expect([status, stderr]).toEqual([0, expect.stringContaining('0 deleted, 1 left alone. What was left alone has the id')]);
  expect(await notes()).toBe(1);
});
