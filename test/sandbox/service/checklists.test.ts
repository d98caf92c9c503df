// The checklists of leads: the demo's, read as the vendor documents them and copied with a clone.

import { expect, it } from 'vitest';
import { checklists } from '../../../src/sandbox/store/families.ts';
import { recordsWith, save } from '../../../src/sandbox/store/records.ts';
import { sandbox } from './support.ts';

const list = (lead: number) => `/api/checklists?resource_type=lead&resource_id=${lead}`;

it('are read by position', async () => {
  const { send } = sandbox({ demo: true });
  const { status, body } = await send('GET', list(33));
  expect([status, body.meta]).toEqual([200, { current_page: 1, per_page: 25, total: 4, last_page: 1 }]);
  expect(body.data[0]).toEqual({
    id: expect.any(Number),
    text: 'Rent, not purchase, for the pilot',
    status: 'completed',
    position: 1,
    resource: { type: 'lead', id: 33 },
    comments_count: 0,
    dates: { created: '2026-11-18T08:00:00.000000Z', updated: '2026-11-18T08:00:00.000000Z' },
  });
  expect(body.data.map((item: { position: number }) => item.position)).toEqual([1, 2, 3, 4]);
  expect((await send('GET', `${list(33)}&limit=1&page=4`)).body.data[0].position).toBe(4);
});

it('come by position whatever their ids', async () => {
  const { store, send } = sandbox({ demo: true });
  for (const item of recordsWith(store, checklists, 'resource_id', 33))
    save(store, checklists, { ...item, position: 10 - Number(item.position) });
  const { body } = await send('GET', list(33));
  expect(body.data.map((item: { position: number }) => item.position)).toEqual([6, 7, 8, 9]);
});

it('are copied with a clone that asks for it, and only then', async () => {
  const { send } = sandbox({ demo: true });
  const clone = async (fields: object): Promise<number> =>
    (await send('POST', '/api/leads/33/clone', { lead_title: 'Again', lead_status: 1, ...fields })).body.data.id;
  const texts = async (lead: number) =>
    (await send('GET', list(lead))).body.data.map(({ text, status, position }: Record<string, unknown>) => [position, status, text]);
  const copy = await clone({ copy_checklist: 'on' });
  expect(await texts(copy)).toEqual(await texts(33));
  expect(await texts(copy)).toHaveLength(4);
  expect((await send('GET', list(copy))).body.data[0].resource).toEqual({ type: 'lead', id: copy });
  expect(await texts(await clone({}))).toEqual([]);
  expect(await texts(await clone({ copy_checklist: 'off' }))).toEqual([]);
});

it('go with their lead', async () => {
  const { store, send } = sandbox({ demo: true });
  await send('DELETE', '/api/leads/33');
  expect((await send('GET', list(33))).body.data).toEqual([]);
  expect(store.get('SELECT count(*) AS total FROM checklists WHERE resource_id = 33')).toEqual({ total: 0 });
});
