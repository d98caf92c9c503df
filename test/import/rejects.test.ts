// The file of the rows that failed: what it holds, that it goes in again, and where it can't be written.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorkshop, type Workshop } from './support.ts';

let shop: Workshop;

beforeEach(() => {
  shop = openWorkshop();
});

afterEach(() => shop.remove());

const importOf = (name: string, ...flags: string[]) => shop.crm(['leads', 'import', name, '--json', ...flags]);
const leads = async (): Promise<Record<string, unknown>[]> =>
  (await shop.crm(['leads', 'list', '--all', '--json'])).json() as Record<string, unknown>[];

it('1,000 rows of which 7 are refused: repaired, they go in', async () => {
  const bad = new Set([1, 100, 333, 500, 777, 900, 1000]);
  const rows = Array.from({ length: 1000 }, (_, index) => `"'=L${index + 1}, x",${bad.has(index + 1) ? 99 : 1},1,"a\nb"\n`);
  shop.write('f.csv', `title,Status,category,description\n${rows.join('')}`);
  const { status, json, stderr } = await importOf('f.csv', '--rejects', 'rejects.csv', '-q');
  expect(status).toBe(8);
  expect(json()).toMatchObject({ total: 1000, created: 993, failed: 7, unknown: 0, rejects: 'rejects.csv' });
  expect(JSON.parse(stderr).error.fields[0]).toMatchObject({
    name: 'line 2',
    messages: ['Status: The selected lead status is invalid.'],
  });
  const [header, first] = shop.read('rejects.csv').split('\r\n');
  expect(header).toBe('title,Status,category,description,_line,_status,_error');
  expect(first).toBe(`"'=L1, x",99,1,"a\nb",2,422,Status: The selected lead status is invalid.`);
  expect(statSync(join(shop.folder, 'rejects.csv')).mode & 0o777).toBe(0o600);
  shop.write('repaired.csv', shop.read('rejects.csv').replaceAll(',99,', ',1,'));
  const repaired = await importOf('repaired.csv', '--rejects', 'again.csv');
  expect([repaired.status, repaired.json()]).toMatchObject([0, { total: 7, created: 7, rejects: null }]);
  expect(existsSync(join(shop.folder, 'again.csv'))).toBe(false);
  const titles = (await leads()).map(({ title }) => title);
  expect(new Set(titles)).toEqual(new Set(Array.from({ length: 1000 }, (_, index) => `=L${index + 1}, x`)));
  expect(titles).toHaveLength(1000);
});

it('JSON keeps its members', async () => {
  shop.write('f.json', '[{"title":"A","status":{"id":99},"category":1,"value":1.50},{"title":"B","status":1,"category":1}]');
  expect((await importOf('f.json', '--rejects', 'r.json')).json()).toMatchObject({ created: 1, failed: 1 });
  expect(shop.read('r.json')).toBe(
    '{"title":"A","status":{"id":99},"category":1,"value":1.50,"_line":1,"_status":422,"_error":"status: The selected lead status is invalid."}\n',
  );
  shop.write('r.json', shop.read('r.json').replace('99', '1'));
  expect((await importOf('r.json')).json()).toMatchObject({ created: 1 });
});

it('that can not be written leave the rest as it is', async () => {
  shop.write('f.csv', 'title,status,category\nA,99,1\nB,1,1\n');
  const name = `${'r'.repeat(251)}.csv`;
  const { status, json, stderr } = await importOf('f.csv', '--rejects', name);
  expect([status, json()]).toMatchObject([8, { created: 1, failed: 1, rejects: null, journal: expect.any(String) }]);
  expect(JSON.parse(stderr).error).toMatchObject({
    message: '2 rows, 1 failed.',
    hint: `${name} can't be written (ENAMETOOLONG). Once it can: crm leads import f.csv --rejects ${name} --json --resume`,
  });
});

it('of JSON have a name that is read as JSON', async () => {
  shop.write('f.json', '[{"title":"A","status":99,"category":1}]');
  const { status, stderr } = await importOf('f.json', '--rejects', 'r.csv');
  expect([status, stderr]).toEqual([2, expect.stringContaining('written as ndjson, and r.csv would be read as csv; name it .ndjson')]);
  expect((await importOf('f.json', '--rejects', 'r.jsonl')).status).toBe(8);
});

it('go in again by the command that is printed', async () => {
  shop.write('f.csv', 'Deal,S,category,value\nA,99,1,\n');
  const { stderr } = await importOf('f.csv', '--map', 'Deal=title', '--map', 'S=status', '--max-errors', '1', '--rejects', 'my r.csv');
  expect(JSON.parse(stderr).error.hint).toBe(
    "The failed rows are in my r.csv. Repair them, then: crm leads import 'my r.csv' --map Deal=title --map S=status --json",
  );
  shop.write('my r.csv', shop.read('my r.csv').replace('99', '1'));
  expect((await importOf('my r.csv', '--map', 'Deal=title', '--map', 'S=status')).json()).toMatchObject({ created: 1 });
});

it('can be had afterwards', async () => {
  shop.write('f.csv', 'title,status,category\nA,99,1\nB,1,1\nC,1,1\n');
  await importOf('f.csv');
  const again = await shop.crm(['leads', 'import', 'f.csv']);
  expect([again.status, again.stderr]).toEqual([
    10,
    expect.stringMatching(
      /2 of 3 rows were created on .*\. Nothing was sent\.\nThe failed rows as a file: crm leads import f\.csv --resume --rejects FILE\nIts journal: .*\nTo create the rows once more on purpose, add --again\.\n$/,
    ),
  ]);
  const named = await shop.crm(['leads', 'import', 'f.csv', '--rejects', 'r.csv']);
  expect(named.stderr).toContain('The failed rows as a file: crm leads import f.csv --rejects r.csv --resume\n');
  expect(await leads()).toHaveLength(2);
  expect((await importOf('f.csv', '--resume', '--rejects', 'r.csv')).status).toBe(8);
  expect(shop.read('r.csv')).toContain('A,99,1,2,422,');
});

it('of an earlier run go away where no row fails', async () => {
  shop.write('f.csv', 'title,status,category\nA,99,1\n');
  expect((await importOf('f.csv', '--rejects', 'r.csv')).json()).toMatchObject({ failed: 1, rejects: 'r.csv' });
  shop.write('f.csv', 'title,status,category\nA,1,1\n');
  expect((await importOf('f.csv', '--rejects', 'r.csv', '--dry-run')).json()).toMatchObject({ counts: { would_create: 1 } });
  expect(existsSync(join(shop.folder, 'r.csv'))).toBe(true);
  expect((await importOf('f.csv', '--rejects', 'r.csv')).json()).toMatchObject({ created: 1, rejects: null });
  expect(existsSync(join(shop.folder, 'r.csv'))).toBe(false);
});
