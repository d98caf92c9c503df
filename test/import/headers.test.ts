// What the headers of other people's tables mean, and the whole names that stand under one.

import { describe, expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

const importOf = (content: string, ...flags: string[]) => {
  shop.write('f.csv', content);
  return shop.crm(['leads', 'import', 'f.csv', ...flags]);
};
const leads = async (fields: string): Promise<unknown> =>
  (await shop.crm(['leads', 'list', '--json', '--sort', 'title', '--order', 'asc', '--fields', fields])).json();

describe('headers', () => {
  it('match whatever their case', async () => {
    const { status, stderr } = await importOf(
      'TITLE,Status,Category.Name,Tags,Assigned,Active State,Lead_Value\nA,1,Inbound,hot,1,archived,12\n',
    );
    expect(status, stderr).toBe(0);
    expect(await leads('title,tags,assigned.id,active_state,value')).toMatchObject([
      { title: 'A', tags: ['hot'], assigned: [{ id: 1 }], active_state: 'archived', value: '12.00' },
    ]);
  });

  it.each([
    ['Stage', 'status'],
    ['Betrag', 'value'],
    ['Owner', 'assigned'],
    ['Ansprechpartner', 'full-name'],
    ['Name', 'full-name'],
  ])('%s may be %s', async (header, flag) => {
    const { status, stderr } = await importOf(`title,status,category,${header}\nA,1,1,x\n`);
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining(`there is no field "${header}". Did you mean "${flag}"?\n--map '${header}=flag-name' says`),
    ]);
  });
});

it('all without a meaning are one problem, and the ways out stand once', async () => {
  const names = Array.from({ length: 16 }, (_, index) => `Spalte ${index + 1}`);
  const { status, stderr } = await importOf(`title,status,category,Stage,${names.join(',')}\nA,1,1,,${names.map(() => '').join(',')}\n`);
  expect([status, stderr.match(/no field|have no field/g)?.length]).toEqual([2, 1]);
  expect(stderr).toMatch(
    /^error: 1 problem .*\n {2}line 1: 17 columns have no field: "Stage" \(status\?\), "Spalte 1", .*, "Spalte 16"\.\n--map 'Stage=flag-name' says which field a column is, and --map 'Stage=' leaves the column out\.\n--save-mapping mapping\.yaml writes down what is unknown; .*\n$/,
  );
});

describe('a column of whole names', () => {
  it.each([
    ['Jane Doe', 'Jane', 'Doe'],
    ['Maria Anna Schmidt', 'Maria Anna', 'Schmidt'],
    ['Ursula von der Leyen', 'Ursula', 'von der Leyen'],
    ['"Doe, Jane"', 'Jane', 'Doe'],
    ['jane doe', 'jane', 'doe'],
    ['Madonna', '', 'Madonna'],
  ])('%s is %s and %s', async (cell, first, last) => {
    const { status, stderr } = await importOf(`title,status,category,Name\nA,1,1,${cell}\n`, '--map', 'Name=full-name');
    expect(status, stderr).toBe(0);
    expect(await leads('contact')).toMatchObject([{ contact: { first_name: first || null, last_name: last } }]);
  });

  it('is written by --save-mapping where no column has parts of them, and read from a mapping', async () => {
    expect((await importOf('title,status,category,Name\nA,1,1,Jane Doe\n', '--save-mapping', 'm.yaml')).status).toBe(0);
    expect(shop.read('m.yaml')).toMatch(/Name: "?full-name/);
    expect((await importOf('title,status,category,Name\nA,1,1,Jane Doe\n', '--mapping', 'm.yaml')).status).toBe(0);
    await importOf('title,status,category,Name,Vorname\nA,1,1,Jane Doe,J\n', '--save-mapping', 'both.yaml');
    expect(shop.read('both.yaml')).not.toContain('full-name');
  });

  it('stands beside no column with a part of them', async () => {
    const { status, stderr } = await importOf('title,status,category,Name,first-name\nA,1,1,Jane Doe,J\n', '--map', 'Name=full-name');
    expect([status, stderr]).toEqual([2, expect.stringContaining('Name and first-name mean the same field.')]);
  });

  it('of what has no such parts there is none', async () => {
    shop.write('f.csv', 'description,rate,category,default-tax,unit,Name\nA,1,6,2,1,x\n');
    const { status, stderr } = await shop.crm(['items', 'import', 'f.csv', '--map', 'Name=full-name']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('there is no field "full-name"')]);
  });
});
