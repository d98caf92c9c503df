// `profile set --columns`: the columns of a terminal's table, and of nothing else.

import { beforeEach, expect, it } from 'vitest';
import { eachWorkshop } from '../import/support.ts';

const shop = eachWorkshop();
beforeEach(() => shop.crm(['sandbox', 'init', '-p', 'mine']));
const header = async (...args: string[]): Promise<string> => {
  const { stdout } = await shop.crm([...args, '-p', 'mine'], { tty: true });
  return (stdout.replaceAll(/\u001b\[[\d;]*m/g, '').split('\n')[0] ?? '').trim().replaceAll(/ {2,}/g, ' | ');
};

it("are a terminal's, in their order, until they are removed", async () => {
  const usual = await header('leads', 'list', '--limit', '1');
  const set = await shop.crm(['profile', 'set', 'mine', '--columns', 'leads=id,value,company-name', '--columns', 'item=id,rate', '--json']);
  expect(JSON.parse(set.stdout)).toMatchObject({ columns: 'leads=id,value,company-name; items=id,rate' });
  expect(await header('leads', 'list', '--limit', '1')).toBe('ID | VALUE | COMPANY');
  expect(await header('items', 'list', '--limit', '1')).toBe('ID | RATE');
  expect(await header('leads', 'list', '--limit', '1', '--fields', 'id,title')).toBe('ID | TITLE');
  expect((await shop.crm(['leads', 'list', '--limit', '1', '-p', 'mine'])).stdout).toMatch(/^ID\tTITLE\tSTATUS\t/);
  expect(Object.keys(JSON.parse((await shop.crm(['leads', 'get', '12', '--json', '-p', 'mine'])).stdout)).length).toBeGreaterThan(5);
  await shop.crm(['profile', 'set', 'mine', '--columns', 'leads=']);
  expect(await header('leads', 'list', '--limit', '1')).toBe(usual);
  expect(await header('items', 'list', '--limit', '1')).toBe('ID | RATE');
});

it.each([
  ['leads', /--columns: "leads" is not FAMILY=FIELDS, as in leads=id,title,value\./],
  ['leeds=id', /--columns: "leeds" is not one of .* Did you mean leads\?/],
  ['leads=id,titel', /--columns: unknown field "titel", did you mean title\?/],
])('%s is refused', async (typed, told) => {
  const { status, stderr } = await shop.crm(['profile', 'set', 'mine', '--columns', typed]);
  expect(status).toBe(2);
  expect(stderr).toMatch(told);
});
