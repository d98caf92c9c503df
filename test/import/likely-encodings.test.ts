// The encodings that a message offers for a file that is not UTF-8: what its bytes prove first, and no two that read alike.

import { expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

// biome-ignore format: a table
const cities: readonly (readonly [encoding: string, bytes: string, read: string])[] = [
  ['shift_jis', '82b382ad82e7', 'さくら'],
  ['euc-jp', 'a4b5a4afa4e9', 'さくら'],
  ['euc-kr', 'bcadbfef', '서울'],
  ['big5', 'a578a55f', '台北'],
  ['gb18030', 'bab8beafc4cf', '焊警南'],
  ['koi8-r', 'e9d7c1ce', 'Иван'],
  ['windows-1251', 'd1eaebe0e4', 'Склад'],
  ['windows-1252', '4dfc6e6368656e', 'München'],
  ['windows-1250', 'a3f364bc', 'ŁódĽ'],
];

it.each(cities)('%s: the message has the flag that reads the file', async (encoding, bytes, read) => {
  shop.write('f.csv', Buffer.concat([Buffer.from('title,status,category,city\nA,1,1,'), Buffer.from(bytes, 'hex'), Buffer.from('\n')]));
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv']);
  expect([status, stderr]).toEqual([2, expect.stringContaining(`"${read}" (--encoding ${encoding})`)]);
  const cells = [...stderr.matchAll(/"([^"]*)" \(--encoding/g)].map(([, cell]) => cell);
  expect(new Set(cells).size).toBe(cells.length);
  expect((await shop.crm(['leads', 'import', 'f.csv', '--encoding', encoding])).status).toBe(0);
  const { stdout } = await shop.crm(['leads', 'list', '--jq', '.[0].address.city']);
  expect(stdout).toBe(`${read}\n`);
});

it('with --mapping, the message names the file and the places to fill in; filled in, the file is imported', async () => {
  shop.write('m.yaml', 'columns: { Titel: title }');
  shop.write('f.csv', 'Titel,Sorte,status,category\nA,x,Gewonnen,1\n');
  const { stderr } = await shop.crm(['leads', 'import', 'f.csv', '--mapping', 'm.yaml']);
  expect(stderr).toContain("Fill in the meaning in m.yaml: columns: { 'Sorte': … }, words: { status: { 'Gewonnen': … } }.");
  shop.write('m.yaml', "columns: { Titel: title, 'Sorte': source }\nwords: { status: { 'Gewonnen': New } }");
  expect((await shop.crm(['leads', 'import', 'f.csv', '--mapping', 'm.yaml'])).status).toBe(0);
});

it('a row that an upsert can’t create says what it needs, and how to go on', async () => {
  shop.write('f.csv', 'email,city\nann@x.example,Bern\n');
  const words = ['leads', 'import', 'f.csv', '--match', 'email', '--mode'];
  const { status, stderr } = await shop.crm([...words, 'upsert']);
  expect([status, stderr]).toEqual([
    8,
    expect.stringContaining(
      'No lead is found for this row, and a new lead needs title, status and category. Fill in what is missing, give it with --constant, or leave the row out: --mode update changes records alone.',
    ),
  ]);
  const constants = ['title=A', 'status=1', 'category=1'].flatMap((one) => ['--constant', one]);
  expect((await shop.crm([...words, 'upsert', ...constants])).status).toBe(0);
});
