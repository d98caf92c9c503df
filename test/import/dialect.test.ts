// Files as Windows writes them: read by their encoding. What is written beside them is UTF-8, with a byte order mark and their separator.

import { expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

const titles = async (): Promise<string[]> =>
  (JSON.parse((await shop.crm(['leads', 'list', '--json', '--sort', 'created', '--order', 'asc'])).stdout) as { title: string }[]).map(
    ({ title }) => title,
  );
const flags = ['--skip-invalid', '--rejects', 'rejects.csv', '--results', 'results.csv'];

/** `Käse – 5 €`, and a row whose status means nothing. */
const text = 'title;status;category\r\nKäse – 5 €;1;1\r\n"Übel; ‰";nix;1\r\n';
const windows1252 = Buffer.from(text.replace('–', '\x96').replace('€', '\x80').replace('‰', '\x89'), 'latin1');

it.each([
  ['windows-1252', windows1252],
  ['utf-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['utf-16', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ['utf-8', Buffer.from(`\ufeff${text}`)],
])('%s: read with --encoding; rejects and results are UTF-8 with a mark, and keep the separator', async (encoding, content) => {
  shop.write('f.csv', content);
  const { status } = await shop.crm(['leads', 'import', 'f.csv', '--encoding', encoding, ...flags]);
  expect([status, await titles()]).toEqual([8, ['Käse – 5 €']]);
  const error = /;3;;(.*)\r\n$/.exec(shop.read('rejects.csv'))?.[1] ?? '';
  expect(error).toContain('nix');
  expect(shop.read('rejects.csv')).toBe(`\ufefftitle;status;category;_line;_status;_error\r\n"Übel; ‰";nix;1;3;;${error}\r\n`);
  expect(shop.read('results.csv')).toBe(
    `\ufefftitle;status;category;id;outcome;error\r\nKäse – 5 €;1;1;1;created;\r\n"Übel; ‰";nix;1;;failed;${error}\r\n`,
  );
});

it('every byte of Windows-1252 is the letter of the standard', async () => {
  const high = Uint8Array.from({ length: 128 }, (_, index) => 128 + index);
  shop.write('f.csv', Buffer.concat([Buffer.from('title,status,category,description\nA,1,1,'), high, Buffer.from('.\n')]));
  expect((await shop.crm(['leads', 'import', 'f.csv', '--encoding', 'windows-1252'])).status).toBe(0);
  const [{ description }] = JSON.parse((await shop.crm(['leads', 'list', '--json'])).stdout) as [{ description: string }];
  const first = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
  expect(description).toBe(`${first}${Buffer.from(high.subarray(32)).toString('latin1')}.`);
});

it('rejects of Windows-1252 are mended and read again without a flag', async () => {
  shop.write('f.csv', windows1252);
  await shop.crm(['leads', 'import', 'f.csv', '--encoding', 'windows-1252', ...flags]);
  shop.write('mended.csv', shop.read('rejects.csv').replace(';nix;', ';1;'));
  const again = await shop.crm(['leads', 'import', 'mended.csv']);
  expect([again.status, await titles()]).toEqual([0, ['Käse – 5 €', 'Übel; ‰']]);
});

it('lines end as RFC 4180 says, and tabs are kept', async () => {
  shop.write('f.tsv', 'title\tstatus\tcategory\nA\t1\t1\nB\tnix\t1\n');
  await shop.crm(['leads', 'import', 'f.tsv', ...flags]);
  expect(shop.read('rejects.csv')).toMatch(/^title\tstatus\tcategory\t_line\t_status\t_error\r\nB\tnix\t1\t3\t\t[^\r\n]*\r\n$/);
  expect(shop.read('results.csv')).toMatch(/^title\tstatus\tcategory\tid\toutcome\terror\r\nA\t1\t1\t1\tcreated\t\r\nB\t/);
});

it.each([
  ['windows-1252', windows1252, 'Windows-1252, as Excel writes it'],
  ['utf-16', Buffer.from(`\ufeff${text}`, 'utf16le'), 'UTF-16'],
])('%s is asked about on a terminal, and elsewhere the flag is named', async (encoding, content, called) => {
  shop.write('f.csv', content);
  const terminal = { tty: true, columns: 200, stdin: 'n\n' };
  const asked = await shop.crm(['leads', 'import', 'f.csv'], terminal);
  expect([asked.status, asked.stderr]).toEqual([
    9,
    expect.stringContaining(`f.csv is not UTF-8. Read it as ${called} (--encoding ${encoding})?`),
  ]);
  const agreed = await shop.crm(['leads', 'import', 'f.csv', '--dry-run'], { ...terminal, stdin: 'y\n' });
  expect(agreed.stderr).toContain('"nix"');
  const elsewhere = await shop.crm(['leads', 'import', 'f.csv']);
  expect([elsewhere.status, elsewhere.stderr]).toEqual([2, expect.stringContaining(`--encoding ${encoding} reads it.`)]);
});

it('a mapping file says the encoding, and the program writes it there', async () => {
  shop.write('f.csv', windows1252);
  await shop.crm(['leads', 'import', 'f.csv', '--encoding', 'windows-1252', '--save-mapping', 'm.yaml']);
  expect(shop.read('m.yaml')).toContain('encoding: windows-1252');
  shop.write('m.yaml', shop.read('m.yaml').replace(/nix:.*/, 'nix: "2"'));
  const { status } = await shop.crm(['leads', 'import', 'f.csv', '--mapping', 'm.yaml']);
  expect([status, await titles()]).toEqual([0, ['Käse – 5 €', 'Übel; ‰']]);
});

it('a workbook has no encoding of its own', async () => {
  const book = await shop.crm(['leads', 'list', '-o', 'xlsx']);
  shop.write('f.xlsx', Buffer.from(book.stdout, 'latin1'));
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.xlsx', '--encoding', 'windows-1252']);
  expect([status, stderr]).toEqual([2, expect.stringContaining('--encoding is for texts, and f.xlsx is a workbook.')]);
});
