// What a person sees of a record that is only read, and the filter for nobody.

import { expect, it } from 'vitest';
import { eachWorkshop } from '../import/support.ts';

const shop = eachWorkshop({ demo: true });

it('the page of a team member tells the role and the job', async () => {
  const [member] = (await shop.crm(['team', 'list', '--limit', '1', '--json'])).json() as {
    id: number;
    role: { name: string };
    job_position: string;
  }[];
  const { stdout } = await shop.crm(['team', 'get', String(member?.id)], { tty: true, columns: 100 });
  expect(stdout).toContain(`role: ${member?.role.name}`);
  expect(stdout).toContain(member?.job_position);
});

it('--assigned none finds the leads of nobody, and asks for no name', async () => {
  const { status, json } = await shop.crm(['leads', 'list', '--assigned', 'none', '--json', '--fields', 'id,assigned']);
  const leads = json() as { assigned: unknown[] }[];
  expect([status, leads.length > 0, leads.every(({ assigned }) => assigned.length === 0)]).toEqual([0, true, true]);
});
