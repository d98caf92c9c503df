// Readers by themselves: however the bytes are cut into chunks, the rows and their lines are the same.

import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ImportFormat, RawRow } from '../../src/import/files/raw-row.ts';
import { formatOf, readRows } from '../../src/import/files/readers.ts';
import { openSource } from '../../src/import/files/source.ts';
import { decodedText } from '../../src/import/files/utf8.ts';
import type { Context } from '../../src/session/context.ts';

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

async function rowsOfFile(text: string, format: ImportFormat, of: readonly number[]): Promise<RawRow[]> {
  const rows = (await Array.fromAsync(readRows(() => chunked(Buffer.from(text), of), { format, csvRaw: true }))).flat();
  expect(rows.filter((row) => 'problem' in row)).toEqual([]);
  return rows.filter((row) => 'values' in row);
}

it.each([',', ';', '\t'])('CSV separated by %j comes back cell by cell, with the line on which each row begins', async (delimiter) => {
  await fc.assert(
    fc.asyncProperty(table, sizes, fc.constantFrom('\n', '\r\n'), async (rows, of, end) => {
      const records = [['one', 'two', 'three'], ...rows];
      const text = stringify(records, { delimiter, record_delimiter: end, quoted: true });
      const read = await rowsOfFile(text, 'csv', of);
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
  ['json', (rows: readonly object[]) => `[${rows.map((row) => JSON.stringify(row)).join(',\n')}]`, (index: number) => index + 1],
] as const)('%s comes back member by member', async (format, write, line) => {
  const member = fc.oneof(cell, fc.constantFrom('{', '}', '[', ']', '\\', '\\"', '\u2028'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ a: member, b: fc.record({ c: member, d: fc.array(member, { maxLength: 2 }) }) })),
      sizes,
      async (rows, of) => {
        const read = await rowsOfFile(write(rows), format, of);
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
        expect((await Array.fromAsync(decodedText(() => chunked(plain, of)))).join('')).toBe(text);
        const broken = Buffer.concat([Buffer.from(`x${before}`), Buffer.from(bad), Buffer.from(`\n${after}`)]);
        const line = before.split('\n').length;
        await expect(Array.fromAsync(decodedText(() => chunked(broken, of)))).rejects.toThrow(`line ${line}: it is not valid UTF-8.`);
      },
    ),
  );
});

it.each(['ndjson', 'json', 'csv'] as const)('%s: what has no end does not fill the memory', async (format) => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(format === 'csv' ? 'a\n"' : '{"a":"');
    for (;;) yield Buffer.alloc(1024 * 1024, 'x');
  }
  const told = format === 'json' ? /^line 1: .* 64 MiB\. NDJSON may have any length: jq -c '\.\[\]'/ : /line \d: .*16 MiB/;
  await expect(Array.fromAsync(readRows(endless, { format, csvRaw: false }))).rejects.toThrow(told);
});

it('CSV with a tab in its header is separated by tabs, whatever else stands in the names', async () => {
  const [row] = await rowsOfFile('City, State\tName, first, last\nBonn, NRW\tA, B, C\n', 'csv', [7]);
  expect([row?.names, row?.values]).toEqual([
    ['City, State', 'Name, first, last'],
    ['Bonn, NRW', 'A, B, C'],
  ]);
});

it.each(['sep=;\n', '"sep=;"\r\n', '\n\nsep=;\r\n', 'sep=|\n', 'sep=\t\n'])(
  'CSV whose first line is %j is separated by that',
  async (first) => {
    const separator = /=(.)/.exec(first)?.[1] ?? '';
    const text = `${first}a, b${separator}c, d, e\n1,5${separator}2\n`;
    for (const size of [1, 3, 100]) {
      const [row] = await rowsOfFile(text, 'csv', [size]);
      expect([row?.line, row?.names, row?.values]).toEqual([text.split('\n').length - 1, ['a, b', 'c, d, e'], ['1,5', '2']]);
    }
  },
);

it('CSV with a column that is called like a separator', async () => {
  const [row] = await rowsOfFile('sep=x,b\n1,2\n', 'csv', [100]);
  expect(row?.names).toEqual(['sep=x', 'b']);
});

it.each([
  ['a,b\n"x,1\ny,2\n', 2],
  ['a,b\r\n"x\r\ny",1\r\n\r\n\r\ny,"2\r\nz\r\n', 6],
  ['\n\n"a,b\n', 3],
  ['a,b\r1,2\r3,"4\r5', 3],
])('a quote that is never closed is told at its row: %j', async (text, line) => {
  for (const size of [1, 100])
    await expect(rowsOfFile(text, 'csv', [size])).rejects.toThrow(`line ${line}: the file ends within a quoted cell`);
});

it.each(['\n', '\r\n'])('bytes that are not UTF-8 are found on their line where lines end with %j', async (end) => {
  const text = Buffer.from(['a', 'b\u00e4', '', 'c', 'x\u00e9'].join(end), 'utf8');
  const broken = Buffer.concat([text, Buffer.from([0xff]), Buffer.from(`${end}y`)]);
  for (let size = 1; size < 20; size += 1)
    await expect(Array.fromAsync(decodedText(() => chunked(broken, [size])))).rejects.toThrow('line 5: it is not');
});

it.each([
  ['a bad character before a sound U+FFFD', 'a\n\xe2\x28b\n\xef\xbf\xbd\n', 2],
  ['a bad character behind a sound U+FFFD', 'a\n\xef\xbf\xbd\nb\xc3\n', 3],
  ['a character that goes on where none began', 'a\n\xc3\xa4\x80\n\xef\xbf\xbd', 2],
])('the line of %s is told, whatever the chunks', async (_what, text, line) => {
  for (let size = 1; size < 12; size += 1)
    await expect(Array.fromAsync(decodedText(() => chunked(Buffer.from(text, 'latin1'), [size])))).rejects.toThrow(
      `line ${line}: it is not`,
    );
});

it('no more columns are read than a spreadsheet has', async () => {
  const read = (text: string, format: ImportFormat) =>
    Array.fromAsync(readRows(() => chunked(Buffer.from(text), [65_536]), { format, csvRaw: true }));
  const names = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);
  expect((await read(`${names(16_384)}\n`, 'csv')).flat()).toHaveLength(1);
  await expect(read(`\n${names(200_000)}\n`, 'csv')).rejects.toThrow(
    'line 2: the header has 200000 columns, and no more than 16384 are read.',
  );
  const wide = JSON.stringify(Object.fromEntries(names(16_385).map((name) => [name, 1])));
  expect((await read(`${wide}\n`, 'ndjson')).flat()).toMatchObject([{ problem: 'it has 16385 members, and no more than 16384 are read.' }]);
});

it.each([
  ['a CSV, whatever its second chunk begins with', 'title\n', '{"title": "x"}\n', 'csv'],
  ['JSON by lines, also behind blanks', ' \n', '{"title": "x"}\n', 'ndjson'],
  ['JSON, also behind blanks', '\n\n', '[{"title": "x"}]', 'json'],
])('a file without an ending is %s', async (_what, first, second, format) => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-readers-'));
  writeFileSync(join(folder, 'f'), first + second);
  const source = await openSource({ cwd: folder, signal: new AbortController().signal } as unknown as Context, 'f');
  const cut = { ...source, bytes: () => chunked(Buffer.from(first + second), [first.length, second.length]) };
  expect(await formatOf(cut, 'f', undefined)).toBe(format);
  await source.close();
  rmSync(folder, { recursive: true });
});

const mebibyte = 1024 * 1024;

it.each([
  ['is read once: up to 16 MiB it is kept', 16 * mebibyte, 'first'],
  ['is read again where it is larger, and refused when it has changed', 16 * mebibyte + 1, 'f.csv was changed while it was being imported'],
])('a file %s', async (_what, size, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-readers-'));
  const path = join(folder, 'f.csv');
  writeFileSync(path, 'first'.padEnd(size, ' '));
  const source = await openSource({ cwd: folder, signal: new AbortController().signal } as unknown as Context, 'f.csv');
  const text = async (): Promise<string> => (await Array.fromAsync(decodedText(source.bytes))).join('').trim();
  try {
    expect(await text()).toBe('first');
    writeFileSync(path, 'second'.padEnd(size, ' '));
    utimesSync(path, 1, 1);
    expect(await text().catch((error: Error) => error.message)).toContain(expected);
  } finally {
    await source.close();
    rmSync(folder, { recursive: true });
  }
});
