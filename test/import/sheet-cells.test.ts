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

const number = (text: string) => [[2, text]];

describe('a cell', () => {
  it.each<[string, unknown]>([
    ['<c r="A2"><v>12.5</v></c>', number('12.5')],
    ['<c><v>12.5</v></c>', number('12.5')],
    ['<c><v>0.5</v></c>', number('0.5')],
    ['<c><v>0.05</v></c>', number('0.05')],
    ['<c><v>-0.5</v></c>', number('-0.5')],
    ['<c><v>1E-7</v></c>', number('0.0000001')],
    ['<c><v>1.5E3</v></c>', number('1500')],
    ['<c><v>0.1000000000000000055</v></c>', number('0.1')],
    ['<c r="A2" t="n"><v> 7 </v></c>', number('7')],
    ['<c r="A2" t="b"><v>1</v></c>', [[2, true]]],
    ['<c r="A2" t="b"><v>TRUE</v></c>', [[2, true]]],
    ['<c r="A2" t="b"><v>false</v></c>', [[2, false]]],
    ['<c r="A2" t="str"><v>a</v></c>', [[2, 'a']]],
    ['<c r="A2" t="d"><v>2026-11-21T00:00:00.000Z</v></c>', [[2, '2026-11-21']]],
    ['<c r="A2" t="d"><v>2026-11-21T14:30:00</v></c>', [[2, '2026-11-21 14:30:00']]],
    ['<c r="A2" s="1"><v>46347</v></c>', [[2, '2026-11-21']]],
    ['<c r="A2" s="2"><v>1.5</v></c>', [[2, '!A2 is a duration; write it as text, or as a number.']]],
    ['<c r="A2" t="inlineStr"><is><t>a</t><rPh><t>x</t></rPh><t>b</t></is></c>', [[2, 'ab']]],
    ['<c r="A2" t="e"><v>#N/A</v></c>', [[2, '!A2 holds the error #N/A.']]],
    ['<c r="A2"><f>B2</f></c>', [[2, '!A2 is a formula without its result; open the file and save it again.']]],
    ['<c r="A2"><v></v></c>', []],
    ['<c r="A2" t="inlineStr"><is><t></t></is></c>', []],
    ['<c r="A2"><v>999999999999999</v></c>', number('999999999999999')],
    [
      '<c r="A2"><v>1000000000000000</v></c>',
      [[2, '!A2 is a number of more than 15 digits, and spreadsheets lose the others; write it as text.']],
    ],
    [
      '<c r="A2"><v>-1000000000000000</v></c>',
      [[2, '!A2 is a number of more than 15 digits, and spreadsheets lose the others; write it as text.']],
    ],
  ])('%s', async (one, rows) => {
    const read = await cell(one);
    expect(
      read.map((row) =>
        (row as unknown[]).map((value, at) =>
          at > 0 && (typeof value === 'number' || typeof value === 'object') ? JSON.stringify(value) : value,
        ),
      ),
    ).toEqual(rows);
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
