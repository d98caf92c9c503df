// States that a run leaves alone: the status of a signed proposal, and a status that somebody set after the run that is undone.

import { expect, it } from 'vitest';
import { eachWorkshop } from '../import/support.ts';

const shop = eachWorkshop({ demo: true });

it('a change file does not change the status of a signed proposal', async () => {
  shop.write('changes.csv', 'family,id,status,was.status\nproposals,13,revised,accepted\n');
  const { status, stdout, stderr } = await shop.crm(['apply', 'changes.csv', '--yes', '--json']);
  expect([status, JSON.parse(stdout)]).toMatchObject([8, [{ id: 13, error: { code: 'proposal_signed', status: null, retry: 'ask' } }]]);
  expect(JSON.parse(stderr)).toMatchObject({ error: { failures: [{ id: 13, code: 'proposal_signed' }] } });
  expect((await shop.crm(['proposals', 'get', '13', '--json'])).json()).toMatchObject({
    status: 'accepted',
    signed: { last_name: 'Ashworth' },
  });
});

it('an undo leaves a status that was set since, and puts the others back', async () => {
  const statuses = async (): Promise<unknown[]> =>
    ((await shop.crm(['leads', 'get', '12,13', '--json'])).json() as { status: { title: string } }[]).map((lead) => lead.status.title);
  const [, before] = await statuses();
  const changed = await shop.crm(['leads', 'status', '12,13', '--to', 'Lost', '--yes']);
  const [, run = ''] = /crm undo (\w+)/.exec(changed.stderr) ?? [];
  expect((await shop.crm(['leads', 'status', '12', 'Contacted'])).status).toBe(0);
  const { status, stderr } = await shop.crm(['undo', run, '--yes', '--json']);
  expect([status, stderr]).toEqual([8, expect.stringContaining(`Not all of run ${run} went back: 1 kept.`)]);
  expect(await statuses()).toEqual(['Contacted', before]);
});
