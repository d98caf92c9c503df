// Which records are taken for what lost requests made, in services that number, stamp and change values in their own ways.

import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/api/client.ts';
import { leads } from '../../src/resources/leads.ts';
import { findDoubts, highestId } from '../../src/runs/in-doubt.ts';

interface Lead {
  readonly id: number;
  readonly title: string;
  readonly created: string;
  readonly value?: string;
  readonly email?: string;
}

/** A service that lists by the time of creation; what was created at one moment comes in the order of `ties`. */
function service(records: readonly Lead[], ties: 'asc' | 'desc' = 'asc'): { api: Api; pages: () => number } {
  let pages = 0;
  const rank = (a: Lead, b: Lead): number => (ties === 'asc' ? a.id - b.id : b.id - a.id);
  const sorted = records.toSorted((a, b) => (a.created === b.created ? rank(a, b) : a.created < b.created ? 1 : -1));
  const api: Partial<Api> = {
    read: async ({ query = [] }) => {
      pages += 1;
      const page = Number(new Map(query).get('page'));
      const data = sorted.slice((page - 1) * 100, page * 100).map(recordOf);
      return {
        status: 200,
        data,
        envelope: { data },
        meta: { current_page: page, last_page: Math.ceil(sorted.length / 100), total: sorted.length },
      };
    },
  };
  return { api: api as Api, pages: () => pages };
}

const recordOf = ({ id, title, created, value = '', email = '' }: Lead) => ({
  id,
  title,
  value: value === '' ? null : value,
  status: { id: 1 },
  category: { id: 1 },
  contact: { email: email === '' ? null : email },
  dates: { created },
});

const body = (title: string, more: Record<string, string> = {}) =>
  new Map<string, string | number>([['lead_title', title], ['lead_status', 1], ['lead_categoryid', 1], ...Object.entries(more)]);

const leadsAt = (from: number, to: number, created: (id: number) => string): Lead[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: from + index, title: `L${from + index}`, created: created(from + index) }));

const search = (more: Partial<Parameters<typeof findDoubts>[3]> = {}) => ({
  before: 0,
  floor: 0,
  isClaimed: () => false,
  signal: new AbortController().signal,
  ...more,
});

describe.each(['asc', 'desc'] as const)('records of one moment in the order %s', (ties) => {
  // 3,000 leads a second, and the service's clock knows only seconds.
  const records = leadsAt(1, 10_000, (id) => `2026-11-20T10:00:${String(Math.floor(id / 3000)).padStart(2, '0')}Z`);

  it('the highest id is found', async () => {
    expect(await highestId(service(records, ties).api, leads)).toBe(10_000);
  });

  it('what was made last is found, wherever it stands', async () => {
    const doubts = [9_999, 9_950, 9_001].map((id) => ({ row: id, body: body(`L${id}`) }));
    const found = await findDoubts(service(records, ties).api, leads, doubts, search({ before: 100, floor: 9_100 }));
    expect(found).toEqual(new Map([9_999, 9_950, 9_001].map((id) => [id, id])));
  });

  it('the search ends with the moment of the first record that is too old', async () => {
    const { api, pages } = service(records, ties);
    expect(await findDoubts(api, leads, [{ row: 1, body: body('Nobody') }], search({ floor: 9_900 }))).toEqual(new Map());
    expect(pages()).toBeLessThan(50);
  });
});

it('what others claim, or was there before, is no proof; twins are taken one each', async () => {
  const records = [1, 2, 3, 4].map((id) => ({ id, title: 'Twin', created: `2026-11-20T10:00:0${id}Z` }));
  const doubts = [11, 12, 13].map((row) => ({ row, body: body('Twin') }));
  const found = await findDoubts(service(records).api, leads, doubts, search({ before: 1, isClaimed: (id) => id === 3 }));
  expect([...found.values()].toSorted()).toEqual([2, 4]);
});

it('a record is taken by who sent the most of it, and one without anything besides is taken first', async () => {
  const full = { id: 5, title: 'T', created: '2', email: 'a@x.example', value: '1' };
  const bare = { id: 4, title: 'T', created: '1' };
  const doubts = [
    { row: 1, body: body('T') },
    { row: 2, body: body('T', { lead_email: 'a@x.example' }) },
    { row: 3, body: body('T', { lead_email: 'a@x.example', lead_value: '1' }) },
  ];
  const find = (records: Lead[], rows: number[]) =>
    findDoubts(
      service(records).api,
      leads,
      doubts.filter(({ row }) => rows.includes(row)),
      search(),
    );
  expect(await find([full], [1, 2, 3])).toEqual(new Map([[3, 5]]));
  expect(await find([full], [1, 2])).toEqual(new Map([[2, 5]]));
  expect(await find([full], [1])).toEqual(new Map([[1, 5]]));
  expect(await find([full, bare], [1])).toEqual(new Map([[1, 4]]));
  expect(await find([full, bare], [1, 3])).toEqual(
    new Map([
      [1, 4],
      [3, 5],
    ]),
  );
});

it('a row that made a record for certain comes first', async () => {
  const doubts = [
    { row: 1, body: body('T') },
    { row: 2, body: body('T'), isCertain: true as const },
  ];
  expect(await findDoubts(service([{ id: 5, title: 'T', created: '1' }]).api, leads, doubts, search())).toEqual(new Map([[2, 5]]));
});

it('what differs in anything that was sent is not taken; what a service may do to values is seen through', async () => {
  const made = { id: 5, title: 'A\nb', created: 'now', value: '12.50', email: 'A@X.example' };
  const find = (sent: Map<string, string | number>) => findDoubts(service([made]).api, leads, [{ row: 1, body: sent }], search());
  expect((await find(body(' A\r\nb ', { lead_value: '012.5', lead_email: 'a@x.example' }))).size).toBe(1);
  expect((await find(body('A\nb', { lead_phone: '' }))).size).toBe(1);
  expect((await find(body('A\nb', { lead_value: '12.51' }))).size).toBe(0);
  expect((await find(body('A\nb', { lead_phone: '1' }))).size).toBe(0);
  expect((await find(body('A\nc'))).size).toBe(0);
});
