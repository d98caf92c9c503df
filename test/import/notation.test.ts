// Numbers and days as spreadsheets write them: read when somebody says how, refused where they could be read in two ways.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainText } from '../../src/import/columns/notation.ts';
import { openWorkshop, type Workshop } from './support.ts';

const nbsp = '\u00a0';
const narrow = '\u202f';

describe('decimals', () => {
  it.each([
    ['1250', undefined, '1250'],
    ['-1250.00', undefined, '-1250.00'],
    ['12345678901234567890.10', undefined, '12345678901234567890.10'],
    ['1.250,00', 'comma', '1250.00'],
    ['-1.234.567,8', 'comma', '-1234567.8'],
    ['12.000', 'comma', '12000'],
    ['980,50', 'comma', '980.50'],
    ['1250', 'comma', '1250'],
    [`1${nbsp}250,00`, 'comma', '1250.00'],
    [`1${narrow}250`, 'comma', '1250'],
    ['1 250 000,5', 'comma', '1250000.5'],
    ["1'250.00", 'point', '1250.00'],
    ['1’250.00', 'point', '1250.00'],
    ['1,250.00', 'point', '1250.00'],
    ['12,000', 'point', '12000'],
    ['12.000', 'point', '12.000'],
    [' 1,250.00 ', 'point', '1250.00'],
    ['70.289,00 €', 'comma', '70289.00'],
    ['EUR 12', undefined, '12'],
    ['$1,250.50', 'point', '1250.50'],
    ['-12 CHF', undefined, '-12'],
    ['-€ 7,5', 'comma', '-7.5'],
  ] as const)('%j with %s is %j', (text, decimalMark, expected) => {
    expect(plainText({ kind: 'decimal' }, text, decimalMark === undefined ? {} : { decimalMark })).toBe(expected);
  });

  it.each([
    ['1.250,00', undefined, /comma, or marks between thousands: say with --decimal-mark/],
    ['12,5', undefined, /--decimal-mark/],
    ['1 250.00', undefined, /--decimal-mark/],
    ['1.250.000', undefined, /--decimal-mark/],
    ['12.50', 'comma', /^"12\.50" is not a number whose decimals come after a comma/],
    ['1,250.00', 'comma', /whose decimals come after a comma/],
    ['1.250,00', 'point', /whose decimals come after a point/],
    ['1,25', 'point', /whose decimals come after a point/],
    ['70.289,00 €', undefined, /^"70\.289,00" has a comma.*--decimal-mark/],
  ] as const)('%j with %s is refused', (text, decimalMark, expected) => {
    const read = () => plainText({ kind: 'decimal' }, text, decimalMark === undefined ? {} : { decimalMark });
    expect(read).toThrow(expected);
  });

  it.each(['1.2.3', '12 Stück', 'ABC', 'VAT x', '12 3', '1,2,3', '1.25,000', 'x', '1.250 000'])(
    '%j is left to the check of values',
    (text) => {
      expect(plainText({ kind: 'decimal' }, text, {})).toBe(text);
    },
  );
});

describe('days', () => {
  it.each([
    ['2026-12-31', undefined],
    ['2026-12-31 00:00:00', undefined],
    ['2026-12-31T08:15:00.123456Z', 'mdy'],
    ['2026-12-31T08:15:00+02:00', undefined],
    ['31.12.2026', 'dmy'],
    ['31/12/2026', 'dmy'],
    ['31-12-2026 00:00', 'dmy'],
    ['31 12 2026', 'dmy'],
    ['12/31/2026', 'mdy'],
    ['12/31/2026 12:00 AM', 'mdy'],
    ['2026/12/31', 'ymd'],
    ['2026-12-31', 'dmy'],
  ] as const)('%j with %s is the last of the year', (text, dateOrder) => {
    expect(plainText({ kind: 'date' }, text, dateOrder === undefined ? {} : { dateOrder })).toBe('2026-12-31');
  });

  it.each([
    ['31.12.2026', undefined, /not written YYYY-MM-DD: say with --date-order/],
    ['2026/12/31', undefined, /--date-order/],
    ['3/4/26', undefined, /two digits: write it with four, and say with --date-order/],
    ['3/4/26', 'mdy', /two digits: write it with four\.$/],
    ['12/31/2026', 'dmy', /is not a day of the calendar, read as day, month, year \(--date-order dmy\)/],
    ['30.02.2026', 'dmy', /not a day of the calendar/],
    ['2026/12/31', 'dmy', /not a day of the calendar/],
  ] as const)('%j with %s is refused', (text, dateOrder, expected) => {
    const read = () => plainText({ kind: 'date' }, text, dateOrder === undefined ? {} : { dateOrder });
    expect(read).toThrow(expected);
  });
});

describe('in a file', () => {
  let shop: Workshop;

  beforeEach(() => {
    shop = openWorkshop();
  });

  afterEach(() => shop.remove());

  const valuesOf = async (): Promise<unknown[]> =>
    ((await shop.crm(['leads', 'list', '--all', '--json', '--sort', 'title', '--order', 'asc'])).json() as { value: unknown }[]).map(
      ({ value }) => value,
    );
  const importOf = (content: string, ...flags: string[]) => {
    shop.write('f.csv', content);
    return shop.crm(['leads', 'import', 'f.csv', ...flags]);
  };

  it('tells each cause once, with the flag', async () => {
    const { status, stderr } = await importOf(
      'title;status;category;value;last-contacted\nA;1;1;1250,00;31.12.2026\nB;1;1;980,50;1.2.2026\nC;1;1;7;\nD;1;1;12.000;\n',
    );
    expect(status).toBe(2);
    expect(stderr.split('\n').slice(0, 4)).toEqual([
      'error: 5 problems in f.csv; nothing was sent.',
      '  lines 2 and 3, column value: for instance "1250,00" has a comma, or marks between thousands: say with --decimal-mark comma or point which one divides the decimals.',
      '  lines 2 and 3, column last-contacted: for instance "31.12.2026" is not written YYYY-MM-DD: say with --date-order dmy, mdy or ymd in which order day, month and year stand.',
      '  line 5, column value: "12.000" could be thousands: write 12.00 or 12000, or say with --decimal-mark comma or point which one divides the decimals.',
    ]);
  });

  it('refuses what a spreadsheet made of long numbers that are none', async () => {
    const file = 'title,status,category,phone,zip,description\nA,1,1,4.93012E+11,,1E+5\nB,1,1,"4,93E+11",1E+05,\n';
    const { status, stderr } = await importOf(file);
    expect([status, stderr.split('\n').slice(1, 3)]).toEqual([
      2,
      [
        '  lines 2 and 3, column phone: for instance "4.93012E+11" is a number that a spreadsheet has shortened: write all of its digits, with the column as text.',
        '  line 3, column zip: "1E+05" is a number that a spreadsheet has shortened: write all of its digits, with the column as text.',
      ],
    ]);
    expect((await importOf(file, '--csv-raw')).status).toBe(0);
  });

  it('refuses what a spreadsheet put in place of a value', async () => {
    const file = 'title,status,category,description\nA,1,1,#REF!\nB,1,1,#WERT!\nC,1,1,#NAME\n';
    const { status, stderr } = await importOf(file);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/lines 2 and 3, column description: .*"#REF!" is a formula that failed/)]);
    expect((await importOf(file, '--csv-raw')).status).toBe(0);
  });

  it('one currency throughout a column is said once and read past', async () => {
    const file = 'title;status;category;value\nA;1;1;70.289,00 €\nB;1;1;\nC;1;1;EUR 12\n';
    const { status, stderr } = await importOf(file, '--decimal-mark', 'comma');
    expect([status, stderr.split('currency').length]).toEqual([0, 2]);
    expect(stderr).toContain('The column value is in EUR. The currency is not sent: records hold none.');
    expect(await valuesOf()).toEqual(['70289.00', null, '12.00']);
  });

  it.each([['two currencies', 'A,1,1,12 €\nB,1,1,7 USD\nC,1,1,8 €\n', 'line 3, column value: "7 USD" and "12 €"']])(
    '%s in one column are refused',
    async (_name, rows, told) => {
      const { status, stderr } = await importOf(`title,status,category,value\n${rows}`);
      expect([status, stderr]).toEqual([2, expect.stringContaining(`${told} are not in the same currency`)]);
    },
  );

  it('reads them with it', async () => {
    const file = 'title;status;category;value\nA;1;1;1.250,00\nB;1;1;980,50\nC;1;1;12.000\n';
    expect((await importOf(file, '--decimal-mark', 'comma')).status).toBe(0);
    expect(await valuesOf()).toEqual(['1250.00', '980.50', '12000.00']);
  });

  it.each([
    [
      'beside whole numbers',
      ['12.000', '5', '1.500'],
      /lines 2 and 4, column value: for instance "12.000" could be thousands: write 12.00 or 12000,/,
    ],
    [
      'beside a number with two decimals',
      ['145.000', '12900.50'],
      /line 2, column value: "145.000" could be thousands: write 145.00 or 145000,/,
    ],
    ['behind a currency', ['€ 145.125', '€ 7'], /line 2, column value: "145.125" could be thousands: write 145.1250 or 145125,/],
    ['with a comma', ['"12,345"'], /line 2, column value: "12,345" has a comma, or marks between thousands: say with --decimal-mark/],
  ])('a number that could be thousands is refused %s', async (_name, values, says) => {
    const { status, stderr } = await importOf(`title,status,category,value\n${values.map((one) => `A,1,1,${one}\n`).join('')}`);
    expect([status, stderr]).toEqual([2, expect.stringMatching(says)]);
    expect(stderr).toContain('--decimal-mark comma or point which one divides the decimals');
  });

  it.each([
    ['0.125', '0.13'],
    ['1234.567', '1234.57'],
  ])('a column with %s is one of three decimals', async (other, kept) => {
    expect((await importOf(`title,status,category,value\nA,1,1,12.000\nB,1,1,${other}\n`)).status).toBe(0);
    expect(await valuesOf()).toEqual(['12.00', kept]);
  });

  it('--decimal-mark says what a number that could be thousands is; --skip-invalid does not guess', async () => {
    const file = 'title,status,category,value\nA,1,1,145.000\nB,1,1,7.50\n';
    expect((await importOf(file, '--decimal-mark', 'point')).status).toBe(0);
    expect(await valuesOf()).toEqual(['145.00', '7.50']);
    const { status, stderr } = await importOf(`${file}C,1,1,8\n`, '--again', '--yes', '--skip-invalid');
    expect([status, stderr]).toEqual([2, expect.stringContaining('line 2, column value: "145.000" could be thousands')]);
    expect(await valuesOf()).toEqual(['145.00', '7.50']);
  });

  it('a currency may be missing in some cells; what is no number is told as such', async () => {
    expect((await importOf('title;status;category;value\nA;1;1;38.450,00 €\nB;1;1;145.000\n', '--decimal-mark', 'comma')).status).toBe(0);
    expect(await valuesOf()).toEqual(['38450.00', '145000.00']);
    const { status, stderr } = await importOf('title,status,category,value\nA,1,1,12.5k\nB,1,1,7 €\n');
    expect([status, stderr]).toEqual([2, expect.stringContaining('line 2, column value: "12.5k" is not a decimal number')]);
    expect(stderr).not.toContain('currency');
  });

  it("an apostrophe divides thousands, whatever --decimal-mark doesn't say", async () => {
    expect((await importOf("title,status,category,value\nA,1,1,CHF 71'500.00\nB,1,1,CHF 1'250\n")).status).toBe(0);
    expect(await valuesOf()).toEqual(['71500.00', '1250.00']);
  });

  it('a column in two currencies is refused with --skip-invalid, too', async () => {
    const { status, stderr } = await importOf('title,status,category,value\nA,1,1,12 €\nB,1,1,$ 7\nC,1,1,8 €\n', '--skip-invalid');
    expect([status, stderr]).toEqual([2, expect.stringContaining('line 3, column value: "$ 7" and "12 €" are not in the same currency')]);
    expect(await valuesOf()).toEqual([]);
  });

  it('what JSON says is a number is one; texts in it are read by the flags', async () => {
    shop.write('f.json', '[{"title":"A","status":1,"category":1,"value":12.125},{"title":"B","status":1,"category":1,"value":"1.250,5"}]');
    expect((await shop.crm(['leads', 'import', 'f.json'])).stderr).toContain('line 1, member value: "1.250,5" has a comma');
    expect((await shop.crm(['leads', 'import', 'f.json', '--decimal-mark', 'comma'])).status).toBe(0);
    expect(await valuesOf()).toEqual(['12.13', '1250.50']);
  });

  it('a value that a spreadsheet has written otherwise is the same value', async () => {
    await importOf('title,status,category,value,last-contacted\nA,1,1,1250.00,2026-12-31\n');
    const { status, json } = await importOf(
      'id;value;last-contacted\n1;1.250;31.12.2026\n',
      ...['--mode', 'update', '--decimal-mark', 'comma', '--date-order', 'dmy', '--json'],
    );
    expect([status, json()]).toMatchObject([0, { unchanged: 1, updated: 0 }]);
  });
});
