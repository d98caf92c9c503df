// Which ids demo records refer to: the service's lists, its records where there are no such lists, or flags.

import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { NotFoundError } from '../../src/base/errors.ts';
import { Backoff } from '../../src/client/backoff.ts';
import type { Api } from '../../src/client/client.ts';
import { demoDocument, demoIds } from '../../src/seed/demo.ts';
import { demoText } from '../../src/seed/demo-text.ts';
import { parseSeedFile } from '../../src/seed/language/file.ts';
import { seedElements } from '../../src/seed/records.ts';

/** A service that knows some paths, and answers 404 to the others. */
function serviceWith(lists: Record<string, unknown[]>): Api {
  return {
    command: 'crm',
    backoff: new Backoff(systemClock),
    unsent: [],
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

const usualCounts = { leads: 20, contacts: 10, 'lead-proposals': 4, 'client-proposals': 4, items: 12, 'lead-notes': 15, notes: 0 };

describe('the ids', () => {
  it('come from the records where the service lists nothing else', async () => {
    expect(await demoIds(serviceWith(records), usualCounts, {})).toEqual({
      client: ['9'],
      'lead-status': ['4'],
      'lead-category': ['5', '8'],
      'proposal-category': ['10'],
      'item-category': ['11'],
      'default-tax': ['12'],
      unit: ['13'],
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
      { leads: 1, items: 1 },
      {},
    );
    expect(ids).toMatchObject({ 'lead-status': ['4'], 'default-tax': ['12'], unit: ['13'] });
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
    expect(ids).toMatchObject({ client: ['31'], 'lead-category': ['21'], 'item-category': ['22'], 'proposal-category': ['10'] });
  });

  it('come from flags first, and are asked for when nothing tells them', async () => {
    const nothing = serviceWith({ '/api/leads': [], '/api/contacts': [], '/api/proposals': [], '/api/items': [] });
    const some = { leads: 1, contacts: 1 };
    await expect(demoIds(nothing, some, { client: ['3'] })).rejects.toMatchObject({
      exitStatus: 2,
      message: "The service doesn't tell which lead status, lead category, team member ids it has.",
      details: { hint: 'Give them: --lead-status ID --lead-category ID --team ID' },
    });
    const given = { client: ['3'], 'lead-status': ['1', '2'], 'lead-category': ['1'], team: ['5'] };
    expect(await demoIds(nothing, some, given)).toEqual(given);
  });

  it.each([
    ['contacts', 'client'],
    ['client-proposals', 'client proposal-category'],
    ['lead-proposals', 'proposal-category'],
    ['leads', 'lead-status lead-category team'],
    ['items', 'item-category default-tax unit'],
    ['notes', ''],
  ])('of one record of %s are of these kinds alone: %s', async (count, kinds) => {
    const ids = await demoIds(serviceWith(records), { [count]: 1 }, { client: ['1'], team: ['1'] });
    expect(Object.keys(ids).join(' ')).toBe(kinds);
  });
});

describe('the file', () => {
  const values = { run: 'trial', 'random-seed': 7, today: '2026-01-01' };
  const counts = { leads: 0, contacts: 0, proposals: 3, items: 0, notes: 5 };

  it('has the counts and ids as its variables; nothing is asked for that no record needs', async () => {
    const asked: unknown[] = [];
    const document = await demoDocument(values, counts, async (counted) => {
      asked.push(counted);
      return { client: ['7', '9'] };
    });
    const { vars, ...rest } = document.toJS();
    expect(rest).toMatchObject({ version: 1, ...values });
    const own = { leads: 0, contacts: 0, 'lead-proposals': 0, 'client-proposals': 3, items: 0, 'lead-notes': 0, notes: 5 };
    expect(vars).toMatchObject({ ...own, client: ['7', '9'] });
    expect(asked).toMatchObject([own]);
    expect(await demoIds(serviceWith({}), { notes: 5 }, {})).toEqual({});
    expect(String(document)).toContain('# Within a record the same expression gives the same person');
  });

  it('stands for what is asked, and has its own counts where nothing is', async () => {
    const planned = async (text: string) => {
      const { elements } = seedElements(await parseSeedFile(text, 'demo.yaml'), {
        run: 'trial',
        randomSeed: 7,
        today: '2026-01-01',
        env: {},
      });
      return Object.fromEntries(elements.map(({ name, ...one }) => [name, 'records' in one ? one.records.length : undefined]));
    };
    const usual = { lead: 20, contact: 10, 'lead-proposal': 4, 'client-proposal': 4, item: 12, 'lead-note': 15, note: 0 };
    expect(await planned(demoText())).toEqual(usual);
    expect(await planned(String(await demoDocument(values, undefined, async () => ({}))))).toEqual(usual);
    expect(await planned(String(await demoDocument(values, counts, async () => ({ client: ['7'] }))))).toEqual({
      ...{ lead: 0, contact: 0, 'lead-proposal': 0, 'client-proposal': 3, item: 0, 'lead-note': 0, note: 5 },
    });
  });
});
