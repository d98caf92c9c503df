import { openClient } from 'crm-admin/client';
import { openSandbox } from 'crm-admin/sandbox';

// A service: openClient({ baseUrl: 'https://crm.example.com', key: process.env.CRM_API_KEY })
const sandbox = await openSandbox();
const client = await openClient({ sandbox });

for await (const lead of client.leads.list({ status: 5, sort: 'value', order: 'desc' })) {
  console.log(lead.id, lead.title, lead.value);
}

const { id } = await client.leads.create({ title: 'Fleet tracking', status: 1, category: 1, value: '1250.00' });
await client.leads.update(id, { company_name: 'Harbour Freight' });
await client.leads.tags(id, { add: ['hot'] });
const { title, contact, tags } = await client.leads.get(id);
console.log(title, contact.company_name, tags);

await client.close();
await sandbox.close();
