// What a stranger's compiler makes of the library's types: it has this file, the package and nothing else.

import { type Client, type CrmClient, CrmError, type Lead, openClient, UnavailableError } from 'crm-admin/client';
import { openSandbox, type Sandbox, UsageError } from 'crm-admin/sandbox';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare const fromEnvironment: string | undefined;
declare function holds<T extends true>(): T;

export async function reads(client: CrmClient): Promise<string> {
  const lead = await client.leads.get(12);
  holds<Same<typeof lead, Lead>>();
  holds<Same<Lead['value'], string | null>>();
  holds<Same<Lead['active_state'], 'active' | 'archived'>>();
  holds<Same<Lead['assigned'], { id: number; name: string }[]>>();
  for await (const proposal of client.proposals.list({ status: 'accepted', sort: 'start', order: 'asc' })) proposal.dates.start.slice(0, 4);
  const { records, total } = await client.clients.list({ search: 'trading' }).page(2, 50);
  holds<Same<typeof total, number | undefined>>();
  holds<Same<typeof records, Client[]>>();
  // @ts-expect-error: a value may be null
  lead.value.length;
  // @ts-expect-error: no such filter
  client.leads.list({ stauts: 3 });
  // @ts-expect-error: no such sort
  client.leads.list({ sort: 'lead_title' });
  // @ts-expect-error: clients are only read
  client.clients.create({});
  return lead.contact.first_name ?? '';
}

export async function writes(client: CrmClient): Promise<void> {
  const made = await client.leads.create({ title: 'Tills', status: 1, category: 1, value: '1250.00', set: { lead_region: 'North' } });
  holds<Same<typeof made.id, number>>();
  holds<Same<typeof made.title, string | undefined>>();
  await client.leads.update(made.id, { value: null, source: undefined }, { replace: false });
  await client.leads.tags(made.id, { add: ['hot'] });
  await client.leads.assign(made.id, [1, '2']);
  await client.leads.comments.add(made.id, 'Called');
  const customer = await client.leads.convert(made.id, { delete_lead: true });
  holds<Same<typeof customer.company_name, string | undefined>>();
  await client.proposals.create({ client: 1, title: 'Offer', start: '2027-01-04', category: 4 });
  await client.proposals.status(5, 'revised', { clear_signature: true });
  await client.notes.create({ title: 'a', description: 'b', resource: 'lead:3' });
  await client.notes.create({ title: 'a', description: 'b', resource: { type: 'client', id: 3 } });
  await client.items.update(3, { custom_field: { 1: 'CB-2M' }, unit: 'metre' });
  await client.contacts.accountOwner(6);
  // @ts-expect-error: category is missing
  await client.leads.create({ title: 'Tills', status: 1 });
  // @ts-expect-error: money is a text
  await client.leads.create({ title: 'Tills', status: 1, category: 1, value: 1250 });
  // @ts-expect-error: for a client or for a lead
  await client.proposals.create({ client: 1, lead: 2, title: 'Offer', start: '2027-01-04', category: 4 });
  // @ts-expect-error: for neither
  await client.proposals.create({ title: 'Offer', start: '2027-01-04', category: 4 });
  // @ts-expect-error: not after creation
  await client.contacts.update(5, { client: 2 });
  // @ts-expect-error: a title can't be cleared
  await client.leads.update(5, { title: null });
  // @ts-expect-error: no such status
  await client.proposals.status(5, 'signed');
}

export async function opens(): Promise<void> {
  const sandbox: Sandbox = await openSandbox({ demo: false, key: 'test-key' });
  const own: typeof globalThis.fetch = sandbox.fetch;
  await own('https://crm.example.com/api/leads', { method: 'POST', body: new URLSearchParams({ lead_title: 'x' }) });
  const { url, key } = await sandbox.listen({ port: 0 });
  await using client = await openClient({ baseUrl: url, key, encoding: 'json', timeout: 5000, signal: AbortSignal.timeout(60_000) });
  await client.team.get(1);
  await openClient({ sandbox, key });
  await openClient({ baseUrl: url, key: fromEnvironment, retries: undefined, fetch: undefined });
  // @ts-expect-error: one or the other
  await openClient({ sandbox, baseUrl: url });
  try {
    sandbox.reset();
  } catch (error) {
    if (error instanceof UnavailableError || error instanceof UsageError) console.log(error.code satisfies string);
    if (error instanceof CrmError) console.log(error.details.fields?.[0]?.messages);
  }
}
