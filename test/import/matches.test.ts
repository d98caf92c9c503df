// How rows find their records by a field: the exact spelling first; a phone also by its digits, any other field never.

import { expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

const lead = async (title: string, ...flags: string[]): Promise<void> => {
  expect((await shop.crm(['leads', 'create', '--title', title, '--status', '1', '--category', '1', '-q', ...flags])).status).toBe(0);
};
const importOf = (match: string, mode: string, ...flags: string[]) =>
  shop.crm(['leads', 'import', 'f.csv', '--match', match, '--mode', mode, '--json', ...flags]);
const held = async (path: string): Promise<unknown> => {
  const [titles, values] = [await shop.held('title', 'title'), await shop.held(path, 'title')];
  return titles.map((title, index) => [title, values[index]]);
};

// biome-ignore format: a table
it.each([
  ['+49301234567', '49301234567'], ['0049301234567', '49301234567'], ['0301234567', '301234567'], ['+49 30 123-45.67', '49301234567'],
  ['(030) 123/4567', '0301234567'], ['49301234567', '+49 (30) 1234567'], ['+49 30\u202c 1234567', '+49301234567'], ['060-0001', '600001'],
])('the phone %s is found by %s, and stays', async (phone, typed) => {
  await lead('A', '--phone', phone);
  for (const mode of ['update', 'upsert']) {
    shop.write('f.csv', `title,status,category,phone,city\nA,1,1,${typed},${mode}\n`);
    const { status, stderr, json } = await importOf('phone', mode);
    expect([status, json()]).toEqual([0, expect.objectContaining({ updated: 1, created: 0 })]);
    expect(stderr).toContain('phone: 1 value finds its record by the digits alone (line 2). The spelling in the record stays.\n');
  }
  expect(await held('contact.phone')).toEqual([['A', phone.replace('\u202c', '')]]);
});

it('the exact spelling comes first; several others are an error with their ids', async () => {
  await lead('A', '--phone', '+49 30 1');
  await lead('B', '--phone', '0049 301');
  shop.write('f.csv', 'title,status,category,phone\nB2,1,1,0049 301\n');
  expect((await importOf('phone', 'upsert')).json()).toMatchObject({ updated: 1, created: 0 });
  expect(await held('contact.phone')).toEqual([
    ['A', '+49 30 1'],
    ['B2', '0049 301'],
  ]);
  shop.write('f.csv', 'title,status,category,phone\nC,1,1,49301\n');
  const { status, stderr } = await importOf('phone', 'upsert');
  expect([status, stderr]).toEqual([8, expect.stringContaining('Several leads have the phone 49301 in another spelling: 1 and 2.')]);
});

it('a phone that stands twice in the file in two spellings is one person', async () => {
  shop.write('f.csv', 'title,status,category,phone\nA,1,1,+49301\nB,1,1,49301\n');
  const made = await importOf('phone', 'upsert', '--concurrency', '1');
  expect([made.status, made.json(), made.stderr]).toEqual([
    8,
    expect.objectContaining({ created: 1, failed: 1 }),
    expect.stringContaining('Line 2 has the phone 49301 in another spelling. Leave one of the two rows out.'),
  ]);
  shop.write('f.csv', 'phone,city\n49301,Bern\n0049301,Basel\n');
  expect((await importOf('phone', 'update')).json()).toMatchObject({ updated: 0, failed: 2 });
});

it('a postal code, a title, a custom number: another spelling names the record, and is never written', async () => {
  await lead('0012', '--zip', '0012');
  shop.write('f.csv', 'title,status,category,zip\nX,1,1,12\n');
  const upserted = await importOf('zip', 'upsert');
  expect([upserted.status, upserted.stderr]).toEqual([
    8,
    expect.stringContaining(
      'There is no lead with the zip 12. Lead 1 has 0012: write it so if that is meant. If the row is new, import it without --mode and --match.',
    ),
  ]);
  expect((await importOf('zip', 'update')).stderr).toContain('Lead 1 has 0012: write it so if that is meant.');
  expect(await held('address.zip')).toEqual([['0012', '0012']]);
  // Both ways that the message names, to their end.
  shop.write('f.csv', 'title,status,category,zip\nX,1,1,0012\n');
  expect((await importOf('zip', 'upsert')).json()).toMatchObject({ updated: 1 });
  shop.write('f.csv', 'title,status,category,zip\nY,1,1,12\n');
  expect((await shop.crm(['leads', 'import', 'f.csv'])).status).toBe(0);
  expect((await importOf('zip', 'upsert')).json()).toMatchObject({ unchanged: 1 });
  shop.write('f.csv', 'title,status,category,zip\nZ,1,1,+5\nZ,1,1,005\n');
  const doubled = await importOf('zip', 'upsert', '--concurrency', '1');
  expect([doubled.json(), doubled.stderr]).toEqual([
    expect.objectContaining({ created: 1, failed: 1 }),
    expect.stringContaining('Line 2 has the zip 005 in another spelling.'),
  ]);
});
