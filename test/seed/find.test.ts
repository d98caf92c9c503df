// `find` of what no list has: lead statuses, units and tax rates are gathered from the newest records that refer to them.

import { expect, it } from 'vitest';
import type { Api } from '../../src/api/client.ts';
import { NotFoundError } from '../../src/errors.ts';
import { collectionOf, createFinder, onlyMatch } from '../../src/seed/language/find.ts';

const status = (id: number, title: string) => ({ id, title, color: '#000' });

/** A service with these records, newest first, and nothing else; `asked` notes the paths and pages. */
function serviceWith(lists: Record<string, readonly object[]>, asked: string[] = []): Api {
  return {
    command: 'crm',
    plan: [],
    begin: () => () => {},
    read: async ({ path, query = [] }) => {
      const of = (name: string): string => query.find(([one]) => one === name)?.[1] ?? '';
      const records = lists[path];
      if (records === undefined) throw new NotFoundError(`There is nothing at ${path}.`);
      const [size, page] = [Number(of('limit')), Number(of('page') || 1)];
      asked.push(`${path} ${of('sort')} ${of('order')} ${page}`);
      const data = records.slice((page - 1) * size, page * size);
      const meta = { current_page: page, per_page: size, total: records.length, last_page: Math.ceil(records.length / size) };
      return { status: 200, data, meta, envelope: { data, meta } };
    },
    write: () => Promise.reject(new Error('nothing may be written')),
    close: async () => undefined,
  };
}

const find = async (api: Api, type: string, by: Record<string, string>) => {
  const values = new Map(Object.entries(by));
  const finder = createFinder(api, new AbortController().signal);
  return onlyMatch(await finder.find(collectionOf(type), values), { where: 'line 3, a', type }, values);
};

const service = {
  '/api/leads': [
    { id: 3, status: status(5, 'Negotiation') },
    { id: 2, status: status(5, 'Negotiation') },
    { id: 1, status: status(2, 'Contacted') },
  ],
  '/api/items': [
    { id: 1, unit: { id: 7, name: 'hour' }, default_tax: { id: 9, name: 'Reduced' } },
    { id: 2, unit: { id: null, name: null }, default_tax: { id: 9, name: 'Reduced' } },
  ],
};

it.each([
  ['lead-status', { title: 'Negotiation' }, 5],
  ['lead-statuses', { title: 'Contacted', color: '#000' }, 2],
  ['lead-status', { id: '2' }, 2],
  ['unit', { name: 'hour' }, 7],
  ['tax-rate', { name: 'Reduced' }, 9],
])('finds a %s with %j in records', async (type, by, id) => {
  expect((await find(serviceWith(service), type, by)).id).toBe(id);
});

it('reads no more than the newest 500 records, and each list once', async () => {
  const asked: string[] = [];
  const leads = Array.from({ length: 1200 }, (_, index) => ({
    id: 1200 - index,
    status: status(1 + Math.floor(index / 100), `S${index}`),
  }));
  const finder = createFinder(serviceWith({ '/api/leads': leads }, asked), new AbortController().signal);
  const titles = async (title: string) => (await finder.find(collectionOf('lead-status'), new Map([['title', title]]))).map(({ id }) => id);
  expect(await titles('S400')).toEqual([5]);
  expect(await titles('S500')).toEqual([]);
  expect([...asked].sort()).toEqual([1, 2, 3, 4, 5].map((page) => `/api/leads lead_created desc ${page}`));
});

it('says what was looked at, and that an id may be given, when it can not be known', async () => {
  await expect(find(serviceWith(service), 'lead-status', { title: 'Won' })).rejects.toMatchObject({
    exitStatus: 3,
    message: 'No lead that was looked at has it. line 3, a: lead-status with title "Won".',
    details: {
      hint:
        'The service has no list of these: "status" was looked at in its newest 500 leads, or all if there are fewer. ' +
        'Give the id itself where this one is referred to.',
    },
  });
  await expect(find(serviceWith({ '/api/items': [] }), 'unit', { name: 'hour' })).rejects.toThrow('No item that was looked at has it.');
});

it('says so when two of one name are there', async () => {
  const leads = [
    { id: 2, status: status(4, 'Lost') },
    { id: 1, status: status(6, 'Lost') },
  ];
  await expect(find(serviceWith({ '/api/leads': leads }), 'lead-status', { title: 'Lost' })).rejects.toMatchObject({ exitStatus: 10 });
});
