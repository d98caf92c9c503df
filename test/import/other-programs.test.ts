// Files as other programs make them, beside tables of texts: JSON of pipes, days with names, packed files. Each advice to its end.

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { typedParts, zipped } from '../support/workbook.ts';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

const importOf = (file: string, ...flags: string[]) => shop.crm(['leads', 'import', file, '--concurrency', '1', ...flags]);
const held = (path: string): Promise<unknown> => shop.held(path, 'created');

describe('JSON', () => {
  const object = (title: string, more = ''): string => `{\n  "title": "${title}",\n  "status": 1,\n  "category": 1${more}\n}\n`;

  it.each(['f.json', 'f.ndjson'])('objects behind each other over several lines are a stream (%s)', async (name) => {
    shop.write(name, `${object('A {', ',\n  "tags": ["x"]')}\n${object('B "')}`.replace('B "', 'B \\"}'));
    expect((await importOf(name)).status).toBe(0);
    expect(await held('title')).toEqual(['A {', 'B "}']);
    shop.write(name, `${object('C')}{\n  "title": 5,\n`);
    const { status, stderr } = await importOf(name);
    expect([status, stderr]).toEqual([2, expect.stringContaining('line 6: it is not valid JSON')]);
  });

  it('an answer of --envelope is read by its data, said once', async () => {
    shop.write('f.json', `${object('A')}${object('B')}`);
    await importOf('f.json');
    shop.write('e.json', (await shop.crm(['leads', 'list', '--envelope', '--json'])).stdout);
    const { status, stderr, json } = await importOf('e.json', '--mode', 'update', '--json');
    expect([status, json()]).toEqual([0, expect.objectContaining({ total: 2, unchanged: 2 })]);
    expect(stderr.split('The file holds a whole answer, as --envelope prints it. Its data are read.')).toHaveLength(2);
  });

  it('a number is what JSON says, in imports and in --data', async () => {
    shop.write('f.json', '[{"title":"A","status":1e0,"category":1,"value":1.5e3},{"title":"B","status":1,"category":1,"value":25E-2}]');
    expect((await importOf('f.json')).status).toBe(0);
    expect((await shop.crm(['leads', 'create', '--data', '{"title":"C","status":1,"category":1,"value":-1e3}', '-q'])).status).toBe(0);
    expect(await held('value')).toEqual(['1500.00', '0.25', '-1000.00']);
  });
});

describe('days with the name of a month', () => {
  // biome-ignore format: a table
  it('English names and their three letters are read', async () => {
    const days = ['05 Mar 2026', '5 March 2026', 'Mar 5, 2026 8:22 AM', 'March 5, 2026', '05-Mar-2026', 'Thu, 05 Mar 2026 08:22:00 GMT', '5th March 2026',
      'Thursday, March 5, 2026', '2026-Mar-05', 'mar 5 2026', 'March 5, 2026 at 8:22 AM', '5. March 2026', 'Mar. 5, 2026', '05/Mar/2026'];
    shop.write('f.csv', `title,status,category,last-contacted\n${days.map((day) => `L,1,1,"${day}"\n`).join('')}`);
    expect((await importOf('f.csv')).stderr).toMatch(/^Undo/);
    expect(await held('last_contacted')).toEqual(days.map(() => '2026-03-05'));
    for (const where of ['last_contacted=Mar 5, 2026', 'last_contacted=1 March 2026..05 Mar 2026'])
      expect((await shop.crm(['leads', 'list', '--where', where, '--count', '-q'])).stdout).toBe(`${days.length}\n`);
    shop.write('c.csv', 'family,id,last-contacted,was.last-contacted\nleads,1,6 Mar 2026,5 March 2026\n');
    expect((await shop.crm(['apply', 'c.csv'])).status).toBe(0);
    expect((await held('last_contacted') as string[])[0]).toBe('2026-03-06');
  });

  it.each(['5. März 2026', '5 de marzo de 2026', 'mars 5, 2026', '05 янв 2026'])('%s is told to be no English', async (day) => {
    shop.write('f.csv', `title,status,category,last-contacted\nL,1,1,"${day}"\n`);
    const sentence = `"${day}": months by name are read in English only: write the day as YYYY-MM-DD.`;
    expect((await importOf('f.csv')).stderr).toContain(sentence);
    expect((await shop.crm(['leads', 'list', '--where', `last_contacted=${day}`])).stderr).toContain(sentence);
  });

  it('a day that the month lacks is none', async () => {
    shop.write('f.csv', 'title,status,category,last-contacted\nL,1,1,31 Feb 2026\n');
    expect((await importOf('f.csv')).stderr).toContain('"31 Feb 2026" is not a day of the calendar.');
  });
});

it('a value with a comma: the message has the value that is taken', async () => {
  const create = (value: string) => shop.crm(['leads', 'create', '--title', 'A', '--status', '1', '--category', '1', '--value', value]);
  const refused = await create('1234,50');
  expect([refused.status, refused.stderr]).toEqual([
    2,
    expect.stringContaining('"1234,50" is not a decimal number such as 1250.00. Write 1234.50.'),
  ]);
  expect((await create('1234.50')).status).toBe(0);
  expect((await create('1.234,5')).stderr).toContain('Write 1234.5.');
});

describe('other files', () => {
  it('what is not read has a sentence of its own; unpacked, it is read', async () => {
    const csv = 'title,status,category\nA,1,1\n';
    shop.write('f.csv.gz', gzipSync(csv));
    shop.write('f.vcf', 'BEGIN:VCARD\nVERSION:3.0\nFN:Ann Lee\nEND:VCARD\n');
    shop.write('f.ods', await zipped({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }));
    shop.write('f.xls', '<html><table></table></html>');
    expect((await importOf('f.csv.gz')).stderr).toContain('f.csv.gz is packed with gzip, which is not read.\nUnpack it first');
    expect((await importOf('f.vcf')).stderr).toContain(
      'f.vcf is a file of vCards (.vcf), which is not read.\nLoad it into an address book',
    );
    expect((await importOf('f.xls')).stderr).toContain('f.xls is HTML or XML, which is not read.\nOpen it in a spreadsheet program');
    shop.write('f.csv', csv);
    expect((await importOf('f.csv')).status).toBe(0);
  });

  it('a workbook whose parts are UTF-16 is read', async () => {
    const text = (said: string): string => `<c t="inlineStr"><is><t>${said}</t></is></c>`;
    const row = (...cells: string[]): string => `<row>${cells.map(text).join('')}</row>`;
    const parts = typedParts({ sheets: { one: row('title', 'status', 'category') + row('Ärger', '1', '1') } });
    const wide = Object.entries(parts).map(([path, part]): [string, Uint8Array] => [path, Buffer.from(`\ufeff${part}`, 'utf16le')]);
    shop.write('f.xlsx', await zipped(Object.fromEntries(wide)));
    expect((await importOf('f.xlsx')).status).toBe(0);
    expect(await held('title')).toEqual(['Ärger']);
  });

  it('a header with a line break: --map takes the header as the message prints it', async () => {
    shop.write('f.csv', '"Deal\nname",status,category\nA,1,1\n');
    const refused = await importOf('f.csv');
    const [, name = ''] = /--map '([^=]*)=flag-name'/.exec(refused.stderr) ?? [];
    expect([refused.status, name]).toEqual([2, expect.stringContaining('Deal')]);
    expect((await importOf('f.csv', '--map', `${name}=title`)).status).toBe(0);
    expect(await held('title')).toEqual(['A']);
  });
});

describe('quotes in a table with tabs', () => {
  const header = 'title\tstatus\tcategory\tdescription\n';
  const said = 'The quotes in f.tsv are read as letters: read as quoting, they would break its rows.';

  it.each([
    ['a stray one', 'Rack 19"\t1\t1\tx\nB\t1\t1\t\n', ['Rack 19"', 'B']],
    ['one that begins a cell, and is never closed', 'A\t1\t1\t"inch\nB\t1\t1\t\n', ['A', 'B']],
    ['two that would join rows that fit', '"A\t1\t1\tx\nB"\t1\t1\ty\n', ['"A', 'B"']],
    ['a word within a text, twice', 'The "big" deal\t1\t1\t\nThe ""old"" deal\t1\t1\t\n', ['The "big" deal', 'The ""old"" deal']],
  ])('%s: rows fit the header without them, so they are letters', async (_what, rows, titles) => {
    shop.write('f.tsv', header + rows);
    const { status, stderr } = await importOf('f.tsv');
    expect([status, stderr.split(said).length]).toEqual([0, 2]);
    expect(await held('title')).toEqual(titles);
  });

  it('quoting stays quoting where it fits, and a stray quote beside quoted cells is told', async () => {
    shop.write('f.tsv', `${header}"A ""B"""\t1\t1\t"two\nlines and\ta tab"\n`);
    expect((await importOf('f.tsv')).stderr).not.toContain(said);
    expect(await held('title')).toEqual(['A "B"']);
    shop.write('g.tsv', `${header}"C"\t1\t1\t\n5" pipe\t1\t1\t\n`);
    expect(await importOf('g.tsv')).toMatchObject({ status: 2, stderr: expect.stringContaining('line 3: a quote stands within a cell') });
    shop.write('h.tsv', `${header}5" pipe\t1\t1\t\nC\t1\n`);
    expect(await importOf('h.tsv')).toMatchObject({ status: 2, stderr: expect.stringContaining('line 2: a quote stands within a cell') });
  });

  it('rejects of such a file come back to the letter', async () => {
    shop.write('f.tsv', `${header}Rack 19"\tNo\t1\t5"\nB\t1\t1\t\n`);
    expect((await importOf('f.tsv', '--skip-invalid', '--rejects', 'r.tsv')).status).toBe(8);
    shop.write('m.tsv', shop.read('r.tsv').replace('No\t', '1\t'));
    expect((await importOf('m.tsv')).status).toBe(0);
    expect(await held('title')).toEqual(['B', 'Rack 19"']);
  });
});
