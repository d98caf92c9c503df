// The file of the rows that failed: what it holds, that it goes in again, and where it can't be written.

import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

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
    name: 'lines 2, 200, 666 and 4 more',
    messages: ['Status: The selected lead status is invalid.'],
    count: 7,
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

it('JSON keeps its members, and an error names each refused field', async () => {
  shop.write('f.json', '[{"title":"A","status":{"id":99},"category":99,"value":1.50},{"title":"B","status":1,"category":1}]');
  expect((await importOf('f.json', '--rejects', 'r.json')).json()).toMatchObject({ created: 1, failed: 1 });
  expect(shop.read('r.json')).toBe(
    '{"title":"A","status":{"id":99},"category":99,"value":1.50,"_line":1,"_status":422,' +
      '"_error":"status: The selected lead status is invalid. category: The selected lead categoryid is invalid."}\n',
  );
  shop.write('r.json', shop.read('r.json').replaceAll('99', '1'));
  expect((await importOf('r.json')).json()).toMatchObject({ created: 1 });
});

it('that can not be written leave the rest as it is', async () => {
  const rows = Array.from({ length: 200 }, (_, index) => `L${index},1,1\n`).join('');
  shop.write('f.csv', `title,status,category\nA,99,1\n${rows}`);
  const out = join(shop.folder, 'r.csv');
  const watch = setInterval(() => {
    if (existsSync(join(shop.folder, 'data', 'journals'))) mkdirSync(out, { recursive: true });
  }, 1);
  const { status, json, stderr } = await importOf('f.csv', '--rejects', 'r.csv');
  clearInterval(watch);
  expect([status, json()]).toMatchObject([8, { created: 200, failed: 1, rejects: null, run: expect.any(String) }]);
  expect(JSON.parse(stderr).error).toMatchObject({
    message: '201 rows, 1 failed.',
    hint: "--rejects: r.csv can't be written (illegal operation on a directory). Once the file can be written: crm leads import f.csv --rejects r.csv --json --resume",
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
      /2 of 3 rows were created on .*\. Nothing was sent\.\nThe failed rows as a file: crm leads import f\.csv --resume --rejects FILE\nTo create the rows once more on purpose, add --again\.\n$/,
    ),
  ]);
  const named = await shop.crm(['leads', 'import', 'f.csv', '--rejects', 'r.csv']);
  expect(named.stderr).toContain('The failed rows as a file: crm leads import f.csv --rejects r.csv --resume\n');
  expect(await leads()).toHaveLength(2);
  expect((await importOf('f.csv', '--resume', '--rejects', 'r.csv')).status).toBe(8);
  expect(shop.read('r.csv')).toContain('A,99,1,2,422,');
});

it('of the run that goes on go away where no row fails', async () => {
  shop.write('f.csv', 'title,status,category\nA,99,1\nB,1,1\n');
  expect((await importOf('f.csv', '--rejects', 'r.csv')).json()).toMatchObject({ failed: 1, rejects: 'r.csv' });
  shop.write('f.csv', 'title,status,category\nA,1,1\nB,1,1\n');
  expect((await importOf('f.csv', '--rejects', 'r.csv')).status).toBe(10);
  expect(existsSync(join(shop.folder, 'r.csv'))).toBe(true);
  expect((await importOf('f.csv', '--rejects', 'r.csv', '--resume')).json()).toMatchObject({ created: 2, rejects: null });
  expect(existsSync(join(shop.folder, 'r.csv'))).toBe(false);
});

describe('rows that are wrong before anything is sent', () => {
  const file =
    'title;status;category;email\r\nA;1;1;a@x.example\r\nB;1;1;nobody\r\nC;99;1;c@x.example\r\nD;1;1;d@x.example;more\r\n"E\ne";x y;;\r\nF;1;1\r\n';
  const wrong = [
    'B;1;1;nobody;3;;"email: ""nobody"" is not an email address."',
    'D;1;1;d@x.example;more;5;;it has 5 cells, and the header has 4.',
    /^"E\ne";x y;;;6;;"status: none of the leads read so far has the lead status ""x y"";.* category: it is blank, and a new lead needs it\."$/,
    'F;1;1;;8;;it has 3 cells, and the header has 4.',
  ];
  const rejected = (name: string): string[] => shop.read(name).trimEnd().split('\r\n').slice(1);

  it('are in no file when the import is refused, so that the same command with --skip-invalid goes on', async () => {
    shop.write('f.csv', file);
    const { status, stderr } = await importOf('f.csv', '--rejects', 'r.csv');
    expect([status, JSON.parse(stderr).error]).toMatchObject([2, { message: '5 problems in f.csv; nothing was sent.' }]);
    expect(JSON.parse(stderr).error.hint).toContain('--skip-invalid sends the other 2 rows. The service may refuse some of them.');
    expect([await leads(), existsSync(join(shop.folder, 'r.csv'))]).toEqual([[], false]);
    expect((await importOf('f.csv', '--rejects', 'r.csv', '--skip-invalid')).status).toBe(8);
    expect(rejected('r.csv').filter((line) => !line.startsWith('C;'))).toEqual(
      wrong.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))),
    );
    shop.write('m.csv', `${shop.read('r.csv').split('\r\n').slice(0, 2).join('\n').replace('nobody;3', 'b@x.example;3')}\n`);
    expect((await importOf('m.csv')).json()).toMatchObject({ created: 1 });
  });

  it('are left out with --skip-invalid; with what the service refuses they are in the file', async () => {
    shop.write('f.csv', file);
    const { status, json, stderr } = await importOf('f.csv', '--skip-invalid', '--rejects', 'r.csv');
    expect([status, json()]).toMatchObject([8, { total: 6, created: 1, failed: 1, left_out: 4, rejects: 'r.csv' }]);
    expect(JSON.parse(stderr).error.fields.map(({ name }: { name: string }) => name)).toEqual([
      'line 3',
      'line 4',
      'line 5',
      'line 6',
      'line 8',
    ]);
    expect(rejected('r.csv')).toHaveLength(5);
    expect(rejected('r.csv')[1]).toMatch(/^C;99;1;c@x\.example;4;422;/);
    expect((await leads()).map(({ title }) => title)).toEqual(['A']);
  });

  it('that are left out end no run, and are none of the errors that --max-errors counts', async () => {
    shop.write('f.csv', `title;status;category\n${'x;0;1\n'.repeat(5)}A;1;1\nB;99;1\nx;0;1\nC;1;1\n`);
    const words = ['f.csv', '--skip-invalid', '--max-errors', '1', '--concurrency', '1'] as const;
    const { status, json, stderr } = await importOf(...words);
    expect([status, json()]).toMatchObject([8, { total: 9, created: 1, failed: 1, left_out: 6 }]);
    expect(JSON.parse(stderr).error.message).toBe('Stopped after 1 failure, with 1 row to go: 9 rows, 1 failed, 6 left out.');
    const resumed = await importOf(...words, '--resume');
    expect([resumed.status, resumed.json()]).toMatchObject([8, { created: 2, failed: 1, left_out: 6 }]);
  });

  it('are no error where that was asked for, and nothing else failed', async () => {
    shop.write('f.csv', file.replace('C;99', 'C;1'));
    const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', '--skip-invalid', '--rejects', 'r.csv']);
    expect(status).toBe(8);
    expect(stderr).toMatch(/^note: 4 of 6 rows left out, as --skip-invalid says\.\n {2}line 3: email: /);
    expect(stderr).toContain('These rows are in r.csv. Repair them, then: crm leads import r.csv --skip-invalid\n');
    shop.write('g.csv', file.replace('A;1;1', 'G;98;1'));
    const other = await shop.crm(['leads', 'import', 'g.csv', '--skip-invalid']);
    expect([other.status, other.stderr]).toEqual([8, expect.stringMatching(/^error: 6 rows, 2 failed, 4 left out\.$/m)]);
  });

  it('and are in a dry run and in the results', async () => {
    shop.write('f.csv', file);
    const dry = await importOf('f.csv', '--skip-invalid', '--dry-run');
    expect([dry.status, dry.json()]).toMatchObject([8, { counts: { rows: 6, would_create: 2, invalid: 4 } }]);
    await importOf('f.csv', '--skip-invalid', '--results', 'all.csv');
    const lines = shop.read('all.csv').trimEnd().split('\r\n');
    expect(lines.slice(0, 3)).toEqual([
      'title;status;category;email;id;outcome;error',
      'A;1;1;a@x.example;1;created;',
      'B;1;1;nobody;;failed;"email: ""nobody"" is not an email address."',
    ]);
    expect(lines.at(-1)).toBe('F;1;1;;;failed;it has 3 cells, and the header has 4.');
    expect(lines).toHaveLength(7);
  });

  it('are refused again as long as they have too many cells; of short ones the missing cells are blank', async () => {
    shop.write('f.csv', file);
    await importOf('f.csv', '--skip-invalid', '--rejects', 'r.csv');
    const { status, stderr } = await importOf('r.csv');
    expect(status).toBe(2);
    expect(JSON.parse(stderr).error.fields.map(({ messages }: { messages: string[] }) => messages[0])).toEqual(
      expect.arrayContaining(['it has 8 cells, and the header has 7.']),
    );
  });

  it('may be mended before a resume, which sends what is not done', async () => {
    shop.write('f.csv', file);
    await importOf('f.csv', '--skip-invalid');
    shop.write('f.csv', file.replace('nobody', 'b@x.example').replace(';99;', ';1;'));
    const { status, json } = await importOf('f.csv', '--skip-invalid', '--resume', '--rejects', 'r.csv');
    expect([status, json()]).toMatchObject([8, { total: 6, created: 3, failed: 0, left_out: 3 }]);
    expect((await leads()).map(({ title }) => title).toSorted()).toEqual(['A', 'B', 'C']);
    expect(rejected('r.csv')).toHaveLength(3);
  });

  it('are refused where no other row is there, or the columns are wrong', async () => {
    shop.write('f.csv', 'title,status,category\nA,x y,1\n');
    expect((await importOf('f.csv', '--skip-invalid')).status).toBe(2);
    shop.write('f.csv', 'title,status,categry\nA,1,1\n');
    const { status, stderr } = await importOf('f.csv', '--skip-invalid', '--rejects', 'r.csv');
    expect([status, stderr]).toEqual([2, expect.not.stringContaining('--skip-invalid sends')]);
    expect(existsSync(join(shop.folder, 'r.csv'))).toBe(false);
  });

  it('of JSON are kept as they stand', async () => {
    shop.write('f.ndjson', '{"title":"A","status":1,"category":1}\n{"title":"B","status":1,\n{"title":"C","status":1.50,"category":1}\n');
    expect((await importOf('f.ndjson', '--skip-invalid', '--rejects', 'r.ndjson')).json()).toMatchObject({
      created: 1,
      failed: 0,
      left_out: 2,
    });
    expect(shop.read('r.ndjson').trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^\{"_text":"\{\\"title\\":\\"B\\",\\"status\\":1,","_line":2,"_status":null,"_error":"it is not valid JSON/),
      expect.stringMatching(/^\{"title":"C","status":1\.50,"category":1,"_line":3,"_status":null,"_error":"status: .*1\.50.* is not an id/),
    ]);
  });
});

it.each([
  ['--rejects', 'lost.csv', 'title,phone\r\nA,1\r\n'],
  ['--rejects', 'lost.csv', '_line,_status,_error,title\n1,,x,A\n'],
  ['--results', 'lost.csv', 'id,title\r\n1,outcome\r\n'],
])("%s takes no file that is somebody else's", async (flag, name, text) => {
  shop.write(name, text);
  shop.write('f.csv', 'title,status,category\nA,1,1\nB,99,1\n');
  const { status, stderr, stdout } = await shop.crm(['leads', 'import', 'f.csv', flag, name]);
  expect([status, stdout, shop.read(name)]).toEqual([2, '', text]);
  expect(stderr).toContain(`${flag}: ${name} is there already and is not overwritten; name a new file.`);
  expect(await leads()).toEqual([]);
});

it.each(['csv', 'ndjson'])('are new, or those of the run that goes on; so are its results (%s)', async (format) => {
  const rows =
    format === 'csv'
      ? 'title,status,category\nB,99,1\nA,1,1\n'
      : '{"title":"B","status":99,"category":1}\n{"title":"A","status":1,"category":1}\n';
  shop.write(`f.${format}`, rows);
  const outputs = ['--rejects', `r.${format}`, '--results', `o.${format}`];
  await shop.crm(['leads', 'import', `f.${format}`, ...outputs]);
  shop.write(`g.${format}`, rows.replaceAll('B', 'C').replaceAll('A', 'D'));
  expect((await shop.crm(['leads', 'import', `g.${format}`, ...outputs])).status).toBe(2);
  expect((await shop.crm(['leads', 'import', `g.${format}`])).status).toBe(8);
  const other = await shop.crm(['leads', 'import', `g.${format}`, '--resume', ...outputs]);
  expect([other.status, other.stderr]).toEqual([
    2,
    expect.stringContaining(`--rejects: r.${format} is there already and is not overwritten`),
  ]);
  expect([shop.read(`r.${format}`), shop.read(`o.${format}`)]).toEqual([
    expect.not.stringContaining('C'),
    expect.not.stringContaining('D'),
  ]);
  shop.write(`f.${format}`, format === 'csv' ? `${rows}E,98,1\n` : `${rows}{"title":"E","status":98,"category":1}\n`);
  expect((await shop.crm(['leads', 'import', `f.${format}`, '--resume', ...outputs])).status).toBe(8);
  expect(shop.read(`r.${format}`)).toContain('E');
});

describe('a file that somebody worked in', () => {
  it.each(['--rejects', '--results'])('is not overwritten by --resume (%s)', async (flag) => {
    shop.write('f.csv', 'title,status,category\nA,99,1\nB,1,1\n');
    const words = ['leads', 'import', 'f.csv', flag, 'r.csv'];
    expect((await shop.crm(words)).status).toBe(8);
    const repaired = shop.read('r.csv').replace('A,99,1', 'A,1,1');
    shop.write('r.csv', repaired);
    const { status, stderr } = await shop.crm([...words, '--resume']);
    expect([status, shop.read('r.csv')]).toEqual([2, repaired]);
    const way = flag === '--rejects' ? '\nTo send the rows in r.csv: crm leads import r.csv' : '';
    expect(stderr).toBe(`error: ${flag}: r.csv was changed since crm wrote it, and is not overwritten; name a new file.${way}\n`);
    if (flag === '--results') return;
    expect((await importOf('r.csv')).json()).toMatchObject({ created: 1 });
    // The rows that went in with the rejects are not sent again.
    expect((await importOf('f.csv', '--resume', '--rejects', 'new.csv')).status).toBe(8);
    expect(await leads()).toHaveLength(2);
  });
});

it('a resumed import says what was done before, and what its undo takes back', async () => {
  shop.write('f.csv', 'title,status,category\nA,1,1\nB,1,1\n');
  await importOf('f.csv');
  shop.write('f.csv', 'title,status,category\nA,1,1\nB,1,1\nC,1,1\n');
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', '--resume', '--yes'], { tty: true });
  expect([status, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    0,
    expect.stringContaining('3 leads created; 2 of these rows were done before.'),
  ]);
  const undo = /Undo, also of what was done before: crm (undo \w{4})/.exec(stderr)?.[1] ?? '';
  expect((await shop.crm([...undo.split(' '), '--yes'])).status).toBe(0);
  expect(await leads()).toEqual([]);
});

it('name the decimal mark that only the whole file shows', async () => {
  shop.write('f.csv', 'title;status;category;value\nA;1;1;1.234,56\nB;99;1;145,5\n');
  const { stderr } = await shop.crm(['leads', 'import', 'f.csv', '--rejects', 'r.csv']);
  const [, command = ''] = /Repair them, then: crm (.*)/.exec(stderr) ?? [];
  expect(command).toBe('leads import r.csv --decimal-mark comma');
  shop.write('r.csv', shop.read('r.csv').replace(';99;', ';1;'));
  expect((await shop.crm(command.split(' '))).status).toBe(0);
  expect((await leads()).map(({ value }) => value).toSorted()).toEqual(['1234.56', '145.50']);
});

it.each(['="007"', '"=""007"""'])('%s comes back as the text that it is', async (zip) => {
  shop.write('f.csv', `title,status,category,zip,city\nA,99,1,${zip},=1+1\nB,1,1,${zip},x\n`);
  expect((await importOf('f.csv', '--rejects', 'r.csv')).json()).toMatchObject({ created: 1, failed: 1 });
  expect(shop.read('r.csv')).toContain(`A,99,1,"=""007""",'=1+1,2,`);
  shop.write('r.csv', shop.read('r.csv').replace('A,99', 'A,1'));
  expect((await importOf('r.csv')).json()).toMatchObject({ created: 1 });
  expect((await leads()).map(({ address }) => (address as { zip: string }).zip)).toEqual(['007', '007']);
});
