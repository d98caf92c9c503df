// Workbooks as they are written: each cell by hand, and what can't be written.

import { describe, expect, it } from 'vitest';
import { render } from '../../../src/output/render.ts';
import type { Shape } from '../../../src/output/result.ts';
import { openWorkshop } from '../../import/support.ts';
import { unzipped } from '../../support/workbook.ts';
import { options, pagesOf } from '../samples.ts';

const parcels: Shape = {
  name: 'parcels',
  singular: 'parcel',
  columns: [],
  record: ['id', 'title', 'price', 'zip', 'client.id', 'fragile', 'count', 'sent', 'dates.created', 'tags'],
  types: { price: { kind: 'decimal' }, sent: { kind: 'date' } },
};

async function written(records: readonly unknown[], fields?: string): Promise<Record<string, string>> {
  const run = options({ output: 'xlsx', ...(fields === undefined ? {} : { fields }) });
  await render({ kind: 'records', pages: pagesOf(records), shape: parcels, empty: () => '' }, run);
  return unzipped(Buffer.from(run.io.flushedText(), 'latin1'));
}

const sheet = 'xl/worksheets/sheet1.xml';

/** `A2: t 7` for a text, `C2: n6 1.50` for a number of the sixth style. */
const cellsOf = (xml = ''): string[] =>
  [...xml.matchAll(/<c r="([A-Z]+\d+)" s="(\d+)"( t="inlineStr")?>(?:<is><t xml:space="preserve">|<v>)(.*?)<\//gs)].map(
    ([, place, style, text, value]) => `${place}: ${text === undefined ? `n${style}` : 't'} ${value}`,
  );

const parcel = {
  id: 7,
  title: '=1+1',
  price: '1200.50',
  zip: '01067',
  client: { id: 12 },
  fragile: true,
  count: 3,
  sent: '2026-11-21',
  dates: { created: '2026-11-18T14:30:00.000001Z' },
  tags: ['a & b', '<c>'],
};

describe('a workbook', () => {
  it('has a number where it is one, a date where it is one, a moment for a time stamp, and text for ids and codes; no formula', async () => {
    const parts = await written([parcel]);
    expect(cellsOf(parts[sheet])).toEqual([
      ...['A1: t id', 'B1: t title', 'C1: t price', 'D1: t zip', 'E1: t client.id', 'F1: t fragile', 'G1: t count'],
      ...['H1: t sent', 'I1: t dates.created', 'J1: t tags'],
      ...['A2: t 7', 'B2: t =1+1', 'C2: n6 1200.50', 'D2: t 01067', 'E2: t 12', 'F2: t true', 'G2: n4 3', 'H2: n3 46347'],
      ...['I2: n20 46344.604166666664', 'J2: t a &amp; b; &lt;c&gt;'],
    ]);
    expect(parts[sheet]).not.toMatch(/<f[ >]|hyperlink/);
    expect(parts[sheet]).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(parts['xl/workbook.xml']).toContain('<sheet name="parcels" sheetId="1" r:id="rId1"/>');
  });

  it('has its styles in the places that the cells name', async () => {
    const { 'xl/styles.xml': styles = '' } = await written([parcel]);
    const codes = new Map([...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [id, code]));
    const looks = [...(styles.split('<cellXfs')[1] ?? '').matchAll(/<xf numFmtId="(\d+)"/g)].map(([, id = '']) => codes.get(id) ?? id);
    expect(looks.slice(0, 8)).toEqual(['0', '49', '49', 'yyyy\\-mm\\-dd', '0', '0.0', '0.00', '0.000']);
    expect(looks.slice(20)).toEqual(['yyyy\\-mm\\-dd hh:mm:ss', 'yyyy\\-mm\\-dd hh:mm:ss.000']);
  });

  it.each([
    ['0', 'n4'],
    ['-5.00', 'n6'],
    ['0.10', 'n6'],
    ['999999999999999', 'n4'],
    ['1234567890123.45', 'n6'],
    ['12345678901234.56', 't'],
    ['12345678901234567890.10', 't'],
    ['0.000000000000001', 'n19'],
    ['0.0000000000000001', 't'],
    ['-0.00', 't'],
    ['007.00', 't'],
    ['1e3', 't'],
    ['.5', 't'],
    ['1,5', 't'],
  ])('the decimal %s is as it was written: %s', async (price, kind) => {
    expect(cellsOf((await written([{ price }], 'price'))[sheet])).toEqual(['A1: t price', `A2: ${kind} ${price}`]);
  });

  it.each([
    ['1900-02-28', 't 1900-02-28'],
    ['1900-03-01', 'n3 61'],
    ['9999-12-31', 'n3 2958465'],
    ['2026-02-30', 't 2026-02-30'],
    ['0000-00-00', 't 0000-00-00'],
  ])('the day %s is %s', async (sent, cell) => {
    expect(cellsOf((await written([{ sent }], 'sent'))[sheet])).toEqual(['A1: t sent', `A2: ${cell}`]);
  });

  it('keeps what XML has no place for, and what reads like that', async () => {
    const title = 'a\0b\r\nc\u{1F600}\uD800 _x0041_ \uFFFE\t';
    expect(cellsOf((await written([{ title }], 'title'))[sheet])[1]).toBe(
      'A2: t a_x0000_b_x000D_\nc\u{1F600}_xD800_ _x005F_x0041_ _xFFFE_\t',
    );
  });

  it('has a header when there is nothing else', async () => {
    expect(cellsOf((await written([], 'id,price'))[sheet])).toEqual(['A1: t id', 'B1: t price']);
  });
});

describe('nothing is written', () => {
  it('when a list breaks off', async () => {
    const run = options({ output: 'xlsx' });
    const pages = pagesOf([parcel], new Error('gone'));
    await expect(render({ kind: 'records', pages, shape: parcels, empty: () => '' }, run)).rejects.toThrow('gone');
    expect(run.io.stdoutText()).toBe('');
  });

  it('of a text that is too long for a cell: 7, and whose it is', async () => {
    const run = options({ output: 'xlsx' });
    const data = { ...parcel, title: 'x'.repeat(32_768) };
    await expect(render({ kind: 'rows', data, shape: parcels, notice: 'Parcel changed.' }, run)).rejects.toMatchObject({
      exitStatus: 7,
      message: 'A cell has room for 32,767 characters, and title of the parcel 7 has 32,768.',
      details: { hint: '-o csv has no such limit.\nBefore that: Parcel changed.' },
    });
    expect(run.io.stdoutText()).toBe('');
    await expect(written([{ ...parcel, title: 'x'.repeat(32_767) }])).resolves.toBeDefined();
  });

  it('to a terminal: 2, and nothing is asked for', async () => {
    const shop = openWorkshop();
    try {
      const ended = await shop.crm(['leads', 'create', '--title', 'A', '--status', '1', '--category', '1', '-o', 'xlsx'], {
        stdoutTTY: true,
      });
      expect([ended.status, ended.stdout, ended.stderr]).toEqual([
        2,
        '',
        "error: -o xlsx makes a file, which a terminal can't show. In its place give: --out leads.xlsx\n",
      ]);
      expect((await shop.crm(['leads', 'list', '--count'])).stdout).toBe('0\n');
    } finally {
      shop.remove();
    }
  });
});

it('of a report is called after it, has a word for those without, and the total at its end', async () => {
  const shop = openWorkshop({ demo: true });
  try {
    const { stdout } = await shop.crm(['report', 'leads', '--by', 'assigned', '-o', 'xlsx', '-q']);
    const parts = await unzipped(Buffer.from(stdout, 'latin1'));
    expect(parts['xl/workbook.xml']).toContain('<sheet name="leads by assigned" ');
    const names = cellsOf(parts[sheet]).filter((cell) => cell.startsWith('B'));
    expect(names).toEqual([
      'B1: t assigned',
      ...['Jonas Weber', 'Maya Lindqvist', 'Priya Raman', 'Tom Okafor', 'nobody', 'Total'].map((name, index) => `B${index + 2}: t ${name}`),
    ]);
  } finally {
    shop.remove();
  }
});

it('of leads has who they are assigned to in words that can be filtered by, the ids beside', async () => {
  const shop = openWorkshop({ demo: true });
  try {
    const { stdout } = await shop.crm(['leads', 'list', '--where', 'id=33', '-o', 'xlsx', '--fields', 'id,assigned,tags', '-q']);
    const parts = await unzipped(Buffer.from(stdout, 'latin1'));
    expect(cellsOf(parts[sheet])).toEqual([
      ...['A1: t id', 'B1: t assigned', 'C1: t assigned.id', 'D1: t tags'],
      ...['A2: t 33', 'B2: t Tom Okafor; Priya Raman', 'C2: t 2; 3', 'D2: t logistics; pilot; hot'],
    ]);
  } finally {
    shop.remove();
  }
});
