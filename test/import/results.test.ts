// The file that says what became of each row: what it holds, that it is whole after an import that went on, and where it can't be.

import { existsSync, mkdirSync, rmdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

const importOf = (name: string, ...flags: string[]) => shop.crm(['leads', 'import', name, '--json', '-q', ...flags]);

it('has the own columns of each row in their order, then id, outcome and error', async () => {
  shop.write('f.csv', 'Title;status;category;note\r\n"A; ""1""";1;1;\'=x\r\nB;99;1;\r\nC;1;1;\r\n');
  const { status } = await importOf('f.csv', '--results', 'out.csv', '--map', 'note=description');
  expect(status).toBe(8);
  expect(shop.read('out.csv')).toBe(
    [
      'Title;status;category;note;id;outcome;error',
      `"A; ""1""";1;1;'=x;1;created;`,
      'B;99;1;;;failed;status: The selected lead status is invalid.',
      'C;1;1;;2;created;',
      '',
    ].join('\r\n'),
  );
  expect(statSync(join(shop.folder, 'out.csv')).mode & 0o777).toBe(0o600);
});

it('tells of rows that change records, or need not; an id column of the file stays', async () => {
  shop.write('new.csv', 'title,status,category,phone\nA,1,1,1\nB,1,1,2\nC,1,1,3\n');
  await importOf('new.csv');
  shop.write('f.csv', 'id,phone,dates.updated\n1,100,\n2,2,\n3,300,2001-01-01\n9,1,\n');
  await importOf('f.csv', '--mode', 'update', '--results', 'out.csv');
  const rows = parse(shop.read('out.csv'), { columns: true }) as Record<string, string>[];
  expect(rows.map(({ id, _id, outcome, error }) => [id, _id, outcome, error?.slice(0, 8)])).toEqual([
    ['1', '1', 'updated', ''],
    ['2', '2', 'unchanged', ''],
    ['3', '3', 'conflict', 'conflict'],
    ['9', '', 'failed', 'There is'],
  ]);
  shop.write('g.csv', 'title,value\nB,5\n');
  await importOf('g.csv', '--mode', 'update', '--match', 'title', '--results', 'by-title.csv');
  expect(shop.read('by-title.csv')).toBe('title,value,id,outcome,error\r\nB,5,2,updated,\r\n');
});

it('of JSON is a line of JSON for each row', async () => {
  shop.write('f.json', '[{"title":"A","status":{"id":1},"category":1,"id":"old-7"},{"title":"B","status":99,"category":1}]');
  await importOf('f.json', '--results', 'out.ndjson');
  expect(
    shop
      .read('out.ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { title: 'A', status: { id: 1 }, category: 1, id: 'old-7', _id: 1, outcome: 'created', error: null },
    { title: 'B', status: 99, category: 1, id: null, outcome: 'failed', error: 'status: The selected lead status is invalid.' },
  ]);
});

it('goes on where an import goes on, and can be had afterwards', async () => {
  const rows = Array.from({ length: 30 }, (_, index) => `L${index},${index === 5 ? 99 : 1},1`);
  shop.write('f.csv', `title,status,category\n${rows.join('\n')}\n`);
  const stopped = await importOf('f.csv', '--results', 'out.csv', '--max-errors', '1', '--concurrency', '1');
  expect(stopped.status).toBe(8);
  expect(parse(shop.read('out.csv'), { columns: true })).toHaveLength(6);
  expect(JSON.parse(stopped.stderr).error.hint).toContain('crm leads import f.csv --concurrency 1 --max-errors 1');
  expect(JSON.parse(stopped.stderr).error.hint).toContain('--results out.csv --json --resume');
  await importOf('f.csv', '--results', 'out.csv', '--resume');
  const whole = parse(shop.read('out.csv'), { columns: true }) as Record<string, string>[];
  expect(whole.map(({ title }) => title)).toEqual(rows.map((row) => row.split(',')[0]));
  expect(new Set(whole.map(({ id, title }) => id || title)).size).toBe(30);
  await importOf('f.csv', '--results', 'later.csv', '--resume');
  expect(shop.read('later.csv')).toBe(shop.read('out.csv'));
});

it('that can not be written at the end is had once it can', async () => {
  const rows = Array.from({ length: 200 }, (_, index) => `L${index},1,1\n`).join('');
  shop.write('f.csv', `title,status,category\n${rows}`);
  const out = join(shop.folder, 'out.csv');
  const watch = setInterval(() => {
    if (existsSync(join(shop.folder, 'data', 'journals'))) mkdirSync(out, { recursive: true });
  }, 1);
  const { status, stderr, json } = await importOf('f.csv', '--results', 'out.csv');
  clearInterval(watch);
  expect([status, json()]).toMatchObject([7, { created: 200 }]);
  expect(JSON.parse(stderr).error).toMatchObject({
    message: "--results: out.csv can't be written (illegal operation on a directory).",
    hint: expect.stringContaining('Once the file can be written: crm leads import f.csv --results out.csv --json --resume'),
  });
  rmdirSync(out);
  expect((await importOf('f.csv', '--results', 'out.csv', '--resume')).json()).toMatchObject({ created: 200 });
  expect(shop.read('out.csv').trimEnd().split('\n')).toHaveLength(201);
});

it('is neither written by --dry-run nor by what sends nothing', async () => {
  shop.write('f.csv', 'title,status,category\nA,1,1\n');
  shop.write('bad.csv', 'title,status,category\nA,,1\n');
  await importOf('f.csv', '--results', 'out.csv', '--dry-run');
  expect((await importOf('bad.csv', '--results', 'out.csv')).status).toBe(2);
  expect(existsSync(join(shop.folder, 'out.csv'))).toBe(false);
});

it.each([
  ['standard output', ['--results', '-'], '--results: standard output has the summary; name a file.'],
  ['the input', ['--results', './f.csv'], '--results: ./f.csv is there already and is not overwritten; name a new file.'],
  [
    'the input under another name',
    ['--results', 'link.csv'],
    '--results: link.csv is there already and is not overwritten; name a new file.',
  ],
  ['the rejects', ['--results', 'r.csv', '--rejects', './r.csv'], '--results: --rejects names the same file; name another file.'],
  [
    'the rejects, as a Mac spells them',
    ['--results', 'é.csv', '--rejects', 'e\u0301.csv'],
    '--results: --rejects names the same file; name another file.',
  ],
  [
    'the mapping',
    ['--results', './m.yaml', '--mapping', 'm.yaml'],
    '--results: ./m.yaml is there already and is not overwritten; name a new file.',
  ],
  ['a folder', ['--results', 'folder'], '--results: folder is not a file.'],
  ['what is not there', ['--results', 'none/out.csv'], "--results: none/out.csv can't be written (no such file or directory)."],
  ['a name of another format', ['--results', 'out.json'], '--results: the rows are written as a table, and out.json would be read as json'],
])('is never %s', async (_what, flags, problem) => {
  shop.write('f.csv', 'title,status,category\nA,1,1\n');
  shop.write('m.yaml', 'columns: {}\n');
  mkdirSync(join(shop.folder, 'folder'));
  symlinkSync(join(shop.folder, 'f.csv'), join(shop.folder, 'link.csv'));
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', ...flags]);
  expect([status, stderr]).toEqual([2, expect.stringContaining(problem)]);
  expect((await shop.crm(['leads', 'list', '--count'])).stdout.trim()).toBe('0');
});

it('that can not be made keeps everything from being sent', async () => {
  shop.write('f.csv', 'title,status,category\nA,1,1\n');
  const { status, stderr } = await importOf('f.csv', '--results', `${'r'.repeat(251)}.csv`);
  expect([status, JSON.parse(stderr).error.message]).toEqual([
    2,
    expect.stringMatching(/^--results: r+\.csv can't be written \(name too long\)\.$/),
  ]);
  expect((await importOf('f.csv')).json()).toMatchObject({ created: 1 });
});
