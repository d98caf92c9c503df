// The demo data tells a coherent story: enough of everything, and nothing that the rules would refuse.

import { describe, expect, it } from 'vitest';
import { memoryStore, sandbox } from './support.ts';

const everything = async (path: string) => {
  const { send } = sandbox({ demo: true });
  const { body } = await send('GET', `${path}?limit=100`);
  expect(body.data.length).toBe(body.meta.total);
  // biome-ignore lint/suspicious/noExplicitAny: records of every family
  return body.data as any[];
};

describe('the demo data', () => {
  it('has 13 clients or more, each with one owner and up to four contacts', async () => {
    const clients = await everything('/api/clients');
    const contacts = await everything('/api/contacts');
    expect(clients.length).toBeGreaterThanOrEqual(13);
    for (const client of clients) {
      const own = contacts.filter((contact) => contact.client.id === client.id);
      expect(own.length).toBeGreaterThanOrEqual(1);
      expect(own.length).toBeLessThanOrEqual(4);
      expect(own.filter((contact) => contact.account_owner === 'yes').map((contact) => contact.name)).toEqual([client.owner.name]);
    }
  });

  it('has one contact left over from a closed account', async () => {
    const { send } = sandbox({ demo: true });
    const contacts = await everything('/api/contacts');
    const [left, ...others] = contacts.filter((contact) => contact.client.id === null);
    expect(others).toEqual([]);
    expect(left.client).toEqual({ id: null, company_name: null });
    expect((await send('PUT', `/api/contacts/${left.id}/account-owner`)).status).toBe(409);
  });

  it('has more than 40 leads in every status, some archived, some converted', async () => {
    const leads = await everything('/api/leads');
    expect(leads.length).toBeGreaterThan(40);
    expect(new Set(leads.map((lead) => lead.status.id))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    expect(new Set(leads.map((lead) => lead.category.id))).toEqual(new Set([1, 2, 3]));
    expect(new Set(leads.flatMap((lead) => lead.assigned.map((user: { id: number }) => user.id)))).toEqual(new Set([1, 2, 3, 4]));
    expect(leads.filter((lead) => lead.active_state === 'archived').length).toBeGreaterThanOrEqual(3);
    const clients = await everything('/api/clients');
    const converted = leads.filter((lead) => lead.converted.is_converted);
    expect(converted.length).toBeGreaterThanOrEqual(2);
    for (const lead of converted) {
      expect(clients.find((client) => client.id === lead.converted.client_id).company_name).toBe(lead.contact.company_name);
    }
  });

  it('has 20 proposals or more in all five states, one or two of them signed', async () => {
    const proposals = await everything('/api/proposals');
    expect(proposals.length).toBeGreaterThanOrEqual(20);
    expect(new Set(proposals.map((proposal) => proposal.status))).toEqual(new Set(['draft', 'new', 'accepted', 'declined', 'revised']));
    expect(proposals.some((proposal) => proposal.lead.id !== null)).toBe(true);
    const signed = proposals.filter((proposal) => proposal.signed.date !== null);
    expect([1, 2]).toContain(signed.length);
    expect(signed.every((proposal) => proposal.status === 'accepted')).toBe(true);
    expect(proposals.every((proposal) => proposal.dates.end === null || proposal.dates.end >= proposal.dates.start)).toBe(true);
  });

  it('has 25 items or more over every category, unit and tax rate', async () => {
    const items = await everything('/api/items');
    expect(items.length).toBeGreaterThanOrEqual(25);
    expect(new Set(items.map((item) => item.category.id))).toEqual(new Set([6, 7, 8]));
    expect(new Set(items.map((item) => item.unit.id))).toEqual(new Set([1, 2, 3, 4]));
    expect(new Set(items.map((item) => item.default_tax.id))).toEqual(new Set([1, 2, 3]));
    expect(items.filter((item) => item.custom_fields[0].value !== null).length).toBeGreaterThan(10);
  });

  it('has 20 notes or more, alone and on all five kinds of resources that exist, and hides its sticky note', async () => {
    const notes = await everything('/api/notes');
    expect(notes.length).toBeGreaterThanOrEqual(20);
    expect(new Set(notes.map((note) => note.resource.type))).toEqual(new Set([null, 'client', 'lead', 'project', 'task', 'user']));
    const store = memoryStore({ demo: true });
    const tables = { client: 'clients', lead: 'leads', project: 'projects', task: 'tasks', user: 'users' };
    for (const { resource } of notes.filter((note) => note.resource.type !== null)) {
      const table = tables[resource.type as keyof typeof tables];
      expect(store.get(`SELECT 1 AS found FROM ${table} WHERE id = ?`, resource.id)).toEqual({ found: 1 });
    }
    const sticky = store.get<{ id: number }>('SELECT id FROM notes WHERE sticky = 1')?.id ?? 0;
    const { send } = sandbox({ demo: true });
    expect(sticky).toBeGreaterThan(0);
    expect((await send('GET', `/api/notes/${sticky}`)).status).toBe(404);
    expect((await send('DELETE', `/api/notes/${sticky}`)).status).toBe(404);
    expect((await send('PUT', `/api/notes/${sticky}/tags`, { tags: [] })).status).toBe(404);
  });

  it('has comments, projects and tasks', async () => {
    const store = memoryStore({ demo: true });
    const count = (table: string) => store.get<{ total: number }>(`SELECT count(*) AS total FROM ${table}`)?.total;
    expect(count('lead_comments')).toBeGreaterThanOrEqual(15);
    expect((await everything('/api/projects')).length).toBeGreaterThanOrEqual(3);
    expect((await everything('/api/tasks')).length).toBeGreaterThanOrEqual(6);
    expect(count('estimates')).toBe(count('proposals'));
  });

  it('has rows in the order of their creation', () => {
    const store = memoryStore({ demo: true });
    for (const table of ['leads', 'proposals', 'items', 'notes', 'clients']) {
      const times = store.all<{ created: string }>(`SELECT created FROM ${table} ORDER BY id`).map(({ created }) => created);
      expect(times, table).toEqual([...times].sort());
    }
  });

  it('has the awkward values of real life', () => {
    const store = memoryStore({ demo: true });
    const found = (sql: string) => expect(store.get(sql), sql).toBeDefined();
    found("SELECT 1 FROM clients WHERE company_name LIKE '%''%'");
    found(`SELECT 1 FROM clients WHERE company_name LIKE '%,%"%"%'`);
    found("SELECT 1 FROM clients WHERE company_name = '株式会社さくら電機'");
    found("SELECT 1 FROM users WHERE first_name = 'Zoë' AND phone LIKE '+%'");
    found("SELECT 1 FROM leads WHERE title LIKE '%☕%'");
    found("SELECT 1 FROM leads WHERE zip GLOB '0[0-9][0-9][0-9][0-9]'");
    found("SELECT 1 FROM leads WHERE length(description) > 400 AND description LIKE '%' || char(10) || '%'");
    found("SELECT 1 FROM proposals WHERE body LIKE '<h1>%'");
  });
});

describe('the reference data', () => {
  it('has the documented ids', async () => {
    const { send } = sandbox();
    const names = async (path: string, member: string) =>
      (await send('GET', path)).body.data.map((record: Record<string, unknown>) => `${record.id} ${record[member]}`);
    expect(await names('/api/categories?order=asc&type=lead', 'name')).toEqual(['1 Inbound', '2 Outbound', '3 Referral']);
    expect(await names('/api/categories?order=asc&type=proposal', 'name')).toEqual(['4 Implementation', '5 Support Plan']);
    expect(await names('/api/categories?order=asc&type=item', 'name')).toEqual(['6 Services', '7 Hardware', '8 Licences']);
    expect(await names('/api/categories?type=client', 'name')).toEqual(['9 General']);
    expect(await names('/api/team?order=asc', 'email')).toEqual([
      '1 maya@crm.example',
      '2 tom@crm.example',
      '3 priya@crm.example',
      '4 jonas@crm.example',
    ]);
    expect(await names('/api/clients', 'company_name')).toEqual(['1 Northgate Trading']);
    expect(await names('/api/categories?type=ticket', 'name')).toEqual([]);
  });

  it('has the documented lead statuses, tax rates and units, as records tell them', async () => {
    const { send } = sandbox();
    const lead = async (status: number) =>
      (await send('POST', '/api/leads', { lead_title: 'x', lead_status: status, lead_categoryid: 1 })).body.data?.status.title;
    expect(await Promise.all([1, 2, 3, 4, 5, 6, 7].map(lead))).toEqual([
      ...['New', 'Contacted', 'Qualified', 'Proposal Sent', 'Negotiation', 'Lost', undefined],
    ]);
    const fields = { item_description: 'x', item_rate: 1, item_categoryid: 6 };
    const item = async (unit: number, tax: number) => {
      const { data } = (await send('POST', '/api/items', { ...fields, item_unit: unit, item_default_tax: tax })).body;
      return data === undefined ? undefined : `${data.unit.name}, ${data.default_tax.name}`;
    };
    expect(await Promise.all([item(1, 1), item(2, 2), item(3, 3), item(4, 1), item(5, 1), item(1, 4)])).toEqual([
      ...['each, No Tax', 'hour, Standard', 'day, Reduced', 'month, No Tax', undefined, undefined],
    ]);
  });
});
