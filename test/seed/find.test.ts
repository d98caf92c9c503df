// `find`: what is in the service already, out of lists that are read once.

import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { NotFoundError } from '../../src/base/errors.ts';
import { Backoff } from '../../src/client/backoff.ts';
import type { Api } from '../../src/client/client.ts';
import { createFinder, familyToFindIn, onlyMatch } from '../../src/seed/language/find.ts';

/** A service with these records, newest first, and nothing else; `asked` notes the paths and pages. */
function serviceWith(lists: Record<string, readonly object[]>, asked: string[] = []): Api {
  return {
    command: 'crm',
    backoff: new Backoff(systemClock),
    unsent: [],
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

const found = async (api: Api, type: string, by: Record<string, string>) => {
  const values = new Map(Object.entries(by));
  const find = createFinder(api, new AbortController().signal);
  return onlyMatch(await find(familyToFindIn(type), values), { where: 'line 3, a', type }, values);
};

const clients = [
  { id: 7, company_name: 'Acme Ltd' },
  { id: 5, company_name: 'Harbour Freight' },
  { id: 2, company_name: 'Acme Ltd' },
];

it('reads each list once', async () => {
  const asked: string[] = [];
  const find = createFinder(serviceWith({ '/api/clients': clients }, asked), new AbortController().signal);
  const ids = async (name: string) => (await find(familyToFindIn('client'), new Map([['company_name', name]]))).map(({ id }) => id);
  expect([await ids('Harbour Freight'), await ids('Nobody')]).toEqual([[5], []]);
  expect(asked).toEqual(['/api/clients   1']);
});

it('says so when none or two of one name are there', async () => {
  const client = (name: string) => found(serviceWith({ '/api/clients': clients }), 'client', { company_name: name });
  expect(await client('Harbour Freight')).toBe(5);
  await expect(client('Nobody')).rejects.toMatchObject({
    exitStatus: 3,
    message: 'There is no such record. line 3, a: client with company_name "Nobody".',
  });
  await expect(client('Acme Ltd')).rejects.toMatchObject({ exitStatus: 10 });
});

it('finds nothing that no list has: its name does', () => {
  expect(() => familyToFindIn('lead-status')).toThrow(
    'No list has a lead status: give its name where a record refers to it, such as status: Negotiation.',
  );
});
