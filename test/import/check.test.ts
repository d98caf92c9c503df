// Files are checked before anything is sent: what is told, and where. And command lines that can't be meant.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

const importOf = (name: string, ...flags: string[]) => shop.crm(['leads', 'import', name, '--json', ...flags]);
const leads = async (): Promise<unknown> => (await shop.crm(['leads', 'list', '--all', '--json'])).json();

const problemsOf = async (content: string | Uint8Array, ...flags: string[]): Promise<string[]> => {
  shop.write('f.csv', content);
  const { status, stdout, stderr } = await shop.crm(['leads', 'import', 'f.csv', ...flags]);
  expect(stdout).toBe('');
  expect(status, stderr).toBe(2);
  expect(await leads()).toEqual([]);
  expect(existsSync(join(shop.folder, 'data', 'runs'))).toBe(false);
  const [first = '', ...lines] = stderr.trimEnd().split('\n');
  expect(first).toMatch(/^error: \d+ problems? in f\.csv; nothing was sent\.$/);
  // What to do about them comes after them.
  return lines.filter((line) => line.startsWith('  ')).map((line) => line.trim());
};

it('names every problem by line and column', async () => {
  const content = 'title,Status,category,Email,last_contacted,value\nA,1.5,1,b,2026-02-30,1.2.3\n"B\nb",1,1,,,\n,1,1,,,\n';
  expect(await problemsOf(content)).toEqual([
    'line 2, column Status: "1.5" is not an id, a whole number above 0.',
    'line 2, column Email: "b" is not an email address.',
    'line 2, column last_contacted: "2026-02-30" is not a day of the calendar, written YYYY-MM-DD.',
    'line 2, column value: "1.2.3" is not a decimal number such as 1250.00.',
    'line 5, column title: it is blank, and a new lead needs it.',
  ]);
  expect(await problemsOf('title,status,category,email\n,0,,b\n')).toEqual([
    'line 2, column status: "0" is not an id, a whole number above 0.',
    'line 2, column email: "b" is not an email address.',
    'line 2, column title: it is blank, and a new lead needs it.',
    'line 2, column category: it is blank, and a new lead needs it.',
  ]);
});

it('tells the same of many lines once', async () => {
  const rows = Array.from({ length: 250 }, (_, index) => `x,${index < 3 ? 'one' : `two${index}`},1,a\n`);
  shop.write('f.csv', `title,status,category,email\n${rows.join('')}`);
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', '--json']);
  expect(status).toBe(2);
  const { error } = JSON.parse(stderr);
  expect(error.message).toBe('500 problems in f.csv; nothing was sent.');
  expect(error.fields).toEqual([
    {
      flag: null,
      name: 'lines 2, 3, 4 and 247 more, column status',
      messages: [expect.stringContaining('has the lead status "one", "two3", "two4", "two5", "two6" or others;')],
      lines: [2, 3, 4],
      count: 250,
    },
    {
      flag: null,
      name: 'lines 2, 3, 4 and 247 more, column email',
      messages: ['"a" is not an email address.'],
      lines: [2, 3, 4],
      count: 250,
    },
  ]);
});

it('the same of many rows that fail when they are sent is told once, too', async () => {
  const rows = Array.from({ length: 40 }, (_, index) => `n${index}@x.example,A\n`);
  shop.write('f.csv', `email,title\n${rows.join('')}`);
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', '--mode', 'update', '--match', 'email', '--json', '--yes']);
  expect([status, JSON.parse(stderr).error]).toMatchObject([
    8,
    {
      message: '40 rows, 40 failed.',
      fields: [
        {
          name: 'lines 2, 3, 4 and 37 more',
          messages: ['for instance: There is no lead with the email n0@x.example.'],
          lines: [2, 3, 4],
          count: 40,
        },
      ],
    },
  ]);
});

// biome-ignore format: a table
it.each([
  ['an unknown column', 'titel,title,status,category\nA,A,1,1\n',
    /there is no field "titel"\. Did you mean "title"\?$/],
  ['an unknown column without rows', '\n\ntitel\n', /^line 3: there is no field "titel"\. Did you mean "title"\?/],
  ['a column twice, but for blanks', 'id, id,title,status,category\n1,1,A,1,1\n', /^line 1: the column id is there twice: --map 'id \(2\)=' takes/],
  ['a column twice', 'title,title,status,category\nA,B,1,1\n', /^line 1: the column title is there twice: --map 'title \(2\)=' takes/],
  ['two names of one field', 'title,lead_title,status,category\nA,B,1,1\n', /^line 1: title and lead_title mean the same field\.$/],
  ['a column that is not there', 'title,status\nA,1\nB,1\n', /^line 1: there is no column for category, which a new lead needs\.$/],
  ['too many cells', 'title,status,category\nA,1,1,1\n', /^line 2: it has 4 cells, and the header has 3\.$/],
  ['a cell under no header', 'title,status,category,\nA,1,1,\nB,1,1,x\n', /^line 3: there is a value under a header without a name\.$/],
  ['a quote that is not closed', 'title,status,category\nA,1,1\n"B,1,1\nC,1,1\n', /^line \d: the file ends within a quoted cell/],
  ['text behind a quote', 'title,status,category\r\n"A\r\na",1,1\r\n"B" b,1,1\r\n',
    /^line 4: a quote stands within a cell/],
  ['a quote in the middle', 'title,status,category\nB"b,1,1\n', /^line 2: a quote stands within a cell/],
  ['UTF-16 without a mark', Buffer.from('title', 'utf16le'), /^line 1: the file is UTF-16\. --encoding utf-16 reads it\./],
  ['bytes that are not UTF-8', Buffer.from('title,status,category\nA,1,1\nB\xe4,1,1\n', 'latin1'), /^line 3: it is not valid UTF-8\./],
])('%s', async (_name, content, expected) => {
  const lines = await problemsOf(content);
  expect(lines[0]).toMatch(expected);
  expect(lines).toHaveLength(1);
});

it('one complaint for all cells of a column that are no address, whatever stands in them', async () => {
  const rows = Array.from({ length: 200 }, (_, index) => `A,1,1,nobody ${index}\n`).join('');
  expect(await problemsOf(`title,status,category,email\n${rows}B,,1,\n`)).toEqual([
    'lines 2, 3, 4 and 197 more, column email: for instance "nobody 0" is not an email address.',
    'line 202, column status: it is blank, and a new lead needs it.',
  ]);
});

it('a value that must be unique, whatever its case', async () => {
  shop.write('f.csv', 'first-name,last-name,email,client\nA,B,a@b.example,1\nA,B,c@b.example,1\nA,B,A@B.example,1\n');
  const { status, stderr } = await shop.crm(['contacts', 'import', 'f.csv']);
  expect(status).toBe(2);
  expect(stderr).toContain('line 4, column email: the same as on line 2.');
});

// biome-ignore format: a table
it.each([
  ['title,start,End,category,client\nA,2026-02-01,2026-01-01,4,1\n', 'line 2, column End: 2026-01-01 is before the start, 2026-02-01.'],
  ['title,start,category,client,Lead\nA,2026-02-01,4,1,2\n',
    'line 2, column Lead: client is given, too; a new proposal takes client or lead.'],
  ['title,start,category,Client\nA,2026-02-01,4,\n', 'line 2, column Client: it is blank, and a new proposal needs client or lead.'],
  ['title,start,category\nA,2026-02-01,4\nB,2026-02-01,4\n', 'line 1: there is no column for client or lead, which a new proposal needs.'],
])('what must stand, or not stand, together: %s', async (content, expected) => {
  shop.write('f.csv', content);
  const { status, stderr } = await shop.crm(['proposals', 'import', 'f.csv']);
  expect([status, stderr]).toEqual([2, `error: 1 problem in f.csv; nothing was sent.\n  ${expected}\n`]);
});

it('a blank client or lead is not there, with --blank clear neither', async () => {
  shop.write('l.csv', 'title,status,category\nA,1,1\n');
  await importOf('l.csv');
  shop.write('f.csv', 'title,start,category,client,lead\nA,2026-02-01,4,,1\n');
  const { status, stderr } = await shop.crm(['proposals', 'import', 'f.csv', '--blank', 'clear']);
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^Undo: crm undo \w{4}\n$/)]);
});

it('a reference needs both its type and its id', async () => {
  shop.write('f.csv', 'title,description,resource.type,resource.id\nA,d,client,\nB,d,,1\nC,d,,\n');
  const { status, stderr } = await shop.crm(['notes', 'import', 'f.csv']);
  expect(status).toBe(2);
  expect(stderr).toContain('line 2, column resource.id: resource.id is missing beside resource.type.');
  expect(stderr).toContain('line 3, column resource.type: resource.type is missing beside resource.id.');
});

it('a row of JSON without the member by which it finds its record', async () => {
  shop.write('f.ndjson', '{"title":"A","status":1,"category":1}\n');
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.ndjson', '--mode', 'upsert', '--match', 'email']);
  expect([status, stderr]).toEqual([2, expect.stringContaining('line 1: email is missing, by which rows find their records (--match).')]);
  expect((await importOf('f.ndjson', '--mode', 'upsert')).json()).toMatchObject({ created: 1 });
});

it('JSON: members by line, and what is no object', async () => {
  shop.write('f.ndjson', '{"title":"A","status":1,"category":1}\n{"title":true,"status":1,"categry":1}\n[1]\n{"title"\n');
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.ndjson', '--json']);
  expect(status).toBe(2);
  expect(JSON.parse(stderr).error.fields).toEqual([
    { flag: null, name: 'line 2, member categry', messages: [expect.stringContaining('Did you mean "category"?')] },
    { flag: null, name: 'line 2, member title', messages: ['give a text or a number.'] },
    { flag: null, name: 'line 2', messages: ['category is missing.'] },
    { flag: null, name: 'line 3', messages: ['give one JSON object, with the values by name.'] },
    { flag: null, name: 'line 4', messages: [expect.stringContaining('it is not valid JSON')] },
  ]);
});

it('an object of an array that is no JSON is told by the line of the file, and by no place within the object', async () => {
  shop.write('f.json', '[\n{"title":"A","status":1,"category":1},\n{"title":"B","status":1 "category":1}]\n');
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.json']);
  expect(status).toBe(2);
  expect(stderr).toContain("  line 3: it is not valid JSON (Expected ',' or '}' after property value).\n");
});

it.each([
  ['{"title":"A","title":"B","status":1}', 'title'],
  ['{"a":1,"title" : "\\"title\\":\\\\", "t\\u0069tle"\t:1}', 'title'],
  ['{"list":[{"a":1},{"a":1,"b":":"}],"contact":{"email":"a","x":{"email":1},"email":"b"},"email":1}', 'contact.email'],
])('JSON: a member that is there twice: %s', async (object, name) => {
  shop.write('f.ndjson', `{"title":"A","status":1,"category":1}\n${object}\n`);
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.ndjson']);
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining(`error: 1 problem in f.ndjson; nothing was sent.\n  line 2: the member ${name} is there twice.\n`),
  ]);
  expect(await leads()).toEqual([]);
});

it('JSON: one name in several objects is one name each', async () => {
  shop.write('f.ndjson', '{"title":"title","status":{"id":1,"title":"title"},"category":{"id":1},"tags":[{"title":1},{"title":2}]}\n');
  expect((await importOf('f.ndjson', '--map', 'tags=')).json()).toMatchObject({ created: 1 });
});

it('JSON: half of a character', async () => {
  shop.write(
    'f.json',
    '[{"title":"A\\ud800B","status":1,"category":1},\n{"title":"\\ud83d\\ude00","status":1,"category":1,"email":"\\udc00"}]',
  );
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.json']);
  expect([status, stderr]).toEqual([
    2,
    'error: 2 problems in f.json; nothing was sent.\n' +
      "  line 1, member title: it holds half of a character (\\ud800), which can't be sent.\n" +
      "  line 2, member email: it holds half of a character (\\udc00), which can't be sent.\n",
  ]);
  const custom = 'description,rate,category,default-tax,unit,custom_fields\nA,1,6,2,1,"[{""id"":1,""value"":""\\ud800""}]"\n';
  shop.write('i.csv', custom);
  const items = await shop.crm(['items', 'import', 'i.csv']);
  expect([items.status, items.stderr]).toEqual([2, expect.stringContaining('line 2, column custom_fields: it holds half of a character')]);
});

it('a blank cell for all custom fields clears none unseen', async () => {
  shop.write('i.csv', 'id,custom_fields\n3,\n');
  // Nothing is wrong with the file: there is no item 3.
  expect((await shop.crm(['items', 'import', 'i.csv', '--mode', 'update', '--dry-run'])).status).toBe(8);
  const { status, stderr } = await shop.crm(['items', 'import', 'i.csv', '--mode', 'update', '--blank', 'clear']);
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining(
      "column custom_fields: a blank cell doesn't say which numbers to clear: give each a column such as custom-field-1, or leave",
    ),
  ]);
});

it('JSON that is nested too deeply', async () => {
  shop.write('f.ndjson', `{"title":"A","status":1,"category":1}\n${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}\n`);
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.ndjson']);
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining('error: 1 problem in f.ndjson; nothing was sent.\n  line 2: it is nested too deeply.\n'),
  ]);
});

it.each([
  ['[{"title":"A"},]', /It is not valid JSON \(Unexpected token '\]', .*"A"\},\]" is not valid JSON\)\./],
  ['[{"title":"A"} {"title":"B"}]', /line 1: it is not valid JSON \(Expected ',' or '\]' after array element\)\./],
  ['[\n{"title":"A",\n"status":1', /line 3: it is not valid JSON \(Expected ',' or '\}' after property value\)\./],
  ['[{"title":"A"}\n', /line 2: it is not valid JSON \(Expected ',' or '\]' after array element\)\./],
  ['[{"title":"A"}] x', /line 1: it is not valid JSON \(Unexpected non-whitespace character after JSON\)\./],
  ['"A"', /Give an array of objects, or NDJSON: one object a line\./],
  ['[{"title":"A"},[{"title":"B"}]]', /Element 2 of the array is no object with the values by name\./],
  ['[{"a":1}\n,{"a":{"b":1,"b":2}}]', /line 2: the member a\.b is there twice\./],
])('JSON that breaks off: %s', async (content, expected) => {
  shop.write('f.json', content);
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.json']);
  expect(status).toBe(2);
  expect(stderr).toMatch(expected);
});

it.each([
  [['--mode', 'create', '--match', 'id'], /--match is for --mode update and upsert/],
  [['--match', 'emial', '--mode', 'update'], /^error: --match: there is no field "emial"\. Did you mean "email"\?\n/],
  [['--match', 'tags', '--mode', 'update'], /^error: --match: rows can't find their records by "tags"/],
  [['--format', 'xml'], /--format: "xml" is not one of csv, ndjson, json/],
  [['--blank', 'drop'], /--blank: "drop" is not one of skip, clear/],
  [['--concurrency', '0'], /^error: --concurrency: "0" is not a whole number above 0\.\n/],
  [['--concurrency', '99'], /^error: --concurrency: "99" is more than 64, the most requests at once\.\n/],
  [['--rate', 'x'], /^error: --rate: "x" is not a number of requests a second above 0\.\n/],
  [['--map', 'title'], /--map: "title" is not Column=flag-name/],
  [['--map', 'title=titel'], /--map: there is no field "titel"\. Did you mean "title"\?/],
  [['--map', 'Titel=title'], /--map: there is no column "Titel"/],
  [['--rejects', './f.csv'], /--rejects: \.\/f\.csv is there already and is not overwritten; name a new file/],
  [['--rejects', 'data'], /--rejects: data is not a file/],
  [['--rejects', '/dev/null'], /--rejects: \/dev\/null is not a file/],
  [['--rejects', 'r.json'], /--rejects: the rows are written as a table, and r\.json would be read as json; name it \.csv/],
  [['--rejects', 'nowhere/r.csv'], /--rejects: nowhere\/r\.csv can't be written \(no such file or directory\)/],
  [['--resume'], /There is no import of f.csv to resume/],
])('refuses %s', async (flags, expected) => {
  shop.write('f.csv', 'title,status,category\nA,1,1\n');
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', ...flags]);
  expect(status).toBe(2);
  expect(stderr).toMatch(expected);
});
