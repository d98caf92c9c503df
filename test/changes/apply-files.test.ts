// `crm apply` reads its file as an import does: --sheet, --separator, --encoding and the question about the encoding.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachWorkshop } from '../import/support.ts';
import { typedBook } from '../support/workbook.ts';

const shop = eachWorkshop({ demo: true });
const source = async (id: number) => ((await shop.crm(['leads', 'get', String(id), '--json'])).json() as { source: string }).source;
const text = (said: string): string => `<c t="inlineStr"><is><t>${said}</t></is></c>`;
const rowOf = (cells: readonly string[], hidden = ''): string => `<row${hidden}>${cells.map(text).join('')}</row>`;
const header = ['family', 'id', 'source', 'was.source'];

it('--sheet names the sheet of a workbook', async () => {
  const was = await source(12);
  const sheet = (value: string): string => rowOf(header) + rowOf(['leads', '12', value, was]);
  writeFileSync(join(shop.folder, 'two.xlsx'), await typedBook({ sheets: { Old: sheet('Wrong'), New: sheet('Right') } }));
  expect(await shop.crm(['apply', 'two.xlsx'])).toMatchObject({ status: 2, stderr: expect.stringContaining('say with --sheet which one') });
  expect(await shop.crm(['apply', 'two.xlsx', '--sheet', 'new'])).toMatchObject({ status: 0 });
  expect(await source(12)).toBe('Right');
  expect(await shop.crm(['apply', 'two.xlsx', '--sheet', '3'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('no sheet "3"'),
  });
  shop.write('f.csv', header.join(','));
  expect(await shop.crm(['apply', 'f.csv', '--sheet', '1'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--sheet is for .xlsx'),
  });
});

it('hidden rows are carried out, and counted', async () => {
  const rows = rowOf(header) + rowOf(['leads', '12', 'A', await source(12)]) + rowOf(['leads', '13', 'A', await source(13)], ' hidden="1"');
  writeFileSync(join(shop.folder, 'hidden.xlsx'), await typedBook({ sheets: { Plan: rows } }));
  const { stderr } = await shop.crm(['apply', 'hidden.xlsx', '--dry-run']);
  expect(stderr).toContain('1 row of the sheet is hidden or filtered, and is read, too.');
});

it('--separator says what separates the cells', async () => {
  shop.write('f.csv', `${header.join('#')}\nleads#12#A, B; C#${await source(12)}\n`);
  expect(await shop.crm(['apply', 'f.csv'])).toMatchObject({ status: 2 });
  expect(await shop.crm(['apply', 'f.csv', '--separator', '#'])).toMatchObject({ status: 0 });
  expect(await source(12)).toBe('A, B; C');
});

it('a file that is not UTF-8 is asked about on a terminal; off one the message names the flags, which work', async () => {
  const file = Buffer.from(`${header.join(';')}\nleads;12;Käfer für Ünal;${await source(12)}\n`, 'latin1');
  writeFileSync(join(shop.folder, 'f.csv'), file);
  const refused = await shop.crm(['apply', 'f.csv']);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('--encoding windows-1252')]);
  const asked = await shop.crm(['apply', 'f.csv'], { tty: true, columns: 200, stdin: 'n\n' });
  expect([asked.status, asked.stderr]).toEqual([9, expect.stringContaining('f.csv is not UTF-8.')]);
  expect(await shop.crm(['apply', 'f.csv', '--encoding', 'windows-1252'])).toMatchObject({ status: 0 });
  expect(await source(12)).toBe('Käfer für Ünal');
});

it('a blank cell of a required field is a problem of its row, also in a dry run; the plan of duplicates applies as one number', async () => {
  shop.write('blank.csv', 'family,id,title,was.title\nleads,12,,Something\n');
  for (const flags of [['--dry-run'], []])
    expect(await shop.crm(['apply', 'blank.csv', ...flags])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/line 2, column title: it is blank, and can't be cleared\./),
    });
  await shop.crm(['leads', 'update', '12,13', '--email', 'twin@x.example', '--yes', '-q']);
  await shop.crm(['leads', 'update', '13', '--source', 'Fair', '-q']);
  expect((await shop.crm(['leads', 'duplicates', '--plan', 'm.csv', '-q'])).status).toBe(0);
  const { status, stderr } = await shop.crm(['apply', 'm.csv']);
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('other values than the file')]);
});

const value = async (id: number) => ((await shop.crm(['leads', 'get', String(id), '--json'])).json() as { value: string }).value;

it('an old number that is its record’s shows the decimal mark, said once, also of a row without a change', async () => {
  await shop.crm(['leads', 'update', '12,13', '--value', '560.00', '--yes', '-q']);
  shop.write('f.csv', 'family;id;value;was.value\nleads;12;1.600,50;560,00\nleads;13;560,00;560,00\n');
  const { status, stderr } = await shop.crm(['apply', 'f.csv']);
  expect([status, await value(12), await value(13)]).toEqual([0, '1600.50', '560.00']);
  expect(stderr.split('A comma divides the decimals in f.csv: "560,00" there is 560.00 in the CRM.')).toHaveLength(2);
});

it('a mark that nothing shows, or that records contradict, is asked for; off a terminal the error names the flag, and counts it once', async () => {
  await shop.crm(['leads', 'update', '12,13', '--value', '1234.00', '--yes', '-q']);
  shop.write('f.csv', 'family;id;value;was.value\nleads;12;1,500;9,99\n');
  const refused = await shop.crm(['apply', 'f.csv']);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringMatching(/^error: 1 problem in f\.csv[\s\S]*--decimal-mark comma/)]);
  const asked = await shop.crm(['apply', 'f.csv'], { tty: true, columns: 200, stdin: 'n\n' });
  expect([asked.status, asked.stderr]).toEqual([
    9,
    expect.stringContaining('Which mark divides the decimals in f.csv? 1 point: "1,500" is 1500, 2 comma: "1,500" is 1.500. (1/2/N)'),
  ]);
  shop.write('f.csv', 'family;id;value;was.value\nleads;12;8,50;1.234\nleads;13;9,50;1,234\n');
  expect((await shop.crm(['apply', 'f.csv'])).stderr).toContain('--decimal-mark');
  shop.write('f.csv', 'family;id;value;was.value\nleads;12;1,500;1234\n');
  const typed = await shop.crm(['apply', 'f.csv', '--dry-run'], { tty: true, columns: 200, stdin: '2\n' });
  expect([typed.status, typed.stdout]).toEqual([0, expect.stringMatching(/1234\.00 → 1\.500?\b/)]);
  expect((await shop.crm(['apply', 'f.csv', '--decimal-mark', 'comma'])).status).toBe(0);
  expect(await value(12)).toBe('1.50');
});
