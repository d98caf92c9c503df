import { openSandbox } from 'crm-admin/sandbox';
import { afterEach, expect, it } from 'vitest';

const crm = await openSandbox();
afterEach(() => crm.reset());

it('archives a lead', async () => {
  const answer = await crm.fetch('https://crm.example.com/api/leads/12/archive', { method: 'PUT' });
  expect(await answer.json()).toMatchObject({ data: { id: 12, active_state: 'archived' } });
});
