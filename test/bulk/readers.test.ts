// Readers by themselves: however the bytes are cut into chunks, the rows and their lines are the same.

import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ImportFormat, type RawRow, readRows } from '../../src/bulk/readers.ts';
import { textOf } from '../../src/bulk/texts.ts';

/** Chunks of the bytes; the sizes repeat. */
async function* chunked(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let start = 0, index = 0; start < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('a\nb', 'a\r\nb', '"', '', ',', ';;;', '\t', '\uFEFF', '👩‍👩‍👧'),
);
const table = fc.array(fc.tuple(cell, cell, cell), { maxLength: 12 });

async function rowsOf(text: string, format: ImportFormat, of: readonly number[]): Promise<RawRow[]> {
  const rows = (await Array.fromAsync(readRows(chunked(Buffer.from(text), of), { format, csvRaw: true }))).flat();
  expect(rows.filter((row) => 'problem' in row)).toEqual([]);
  return rows.filter((row) => 'values' in row);
}

it.each([',', ';', '\t'])('CSV separated by %j comes back cell by cell, with the line on which each row begins', async (delimiter) => {
  await fc.assert(
    fc.asyncProperty(table, sizes, fc.constantFrom('\n', '\r\n'), async (rows, of, end) => {
      const records = [['one', 'two', 'three'], ...rows];
      const text = stringify(records, { delimiter, record_delimiter: end, quoted: true });
      const read = await rowsOf(text, 'csv', of);
      expect(read.map(({ values }) => values)).toEqual(rows);
      const starts = records.map((_, index) => stringify(records.slice(0, index), { delimiter, record_delimiter: end, quoted: true }));
      const lines = starts.map((before) => before.split(/\r\n|\n|\r/).length);
      expect(read.map(({ line }) => line)).toEqual(lines.slice(1));
    }),
  );
});

it.each([
  ['ndjson', (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''), (index: number) => index + 1],
  ['json', (rows: readonly object[]) => JSON.stringify(rows, null, 1), undefined],
  ['json', (rows: readonly object[]) => JSON.stringify(rows), () => 1],
  ['json', (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n'), (index: number) => index + 1],
] as const)('%s comes back member by member', async (format, write, line) => {
  const member = fc.oneof(cell, fc.constantFrom('{', '}', '[', ']', '\\', '\\"', '\u2028'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ a: member, b: fc.record({ c: member, d: fc.array(member, { maxLength: 2 }) }) })),
      sizes,
      async (rows, of) => {
        const read = await rowsOf(write(rows), format, of);
        expect(read.map(({ names, values }) => [names, values])).toEqual(
          rows.map(({ a, b }) => [
            ['a', 'b.c', 'b.d'],
            [a, b.c, b.d],
          ]),
        );
        if (line !== undefined) expect(read.map((row) => row.line)).toEqual(rows.map((_, index) => line(index)));
      },
    ),
  );
});

it('text comes back from bytes, and bytes that are not UTF-8 are found on their line', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'grapheme' }),
      sizes,
      fc.constantFrom([0xff], [0xc3], [0xe2, 0x82], [0x80], [0xed, 0xa0, 0x80]),
      async (before, after, of, bad) => {
        const plain = Buffer.from(`${before}\n${after}`);
        const text = new TextDecoder().decode(plain);
        expect((await Array.fromAsync(textOf(chunked(plain, of)))).join('')).toBe(text);
        const broken = Buffer.concat([Buffer.from(`x${before}`), Buffer.from(bad), Buffer.from(`\n${after}`)]);
        const line = before.split('\n').length;
        await expect(Array.fromAsync(textOf(chunked(broken, of)))).rejects.toThrow(`line ${line}: it is not valid UTF-8.`);
      },
    ),
  );
});

it.each(['ndjson', 'json', 'csv'] as const)('%s: a row without an end does not fill the memory', async (format) => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(format === 'csv' ? 'a\n"' : '{"a":"');
    for (;;) yield Buffer.alloc(1024 * 1024, 'x');
  }
  await expect(Array.fromAsync(readRows(endless(), { format, csvRaw: false }))).rejects.toThrow(/line \d: .*16 MiB/);
});

it('CSV with a tab in its header is separated by tabs, whatever else stands in the names', async () => {
  const [row] = await rowsOf('City, State\tName, first, last\nBonn, NRW\tA, B, C\n', 'csv', [7]);
  expect([row?.names, row?.values]).toEqual([
    ['City, State', 'Name, first, last'],
    ['Bonn, NRW', 'A, B, C'],
  ]);
});
