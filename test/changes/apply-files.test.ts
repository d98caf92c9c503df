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
