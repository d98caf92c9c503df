// Rejects and results in the kind of the input, or in the kind of their own ending; and what becomes of them when they come back.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rowsOfWorkbook, typedBook, unzipped, zipped } from '../support/workbook.ts';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

const text = (said: string): string => `<c t="inlineStr"><is><t>${said}</t></is></c>`;
const row = (...cells: string[]): string => `<row>${cells.map((cell) => (cell.startsWith('<') ? cell : text(cell))).join('')}</row>`;
const contacts = ['first-name', 'last-name', 'email', 'client', 'phone'];
const styles = '<numFmts><numFmt numFmtId="170" formatCode="\\+0"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs>';

const importOf = (file: string, ...flags: string[]) => shop.crm(['contacts', 'import', file, ...flags]);
const bookIn = (name: string) => rowsOfWorkbook(shop.folder, readFileSync(join(shop.folder, name)));

/** A workbook whose second row has no last name; the phone is shown with a plus. */
const write = async (name: string): Promise<void> => {
  const rows = [
    row(...contacts),
    row('Ann', 'Lee', 'ann@x.example', '<c><v>1</v></c>', '0170'),
    row('=Bob', '', 'bob@x.example', '<c><v>1</v></c>', '<c s="1"><v>4930123</v></c>'),
  ];
  shop.write(name, await typedBook({ sheets: { one: rows.join(''), two: row('x') }, styles }));
};

describe('a workbook', () => {
  it('is what is advised, made, mended and imported', async () => {
    await write('f.xlsx');
    const refused = await importOf('f.xlsx', '--sheet', 'one');
    expect(refused.stderr).toContain('--skip-invalid sends the other 1 row, and --rejects rejects.xlsx keeps the 1 wrong row.');
    const sent = await importOf('f.xlsx', '--sheet', 'one', '--skip-invalid', '--rejects', 'rejects.xlsx', '--results', 'results.xlsx');
    expect([sent.status, sent.stderr]).toEqual([8, expect.stringContaining('crm contacts import rejects.xlsx --skip-invalid')]);
    const [header, first] = (await bookIn('rejects.xlsx')) as unknown[][];
    expect(header).toEqual([1, ...contacts, '_line', '_status', '_error']);
    expect(first).toEqual([2, '=Bob', null, 'bob@x.example', 1, '+4930123', 3, null, expect.stringContaining('last-name: ')]);
    expect((await bookIn('results.xlsx')).slice(0, 2)).toEqual([
      [1, ...contacts, 'id', 'outcome', 'error'],
      [2, 'Ann', 'Lee', 'ann@x.example', 1, '0170', expect.any(Number), 'created', null],
    ]);
    // A person mends the row, and follows the message.
    const mended =
      row(...contacts, '_line', '_status', '_error') +
      row('Bob', 'Kay', 'bob@x.example', '<c><v>1</v></c>', '+4930123', '<c><v>3</v></c>', '', 'was wrong');
    shop.write('rejects.xlsx', await typedBook({ sheets: { rejects: mended } }));
    const again = await importOf('rejects.xlsx', '--skip-invalid');
    expect([again.status, again.stderr]).toEqual([0, expect.stringMatching(/^Undo/)]);
  });

  it('of rejects is mended in place, and its rejects again, until every row is there to the letter', async () => {
    const wrong = ['bob at x', 'cy at x'];
    const rows = [...wrong, 'dee@x.example'].map((email, index) =>
      row(['=Bob', '0012', 'Dee'][index] ?? '', 'Lee', email, '<c><v>1</v></c>', '<c s="1"><v>4930123</v></c>'),
    );
    shop.write('rejects0.xlsx', await typedBook({ sheets: { one: row(...contacts) + rows.join('') }, styles }));
    const counts = [];
    for (const n of [0, 1, 2]) {
      const sent = await importOf(`rejects${n}.xlsx`, '--skip-invalid', '--rejects', `rejects${n + 1}.xlsx`, '--json');
      counts.push([sent.status, (sent.json() as { created: number }).created]);
      const mended = wrong[n] ?? '';
      if (mended === '') break;
      expect(sent.stderr).toContain(`crm contacts import rejects${n + 1}.xlsx --skip-invalid`);
      const parts = await unzipped(readFileSync(join(shop.folder, `rejects${n + 1}.xlsx`)));
      const anew = Object.entries(parts).map(([path, text]) => [path, text.replaceAll(`>${mended}<`, `>${n}@x.example<`)]);
      shop.write(`rejects${n + 1}.xlsx`, await zipped(Object.fromEntries(anew)));
    }
    expect(counts).toEqual([
      [8, 1],
      [8, 1],
      [0, 1],
    ]);
    const list = await shop.crm(['contacts', 'list', '--where', 'phone=+4930123', '--json', '--sort', 'created']);
    const people = (list.json() as { first_name: string; email: string }[]).map((one) => [one.first_name, one.email]);
    expect(people.toSorted()).toEqual([
      ['0012', '1@x.example'],
      ['=Bob', '0@x.example'],
      ['Dee', 'dee@x.example'],
    ]);
  });

  it('with a header line in the mapping: the rejects have their header in row 1', async () => {
    shop.write('m.yaml', 'header-line: 3');
    const rows = row('Ours') + row('x') + row(...contacts) + row('Ann', '', 'ann@x.example', '1', '');
    shop.write('f.xlsx', await typedBook({ sheets: { one: rows } }));
    const sent = await importOf('f.xlsx', '--mapping', 'm.yaml', '--skip-invalid', '--rejects', 'r.xlsx');
    expect(sent.status).toBe(2);
    shop.write(
      'r.xlsx',
      await typedBook({
        sheets: { one: row(...contacts, '_line', '_status', '_error') + row('Ann', 'Lee', 'ann@x.example', '1', '', '4', '', 'x') },
      }),
    );
    expect((await importOf('r.xlsx', '--mapping', 'm.yaml')).status).toBe(0);
  });
});

it('a given ending decides: a workbook for CSV, and CSV for a workbook', async () => {
  shop.write('f.csv', `${contacts.join(';')}\n"'=Ann";;ann@x.example;1;0170\nBob;Kay;bob@x.example;1;\n`);
  const sent = await importOf('f.csv', '--separator', 'semicolon', '--skip-invalid', '--rejects', 'r.xlsx');
  expect([sent.status, sent.stderr]).toEqual([8, expect.stringContaining('crm contacts import r.xlsx --skip-invalid')]);
  expect(sent.stderr).not.toContain('--separator');
  expect((await bookIn('r.xlsx'))[1]).toEqual([2, '=Ann', null, 'ann@x.example', '1', '0170', 2, null, expect.anything()]);
  await write('f.xlsx');
  await importOf('f.xlsx', '--sheet', 'one', '--skip-invalid', '--rejects', 'r.csv');
  expect(shop.read('r.csv')).toContain("\r\n'=Bob,,bob@x.example,1,+4930123,3,");
  const old = await importOf('f.csv', '--separator', 'semicolon', '--rejects', 'r.xls');
  expect([old.status, old.stderr]).toEqual([2, 'error: --rejects: a workbook is written as .xlsx; name r.xls so.\n']);
});

// biome-ignore format: a table
it.each(['csv', 'xlsx', 'ndjson'])('the columns of results are known when they come back (%s)', async (ending) => {
  if (ending === 'ndjson') shop.write('f.ndjson', '{"first-name":"Ann","last-name":"Lee","email":"ann@x.example","client":1}\n');
  else shop.write('f.csv', 'first-name,last-name,email,client\nAnn,Lee,ann@x.example,1\n');
  await importOf(ending === 'ndjson' ? 'f.ndjson' : 'f.csv', '--results', `r.${ending}`);
  const updated = await importOf(`r.${ending}`, '--mode', 'update', '--json', '--results', `again.${ending}`);
  expect(updated.stderr).toBe('');
  expect([updated.status, updated.json()]).toEqual([0, expect.objectContaining({ unchanged: 1 })]);
  expect((await importOf(`again.${ending}`, '--mode', 'update', '--json')).json()).toMatchObject({ unchanged: 1 });
});
