// An undo in the midst of which the service refuses the key, or fails for one record: what was put back is told, and the next undo takes up
// the rest.

import { expect, it } from 'vitest';
import type { SeenRequest } from '../../support/faulty-proxy.ts';
import { eachBehindProxy } from './support.ts';

const at = eachBehindProxy();
const { crm, history } = at;
const ids = [11, 12, 13, 14, 15, 16];

const sources = async (): Promise<Map<number, unknown>> =>
  new Map(
    ((await at.place.everything()).leads ?? []).flatMap(({ id, source }) => (ids.includes(Number(id)) ? [[Number(id), source]] : [])),
  );

/** Changes the source of all; gives the run, and the sources of before. */
async function changed(): Promise<{ run: string; before: Map<number, unknown> }> {
  const before = await sources();
  expect((await crm('leads', 'update', ids.join(','), '--source', 'Changed', '--yes', '-q')).status).toBe(0);
  return { run: (await history())[0]?.run ?? '', before };
}

const stillChanged = async (): Promise<number[]> => [...(await sources())].flatMap(([id, source]) => (source === 'Changed' ? [id] : []));

it('a key that is refused from the third write on: 4, with what was put back and how to go on', async () => {
  const { run, before } = await changed();
  let writes = 0;
  at.proxy.change({
    answer: ({ method }) => {
      if (method === 'PATCH') writes += 1;
      return writes > 2 ? 401 : undefined;
    },
  });
  const { status, stderr } = await crm('undo', run, '--yes', '--json');
  const left = (await stillChanged()).length;
  expect([status, left]).toEqual([4, 4]);
  expect(JSON.parse(stderr)).toMatchObject({
    error: {
      message: expect.stringMatching(/^2 leads put back, .*4 not sent.*: /),
      hint: expect.stringMatching(new RegExp(`\\nGo on with: crm undo ${run}$`)),
    },
  });
  at.proxy.change();
  expect(await history()).toContainEqual(expect.objectContaining({ run, left: expect.stringContaining('partly undone') }));
  expect((await crm('undo', run, '--yes', '--json')).status).toBe(0);
  expect(await sources()).toEqual(before);
  expect(await history()).toContainEqual(expect.objectContaining({ run, state: 'undone' }));
});

it('a record that is answered with 500 for a while: it alone stays, is told, and goes back with the next undo', async () => {
  const { run, before } = await changed();
  at.proxy.change({ answer: ({ method, path }: SeenRequest) => (method === 'PATCH' && path.endsWith('/13') ? 500 : undefined) });
  const { status, stdout, stderr } = await crm('undo', run, '--yes', '--json');
  expect(await stillChanged()).toEqual([13]);
  expect([status, JSON.parse(stdout)]).toMatchObject([
    8,
    [
      { outcome: 'put back', count: 5 },
      { outcome: 'failed', ids: [13] },
    ],
  ]);
  expect(JSON.parse(stderr)).toMatchObject({ error: { hint: `Try again: crm undo ${run}` } });
  at.proxy.change();
  expect(await history()).toContainEqual(expect.objectContaining({ run, left: expect.stringContaining('partly undone') }));
  expect((await crm('undo', run, '--yes', '--json')).status).toBe(0);
  expect(await sources()).toEqual(before);
});
