// What has the id of a record that a run created: that record with other values, or another one since the service was reset.
// A record is the run's by its id, the second in which the service says that it was created, and one telling value.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFaultyProxy } from '../../support/faulty-proxy.ts';
import { openWorkplace, told, type Workplace } from '../support.ts';

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

const notes = async (): Promise<number> => (await place.everything()).notes?.length ?? 0;

const second = 1000;
const day = 24 * 60 * 60 * second;

it('a record whose telling values are all another’s is kept and named, though it was created when the run’s was', async () => {
  const n = await changed('edited');
  const again = await place.crm(['seed', 'apply', 'n.yaml', '--run', 'edited', '--json']);
  expect([again.status, JSON.parse(again.stdout)], again.stderr).toEqual([0, { n }]);
  const gone = await place.crm(['seed', 'destroy', '--run', 'edited', '--yes', '--json']);
  expect([gone.status, JSON.parse(gone.stdout)]).toEqual([8, [{ name: 'n', type: 'note', id: n, state: 'left' }]]);
  expect(gone.stderr).toContain("Nobody can tell whether it is the run's.");
  await place.crm(['notes', 'delete', String(n), '--yes']);
  expect(await notes()).toBe(0);
});

it.each([
  ['two days older', -2 * day],
  ['two days younger', 2 * day],
  ['a few seconds younger', 5 * second],
])('what was created at another time is another record: the run has lost its own, and leaves it alone (%s)', async (name, milliseconds) => {
  const run = name.replaceAll(' ', '-');
  const n = await changed(run);
  place.made('notes', n, milliseconds);
  const lost = expect.stringContaining('somebody deleted n. Deleted records are not made again.');
  expect(await place.crm(['seed', 'apply', 'n.yaml', '--run', run, '--dry-run'])).toMatchObject({ stdout: '', stderr: lost });
  expect(await place.crm(['seed', 'apply', 'n.yaml', '--run', run])).toMatchObject({ status: 8, stderr: lost });
  expect((await place.crm(['seed', 'destroy', '--run', run, '--yes'])).status).toBe(0);
  expect((await place.everything()).notes).toMatchObject([{ id: n, title: 'Other' }]);
  await place.crm(['notes', 'delete', String(n), '--yes']);
});

it('destroy leaves alone what is another record, and is done', async () => {
  const n = await changed('others');
  place.made('notes', n, 2 * day);
  const { status, stderr } = await place.crm(['seed', 'destroy', '--run', 'others', '--yes']);
  expect([status, stderr]).toEqual([0, expect.stringContaining('0 deleted, 1 left alone. Ids of the run belong to other records now')]);
  expect(await notes()).toBe(1);
  expect(await told(place, 'others')).toMatchObject({ left: 'destroyed' });
  await place.crm(['notes', 'delete', String(n), '--yes']);
});

it('where no list could be read after its create, a record is the run’s as long as it says what was sent', async () => {
  place.write('n.yaml', file);
  let hasSent = false;
  const proxy = await startFaultyProxy(place.server.baseUrl, {
    answer: ({ method }) => {
      hasSent ||= method !== 'GET';
      return method === 'GET' && hasSent ? 422 : undefined;
    },
  });
  const crm = (...args: string[]) => place.crm(['seed', ...args], { env: { CRM_BASE_URL: proxy.baseUrl } });
  expect((await crm('apply', 'n.yaml', '--run', 'as-sent')).status).toBe(0);
  proxy.change();
  expect([(await crm('destroy', '--run', 'as-sent', '--yes')).status, await notes()]).toEqual([0, 0]);
  await proxy.close();
});
