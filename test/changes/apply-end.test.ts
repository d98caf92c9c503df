// `crm apply` ends as an import does: the failures stand together at the end, with their reasons.

import { expect, it } from 'vitest';
import { eachWorkshop } from '../import/support.ts';

const shop = eachWorkshop({ demo: true });
const end = [
  'error: 1 of 3 changed, 1 failed, 1 left out.',
  '  lead 9999: Lead 9999 not found.',
  '  lead 13 (Farm shop and box scheme): Changed meanwhile, so left as it is: status is Negotiation now, not New.',
].join('\n');

it.each([
  ['off a terminal', {}],
  ['on one', { tty: true, columns: 200 }],
])('%s, each failure once', async (_where, options) => {
  shop.write('f.csv', 'family,id,status,was.status\nleads,9999,Lost,New\nleads,13,Lost,New\nleads,12,Lost,Qualified\n');
  const { status, stderr } = await shop.crm(['apply', 'f.csv', '--yes'], options);
  expect(status).toBe(8);
  expect(stderr).toContain(end);
  expect(stderr).toMatch(/\nSee them again: crm history show \w{4} --failed\n/);
  expect(stderr.match(/not found/g)).toHaveLength(1);
  expect(stderr).toContain('Qualified');
});

it('twenty failures are named, the others counted', async () => {
  shop.write('f.csv', `family,id,status,was.status\n${Array.from({ length: 25 }, (_, n) => `leads,${9000 + n},Lost,New\n`).join('')}`);
  const { stderr } = await shop.crm(['apply', 'f.csv']);
  expect(stderr.match(/not found/g)).toHaveLength(20);
  expect(stderr).toMatch(/\nAnd 5 more\.\nSee them again: crm history show /);
});

it('--json keeps its one object', async () => {
  shop.write('f.csv', 'family,id,status,was.status\nleads,9999,Lost,New\n');
  const { stderr } = await shop.crm(['apply', 'f.csv', '--json']);
  expect(JSON.parse(stderr)).toMatchObject({ error: { fields: [], hint: null, failures: [{ id: 9999, code: 'not_found' }] } });
});
