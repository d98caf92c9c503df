// What --dry-run lists: each row in the order of the file, in every format, with the status that the import itself would end with.

import { beforeEach, expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

beforeEach(async () => {
  shop.write('new.csv', 'title,status,category,phone\nFarm shop,1,1,555\nTill,2,1,\nSpa,1,1,\n');
  await shop.crm(['leads', 'import', 'new.csv', '-q']);
  await shop.crm(['leads', 'update', '2', '--title', 'Till\u001b[31m', '-q']);
  shop.write(
    'f.csv',
    'id,title,status,phone,category\n1,Farm shop,2,+46 18 555 01 90,\n2,,,,\n3,Spa & gym,,,\n,New one,1,,1\n9,Nowhere,1,,1\n',
  );
});

const dry = (...flags: string[]) => shop.crm(['leads', 'import', 'f.csv', '--mode', 'upsert', '--dry-run', ...flags]);
const told =
  'Would create 1 lead and change 2, of 5 rows: status 1, phone 1, title 1. 1 unchanged, 1 is invalid.\n' +
  'error: 5 rows, 1 invalid.\n  line 6: There is no lead with the id 9. Leave the id blank to make a new one.\n';

it('off a terminal a line for each field that differs', async () => {
  const { status, stdout, stderr } = await dry();
  expect([status, stderr]).toEqual([8, told]);
  expect(stdout).toBe(
    [
      'LINE\tID\tTITLE\tOUTCOME\tFIELD\tOLD\tNEW\tERROR',
      '2\t1\tFarm shop\twould change\tstatus\tNew\tContacted\t',
      '2\t1\tFarm shop\twould change\tphone\t555\t+46 18 555 01 90\t',
      '3\t2\tTill\\x1b[31m\tunchanged\t\t\t\t',
      '4\t3\tSpa\twould change\ttitle\tSpa\tSpa & gym\t',
      '5\t\tNew one\twould create\tstatus\t\tNew\t',
      '5\t\tNew one\twould create\tcategory\t\tInbound\t',
      '5\t\tNew one\twould create\ttitle\t\tNew one\t',
      '6\t\tNowhere\tinvalid\t\t\t\tThere is no lead with the id 9. Leave the id blank to make a new one.',
      '',
    ].join('\n'),
  );
});

it('CSV has the same lines; ndjson a row a line; ids those that would change', async () => {
  const csv = (await dry('--csv')).stdout.split('\r\n');
  expect(csv.slice(0, 3)).toEqual([
    'line,id,title,outcome,field,old,new,error',
    '2,1,Farm shop,would change,status,New,Contacted,',
    '2,1,Farm shop,would change,phone,555,+46 18 555 01 90,',
  ]);
  const rows = (await dry('-o', 'ndjson', '-q')).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows.map(({ line, id, outcome }) => [line, id, outcome])).toEqual([
    [2, 1, 'would_change'],
    [3, 2, 'unchanged'],
    [4, 3, 'would_change'],
    [5, null, 'would_create'],
    [6, null, 'invalid'],
  ]);
  expect((await dry('-o', 'ids', '-q')).stdout).toBe('1\n3\n');
});

it('JSON is one document that says nothing was done', async () => {
  const { stdout, stderr } = await dry('--json');
  expect(JSON.parse(stdout)).toMatchObject({
    rows: [{ line: 2, id: 1 }, {}, {}, {}, { error: 'There is no lead with the id 9. Leave the id blank to make a new one.' }],
    counts: { rows: 5, would_create: 1, would_change: 2, unchanged: 1, conflicts: 0, invalid: 1, unknown: 0 },
  });
  expect(stdout).not.toMatch(/created|updated|"names"/);
  expect(JSON.parse(stderr).error.message).toBe('5 rows, 1 invalid.');
});

it('a terminal shows what needs a look, ids by their names, signs that it has', async () => {
  const { stdout } = await shop.crm(['leads', 'import', 'f.csv', '--mode', 'upsert', '--dry-run', '-q'], { tty: true, columns: 120 });
  expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
    'LINE  ID  TITLE      WHAT          FIELD   OLD AND NEW',
    '   2   1  Farm shop  would change  status  New → Contacted',
    '                                   phone   555 → +46 18 555 01 90',
    '   4   3  Spa        would change  title   Spa → Spa & gym',
    '   5      New one    would create          status New · category Inbound',
    '   6      Nowhere    invalid               There is no lead with the id 9. Leave the id blank to make a new one.',
    '',
  ]);
  const plain = await shop.crm(['leads', 'import', 'f.csv', '--mode', 'upsert', '--dry-run', '-q'], {
    tty: true,
    columns: 40,
    env: { TERM: 'dumb' },
  });
  expect(plain.stdout).toMatch(/^LINE +ID +FIELD +OLD AND NEW\n +2 +1 +status +New (->|→) Contac/);
});

it('of a file with problems there is no list', async () => {
  shop.write('f.csv', 'id,status\n1,\n2,x y\n');
  const { status, stdout } = await dry('--json');
  expect([status, stdout]).toEqual([2, '']);
});

it('the list goes on beyond --max-errors', async () => {
  shop.write('f.csv', 'id,phone\n9,1\n8,1\n1,2\n');
  const { status, stdout } = await dry('--json', '--max-errors', '1');
  expect([status, JSON.parse(stdout)]).toMatchObject([8, { counts: { rows: 3, would_change: 1, invalid: 2 } }]);
});

it('a list that breaks off is left unfinished', async () => {
  const ended = await shop.crm(['leads', 'import', 'f.csv', '--mode', 'upsert', '--dry-run', '--json'], {
    env: { CRM_BASE_URL: 'http://127.0.0.1:9', CRM_API_KEY: 'k' },
  });
  expect([ended.status, ended.stdout]).toEqual([7, '']);
});

it('rows stand in the order of the file, however many there are', async () => {
  const rows = Array.from({ length: 3000 }, (_, index) => `L${index},1,1`);
  shop.write('f.csv', `title,status,category\n${rows.join('\n')}\n`);
  const { stdout } = await shop.crm(['leads', 'import', 'f.csv', '--dry-run', '-o', 'ndjson', '-q', '--concurrency', '16']);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).line);
  expect(lines).toEqual(rows.map((_, index) => index + 2));
});

it('the conflict of a row stands in its first line alone', async () => {
  shop.write('f.csv', 'id,title,phone,dates.updated\n1,Barn shop,777,2001-01-01\n');
  const { status, stdout } = await shop.crm(['leads', 'import', 'f.csv', '--mode', 'update', '--dry-run', '--csv']);
  expect(status).toBe(8);
  const [, first = '', second = ''] = stdout.split('\r\n');
  expect(first).toMatch(/^2,1,Farm shop,conflict,title,Farm shop,Barn shop,"?conflict: changed on /);
  expect(second).toBe('2,1,Farm shop,conflict,phone,555,777,');
});

it('of a run to go on with, rows that were sent are left out, those that failed, too', async () => {
  shop.write('half.csv', 'id,phone\n1,777\n9,777\n3,777\n');
  const words = 'leads import half.csv --mode update --max-errors 1 --concurrency 1'.split(' ');
  expect((await shop.crm([...words, '--yes'])).status).toBe(8);
  const { status, stdout, stderr } = await shop.crm([...words, '--resume', '--dry-run', '--csv']);
  expect([status, stdout.split('\r\n').slice(1)]).toEqual([0, ['4,3,Spa,would change,phone,,777,', '']]);
  expect(stderr).toContain('2 of 3 rows are done; the others follow.');
});
