// Lists of many leads: the first page comes from an index, whatever the sort. And search, pages and ties. CRM_REPORT_LEADS says how many
// leads there are: in CI 100,000.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { fillStore } from '../../../src/sandbox/create.ts';
import { listReply } from '../../../src/sandbox/service/lists.ts';
import { createService } from '../../../src/sandbox/service/service.ts';
import { contacts, items, leads, notes, proposals } from '../../../src/sandbox/store/families.ts';
import type { FamilyTable } from '../../../src/sandbox/store/family-table.ts';
import { openStore, type Store } from '../../../src/sandbox/store/store.ts';
import { fillLeads } from '../../support/fill-leads.ts';
import { makeSandbox } from '../../support/make-sandbox.ts';
import { sandbox, sender } from './support.ts';

const count = Number(process.env.CRM_REPORT_LEADS ?? 20_000);
let store: Store;
beforeAll(() => {
  store = openStore(':memory:', { mode: 'create' });
  fillStore(store, false);
  fillLeads(store, count);
  return () => store.close();
}, 300_000);

/** The statements that a list's page comes from: the one for the ids, and the one that counts. */
function statements(family: FamilyTable, query: Record<string, string>): { ids: string; total: string } {
  const recall = vi.spyOn(store, 'recall').mockImplementation((_key, find) => find());
  const get = vi.spyOn(store, 'get').mockReturnValue({ total: 1 });
  const all = vi.spyOn(store, 'all').mockReturnValue([]);
  listReply(createService(store), family, query);
  const sql = { ids: all.mock.calls[0]?.[0] ?? '', total: get.mock.calls[0]?.[0] ?? '' };
  for (const spy of [recall, get, all]) spy.mockRestore();
  return sql;
}

const plan = (sql: string): string => {
  const values = Array.from(sql.matchAll(/\?/g), () => 1);
  return store
    .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values)
    .map(({ detail }) => detail)
    .join('; ');
};

describe('the plan of a list', () => {
  const cases = [leads, contacts, proposals, items, notes].flatMap((family) =>
    ['', ...family.sorts.keys()].flatMap((sort) => ['asc', 'desc'].map((order) => [family.table, sort, order, family] as const)),
  );

  it.each(cases)('%s sorted by "%s" %s sorts nothing itself', (_table, sort, order, family) => {
    const { ids, total } = statements(family, { sort, order });
    expect(plan(ids)).not.toContain('TEMP B-TREE');
    if (sort !== '') expect(plan(ids)).toContain('USING COVERING INDEX');
    expect(plan(total)).toContain('USING COVERING INDEX');
  });

  it.each([
    ['status', '1', 'leads_status_id'],
    ['category_id', '1', 'leads_category_id'],
    ['source', 'Website', 'leads_source'],
    ['active_state', 'archived', 'leads_active_state'],
    ['assigned_user_id', '1', 'leads_assigned USING PRIMARY KEY'],
  ])('leads filtered by %s are found through an index', (filter, value, index) => {
    const { ids, total } = statements(leads, { [filter]: value });
    expect(plan(ids)).toContain(index);
    expect(plan(ids)).not.toContain('TEMP B-TREE');
    expect(plan(total)).toContain(index);
  });

  it.each([
    ['title', 'title'],
    ['value', 'value'],
    ['created', 'dates_created'],
    ['last_contacted', 'last_contacted'],
  ])('active leads by %s: the index of the sort says which they are', (sort, column) => {
    for (const order of ['asc', 'desc']) {
      const { ids } = statements(leads, { active_state: 'active', sort: `lead_${sort}`, order });
      expect(plan(ids)).toBe(`SCAN leads USING COVERING INDEX leads_${column}`);
    }
  });

  it('a search reads nothing but the texts that it looks through', () => {
    const { ids, total } = statements(leads, { search: 'acme' });
    expect([plan(ids), plan(total)]).toEqual(Array(2).fill('SCAN leads USING COVERING INDEX leads_search'));
  });

  it.each([
    [{ visibility: 'private' }, 'SEARCH notes USING COVERING INDEX notes_visibility (visibility=?)'],
    [{ resource_type: 'lead' }, 'SEARCH notes USING COVERING INDEX notes_resource_type (resource_type=?)'],
    [{ resource_type: 'lead', visibility: 'public' }, 'SEARCH notes USING COVERING INDEX notes_resource_type (resource_type=?)'],
  ])('notes with %j are found and counted in an index', (query, wanted) => {
    const { ids, total } = statements(notes, query);
    expect([plan(ids), plan(total)]).toEqual([wanted, wanted]);
  });

  it.each([
    ['title', 'title'],
    ['created', 'dates_created'],
    ['updated', 'dates_updated'],
  ])('public notes by %s: the index of the sort says which they are', (sort, column) => {
    const { ids } = statements(notes, { visibility: 'public', sort: `note_${sort}` });
    expect(plan(ids)).toBe(`SCAN notes USING COVERING INDEX notes_${column}`);
  });
});

describe('page after page', () => {
  const path = '/api/leads?active_state=active&status=1&sort=lead_title&order=asc&limit=100';
  const idsOf = ({ body }: { body: { data: { id: number }[] } }): number[] => body.data.map(({ id }) => id);

  /** The same, in one piece. */
  const expected = (): number[] => {
    const sql = "SELECT id FROM leads WHERE active_state = 'active' AND status_id = 1 ORDER BY title, id";
    return store.all<{ id: number }>(sql).map(({ id }) => id);
  };

  it('gives every record once, and looks for them a few times', async () => {
    const send = sender(store);
    const all = expected();
    const [counts, looks] = [vi.spyOn(store, 'get'), vi.spyOn(store, 'all')];
    const seen: number[] = [];
    for (let page = 1; page <= Math.ceil(all.length / 100) + 1; page += 1) seen.push(...idsOf(await send('GET', `${path}&page=${page}`)));
    expect(seen).toEqual(all);
    expect(seen.length).toBeGreaterThan(count / 10);
    expect(counts.mock.calls.filter(([sql]) => sql.includes('count(*)'))).toHaveLength(1);
    expect(looks.mock.calls.filter(([sql]) => sql.includes('OFFSET')).length).toBeLessThan(10);
    vi.restoreAllMocks();
  });

  it('in any order, and with pages of any length', async () => {
    const send = sender(store);
    const all = expected();
    const far = Math.floor(all.length / 100) - 5;
    const hundreds = [7, 2, 3, far, far + 1].map((page) => ({ page, limit: 100 }));
    for (const { page, limit } of [...hundreds, { page: 9, limit: 33 }, { page: 10, limit: 33 }, { page: 1, limit: 1 }]) {
      const got = idsOf(await send('GET', `${path}&page=${page}&limit=${limit}`));
      expect(got, `${page}, ${limit}`).toEqual(all.slice((page - 1) * limit, page * limit));
    }
  });

  it('what was written meanwhile counts, here and by another process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'crm-lists-'));
    const file = join(folder, 'leads.sqlite');
    makeSandbox(file, { demo: false });
    const [one, other] = [openStore(file, { mode: 'open' }), openStore(file, { mode: 'open' })];
    fillLeads(one, 1000);
    const send = sender(one);
    const page = async (number: number): Promise<[number, number[]]> => {
      const answer = await send('GET', `/api/leads?active_state=active&sort=lead_title&order=asc&limit=100&page=${number}`);
      return [answer.body.meta.total, idsOf(answer)];
    };
    const [total, first] = await page(1);
    const [, second] = await page(2);
    await send('PUT', `/api/leads/${first[0]}/archive`);
    expect(await page(2)).toEqual([total - 1, [...second.slice(1), expect.any(Number)]]);
    await sender(other)('PUT', `/api/leads/${first[1]}/archive`);
    expect(await page(2)).toEqual([total - 2, [...second.slice(2), expect.any(Number), expect.any(Number)]]);
    one.close();
    other.close();
    rmSync(folder, { recursive: true });
  });
});

describe('a lead among many', () => {
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
    for (const sql of asked) expect(plan(sql), sql).not.toMatch(/SCAN \w+\b(?! USING| VIRTUAL TABLE)|TEMP B-TREE FOR ORDER BY/);
  });

  it('leaves page after page, each lead once', async () => {
    const send = sender(store);
    const { body } = await send('GET', `/api/leads?sort=lead_last_contacted&limit=100&page=${count / 100}`);
    expect(body.meta).toEqual({ current_page: count / 100, per_page: 100, total: count, last_page: count / 100 });
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
});
