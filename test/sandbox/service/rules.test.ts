// Rules that can't be seen from outside alone, or only with records that requests can't make.

import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/sandbox/store/store.ts';
import { sandbox } from './support.ts';

const lead = { lead_title: 'A deal', lead_status: 1, lead_categoryid: 1 };
const proposal = { customer_type: 'client', doc_client_id: 1, doc_title: 'An offer', doc_date_start: '2026-03-01', doc_categoryid: 4 };
const item = { item_description: 'A thing', item_rate: '1.50', item_categoryid: 7, item_default_tax: 2, item_unit: 1 };

/** A proposal of the demo that is signed. */
const signedId = (store: Store): number =>
  store.get<{ id: number }>("SELECT id FROM proposals WHERE doc ->> '$.signed.date' IS NOT NULL")?.id ?? 0;

describe('proposals', () => {
  it('lose a recorded signature with any status, also the one that they have', async () => {
    const { store, send } = sandbox({ demo: true });
    const id = signedId(store);
    expect((await send('GET', `/api/proposals/${id}`)).body.data.signed.first_name).not.toBeNull();
    const { body } = await send('PUT', `/api/proposals/${id}/status`, { status: 'accepted' });
    expect(body.data.status).toBe('accepted');
    expect(body.data.signed).toEqual({ date: null, first_name: null, last_name: null });
  });

  it('keep a signature through a refused status, an update and new tags', async () => {
    const { store, send } = sandbox({ demo: true });
    const id = signedId(store);
    const { signed } = (await send('GET', `/api/proposals/${id}`)).body.data;
    expect((await send('PUT', `/api/proposals/${id}/status`, { status: 'signed' })).status).toBe(422);
    await send('PUT', `/api/proposals/${id}/tags`, { tags: ['x'] });
    const update = { doc_title: 'New', doc_date_start: '2026-01-01', doc_categoryid: 5 };
    expect((await send('PATCH', `/api/proposals/${id}`, update)).body.data.signed).toEqual(signed);
  });

  it('are cloned as unsigned drafts, with body and tags', async () => {
    const { store, send } = sandbox({ demo: true });
    const id = signedId(store);
    const source = (await send('GET', `/api/proposals/${id}`)).body.data;
    const { status, body } = await send('POST', `/api/proposals/${id}/clone`, proposal);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ status: 'draft', body: source.body, tags: source.tags, title: 'An offer', project_id: null });
    expect(body.data.signed.date).toBeNull();
    expect(body.data.dates).toMatchObject({ start: '2026-03-01', end: null, published: null });
  });

  it('take no template that there is not', async () => {
    const { send } = sandbox();
    expect((await send('POST', '/api/proposals', { ...proposal, proposal_template: 2 })).body.errors).toEqual({
      proposal_template: ['The selected proposal template is invalid.'],
    });
  });

  it('never end before they start, not even when only the start moves', async () => {
    const { send } = sandbox();
    await send('POST', '/api/proposals', { ...proposal, doc_date_end: '2026-03-31' });
    const moved = { doc_title: 'An offer', doc_date_start: '2026-04-01', doc_categoryid: 4 };
    const message = 'The doc date end must be a date after or equal to doc date start.';
    expect((await send('PATCH', '/api/proposals/1', moved)).body.errors).toEqual({ doc_date_end: [message] });
    expect((await send('PATCH', '/api/proposals/1', { ...moved, doc_date_end: null })).body.data.dates.end).toBeNull();
  });
});

it('a lead gives its new title to its proposals', async () => {
  const { send } = sandbox();
  await send('POST', '/api/leads', lead);
  await send('POST', '/api/proposals', { ...proposal, customer_type: 'lead', doc_lead_id: 1 });
  const told = async () => (await send('GET', '/api/proposals/1')).body.data.lead;
  expect(await told()).toEqual({ id: 1, name: 'A deal' });
  await send('PATCH', '/api/leads/1', { ...lead, lead_title: 'Another deal' });
  expect(await told()).toEqual({ id: 1, name: 'Another deal' });
  expect((await send('GET', '/api/proposals?lead_id=1')).body.meta.total).toBe(1);
});

describe('conversion', () => {
  const person = { first_name: 'Ada', last_name: 'Byron', email: 'Ada@Example.com' };

  it('makes a client with an owner and moves the proposals, all of it or nothing', async () => {
    const { store, send } = sandbox();
    await send('POST', '/api/leads', { ...lead, lead_company_name: 'Engines', lead_city: 'London', lead_phone: '+44 1' });
    await send('POST', '/api/proposals', { ...proposal, customer_type: 'lead', doc_lead_id: 1 });
    expect((await send('POST', '/api/leads/1/convert', { ...person, email: 'TOM@crm.example' })).status).toBe(422);
    expect(store.get('SELECT count(*) AS total FROM clients')).toEqual({ total: 1 });
    const { status, body } = await send('POST', '/api/leads/1/convert', { ...person, client_billing_invoice_due_days: 14 });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ id: 2, company_name: 'Engines', phone: '+44 1', owner: { id: 5, name: 'Ada Byron' } });
    expect(body.data.billing).toMatchObject({ city: 'London', invoice_due_days: 14 });
    expect((await send('GET', '/api/contacts/5')).body.data).toMatchObject({ account_owner: 'yes', email: 'Ada@Example.com' });
    expect((await send('GET', '/api/proposals/1')).body.data).toMatchObject({
      client: { id: 2, name: 'Engines' },
      lead: { id: null, name: null },
    });
    expect((await send('GET', '/api/leads/1')).body.data.converted).toMatchObject({ is_converted: true, client_id: 2 });
    expect((await send('POST', '/api/leads/1/convert', {})).status).toBe(409);
    expect((await send('GET', '/api/clients/2')).body.data).toEqual(body.data);
  });

  it('can delete the lead, and then keeps its proposals but nothing else of it', async () => {
    const { store, send } = sandbox();
    await send('POST', '/api/leads', lead);
    await send('POST', '/api/leads/1/comments', { comment: 'Hello' });
    await send('PUT', '/api/leads/1/assigned', { assigned: [1, 2] });
    await send('POST', '/api/notes', { note_title: 'N', note_description: 'D', noteresource_type: 'lead', noteresource_id: 1 });
    await send('POST', '/api/proposals', { ...proposal, customer_type: 'lead', doc_lead_id: 1 });
    await send('POST', '/api/leads/1/convert', { ...person, delete_lead: 'yes', client_company_name: 'Engines' });
    const count = (table: string) => store.get<{ total: number }>(`SELECT count(*) AS total FROM ${table}`)?.total;
    expect(['leads', 'comments', 'leads_assigned', 'notes'].map(count)).toEqual([0, 0, 0, 0]);
    expect((await send('GET', '/api/proposals/1')).body.data.client).toEqual({ id: 2, name: 'Engines' });
  });
});

it('deleting a lead takes its proposals, comments, assignees and notes along', async () => {
  const { store, send } = sandbox();
  await send('POST', '/api/leads', lead);
  await send('POST', '/api/leads/1/comments', { comment: 'Hello' });
  await send('PUT', '/api/leads/1/assigned', { assigned: [4] });
  await send('POST', '/api/notes', { note_title: 'N', note_description: 'D', noteresource_type: 'lead', noteresource_id: 1 });
  await send('POST', '/api/notes', { note_title: 'N', note_description: 'D', noteresource_type: 'client', noteresource_id: 1 });
  await send('POST', '/api/proposals', { ...proposal, customer_type: 'lead', doc_lead_id: 1 });
  await send('DELETE', '/api/leads/1');
  const count = (table: string) => store.get<{ total: number }>(`SELECT count(*) AS total FROM ${table}`)?.total;
  expect(['comments', 'leads_assigned', 'proposals', 'notes'].map(count)).toEqual([0, 0, 0, 1]);
});

describe('contacts', () => {
  const contact = { first_name: 'Jane', last_name: 'Doe', email: 'jane@x.example', clientid: 1 };

  it('hand the account over, so that there is one owner at a time', async () => {
    const { send } = sandbox();
    await send('POST', '/api/contacts', contact);
    await send('POST', '/api/contacts', { ...contact, email: 'john@x.example' });
    await send('PUT', '/api/contacts/5/account-owner');
    await send('PUT', '/api/contacts/6/account-owner');
    await send('PUT', '/api/contacts/6/account-owner');
    const owners = (await send('GET', '/api/contacts')).body.data.map((record: { account_owner: string }) => record.account_owner);
    expect(owners).toEqual(['no', 'yes']);
    const owner = async () => (await send('GET', '/api/clients/1')).body.data.owner;
    expect(await owner()).toEqual({ id: 6, name: 'Jane Doe' });
    await send('PATCH', '/api/contacts/6', { ...contact, last_name: 'Roe', email: 'john@x.example' });
    expect(await owner()).toEqual({ id: 6, name: 'Jane Roe' });
    await send('DELETE', '/api/contacts/6');
    expect(await owner()).toEqual({ id: null, name: null });
  });

  it('are never team members', async () => {
    const { send } = sandbox();
    expect((await send('GET', '/api/contacts/1')).status).toBe(404);
    expect((await send('DELETE', '/api/contacts/1')).status).toBe(404);
  });
});

describe('items', () => {
  it('make a unit once, whatever the case of its name, and none when they are refused', async () => {
    const { store, send } = sandbox();
    const unitOf = async (unit: unknown) => (await send('POST', '/api/items', { ...item, item_unit: unit })).body.data?.unit;
    expect(await unitOf('HOUR')).toEqual({ id: 2, name: 'hour' });
    expect(await unitOf(' Pallet ')).toEqual({ id: 5, name: 'Pallet' });
    expect(await unitOf('pallet')).toEqual({ id: 5, name: 'Pallet' });
    expect(await unitOf('3')).toEqual({ id: 3, name: 'day' });
    for (const wrong of ['99', '0', '-1', '1.5', 99, ' ', 'x'.repeat(101), true]) {
      expect((await send('POST', '/api/items', { ...item, item_unit: wrong })).body.errors, String(wrong)).toHaveProperty('item_unit');
    }
    await send('POST', '/api/items', { ...item, item_unit: 'crate', item_rate: 'much' });
    expect(store.get("SELECT count(*) AS total FROM names WHERE kind = 'unit'")).toEqual({ total: 5 });
  });

  it('keep the values of enabled custom fields and ignore the others', async () => {
    const { send } = sandbox();
    const sent = { item_custom_field_1: 'S-1', item_custom_field_3: 24, item_custom_field_4: 'x', item_custom_field_10: 'y' };
    const { body } = await send('POST', '/api/items', { ...item, ...sent });
    expect(body.data.custom_fields).toEqual([
      { id: 1, name: 'SKU', value: 'S-1' },
      { id: 2, name: 'Supplier', value: null },
      { id: 3, name: 'Warranty', value: '24' },
    ]);
    const changed = await send('PATCH', '/api/items/1', { ...item, item_custom_field_2: 'Etiko', item_custom_field_3: '' });
    expect(changed.body.data.custom_fields.map((field: { value: unknown }) => field.value)).toEqual(['S-1', 'Etiko', null]);
  });
});

describe('records', () => {
  it('give every text back as it was sent', async () => {
    const { send } = sandbox();
    const texts = [
      '  spaces  ',
      'tab\tand\nlines\r\n',
      'Zoë 株式会社 🎉',
      '"quotes" \\ back',
      "Robert'); DROP TABLE leads;--",
      '\u0000nul\u001f',
      '𝒳\u2028',
    ];
    for (const text of texts) {
      const { body } = await send('POST', '/api/leads', { ...lead, lead_description: text });
      expect((await send('GET', `/api/leads/${body.data.id}`)).body.data.description).toBe(text);
    }
  });
});
