// What a dry run shows of steps that need what earlier ones would make: references to these steps, and no number that stands in for an id.

import { expect, it } from 'vitest';
import type { ApiRequest } from '../../src/client/types.ts';
import { isStandIn, keptBack } from '../../src/session/dry-writes.ts';
import { fakeApi } from '../runs/fake-api.ts';

it('an id that is not known yet is the step that would make it, wherever it goes', async () => {
  const shown: ApiRequest[] = [];
  const write = async (request: ApiRequest) => {
    shown.push(request);
    return { status: 200, data: undefined, envelope: undefined };
  };
  const api = { ...fakeApi([]).api, write };
  const answer = keptBack(api);
  const send = async (key: string, request: ApiRequest): Promise<number> => {
    const { data } = await answer(key, request, async () => {});
    return (data as { id: number }).id;
  };
  const first = await send('line 1', { method: 'POST', path: '/api/leads', body: new Map([['lead_title', 'Shop']]) });
  const second = await send('lead[3]', { method: 'POST', path: '/api/leads' });
  expect([first, second].map(isStandIn)).toEqual([true, true]);
  expect([12, '12', undefined].map(isStandIn)).toEqual([false, false, false]);
  const unknown = second + 500;
  await send('line 2', {
    method: 'PUT',
    path: `/api/leads/${second}/assigned`,
    body: new Map<string, string | number | number[] | string[]>([
      ['lead', first],
      ['ids', [5, first]],
      ['names', [String(second), 'Ann']],
      ['text', `of ${first} and ${second}, not of ${unknown}`],
      ['count', 7],
    ]),
  });
  expect(shown.map(({ path }) => path)).toEqual(['/api/leads', '/api/leads', '/api/leads/${lead[3].id}/assigned']);
  expect(shown.map(({ method }) => method)).toEqual(['POST', 'POST', 'PUT']);
  expect([...(shown[0]?.body ?? [])]).toEqual([['lead_title', 'Shop']]);
  expect(Object.fromEntries(shown[2]?.body ?? [])).toEqual({
    lead: '${line 1.id}',
    ids: [5, '${line 1.id}'],
    names: ['${lead[3].id}', 'Ann'],
    text: `of \${line 1.id} and \${lead[3].id}, not of ${unknown}`,
    count: 7,
  });
});
