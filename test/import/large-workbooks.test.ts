// Workbooks that would take the machine down: of texts without end, with cells far out.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { unnamedBytes } from '../../src/base/files/unnamed-file.ts';
import { readRows } from '../../src/import/files/readers.ts';
import { openArchive } from '../../src/import/files/xlsx/archive.ts';
import { sheetRows } from '../../src/import/files/xlsx/sheet.ts';
import { unpackedWorkbook } from '../../src/import/files/xlsx/workbook.ts';
import { rowsOfWorkbook, type TypedBook, typedBook } from '../support/workbook.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-workbooks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const text = (place: string, said: string): string => `<c r="${place}" t="inlineStr"><is><t>${said}</t></is></c>`;

const one = { one: `<row r="1">${text('A1', 'title')}</row>` };

/** `head`, then `more` so many times. */
async function* repeated(head: string, more: string, times: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from(head);
  const some = Math.floor(60_000 / more.length);
  const chunk = Buffer.from(more.repeat(some));
  for (let left = times; left > 0; left -= some) yield chunk;
}

it.runIf(process.env.CRM_SLOW)('a million rows are read, however many cells they have', { timeout: 600_000 }, async () => {
  const bytes = repeated('<worksheet><sheetData>', `<row>${'<c><v>1</v></c>'.repeat(5)}</row>`, 1_000_000);
  let rows = 0;
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    yield* bytes;
    yield Buffer.from('</sheetData></worksheet>');
  };
  for await (const some of sheetRows(whole(), { texts: [], lookOf: () => 'plain', daysBefore: 0 })) rows += some.length;
  expect(rows).toBeGreaterThanOrEqual(1_000_000);
});

it.each<[string, TypedBook, string]>([
  [
    'a text of many parts',
    { sheets: { one: `<row><c t="inlineStr"><is>${'<t>0123456789</t>'.repeat(110_000)}</is></c></row>` } },
    'longer than 1 MiB',
  ],
  ['a shared text of many parts', { sheets: one, texts: `<si>${'<t>0123456789</t>'.repeat(110_000)}</si>` }, 'longer than 1 MiB'],
  [
    'a row that repeats a shared text',
    { sheets: { one: `<row>${'<c t="s"><v>0</v></c>'.repeat(60)}</row>` }, texts: `<si><t>${'a'.repeat(300_000)}</t></si>` },
    'row 1 is longer than 16 MiB',
  ],
])('%s is refused', async (_what, book, message) => {
  await expect(rowsOfWorkbook(folder, await typedBook(book))).rejects.toThrow(message);
});

it('what is unpacked and what is made of it count together', async () => {
  writeFileSync(join(folder, 'counted.xlsx'), await typedBook({ sheets: one }));
  const file = await open(join(folder, 'counted.xlsx'));
  const archive = await openArchive(file.fd, new AbortController().signal);
  archive.count(2 * 1024 ** 3 - 100);
  // A part that stays in memory counts sixteen times.
  const part = archive.bytes('xl/workbook.xml', true);
  await expect(part.next()).rejects.toThrow('unpacked, it is longer than 2 GiB');
  await file.close();
});

it('cells far out take no more room than what stands in them', async () => {
  const rows = Array.from({ length: 200 }, (_, index) => `<row><c r="XFD${index + 2}"><v>7</v></c></row>`);
  const wide = await typedBook({ sheets: { one: `<row r="1">${text('A1', 'a')}${text('XFD1', 'z')}</row>${rows.join('')}` } });
  writeFileSync(join(folder, 'wide.xlsx'), wide);
  const file = await open(join(folder, 'wide.xlsx'));
  const opened = {
    name: 'wide.xlsx',
    path: undefined,
    file,
    bytes: () => unnamedBytes(file),
    checkUnchanged: async () => {},
    close: () => file.close(),
  };
  const source = await unpackedWorkbook(opened, undefined, new AbortController().signal);
  expect((await source.file.stat()).size).toBeLessThan(100_000);
  for await (const some of readRows(source.bytes, { format: 'xlsx', csvRaw: false })) {
    expect(some.length).toBeLessThan(100);
    for (const row of some) if ('values' in row) expect([row.values.length, row.values[0], row.values.at(-1)]).toEqual([16_384, null, 7]);
  }
  await source.close();
});
