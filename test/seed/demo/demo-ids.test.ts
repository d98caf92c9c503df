// Which ids demo records refer to: the service's lists, its records where there are no such lists, or flags.

import { describe, expect, it } from 'vitest';
import type { Api } from '../../../src/api/client.ts';
import { NotFoundError } from '../../../src/errors.ts';
import { demoDocument, usualCounts } from '../../../src/seed/demo/demo.ts';
import { demoIds } from '../../../src/seed/demo/demo-ids.ts';

/** A service that knows some paths, and answers 404 to the others. */
function serviceWith(lists: Record<string, unknown[]>): Api {
  return {
    command: 'crm',
    plan: [],
    begin: () => () => {},
    read: async ({ path, query }) => {
      const type = query?.find(([name]) => name === 'type')?.[1];
      const data = lists[type === undefined ? path : `${path}?type=${type}`] ?? lists[path];
      if (data === undefined) throw new NotFoundError(`nothing at ${path}`);
      return { status: 200, data, envelope: { data } };
    },
    write: () => Promise.reject(new Error('nothing may be written')),
    close: async () => undefined,
  };
}

const records = {
  '/api/leads': [
    { id: 1, status: { id: 4 }, category: { id: 5 }, assigned: [{ id: 6 }, { id: 7 }] },
    { id: 2, status: { id: 4 }, category: { id: 8 } },
  ],
  '/api/contacts': [{ id: 1, client: { id: 9 } }],
  '/api/proposals': [{ id: 1, category: { id: 10 } }],
  '/api/items': [{ id: 1, category: { id: 11 }, default_tax: { id: 12 }, unit: { id: 13 } }],
};

describe('the ids', () => {
  it('come from the records where the service lists nothing else', async () => {
    expect(await demoIds(serviceWith(records), usualCounts, {})).toEqual({
      clients: ['9'],
      leadStatuses: ['4'],
      leadCategories: ['5', '8'],
      proposalCategories: ['10'],
      itemCategories: ['11'],
      taxRates: ['12'],
      units: ['13'],
      team: ['6', '7'],
    });
  });

  it('of statuses, tax rates and units come from the newest records: no document has a list of them', async () => {
    const asked: string[] = [];
    const service = serviceWith({
      ...records,
      '/api/leadstatuses': [{ id: 41 }],
      '/api/units': [{ id: 42 }],
      '/api/taxrates': [{ id: 43 }],
    });
    const ids = await demoIds(
      {
        ...service,
        read: (request) => {
          asked.push(`${request.path}?${new URLSearchParams(request.query?.map(([name, value]) => [name, value]))}`);
          return service.read(request);
        },
      },
      { leads: 1, contacts: 0, proposals: 0, items: 1, notes: 0 },
      {},
    );
    expect(ids).toMatchObject({ leadStatuses: ['4'], taxRates: ['12'], units: ['13'] });
    expect(new Set(asked)).toEqual(
      new Set([
        '/api/leads?sort=lead_created&order=desc&limit=100',
        '/api/items?sort=item_created&order=desc&limit=100',
        '/api/categories?type=lead&limit=100',
        '/api/categories?type=item&limit=100',
        '/api/team?limit=100',
      ]),
    );
  });

  it('come from lists, of the right type, also when the service does not narrow them', async () => {
    const categories = [
      { id: 21, name: 'A', type: 'lead' },
      { id: 22, name: 'B', type: 'item' },
    ];
    const ids = await demoIds(serviceWith({ ...records, '/api/categories': categories, '/api/clients': [{ id: 31 }] }), usualCounts, {});
    expect(ids).toMatchObject({ clients: ['31'], leadCategories: ['21'], itemCategories: ['22'], proposalCategories: ['10'] });
  });

  it('come from flags first, and are asked for when nothing tells them', async () => {
    const nothing = serviceWith({ '/api/leads': [], '/api/contacts': [], '/api/proposals': [], '/api/items': [] });
    await expect(demoIds(nothing, { ...usualCounts, items: 0, proposals: 0 }, { client: ['3'] })).rejects.toMatchObject({
      exitStatus: 2,
      message: "The service doesn't tell which lead status, lead category ids it has.",
      details: {
        hint:
          'Looked at: status.id in the newest leads, /api/categories, category.id in the newest leads. ' +
          'Give the ids: --lead-status ID --lead-category ID',
      },
    });
    const flags = { client: ['3'], 'lead-status': ['1', '2'], 'lead-category': ['1'] };
    expect(await demoIds(nothing, { ...usualCounts, items: 0, proposals: 0 }, flags)).toMatchObject({ leadStatuses: ['1', '2'], team: [] });
  });

  it('nothing is asked for that no record needs', async () => {
    const counts = { leads: 0, contacts: 0, proposals: 0, items: 0, notes: 5 };
    const ids = await demoIds(serviceWith({}), counts, {});
    expect(demoDocument('notes', 1, '2026-01-01', counts, ids).records).toMatchObject([
      { name: 'note', count: 5, set: { title: expect.any(String) } },
    ]);
  });
});
