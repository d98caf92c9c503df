// Cells of a sheet as workbooks hold them, each once: what a row gets of it, and which files are damaged.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rowsOfWorkbook, typedBook } from '../support/workbook.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-sheet-'));
afterAll(() => rmSync(folder, { recursive: true }));

const header = '<row r="1"><c r="A1" t="inlineStr"><is><t>one</t></is></c></row>';
const styles =
  '<numFmts count="1"><numFmt numFmtId="200" formatCode="[h]:mm"/></numFmts>' +
  '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="200"/></cellXfs>';
const rowsOf = async (sheetData: string, texts?: string) =>
  rowsOfWorkbook(folder, await typedBook({ sheets: { one: sheetData }, styles, ...(texts === undefined ? {} : { texts }) }));
const cell = async (one: string, texts?: string) => (await rowsOf(`${header}<row r="2">${one}</row>`, texts)).slice(1);

const nothing = Symbol('no cell');

const cells: readonly (readonly [string, unknown])[] = [
  ['<c r="A2"><v>12.5</v></c>', '12.5'],
  ['<c><v>12.5</v></c>', '12.5'],
  ['<c><v>0.5</v></c>', '0.5'],
  ['<c><v>0.05</v></c>', '0.05'],
  ['<c><v>-0.5</v></c>', '-0.5'],
  ['<c><v>1E-7</v></c>', '0.0000001'],
  ['<c><v>1.5E3</v></c>', '1500'],
  ['<c><v>0.1000000000000000055</v></c>', '0.1'],
  ['<c r="A2" t="n"><v> 7 </v></c>', '7'],
  ['<c r="A2" t="b"><v>1</v></c>', true],
  ['<c r="A2" t="b"><v>TRUE</v></c>', true],
  ['<c r="A2" t="b"><v>false</v></c>', false],
  ['<c r="A2" t="str"><v>a</v></c>', 'a'],
  ['<c r="A2" t="d"><v>2026-11-21T00:00:00.000Z</v></c>', '2026-11-21'],
  ['<c r="A2" t="d"><v>2026-11-21T14:30:00</v></c>', '2026-11-21 14:30:00'],
  ['<c r="A2" s="1"><v>46347</v></c>', '2026-11-21'],
  ['<c r="A2" s="2"><v>1.5</v></c>', '!A2 is a duration; write it as text, or as a number.'],
  ['<c r="A2" t="inlineStr"><is><t>a</t><rPh><t>x</t></rPh><t>b</t></is></c>', 'ab'],
  ['<c r="A2" t="e"><v>#N/A</v></c>', '!A2 holds the error #N/A.'],
  ['<c r="A2"><f>B2</f></c>', '!A2 is a formula without its result; open the file and save it again.'],
  ['<c r="A2"><v></v></c>', nothing],
  ['<c r="A2" t="inlineStr"><is><t></t></is></c>', nothing],
  ['<c r="A2"><v>999999999999999</v></c>', '999999999999999'],
  ['<c r="A2"><v>1000000000000000</v></c>', '!A2 is a number of more than 15 digits, and spreadsheets lose the others; write it as text.'],
  ['<c r="A2"><v>-1000000000000000</v></c>', '!A2 is a number of more than 15 digits, and spreadsheets lose the others; write it as text.'],
];

describe('a cell', () => {
  // All in one workbook, a row each: A2 stands for the cell of its row.
  it('is read by its type and its look', async () => {
    const rows = cells.map(([one], index) => `<row r="${index + 2}">${one.replaceAll('A2', `A${index + 2}`)}</row>`);
    const read = new Map((await rowsOf(header + rows.join(''))).map((row) => [(row as unknown[])[0], (row as unknown[])[1]]));
    const shown = (value: unknown): unknown => (typeof value === 'number' || typeof value === 'object' ? JSON.stringify(value) : value);
    expect(cells.map(([one], index) => [one, read.has(index + 2) ? shown(read.get(index + 2)) : nothing])).toEqual(
      cells.map(([one, value], index) => [one, typeof value === 'string' ? value.replace('A2', `A${index + 2}`) : value]),
    );
  });

  it('with a text of the file, by its number', async () => {
    expect(await cell('<c r="A2" t="s"><v>1</v></c>', '<si><t>a</t></si><si><t>b</t></si>')).toEqual([[2, 'b']]);
  });

  it.each([
    ['<c r="A2" t="s"><v>2</v></c>', "A2 refers to a text that the file doesn't have"],
    ['<c r="A2" t="s"><v>-1</v></c>', "A2 refers to a text that the file doesn't have"],
    ['<c r="A2" t="b"><v>2</v></c>', 'A2 holds 2, which is neither true nor false'],
    ['<c r="A2"><v>abc</v></c>', 'A2 holds abc, which is no number'],
    ['<c r="A2"><v>1e999</v></c>', 'A2 holds 1e999, which is no number'],
    ['<c r="A2" t="odd"><v>1</v></c>', 'A2 is of the type odd'],
    ['<c r="A3"><v>1</v></c>', 'there is a cell A3 in row 2'],
    ['<c r="a2"><v>1</v></c>', 'there is a cell a2 in row 2'],
    ['<c r="B2"><v>1</v></c><c r="A2"><v>1</v></c>', 'cells of row 2 are not in order'],
    ['<c r="A2"><v>1</v></c><c r="A2"><v>1</v></c>', 'cells of row 2 are not in order'],
    ['<c r="XFE2"><v>1</v></c>', 'cells of row 2 are not in order'],
  ])('%s is in a damaged file', async (one, problem) => {
    await expect(cell(one, '<si><t>a</t></si>')).rejects.toThrow(problem);
  });
});

it.each([
  ['1', 'there is a row 1 after row 1'],
  ['0', 'there is a row 0 after row 1'],
  ['1.5', 'there is a row 1.5 after row 1'],
  ['1048577', 'there is a row 1048577 after row 1'],
])('a row %s behind the header is in a damaged file', async (row, problem) => {
  await expect(rowsOf(`${header}<row r="${row}"/>`)).rejects.toThrow(problem);
});

it('a row without a number is the next one', async () => {
  expect(await rowsOf(`${header}<row><c><v>1</v></c></row><row r="9"><c r="A9" t="str"><v>a</v></c></row>`)).toMatchObject([
    [1, 'one'],
    [2, expect.anything()],
    [9, 'a'],
  ]);
});
