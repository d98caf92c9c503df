// Custom fields of the lead kind, of which the required ones must be sent, by name (interface: Leads, create body).

import { expect, it } from 'vitest';
import { sandbox } from './support.ts';

const lead = { lead_title: 'One', lead_status: 1, lead_categoryid: 1 };
const missing = { region: ['The region field is required.'] };

it('are none in a new sandbox', async () => {
  const { send } = sandbox();
  expect((await send('POST', '/api/leads', lead)).status).toBe(201);
});

it('must be sent when they are required, on create and on update', async () => {
  const { store, send } = sandbox();
  const id = (await send('POST', '/api/leads', lead)).body.data.id;
  store.execute("INSERT INTO lead_fields (name) VALUES ('region'); INSERT INTO lead_fields (name, required) VALUES ('channel', 0)");
  for (const blank of [{}, { region: '' }, { region: null }, { channel: 'web' }]) {
    expect((await send('POST', '/api/leads', { ...lead, ...blank })).body.errors).toEqual(missing);
    expect((await send('PATCH', `/api/leads/${id}`, { ...lead, ...blank })).body.errors).toEqual(missing);
  }
  const made = await send('POST', '/api/leads', { ...lead, region: 'North', other: 'x' });
  expect(made.status).toBe(201);
  expect((await send('PATCH', `/api/leads/${id}`, { ...lead, region: 'South', channel: 'web' })).status).toBe(200);
  expect((await send('POST', `/api/leads/${id}/clone`, { lead_title: 'Two', lead_status: 1 })).status).toBe(201);
});
