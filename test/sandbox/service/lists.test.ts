// Lists of 100,000 leads: the first page comes from an index, whatever the sort. And search, pages and ties.

import { beforeAll, describe, expect, it, vi } from 'vitest';
import { fillLeads } from '../../../src/sandbox/bulk.ts';
import { fill } from '../../../src/sandbox/create.ts';
import { contactListing } from '../../../src/sandbox/service/contacts.ts';
import { itemListing } from '../../../src/sandbox/service/items.ts';
import { leadListing } from '../../../src/sandbox/service/leads.ts';
import { listSql } from '../../../src/sandbox/service/lists.ts';
import { noteListing } from '../../../src/sandbox/service/notes.ts';
import { proposalListing } from '../../../src/sandbox/service/proposals.ts';
import { openStore, type Store } from '../../../src/sandbox/store.ts';
import { sandbox, sender } from './support.ts';

const count = 100_000;
let store: Store;
beforeAll(() => {
  store = openStore(':memory:', { mode: 'create' });
  fill(store, false);
  fillLeads(store, count);
  return () => store.close();
});

const plan = (sql: string): string => {
  const values = Array.from(sql.matchAll(/\?/g), () => 1);
  return store
    .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values)
    .map(({ detail }) => detail)
    .join('; ');
};

describe('the plan of a list', () => {
  const listings = [leadListing, contactListing, proposalListing, itemListing, noteListing];
  const cases = listings.flatMap((listing) =>
    ['', ...Object.keys(listing.sort)].flatMap((sort) => ['asc', 'desc'].map((order) => [listing.table, sort, order, listing] as const)),
  );

  it.each(cases)('%s sorted by "%s" %s sorts nothing itself', (_table, sort, order, listing) => {
    const { ids, total } = listSql(listing, { sort, order });
    expect(plan(ids)).not.toContain('TEMP B-TREE');
    if (sort !== '') expect(plan(ids)).toContain('USING COVERING INDEX');
    expect(plan(total)).toContain('USING COVERING INDEX');
  });

  it.each([
    ['status', '1', 'leads_status'],
    ['category_id', '1', 'leads_category'],
    ['source', 'Website', 'leads_source'],
    ['active_state', 'archived', 'leads_active_state'],
    ['assigned_user_id', '1', 'lead_assigned_user'],
  ])('leads filtered by %s are found through an index', (filter, value, index) => {
    const { ids, total } = listSql(leadListing, { [filter]: value });
    expect(plan(ids)).toContain(index);
    expect(plan(ids)).not.toContain('TEMP B-TREE');
    expect(plan(total)).toContain(index);
  });

  it('walks the sort for active leads instead of sorting nearly all of them', () => {
    expect(plan(listSql(leadListing, { active_state: 'active', sort: 'lead_title' }).ids)).toBe('SCAN leads USING INDEX leads_title');
  });
});

describe('a lead among 100,000', () => {
  it('is found by its id through indexes alone', () => {
    expect(plan('SELECT * FROM leads WHERE id = ?')).toBe('SEARCH leads USING INTEGER PRIMARY KEY (rowid=?)');
  });

  it.each([`/api/leads/${count - 10}`, '/api/leads?sort=lead_title'])('takes no walk through a table: GET %s', async (path) => {
    const [get, all] = [vi.spyOn(store, 'get'), vi.spyOn(store, 'all')];
    await sender(store)('GET', path);
    const asked = [...get.mock.calls, ...all.mock.calls].map(([sql]) => sql);
    get.mockRestore();
    all.mockRestore();
    expect(asked.length).toBeGreaterThan(0);
    for (const sql of asked) expect(plan(sql), sql).not.toMatch(/SCAN \w+\b(?! USING)|TEMP B-TREE FOR ORDER BY/);
  });

  it('leaves page after page, each lead once', async () => {
    const send = sender(store);
    const { body } = await send('GET', '/api/leads?sort=lead_last_contacted&limit=100&page=1000');
    expect(body.meta).toEqual({ current_page: 1000, per_page: 100, total: count, last_page: 1000 });
    expect(body.data).toHaveLength(100);
    expect((await send('GET', '/api/leads?page=4001')).body.data).toEqual([]);
    expect((await send('GET', '/api/leads?page=9007199254740991&limit=100')).body.data).toEqual([]);
  });
});

describe('lists', () => {
  const add = { lead_status: 1, lead_categoryid: 1 };

  it('break ties by id, in the direction of the sort', async () => {
    const { send } = sandbox();
    for (const title of ['b', 'A', 'a', 'B']) await send('POST', '/api/leads', { ...add, lead_title: title });
    const ids = async (query: string) => (await send('GET', `/api/leads?${query}`)).body.data.map((record: { id: number }) => record.id);
    expect(await ids('sort=lead_title&order=asc')).toEqual([2, 3, 1, 4]);
    expect(await ids('sort=lead_title')).toEqual([4, 1, 3, 2]);
    expect(await ids('')).toEqual([4, 3, 2, 1]);
    expect(await ids('order=asc')).toEqual([1, 2, 3, 4]);
  });

  it('search for a text as it stands, whatever its case, in each value by itself', async () => {
    const { send } = sandbox();
    const values = { lead_company_name: 'Çelik & Söhne', lead_email: 'info@celik.example' };
    await send('POST', '/api/leads', { ...add, ...values, lead_title: '100% ÜBER_size' });
    const total = async (text: string) => (await send('GET', `/api/leads?search=${encodeURIComponent(text)}`)).body.meta.total;
    for (const text of ['100% ü', 'R_S', 'çELIK', 'SÖHNE', 'INFO@']) expect(await total(text), text).toBe(1);
    for (const text of ['1__%', '%', 'size Ç', 'sizeç']) expect(await total(text), text).toBe(text === '%' ? 1 : 0);
  });

  it('refuse what they do not know, every parameter at once', async () => {
    const { send } = sandbox();
    const { status, body } = await send('GET', '/api/leads?sort=id&order=up&limit=0&page=x&status=new&active_state=gone');
    expect(status).toBe(422);
    expect(Object.keys(body.errors).sort()).toEqual(['active_state', 'limit', 'order', 'page', 'sort', 'status']);
  });

  it('give at most 100 records a page', async () => {
    const { body } = await sender(store)('GET', '/api/leads?limit=500');
    expect(body.meta.per_page).toBe(100);
    expect(body.data).toHaveLength(100);
  });
});
