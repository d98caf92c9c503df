// Signs that other programs put around values: what goes, and what stays.

import { expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

const importOf = (...flags: string[]) => shop.crm(['leads', 'import', 'f.csv', ...flags]);
const held = (path: string): Promise<unknown> => shop.held(path, 'created');
const write = (column: string, cells: readonly string[]): void =>
  shop.write(
    'f.csv',
    `title,status,category,${column}\n${cells.map((cell) => `L,1,1,${/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell}\n`).join('')}`,
  );

it("an apostrophe before digits and signs alone is a spreadsheet's mark", async () => {
  write('phone', ["'02035", "'+1617 555-0142", "'(030) 1/2.3", "''1", "'+1' guest list", "'a", "'-"]);
  const { status, stderr } = await importOf('--concurrency', '1');
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining('3 texts begin with an apostrophe by which spreadsheets mark texts. It is left out.\n'),
  ]);
  expect(await held('contact.phone')).toEqual(['02035', '+1617 555-0142', '(030) 1/2.3', "''1", "'+1' guest list", "'a", '-']);
});

it.each(["'02035", "'+1 617", "+1' guest list", "'+1' guest list"])(
  'a record that holds %s is as it was when its export comes back',
  async (phone) => {
    await shop.crm(['leads', 'create', '--title', 'A', '--status', '1', '--category', '1', '--phone', phone]);
    await shop.crm(['leads', 'list', '--all', '--out', 'f.csv']);
    expect((await importOf('--mode', 'update', '--json')).json()).toMatchObject({ unchanged: 1 });
  },
);

it('a list whose elements are all quoted is a line of CSV, and ::: divides values', async () => {
  write('tags', ['"vip","trade fair"', '"vip, gold","b"', '"say ""hi"""', '"vip" and more', 'a ::: b; c']);
  expect((await importOf('--concurrency', '1')).status).toBe(0);
  expect(await held('tags')).toEqual([['vip', 'trade fair'], ['vip, gold', 'b'], ['say "hi"'], ['"vip" and more'], ['a', 'b; c']]);
  // Whatever the elements are, an export brings them back.
  await shop.crm(['leads', 'tags', '1', '"x"', 'y ::: z']);
  await shop.crm(['leads', 'list', '--all', '--out', 'g.csv']);
  expect((await shop.crm(['leads', 'import', 'g.csv', '--mode', 'update', '--json'])).json()).toMatchObject({ unchanged: 5 });
});

// biome-ignore format: a table
it.each<[column: string, path: string, cells: string[], read: unknown[], said: string | undefined]>([
  ['phone', 'contact.phone', ['p:+4712', '', 'p:0150'], ['+4712', null, '0150'], 'phone: each value begins with "p:", which is left out.'],
  ['zip', 'address.zip', ['z:0150', 'z:1'], ['0150', '1'], 'zip: each value begins with "z:", which is left out.'],
  ['phone', 'contact.phone', ['p:+4712', '0150'], ['p:+4712', '0150'], undefined],
  ['city', 'address.city', ['p:Oslo'], ['p:Oslo'], undefined],
  ['tags', 'tags', ['* myContacts ::: * Friends', '* vip'], [['myContacts', 'Friends'], ['vip']], 'tags: each value begins with "* ", which is left out.'],
  ['tags', 'tags', ['* a ::: b', 'c'], [['* a', 'b'], ['c']], undefined],
])('%s: a sign before each value goes where the whole column has it', async (column, path, cells, read, said) => {
  write(column, cells);
  const { status, stderr } = await importOf('--concurrency', '1');
  expect([status, await held(path)]).toEqual([0, read]);
  if (said === undefined) expect(stderr).not.toContain('each value begins');
  else expect(stderr.split(said)).toHaveLength(2);
});
