// What spreadsheets and other programs do to values on their way, and what is read all the same.

import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { typedBook } from '../support/workbook.ts';
import { type Ended, eachWorkshop } from './support.ts';

const shop = eachWorkshop();

const text = (said: string): string => `<c t="inlineStr"><is><t xml:space="preserve">${said.replaceAll('<', '&lt;')}</t></is></c>`;
const row = (...cells: string[]): string => `<row>${cells.map((cell) => (cell.startsWith('<') ? cell : text(cell))).join('')}</row>`;

/** Writes a workbook of rows, whose cells are texts or XML. */
async function writeBook(
  name: string,
  rows: readonly (readonly string[])[],
  book: { texts?: string; styles?: string; before?: string } = {},
) {
  shop.write(name, await typedBook({ ...book, sheets: { one: rows.map((cells) => row(...cells)).join('') } }));
}

const importOf = (file: string, ...flags: string[]): Promise<Ended> => shop.crm(['leads', 'import', file, ...flags]);
const update = (file: string, ...flags: string[]): Promise<Ended> => importOf(file, '--mode', 'update', ...flags);

/** A member of all leads, by title. */
async function held(path: string): Promise<unknown[]> {
  const { stdout } = await shop.crm(['leads', 'list', '--all', '--json', '--sort', 'title', '--order', 'asc', '--fields', `title,${path}`]);
  return (JSON.parse(stdout) as Record<string, unknown>[]).map((lead) =>
    path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], lead),
  );
}

async function lead(title: string, ...flags: string[]): Promise<void> {
  const { status, stderr } = await shop.crm(['leads', 'create', '--title', title, '--status', '1', '--category', '1', ...flags]);
  expect([status, stderr]).toEqual([0, expect.anything()]);
}

const header = ['title', 'status', 'category'];
const one = '<c><v>1</v></c>';

describe('cells of a workbook', () => {
  it.each([
    '<c t="s"><v/></c>',
    '<c t="s"><v></v></c>',
    '<c t="str"><v/></c>',
    '<c t="b"><v/></c>',
    '<c t="d"><v/></c>',
    '<c t="n"><v/></c>',
    '<c t="e"><v/></c>',
    '<c t="inlineStr"><is/></c>',
    '<c t="s"/>',
  ])('%s is empty', async (cell) => {
    await lead('A', '--city', 'Bern');
    await writeBook(
      'f.xlsx',
      [
        ['id', 'city', 'zip'],
        [one, cell, '3000'],
      ],
      { texts: '<si><t>title</t></si>' },
    );
    expect((await update('f.xlsx')).status).toBe(0);
    expect([await held('address.city'), await held('address.zip')]).toEqual([['Bern'], ['3000']]);
  });

  it.each(['x', '7', '-1', '0.5'])('a text no. %s is damage, named by its cell', async (number) => {
    await writeBook('f.xlsx', [header, [`<c t="s"><v>${number}</v></c>`]], { texts: '<si><t>title</t></si>' });
    const { status, stderr } = await importOf('f.xlsx');
    expect([status, stderr]).toEqual([2, expect.stringContaining("A2 refers to a text that the file doesn't have.")]);
  });

  const styles =
    '<numFmts><numFmt numFmtId="170" formatCode="00000"/><numFmt numFmtId="171" formatCode="000\\-0000"/>' +
    '<numFmt numFmtId="172" formatCode="&quot;No 0&quot;\\ 0000;@"/><numFmt numFmtId="173" formatCode="[h]:mm"/>' +
    '<numFmt numFmtId="174" formatCode="000.00"/><numFmt numFmtId="175" formatCode="yyyy\\-mm\\-dd"/></numFmts>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="172"/><xf numFmtId="173"/><xf numFmtId="174"/>' +
    '<xf numFmtId="175"/><xf numFmtId="46"/></cellXfs>';
  const styled = (style: number, value: string): string => `<c s="${style}"><v>${value}</v></c>`;

  it('a whole number in a format of zeros is read as shown, in a text field', async () => {
    const zips = [styled(1, '2035'), styled(2, '5551234'), styled(2, '15551234'), styled(3, '7'), styled(5, '7'), styled(1, '2035.5')];
    await writeBook('f.xlsx', [[...header, 'zip', 'value'], ...zips.map((zip, index) => [`L${index}`, one, one, zip, styled(1, '2035')])], {
      styles,
    });
    const { status, stderr } = await importOf('f.xlsx');
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining('4 numbers are read as the workbook shows them, with its zeros and signs.'),
    ]);
    expect(await held('address.zip')).toEqual(['02035', '555-1234', '1555-1234', 'No 0 0007', '7', '2035.5']);
    expect(await held('value')).toEqual(Array(6).fill('2035.00'));
  });

  it('TRUE and FALSE are no words of a text or a list; a mapping gives them a meaning', async () => {
    const truth = '<c t="b"><v>0</v></c>';
    await writeBook('f.xlsx', [
      [...header, 'city', 'tags'],
      ['A', one, one, truth, truth],
    ]);
    const refused = await importOf('f.xlsx');
    expect([refused.status, refused.stderr.split('\n').slice(1, 3)]).toEqual([
      2,
      ['city', 'tags'].map(
        (name) =>
          `  line 2, column ${name}: it is FALSE, a truth value. Write a text, or give it a meaning in a mapping: words: { ${name}: { FALSE: '' } }.`,
      ),
    ]);
    shop.write('m.yaml', "words: { city: { FALSE: '' }, tags: { FALSE: '' } }");
    expect((await importOf('f.xlsx', '--mapping', 'm.yaml')).status).toBe(0);
    expect([await held('address.city'), await held('tags')]).toEqual([[null], [[]]]);
  });

  it('a truth value in a custom field is the word', async () => {
    await writeBook('f.xlsx', [
      ['description', 'rate', 'category', 'default-tax', 'unit', 'custom-field-1'],
      ['A', one, '6', '2', one, '<c t="b"><v>1</v></c>'],
    ]);
    expect((await shop.crm(['items', 'import', 'f.xlsx'])).stderr).toMatch(/^Undo/);
    const { stdout } = await shop.crm(['items', 'list', '--json']);
    expect((JSON.parse(stdout) as { custom_fields: { value: string }[] }[])[0]?.custom_fields[0]?.value).toBe('true');
  });

  it('days that are counted from 1904', async () => {
    const days = [styled(6, '44885'), styled(6, '1')];
    await writeBook('f.xlsx', [[...header, 'last-contacted'], ...days.map((day, index) => [`L${index}`, one, one, day])], {
      styles,
      before: '<workbookPr date1904="1"/>',
    });
    expect((await importOf('f.xlsx')).status).toBe(0);
    expect(await held('last_contacted')).toEqual(['2026-11-21', '1904-01-02']);
  });

  it('a number that is a day without marks', async () => {
    await writeBook('f.xlsx', [
      [...header, 'last-contacted'],
      ['A', one, one, '<c><v>20140102</v></c>'],
    ]);
    const refused = await importOf('f.xlsx');
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('--date-order ymd reads it as 2014-01-02.')]);
    expect((await importOf('f.xlsx', '--date-order', 'ymd')).status).toBe(0);
    expect(await held('last_contacted')).toEqual(['2014-01-02']);
  });

  it('a duration is called one, and so is the serial number of a day', async () => {
    const cells = [styled(4, '1.5'), styled(7, '100.5'), '<c><v>44197</v></c>'];
    await writeBook('f.xlsx', [[...header, 'last-contacted'], ...cells.map((cell) => ['A', one, one, cell])], { styles });
    const { status, stderr } = await importOf('f.xlsx');
    expect([status, stderr.split('\n').slice(1, 3)]).toEqual([
      2,
      [
        '  lines 2 and 3, column last-contacted: for instance D2 is a duration; write it as text, or as a number.',
        '  line 4, column last-contacted: "44197" is a number by which spreadsheets count days: show the column as dates there, and save it again.',
      ],
    ]);
  });
});

describe('imported already', () => {
  const first = 'title,status,category,value,email,description\nA,New,1,100.00,Ann@Ex.Example,two \n';
  const saved = 'title,status,category,value,email,description\nA,1,1,100,ann@ex.example, two\n';

  it('however a spreadsheet saved the values', async () => {
    await lead('Z');
    shop.write('f.csv', first);
    const made = await importOf('f.csv');
    expect([made.status, made.stderr]).toEqual([0, expect.anything()]);
    shop.write('f.csv', saved);
    const again = await importOf('f.csv');
    expect([again.status, again.stderr]).toEqual([10, expect.stringContaining('f.csv was imported already: 1 of 1 row was created on')]);
    shop.write('f.csv', `${saved}B,1,1,7,,\n`);
    expect((await importOf('f.csv', '--resume', '--json')).json()).toMatchObject({ created: 2, total: 2 });
    expect(await held('title')).toEqual(['A', 'B', 'Z']);
  });

  it('also by the digests of version 0.2, which had the texts of the file', async () => {
    shop.write('f.csv', 'title,status,category,value,description\nA,1,1,100.00,two \nB,1,1,,\n');
    expect((await importOf('f.csv', '--concurrency', '1')).status).toBe(0);
    const values = { lead_title: 'A', lead_status: '1', lead_categoryid: '1', lead_value: '100.00', lead_description: 'two ' };
    const sorted = Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const digest = hash('sha256', JSON.stringify([null, sorted]), 'buffer').subarray(0, 16);
    const folder = join(shop.folder, 'data', 'journals');
    const journal = new DatabaseSync(join(folder, readdirSync(folder).find((name) => name.endsWith('.sqlite')) ?? ''));
    const before = journal.prepare('SELECT digest FROM steps WHERE n = 1').get();
    expect(before).not.toEqual({ digest: new Uint8Array(digest) });
    journal.prepare('UPDATE steps SET digest = ? WHERE n = 1').run(digest);
    journal.exec('UPDATE runs SET ended = NULL');
    journal.close();
    const again = await importOf('f.csv');
    expect([again.status, again.stderr]).toEqual([10, expect.stringContaining('An import of f.csv is unfinished: 2 of 2 rows are done.')]);
    expect((await importOf('f.csv', '--resume', '--json')).json()).toMatchObject({ created: 2, total: 2 });
    expect(await held('title')).toEqual(['A', 'B']);
  });

  it('a row of version 0.2 whose key had what nobody sees finds its record', async () => {
    const file = 'title,status,category,email\nA,1,1,ann\u200b@ex.example\nB,1,1,ben@ex.example\n';
    const upsert = ['--mode', 'upsert', '--match', 'email', '--concurrency', '1'];
    shop.write('f.csv', file);
    expect((await importOf('f.csv', ...upsert)).status).toBe(0);
    const store = new DatabaseSync(join(shop.folder, 'data', 'sandbox.sqlite'));
    store.exec("UPDATE leads SET doc = replace(doc, 'ann@', 'ann\u200b@') WHERE id = 1");
    store.close();
    const key = 'ann\u200b@ex.example';
    const values = { lead_title: 'A', lead_status: '1', lead_categoryid: '1', lead_email: key };
    const sorted = Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const folder = join(shop.folder, 'data', 'journals');
    const journal = new DatabaseSync(join(folder, readdirSync(folder).find((name) => name.endsWith('.sqlite')) ?? ''));
    journal.prepare('UPDATE steps SET digest = ? WHERE n = 1').run(hash('sha256', JSON.stringify([key, sorted]), 'buffer').subarray(0, 16));
    journal.exec('UPDATE runs SET ended = NULL');
    journal.close();
    const resumed = await importOf('f.csv', ...upsert, '--resume', '--json');
    expect([resumed.status, resumed.json()]).toEqual([0, expect.objectContaining({ created: 2, updated: 0, total: 2 })]);
    expect(await held('title')).toEqual(['A', 'B']);
  });
});

describe('texts', () => {
  it('blanks at the edges go, an email loses what nobody sees, ="…" is its text', async () => {
    shop.write('f.csv', 'title,status,category,email,phone\n A ,1,1,\ufeffann@ex.example\u200b,"=""0046701"""\n');
    const { status, stderr } = await importOf('f.csv');
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(
        /^1 cell holds characters that nobody sees, which are left out\.\n1 text has blanks at the edges, which are left out\.\n1 cell is written as ="…", which is read as the text within\.\n/,
      ),
    ]);
    expect([await held('title'), await held('contact.email'), await held('contact.phone')]).toEqual([
      ['A'],
      ['ann@ex.example'],
      ['0046701'],
    ]);
  });

  it('an email that only differs in what nobody sees is the same key', async () => {
    await lead('A', '--email', 'ann@ex.example');
    shop.write('f.csv', 'title,status,category,email\nB,1,1,ann\u200b@ex.example\n');
    expect((await importOf('f.csv', '--mode', 'upsert', '--match', 'email', '--json')).json()).toMatchObject({ created: 0, updated: 1 });
  });

  it('a control character that the record holds stays; another is a problem of its cell', async () => {
    await lead('A', '--city', 'a\u0001b');
    const { stdout } = await shop.crm(['leads', 'list', '--csv', '--fields', 'id,address.city,address.zip']);
    shop.write('f.csv', stdout.replace(/,$/m, ',3000'));
    shop.write('f.csv', 'id,city,zip\n1,a\u0001b,3000\n');
    expect((await update('f.csv')).status).toBe(0);
    expect([await held('address.city'), await held('address.zip')]).toEqual([['a\u0001b'], ['3000']]);
    shop.write('f.csv', 'id,city\n1,a\u0000b\n');
    const other = await update('f.csv');
    expect([other.status, other.stderr]).toEqual([8, expect.stringContaining('city: it holds a control character (U+0000)')]);
    shop.write('f.csv', 'title,status,category,city\nB,1,1,a\u001fb\n');
    const made = await importOf('f.csv');
    expect([made.status, made.stderr]).toEqual([2, expect.stringContaining('line 2, column city: it holds a control character (U+001F)')]);
  });

  it.each(['csv', 'xlsx'])('a formula guard in %s is no change, and no part of a new value', async (format) => {
    await lead('A', '--description', '- wants a demo\n=and more', '--city', "'-cmd");
    const cells = [one, "'- wants a demo\n'=and more", "'-cmd", "'=new"];
    if (format === 'xlsx') await writeBook('f.xlsx', [['id', 'description', 'city', 'street'], cells]);
    else shop.write('f.csv', `id,description,city,street\n1,"${cells[1]}",'-cmd,'=new\n`);
    const { stdout } = await update(`f.${format}`, '--dry-run', '--json');
    expect((JSON.parse(stdout) as { rows: { changes: unknown[] }[] }).rows[0]?.changes).toEqual([expect.objectContaining({ new: '=new' })]);
    expect((await update(`f.${format}`)).status).toBe(0);
    expect([await held('description'), await held('address.city'), await held('address.street')]).toEqual([
      ['- wants a demo\n=and more'],
      ["'-cmd"],
      ['=new'],
    ]);
  });

  it('a change file that a spreadsheet saved as .xlsx', async () => {
    await lead('A', '--description', '- wants a demo', '--zip', '01234');
    await writeBook('c.xlsx', [
      ['family', 'id', 'description', 'was.description', 'city', 'was.city'],
      ['leads', one, "'- has one", "'- wants a demo", "'=x", ''],
    ]);
    const { status, stderr } = await shop.crm(['apply', 'c.xlsx']);
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('hanged meanwhile')]);
    expect([await held('description'), await held('address.city')]).toEqual([['- has one'], ['=x']]);
  });
});

it('a truth value is no new text of a change file', async () => {
  await lead('A');
  await writeBook('c.xlsx', [
    ['family', 'id', 'city', 'was.city'],
    ['leads', one, '<c t="b"><v>1</v></c>', ''],
  ]);
  const { status, stderr } = await shop.crm(['apply', 'c.xlsx']);
  expect([status, stderr]).toEqual([2, expect.stringContaining('line 2, column city: it is TRUE, a truth value. Write a text.')]);
});

it('the rejects of a workbook begin with a byte order mark, and are read again by the printed command', async () => {
  await writeBook('f.xlsx', [header, ['Käse', 'nix', one], ['Brot', one, one]]);
  const { status, stderr } = await importOf('f.xlsx', '--skip-invalid', '--rejects', 'rejects.csv');
  expect([status, shop.read('rejects.csv').startsWith('\ufefftitle,status,category,_line')]).toEqual([8, true]);
  shop.write('rejects.csv', shop.read('rejects.csv').replace(',nix,', ',1,'));
  const command = /: (crm leads import rejects\.csv.*)$/m.exec(stderr)?.[1] ?? '';
  expect((await shop.crm(command.split(' ').slice(1))).status).toBe(0);
  expect(await held('title')).toEqual(['Brot', 'Käse']);
});

it('a header in the middle is named, and left out by --skip-invalid', async () => {
  shop.write('f.csv', 'title,status,category\nA,1,1\n\ufeffTitle,status,category\nB,1,1\n');
  const refused = await importOf('f.csv');
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('line 3: the row repeats the header.')]);
  expect((await importOf('f.csv', '--skip-invalid')).status).toBe(8);
  expect(await held('title')).toEqual(['A', 'B']);
});

describe('zeros and plus signs that a spreadsheet took', () => {
  const both = async (): Promise<void> => {
    await lead('A', '--zip', '00530', '--phone', '+46701234567');
    await lead('B', '--zip', '01234', '--phone', '+46707654321');
  };

  it.each(['csv', 'xlsx'])('are no change in %s, and are said once', async (format) => {
    await both();
    if (format === 'csv') shop.write('f.csv', 'id,zip,phone,city\n1,530,46701234567,Bern\n2,1234,46707654321,\n');
    else
      await writeBook('f.xlsx', [
        ['id', 'zip', 'phone', 'city'],
        [one, '<c><v>530</v></c>', '<c><v>46701234567</v></c>', 'Bern'],
        ['2', '<c><v>1234</v></c>', '<c><v>46707654321</v></c>'],
      ]);
    const { status, stderr } = await update(`f.${format}`);
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining(
        'zip: 2 values without their leading zeros (lines 2 and 3): left as they are; an export with -o xlsx keeps them.',
      ),
    ]);
    expect(stderr).toContain(
      'phone: 2 values without their plus sign (lines 2 and 3): left as they are; an export with -o xlsx keeps them.',
    );
    expect([await held('address.zip'), await held('contact.phone')]).toEqual([
      ['00530', '01234'],
      ['+46701234567', '+46707654321'],
    ]);
    expect(await held('address.city')).toEqual(['Bern', null]);
  });

  it('where one cell has its zero, the others mean what they say', async () => {
    await both();
    shop.write('f.csv', 'id,zip\n1,530\n2,01234\n');
    const { status, stderr } = await update('f.csv');
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining(
        'zip: 1 value without its leading zeros (line 2): taken as meant, because other cells of the column have theirs; if a spreadsheet took them, export with -o xlsx.',
      ),
    ]);
    expect(await held('address.zip')).toEqual(['530', '01234']);
  });

  it('a change file compares a zero that it has, and none that a spreadsheet took', async () => {
    await both();
    shop.write('c.csv', 'family,id,zip,was.zip\nleads,1,530,00530\nleads,2,1235,1234\n');
    expect((await shop.crm(['apply', 'c.csv'])).status).toBe(0);
    expect(await held('address.zip')).toEqual(['530', '1235']);
    shop.write('c.csv', 'family,id,zip,was.zip\nleads,1,7,00530\n');
    const { status, stderr } = await shop.crm(['apply', 'c.csv']);
    expect([status, stderr]).toEqual([8, expect.stringContaining('zip is 530 now, not 00530')]);
  });
});

describe('amounts', () => {
  const valuesOf = async (values: readonly string[], ...flags: string[]): Promise<unknown> => {
    const lines = values.map((value, index) => `L${String(index).padStart(2, '0')};1;1;"${value}"\n`);
    shop.write('f.csv', `title;status;category;value\n${lines.join('')}`);
    const { status, stderr } = await importOf('f.csv', ...flags);
    return status === 0 ? { stderr, values: await held('value') } : stderr;
  };

  it.each([
    ['R$ 1.234,56', '1234.56'],
    ['1.234,56 US$', '1234.56'],
    ['kr 1.234,56', '1234.56'],
    ['kr. 1.234,56', '1234.56'],
    ['1.234,56 zł', '1234.56'],
    ['1.234,56 Kč', '1234.56'],
    ['1.234,56 Ft', '1234.56'],
    ['1,00,000.00', '100000.00'],
    ['(350.00)', '-350.00'],
    ['($350.00)', '-350.00'],
    ['$(350.00)', '-350.00'],
    ['\u2212350', '-350.00'],
    ['+1250', '1250.00'],
    ['-€ 12.50', '-12.50'],
    ['EUR -12.50', '-12.50'],
  ])('%s is %s', async (cell, value) => {
    expect(await valuesOf([cell])).toMatchObject({ values: [value] });
  });

  it.each(['12 MIO', '12k', '3 Mio', '12 kg', '(-5)', '12 EUR USD'])('%s is no amount', async (cell) => {
    expect(await valuesOf([cell, '1.00'])).toContain(`"${cell}" is not a decimal number`);
  });

  it('one value with both marks shows the decimal mark of its column, and that is said', async () => {
    expect(await valuesOf(['1.234,56', '12,50', '12.000', '7'])).toEqual({
      stderr: expect.stringMatching(/^value: comma is the decimal mark, as "1\.234,56" shows\.\nUndo: /),
      values: ['1234.56', '12.50', '12000.00', '7.00'],
    });
    expect(await valuesOf(['1,234.56', '12.25'])).toMatch(/^value: point is the decimal mark, as "1,234\.56" shows\./);
  });

  it.each([
    [['1.234,56', '12.50'], 'a value with the other mark'],
    [['1,234.56', '12.345'], 'three decimals among others with two'],
    [['1.234,56', '1,234.56'], 'both marks in both orders'],
  ])('%s are not clear: %s', async (values) => {
    expect(await valuesOf(values)).toContain('--decimal-mark comma or point');
  });
});

describe('characters that nobody sees', () => {
  // biome-ignore format: a table
  const marks = ['\u200b', '\u200e', '\u200f', '\u202a', '\u202e', '\u2060', '\u2064', '\u2066', '\u2069', '\ufeff', '\u00ad'];

  it.each(['csv', 'json'])(
    'go at the edges of every text, and anywhere in an email, a phone, a postal code and a website (%s)',
    async (format) => {
      const cells = {
        title: ' \u200e Ann\u200c \u200b',
        status: '\u200e1',
        category: '1\u2069',
        email: 'a\u200dnn@ex.example',
        phone: '\u202a+1\u200e 2\u202c',
        zip: `0${marks.join('')}1`,
        website: 'x\u00ad.example',
        city: 'a\u200bb',
        value: '\u200e12.50',
        'last-contacted': '\u200e2026-03-05',
        tags: 'vip\u200b',
      };
      shop.write('f.csv', `${Object.keys(cells).join(',')}\n${Object.values(cells).join(',')}\n`);
      shop.write('f.json', JSON.stringify([cells]));
      const { status, stderr } = await importOf(`f.${format}`);
      expect([status, stderr]).toEqual([0, expect.stringContaining('10 cells hold characters that nobody sees, which are left out.')]);
      const { stdout } = await shop.crm([
        'leads',
        'list',
        '--json',
        '--fields',
        'title,value,last_contacted,contact.email,contact.phone,contact.website,address,tags',
      ]);
      expect(JSON.parse(stdout)).toEqual([
        {
          title: format === 'csv' ? 'Ann\u200c' : '  Ann\u200c ',
          value: '12.50',
          last_contacted: '2026-03-05',
          tags: ['vip'],
          contact: { email: 'ann@ex.example', phone: '+1 2', website: 'x.example' },
          address: { street: null, city: 'a\u200bb', state: null, zip: '01', country: null },
        },
      ]);
    },
  );

  it.each(['csv', 'json', 'xlsx'])('of a record are no change when its export comes back (%s), and apply takes it', async (format) => {
    await lead('A');
    const store = new DatabaseSync(join(shop.folder, 'data', 'sandbox.sqlite'));
    store.exec(
      "UPDATE leads SET doc = json_set(doc, '$.title', 'A\u200b', '$.contact.phone', '+1\u202c', '$.tags', json('[\"vip\u200b\"]'))",
    );
    store.close();
    const exported = await shop.crm(['leads', 'list', '--all', '--out', `f.${format}`]);
    expect(exported.status).toBe(0);
    expect((await update(`f.${format}`, '--json')).json()).toMatchObject({ unchanged: 1, updated: 0 });
    shop.write('g.csv', 'id,title,phone,tags,city\n1,A,+1,vip,Bern\n');
    expect((await update('g.csv', '--json')).json()).toMatchObject({ updated: 1 });
    expect([await held('title'), await held('contact.phone'), await held('tags')]).toEqual([['A\u200b'], ['+1\u202c'], [['vip\u200b']]]);
    shop.write('c.csv', 'family,id,title,was.title,city,was.city\nleads,1,A,A,Köln,Bern\n');
    expect((await shop.crm(['apply', 'c.csv'])).status).toBe(0);
    expect([await held('title'), await held('address.city')]).toEqual([['A\u200b'], ['Köln']]);
  });

  it('don’t count in flags, --where, names and matches', async () => {
    await lead('\u200bA\u200e', '--phone', '+1\u202a 2', '--email', 'mailto:a@x.example');
    expect([await held('title'), await held('contact.phone'), await held('contact.email')]).toEqual([['A'], ['+1 2'], ['a@x.example']]);
    const store = new DatabaseSync(join(shop.folder, 'data', 'sandbox.sqlite'));
    store.exec("UPDATE leads SET doc = json_set(doc, '$.title', '\u200bA', '$.contact.phone', '+1\u202c 2')");
    store.close();
    for (const where of ['title=A', 'title=A\u200e', 'phone=+1 2', 'phone~1 2', 'status=\u200eNew'])
      expect((await shop.crm(['leads', 'list', '--where', where, '--count', '-q'])).stdout, where).toBe('1\n');
    shop.write('f.csv', 'title,phone,city\n\u200eA,+1 2\u200e,Bern\n');
    expect((await update('f.csv', '--match', 'title', '--json')).json()).toMatchObject({ updated: 1 });
    expect((await update('f.csv', '--match', 'phone', '--json')).json()).toMatchObject({ unchanged: 1 });
  });
});
