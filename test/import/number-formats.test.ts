// How a sheet shows a number, and what of that a text column and a decimal column take. Typed by hand; SheetJS and LibreOffice agreed on
// each text, but for blanks at its edges.

import { expect, it } from 'vitest';
import { typedBook } from '../support/workbook.ts';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

// biome-ignore format: a table
const formats: readonly (readonly [format: string, number: number, text: string | null])[] = [
  // Phones
  ['"+"0', 49301234567, '+49301234567'],
  ['\\+0', 49301234567, '+49301234567'],
  ['+0', 49301234567, '+49301234567'],
  ['"+"General', 49301234567, '+49301234567'],
  ['\\+## ## ###', 4930123, '+49 30 123'],
  ['+00 (0) 00 000000', 4930123456, '+04 (9) 30 123456'],
  ['[$+49-407] 0', 301234567, '+49 301234567'],
  ['0#" "##" "##" "##" "##', 612345678, '06 12 34 56 78'],
  ['0# ## ## ## ##', 612345678, '06 12 34 56 78'],
  ['00\\.00\\.00\\.00\\.00', 612345678, '06.12.34.56.78'],
  ['0000000000', 301234567, '0301234567'],
  ['"0"##########', 301234567, '0301234567'],
  ['\\00', 301234567, '0301234567'],
  ['"(0)"0', 301234567, '(0)301234567'],
  ['"Tel. "0', 301234567, 'Tel. 301234567'],
  ['[<=99999999]####-####;\\(00\\)\\ ####-####', 312345678, '(03) 1234-5678'],
  ['[<=99999999]####-####;\\(00\\)\\ ####-####', 34567890, '3456-7890'],
  ['[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', 2065550142, '(206) 555-0142'],
  ['[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', 5550142, '555-0142'],
  ['(000) 000-0000', 2065550142, '(206) 555-0142'],
  ['[>=1000000]00-0000-0000;0000', 301234567, '03-0123-4567'],
  ['\\8\\ \\(000\\)\\ 000\\-00\\-00', 9161234567, '8 (916) 123-45-67'],
  ['"+7 ("000") "000"-"00"-"00', 9161234567, '+7 (916) 123-45-67'],
  ['000 000 00 00', 123456789, '012 345 67 89'],
  // Postal codes and numbers of people and things
  ['00000', 2035, '02035'],
  ['0####', 2035, '02035'],
  ['00000\\-0000', 20350001, '02035-0001'],
  ['[<=99999]00000;00000\\-0000', 203500012, '20350-0012'],
  ['[<=99999]00000;General', 203500012, '203500012'],
  ['[Blue][<=99999]00000;[Red]00000-0000', 2035, '02035'],
  ['[<=999]000;[<=9999]000\\-00;000\\-0000', 600001, '060-0001'],
  ['[<=999]000;[<=9999]000\\-00;000\\-0000', 6001, '060-01'],
  ['[<=999]000;[<=9999]000\\-00;000\\-0000', 60, '060'],
  ['00\\-000', 950, '00-950'],
  ['000" "00', 11000, '110 00'],
  ['\\D\\-00000', 1067, 'D-01067'],
  ['"A-"0000', 1010, 'A-1010'],
  ['[$-407]00000', 2035, '02035'],
  ['_-* 00000_-', 2035, '02035'],
  ['?????', 2035, '2035'],
  ['??-??', 203, '2-03'],
  ['000\\-00\\-0000', 12345678, '012-34-5678'],
  ['#-0-#', 7, '-0-7'],
  ["000'0000", 1234567, "123'4567"],
  ['00:00', 930, '09:30'],
  ['0000-0000;@', 5, '0000-0005'],
  ['[<10]"0"0;0', 7, '07'],
  ['00000;;', 2035, '02035'],
  ['00000;[Red]-00000', -35, '-00035'],
  ['000;(000)', -5, '(005)'],
  ['000', -5, '-005'],
  ['00000;-00000;"none"', 0, 'none'],
  ['##', 0, null],
  // Digits alone, as before
  ['General', 12, '12'],
  ['0', 12, '12'],
  ['@', 12, '12'],
  ['#,##0', 12345, '12345'],
  ['0.00', 12, '12'],
  ['0E+00', 12345, '12345'],
  ['# ?/?', 12, '12'],
  ['000/0000', 1234567, '1234567'],
  ['0,', 12345, '12345'],
  ['[$€-407] 0', 5, '5'],
  ['0" €"', 5, '5'],
  ['$0', 5, '5'],
  ['_-* #,##0_-;-* #,##0_-;_-* "-"_-;_-@_-', 0, '0'],
  ['0%', 12, '12'],
];

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
const text = (said: string): string => `<c t="inlineStr"><is><t>${xml(said)}</t></is></c>`;

/** Writes a workbook whose last column has numbers in formats. */
async function write(column: string, cells: readonly (readonly [format: string, number: number, ...more: unknown[]])[]): Promise<void> {
  const codes = cells.map(([format], index) => `<numFmt numFmtId="${200 + index}" formatCode="${xml(format)}"/>`).join('');
  const looks = cells.map((_, index) => `<xf numFmtId="${200 + index}"/>`).join('');
  const header = ['title', 'status', 'category', column].map(text).join('');
  const rows = cells.map(
    ([, number], index) => `<row>${text(`L${100 + index}`)}${text('1')}${text('1')}<c s="${index}"><v>${number}</v></c></row>`,
  );
  shop.write(
    'f.xlsx',
    await typedBook({
      sheets: { one: `<row>${header}</row>${rows.join('')}` },
      styles: `<numFmts>${codes}</numFmts><cellXfs>${looks}</cellXfs>`,
    }),
  );
}

const held = (path: string): Promise<unknown[]> => shop.held(path, 'title');

it('a text column has what the sheet shows', async () => {
  await write('phone', formats);
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.xlsx']);
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining(' numbers are read as the workbook shows them, with its zeros and signs.\n'),
  ]);
  const read = await held('contact.phone');
  expect(read.map((phone, index) => [formats[index]?.[0], phone])).toEqual(formats.map(([format, , shown]) => [format, shown]));
});

it('a decimal column has the number, beside a currency and in any format of digits, too', async () => {
  const cells = formats.filter(([format]) => !/%|Tel|A-|\\D/.test(format)).map(([format, number]) => [format, number] as const);
  await write(
    'value',
    cells.filter(([format]) => !/[€$]/.test(format.replaceAll('[$-407]', ''))),
  );
  expect((await shop.crm(['leads', 'import', 'f.xlsx'])).status).toBe(0);
  await write('value', [
    ['[$€-407] 0.00', 1.234],
    ['0.000\\ "EUR"', -1.5],
    ['#,##0.00\\ [$€-1]', 1234567.5],
  ]);
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.xlsx', '--decimal-mark', 'comma']);
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining('The column value is in EUR. The currency is not sent: records hold none.\n'),
  ]);
  expect((await held('value')).slice(0, 6)).toEqual(expect.arrayContaining(['1.23', '-1.50', '1234567.50']));
});

it.each([
  ['0%', 0.15, '"15%" is not a decimal number such as 1250.00.'],
  ['0.0%', 0.155, '"15.5%" is not a decimal number'],
  ['0" k"', 12, '"12 k" is not a decimal number'],
  ['0.0," k"', 12300, '"12.3 k" is not a decimal number'],
  ['[>=1000000]0.0,,"M";0', 1250000, '"1.3M" is not a decimal number'],
  ['#,##0" Stk."', 12345, '"12345 Stk." is not a decimal number'],
  ['"ca. "General', 2.5, '"ca. 2.5" is not a decimal number'],
])('a number that is shown as %s of %d is no decimal, as in CSV', async (format, number, problem) => {
  await write('value', [[format, number]]);
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.xlsx']);
  expect([status, stderr]).toEqual([2, expect.stringContaining(`line 2, column value: ${problem}`)]);
});

it('two currencies in a column are an error, as in CSV', async () => {
  await write('value', [
    ['[$€-407] 0', 5],
    ['[$$-409] 0', 5],
  ]);
  expect((await shop.crm(['leads', 'import', 'f.xlsx'])).stderr).toContain('"$ 5" and "€ 5" are not in the same currency.');
});

it('an update leaves a phone that the sheet shows as the record holds it', async () => {
  await shop.crm(['leads', 'create', '--title', 'L100', '--status', '1', '--category', '1', '--phone', '+49301234567']);
  await write('phone', [['\\+0', 49301234567]]);
  for (const mode of ['update', 'upsert']) {
    const ended = await shop.crm(['leads', 'import', 'f.xlsx', '--mode', mode, '--match', 'phone', '--json']);
    expect([ended.status, ended.json()]).toEqual([0, expect.objectContaining({ unchanged: 1, created: 0, updated: 0 })]);
  }
});

it('a day that a format of digits writes is a day', async () => {
  await write('last-contacted', [['0000\\-00\\-00', 20260305]]);
  expect((await shop.crm(['leads', 'import', 'f.xlsx'])).status).toBe(0);
  expect(await held('last_contacted')).toEqual(['2026-03-05']);
});
