// What a person hears before rows are created: how many there are, three of them, and who is in the file twice.

import { expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

const header = 'title,status,category,email,phone';
const rowsOf = (...rows: string[]): string => `${[header, ...rows].join('\n')}\n`;
const count = async (): Promise<string> => (await shop.crm(['leads', 'list', '--count', '-q'])).stdout.trim();
const typed = (answer: string, ...flags: string[]) =>
  shop.crm(['leads', 'import', 'f.csv', ...flags], { tty: true, columns: 100, stdin: `${answer}\n` });

it('on a terminal rows are created once somebody agrees, with their count and three of them', async () => {
  shop.write('f.csv', rowsOf('Farm shop,1,1,,', 'Till,1,1,,', 'Spa,1,1,,', 'Bakery,1,1,,'));
  const refused = await typed('n');
  expect([refused.status, await count()]).toEqual([9, '0']);
  expect(refused.stderr).toContain('Create 4 leads?');
  expect(refused.stderr).toMatch(/line 2 .*Farm shop.*line 3 .*Till.*line 4 .*Spa/s);
  expect(refused.stderr).not.toContain('Bakery');
  expect([(await typed('y')).status, await count()]).toEqual([0, '4']);
});

it('nobody is asked with --yes, off a terminal, and where the import is gone on with', async () => {
  shop.write('f.csv', rowsOf('Farm shop,1,1,,', 'Till,1,1,,'));
  expect((await typed('n', '--yes')).status).toBe(0);
  shop.write('f.csv', rowsOf('Spa,1,1,,'));
  expect((await shop.crm(['leads', 'import', 'f.csv', '-q'])).status).toBe(0);
  expect(await count()).toBe('3');
});

it('emails and phones that stand twice in the file are counted, however they are written', async () => {
  shop.write(
    'f.csv',
    rowsOf('A,1,1,jo@x.example,0171 555 01 90', 'B,1,1,JO+fair@x.example,', 'C,1,1,,+49 171 5550190', 'D,1,1,,110', 'E,1,1,,110'),
  );
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv']);
  expect(status).toBe(0);
  expect(stderr).toContain('1 row has the email of an earlier row: line 3.');
  expect(stderr).toContain('1 row has the phone of an earlier row: line 4.');
});

it('an email without a dot behind its @ is sent; single commands say so', async () => {
  shop.write('f.csv', rowsOf('A,1,1,jo@localhost,', 'B,1,1,jo@x.example,', 'C,1,1,ann@intranet,'));
  const { status } = await shop.crm(['leads', 'import', 'f.csv']);
  expect([status, await count()]).toEqual([0, '3']);
  const made = await shop.crm(['leads', 'create', '--title', 'X', '--status', '1', '--category', '1', '--email', 'jo@localhost']);
  expect([made.status, made.stderr]).toEqual([0, expect.stringContaining('--email: "jo@localhost" has no dot behind the @')]);
  const changed = await shop.crm(['leads', 'update', '1', '--email', 'al@localhost']);
  expect([changed.status, changed.stderr]).toEqual([0, expect.stringContaining('--email: "al@localhost" has no dot behind the @')]);
});
