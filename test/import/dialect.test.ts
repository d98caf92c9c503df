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

it('every byte of Windows-1252 is the letter of the standard, and the five that are none refute it', async () => {
  const open = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
  const high = Uint8Array.from({ length: 128 }, (_, index) => 128 + index).filter((byte) => !open.includes(byte));
  const file = (bytes: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from('title,status,category,description\nA,1,1,'), bytes, Buffer.from('.\n')]);
  shop.write('f.csv', file(high));
  expect((await shop.crm(['leads', 'import', 'f.csv', '--encoding', 'latin1'])).status).toBe(0);
  const [{ description }] = JSON.parse((await shop.crm(['leads', 'list', '--json'])).stdout) as [{ description: string }];
  const first = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
  expect(description).toBe(`${first}${Buffer.from(high.subarray(27)).toString('latin1')}.`);
  for (const byte of open) {
    shop.write('f.csv', file(Uint8Array.of(byte)));
    const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', '--encoding', 'windows-1252']);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^error: f\.csv is not windows-1252: some of its bytes are no letters there\.\nWhich is right: .*--encoding macintosh\).*\?\n$/,
      ),
    ]);
  }
});

const head = 'title,status,category\n';

it.each([
  ['cp1251', 'Иван', [0xc8, 0xe2, 0xe0, 0xed]],
  ['windows-1250', 'łukasz', [0xb3, 0x75, 0x6b, 0x61, 0x73, 0x7a]],
  ['macintosh', 'José', [0x4a, 0x6f, 0x73, 0x8e]],
  ['shift_jis', '山田', [0x8e, 0x52, 0x93, 0x63]],
])('%s reads %s', async (encoding, title, bytes) => {
  shop.write('f.csv', Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(',1,1\n')]));
  expect((await shop.crm(['leads', 'import', 'f.csv', '--encoding', encoding])).status).toBe(0);
  expect(await titles()).toEqual([title]);
});

it.each([
  ['utf-16', Buffer.from(`${head}Käse,1,1\n`, 'utf16le').subarray(0, -1)],
  ['shift_jis', Buffer.concat([Buffer.from(`${head}Kase,1,`), Buffer.from([0x8e])])],
])('%s: a file that ends within a letter is not read', async (encoding, bytes) => {
  shop.write('f.csv', bytes);
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', '--encoding', encoding, '--dry-run']);
  expect([status, stderr]).toEqual([2, expect.stringContaining('f.csv is not ')]);
});

it('the message shows a telling cell in the likely encodings, and each flag that it names is taken', async () => {
  const bytes = Buffer.concat([
    Buffer.from(`${head}M\xfcller,1,1\n`, 'latin1'),
    Buffer.from([0xb3, 0xf3, 0x64, 0x9c]),
    Buffer.from(',1,1\n'),
  ]);
  shop.write('f.csv', bytes);
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv']);
  expect([status, stderr]).toEqual([
    2,
    'error: 1 problem in f.csv; nothing was sent.\n' +
      '  line 2: it is not valid UTF-8. Which is right: "łódś" (--encoding windows-1250), "³ódœ" (--encoding windows-1252), "іуdњ" (--encoding windows-1251)?\n',
  ]);
  for (const [, flag = ''] of stderr.matchAll(/--encoding ([\w-]+)/g))
    expect((await shop.crm(['leads', 'import', 'f.csv', '--encoding', flag, '--dry-run'])).status).toBe(0);
});

it('a byte order mark wins over flag and mapping, and UTF-32 is named', async () => {
  shop.write('f.csv', `\ufeff${head}Café,1,1\n`);
  shop.write('m.yaml', 'encoding: windows-1252');
  expect((await shop.crm(['leads', 'import', 'f.csv', '--mapping', 'm.yaml', '--encoding', 'cp1250'])).status).toBe(0);
  expect(await titles()).toEqual(['Café']);
  shop.write('f.csv', Buffer.from([0xff, 0xfe, 0, 0, 0x74, 0, 0, 0]));
  const marked = await shop.crm(['leads', 'import', 'f.csv']);
  expect([marked.status, marked.stderr]).toEqual([2, 'error: f.csv: the file is UTF-32, which is not read: save it as UTF-8.\n']);
  shop.write('f.csv', Buffer.from([0x74, 0, 0, 0, 0x69, 0, 0, 0]));
  expect((await shop.crm(['leads', 'import', 'f.csv'])).stderr).toContain('the file is UTF-32, which is not read: save it as UTF-8.');
});

it('an unknown encoding is named', async () => {
  shop.write('f.csv', head);
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', '--encoding', 'martian']);
  expect([status, stderr]).toEqual([2, expect.stringContaining('"martian" is no encoding that is known here.')]);
});

it('a change file has an encoding, too', async () => {
  await shop.crm(['leads', 'create', '--title', 'A', '--status', '1', '--category', '1', '-q']);
  shop.write('c.csv', Buffer.from('family,id,city,was.city\nleads,1,Z\xfcrich,\n', 'latin1'));
  const refused = await shop.crm(['apply', 'c.csv']);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('"Zürich" (--encoding windows-1252)')]);
  expect((await shop.crm(['apply', 'c.csv', '--encoding', 'windows-1252'])).status).toBe(0);
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

it('windows-1252 is asked about on a terminal, with the readings as choices', async () => {
  shop.write('f.csv', windows1252);
  const terminal = { tty: true, columns: 200, stdin: 'n\n' };
  const asked = await shop.crm(['leads', 'import', 'f.csv'], terminal);
  expect([asked.status, asked.stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    9,
    expect.stringContaining(
      'f.csv is not UTF-8. Which is right: 1: "Käse – 5 €" (--encoding windows-1252), 2: "Kдse – 5 Ђ" (--encoding windows-1251)? (1/2/N)',
    ),
  ]);
  const agreed = await shop.crm(['leads', 'import', 'f.csv', '--dry-run'], { ...terminal, stdin: '1\n' });
  expect(agreed.stderr).toContain('"nix"');
});

it('UTF-16 with its mark needs no flag, and the flag is named where the mark is missing', async () => {
  shop.write('f.csv', Buffer.from(`\ufeff${head}Käse,1,1\n`, 'utf16le'));
  expect((await shop.crm(['leads', 'import', 'f.csv'])).status).toBe(0);
  shop.write('f.csv', Buffer.from(`${head}Brot,1,1\n`, 'utf16le'));
  expect((await shop.crm(['leads', 'import', 'f.csv'])).stderr).toContain('the file is UTF-16. --encoding utf-16 reads it.');
  expect((await shop.crm(['leads', 'import', 'f.csv', '--encoding', 'utf-16'])).status).toBe(0);
  shop.write('f.csv', Buffer.from(`${head}Wein,1,1\n`, 'utf16le').swap16());
  expect((await shop.crm(['leads', 'import', 'f.csv'])).stderr).toContain('the file is UTF-16. --encoding utf-16be reads it.');
  expect((await shop.crm(['leads', 'import', 'f.csv', '--encoding', 'utf-16be'])).status).toBe(0);
  expect(await titles()).toEqual(['Käse', 'Brot', 'Wein']);
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

it('a mapping that was saved of a text serves a workbook, too', async () => {
  shop.write('m.yaml', 'encoding: windows-1252\n');
  await shop.crm(['leads', 'create', '--title', 'Käse', '--status', '1', '--category', '1']);
  const book = await shop.crm(['leads', 'list', '-o', 'xlsx']);
  shop.write('f.xlsx', Buffer.from(book.stdout, 'latin1'));
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.xlsx', '--mode', 'update', '--mapping', 'm.yaml', '--dry-run']);
  expect(status, stderr).toBe(0);
});

it.each([
  ['M├╝ller', true],
  ['Caf├⌐bar', true],
  ['╨ƒ╤Ç╨╕', true],
  ['Käse – 5 €', false],
  ['a ─ b │ c', false],
])('%s: whether it looks re-encoded is said once: %j', async (title, isTold) => {
  shop.write('f.csv', `title,status,category\n${title},1,1\n${title} again,1,1\n`);
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv']);
  expect(status).toBe(0);
  expect(stderr.match(/f\.csv looks re-encoded.*--out FILE/g) ?? []).toHaveLength(isTold ? 1 : 0);
});
