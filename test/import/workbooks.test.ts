// Workbooks that are imported: hand-typed sheets cell by cell, what is wrong with files, and what becomes of rows.

import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { unnamedBytes } from '../../src/base/files/unnamed-file.ts';
import { unpackedWorkbook } from '../../src/import/files/xlsx/workbook.ts';
import { readWholeXml } from '../../src/import/files/xlsx/xml.ts';
import { xlsxWriter } from '../../src/output/formats/xlsx.ts';
import { fakeIo } from '../support/fake-io.ts';
import { runs } from '../support/property-runs.ts';
import { rowsOfWorkbook, type TypedBook, typedBook, typedParts, zipped } from '../support/workbook.ts';
import { openWorkshop, type Workshop } from './support.ts';

let shop: Workshop;
beforeAll(() => {
  shop = openWorkshop({ demo: true });
});
afterAll(() => shop.remove());

/** Header and rows of a workbook, as rowsOfWorkbook gives them. */
const rowsOf = (bytes: Uint8Array, sheet?: string): Promise<unknown[]> => rowsOfWorkbook(shop.folder, bytes, sheet);

/** The second column of the rows under a header. */
async function valuesOf(cells: readonly string[], book: Omit<TypedBook, 'sheets'> = {}): Promise<unknown[]> {
  const rows = cells.map((cell, index) => `<row r="${index + 2}">${cell.replace('<c', `<c r="B${index + 2}"`)}</row>`);
  const header = '<row r="1"><c r="B1" t="inlineStr"><is><t>value</t></is></c></row>';
  const all = await rowsOf(await typedBook({ ...book, sheets: { one: `${header}${rows.join('')}` } }));
  return all.slice(1).map((row) => (row as unknown[])[2]);
}

const styles =
  '<numFmts><numFmt numFmtId="170" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="171" formatCode="[$-407]d/ mmmm\\ yyyy;@"/>' +
  '<numFmt numFmtId="172" formatCode="&quot;days: &quot;0.00_d[Red]"/></numFmts>' +
  '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="172"/><xf numFmtId="22"/><xf numFmtId="20"/></cellXfs>';

describe('cells', () => {
  it('texts: shared, rich, with readings beside them, in the cell itself, with escapes', async () => {
    const texts =
      '<si><t>plain &amp; simple</t></si><si><r><t xml:space="preserve">two </t></r><r><rPr><b/></rPr><t>parts</t></r></si>' +
      '<si><t>東京</t><rPh sb="0" eb="2"><t>とうきょう</t></rPh></si><si><t>a_x000D_\nb_x005F_x0041_</t></si><si><t/></si>';
    const shared = [0, 1, 2, 3].map((index) => `<c t="s"><v>${index}</v></c>`);
    const inline = ['<c t="inlineStr"><is><t>\'01067</t></is></c>', '<c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c>'];
    expect(await valuesOf([...shared, ...inline, '<c t="s"><v>4</v></c><c r="C8"/>'], { texts })).toEqual([
      'plain & simple',
      'two parts',
      '東京',
      'a\r\nb_x0041_',
      "'01067",
      'ab',
    ]);
  });

  it('numbers: with the digits that a spreadsheet shows, and no others', async () => {
    const numbers = ['1250.1', '1250.10', '-5', '49123456789', '0.30000000000000004', '1E-7', '1.5e3', '-0', '999999999999999', '1067.0'];
    expect(await valuesOf(numbers.map((number) => `<c><v>${number}</v></c>`))).toEqual([
      ...[1250.1, 1250.1, -5, 49123456789, 0.3, '0.0000001', 1500, 0, 999999999999999, 1067],
    ]);
    expect(await valuesOf(['<c><v>1.2345678901234568E+19</v></c>'])).toEqual([
      '!B2 is a number of more than 15 digits, and spreadsheets lose the others; write it as text.',
    ]);
  });

  it('days and times by the look of the number, counted from 1900', async () => {
    const cells = [1, 2, 3].map((style) => `<c s="${style}"><v>46347</v></c>`);
    const others = [
      '<c s="4"><v>46347</v></c>',
      '<c s="5"><v>46347.604166666664</v></c>',
      '<c s="6"><v>0.5</v></c>',
      '<c s="1"><v>59</v></c>',
    ];
    expect(await valuesOf([...cells, ...others, '<c t="d"><v>2026-11-21T00:00:00</v></c>'], { styles })).toEqual([
      ...['2026-11-21', '2026-11-21', '2026-11-21', expect.objectContaining({ number: '46347' }), '2026-11-21 14:30:00', '12:00:00'],
      "!B8 is a date that can't be read, the number 59; write the date as text.",
      '2026-11-21',
    ]);
  });

  it('formulas by their results, booleans, and errors by name', async () => {
    const cells = [
      '<c><f>1+1</f><v>2</v></c>',
      '<c t="str"><f>"a"</f><v>a</v></c>',
      '<c t="b"><v>1</v></c>',
      '<c t="b"><v>0</v></c>',
      '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      '<c><f>A1</f></c>',
      '<c><f>A1</f><v></v></c>',
    ];
    expect(await valuesOf(cells)).toEqual([
      ...[
        2,
        'a',
        true,
        false,
        '!B6 holds the error #DIV/0!.',
        '!B7 is a formula without its result; open the file and save it again.',
        '!B8 is a formula without its result; open the file and save it again.',
      ],
    ]);
  });
});

const text = (place: string, said: string): string => `<c r="${place}" t="inlineStr"><is><t>${said}</t></is></c>`;

describe('sheets', () => {
  it('the header is the first row in which something stands; empty rows are passed over, and rows keep their numbers', async () => {
    const rows =
      `<row r="3">${text('B3', ' title ')}${text('D3', 'value')}</row><row r="5">${text('B5', 'A')}<c r="D5"><v>5</v></c></row>` +
      `<row r="6"><c r="B6" s="0"/></row><row r="9">${text('C9', 'stray')}</row><row r="12">${text('F12', 'far')}</row><row r="13"/>`;
    const sheets = { one: `${rows}` };
    const merged = typedParts({ sheets });
    expect(await rowsOf(await zipped(merged))).toEqual([
      [3, '', ' title ', '', 'value'],
      [5, null, 'A', null, 5],
      [9, null, null, 'stray', null],
      [12, '!something stands in F12, and the header ends before it.'],
    ]);
  });

  const sheets = { First: `<row>${text('A1', 'a')}</row>`, 'Leads &amp; more': `<row>${text('A1', 'b')}</row>` };

  it.each([
    ['2', 'b'],
    ['Leads & more', 'b'],
    ['first', 'a'],
  ])('--sheet %s', async (sheet, name) => {
    expect(await rowsOf(await typedBook({ sheets }), sheet)).toEqual([[1, name]]);
  });

  it('of several, one must be named', async () => {
    const book = await typedBook({ sheets });
    await expect(rowsOf(book)).rejects.toMatchObject({
      exitStatus: 2,
      message: 'book.xlsx has 2 sheets; say with --sheet which one is meant.',
      details: { hint: 'Sheets: First, Leads & more' },
    });
    await expect(rowsOf(book, 'Third')).rejects.toThrow('--sheet: book.xlsx has no sheet "Third". There are First, Leads & more.');
    await expect(rowsOf(book, '3')).rejects.toThrow('has no sheet "3"');
  });
});

const one = { one: `<row r="1">${text('A1', 'title')}</row>` };

/** A zip file in which a byte of a stored part was changed. */
async function flipped(): Promise<Buffer> {
  const bytes = await typedBook({ sheets: { one: `<row r="1">${text('A1', 'x'.repeat(50_000))}</row>` } });
  // The length that the part should have, in the central directory.
  const at = bytes.lastIndexOf('xl/worksheets/sheet0.xml') - 46 + 16;
  bytes.writeUInt32LE(1, at);
  return bytes;
}

it('whatever is written comes back, letter by letter', async () => {
  const unit = fc.oneof(
    fc.integer({ min: 1, max: 0xffff }),
    fc.constantFrom(...[...'_x00D<&>" \r\n\t'].map((letter) => letter.charCodeAt(0))),
  );
  const cell = fc.array(unit, { minLength: 1, maxLength: 20 }).map((units) => String.fromCharCode(...units));
  await fc.assert(
    fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 20 }), async (texts) => {
      const io = fakeIo();
      const writer = xlsxWriter({ io, flags: { csvRaw: false }, shape: { columns: [], record: [] }, now: new Date() });
      await writer.page(texts.map((text) => ({ text })));
      await writer.end();
      const [, ...rows] = await rowsOf(Buffer.from(io.stdoutText(), 'latin1'));
      expect(rows).toEqual(texts.map((text, index) => [index + 2, text]));
    }),
    runs(25),
  );
});

describe('no workbook', () => {
  it.each<[string, () => Promise<Buffer>, string]>([
    ['an old one', async () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'book.xlsx is an old .xls file, or has a password.'],
    [
      'cut off',
      async () => (await typedBook({ sheets: one })).subarray(0, 500),
      "book.xlsx can't be read as a workbook: it is damaged: its end is missing.",
    ],
    ['changed', flipped, 'its xl/worksheets/sheet0.xml was damaged after packing (CRC).'],
    ['another zip file', () => zipped({ mimetype: 'x' }), 'it has no _rels/.rels.'],
    ['wrong XML', () => typedBook({ sheets: { one: '<row></c>' } }), 'its XML is wrong: Unexpected close tag.'],
    ['an entity of its own', () => typedBook({ sheets: { one: '<row><c><v>&x;</v></c></row>' } }), 'Invalid character entity.'],
    ['too deep', () => typedBook({ sheets: { one: '<a>'.repeat(500) } }), 'its XML is nested too deeply.'],
    ['rows out of order', () => typedBook({ sheets: { one: '<row r="5"/><row r="4"/>' } }), 'there is a row 4 after row 5.'],
    ['a row far out', () => typedBook({ sheets: { one: '<row r="9999999999"/>' } }), 'there is a row 9999999999 after row 0.'],
    ['a cell elsewhere', () => typedBook({ sheets: { one: '<row r="5"><c r="A4"/></row>' } }), 'there is a cell A4 in row 5.'],
    [
      'a text that is not there',
      () => typedBook({ sheets: { one: '<row><c t="s"><v>7</v></c></row>' } }),
      "A1 refers to a text that the file doesn't have.",
    ],
    [
      'a bomb',
      () => typedBook({ sheets: one, texts: '', parts: { 'xl/sharedStrings.xml': Buffer.alloc(129 * 1024 * 1024, 32) } }),
      'unpacked, it is longer than 2 GiB.',
    ],
  ])('%s', async (_name, make, message) => {
    const error = await rowsOf(await make()).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ exitStatus: 2, message: expect.stringContaining(message) });
  });

  const endless = (head: string, more: string): [AsyncGenerator<Uint8Array>, { bytes: number }] => {
    const read = { bytes: 0 };
    const chunk = Buffer.from(more.repeat(65_536 / more.length));
    const bytes = async function* () {
      yield Buffer.from(head);
      // Not quite endless: a test that fails should end, too.
      for (let left = 200; left > 0; left -= 1) {
        read.bytes += chunk.length;
        yield chunk;
      }
    };
    return [bytes(), read];
  };

  it.each([
    ['a comment', '<a><!--', 'aaaa'],
    ['comments', '<a>', '<!---->'],
    ['an attribute', '<a b="', 'aaaa'],
    ['attributes', '<a ', 'b="" '],
    ['a text', '<a>', 'aaaa'],
    ['a text with entities', '<a>', '&lt;'],
    ['a text as it stands', '<a><![CDATA[', 'aaaa'],
    ['a name', '<', 'aaaa'],
    ['a document type', '<!DOCTYPE a [', 'aa '],
    ['an instruction', '<?a ', 'aaaa'],
  ])('%s without end is left after little more than 1 MiB', async (_what, head, more) => {
    const [bytes, read] = endless(head, more);
    await expect(readWholeXml(bytes, {})).rejects.toThrow('a text, an attribute or a comment in it is longer than 1 MiB');
    expect(read.bytes).toBeLessThan(1.5 * 1024 * 1024);
  });

  it('a signal ends the reading of any part', async () => {
    shop.write('one.xlsx', await typedBook({ sheets: { one: '' } }));
    const file = await open(join(shop.folder, 'one.xlsx'));
    const opened = {
      name: 'one.xlsx',
      path: undefined,
      file,
      bytes: () => unnamedBytes(file),
      checkUnchanged: async () => {},
      close: () => file.close(),
    };
    await expect(unpackedWorkbook(opened, undefined, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    await file.close();
  });

  it('bytes that were changed anywhere: it says so, or reads what is there', async () => {
    const texts = '<si><t>A</t></si><si><t>value</t></si>';
    const whole = await typedBook({ sheets: { one: `<row><c t="s"><v>1</v></c></row><row><c s="1"><v>7</v></c></row>` }, texts, styles });
    const change = fc.tuple(fc.integer({ min: 4, max: whole.length - 1 }), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const bytes = Buffer.from(whole);
        for (const [place, byte] of changes) bytes[place] = byte;
        const read = await rowsOf(bytes).catch((error: unknown) => error);
        expect(Array.isArray(read) || (read instanceof UsageError && read.message.startsWith('book.xlsx'))).toBe(true);
      }),
      runs(200),
    );
  });

  it('hidden and filtered rows are imported and counted, and the header may stand below others', async () => {
    const row = (n: number, cells: readonly string[], more = '') =>
      `<row r="${n}"${more}>${cells.map((cell, index) => text(`${'ABC'[index]}${n}`, cell)).join('')}</row>`;
    const rows = [
      row(1, ['Our leads']),
      row(3, ['title', 'status', 'category'], ' hidden="1"'),
      row(4, ['H-1', '1', '1'], ' hidden="1"'),
      row(5, ['H-2', '1', '1']),
      row(6, ['H-3', '1', '1'], ' hidden="true"'),
    ];
    shop.write('h.xlsx', await typedBook({ sheets: { one: rows.join('') } }));
    const refused = await shop.crm(['leads', 'import', 'h.xlsx']);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('Line 3 looks like the header: --header-line 3 reads')]);
    const { status, stderr } = await shop.crm(['leads', 'import', 'h.xlsx', '--header-line', '3']);
    expect([status, stderr]).toEqual([0, expect.stringContaining('2 rows of the sheet are hidden or filtered, and are read, too.\n')]);
    expect((await shop.crm(['leads', 'import', 'h.xlsx', '--header-line', '2'])).stderr).toContain('row 2 of the sheet is empty.');
  });

  it('a column that is there twice is read, and refused by its number', async () => {
    const twice = typedBook({ sheets: { one: `<row r="4">${text('A4', 'title')}${text('C4', 'title')}</row>` } });
    shop.write('t.xlsx', await twice);
    const { status, stderr } = await shop.crm(['leads', 'import', 't.xlsx']);
    expect([status, stderr]).toEqual([2, expect.stringContaining("line 4: the column title is there twice: --map 'title (2)='")]);
  });

  it('--sheet for what has none', async () => {
    shop.write('rows.csv', 'title,status,category\nA,1,1\n');
    expect(await shop.crm(['leads', 'import', 'rows.csv', '--sheet', 'x'])).toMatchObject({
      status: 2,
      stderr: 'error: --sheet is for .xlsx files, and rows.csv is read as csv.\n',
    });
  });
});

describe('an import', () => {
  const header = `<row r="1">${text('A1', 'title')}${text('B1', 'status')}${text('C1', 'category')}${text('D1', 'value')}${text('E1', 'phone')}${text('F1', 'zip')}${text('G1', 'dates.created')}</row>`;
  const row = (number: number, value: string, phone: string, created = ''): string =>
    `<row r="${number}">${text(`A${number}`, `Row ${number}`)}<c r="B${number}"><v>1</v></c><c r="C${number}"><v>2</v></c>${value}${phone}` +
    `${text(`F${number}`, '01067')}${created}</row>`;

  it('takes a cell that can’t be believed for wrong, where it counts', async () => {
    const bad = '<c r="D3" t="e"><v>#REF!</v></c>';
    const passedOver = '<c r="G4" t="e"><v>#REF!</v></c>';
    const rows = `${header}${row(2, '<c r="D2"><v>12.5</v></c>', '')}${row(3, bad, '')}${row(4, '', '', passedOver)}${row(5, bad.replace('D3', 'D5'), '')}`;
    shop.write('bad.xlsx', await typedBook({ sheets: { one: rows } }));
    const told = await shop.crm(['leads', 'import', 'bad.xlsx', '-q']);
    expect([told.status, told.stderr]).toEqual([
      2,
      expect.stringContaining('\n  lines 3 and 5, column value: for instance D3 holds the error #REF!.\n'),
    ]);
    const words = ['--skip-invalid', '--decimal-mark', 'comma', '--rejects', 'wrong.csv', '--results', 'all.csv'];
    const sent = await shop.crm(['leads', 'import', 'bad.xlsx', ...words, '--json', '-q']);
    expect([sent.status, sent.json()]).toEqual([8, expect.objectContaining({ created: 2 })]);
    expect(shop.read('wrong.csv')).toContain('\r\nRow 3,1,2,#REF!,,01067,,3,,value: D3 holds the error #REF!.\r\n');
    expect(shop.read('all.csv')).toMatch(
      /^\uFEFFtitle,.*\r\nRow 2,1,2,12.5,,01067,,\d+,created,\r\nRow 3,.*\r\nRow 4,1,2,,,01067,#REF!,\d+,created,\r\n/,
    );
    const [lead] = (await shop.crm(['leads', 'list', '--search', 'Row 2', '--json', '--fields', 'value'])).json() as object[];
    expect(lead).toEqual({ value: '12.50' });
  });

  it('sends numbers as their digits, texts as they are, from standard input too', async () => {
    const rows = `${header}${row(7, '<c r="D7"><v>1250.1</v></c>', '<c r="E7"><v>49123456789</v></c>')}`;
    const book = await typedBook({ sheets: { 'not this': '', one: rows } });
    const made = await shop.crm(['leads', 'import', '-', '--sheet', 'one', '--json', '-q'], { stdin: book });
    expect([made.status, made.stderr, made.json()]).toEqual([0, '', expect.objectContaining({ total: 1, created: 1 })]);
    const [lead] = (
      await shop.crm(['leads', 'list', '--search', 'Row 7', '--json', '--fields', 'value,contact.phone,address.zip'])
    ).json() as object[];
    expect(lead).toEqual({ value: '1250.10', contact: { phone: '49123456789' }, address: { zip: '01067' } });
  });

  it('goes on with the same rows in another workbook, and has its failed rows as CSV', async () => {
    const contacts = (number: number, email: string): string =>
      `<row r="${number}">${text(`A${number}`, '=Ann')}${text(`B${number}`, 'Lee')}${text(`C${number}`, email)}<c r="D${number}"><v>1</v></c></row>`;
    const names = `<row r="1">${text('A1', 'first-name')}${text('B1', 'last-name')}${text('C1', 'email')}${text('D1', 'client')}</row>`;
    const rows = `${names}${contacts(2, 'ann@x.example')}${contacts(3, 'maya@crm.example')}${contacts(4, 'bob@x.example')}`;
    shop.write('people.xlsx', await typedBook({ sheets: { one: rows, two: '' } }));
    const words = ['contacts', 'import', 'people.xlsx', '--sheet', 'one', '--format', 'xlsx', '--rejects', 'again.csv'];
    const first = await shop.crm([...words, '--json']);
    expect([first.status, first.json()]).toEqual([8, expect.objectContaining({ created: 2, failed: 1, rejects: 'again.csv' })]);
    expect(first.stderr).toContain('Repair them, then: crm contacts import again.csv --json');
    expect(shop.read('again.csv')).toMatch(
      /^\uFEFFfirst-name,last-name,email,client,_line,_status,_error\r\n'=Ann,Lee,maya@crm.example,1,3,422,/,
    );
    // Saved by another program: texts are shared, and rows stand elsewhere.
    const moved = rows.replaceAll(/r="([A-D]?)(\d)"/g, (_all, column: string, line: string) => `r="${column}${Number(line) + 4}"`);
    shop.write(
      'people.xlsx',
      await typedBook({ sheets: { two: '', one: moved.replaceAll('<is><t>Lee</t></is>', '<is><r><t>Lee</t></r></is>') } }),
    );
    expect(await shop.crm(words.slice(0, -2))).toMatchObject({
      status: 10,
      stderr: expect.stringContaining('people.xlsx was imported already'),
    });
    const resumed = await shop.crm([...words, '--resume', '--json']);
    expect(resumed.json()).toMatchObject({ total: 3, created: 2, failed: 1 });
    expect(resumed.stderr).toContain('line 7');
  });
});
